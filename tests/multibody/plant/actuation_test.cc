#include <limits>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::multibody {
namespace actuation_test {

using test::CartPole;
using wyvern::test::Near;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(Actuation, PortsOfPlantAndInstanceAreSummed) {
  CartPole m(0);
  m.plant.Finalize();
  const auto context = m.plant.CreateDefaultContext();
  m.plant.get_actuation_input_port().FixValue(context.get(),
                                              Vector2<double>(1, 2));
  m.plant.get_actuation_input_port(m.instance)
      .FixValue(context.get(), Vector2<double>(10, 20));
  EXPECT_TRUE(Near(m.plant.get_net_actuation_output_port().Eval(*context),
                   Vector2<double>(11, 22)));
}

TEST(Actuation, EffortLimitsDoNotBindWithoutControllers) {
  CartPole m(0);
  m.plant.Finalize();
  const auto context = m.plant.CreateDefaultContext();
  m.plant.get_actuation_input_port().FixValue(context.get(),
                                              Vector2<double>(1000, 0));
  EXPECT_EQ(m.plant.get_net_actuation_output_port().Eval(*context)[0], 1000);
}

TEST(Actuation, ContinuousPdControlFollowsTheClampLaw) {
  CartPole m(0);
  for (JointActuatorIndex i : m.plant.GetJointActuatorIndices()) {
    m.plant.get_mutable_joint_actuator(i).set_controller_gains({100, 10});
  }
  m.plant.Finalize();
  const auto context = m.plant.CreateDefaultContext();
  m.plant.get_desired_state_input_port(m.instance)
      .FixValue(context.get(), Vector4<double>(0.1, 1, 0.2, 0));
  m.plant.get_actuation_input_port().FixValue(context.get(),
                                              Vector2<double>(3, 0));
  // 100 * 0.1 + 10 * 0.2 + 3 = 15 N; 100 Nm against a limit of 5 Nm.
  EXPECT_TRUE(Near(m.plant.get_net_actuation_output_port().Eval(*context),
                   Vector2<double>(15, 5), 1e-14));
}

TEST(Actuation, PartlyControlledModelInstanceThrows) {
  CartPole m(0.01);
  m.plant.get_mutable_joint_actuator(JointActuatorIndex(0))
      .set_controller_gains({100, 10});
  m.plant.Finalize();
  const auto context = m.plant.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(m.plant.ExecuteForcedEvents(context.get()),
                        std::logic_error, "actuator 'twist' has not");
}

TEST(Actuation, UnconnectedDesiredStateThrows) {
  CartPole m(0.01);
  for (JointActuatorIndex i : m.plant.GetJointActuatorIndices()) {
    m.plant.get_mutable_joint_actuator(i).set_controller_gains({100, 10});
  }
  m.plant.Finalize();
  const auto context = m.plant.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(m.plant.ExecuteForcedEvents(context.get()),
                        std::logic_error,
                        "'cart_pole_desired_state' is not connected");
}

TEST(Actuation, NonFiniteInputsAreRefusedWithPortAndIndex) {
  CartPole m(0);
  m.plant.Finalize();
  const auto context = m.plant.CreateDefaultContext();
  EXPECT_ANY_THROW({
    m.plant.get_actuation_input_port().FixValue(context.get(),
                                                Vector2<double>(0, kNaN));
    m.plant.EvalTimeDerivatives(*context);
  });
}

TEST(Actuation, GainsAndLimitsMustMakeSense) {
  CartPole m(0);
  auto& motor = m.plant.get_mutable_joint_actuator(JointActuatorIndex(0));
  EXPECT_THROWS_MESSAGE(motor.set_controller_gains({kNaN, 0}), std::logic_error,
                        "'push'");
  EXPECT_THROWS_MESSAGE(motor.set_controller_gains({1, -1}), std::logic_error,
                        "derivative gain is -1");
  EXPECT_THROWS_MESSAGE(motor.get_controller_gains(), std::logic_error,
                        "no PD controller");
  EXPECT_THROWS_MESSAGE(m.plant.AddJointActuator("again", *m.slider),
                        std::logic_error, "already has actuator 'push'");
  EXPECT_THROWS_MESSAGE(m.plant.AddJointActuator("weak", *m.slider, 0),
                        std::logic_error, "effort limit");
  m.plant.Finalize();
  EXPECT_THROWS_MESSAGE(motor.set_controller_gains({1, 1}), std::logic_error,
                        "already finalized");
}

// The controller is of the model, its gains are numbers in it.
TEST(Actuation, GainsSetBeforeFinalizeCanBeChangedAfterwards) {
  CartPole m(0);
  const auto set_gains = [&m](double p, double d) {
    for (const JointActuatorIndex i : m.plant.GetJointActuatorIndices()) {
      m.plant.get_mutable_joint_actuator(i).set_controller_gains({p, d});
    }
  };
  set_gains(1, 1);
  m.plant.Finalize();
  set_gains(100, 10);
  const auto context = m.plant.CreateDefaultContext();
  m.plant.get_desired_state_input_port(m.instance)
      .FixValue(context.get(), Vector4<double>(0.1, 1, 0.2, 0));
  EXPECT_TRUE(Near(m.plant.get_net_actuation_output_port().Eval(*context),
                   Vector2<double>(12, 5), 1e-14));
  EXPECT_THROWS_MESSAGE(set_gains(kNaN, 0), std::logic_error, "'push'");
}

TEST(Actuation, MatricesMapInputsToVelocities) {
  CartPole m(0);
  m.plant.Finalize();
  const MatrixX<double> B = m.plant.MakeActuationMatrix();
  EXPECT_EQ(B.rows(), 8);
  EXPECT_EQ(B(m.hinge->velocity_start(), 1), 1);
  const MatrixX<double> identity =
      m.plant.MakeActuationMatrixPseudoinverse() * B;
  EXPECT_TRUE(Near(identity, MatrixX<double>::Identity(2, 2)));
  EXPECT_TRUE(Near(m.plant.GetEffortUpperLimits(), Vector2<double>(20, 5)));
}

TEST(Actuation, ReflectedInertiaAddsToTheMassMatrix) {
  CartPole m(0);
  auto& motor = m.plant.get_mutable_joint_actuator(JointActuatorIndex(0));
  motor.set_default_rotor_inertia(0.01);
  motor.set_default_gear_ratio(10);
  m.plant.Finalize();
  const auto context = m.plant.CreateDefaultContext();
  MatrixX<double> M(8, 8);
  m.plant.CalcMassMatrix(*context, &M);
  const int i = m.slider->velocity_start();
  EXPECT_NEAR(M(i, i), 1.5 + 1.0, 1e-14);
  motor.SetGearRatio(context.get(), 20);
  m.plant.CalcMassMatrix(*context, &M);
  EXPECT_NEAR(M(i, i), 1.5 + 4.0, 1e-14);
}

TEST(AppliedForces, SpatialForceActsAtItsPoint) {
  CartPole m(0);
  m.plant.Finalize();
  const auto context = m.plant.CreateDefaultContext();
  ExternallyAppliedSpatialForce<double> force;
  force.body_index = m.pole->index();
  force.p_BoBq_B = Vector3<double>(0, 0, 0.6);
  force.F_Bq_W =
      SpatialForce<double>(Vector3<double>::Zero(), Vector3<double>(2, 0, 0));
  const VectorX<double> before =
      m.plant.get_generalized_acceleration_output_port().Eval(*context);
  m.plant.get_applied_spatial_force_input_port().FixValue(
      context.get(), std::vector<ExternallyAppliedSpatialForce<double>>{force});
  const VectorX<double> after =
      m.plant.get_generalized_acceleration_output_port().Eval(*context);
  MatrixX<double> M(8, 8);
  m.plant.CalcMassMatrix(*context, &M);
  VectorX<double> tau = VectorX<double>::Zero(8);
  tau[m.slider->velocity_start()] = 2;
  tau[m.hinge->velocity_start()] = 1.2;
  EXPECT_TRUE(Near(M * (after - before), tau, 1e-12));
}

TEST(AppliedForces, GeneralizedForceIsAddedToTau) {
  CartPole m(0);
  m.plant.Finalize();
  const auto context = m.plant.CreateDefaultContext();
  VectorX<double> tau = VectorX<double>::LinSpaced(8, 1, 8);
  const VectorX<double> before =
      m.plant.get_generalized_acceleration_output_port().Eval(*context);
  m.plant.get_applied_generalized_force_input_port().FixValue(context.get(),
                                                              tau);
  const VectorX<double> after =
      m.plant.get_generalized_acceleration_output_port().Eval(*context);
  MatrixX<double> M(8, 8);
  m.plant.CalcMassMatrix(*context, &M);
  EXPECT_TRUE(Near(M * (after - before), tau, 1e-12));
}

}  // namespace actuation_test
}  // namespace wyvern::multibody
