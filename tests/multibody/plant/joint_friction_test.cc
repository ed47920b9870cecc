// Dry friction of joints.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/geometry/math/autodiff.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace joint_friction_test {

using Eigen::Vector3d;
using Eigen::VectorXd;
using systems::Context;
using systems::Simulator;
using test::MakeInertia;

constexpr double kGravity = 9.81;
constexpr double kMass = 2;
constexpr double kFriction = 5;

VectorXd One(double value) { return VectorXd::Constant(1, value); }

// A block on a rail that is pushed along it.
struct Slider {
  explicit Slider(double time_step, double friction = kFriction)
      : plant(time_step) {
    const auto& block =
        plant.AddRigidBody("block", MakeInertia(kMass, Vector3d::Zero(), 0.1));
    rail = &plant.AddJoint<PrismaticJoint>("rail", plant.world_body(), {},
                                           block, {}, Vector3d::UnitX());
    plant.get_mutable_joint(rail->index())
        .set_default_friction_vector(One(friction));
    plant.Finalize();
    simulator = std::make_unique<Simulator<double>>(plant);
    context = &simulator->get_mutable_context();
    Push(0);
  }
  void Push(double force) {
    plant.get_applied_generalized_force_input_port().FixValue(context,
                                                              One(force));
  }
  double position() const { return rail->get_translation(*context); }
  double velocity() const { return rail->get_translation_rate(*context); }

  MultibodyPlant<double> plant;
  const PrismaticJoint<double>* rail{};
  std::unique_ptr<Simulator<double>> simulator;
  Context<double>* context{};
};

TEST(JointFriction, HoldsAgainstALesserForce) {
  Slider m(1e-3);
  m.Push(0.9 * kFriction);
  m.simulator->AdvanceTo(1);
  // It creeps with a thousandth of the speed that a step would give it.
  const double creep = 1e-3 * 1e-3 * 0.9 * kFriction / kMass;
  EXPECT_NEAR(m.velocity(), creep, 0.01 * creep);
}

TEST(JointFriction, TakesItsShareOfAGreaterForce) {
  for (const double time_step : {0.0, 1e-3}) {
    Slider m(time_step);
    m.Push(3 * kFriction);
    m.simulator->AdvanceTo(1);
    EXPECT_NEAR(m.velocity(), 2 * kFriction / kMass, 1e-3) << time_step;
  }
}

// From v0 to rest within v0² / (2 a), where it stays.
TEST(JointFriction, StopsAfterTheDistanceOfItsDeceleration) {
  for (const double time_step : {0.0, 1e-3}) {
    Slider m(time_step);
    m.rail->set_translation_rate(m.context, 2.0);
    m.simulator->AdvanceTo(2);
    const double a = kFriction / kMass;
    // The last millimetre per second decays in v_s / a, and a step's error is
    // v0 dt / 2.
    EXPECT_NEAR(m.position(), 2.0 / a * 2.0 / 2, 2e-3) << time_step;
    // By the accuracy that the integrator keeps.
    EXPECT_NEAR(m.velocity(), 0, 5e-5) << time_step;
  }
}

TEST(JointFriction, IsNeverMoreThanItsBound) {
  Slider m(1e-2);
  for (const double v0 : {1e-6, 1e-3, 0.02, 0.03, 5.0}) {
    m.rail->set_translation_rate(m.context, v0);
    m.plant.ExecuteForcedEvents(m.context);
    const double change = v0 - m.velocity();
    EXPECT_GE(m.velocity(), 0);
    EXPECT_LE(change, 1e-2 * kFriction / kMass * (1 + 1e-9));
  }
}

TEST(JointFriction, IsAParameterOfTheContext) {
  Slider m(1e-3, 0);
  m.Push(1);
  m.rail->SetFrictionVector(m.context, One(2));
  m.simulator->AdvanceTo(0.1);
  EXPECT_LT(m.velocity(), 1e-5);
  m.rail->SetFrictionVector(m.context, One(0));
  m.simulator->AdvanceTo(0.2);
  EXPECT_NEAR(m.velocity(), 0.1 * 1 / kMass, 1e-5);
  EXPECT_EQ(m.rail->default_friction_vector()[0], 0);
}

TEST(JointFriction, CloneOnAnotherScalarHasIt) {
  Slider m(1e-3);
  const auto ad =
      systems::System<double>::ToAutoDiffXd<MultibodyPlant>(m.plant);
  EXPECT_EQ(ad->get_joint(m.rail->index()).default_friction_vector()[0],
            kFriction);
}

// A pendulum that friction holds at an angle: gravity's torque is below it.
TEST(JointFriction, HoldsAPendulumAtAnAngle) {
  using test::Pendulum;
  Pendulum m(1e-3);
  const double torque = Pendulum::kMass * kGravity * Pendulum::kLength;
  m.plant.get_mutable_joint(m.joint->index())
      .set_default_friction_vector(One(torque * std::sin(0.5)));
  m.plant.Finalize();
  Simulator<double> simulator(m.plant);
  auto& context = simulator.get_mutable_context();
  m.joint->set_angle(&context, 0.45);
  simulator.AdvanceTo(1);
  // A creep of 1e-3 dt a.
  EXPECT_NEAR(m.joint->get_angle(context), 0.45, 1e-4);
  m.joint->set_angle(&context, 0.55);
  m.joint->set_angular_rate(&context, 0);
  simulator.AdvanceTo(1.2);
  EXPECT_LT(m.joint->get_angle(context), 0.54);
}

TEST(JointFriction, TakesEnergyAsTheLedgerSays) {
  for (const double time_step : {0.0, 1e-3}) {
    Slider m(time_step);
    m.rail->set_translation_rate(m.context, 2.0);
    const auto ledger = m.plant.CalcPowerLedger(*m.context);
    const double v = 2.0 - time_step * kFriction / kMass / 2;
    EXPECT_NEAR(ledger.joint_friction, -kFriction * v, 1e-9);
    EXPECT_NEAR(ledger.Sum(), ledger.joint_friction, 1e-9);
  }
}

TEST(JointFriction, MustBeFiniteAndNotNegative) {
  MultibodyPlant<double> plant(1e-3);
  const auto& body =
      plant.AddRigidBody("body", MakeInertia(1, Vector3d::Zero(), 0.1));
  const auto& joint = plant.AddJoint<RevoluteJoint>(
      "hinge", plant.world_body(), {}, body, {}, Vector3d::UnitX());
  auto& mutable_joint = plant.get_mutable_joint(joint.index());
  EXPECT_THROWS_MESSAGE(mutable_joint.set_default_friction_vector(One(-1)),
                        std::logic_error, "friction");
  EXPECT_THROWS_MESSAGE(
      mutable_joint.set_default_friction_vector(VectorXd::Ones(2)),
      std::logic_error, "2 friction forces; it has 1");
  plant.Finalize();
  EXPECT_THROWS_MESSAGE(mutable_joint.set_default_friction_vector(One(1)),
                        std::logic_error, "already finalized");
  const auto context = plant.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(joint.SetFrictionVector(context.get(), One(NAN)),
                        std::logic_error, "friction");
}

TEST(JointFriction, AllocatesNothingAfterTheFirstStep) {
  Slider m(1e-3);
  m.Push(0.5 * kFriction);
  m.simulator->AdvanceTo(0.01);
  wyvern::test::AllocationGuard guard;
  m.simulator->AdvanceTo(0.02);
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace joint_friction_test
}  // namespace wyvern::multibody
