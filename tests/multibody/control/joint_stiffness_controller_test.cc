#include "wyvern/multibody/control/joint_stiffness_controller.h"

#include <cmath>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "tests/multibody/control/controlled_models.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::systems::controllers {
namespace joint_stiffness_controller_test {

using Eigen::VectorXd;
using multibody::MultibodyPlant;
using multibody::test::RandomTree;
using wyvern::test::Near;
using Controller = JointStiffnessController<double>;

constexpr int kN = RandomTree::kJoints;

class Stiffness : public ::testing::TestWithParam<unsigned> {
 protected:
  RandomTree tree_{GetParam(), 0, /* has_springs */ true};
  const VectorXd kp_{VectorXd::LinSpaced(kN, 50, 100)};
  const VectorXd kd_{VectorXd::LinSpaced(kN, 20, 10)};
};

// M vdot + C v = kp e_q + kd e_v + tau_ext, driven by the motors.
TEST_P(Stiffness, LeavesInertiaAndSpringsAlone) {
  const MultibodyPlant<double>& plant = *tree_.plant;
  const Controller controller(plant, kp_, kd_);
  const VectorXd x = tree_.Numbers(2 * kN), x_d = tree_.Numbers(2 * kN);
  const VectorXd tau_ext = tree_.Numbers(kN);
  const auto context = controller.CreateDefaultContext();
  controller.get_input_port_estimated_state().FixValue(context.get(), x);
  controller.get_input_port_desired_state().FixValue(context.get(), x_d);

  const auto plant_context = plant.CreateDefaultContext();
  plant.SetPositionsAndVelocities(plant_context.get(), x);
  plant.get_actuation_input_port().FixValue(
      plant_context.get(),
      controller.get_output_port_actuation().Eval(*context));
  plant.get_applied_generalized_force_input_port().FixValue(plant_context.get(),
                                                            tau_ext);
  Eigen::MatrixXd M(kN, kN);
  VectorXd Cv(kN);
  plant.CalcMassMatrix(*plant_context, &M);
  plant.CalcBiasTerm(*plant_context, &Cv);
  const VectorXd vdot = plant.EvalTimeDerivatives(*plant_context)
                            .get_generalized_velocity()
                            .CopyToVector();
  const VectorXd e = x_d - x;
  EXPECT_TRUE(Near(
      M * vdot + Cv,
      kp_.cwiseProduct(e.head(kN)) + kd_.cwiseProduct(e.tail(kN)) + tau_ext,
      1e-10));
  EXPECT_TRUE(
      Near(plant.MakeActuationMatrix() *
               controller.get_output_port_actuation().Eval(*context),
           controller.get_output_port_generalized_force().Eval(*context), 0));
}

// Pushed by tau, it comes to rest tau / kp from where it is to be.
TEST_P(Stiffness, GivesWayByForceOverStiffness) {
  const VectorXd q_d = tree_.Numbers(kN), push = tree_.Numbers(kN);
  DiagramBuilder<double> builder;
  auto* plant = builder.AddNamedSystem("plant", std::move(tree_.plant));
  auto* controller =
      builder.AddSystem<JointStiffnessController>(*plant, kp_, kd_);
  builder.Connect(plant->get_state_output_port(),
                  controller->get_input_port_estimated_state());
  builder.Connect(controller->get_output_port_actuation(),
                  plant->get_actuation_input_port());
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  auto& context =
      plant->GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  VectorXd x_d = VectorXd::Zero(2 * kN);
  x_d.head(kN) = q_d;
  controller->get_input_port_desired_state().FixValue(
      &controller->GetMyMutableContextFromRoot(
          &simulator.get_mutable_context()),
      x_d);
  plant->get_applied_generalized_force_input_port().FixValue(&context, push);
  plant->SetPositions(&context, q_d);
  simulator.AdvanceTo(40);
  EXPECT_TRUE(Near(VectorXd(plant->GetPositions(context)),
                   q_d + push.cwiseQuotient(kp_), 1e-6));
}

INSTANTIATE_TEST_SUITE_P(Seeds, Stiffness, ::testing::Range(0u, 4u));

TEST(JointStiffnessController, CarriesDerivatives) {
  RandomTree tree(3, 1e-3, true);
  const VectorXd x = tree.Numbers(2 * kN), x_d = tree.Numbers(2 * kN);
  const VectorXd gains = VectorXd::Constant(kN, 30);
  const Controller controller(std::move(tree.plant), gains, gains);
  EXPECT_EQ(controller.get_multibody_plant().num_velocities(), kN);
  const auto converted = System<double>::ToAutoDiffXd(controller);
  const auto evaluate = [&](const auto& one, const auto& x_e) {
    using T = typename std::decay_t<decltype(x_e)>::Scalar;
    const auto context = one.CreateDefaultContext();
    one.get_input_port_estimated_state().FixValue(context.get(), x_e);
    one.get_input_port_desired_state().FixValue(context.get(),
                                                VectorX<T>(x_d.cast<T>()));
    return VectorX<T>(one.get_output_port_actuation().Eval(*context));
  };
  const double h = 1e-6;
  for (const int i : {0, 2, 7}) {
    VectorX<AutoDiffXd> x_i = x.cast<AutoDiffXd>();
    x_i[i].derivatives() = VectorXd::Ones(1);
    const VectorX<AutoDiffXd> u = evaluate(*converted, x_i);
    const VectorXd step = h * VectorXd::Unit(2 * kN, i);
    const VectorXd slope = (evaluate(controller, VectorXd(x + step)) -
                            evaluate(controller, VectorXd(x - step))) /
                           (2 * h);
    EXPECT_TRUE(Near(ToDouble(u), evaluate(controller, x), 1e-12));
    for (int k = 0; k < kN; ++k) {
      EXPECT_NEAR(multibody::test::SlopeOf(u[k]), slope[k], 1e-6);
    }
  }
}

TEST(JointStiffnessController, AllocatesNothingOnceItHasBeenEvaluated) {
  RandomTree tree(5, 0, true);
  const VectorXd gains = VectorXd::Constant(kN, 30);
  const Controller controller(*tree.plant, gains, gains);
  const auto context = controller.CreateDefaultContext();
  auto& state = controller.get_input_port_estimated_state().FixValue(
      context.get(), tree.Numbers(2 * kN));
  controller.get_input_port_desired_state().FixValue(context.get(),
                                                     tree.Numbers(2 * kN));
  const auto& port = controller.get_output_port_actuation();
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

TEST(JointStiffnessController, RefusesPlantsAndGainsThatDoNotFit) {
  RandomTree tree(0);
  const VectorXd six = VectorXd::Ones(6), eight = VectorXd::Ones(8);
  EXPECT_THROWS_MESSAGE(Controller(*tree.plant, six, eight), std::logic_error,
                        "JointStiffnessController(): kd has size 8");
  multibody::test::Pendulum idle(0);
  idle.plant.Finalize();
  EXPECT_THROWS_MESSAGE(
      Controller(idle.plant, VectorXd::Ones(1), VectorXd::Ones(1)),
      std::logic_error,
      "has 1 velocities and 0 actuators; give each joint one");
  multibody::test::CartPole floating(0);
  floating.plant.Finalize();
  EXPECT_THROWS_MESSAGE(Controller(floating.plant, eight, eight),
                        std::logic_error, "no floating or quaternion joint");
}

}  // namespace joint_stiffness_controller_test
}  // namespace wyvern::systems::controllers
