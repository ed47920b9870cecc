// A body that turns freely in discrete steps keeps its energy at any speed.
#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "tests/multibody/plant/newton_euler.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/autodiff.h"
#include "wyvern/geometry/math/autodiff_gradient.h"
#include "wyvern/geometry/shapes/shape_specification.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::multibody {
namespace free_rotation_test {

using systems::Context;
using wyvern::test::Near;

// A box of 2 kg.
SpatialInertia<double> BoxInertia(const Vector3<double>& sides,
                                  const Vector3<double>& p_BoBcm) {
  const Vector3<double> moments =
      (2.0 / 12) * Vector3<double>(sides[1] * sides[1] + sides[2] * sides[2],
                                   sides[0] * sides[0] + sides[2] * sides[2],
                                   sides[0] * sides[0] + sides[1] * sides[1]);
  return SpatialInertia<double>::MakeFromCentralInertia(
      2, p_BoBcm,
      RotationalInertia<double>(moments[0], moments[1], moments[2]));
}

const Vector3<double> kSides(0.1, 0.2, 0.3);
// Nearly about the middle axis, where it tumbles; of unit length.
const Vector3<double> kTumbling = Vector3<double>(0.3, 1, 0.2).normalized();

// A free body without gravity; its origin may be off its centre of mass. With
// geometry, it takes the steps that contacts take.
struct Spinner {
  Spinner(double time_step, const SpatialInertia<double>& M, double speed,
          bool has_geometry = false) {
    systems::DiagramBuilder<double> builder;
    plant = &AddMultibodyPlantSceneGraph(&builder, time_step).plant;
    body = &plant->AddRigidBody("box", M);
    if (has_geometry) {
      plant->RegisterCollisionGeometry(*body, {}, geometry::Sphere(0.1), "ball",
                                       CoulombFriction<double>(0.5, 0.5));
    }
    plant->mutable_gravity_field().set_gravity_vector(Vector3<double>::Zero());
    plant->Finalize();
    diagram = builder.Build();
    root = diagram->CreateDefaultContext();
    context = &plant->GetMyMutableContextFromRoot(root.get());
    plant->SetFreeBodySpatialVelocity(
        context, *body,
        SpatialVelocity<double>(speed * kTumbling, Vector3<double>(1, 2, 3)));
  }
  void Step() { plant->ExecuteForcedEvents(context, false); }
  void Advance(double duration) {
    const double dt = plant->time_step();
    for (int i = 0; i < std::lround(duration / dt); ++i) Step();
  }
  double energy() const { return plant->CalcKineticEnergy(*context); }
  // About the centre of mass.
  SpatialMomentum<double> momentum() const {
    return plant->CalcSpatialMomentumInWorldAboutPoint(
        *context, plant->CalcCenterOfMassPositionInWorld(*context));
  }

  MultibodyPlant<double>* plant{};
  const RigidBody<double>* body{};
  std::unique_ptr<systems::Diagram<double>> diagram;
  std::unique_ptr<Context<double>> root;
  Context<double>* context{};
};

const Vector3<double> kBoxes[] = {
    {0.1, 0.2, 0.3}, {0.1, 0.1, 0.3}, {0.001, 0.2, 0.3}, {0.01, 0.012, 0.3}};

// The midpoint rule keeps energies but for round-off: over 1e4 steps some 1e-16
// each, times the ratio of moments of inertia, of up to 1e3.
constexpr double kEnergyTolerance = 1e-10;

class FreeRotation
    : public testing::TestWithParam<std::tuple<double, Vector3<double>, bool>> {
};

TEST_P(FreeRotation, KeepsEnergyAndMomentumForTenSeconds) {
  const auto& [speed, sides, has_geometry] = GetParam();
  Spinner s(1e-3, BoxInertia(sides, Vector3<double>::Zero()), speed,
            has_geometry);
  const double energy = s.energy();
  const SpatialMomentum<double> momentum = s.momentum();
  const Vector3<double> L = momentum.rotational();
  double worst_energy = 0, worst_norm = 0, worst_direction = 0;
  double fastest = speed;
  for (int i = 0; i < 10000; ++i) {
    s.Step();
    const Vector3<double> L_now = s.momentum().rotational();
    fastest = std::max(
        fastest,
        s.body->EvalSpatialVelocityInWorld(*s.context).rotational().norm());
    worst_energy = std::max(worst_energy, std::abs(s.energy() - energy));
    worst_norm = std::max(worst_norm, std::abs(L_now.norm() - L.norm()));
    worst_direction = std::max(worst_direction, (L_now - L).norm());
  }
  EXPECT_LE(worst_energy, kEnergyTolerance * energy);
  EXPECT_LE(worst_norm, kEnergyTolerance * L.norm());
  // Half a step's turn at the beginning, and half a step's at the end.
  EXPECT_LE(worst_direction, 1e-3 * fastest * L.norm());
  EXPECT_TRUE(Near(s.momentum().translational(), momentum.translational(),
                   1e-12 * momentum.translational().norm()));
}

INSTANTIATE_TEST_SUITE_P(All, FreeRotation,
                         testing::Combine(testing::Values(100, 300, 1000),
                                          testing::ValuesIn(kBoxes),
                                          testing::Bool()));

TEST(FreeRotationOfOffsetBody, KeepsEnergyAndMomentum) {
  for (const double speed : {100, 300, 1000}) {
    SCOPED_TRACE(speed);
    Spinner s(1e-3, BoxInertia(kSides, {0.1, -0.05, 0.2}), speed);
    const double energy = s.energy();
    const SpatialMomentum<double> momentum = s.momentum();
    s.Advance(10);
    EXPECT_NEAR(s.energy(), energy, kEnergyTolerance * energy);
    EXPECT_TRUE(Near(s.momentum().translational(), momentum.translational(),
                     1e-9 * momentum.translational().norm()));
  }
}

// Beyond some 30 rad a step nothing can be right but what does not change.
TEST(FreeRotation, StaysFiniteAtAnySpeed) {
  for (const double speed : {1e4, 1e5, 1e8, 1e20}) {
    SCOPED_TRACE(speed);
    Spinner s(1e-3, BoxInertia(kSides, Vector3<double>::Zero()), speed);
    const double energy = s.energy();
    s.Advance(0.1);
    EXPECT_LE(s.energy(), 1.0001 * energy);
  }
}

TEST(FreeRotation, ConvergesToTheContinuousMotionAtFirstOrder) {
  Spinner exact(0, BoxInertia(kSides, {0.1, 0, 0}), 20);
  systems::Simulator<double> simulator(*exact.diagram, std::move(exact.root));
  simulator.get_mutable_integrator().set_target_accuracy(1e-10);
  simulator.AdvanceTo(1);
  const Context<double>& end =
      exact.plant->GetMyContextFromRoot(simulator.get_context());
  const auto X = exact.plant->EvalBodyPoseInWorld(end, *exact.body);
  const VectorX<double> v = exact.plant->GetVelocities(end);
  double last = 0;
  for (const double dt : {1e-3, 5e-4, 2.5e-4, 1.25e-4}) {
    Spinner s(dt, BoxInertia(kSides, {0.1, 0, 0}), 20);
    s.Advance(1);
    const double error =
        (s.plant->GetVelocities(*s.context) - v).norm() / v.norm() +
        (s.plant->EvalBodyPoseInWorld(*s.context, *s.body).GetAsMatrix4() -
         X.GetAsMatrix4())
            .norm();
    if (last > 0) {
      EXPECT_LT(error, 0.55 * last) << dt;
    }
    last = error;
  }
  EXPECT_LT(last, 0.02);
}

// Nothing is added where there is no gyroscopic moment.
TEST(FreeRotation, OfABallIsTheAccelerationAlone) {
  for (const bool has_geometry : {false, true}) {
    Spinner s(1e-3, SpatialInertia<double>::SolidSphereWithMass(2, 0.1), 300,
              has_geometry);
    for (int i = 0; i < 100; ++i) {
      const VectorX<double> v = s.plant->GetVelocities(*s.context);
      s.Step();
      const VectorX<double> vdot =
          s.plant->get_generalized_acceleration_output_port().Eval(*s.context);
      EXPECT_TRUE(Near(s.plant->GetVelocities(*s.context), v + 1e-3 * vdot,
                       1e-13 * v.norm()));
      EXPECT_LT(vdot.norm(), 1e-6);
    }
  }
}

TEST(FreeRotation, LeavesAccelerationsThatForcesExplain) {
  for (const bool has_geometry : {false, true}) {
    Spinner s(1e-3, BoxInertia(kSides, {0.1, -0.05, 0.2}), 300, has_geometry);
    const auto at = s.root->Clone();
    s.Step();
    test::ExpectNewtonEuler(*s.plant, s.plant->GetMyContextFromRoot(*at),
                            *s.context);
  }
}

TEST(FreeRotation, IsInTheBalanceOfEnergy) {
  Spinner s(1e-3, BoxInertia(kSides, {0.1, -0.05, 0.2}), 300);
  for (int i = 0; i < 10; ++i) {
    const double power = s.plant->CalcPowerLedger(*s.context).Sum();
    const double before = s.energy();
    s.Step();
    EXPECT_NEAR(power, (s.energy() - before) / 1e-3, 1e-9 * before / 1e-3);
  }
}

TEST(FreeRotation, HasDerivatives) {
  MultibodyPlant<double> plant(1e-3);
  plant.AddRigidBody("box", BoxInertia(kSides, {0.1, -0.05, 0.2}));
  plant.SetUseSampledOutputPorts(false);
  plant.Finalize();
  const auto next = [](const auto& any_plant, auto* context, const auto& v) {
    any_plant.SetVelocities(context, v);
    const auto result = any_plant.AllocateDiscreteVariables();
    any_plant.CalcForcedDiscreteVariableUpdate(*context, result.get());
    return result->get_vector(0).value().tail(6).eval();
  };
  VectorX<double> v(6);
  v << 60, 200, -90, 1, 2, 3;
  const auto context = plant.CreateDefaultContext();
  const auto autodiff = systems::System<double>::ToAutoDiffXd(plant);
  const auto autodiff_context = autodiff->CreateDefaultContext();
  const MatrixX<double> J = math::ExtractGradient(
      next(dynamic_cast<const MultibodyPlant<AutoDiffXd>&>(*autodiff),
           autodiff_context.get(), math::InitializeAutoDiff(v)));
  for (int i = 0; i < 6; ++i) {
    const VectorX<double> dv = 1e-4 * VectorX<double>::Unit(6, i);
    const VectorX<double> difference =
        (next(plant, context.get(), VectorX<double>(v + dv)) -
         next(plant, context.get(), VectorX<double>(v - dv))) /
        2e-4;
    EXPECT_TRUE(Near(J.col(i), difference, 1e-7));
  }
}

}  // namespace free_rotation_test
}  // namespace wyvern::multibody
