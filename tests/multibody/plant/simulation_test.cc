// Plants over time: in the simulator, in diagrams, and one mode against the
// other.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::multibody {
namespace {

using systems::Simulator;
using test::CartPole;
using test::Pendulum;
using wyvern::test::Near;

TEST(ContinuousPlant, KeepsItsEnergyAndMomentum) {
  CartPole m(0);
  m.plant.mutable_gravity_field().set_gravity_vector(Vector3<double>(0, 0, -3));
  m.plant.Finalize();
  Simulator<double> simulator(m.plant);
  systems::Context<double>& context = simulator.get_mutable_context();
  m.plant.SetVelocities(&context, VectorX<double>::LinSpaced(8, -1, 1));
  simulator.get_mutable_integrator().set_target_accuracy(1e-8);
  const auto energy = [&] {
    return m.plant.EvalKineticEnergy(context) +
           m.plant.EvalPotentialEnergy(context);
  };
  const double before = energy();
  simulator.AdvanceTo(2);
  // Accuracy is per step of some 1e-2 s, relative to a state of order 10.
  EXPECT_NEAR(energy(), before, 1e-4);
}

// The angle after one second, from 0.8 rad.
double SwingFor(double time_step, double lower_limit) {
  Pendulum p(time_step, 0.2);
  p.plant.get_mutable_joint(p.joint->index())
      .set_position_limits(VectorX<double>::Constant(1, lower_limit),
                           VectorX<double>::Constant(1, 3));
  p.plant.Finalize();
  Simulator<double> simulator(p.plant);
  p.joint->set_angle(&simulator.get_mutable_context(), 0.8);
  simulator.get_mutable_integrator().set_target_accuracy(1e-7);
  simulator.AdvanceTo(1);
  return p.joint->get_angle(simulator.get_context());
}

TEST(BothModes, AgreeAsTheStepShrinks) {
  const double exact = SwingFor(0, -3);
  const double coarse = std::abs(SwingFor(1e-3, -3) - exact);
  const double fine = std::abs(SwingFor(1e-4, -3) - exact);
  EXPECT_LT(coarse, 0.05);
  EXPECT_LT(fine, coarse / 5);  // First order: a tenth.
}

// The limit is rigid there, and a spring of 10 ms in continuous time.
TEST(BothModes, AgreeThroughALimitAsFarAsItsSpringGives) {
  const double finest = SwingFor(1e-5, -0.5);
  const double coarse = std::abs(SwingFor(1e-3, -0.5) - finest);
  const double fine = std::abs(SwingFor(1e-4, -0.5) - finest);
  EXPECT_LT(coarse, 0.05);
  EXPECT_LT(fine, coarse / 5);
  EXPECT_NEAR(SwingFor(0, -0.5), finest, 0.03);
}

TEST(DiscretePlant, StepsOnItsGridInTheSimulator) {
  Pendulum p(0.01);
  p.plant.Finalize();
  Simulator<double> simulator(p.plant);
  p.joint->set_angle(&simulator.get_mutable_context(), 1);
  simulator.AdvanceTo(0.1);
  const auto context = p.plant.CreateDefaultContext();
  p.joint->set_angle(context.get(), 1);
  for (int i = 0; i < 10; ++i) p.plant.ExecuteForcedEvents(context.get());
  EXPECT_EQ(p.joint->get_angle(simulator.get_context()),
            p.joint->get_angle(*context));
}

TEST(DiscretePlant, RunsAlikeTwiceToTheBit) {
  const auto run = [] {
    CartPole m(0.003);
    for (JointActuatorIndex i : m.plant.GetJointActuatorIndices()) {
      m.plant.get_mutable_joint_actuator(i).set_controller_gains({900, 20});
    }
    m.plant.Finalize();
    Simulator<double> simulator(m.plant);
    auto& context = simulator.get_mutable_context();
    m.plant.get_desired_state_input_port(m.instance)
        .FixValue(&context, Vector4<double>(0.4, 2, 0, 0));
    simulator.AdvanceTo(1);
    return VectorX<double>(m.plant.GetPositionsAndVelocities(context));
  };
  EXPECT_EQ(run(), run());
}

TEST(DiscretePlant, SampledOutputsCloseLoopsThatLiveOnesCannot) {
  for (const bool sampled : {true, false}) {
    systems::DiagramBuilder<double> builder;
    auto* plant = builder.AddSystem<MultibodyPlant<double>>(0.01);
    const auto& bob =
        plant->AddRigidBody("bob", test::MakeInertia(1, {0, 0, -1}, 0.1));
    const auto& joint = plant->AddJoint<RevoluteJoint>(
        "hinge", plant->world_body(), {}, bob, {}, Vector3<double>::UnitY());
    plant->AddJointActuator("motor", joint);
    plant->SetUseSampledOutputPorts(sampled);
    plant->Finalize();
    builder.Connect(plant->get_net_actuation_output_port(),
                    plant->get_actuation_input_port());
    if (sampled) {
      EXPECT_NO_THROW(builder.Build());
    } else {
      EXPECT_ANY_THROW(builder.Build());
    }
  }
}

TEST(DiscretePlant, DerivativesOfAStepAreItsDifferences) {
  Pendulum p(0.01, 0.3);
  const auto& motor = p.plant.AddJointActuator("motor", *p.joint, 50);
  p.plant.get_mutable_joint_actuator(motor.index())
      .set_controller_gains({80, 4});
  p.plant.Finalize();
  const auto step = [&p](double q) {
    const auto context = p.plant.CreateDefaultContext();
    p.plant.get_desired_state_input_port(default_model_instance())
        .FixValue(context.get(), Vector2<double>(0.2, 0));
    p.joint->set_angle(context.get(), q);
    p.plant.ExecuteForcedEvents(context.get());
    return p.joint->get_angular_rate(*context);
  };
  const auto plant = systems::System<double>::ToAutoDiffXd(p.plant);
  const auto context = plant->CreateDefaultContext();
  plant->get_desired_state_input_port(default_model_instance())
      .FixValue(context.get(),
                VectorX<AutoDiffXd>(Vector2<AutoDiffXd>(0.2, 0)));
  plant->SetPositions(context.get(),
                      VectorX<AutoDiffXd>::Constant(
                          1, AutoDiffXd(0.7, VectorX<double>::Ones(1))));
  plant->ExecuteForcedEvents(context.get());
  const AutoDiffXd v = plant->GetVelocities(*context)[0];
  const double h = 1e-6;
  EXPECT_NEAR(v.value(), step(0.7), 1e-15);
  // Central differences of a smooth function: off by h² and round-off over h.
  EXPECT_NEAR(v.derivatives()[0], (step(0.7 + h) - step(0.7 - h)) / (2 * h),
              1e-8);
}

}  // namespace
}  // namespace wyvern::multibody
