// Actuators of tendons: the force on each joint, PD control in both modes, and
// errors.
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/fixed_tendon.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/quaternion_ball_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"

namespace wyvern::multibody {
namespace {

using test::MakeInertia;
using wyvern::test::Near;

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

SpatialInertia<double> LinkInertia(double mass) {
  return MakeInertia(mass, {0.2, 0, 0.1}, 0.3);
}

// A chain of three links that turn about y, and a cart of its own. A tendon
// winds over the second and the third joint and over the cart.
struct WoundChain {
  explicit WoundChain(double time_step, double effort = kNoLimit)
      : plant(time_step) {
    const RigidBody<double>* parent = &plant.world_body();
    for (const char* const name : {"a", "b", "c"}) {
      const auto& body = plant.AddRigidBody(name, LinkInertia(2));
      joints.push_back(&plant.AddJoint<RevoluteJoint>(
          name, *parent,
          math::RigidTransform<double>(Vector3<double>(0.4, 0, 0)), body,
          math::RigidTransform<double>(), Vector3<double>::UnitY()));
      parent = &body;
    }
    const auto& cart = plant.AddRigidBody("cart", LinkInertia(3));
    joints.push_back(&plant.AddJoint<PrismaticJoint>(
        "cart", plant.world_body(), {}, cart, {}, Vector3<double>::UnitX()));
    terms = {{joints[1], 2.0}, {joints[2], -0.5}, {joints[3], 1.5}};
    actuator = plant.AddTendonActuator("pull", terms, effort).index();
  }

  void Finalize() {
    plant.SetUseSampledOutputPorts(false);
    plant.Finalize();
    context = plant.CreateDefaultContext();
    plant.SetPositions(context.get(), Vector4<double>(0.3, -0.4, 0.7, 0.2));
    plant.SetVelocities(context.get(), Vector4<double>(0.5, 0.9, -0.6, 0.4));
  }
  void SetGains(double p, double d) {
    plant.get_mutable_joint_actuator(actuator).set_controller_gains(
        {.p = p, .d = d});
  }
  void SetInputs(double force, double length, double rate) {
    const ModelInstanceIndex model = default_model_instance();
    plant.get_actuation_input_port().FixValue(context.get(),
                                              Vector1<double>(force));
    if (!plant.get_joint_actuator(actuator).has_controller()) return;
    plant.get_desired_state_input_port(model).FixValue(
        context.get(), Vector2<double>(length, rate));
  }
  double net_actuation() const {
    return plant.get_net_actuation_output_port().Eval(*context)[0];
  }
  VectorX<double> vdot() const {
    return plant.get_generalized_acceleration_output_port().Eval(*context);
  }
  // Returns M vdot + Cv - tau_g, which the actuator alone must make up for.
  VectorX<double> CalcRest() const {
    MatrixX<double> M(4, 4);
    VectorX<double> Cv(4);
    plant.CalcMassMatrix(*context, &M);
    plant.CalcBiasTerm(*context, &Cv);
    return M * vdot() + Cv - plant.CalcGravityGeneralizedForces(*context);
  }

  const Vector4<double> c{0, 2, -0.5, 1.5};
  MultibodyPlant<double> plant;
  std::vector<const Joint<double>*> joints;
  std::vector<TendonTerm<double>> terms;
  JointActuatorIndex actuator;
  std::unique_ptr<systems::Context<double>> context;
};

TEST(TendonActuator, ExertsItsForceTimesTheCoefficientOnEachJoint) {
  for (const double time_step : {0.0, 1e-3}) {
    WoundChain m(time_step);
    m.Finalize();
    m.SetInputs(7, 0, 0);
    EXPECT_TRUE(Near(m.CalcRest(), 7 * m.c, 1e-11)) << time_step;
    EXPECT_EQ(m.net_actuation(), 7);
    EXPECT_TRUE(Near(m.plant.MakeActuationMatrix(), m.c, 0));
  }
}

TEST(TendonActuator, FollowsItsDesiredLengthByTheStateNowInContinuousTime) {
  WoundChain m(0);
  m.SetGains(30, 4);
  m.Finalize();
  m.SetInputs(1, 0.5, -0.2);
  const double length = 2 * -0.4 - 0.5 * 0.7 + 1.5 * 0.2;
  const double rate = 2 * 0.9 - 0.5 * -0.6 + 1.5 * 0.4;
  const double force = 30 * (0.5 - length) + 4 * (-0.2 - rate) + 1;
  EXPECT_NEAR(m.net_actuation(), force, 1e-13);
  EXPECT_TRUE(Near(m.CalcRest(), force * m.c, 1e-10));
}

// As PD control of a joint, it acts at the end of the step, so that any gains
// are stable.
TEST(TendonActuator, FollowsItsDesiredLengthByTheEndOfAStep) {
  constexpr double kStep = 0.01;
  for (const double p : {0.0, 30.0, 1e7}) {
    WoundChain m(kStep);
    m.SetGains(p, 4);
    m.Finalize();
    m.SetInputs(1, 0.5, -0.2);
    const VectorX<double> v_next =
        m.plant.GetVelocities(*m.context) + kStep * m.vdot();
    const double length = 2 * -0.4 - 0.5 * 0.7 + 1.5 * 0.2;
    const double rate = m.c.dot(v_next);
    const double force =
        p * (0.5 - length - kStep * rate) + 4 * (-0.2 - rate) + 1;
    EXPECT_NEAR(m.net_actuation(), force,
                1e-6 * std::max(1.0, std::abs(force)));
    EXPECT_TRUE(Near(m.CalcRest(), m.net_actuation() * m.c,
                     1e-6 * std::max(1.0, std::abs(force))));
  }
}

TEST(TendonActuator, HoldsItsLengthAgainstGravity) {
  WoundChain m(0.01);
  m.SetGains(1e6, 1e3);
  m.Finalize();
  m.SetInputs(0, 0.5, 0);
  for (int i = 0; i < 300; ++i) m.plant.ExecuteForcedEvents(m.context.get());
  EXPECT_NEAR(m.c.dot(m.plant.GetPositions(*m.context)), 0.5, 1e-4);
}

TEST(TendonActuator, PullsNoMoreThanItsEffortLimit) {
  for (const double time_step : {0.0, 0.01}) {
    for (const double length : {-9.0, 9.0}) {
      WoundChain m(time_step, 3);
      m.SetGains(1e4, 10);
      m.Finalize();
      m.SetInputs(0, length, 0);
      EXPECT_NEAR(m.net_actuation(), std::copysign(3, length), 1e-12);
      EXPECT_TRUE(Near(m.CalcRest(), std::copysign(3, length) * m.c, 1e-10));
    }
  }
}

TEST(TendonActuator, WithoutGainsPassesItsInputOnWithinItsLimit) {
  WoundChain m(0.01, 3);
  m.SetGains(0, 0);
  m.Finalize();
  for (const double force : {2.0, 8.0}) {
    m.SetInputs(force, 9, 9);
    EXPECT_EQ(m.net_actuation(), std::min(force, 3.0));
    EXPECT_TRUE(Near(m.CalcRest(), std::min(force, 3.0) * m.c, 1e-10));
  }
}

// The tendon shares a joint with a motor.
TEST(TendonActuator, HasAPseudoinverseOfTheActuationMatrix) {
  WoundChain m(0);
  m.plant.AddJointActuator("motor", *m.joints[1]);
  m.Finalize();
  const MatrixX<double> B = m.plant.MakeActuationMatrix();
  const MatrixX<double> A = m.plant.MakeActuationMatrixPseudoinverse();
  EXPECT_TRUE(Near(A * B, MatrixX<double>::Identity(2, 2), 1e-14));
  EXPECT_TRUE(Near(B * A, (B * A).transpose(), 1e-14));
}

TEST(TendonActuator, OfOneJointActsAsAnActuatorOfTheJoint) {
  for (const double time_step : {0.0, 0.01}) {
    std::vector<VectorX<double>> motions;
    for (const bool by_tendon : {false, true}) {
      MultibodyPlant<double> plant(time_step);
      const auto& body = plant.AddRigidBody("b", LinkInertia(2));
      const auto& joint = plant.AddJoint<RevoluteJoint>(
          "j", plant.world_body(), {}, body, {}, Vector3<double>::UnitY());
      const auto index =
          by_tendon ? plant.AddTendonActuator("t", {{&joint, 1.0}}, 9).index()
                    : plant.AddJointActuator("t", joint, 9).index();
      plant.get_mutable_joint_actuator(index).set_controller_gains({40, 3});
      plant.SetUseSampledOutputPorts(false);
      plant.Finalize();
      const auto context = plant.CreateDefaultContext();
      plant.get_desired_state_input_port(default_model_instance())
          .FixValue(context.get(), Vector2<double>(0.2, 0));
      motions.push_back(
          plant.get_generalized_acceleration_output_port().Eval(*context));
    }
    EXPECT_TRUE(Near(motions[1], motions[0], 1e-9)) << time_step;
  }
}

TEST(TendonActuator, WorksAsThePowerLedgerSays) {
  constexpr double kStep = 1e-3;
  WoundChain m(kStep);
  m.SetGains(300, 20);
  m.Finalize();
  m.SetInputs(1, 0.5, 0);
  for (int i = 0; i < 10; ++i) {
    const VectorX<double> v = m.plant.GetVelocities(*m.context);
    const auto ledger = m.plant.CalcPowerLedger(*m.context);
    const double rate = m.c.dot(v + kStep / 2 * m.vdot());
    EXPECT_NEAR(ledger.actuation, m.net_actuation() * rate, 1e-10);
    EXPECT_NEAR(ledger.joint_limits, 0, 1e-12);
    m.plant.ExecuteForcedEvents(m.context.get());
  }
}

TEST(TendonActuator, KeepsItsForceWhereALimitHoldsTheTendon) {
  WoundChain m(0.01);
  m.plant.AddForceElement<FixedTendon>(m.terms, 0, 0, 0, 0, -kNoLimit, 0.1);
  m.SetGains(1e4, 100);
  m.Finalize();
  m.SetInputs(0, 0.5, 0);
  for (int i = 0; i < 300; ++i) m.plant.ExecuteForcedEvents(m.context.get());
  const double length = m.c.dot(m.plant.GetPositions(*m.context));
  EXPECT_LT(length, 0.2);
  EXPECT_NEAR(m.net_actuation(), 1e4 * (0.5 - length), 1);
}

TEST(TendonActuator, AllocatesNothingInAStep) {
  for (const double time_step : {0.0, 0.01}) {
    WoundChain m(time_step);
    m.SetGains(1e4, 100);
    m.Finalize();
    m.SetInputs(0, 0.5, 0);
    const auto calc = [&m](double position) {
      m.plant.SetPositions(m.context.get(), Vector4<double>(position, 0, 0, 0));
      m.net_actuation();
    };
    calc(0.1);
    calc(0.2);
    wyvern::test::AllocationGuard guard;
    calc(0.3);
    EXPECT_EQ(guard.count(), 0) << time_step;
  }
}

TEST(TendonActuator, IsCopiedWithThePlant) {
  WoundChain m(0, 5);
  m.SetGains(30, 4);
  m.Finalize();
  const auto copy = m.plant.Clone();
  const auto& plant = dynamic_cast<const MultibodyPlant<double>&>(*copy);
  const auto& actuator = plant.GetJointActuatorByName("pull");
  EXPECT_TRUE(actuator.acts_on_tendon());
  EXPECT_EQ(actuator.effort_limit(), 5);
  ASSERT_EQ(actuator.terms().size(), 3u);
  EXPECT_EQ(actuator.terms()[2].joint, &plant.GetJointByName("cart"));
  EXPECT_EQ(actuator.terms()[2].coefficient, 1.5);
  EXPECT_EQ(actuator.get_controller_gains().p, 30);
}

TEST(TendonActuator, NeedsJointsOfOneDegreeOfFreedomAndFiniteCoefficients) {
  WoundChain m(0);
  const auto& ball = m.plant.AddJoint<QuaternionBallJoint>(
      "ball", m.plant.GetBodyByName("c"), {},
      m.plant.AddRigidBody("d", LinkInertia(1)), {});
  const auto expect = [&](std::vector<TendonTerm<double>> terms, double effort,
                          const char* message) {
    EXPECT_THROWS_MESSAGE(m.plant.AddTendonActuator("x", terms, effort),
                          std::logic_error, message);
  };
  expect({}, 1, "it has no joint");
  expect({{nullptr, 1}}, 1, "JointActuator");
  expect({{&ball, 1}}, 1, "3 degrees of freedom");
  expect({{m.joints[0], std::nan("")}}, 1, "coefficient");
  expect({{m.joints[0], 1e101}}, 1, "more than");
  expect({{m.joints[0], 1}}, 0, "effort limit");
  expect({{m.joints[0], 1}}, std::nan(""), "effort limit");
  WoundChain other(0);
  expect({{m.joints[0], 1}, {other.joints[0], 1}}, 1, "AddJointActuator");
  EXPECT_THROWS_MESSAGE(m.plant.get_mutable_joint_actuator(m.actuator)
                            .set_default_rotor_inertia(1),
                        std::logic_error, "acts on a tendon");
  EXPECT_THROWS_MESSAGE(m.plant.RemoveJoint(*m.joints[2]), std::logic_error,
                        "has the actuator 'pull'");
}

// A row of a step reaches two trees of bodies.
TEST(TendonActuator, WithGainsHasJointsOfAtMostTwoTrees) {
  for (const bool has_gains : {false, true}) {
    MultibodyPlant<double> plant(0.01);
    std::vector<TendonTerm<double>> terms;
    for (const char* const name : {"a", "b", "c"}) {
      const auto& body = plant.AddRigidBody(name, LinkInertia(1));
      terms.push_back(
          {&plant.AddJoint<RevoluteJoint>(name, plant.world_body(), {}, body,
                                          {}, Vector3<double>::UnitY()),
           1.0});
    }
    const auto index = plant.AddTendonActuator("x", terms).index();
    if (!has_gains) {
      EXPECT_NO_THROW(plant.Finalize());
      continue;
    }
    plant.get_mutable_joint_actuator(index).set_controller_gains({1, 1});
    EXPECT_THROWS_MESSAGE(plant.Finalize(), std::logic_error,
                          "actuator 'x' has joints of three trees");
  }
}

}  // namespace
}  // namespace wyvern::multibody
