// Tendons along paths over bodies: closed forms of lengths, moment arms by
// differences of lengths, actuators, limits and errors. RotationLimit and
// PolynomialCoupler, whose rows are of the same kind.
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/polynomial_coupler.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/quaternion_ball_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/multibody/tree/rotation_limit.h"
#include "wyvern/multibody/tree/spatial_tendon.h"

namespace wyvern::multibody {
namespace spatial_tendon_test {

using math::RigidTransform;
using test::MakeInertia;
using wyvern::test::Near;
using Obstacle = TendonObstacle<double>;
using Segment = TendonSegment<double>;

constexpr double kPi = std::numbers::pi;

std::optional<internal::TendonWrap<double>> Wrap(const Vector3<double>& p,
                                                 const Vector3<double>& q,
                                                 const Obstacle& obstacle) {
  return internal::CalcTendonWrap<double>(p, q, obstacle);
}

double LengthOf(const Vector3<double>& p, const Vector3<double>& q,
                const internal::TendonWrap<double>& wrap) {
  return (wrap.p_GA - p).norm() + wrap.arc + (q - wrap.p_GB).norm();
}

// The tangents from two ends at 2 r make angles of 60 degrees with the ends, so
// that the arc spans the rest.
TEST(TendonWrap, OfACircleIsTwoTangentsAndAnArc) {
  const double r = 0.3;
  const double turn = 2.5;
  const Vector3<double> p(2 * r, 0, 0);
  const Vector3<double> q(2 * r * std::cos(turn), 2 * r * std::sin(turn), 0);
  for (const bool is_cylinder : {false, true}) {
    const auto wrap = Wrap(p, q, {.radius = r, .is_cylinder = is_cylinder});
    ASSERT_TRUE(wrap.has_value());
    EXPECT_NEAR(LengthOf(p, q, *wrap),
                2 * std::sqrt(3) * r + r * (turn - 2 * kPi / 3), 1e-14);
    EXPECT_NEAR(wrap->p_GA.dot(p - wrap->p_GA), 0, 1e-14);
    EXPECT_NEAR(wrap->p_GB.dot(q - wrap->p_GB), 0, 1e-14);
  }
}

// Unrolled, the helix is the hypotenuse of the plane length and the rise.
TEST(TendonWrap, OnACylinderIsStraightWhenUnrolled) {
  const double r = 0.3;
  const double turn = -2.8;
  const Vector3<double> p(2 * r, 0, -0.4);
  const Vector3<double> q(2 * r * std::cos(turn), 2 * r * std::sin(turn), 0.7);
  const auto wrap = Wrap(p, q, {.radius = r, .is_cylinder = true});
  ASSERT_TRUE(wrap.has_value());
  const double plane = 2 * std::sqrt(3) * r + r * (2.8 - 2 * kPi / 3);
  EXPECT_NEAR(LengthOf(p, q, *wrap), std::hypot(plane, 1.1), 1e-14);
}

TEST(TendonWrap, IsNoneWhereTheWayIsFreeOrAnEndIsInside) {
  const Obstacle ball{.radius = 1};
  EXPECT_FALSE(Wrap({2, 1.1, 0}, {-2, 1.1, 0}, ball).has_value());
  EXPECT_TRUE(Wrap({2, 0.9, 0}, {-2, 0.9, 0}, ball).has_value());
  EXPECT_FALSE(Wrap({2, 0.9, 0}, {1.5, 0.9, 0}, ball).has_value());
  EXPECT_FALSE(Wrap({0.9, 0, 0}, {-2, 0, 0}, ball).has_value());
  EXPECT_FALSE(Wrap({2, 0, 0}, {2, 0, 0}, ball).has_value());
  // Ends on opposite sides of the centre have no plane of their own.
  const auto through = Wrap({2, 0, 0}, {-2, 0, 0}, ball);
  ASSERT_TRUE(through.has_value());
  EXPECT_NEAR(through->arc, kPi / 3, 1e-12);
}

// MuJoCo 3.3.7 has the length 7.24500388173383 for both shapes: two tangents,
// and the circle without the angles between these and the ends.
TEST(TendonWrap, PassesBehindFromEndsAtOneAngle) {
  const Vector3<double> p(2, 0, 0);
  const Vector3<double> q(1.5, 0, 0);
  for (const bool is_cylinder : {false, true}) {
    for (const double y : {0.0, 0.1}) {
      const auto wrap = Wrap(p, q,
                             {.radius = 1,
                              .is_cylinder = is_cylinder,
                              .p_GS = Vector3<double>(-3, y, 0)});
      ASSERT_TRUE(wrap.has_value()) << is_cylinder << ", " << y;
      EXPECT_NEAR(LengthOf(p, q, *wrap), 7.24500388173383, 1e-13);
      EXPECT_NEAR(LengthOf(p, q, *wrap),
                  std::sqrt(3) + std::sqrt(1.25) + 2 * kPi - kPi / 3 -
                      std::acos(1 / 1.5),
                  1e-14);
    }
  }
}

TEST(TendonWrap, PassesOnTheSideThatIsAskedFor) {
  Obstacle rod{.radius = 1, .is_cylinder = true};
  const Vector3<double> p(3, 1.2, 0);
  const Vector3<double> q(-3, 1.2, 0);
  rod.p_GS = Vector3<double>(0, 5, 0);
  EXPECT_FALSE(Wrap(p, q, rod).has_value());
  rod.p_GS = Vector3<double>(0, -5, 0);
  const auto below = Wrap(p, q, rod);
  ASSERT_TRUE(below.has_value());
  EXPECT_LT(below->p_GA[1], 0);
  EXPECT_LT(below->p_GB[1], 0);
}

// A tendon through a ring beside it is pulled aside to the nearest point of the
// ring; on a cylinder it also rises.
TEST(TendonWrap, ThroughTheInsideItIsPulledToTheShape) {
  const Vector3<double> p(0.5, 0.8, 0);
  const Vector3<double> q(0.5, -0.8, 0);
  Obstacle ring{.radius = 0.3, .p_GS = Vector3<double>(0, 0, 0.1)};
  for (const bool is_cylinder : {false, true}) {
    ring.is_cylinder = is_cylinder;
    const auto wrap = Wrap(p, q, ring);
    ASSERT_TRUE(wrap.has_value());
    EXPECT_TRUE(Near(wrap->p_GA, Vector3<double>(0.3, 0, 0), 1e-14));
    EXPECT_EQ(wrap->p_GA, wrap->p_GB);
    EXPECT_EQ(wrap->arc, 0);
    EXPECT_FALSE(Wrap(p, {-0.5, -0.8, 0}, ring).has_value());
    EXPECT_FALSE(Wrap(p, {0.1, 0, 0}, ring).has_value());
  }
  const Vector3<double> high(0.5, -0.8, 0.7);
  EXPECT_NEAR(LengthOf(p, high, *Wrap(p, high, ring)),
              std::hypot(2 * std::hypot(0.2, 0.8), 0.7), 1e-14);
}

// The tendon takes the shortest way that touches the circle, so that both
// pieces meet the circle at one angle. The ends may be far, near, or at one
// angle.
TEST(TendonWrap, ThroughTheInsideItIsTheShortestWayByTheShape) {
  const double r = 0.4;
  const Obstacle ring{
      .radius = r, .is_cylinder = true, .p_GS = Vector3<double>(0.1, 0, 0)};
  int num_wraps = 0;
  for (const double d0 : {0.4001, 0.5, 3.0, 1e4}) {
    for (const double d1 : {0.41, 0.8, 7.0}) {
      for (const double turn : {0.0, 1e-9, 0.1, -0.6, 1.1, -2.0}) {
        const Vector3<double> p(d0, 0, 0);
        const Vector3<double> q(d1 * std::cos(turn), d1 * std::sin(turn), 0);
        const auto wrap = Wrap(p, q, ring);
        if (!wrap.has_value()) continue;
        ++num_wraps;
        const Vector3<double> n = wrap->p_GA / r;
        EXPECT_NEAR(n.norm(), 1, 1e-14);
        const Vector3<double> t(-n[1], n[0], 0);
        const double tangent = t.dot((p - wrap->p_GA).normalized() +
                                     (q - wrap->p_GA).normalized());
        EXPECT_NEAR(tangent, 0, 1e-9) << d0 << " " << d1 << " " << turn;
      }
    }
  }
  EXPECT_GE(num_wraps, 24);
}

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// A free body, and two links and a ball on it; a cart of its own. The tendon
// begins on the cart and bends around a sphere and a cylinder.
struct Puppet {
  explicit Puppet(double time_step, const TendonProperties& properties = {})
      : plant(time_step) {
    const auto& trunk = Add("trunk");
    const auto& arm = Add("arm");
    plant.AddJoint<RevoluteJoint>(
        "shoulder", trunk, RigidTransform<double>(Vector3<double>(0.3, 0, 0)),
        arm, {}, Vector3<double>(0, 1, 0.2));
    const auto& hand = Add("hand");
    plant.AddJoint<QuaternionBallJoint>(
        "wrist", arm, RigidTransform<double>(Vector3<double>(0.4, 0, 0)), hand,
        {});
    const auto& cart = Add("cart");
    plant.AddJoint<PrismaticJoint>("rail", plant.world_body(), {}, cart, {},
                                   Vector3<double>::UnitX());
    const Obstacle knob{
        .body = &trunk,
        .X_BG = RigidTransform<double>(Vector3<double>(0.05, 0.02, 0.04)),
        .radius = 0.15};
    const Obstacle roll{.body = &arm,
                        .X_BG = RigidTransform<double>(
                            math::RotationMatrix<double>::MakeXRotation(1.4),
                            Vector3<double>(0.1, 0, 0)),
                        .radius = 0.08,
                        .is_cylinder = true,
                        .p_GS = Vector3<double>(0, 1, 0)};
    const TendonPoint<double> c{&cart, {0, 0.2, 0.1}};
    const TendonPoint<double> t{&trunk, {0.1, 0.3, -0.2}};
    const TendonPoint<double> a{&arm, {0.3, 0.05, 0.1}};
    const TendonPoint<double> h{&hand, {0.2, -0.1, 0.05}};
    segments = {{c, t, knob, 1}, {t, a, roll, 1}, {a, h, {}, 2}};
    tendon =
        &plant.AddForceElement<SpatialTendon>("cord", segments, properties);
    actuator = plant.AddTendonActuator("pull", *tendon, 50).index();
  }
  const RigidBody<double>& Add(const char* name) {
    return plant.AddRigidBody(name, MakeInertia(2, {0.1, 0, 0.05}, 0.3));
  }
  void Finalize() {
    plant.SetUseSampledOutputPorts(false);
    plant.Finalize();
    context = plant.CreateDefaultContext();
  }
  // A random state; the puppet is 1 m beside the cart.
  void Draw(int seed) {
    std::srand(seed);
    VectorX<double> q = 0.5 * VectorX<double>::Random(plant.num_positions());
    q[plant.GetBodyByName("trunk").floating_positions_start() + 4] += 1;
    plant.SetPositions(context.get(), q);
    plant.SetVelocities(context.get(),
                        VectorX<double>::Random(plant.num_velocities()));
  }
  double LengthAt(const VectorX<double>& q) {
    plant.SetPositions(context.get(), q);
    return tendon->CalcLength(*context);
  }
  VectorX<double> arms() const {
    return plant.CalcActuationMatrix(*context).col(0);
  }
  void SetInputs(double force, double length, double rate) {
    plant.get_actuation_input_port().FixValue(context.get(),
                                              Vector1<double>(force));
    if (!plant.get_joint_actuator(actuator).has_controller()) return;
    plant.get_desired_state_input_port(tendon->model_instance())
        .FixValue(context.get(), Vector2<double>(length, rate));
  }
  double net_actuation() const {
    return plant.get_net_actuation_output_port().Eval(*context)[0];
  }
  VectorX<double> vdot() const {
    return plant.get_generalized_acceleration_output_port().Eval(*context);
  }
  // Returns the forces that the motion takes besides gravity.
  VectorX<double> CalcRest() const {
    const int n = plant.num_velocities();
    MatrixX<double> M(n, n);
    VectorX<double> Cv(n);
    plant.CalcMassMatrix(*context, &M);
    plant.CalcBiasTerm(*context, &Cv);
    return M * vdot() + Cv - plant.CalcGravityGeneralizedForces(*context);
  }

  MultibodyPlant<double> plant;
  std::vector<Segment> segments;
  const SpatialTendon<double>* tendon{};
  JointActuatorIndex actuator;
  std::unique_ptr<systems::Context<double>> context;
};

// By central differences of fourth order along q̇ = N(q) v.
TEST(SpatialTendon, MomentArmsAreTheDerivativesOfItsLength) {
  Puppet m(0);
  m.Finalize();
  for (int seed = 1; seed <= 20; ++seed) {
    m.Draw(seed);
    const VectorX<double> q = m.plant.GetPositions(*m.context);
    const VectorX<double> v = m.plant.GetVelocities(*m.context);
    VectorX<double> qdot(q.size());
    m.plant.MapVelocityToQDot(*m.context, v, &qdot);
    const double by_arms = m.arms().dot(v);
    EXPECT_NEAR(m.tendon->CalcRate(*m.context), by_arms, 1e-13);
    const double h = 1e-3;
    const double rate =
        (8 * (m.LengthAt(q + h * qdot) - m.LengthAt(q - h * qdot)) -
         (m.LengthAt(q + 2 * h * qdot) - m.LengthAt(q - 2 * h * qdot))) /
        (12 * h);
    EXPECT_NEAR(by_arms, rate, 1e-8) << seed;
  }
}

TEST(SpatialTendon, ActuatorExertsItsForceTimesTheMomentArms) {
  for (const double time_step : {0.0, 1e-3}) {
    Puppet m(time_step);
    m.Finalize();
    m.Draw(3);
    m.SetInputs(7, 0, 0);
    EXPECT_GT(m.arms().norm(), 0.1);
    EXPECT_TRUE(Near(m.CalcRest(), 7 * m.arms(), 1e-10)) << time_step;
    EXPECT_EQ(m.net_actuation(), 7);
  }
}

// The length at the end of a step is L + dt r·v.
TEST(SpatialTendon, ServoFollowsItsLengthNowOrByTheEndOfAStep) {
  for (const double step : {0.0, 0.01}) {
    Puppet m(step);
    m.plant.get_mutable_joint_actuator(m.actuator)
        .set_controller_gains({.p = 30, .d = 4});
    m.Finalize();
    m.Draw(3);
    m.SetInputs(1, 0.5, -0.2);
    const VectorX<double> v =
        m.plant.GetVelocities(*m.context) + step * m.vdot();
    const double rate = m.arms().dot(v);
    const double length = m.tendon->CalcLength(*m.context) + step * rate;
    const double force = 30 * (0.5 - length) + 4 * (-0.2 - rate) + 1;
    EXPECT_LT(std::abs(force), 50);
    EXPECT_NEAR(m.net_actuation(), force, 1e-6);
    EXPECT_TRUE(Near(m.CalcRest(), m.net_actuation() * m.arms(), 1e-6)) << step;
  }
}

// A pendulum of 2 kg on a cord from 1 m above its hinge.
struct Held {
  Held(double time_step, const TendonProperties& properties)
      : plant(time_step) {
    const auto& rod =
        plant.AddRigidBody("rod", MakeInertia(2, {0.5, 0, 0}, 0.3));
    plant.AddJoint<RevoluteJoint>("hinge", plant.world_body(), {}, rod, {},
                                  Vector3<double>::UnitY());
    tendon = &plant.AddForceElement<SpatialTendon>(
        "cord",
        std::vector<Segment>{
            {{&plant.world_body(), {0, 0, 1}}, {&rod, {1, 0, 0}}}},
        properties);
    plant.SetUseSampledOutputPorts(false);
    plant.Finalize();
    context = plant.CreateDefaultContext();
  }
  MultibodyPlant<double> plant;
  const SpatialTendon<double>* tendon{};
  std::unique_ptr<systems::Context<double>> context;
};

TEST(SpatialTendon, LimitHoldsItsLength) {
  for (const double time_step : {0.001, 0.01}) {
    Held m(time_step, {.upper_limit = 1.5});
    for (int i = 0; i < 3 / time_step; ++i) {
      m.plant.ExecuteForcedEvents(m.context.get());
    }
    EXPECT_NEAR(m.tendon->CalcLength(*m.context), 1.5, 1e-3);
    EXPECT_NEAR(m.plant.GetVelocities(*m.context)[0], 0, 1e-6);
  }
}

// In continuous time the limit is a spring of frequency 2 pi / 10 ms on the
// effective mass 1 / r² M of the length.
TEST(SpatialTendon, LimitIsASpringInContinuousTime) {
  Held m(0, {.upper_limit = 1.4});
  const double before =
      m.plant.get_generalized_acceleration_output_port().Eval(*m.context)[0];
  Held free(0, {});
  const double without =
      free.plant.get_generalized_acceleration_output_port().Eval(
          *free.context)[0];
  MatrixX<double> M(1, 1);
  m.plant.CalcMassMatrix(*m.context, &M);
  const double length = std::sqrt(2.0);
  // L² = 2 + 2 sin(q) grows as the rod turns downwards, about +y.
  const double r = 1 / length;
  const double k = M(0, 0) / (r * r) * std::pow(2 * kPi / 0.01, 2);
  EXPECT_NEAR(before - without, -k * (length - 1.4) * r / M(0, 0), 1e-6 * k);
}

// The rod hangs straight down: the tendon is as long as it can be, and its
// moment arm is a rounding error.
TEST(SpatialTendon, LimitExertsNothingAtADeadPoint) {
  double vdot[2];
  for (const bool is_limited : {false, true}) {
    Held m(0, is_limited ? TendonProperties{.upper_limit = 1.5}
                         : TendonProperties{});
    m.plant.SetPositions(m.context.get(), Vector1<double>(kPi / 2));
    EXPECT_NEAR(m.tendon->CalcLength(*m.context), 2, 1e-15);
    vdot[is_limited] =
        m.plant.get_generalized_acceleration_output_port().Eval(*m.context)[0];
  }
  EXPECT_NEAR(vdot[0], vdot[1], 1e-12);
}

TEST(SpatialTendon, AllocatesNothingInAStep) {
  for (const double time_step : {0.0, 0.01}) {
    Puppet m(time_step, {.stiffness = 10, .damping = 1, .upper_limit = 0.5});
    m.plant.get_mutable_joint_actuator(m.actuator).set_controller_gains({9, 2});
    m.Finalize();
    m.Draw(3);
    m.SetInputs(0, 0.5, 0);
    const int rail = m.plant.GetJointByName("rail").position_start();
    VectorX<double> q = m.plant.GetPositions(*m.context);
    const auto calc = [&](double position) {
      q[rail] = position;
      m.plant.SetPositions(m.context.get(), q);
      m.net_actuation();
    };
    calc(0.1);
    calc(0.2);
    wyvern::test::AllocationGuard guard;
    calc(0.3);
    EXPECT_EQ(guard.count(), 0) << time_step;
  }
}

TEST(SpatialTendon, ActuatorWorksAsThePowerLedgerSays) {
  constexpr double kStep = 1e-3;
  Puppet m(kStep);
  m.Finalize();
  m.Draw(5);
  m.SetInputs(7, 0, 0);
  const VectorX<double> v =
      m.plant.GetVelocities(*m.context) + kStep / 2 * m.vdot();
  EXPECT_NEAR(m.plant.CalcPowerLedger(*m.context).actuation,
              7 * m.arms().dot(v), 1e-10);
}

TEST(SpatialTendon, ActuatorKnowsTheJointsThatChangeTheLength) {
  Puppet m(0);
  EXPECT_EQ(m.plant.get_joint_actuator(m.actuator).num_inputs(), 1);
  m.Finalize();
  const auto& actuator = m.plant.get_joint_actuator(m.actuator);
  std::set<std::string> names;
  for (const Joint<double>* joint : actuator.FindJoints()) {
    names.insert(joint->name());
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"trunk", "shoulder", "wrist", "rail"}));
  EXPECT_EQ(m.plant.GetActuatedJointIndices(actuator.model_instance()).size(),
            4u);
  const JointIndex rail = m.plant.GetJointByName("rail").index();
  EXPECT_TRUE(
      Near(m.plant.MakeActuatorSelectorMatrix(std::vector<JointIndex>{rail}),
           MatrixX<double>::Identity(1, 1), 0));
  EXPECT_TRUE(actuator.terms().empty());
  EXPECT_THROWS_MESSAGE(actuator.joint(), std::logic_error,
                        "acts along a spatial tendon");
  EXPECT_THROWS_MESSAGE(m.plant.MakeActuationMatrix(), std::logic_error,
                        "CalcActuationMatrix()");
}

TEST(SpatialTendon, IsCopiedWithThePlant) {
  Puppet m(0, {.stiffness = 10, .upper_limit = 3});
  m.Finalize();
  m.Draw(3);
  const auto copy = m.plant.Clone();
  const auto& plant = dynamic_cast<const MultibodyPlant<double>&>(*copy);
  const auto& actuator = plant.GetJointActuatorByName("pull");
  EXPECT_TRUE(actuator.acts_on_spatial_tendon());
  EXPECT_EQ(actuator.effort_limit(), 50);
  const auto context = plant.CreateDefaultContext();
  plant.SetPositionsAndVelocities(
      context.get(), m.plant.GetPositionsAndVelocities(*m.context));
  // The axis of the shoulder is no unit vector where it is given.
  const VectorX<double> arms = plant.CalcActuationMatrix(*context).col(0);
  EXPECT_EQ(arms, m.arms());
  EXPECT_EQ(plant.CalcPotentialEnergy(*context),
            m.plant.CalcPotentialEnergy(*m.context));
}

TEST(SpatialTendon, RefusesBadArguments) {
  Puppet m(0);
  const auto expect =
      [&](const std::function<void(std::vector<Segment>*)>& spoil,
          const char* message) {
        std::vector<Segment> segments = m.segments;
        spoil(&segments);
        EXPECT_THROWS_MESSAGE(SpatialTendon<double>("cord", segments),
                              std::logic_error, message);
      };
  expect([](auto* s) { s->clear(); },
         "SpatialTendon 'cord': it has no segment");
  expect([](auto* s) { s->at(0).start.body = nullptr; }, "a body is null");
  expect([](auto* s) { s->at(1).end.p_BP[2] = std::nan(""); },
         "the end of a segment is at");
  expect([](auto* s) { s->at(1).start.p_BP[2] = 1e200; },
         "the start of a segment is at");
  expect([](auto* s) { s->at(2).divisor = 0; }, "a divisor is 0");
  expect([](auto* s) { s->at(0).obstacle->radius = -1; }, "a radius is -1");
  expect(
      [](auto* s) {
        s->at(1).obstacle->p_GS = Vector3<double>(0, kNoLimit, 0);
      },
      "side point");
  const RigidBody<double>* const world = &m.plant.world_body();
  EXPECT_THROWS_MESSAGE(
      SpatialTendon<double>("cord", {{{world, {}}, {world, {1, 0, 0}}}}),
      std::logic_error, "all its points are on the world");
  const auto expect_of = [&](const TendonProperties& properties,
                             const char* message) {
    EXPECT_THROWS_MESSAGE(SpatialTendon<double>("cord", m.segments, properties),
                          std::logic_error, message);
  };
  expect_of({.stiffness = -1}, "its stiffness is -1; it must not be negative");
  expect_of({.damping = std::nan("")}, "its damping is nan");
  expect_of({.shortest = 2, .longest = 1}, "resting lengths are 2 and 1");
  expect_of({.lower_limit = 2, .upper_limit = 1}, "limits are 2 and 1");
  EXPECT_THROWS_MESSAGE(SpatialTendon<double>("", m.segments), std::logic_error,
                        "tendon");
  const SpatialTendon<double> loose("loose", m.segments);
  EXPECT_THROWS_MESSAGE(m.plant.AddTendonActuator("x", loose), std::logic_error,
                        "add the tendon first");
  Puppet other(0);
  EXPECT_THROWS_MESSAGE(m.plant.AddTendonActuator("x", *other.tendon),
                        std::logic_error, "AddJointActuator");
  EXPECT_THROWS_MESSAGE(m.plant.AddTendonActuator("x", *m.tendon, 0),
                        std::logic_error, "effort limit");
}

// A rod on a ball joint falls to the largest angle from where it stands.
TEST(RotationLimit, HoldsABallJointAtItsLargestAngle) {
  for (const double time_step : {0.001, 0.01}) {
    MultibodyPlant<double> plant(time_step);
    const auto& rod =
        plant.AddRigidBody("rod", MakeInertia(2, {0, 0, 0.5}, 0.3));
    const auto& ball = plant.AddJoint<QuaternionBallJoint>(
        "ball", plant.world_body(), {}, rod, {}, 0.5);
    const auto& limit = plant.AddForceElement<RotationLimit>(ball, 0.6);
    plant.SetUseSampledOutputPorts(false);
    plant.Finalize();
    auto context = plant.CreateDefaultContext();
    ball.SetPositions(context.get(),
                      Vector4<double>(-std::cos(0.05), 0.6 * std::sin(-0.05),
                                      0.8 * std::sin(-0.05), 0));
    EXPECT_NEAR(limit.CalcLength(*context), 0.1, 1e-12);
    double most = 0;
    for (int i = 0; i < 4 / time_step; ++i) {
      plant.ExecuteForcedEvents(context.get());
      most = std::max(most, limit.CalcLength(*context));
    }
    EXPECT_LT(most, 0.6 + 10 * time_step);
    EXPECT_NEAR(limit.CalcLength(*context), 0.6, 1e-3);
  }
}

TEST(RotationLimit, RateIsThatOfTheAngle) {
  MultibodyPlant<double> plant(0.0);
  const auto& rod = plant.AddRigidBody("rod", MakeInertia(2, {0, 0, 0.5}, 0.3));
  const auto& ball = plant.AddJoint<QuaternionBallJoint>(
      "ball", plant.world_body(), {}, rod, {});
  const auto& limit = plant.AddForceElement<RotationLimit>(ball, 0.6);
  plant.Finalize();
  auto context = plant.CreateDefaultContext();
  for (const double sign : {1.0, -1.0}) {
    const Vector4<double> q =
        sign * Vector4<double>(0.7, 0.1, -0.5, 0.3).normalized();
    const Vector3<double> w(0.4, 0.9, -0.2);
    ball.SetPositions(context.get(), q);
    plant.SetVelocities(context.get(), w);
    VectorX<double> qdot(4);
    plant.MapVelocityToQDot(*context, w, &qdot);
    const double rate = limit.CalcRate(*context);
    const auto angle = [&](double h) {
      ball.SetPositions(context.get(), q + h * qdot);
      return limit.CalcLength(*context);
    };
    EXPECT_NEAR(rate, (angle(1e-5) - angle(-1e-5)) / 2e-5, 1e-9);
  }
  ball.SetPositions(context.get(), Vector4<double>(1, 0, 0, 0));
  EXPECT_EQ(limit.CalcLength(*context), 0);
  EXPECT_EQ(limit.CalcRate(*context), 0);
  EXPECT_THROWS_MESSAGE(RotationLimit<double>(ball, 0), std::logic_error,
                        "above 0 and at most pi");
  EXPECT_THROWS_MESSAGE(RotationLimit<double>(ball, 4), std::logic_error,
                        "above 0 and at most pi");
}

TEST(PolynomialCoupler, KeepsOneJointOnThePolynomialOfAnother) {
  MultibodyPlant<double> plant(0.001);
  std::vector<const RevoluteJoint<double>*> joints;
  for (const char* const name : {"a", "b"}) {
    const auto& rod =
        plant.AddRigidBody(name, MakeInertia(2, {0.5, 0, 0}, 0.3));
    joints.push_back(&plant.AddJoint<RevoluteJoint>(
        name, plant.world_body(), {}, rod, {}, Vector3<double>::UnitY()));
  }
  const CouplerPolynomial p{.c = {0.1, 0.5, -0.3, 0.2, 0.05}, .x0 = 0.2};
  plant.AddForceElement<PolynomialCoupler>(*joints[0], *joints[1], p);
  plant.SetUseSampledOutputPorts(false);
  plant.Finalize();
  auto context = plant.CreateDefaultContext();
  const auto value = [&p](double q) {
    double sum = 0;
    for (int k = 0; k < 5; ++k) sum += p.c[k] * std::pow(q - p.x0, k);
    return sum;
  };
  plant.SetPositions(context.get(), Vector2<double>(value(0), 0));
  double most = 0;
  for (int i = 0; i < 1000; ++i) {
    plant.ExecuteForcedEvents(context.get());
    const VectorX<double> q = plant.GetPositions(*context);
    EXPECT_NEAR(q[0], value(q[1]), 1e-3);
    most = std::max(most, std::abs(q[1]));
  }
  EXPECT_GT(most, 0.5);
  EXPECT_THROWS_MESSAGE(PolynomialCoupler<double>(*joints[0], *joints[0], p),
                        std::logic_error, "both joints are one");
  EXPECT_THROWS_MESSAGE(
      PolynomialCoupler<double>(*joints[0], *joints[1],
                                {.c = {0, 0, std::nan(""), 0, 0}}),
      std::logic_error, "a coefficient is nan");
}

}  // namespace spatial_tendon_test
}  // namespace wyvern::multibody
