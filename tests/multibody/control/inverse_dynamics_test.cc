#include "wyvern/multibody/control/inverse_dynamics.h"

#include <cmath>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "tests/multibody/control/controlled_models.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::systems::controllers {
namespace inverse_dynamics_test {

using Eigen::VectorXd;
using multibody::MultibodyPlant;
using multibody::test::RandomTree;
using wyvern::test::Near;
using Dynamics = InverseDynamics<double>;

class RandomTrees : public ::testing::TestWithParam<unsigned> {};

// Forward dynamics gives back what was desired.
TEST_P(RandomTrees, AccelerateAsDesired) {
  RandomTree tree(GetParam(), 0, /* has_springs */ true);
  const MultibodyPlant<double>& plant = *tree.plant;
  const Dynamics dynamics(&plant);
  EXPECT_FALSE(dynamics.is_pure_gravity_compensation());
  const auto context = dynamics.CreateDefaultContext();
  const VectorXd x = tree.Numbers(plant.num_multibody_states());
  const VectorXd vdot = tree.Numbers(plant.num_velocities());
  dynamics.get_input_port_estimated_state().FixValue(context.get(), x);
  dynamics.get_input_port_desired_acceleration().FixValue(context.get(), vdot);
  const VectorXd& tau =
      dynamics.get_output_port_generalized_force().Eval(*context);

  const auto plant_context = plant.CreateDefaultContext();
  plant.SetPositionsAndVelocities(plant_context.get(), x);
  plant.get_applied_generalized_force_input_port().FixValue(plant_context.get(),
                                                            tau);
  EXPECT_TRUE(Near(plant.EvalTimeDerivatives(*plant_context)
                       .get_generalized_velocity()
                       .CopyToVector(),
                   vdot, 1e-11));
}

// At rest in any pose; nothing but gravity acts.
TEST_P(RandomTrees, AreHeldByGravityCompensation) {
  RandomTree tree(GetParam());
  const VectorXd q = tree.Numbers(tree.plant->num_positions());
  DiagramBuilder<double> builder;
  auto* plant = builder.AddNamedSystem("plant", std::move(tree.plant));
  auto* dynamics = builder.AddNamedSystem<InverseDynamics>(
      "dynamics", plant, Dynamics::kGravityCompensation);
  EXPECT_TRUE(dynamics->is_pure_gravity_compensation());
  builder.Connect(plant->get_state_output_port(),
                  dynamics->get_input_port_estimated_state());
  builder.Connect(dynamics->get_output_port_generalized_force(),
                  plant->get_applied_generalized_force_input_port());
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  auto& plant_context =
      plant->GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  plant->SetPositions(&plant_context, q);
  simulator.AdvanceTo(1);
  EXPECT_TRUE(Near(VectorXd(plant->GetPositions(plant_context)), q, 1e-12));
  EXPECT_GT(dynamics->get_output_port_generalized_force()
                .Eval(dynamics->GetMyContextFromRoot(simulator.get_context()))
                .norm(),
            1);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTrees, ::testing::Range(0u, 6u));

VectorXd Evaluate(const Dynamics& dynamics, const VectorXd& x,
                  const VectorXd& vdot) {
  const auto context = dynamics.CreateDefaultContext();
  dynamics.get_input_port_estimated_state().FixValue(context.get(), x);
  dynamics.get_input_port_desired_acceleration().FixValue(context.get(), vdot);
  return dynamics.get_output_port_generalized_force().Eval(*context);
}

TEST(InverseDynamics, TakesFreeBodies) {
  multibody::test::CartPole model(0);
  model.plant.Finalize();
  const Dynamics dynamics(&model.plant);
  const int nv = model.plant.num_velocities();
  EXPECT_EQ(dynamics.get_input_port_estimated_state().size(), nv + 1 + nv);
  std::mt19937 generator(3);
  const VectorXd vdot = multibody::test::RandomNumbers(nv, &generator);
  const auto context = model.plant.CreateDefaultContext();
  model.plant.SetVelocities(context.get(),
                            multibody::test::RandomNumbers(nv, &generator));
  multibody::MultibodyForces<double> forces(model.plant);
  model.plant.CalcForceElementsContribution(*context, &forces);
  EXPECT_TRUE(Near(
      Evaluate(dynamics,
               VectorXd(model.plant.GetPositionsAndVelocities(*context)), vdot),
      model.plant.CalcInverseDynamics(*context, vdot, forces), 1e-13));
}

TEST(InverseDynamics, ModelsBothModesOfAPlantAlike) {
  RandomTree continuous(2, 0, true), discrete(2, 1e-3, true);
  const VectorXd x = continuous.Numbers(12), vdot = continuous.Numbers(6);
  EXPECT_EQ(Evaluate(Dynamics(std::move(continuous.plant)), x, vdot),
            Evaluate(Dynamics(std::move(discrete.plant)), x, vdot));
}

TEST(InverseDynamics, HasTheParametersOfTheContextItWasGiven) {
  RandomTree tree(1);
  const VectorXd x = tree.Numbers(12), vdot = tree.Numbers(6);
  const MultibodyPlant<double>& plant = *tree.plant;
  const auto heavier = plant.CreateDefaultContext();
  const auto& body = plant.GetBodyByName("3");
  body.SetMass(heavier.get(), 7.0);
  const Dynamics light(&plant);
  const Dynamics heavy(&plant, Dynamics::kInverseDynamics, heavier.get());
  // Later changes are not its business.
  body.SetMass(heavier.get(), 9.0);
  const VectorXd tau = Evaluate(heavy, x, vdot);
  EXPECT_GT((tau - Evaluate(light, x, vdot)).norm(), 1);
  body.SetMass(heavier.get(), 7.0);
  plant.SetPositionsAndVelocities(heavier.get(), x);
  multibody::MultibodyForces<double> forces(plant);
  plant.CalcForceElementsContribution(*heavier, &forces);
  EXPECT_TRUE(
      Near(tau, plant.CalcInverseDynamics(*heavier, vdot, forces), 1e-13));
  // So it is after conversion there and back.
  EXPECT_EQ(Evaluate(*System<double>::Clone(heavy), x, vdot), tau);
}

TEST(InverseDynamics, CarriesDerivatives) {
  RandomTree tree(4, 0, true);
  const VectorXd x = tree.Numbers(12), vdot = tree.Numbers(6);
  const Dynamics dynamics(std::move(tree.plant));
  const auto converted = System<double>::ToAutoDiffXd(dynamics);
  const auto context = converted->CreateDefaultContext();
  const double h = 1e-6;
  for (const int i : {1, 4, 7, 10}) {
    VectorX<AutoDiffXd> x_i = x.cast<AutoDiffXd>();
    x_i[i].derivatives() = VectorXd::Ones(1);
    converted->get_input_port_estimated_state().FixValue(context.get(), x_i);
    converted->get_input_port_desired_acceleration().FixValue(
        context.get(), VectorX<AutoDiffXd>(vdot.cast<AutoDiffXd>()));
    const VectorX<AutoDiffXd>& tau =
        converted->get_output_port_generalized_force().Eval(*context);
    const VectorXd step = h * VectorXd::Unit(12, i);
    const VectorXd difference = (Evaluate(dynamics, x + step, vdot) -
                                 Evaluate(dynamics, x - step, vdot)) /
                                (2 * h);
    EXPECT_TRUE(
        Near(ExtractDoubleOrThrow(tau), Evaluate(dynamics, x, vdot), 1e-12));
    for (int k = 0; k < 6; ++k) {
      EXPECT_NEAR(multibody::test::SlopeOf(tau[k]), difference[k], 1e-7);
    }
  }
}

TEST(InverseDynamics, AllocatesNothingOnceItHasBeenEvaluated) {
  RandomTree tree(5, 0, true);
  for (const auto mode :
       {Dynamics::kInverseDynamics, Dynamics::kGravityCompensation}) {
    const Dynamics dynamics(tree.plant.get(), mode);
    const auto context = dynamics.CreateDefaultContext();
    auto& state = dynamics.get_input_port_estimated_state().FixValue(
        context.get(), tree.Numbers(12));
    if (mode == Dynamics::kInverseDynamics) {
      dynamics.get_input_port_desired_acceleration().FixValue(context.get(),
                                                              tree.Numbers(6));
    }
    const auto& port = dynamics.get_output_port_generalized_force();
    double sum = port.Eval(*context)[0];
    state.GetMutableVectorData<double>()->SetAtIndex(0, 0.5);
    sum += port.Eval(*context)[0];
    const wyvern::test::AllocationGuard guard;
    for (int i = 0; i < 10; ++i) {
      state.GetMutableVectorData<double>()->SetAtIndex(0, 0.1 * i);
      sum += port.Eval(*context)[0];
    }
    EXPECT_EQ(guard.count(), 0);
    EXPECT_TRUE(std::isfinite(sum));
  }
}

TEST(InverseDynamics, RefusesWhatIsNoPlantOfItsOwn) {
  using Mode = Dynamics::InverseDynamicsMode;
  const MultibodyPlant<double>* none = nullptr;
  EXPECT_THROWS_MESSAGE(Dynamics{none}, std::logic_error,
                        "InverseDynamics: the plant is null");
  MultibodyPlant<double> unfinished(0);
  unfinished.set_name("unfinished");
  EXPECT_THROWS_MESSAGE(Dynamics{&unfinished}, std::logic_error,
                        "the plant '::unfinished' is not finalized");
  RandomTree tree(0), other(0);
  const auto foreign = other.plant->CreateDefaultContext();
  EXPECT_THROW(
      Dynamics(tree.plant.get(), Mode::kInverseDynamics, foreign.get()),
      std::logic_error);
  EXPECT_THROWS_MESSAGE(Dynamics(tree.plant.get(), static_cast<Mode>(9)),
                        std::logic_error, "there is no mode 9");
  const Dynamics gravity(tree.plant.get(), Mode::kGravityCompensation);
  EXPECT_THROWS_MESSAGE(gravity.get_input_port_desired_acceleration(),
                        std::logic_error, "compensates gravity alone");
  EXPECT_EQ(gravity.num_input_ports(), 1);
}

}  // namespace inverse_dynamics_test
}  // namespace wyvern::systems::controllers
