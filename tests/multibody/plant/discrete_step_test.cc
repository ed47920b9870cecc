#include <cmath>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::multibody {
namespace {

using test::CartPole;
using test::MakeInertia;
using test::Pendulum;
using wyvern::test::AllocationGuard;
using wyvern::test::Near;

// A pendulum with a PD-controlled motor, q = 0, v = 0, desired state (qd, 0).
struct DrivenPendulum : Pendulum {
  DrivenPendulum(double time_step, PdControllerGains gains, double effort,
                 double qd)
      : Pendulum(time_step) {
    const auto& motor = plant.AddJointActuator("motor", *joint, effort);
    plant.get_mutable_joint_actuator(motor.index()).set_controller_gains(gains);
    plant.Finalize();
    context = plant.CreateDefaultContext();
    plant.get_desired_state_input_port(default_model_instance())
        .FixValue(context.get(), Vector2<double>(qd, 0));
  }
  double v_after_step() {
    plant.ExecuteForcedEvents(context.get());
    return joint->get_angular_rate(*context);
  }
  double net_actuation() {
    return plant.get_net_actuation_output_port().Eval(*context)[0];
  }
  std::unique_ptr<systems::Context<double>> context;
};

TEST(DiscreteStep, PdControlIsImplicit) {
  const double dt = 0.01, p = 50, d = 3, qd = 0.2;
  DrivenPendulum plant(dt, {p, d}, 1e3, qd);
  // (I + dt d + dt² p) v = dt p qd.
  const double v = dt * p * qd / (Pendulum::kMoment + dt * d + dt * dt * p);
  EXPECT_NEAR(plant.v_after_step(), v, 1e-14);
  EXPECT_NEAR(plant.net_actuation(), p * (qd - dt * v) - d * v, 1e-12);
}

TEST(DiscreteStep, EffortLimitHolds) {
  const double dt = 0.01, effort = 2;
  DrivenPendulum plant(dt, {1e5, 10}, effort, 1.0);
  EXPECT_NEAR(plant.v_after_step(), dt * effort / Pendulum::kMoment, 1e-13);
  EXPECT_EQ(plant.net_actuation(), effort);
}

TEST(DiscreteStep, NearRigidGainsReachTheTargetInOneStep) {
  const double dt = 0.01;
  DrivenPendulum plant(dt, {1e12, 0}, 1e12, 1e-3);
  plant.v_after_step();
  EXPECT_NEAR(plant.joint->get_angle(*plant.context), 1e-3, 1e-9);
  for (int i = 0; i < 100; ++i) plant.v_after_step();
  EXPECT_NEAR(plant.joint->get_angle(*plant.context), 1e-3, 1e-9);
}

TEST(DiscreteStep, ManySaturatedControllersSatisfyTheirClampLaw) {
  CartPole m(0.01);
  for (JointActuatorIndex i : m.plant.GetJointActuatorIndices()) {
    m.plant.get_mutable_joint_actuator(i).set_controller_gains({5e3, 50});
  }
  m.plant.Finalize();
  const auto context = m.plant.CreateDefaultContext();
  const Vector4<double> xd(0.003, -0.5, 0.1, 0);
  m.plant.get_desired_state_input_port(m.instance).FixValue(context.get(), xd);
  for (int i = 0; i < 50; ++i) {
    const Vector2<double> q0 = m.plant.GetPositions(*context, m.instance);
    m.plant.ExecuteForcedEvents(context.get());
    const Vector2<double> v1 = m.plant.GetVelocities(*context, m.instance);
    const VectorX<double> u =
        m.plant.get_net_actuation_output_port(m.instance).Eval(*context);
    const double limits[] = {20, 5};
    for (int k = 0; k < 2; ++k) {
      const double wanted =
          5e3 * (xd[k] - q0[k] - 0.01 * v1[k]) + 50 * (xd[2 + k] - v1[k]);
      EXPECT_NEAR(u[k], std::clamp(wanted, -limits[k], limits[k]), 1e-8);
    }
  }
}

TEST(DiscreteStep, ReactionsAlongAnAxisAreItsMotorsAndDampers) {
  CartPole m(0.01);
  for (JointActuatorIndex i : m.plant.GetJointActuatorIndices()) {
    m.plant.get_mutable_joint_actuator(i).set_controller_gains({300, 30});
  }
  m.plant.Finalize();
  const auto context = m.plant.CreateDefaultContext();
  m.plant.get_desired_state_input_port(m.instance)
      .FixValue(context.get(), Vector4<double>(0.03, 0.4, 0, 0));
  m.plant.ExecuteForcedEvents(context.get());
  const VectorX<double> u =
      m.plant.get_net_actuation_output_port().Eval(*context);
  const auto& F = m.plant.get_reaction_forces_output_port()
                      .Eval<std::vector<SpatialForce<double>>>(*context);
  EXPECT_NEAR(F[m.slider->ordinal()].translational()[0], u[0], 1e-12);
  EXPECT_NEAR(F[m.hinge->ordinal()].rotational()[1], u[1], 1e-12);
}

TEST(DiscreteStep, LockedJointStaysAndItsControllerIsSilent) {
  DrivenPendulum plant(0.01, {50, 3}, 100, 0.2);
  plant.joint->set_angle(plant.context.get(), 0.4);
  plant.joint->set_angular_rate(plant.context.get(), 1);
  plant.joint->Lock(plant.context.get());
  EXPECT_TRUE(plant.joint->is_locked(*plant.context));
  EXPECT_EQ(plant.v_after_step(), 0);
  EXPECT_EQ(plant.joint->get_angle(*plant.context), 0.4);
  EXPECT_EQ(plant.net_actuation(), 0);
  plant.joint->Unlock(plant.context.get());
  EXPECT_NE(plant.v_after_step(), 0);
}

// Falls onto its limit and comes to rest there.
double RestAtLimit(double time_step) {
  Pendulum p(time_step, 0.5);
  p.plant.get_mutable_joint(p.joint->index())
      .set_position_limits(VectorX<double>::Constant(1, 0.3),
                           VectorX<double>::Constant(1, 2.0));
  p.plant.Finalize();
  const auto context = p.plant.CreateDefaultContext();
  p.joint->set_angle(context.get(), 1.0);
  for (int i = 0; i < 5 / time_step; ++i) {
    p.plant.ExecuteForcedEvents(context.get());
  }
  EXPECT_NEAR(p.joint->get_angular_rate(*context), 0, 1e-6);
  return p.joint->get_angle(*context);
}

TEST(DiscreteStep, JointRestsAtItsLimitWhateverTheStep) {
  // The limit bends by gravity's torque over its stiffness: 5e-5 rad here.
  EXPECT_NEAR(RestAtLimit(0.001), 0.3, 1e-4);
  EXPECT_NEAR(RestAtLimit(0.05), 0.3, 1e-4);
}

TEST(DiscreteStep, ContinuousModelHasTheSameLimitForce) {
  Pendulum p(0);
  p.plant.get_mutable_joint(p.joint->index())
      .set_position_limits(VectorX<double>::Constant(1, -1),
                           VectorX<double>::Constant(1, 0.5));
  p.plant.Finalize();
  const auto context = p.plant.CreateDefaultContext();
  p.joint->set_angle(context.get(), 0.501);
  const double stiffness =
      Pendulum::kMoment * std::pow(2 * M_PI / 0.01, 2);  // [N·m/rad]
  const double gravity = -Pendulum::kMass * Pendulum::kGravity *
                         Pendulum::kLength * std::sin(0.501);
  EXPECT_NEAR(p.plant.EvalTimeDerivatives(*context).CopyToVector()[1],
              (gravity - stiffness * 0.001) / Pendulum::kMoment, 1e-9);
}

TEST(DiscreteStep, FreeBodyFallsAndItsQuaternionStaysUnit) {
  CartPole m(0.01);
  m.plant.Finalize();
  const auto context = m.plant.CreateDefaultContext();
  m.plant.SetFreeBodySpatialVelocity(
      context.get(), *m.stone,
      SpatialVelocity<double>(Vector3<double>(3, -2, 1),
                              Vector3<double>::Zero()));
  for (int i = 0; i < 100; ++i) m.plant.ExecuteForcedEvents(context.get());
  const VectorX<double> q = m.plant.GetPositions(*context, m.loose);
  EXPECT_NEAR(q.head<4>().norm(), 1, 1e-15);
  const Vector3<double> v_cm =
      m.stone->CalcCenterOfMassTranslationalVelocityInWorld(*context);
  // 0.8 m/s upwards at first; the free fall is exact, the turning off the
  // centre of mass first order in the step.
  EXPECT_NEAR(v_cm[2], 0.8 - 9.81, 0.06);
}

// Forces at the joints are round-off, and the hinge starts on its limit.
TEST(DiscreteStep, FreeFallOnALimitIsNoForceAtAll) {
  MultibodyPlant<double> plant(1e-3);
  const auto& a = plant.AddRigidBody("a", MakeInertia(1, {0.1, 0.2, 0.3}, 1));
  const auto& b = plant.AddRigidBody("b", MakeInertia(2, {0, 0.1, 0.7}, 1));
  const auto& hinge = plant.AddJoint<RevoluteJoint>(
      "hinge", a, {}, b, {}, Vector3<double>(1, 2, 3), 0, 2, 0.1);
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  for (int i = 0; i < 100; ++i) plant.ExecuteForcedEvents(context.get());
  EXPECT_NEAR(a.EvalSpatialVelocityInWorld(*context).translational()[2], -0.981,
              1e-12);
  EXPECT_NEAR(hinge.get_angle(*context), 0, 1e-12);
}

TEST(DiscreteStep, AllocatesNothingAfterTheFirst) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  DrivenPendulum plant(0.01, {1e5, 10}, 2, 1.0);
  const auto events = plant.plant.AllocateCompositeEventCollection();
  plant.plant.GetPeriodicEvents(*plant.context, events.get());
  const auto state = plant.context->CloneState();
  const auto step = [&] {
    plant.plant.CalcUnrestrictedUpdate(
        *plant.context, events->get_unrestricted_update_events(), state.get());
    plant.plant.ApplyUnrestrictedUpdate(
        events->get_unrestricted_update_events(), state.get(),
        plant.context.get());
  };
  step();
  AllocationGuard guard;
  for (int i = 0; i < 10; ++i) step();
  EXPECT_EQ(guard.count(), 0);
}

TEST(ContinuousDynamics, AllocatesNothingAfterTheFirst) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  CartPole m(0);
  m.plant.Finalize();
  const auto context = m.plant.CreateDefaultContext();
  const auto derivatives = m.plant.AllocateTimeDerivatives();
  const auto evaluate = [&] {
    context->NoteContinuousStateChange();
    m.plant.CalcTimeDerivatives(*context, derivatives.get());
  };
  evaluate();
  AllocationGuard guard;
  for (int i = 0; i < 10; ++i) evaluate();
  EXPECT_EQ(guard.count(), 0);
}

TEST(DiscreteStep, NamesTheJointWhoseAccelerationIsNotFinite) {
  for (const bool is_constrained : {false, true}) {
    CartPole p(1e-3);
    if (is_constrained) {
      p.plant.AddBallConstraint(p.plant.world_body(), Eigen::Vector3d::Zero(),
                                *p.cart, Eigen::Vector3d::Zero());
    }
    p.plant.SetUseSampledOutputPorts(false);
    p.plant.Finalize();
    const auto context = p.plant.CreateDefaultContext();
    p.plant.SetFreeBodySpatialVelocity(
        context.get(), *p.stone,
        SpatialVelocity<double>(Vector3<double>(1e200, 1e200, 0),
                                Vector3<double>::Zero()));
    EXPECT_THROWS_MESSAGE(
        p.plant.get_generalized_acceleration_output_port().Eval(*context),
        std::runtime_error, "of joint 'stone'");
  }
}

}  // namespace
}  // namespace wyvern::multibody
