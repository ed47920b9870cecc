#include <cmath>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/near.h"

namespace wyvern::multibody {
namespace {

using test::Pendulum;
using wyvern::test::Near;

// I v̇ = -m g l sin q - d v.
double ExactAcceleration(double q, double v, double damping) {
  return (-Pendulum::kMass * Pendulum::kGravity * Pendulum::kLength *
              std::sin(q) -
          damping * v) /
         Pendulum::kMoment;
}

TEST(PendulumPlant, MassMatrixIsTheMomentAboutTheHinge) {
  Pendulum p(0);
  p.plant.Finalize();
  const auto context = p.plant.CreateDefaultContext();
  MatrixX<double> M(1, 1);
  p.plant.CalcMassMatrix(*context, &M);
  EXPECT_NEAR(M(0, 0), Pendulum::kMoment, 1e-15);
}

TEST(PendulumPlant, ContinuousAccelerationFollowsTheClosedForm) {
  Pendulum p(0, 0.3);
  p.plant.Finalize();
  const auto context = p.plant.CreateDefaultContext();
  p.joint->set_angle(context.get(), 0.7);
  p.joint->set_angular_rate(context.get(), -1.1);
  const VectorX<double> xdot =
      p.plant.EvalTimeDerivatives(*context).CopyToVector();
  EXPECT_EQ(xdot[0], -1.1);
  EXPECT_NEAR(xdot[1], ExactAcceleration(0.7, -1.1, 0.3), 1e-14);
}

TEST(PendulumPlant, DiscreteStepIsImplicitInDamping) {
  const double dt = 0.01, damping = 4;
  Pendulum p(dt, damping);
  p.plant.Finalize();
  const auto context = p.plant.CreateDefaultContext();
  p.joint->set_angle(context.get(), 0.7);
  p.joint->set_angular_rate(context.get(), -1.1);
  p.plant.ExecuteForcedEvents(context.get());
  const double v = (Pendulum::kMoment * -1.1 +
                    dt * Pendulum::kMoment * ExactAcceleration(0.7, 0, 0)) /
                   (Pendulum::kMoment + dt * damping);
  EXPECT_NEAR(p.joint->get_angular_rate(*context), v, 1e-14);
  EXPECT_NEAR(p.joint->get_angle(*context), 0.7 + dt * v, 1e-15);
}

TEST(PendulumPlant, ReactionForceHoldsTheBobAtRest) {
  Pendulum p(0);
  p.plant.Finalize();
  const auto context = p.plant.CreateDefaultContext();
  const auto& forces = p.plant.get_reaction_forces_output_port()
                           .Eval<std::vector<SpatialForce<double>>>(*context);
  EXPECT_TRUE(Near(forces.at(0).translational(),
                   Vector3<double>(0, 0, Pendulum::kMass * Pendulum::kGravity),
                   1e-13));
}

TEST(PendulumPlant, EnergyIsThatOfAPendulum) {
  Pendulum p(0);
  p.plant.Finalize();
  const auto context = p.plant.CreateDefaultContext();
  p.joint->set_angle(context.get(), 0.7);
  p.joint->set_angular_rate(context.get(), 2);
  EXPECT_NEAR(p.plant.EvalKineticEnergy(*context), 2 * Pendulum::kMoment,
              1e-14);
  EXPECT_NEAR(
      p.plant.EvalPotentialEnergy(*context),
      -Pendulum::kMass * Pendulum::kGravity * Pendulum::kLength * std::cos(0.7),
      1e-13);
}

TEST(PendulumPlant, DerivativesOfTheAccelerationAreThoseOfTheClosedForm) {
  Pendulum p(0);
  p.plant.Finalize();
  const auto plant = systems::System<double>::ToAutoDiffXd(p.plant);
  const auto context = plant->CreateDefaultContext();
  const AutoDiffXd q(0.7, VectorX<double>::Ones(1));
  plant->SetPositions(context.get(), VectorX<AutoDiffXd>::Constant(1, q));
  const AutoDiffXd vdot =
      plant->get_generalized_acceleration_output_port().Eval(*context)[0];
  ASSERT_EQ(vdot.derivatives().size(), 1);
  EXPECT_NEAR(vdot.derivatives()[0],
              -Pendulum::kMass * Pendulum::kGravity * Pendulum::kLength *
                  std::cos(0.7) / Pendulum::kMoment,
              1e-13);
}

}  // namespace
}  // namespace wyvern::multibody
