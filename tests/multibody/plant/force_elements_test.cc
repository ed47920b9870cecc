// Laws of all force elements, and the closed forms of each.
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/multibody/tree/door_hinge.h"
#include "wyvern/multibody/tree/ellipsoid_drag.h"
#include "wyvern/multibody/tree/fixed_tendon.h"
#include "wyvern/multibody/tree/fluid_drag.h"
#include "wyvern/multibody/tree/gravity_compensation.h"
#include "wyvern/multibody/tree/linear_bushing_roll_pitch_yaw.h"
#include "wyvern/multibody/tree/linear_spring_damper.h"
#include "wyvern/multibody/tree/prismatic_spring.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/multibody/tree/revolute_spring.h"
#include "wyvern/multibody/tree/spatial_tendon.h"

namespace wyvern::multibody {
namespace {

using systems::Context;
using test::MakeInertia;
using test::Pendulum;
using wyvern::test::Near;

// A user's own element: a spring from Bo to Wo and drag against its speed, with
// the drag's coefficient as a parameter.
template <typename T>
class Tether final : public ForceElement<T> {
 public:
  Tether(const RigidBody<T>& body, double stiffness, double drag)
      : ForceElement<T>(body.model_instance()),
        body_(body),
        stiffness_(stiffness),
        drag_(drag) {}

  void set_drag(Context<T>* context, const T& drag) const {
    context->get_mutable_numeric_parameter(parameter_)[0] = drag;
  }
  T CalcPotentialEnergy(
      const Context<T>& context,
      const internal::PositionKinematicsCache<T>&) const override {
    return 0.5 * stiffness_ * Position(context).squaredNorm();
  }
  T CalcConservativePower(
      const Context<T>& context, const internal::PositionKinematicsCache<T>&,
      const internal::VelocityKinematicsCache<T>&) const override {
    return -stiffness_ * Position(context).dot(Velocity(context));
  }
  T CalcNonConservativePower(
      const Context<T>& context, const internal::PositionKinematicsCache<T>&,
      const internal::VelocityKinematicsCache<T>&) const override {
    return -context.get_numeric_parameter(parameter_)[0] *
           Velocity(context).squaredNorm();
  }

 private:
  Vector3<T> Position(const Context<T>& context) const {
    return body_.EvalPoseInWorld(context).translation();
  }
  Vector3<T> Velocity(const Context<T>& context) const {
    return body_.EvalSpatialVelocityInWorld(context).translational();
  }
  void DoDeclareForceElementParameters(
      internal::MultibodyTreeSystem<T>* system) override {
    parameter_ = this->DeclareNumericParameter(
        system, systems::BasicVector<T>(VectorX<T>::Constant(1, drag_)));
  }
  void DoSetDefaultForceElementParameters(
      systems::Parameters<T>* parameters) const override {
    parameters->get_mutable_numeric_parameter(parameter_)[0] = drag_;
  }
  void DoCalcAndAddForceContribution(
      const Context<T>& context, const internal::PositionKinematicsCache<T>&,
      const internal::VelocityKinematicsCache<T>&,
      MultibodyForces<T>* forces) const override {
    const T drag = context.get_numeric_parameter(parameter_)[0];
    forces->mutable_body_forces()[body_.index()] +=
        SpatialForce<T>(Vector3<T>::Zero(), -stiffness_ * Position(context) -
                                                drag * Velocity(context));
  }
  std::unique_ptr<ForceElement<double>> DoCloneToScalar(
      const internal::MultibodyTree<double>& tree) const override {
    return std::make_unique<Tether<double>>(tree.bodies().get(body_.index()),
                                            stiffness_, drag_);
  }
  std::unique_ptr<ForceElement<AutoDiffXd>> DoCloneToScalar(
      const internal::MultibodyTree<AutoDiffXd>& tree) const override {
    return std::make_unique<Tether<AutoDiffXd>>(
        tree.bodies().get(body_.index()), stiffness_, drag_);
  }

  const RigidBody<T>& body_;
  const double stiffness_;
  const double drag_;
  systems::NumericParameterIndex parameter_;
};

// A slider, a hinge on it that opens backwards through the tree, and a free
// body, without gravity.
struct World {
  explicit World(double time_step = 0) : plant(time_step) {
    plant.mutable_gravity_field().set_gravity_vector({0, 0, 0});
    cart = &plant.AddRigidBody("cart", MakeInertia(1, {0.1, 0, 0}, 0.1));
    door = &plant.AddRigidBody("door", MakeInertia(2, {0, 0.2, 0.3}, 0.2));
    stone = &plant.AddRigidBody("stone", MakeInertia(3, {0.1, 0, 0}, 0.3));
    slider = &plant.AddJoint<PrismaticJoint>(
        "slider", plant.world_body(), {}, *cart, {}, Vector3<double>::UnitX());
    hinge = &plant.AddJoint<RevoluteJoint>("hinge", *door, {}, *cart, {},
                                           Vector3<double>(1, 2, 3));
  }
  void Finalize(int seed) {
    plant.Finalize();
    context = plant.CreateDefaultContext();
    std::srand(seed);
    VectorX<double> q = 0.3 * VectorX<double>::Random(plant.num_positions());
    q[plant.GetBodyByName("stone").floating_positions_start()] += 1;
    plant.SetPositions(context.get(), q);
    plant.SetVelocities(context.get(),
                        VectorX<double>::Random(plant.num_velocities()));
  }

  MultibodyPlant<double> plant;
  const RigidBody<double>* cart{};
  const RigidBody<double>* door{};
  const RigidBody<double>* stone{};
  const PrismaticJoint<double>* slider{};
  const RevoluteJoint<double>* hinge{};
  std::unique_ptr<Context<double>> context;
};

struct Kind {
  const char* name;
  std::function<const ForceElement<double>*(World*)> add;
};

class ForceElementLaws : public testing::TestWithParam<Kind> {
 protected:
  ForceElementLaws() {
    element_ = GetParam().add(&w_);
    w_.Finalize(7);
  }
  // Kinetic energy is left alone: only q changes.
  double EnergyAt(const VectorX<double>& q) {
    w_.plant.SetPositions(w_.context.get(), q);
    return w_.plant.CalcPotentialEnergy(*w_.context);
  }
  World w_;
  const ForceElement<double>* element_{};
};

TEST_P(ForceElementLaws, ConservativePowerIsMinusTheRateOfStoredEnergy) {
  const VectorX<double> q = w_.plant.GetPositions(*w_.context);
  VectorX<double> qdot(q.size());
  w_.plant.MapVelocityToQDot(*w_.context, w_.plant.GetVelocities(*w_.context),
                             &qdot);
  const double power = w_.plant.CalcConservativePower(*w_.context);
  // Central differences of fourth order.
  const double h = 1e-3;
  const double rate =
      (8 * (EnergyAt(q + h * qdot) - EnergyAt(q - h * qdot)) -
       (EnergyAt(q + 2 * h * qdot) - EnergyAt(q - 2 * h * qdot))) /
      (12 * h);
  EXPECT_NEAR(power, -rate, 1e-8 * (1 + std::abs(rate)));
}

TEST_P(ForceElementLaws, PowersAddUpToThatOfTheForces) {
  MultibodyForces<double> forces(w_.plant);
  element_->CalcAndAddForceContribution(
      *w_.context, w_.plant.EvalPositions(*w_.context),
      w_.plant.EvalVelocities(*w_.context), &forces);
  double power =
      forces.generalized_forces().dot(w_.plant.GetVelocities(*w_.context));
  for (BodyIndex body(1); body < w_.plant.num_bodies(); ++body) {
    const auto V =
        w_.plant.get_body(body).EvalSpatialVelocityInWorld(*w_.context);
    power += forces.body_forces()[body].get_coeffs().dot(V.get_coeffs());
  }
  EXPECT_GT(std::abs(power), 1e-3);
  EXPECT_NEAR(w_.plant.CalcConservativePower(*w_.context) +
                  w_.plant.CalcNonConservativePower(*w_.context),
              power, 1e-13 * (1 + std::abs(power)));
}

TEST_P(ForceElementLaws, RateOfKineticEnergyIsTheirPower) {
  const VectorX<double> v = w_.plant.GetVelocities(*w_.context);
  const VectorX<double> vdot =
      w_.plant.get_generalized_acceleration_output_port().Eval(*w_.context);
  MatrixX<double> M(v.size(), v.size());
  w_.plant.CalcMassMatrix(*w_.context, &M);
  VectorX<double> Cv(v.size());
  w_.plant.CalcBiasTerm(*w_.context, &Cv);
  const double power = w_.plant.CalcConservativePower(*w_.context) +
                       w_.plant.CalcNonConservativePower(*w_.context);
  EXPECT_NEAR(v.dot(M * vdot + Cv), power, 1e-12 * (1 + std::abs(power)));
}

TEST_P(ForceElementLaws, CopyOnAutoDiffHasTheSameAccelerations) {
  const auto copy = systems::System<double>::ToAutoDiffXd(w_.plant);
  const auto context = copy->CreateDefaultContext();
  context->SetTimeStateAndParametersFrom(*w_.context);
  const VectorX<AutoDiffXd> vdot =
      copy->get_generalized_acceleration_output_port().Eval(*context);
  EXPECT_TRUE(Near(
      ToDouble(vdot),
      w_.plant.get_generalized_acceleration_output_port().Eval(*w_.context),
      1e-12));
}

const Kind kKinds[] = {
    {"RevoluteSpring",
     [](World* w) {
       return &w->plant.AddForceElement<RevoluteSpring>(*w->hinge, 0.7, 5.0);
     }},
    {"PrismaticSpring",
     [](World* w) {
       return &w->plant.AddForceElement<PrismaticSpring>(*w->slider, 0.7, 5.0);
     }},
    {"LinearSpringDamper",
     [](World* w) {
       return &w->plant.AddForceElement<LinearSpringDamper>(
           *w->door, Vector3<double>(0.1, 0.2, 0.3), *w->stone,
           Vector3<double>(1, 2, 3), 0.5, 10.0, 2.0);
     }},
    {"DoorHinge",
     [](World* w) {
       return &w->plant.AddForceElement<DoorHinge>(
           *w->hinge,
           DoorHingeConfig{.catch_width = 0.4, .motion_threshold = 0.3});
     }},
    {"LinearBushingRollPitchYaw",
     [](World* w) {
       const auto& frame_A =
           w->plant.AddFrame(std::make_unique<FixedOffsetFrame<double>>(
               "A", w->door->body_frame(),
               math::RigidTransform<double>(
                   math::RollPitchYaw<double>(0.1, 0.2, 0.3),
                   Vector3<double>(1, 0, 0))));
       return &w->plant.AddForceElement<LinearBushingRollPitchYaw>(
           frame_A, w->stone->body_frame(), Vector3<double>(1, 2, 3),
           Vector3<double>(4, 5, 6), Vector3<double>(7, 8, 9),
           Vector3<double>(1, 3, 5));
     }},
    {"FixedTendon",
     [](World* w) {
       return &w->plant.AddForceElement<FixedTendon>(
           std::vector<TendonTerm<double>>{{w->hinge, 0.7}, {w->slider, -2.0}},
           -0.3, -0.1, 20.0, 3.0);
     }},
    {"SpatialTendon",
     [](World* w) {
       const TendonObstacle<double> knob{.body = w->cart, .radius = 0.2};
       return &w->plant.AddForceElement<SpatialTendon>(
           "cord",
           std::vector<TendonSegment<double>>{
               {{w->door, {0.1, 0.2, 0.3}}, {w->stone, {1, 2, 3}}, knob, 2}},
           TendonProperties{.stiffness = 20, .damping = 3});
     }},
    {"FluidDrag",
     [](World* w) {
       return &w->plant.AddForceElement<FluidDrag>(
           *w->stone,
           math::RigidTransform<double>(
               math::RollPitchYaw<double>(0.1, 0.2, 0.3),
               Vector3<double>(0.3, -0.1, 0.2)),
           Vector3<double>(0.1, 0.2, 0.4),
           FluidMedium{.density = 700, .viscosity = 3});
     }},
    {"EllipsoidDrag",
     [](World* w) {
       return &w->plant.AddForceElement<EllipsoidDrag>(
           *w->stone,
           math::RigidTransform<double>(
               math::RollPitchYaw<double>(0.1, 0.2, 0.3),
               Vector3<double>(0.3, -0.1, 0.2)),
           Vector3<double>(0.1, 0.2, 0.4),
           FluidMedium{.density = 700, .viscosity = 3});
     }},
    {"UsersOwn",
     [](World* w) {
       return &w->plant.AddForceElement<Tether>(*w->stone, 20.0, 3.0);
     }},
};

INSTANTIATE_TEST_SUITE_P(All, ForceElementLaws, testing::ValuesIn(kKinds),
                         [](const auto& kind) {
                           return std::string(kind.param.name);
                         });

// A stone of 3 kg; 0.4 of its weight is compensated.
TEST(GravityCompensation, BearsAFractionOfTheWeightAtTheCentreOfMass) {
  World w;
  const Vector3<double> g(1, 2, -9);
  w.plant.mutable_gravity_field().set_gravity_vector(g);
  const auto& borne =
      w.plant.AddForceElement<GravityCompensation>(*w.stone, 0.4);
  w.Finalize(5);
  const auto& context = *w.context;
  const auto& pc = w.plant.EvalPositions(context);
  const auto& vc = w.plant.EvalVelocities(context);
  MultibodyForces<double> forces(w.plant);
  borne.CalcAndAddForceContribution(context, pc, vc, &forces);
  const SpatialForce<double>& F = forces.body_forces()[w.stone->index()];
  EXPECT_TRUE(Near(F.translational(), -1.2 * g, 1e-14));
  const auto X_WB = w.stone->EvalPoseInWorld(context);
  const Vector3<double> p_BoBcm_W =
      X_WB.rotation() * w.stone->CalcCenterOfMassInBodyFrame(context);
  EXPECT_TRUE(Near(F.rotational(), p_BoBcm_W.cross(-1.2 * g), 1e-14));
  EXPECT_NEAR(borne.CalcPotentialEnergy(context, pc),
              1.2 * g.dot(X_WB.translation() + p_BoBcm_W), 1e-13);
  const auto V = w.stone->EvalSpatialVelocityInWorld(context);
  EXPECT_NEAR(borne.CalcConservativePower(context, pc, vc),
              F.get_coeffs().dot(V.get_coeffs()), 1e-13);
  EXPECT_EQ(borne.CalcNonConservativePower(context, pc, vc), 0);
}

TEST(GravityCompensation, OfAllTheWeightLetsABodyFloat) {
  for (const double time_step : {0.0, 1e-3}) {
    World w(time_step);
    w.plant.mutable_gravity_field().set_gravity_vector({0, 0, -9.81});
    w.plant.AddForceElement<GravityCompensation>(*w.stone, 1);
    w.Finalize(5);
    w.plant.SetVelocities(w.context.get(),
                          VectorX<double>::Zero(w.plant.num_velocities()));
    if (time_step > 0) w.plant.ExecuteForcedEvents(w.context.get());
    const auto& A =
        w.plant.get_body_spatial_accelerations_output_port()
            .Eval<std::vector<SpatialAcceleration<double>>>(*w.context);
    EXPECT_LT(A[w.stone->index()].get_coeffs().norm(), 1e-12);
    EXPECT_GT(A[w.door->index()].get_coeffs().norm(), 1.0);
  }
}

// H. Lamb, Hydrodynamics, 1932, chapter V: half of the displaced mass for a
// sphere; all of it across a needle, none along it; 8/3 density r³ and 16/45
// density r⁵ for a disc.
TEST(EllipsoidDrag, AddsTheMassOfPotentialFlow) {
  World w;
  const auto add = [&](double a, double b, double c) -> const auto& {
    return w.plant.AddForceElement<EllipsoidDrag>(
        *w.stone, math::RigidTransform<double>(), Vector3<double>(a, b, c),
        FluidMedium{.density = 1000});
  };
  const double sphere = 1000 * 4 * std::numbers::pi / 3 * 0.008;
  EXPECT_TRUE(Near(add(0.2, 0.2, 0.2).added_mass(),
                   Vector3<double>::Constant(sphere / 2), 1e-11));
  EXPECT_TRUE(
      Near(add(0.2, 0.2, 0.2).added_inertia(), Vector3<double>::Zero(), 1e-11));
  const double needle = 1000 * 4 * std::numbers::pi / 3 * 2e-8;
  EXPECT_TRUE(Near(add(2, 1e-4, 1e-4).added_mass() / needle,
                   Vector3<double>(0, 1, 1), 1e-6));
  for (const double thickness : {1e-9, 1e-16, 1e-17, 1e-100, 1e-300}) {
    const auto& disc = add(0.2, thickness, 0.2);
    EXPECT_NEAR(disc.added_mass()[1], 8000.0 / 3 * 0.008, 1e-6) << thickness;
    EXPECT_NEAR(disc.added_inertia()[0], 16000.0 / 45 * 0.00032, 1e-7);
    EXPECT_NEAR(disc.added_inertia()[1], 0, 1e-12);
  }
  EXPECT_TRUE(add(2, 1e-300, 1e-300).added_mass().isZero(1e-100));
}

// An ellipsoid that moves along its own axis, or turns about it.
TEST(EllipsoidDrag, BrakesAlongAnAxisByTheProjectedArea) {
  for (const double speed : {0.0, 3.0}) {
    World w;
    const auto& drag = w.plant.AddForceElement<EllipsoidDrag>(
        *w.stone, math::RigidTransform<double>(),
        Vector3<double>(0.1, 0.2, 0.4),
        FluidMedium{.density = 1000, .wind = {-speed, 0, 0}},
        EllipsoidDragCoefficients{.slender = 0});
    w.plant.Finalize();
    const auto context = w.plant.CreateDefaultContext();
    w.plant.SetFreeBodySpatialVelocity(
        context.get(), *w.stone,
        SpatialVelocity<double>(Vector3<double>(0, 0, 0),
                                Vector3<double>(0, 0, 0)));
    MultibodyForces<double> forces(w.plant);
    drag.CalcAndAddForceContribution(*context, w.plant.EvalPositions(*context),
                                     w.plant.EvalVelocities(*context), &forces);
    const auto& F = forces.body_forces()[w.stone->index()];
    const double area = std::numbers::pi * 0.2 * 0.4;
    EXPECT_TRUE(Near(F.translational(),
                     Vector3<double>(-500 * area * speed * speed, 0, 0),
                     1e-10));
    EXPECT_TRUE(Near(F.rotational(), Vector3<double>::Zero(), 1e-10));
  }
}

TEST(EllipsoidDrag, RefusesValuesThatAreNotValid) {
  World w;
  const auto expect = [&](const Vector3<double>& semi_axes,
                          const FluidMedium& medium, double kutta,
                          const char* message) {
    EXPECT_THROWS_MESSAGE(
        EllipsoidDrag<double>(*w.stone, {}, semi_axes, medium,
                              EllipsoidDragCoefficients{.kutta = kutta}),
        std::logic_error, message);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect({0, 1, 1}, {}, 1, "semi-axis is 0");
  expect({1, -1, 1}, {}, 1, "semi-axis is -1");
  expect({1, 1, nan}, {}, 1, "semi-axis");
  expect({1e99, 1, 1}, {.density = 1}, 1, "more than a double holds");
  expect({1, 1, 1}, {.density = 1e300}, 1e9, "more than a double holds");
  expect({1, 1, 1}, {.density = -1}, 1, "density");
  expect({1, 1, 1}, {.viscosity = nan}, 1, "viscosity");
  expect({1, 1, 1}, {}, nan, "coefficient");
}

// A body of 2 kg and 0.1 x 0.2 x 0.4 m moves in water along x at 3 m/s.
TEST(FluidDrag, IsThatOfABoxInTheMedium) {
  World w;
  const auto& drag = w.plant.AddForceElement<FluidDrag>(
      *w.stone, math::RigidTransform<double>(), Vector3<double>(0.1, 0.2, 0.4),
      FluidMedium{.density = 1000, .viscosity = 2, .wind = {1, 0, 0}});
  w.plant.Finalize();
  const auto context = w.plant.CreateDefaultContext();
  w.plant.SetFreeBodySpatialVelocity(
      context.get(), *w.stone,
      SpatialVelocity<double>(Vector3<double>(0, 0, 5),
                              Vector3<double>(3, 0, 0)));
  MultibodyForces<double> forces(w.plant);
  drag.CalcAndAddForceContribution(*context, w.plant.EvalPositions(*context),
                                   w.plant.EvalVelocities(*context), &forces);
  const SpatialForce<double>& F = forces.body_forces()[w.stone->index()];
  const double d = 0.7 / 3;
  const double pi = std::numbers::pi;
  EXPECT_NEAR(F.translational()[0],
              -0.5 * 1000 * 0.2 * 0.4 * 4 - 3 * pi * d * 2 * 2, 1e-12);
  EXPECT_NEAR(F.rotational()[2],
              -1000 * 0.4 * (1e-4 + 16e-4) / 64 * 25 - pi * d * d * d * 2 * 5,
              1e-12);
}

TEST(FixedTendon, RefusesBadArguments) {
  World w;
  using Terms = std::vector<TendonTerm<double>>;
  const auto expect = [](const Terms& terms, double low, double high, double k,
                         double limit, const char* message) {
    EXPECT_THROWS_MESSAGE(FixedTendon<double>(terms, low, high, k, 1, limit, 2),
                          std::logic_error, message);
  };
  const Terms one{{w.hinge, 1.0}};
  expect({}, 0, 0, 1, 0, "it has no joint");
  expect({{nullptr, 1.0}}, 0, 0, 1, 0, "FixedTendon");
  expect({{w.hinge, 1.0 / 0.0}}, 0, 0, 1, 0, "coefficient");
  expect(one, 1, 0, 1, 0, "resting lengths are 1 and 0");
  expect(one, 0, 0, -1, 0, "stiffness");
  expect(one, 0, 0, 1, 3, "limits are 3 and 2");
  EXPECT_THROWS_MESSAGE(FluidDrag<double>(*w.stone, {}, {-1, 1, 1}, {}),
                        std::logic_error, "edge of the box");
  EXPECT_THROWS_MESSAGE(
      FluidDrag<double>(*w.stone, {}, {1, 1, 1}, {.density = -1}),
      std::logic_error, "density");
  EXPECT_THROWS_MESSAGE(GravityCompensation<double>(*w.stone, 1.0 / 0.0),
                        std::logic_error, "fraction");
}

// Gravity is off for one body only.
TEST(GravityField, MayExemptABody) {
  World w;
  auto& gravity = w.plant.mutable_gravity_field();
  gravity.set_gravity_vector({0, 0, -9.81});
  gravity.set_enabled(*w.stone, false);
  EXPECT_FALSE(gravity.is_enabled(*w.stone));
  EXPECT_TRUE(gravity.is_enabled(*w.door));
  EXPECT_TRUE(w.plant.is_gravity_enabled(w.stone->model_instance()));
  w.Finalize(5);
  const int v = w.stone->floating_velocities_start_in_v();
  const VectorX<double> tau = w.plant.CalcGravityGeneralizedForces(*w.context);
  EXPECT_TRUE(tau.segment<6>(v).isZero(0));
  EXPECT_GT(tau.norm(), 0.1);
  EXPECT_THROWS_MESSAGE(gravity.set_enabled(*w.stone, true), std::logic_error,
                        "already finalized");
  const auto copy = systems::System<double>::ToAutoDiffXd(w.plant);
  EXPECT_FALSE(copy->gravity_field().is_enabled(copy->GetBodyByName("stone")));
}

TEST(ForceElement, UsersParameterLivesInTheContext) {
  World w;
  const auto& tether = w.plant.AddForceElement<Tether>(*w.stone, 20.0, 3.0);
  w.Finalize(3);
  const double power = w.plant.CalcNonConservativePower(*w.context);
  tether.set_drag(w.context.get(), 6.0);
  EXPECT_NEAR(w.plant.CalcNonConservativePower(*w.context), 2 * power, 1e-13);
}

TEST(RevoluteSpring, ExertsItsTorqueInBothModes) {
  for (double time_step : {0.0, 1e-3}) {
    Pendulum p(time_step);
    p.plant.mutable_gravity_field().set_gravity_vector({0, 0, 0});
    p.plant.AddForceElement<RevoluteSpring>(*p.joint, 0.5, 3.0);
    p.plant.SetUseSampledOutputPorts(false);
    p.plant.Finalize();
    const auto context = p.plant.CreateDefaultContext();
    p.joint->set_angle(context.get(), 0.2);
    EXPECT_NEAR(
        p.plant.get_generalized_acceleration_output_port().Eval(*context)[0],
        3.0 * 0.3 / Pendulum::kMoment, 1e-13);
    EXPECT_NEAR(p.plant.CalcPotentialEnergy(*context), 1.5 * 0.09, 1e-14);
  }
}

TEST(RevoluteSpring, RefusesNegativeStiffnessAndBadNumbers) {
  Pendulum p(0);
  EXPECT_THROWS_MESSAGE(
      p.plant.AddForceElement<RevoluteSpring>(*p.joint, 0, -1),
      std::logic_error, "'hinge': stiffness");
  EXPECT_THROWS_MESSAGE(
      p.plant.AddForceElement<RevoluteSpring>(*p.joint, std::nan(""), 1),
      std::logic_error, "'hinge': nominal position");
}

TEST(PrismaticSpring, KnowsWhatItWasMadeOf) {
  World w;
  const auto& spring =
      w.plant.AddForceElement<PrismaticSpring>(*w.slider, 0.7, 5.0);
  EXPECT_EQ(&spring.joint(), w.slider);
  EXPECT_EQ(spring.nominal_position(), 0.7);
  EXPECT_EQ(spring.stiffness(), 5.0);
  EXPECT_THROWS_MESSAGE(
      w.plant.AddForceElement<PrismaticSpring>(*w.slider, 0, -1),
      std::logic_error, "'slider': stiffness");
}

// Figures of Drake 1.51 with the default configuration.
TEST(DoorHinge, HasDrakesTorques) {
  World w;
  const auto& hinge =
      w.plant.AddForceElement<DoorHinge>(*w.hinge, DoorHingeConfig());
  EXPECT_NEAR(hinge.CalcHingeTorque(0.3, 0.4), -6.1, 1e-14);
  EXPECT_NEAR(hinge.CalcHingeTorque(0.005, -0.0003), -11.219828126996127,
              1e-13);
  EXPECT_NEAR(hinge.CalcHingeSpringTorque(-0.004), -7.9851280758369398, 1e-13);
  EXPECT_NEAR(hinge.CalcHingeFrictionalTorque(0.0007), -3.3482679515353237,
              1e-13);
  EXPECT_NEAR(hinge.CalcHingeStoredEnergy(0.013), 0.1036511430318903, 1e-14);
  EXPECT_EQ(hinge.CalcHingeStoredEnergy(0), 0);
}

TEST(DoorHinge, IsAStepWithoutThreshold) {
  World w;
  const auto& hinge = w.plant.AddForceElement<DoorHinge>(
      *w.hinge,
      DoorHingeConfig{
          .spring_constant = 0, .catch_width = 0, .motion_threshold = 0});
  EXPECT_EQ(hinge.CalcHingeTorque(0.1, 0), 0);
  EXPECT_EQ(hinge.CalcHingeTorque(0.1, 2), -5);
  EXPECT_EQ(hinge.CalcHingeTorque(0.1, -2), 5);
}

TEST(DoorHinge, RefusesNegativeValues) {
  World w;
  EXPECT_THROWS_MESSAGE(w.plant.AddForceElement<DoorHinge>(
                            *w.hinge, DoorHingeConfig{.catch_width = -1}),
                        std::logic_error, "'hinge': catch_width");
}

// A bushing between the world and a free body.
struct Bushing {
  Bushing() {
    plant.mutable_gravity_field().set_gravity_vector({0, 0, 0});
    body = &plant.AddRigidBody("body", MakeInertia(1, {0, 0, 0}, 1));
    bushing = &plant.AddForceElement<LinearBushingRollPitchYaw>(
        plant.world_frame(), body->body_frame(), Vector3<double>(1, 2, 3),
        Vector3<double>(4, 5, 6), Vector3<double>(10, 20, 30),
        Vector3<double>(7, 8, 9));
    plant.Finalize();
    context = plant.CreateDefaultContext();
  }
  void SetPose(double roll, double pitch, double yaw,
               const Vector3<double>& p) {
    plant.SetFreeBodyPose(context.get(), *body,
                          math::RigidTransform<double>(
                              math::RollPitchYaw<double>(roll, pitch, yaw), p));
  }
  MultibodyPlant<double> plant{0};
  const RigidBody<double>* body{};
  const LinearBushingRollPitchYaw<double>* bushing{};
  std::unique_ptr<Context<double>> context;
};

TEST(LinearBushingRollPitchYaw, StretchesAlongTheHalfwayFrame) {
  Bushing b;
  // Half of a quarter turn about z: x and y of the bushing are at 45 degrees.
  b.SetPose(0, 0, M_PI / 2, {1, 0, 0});
  const double r = std::sqrt(0.5);
  const Vector3<double> f_A =
      10 * r * Vector3<double>(r, r, 0) - 20 * r * Vector3<double>(-r, r, 0);
  const auto F = b.bushing->CalcBushingSpatialForceOnFrameA(*b.context);
  EXPECT_TRUE(Near(F.translational(), f_A, 1e-14));
  EXPECT_TRUE(Near(F.rotational(),
                   Vector3<double>(0, 0, 3 * M_PI / 2) +
                       Vector3<double>(0.5, 0, 0).cross(f_A),
                   1e-13));
  EXPECT_NEAR(b.plant.CalcPotentialEnergy(*b.context),
              0.5 * (10 * 0.5 + 20 * 0.5) + 0.5 * 3 * M_PI * M_PI / 4, 1e-13);
}

TEST(LinearBushingRollPitchYaw, AtGimbalLockItSaysWhichItIs) {
  Bushing b;
  b.SetPose(0, M_PI / 2, 0, {0, 0, 0});
  const std::string what =
      "the LinearBushingRollPitchYaw from frame 'world' of body 'world' to "
      "frame 'body' of body 'body' is bent to a pitch of 90.0000 degree";
  MultibodyForces<double> forces(b.plant);
  EXPECT_THROWS_MESSAGE(
      b.plant.CalcForceElementsContribution(*b.context, &forces),
      std::runtime_error, what);
  EXPECT_THROWS_MESSAGE(b.bushing->CalcBushingSpatialForceOnFrameA(*b.context),
                        std::runtime_error, what);
  EXPECT_THROWS_MESSAGE(b.plant.EvalTimeDerivatives(*b.context),
                        std::runtime_error, what);
  // Functions that need no rates return their value.
  EXPECT_NEAR(b.plant.CalcPotentialEnergy(*b.context), M_PI * M_PI / 4, 1e-7);
}

TEST(LinearBushingRollPitchYaw, ForcesOnBothFramesAreOpposite) {
  Bushing b;
  b.SetPose(0.3, -0.2, 0.7, {0.1, 0.2, 0.3});
  b.plant.SetVelocities(b.context.get(), Vector6<double>(1, 2, 3, 4, 5, 6));
  const auto F_A = b.bushing->CalcBushingSpatialForceOnFrameA(*b.context);
  const auto F_C = b.bushing->CalcBushingSpatialForceOnFrameC(*b.context);
  const auto X = b.body->EvalPoseInWorld(*b.context);
  const auto moved = (X.rotation() * F_C).Shift(-X.translation());
  EXPECT_TRUE(Near(moved.get_coeffs(), -F_A.get_coeffs(), 1e-13));
}

TEST(LinearBushingRollPitchYaw, ConstantsAreParameters) {
  Bushing b;
  b.SetPose(0, 0, 0, {1, 1, 1});
  b.bushing->SetForceStiffnessConstants(b.context.get(), {1, 2, 4});
  EXPECT_TRUE(Near(b.bushing->GetForceStiffnessConstants(*b.context),
                   Vector3<double>(1, 2, 4)));
  EXPECT_NEAR(b.plant.CalcPotentialEnergy(*b.context), 3.5, 1e-14);
  EXPECT_TRUE(Near(b.bushing->force_stiffness_constants(),
                   Vector3<double>(10, 20, 30)));
  EXPECT_THROWS_MESSAGE(
      b.bushing->SetTorqueDampingConstants(b.context.get(), {0, -1, 0}),
      std::logic_error, "torque damping constants[1] is ");
}

TEST(LinearBushingRollPitchYaw, RefusesGimbalLock) {
  Bushing b;
  b.SetPose(0, M_PI / 2, 0, {0, 0, 0});
  EXPECT_THROWS_MESSAGE(
      b.plant.get_generalized_acceleration_output_port().Eval(*b.context),
      std::runtime_error, "gimbal");
}

TEST(UniformGravityField, ActsOnThoseInstancesForWhichItIsEnabled) {
  MultibodyPlant<double> plant(0);
  const auto on = plant.AddModelInstance("on");
  const auto off = plant.AddModelInstance("off");
  const auto& a = plant.AddRigidBody("a", on, MakeInertia(1, {0, 0, 0}, 1));
  const auto& b = plant.AddRigidBody("b", off, MakeInertia(1, {0, 0, 0}, 1));
  plant.set_gravity_enabled(off, false);
  EXPECT_TRUE(plant.is_gravity_enabled(on));
  EXPECT_FALSE(plant.is_gravity_enabled(off));
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  const VectorX<double> vdot =
      plant.get_generalized_acceleration_output_port().Eval(*context);
  EXPECT_NEAR(vdot[a.floating_velocities_start_in_v() + 5], -9.81, 1e-14);
  EXPECT_EQ(vdot[b.floating_velocities_start_in_v() + 5], 0);
  EXPECT_THROWS_MESSAGE(plant.set_gravity_enabled(off, true), std::logic_error,
                        "Finalize");
}

}  // namespace
}  // namespace wyvern::multibody
