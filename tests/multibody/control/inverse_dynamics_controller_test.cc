#include "wyvern/multibody/control/pid/inverse_dynamics_controller.h"

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/multibody/control/controlled_models.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::systems::controllers {
namespace inverse_dynamics_controller_test {

using Eigen::VectorXd;
using multibody::MultibodyPlant;
using multibody::test::RandomTree;
using wyvern::test::Near;
using Controller = InverseDynamicsController<double>;

constexpr int kN = RandomTree::kJoints;

/** q_d,i = 0.3 sin(w_i t + i), with its velocity and acceleration. */
class Reference final : public LeafSystem<double> {
 public:
  Reference() {
    DeclareVectorOutputPort("state", 2 * kN, &Reference::CalcState,
                            {time_ticket()});
    DeclareVectorOutputPort("acceleration", kN, &Reference::CalcAcceleration,
                            {time_ticket()});
  }
  static double Rate(int i) { return 1 + 0.3 * i; }
  static double Position(int i, double t) {
    return 0.3 * std::sin(Rate(i) * t + i);
  }
  static double Velocity(int i, double t) {
    return 0.3 * Rate(i) * std::cos(Rate(i) * t + i);
  }

 private:
  void CalcState(const Context<double>& context, BasicVector<double>* x) const {
    for (int i = 0; i < kN; ++i) {
      (*x)[i] = Position(i, context.get_time());
      (*x)[kN + i] = Velocity(i, context.get_time());
    }
  }
  void CalcAcceleration(const Context<double>& context,
                        BasicVector<double>* a) const {
    for (int i = 0; i < kN; ++i) {
      (*a)[i] = -Rate(i) * Rate(i) * Position(i, context.get_time());
    }
  }
};

// With the exact model every error is an oscillator of its own, e'' + kd e' +
// kp e = 0, from e0 and e0' on.
double ErrorOf(double kp, double kd, double e0, double edot0, double t) {
  const double decay = kd / 2;
  const double omega = std::sqrt(kp - decay * decay);
  return std::exp(-decay * t) *
         (e0 * std::cos(omega * t) +
          (edot0 + decay * e0) / omega * std::sin(omega * t));
}

class Tracking : public ::testing::TestWithParam<unsigned> {};

TEST_P(Tracking, HasDecoupledErrorsOfSecondOrder) {
  RandomTree tree(GetParam(), 0, /* has_springs */ true);
  const VectorXd x0 = 0.5 * tree.Numbers(2 * kN);
  VectorXd kp(kN), kd(kN);
  for (int i = 0; i < kN; ++i) {
    kp[i] = 20 + 10 * i;
    kd[i] = 1 + i;
  }
  DiagramBuilder<double> builder;
  auto* plant = builder.AddNamedSystem("plant", std::move(tree.plant));
  auto* controller = builder.AddSystem<InverseDynamicsController>(
      *plant, kp, VectorXd::Zero(kN), kd,
      /* has_reference_acceleration */ true);
  auto* reference = builder.AddSystem<Reference>();
  builder.Connect(plant->get_state_output_port(),
                  controller->get_input_port_estimated_state());
  builder.Connect(reference->get_output_port(0),
                  controller->get_input_port_desired_state());
  builder.Connect(reference->get_output_port(1),
                  controller->get_input_port_desired_acceleration());
  builder.Connect(controller->get_output_port_control(),
                  plant->get_actuation_input_port());
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  simulator.get_mutable_integrator().set_target_accuracy(1e-8);
  auto& context =
      plant->GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  plant->SetPositionsAndVelocities(&context, x0);
  for (const double t : {0.5, 1.5}) {
    simulator.AdvanceTo(t);
    for (int i = 0; i < kN; ++i) {
      const double error =
          Reference::Position(i, t) - plant->GetPositions(context)[i];
      EXPECT_NEAR(error,
                  ErrorOf(kp[i], kd[i], Reference::Position(i, 0) - x0[i],
                          Reference::Velocity(i, 0) - x0[kN + i], t),
                  1e-6);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Tracking, ::testing::Range(0u, 4u));

// Sets the inputs and the integral of the error, and works out the force.
template <typename T>
VectorX<T> Evaluate(const InverseDynamicsController<T>& controller,
                    const VectorX<T>& x, const VectorXd& x_d,
                    const VectorXd& integral) {
  const auto context = controller.CreateDefaultContext();
  controller.get_input_port_estimated_state().FixValue(context.get(), x);
  controller.get_input_port_desired_state().FixValue(
      context.get(), VectorX<T>(x_d.template cast<T>()));
  controller.set_integral_value(context.get(), integral.template cast<T>());
  return controller.get_output_port_generalized_force().Eval(*context);
}

struct Gains {
  VectorXd kp{VectorXd::LinSpaced(kN, 10, 60)};
  VectorXd ki{VectorXd::LinSpaced(kN, 1, 3)};
  VectorXd kd{VectorXd::LinSpaced(kN, 9, 4)};
};

TEST(InverseDynamicsController, TakesUpTheIntegralOfTheError) {
  RandomTree tree(1, 0, true);
  const Gains gains;
  const VectorXd x = tree.Numbers(2 * kN), x_d = tree.Numbers(2 * kN);
  const VectorXd integral = tree.Numbers(kN);
  const MultibodyPlant<double>& plant = *tree.plant;
  const Controller controller(plant, gains.kp, gains.ki, gains.kd, false);
  const VectorXd tau = Evaluate(controller, x, x_d, integral);
  const auto plant_context = plant.CreateDefaultContext();
  plant.SetPositionsAndVelocities(plant_context.get(), x);
  plant.get_applied_generalized_force_input_port().FixValue(plant_context.get(),
                                                            tau);
  const VectorXd e = x_d - x;
  const VectorXd wanted = gains.kp.cwiseProduct(e.head(kN)) +
                          gains.kd.cwiseProduct(e.tail(kN)) +
                          gains.ki.cwiseProduct(integral);
  EXPECT_TRUE(Near(plant.EvalTimeDerivatives(*plant_context)
                       .get_generalized_velocity()
                       .CopyToVector(),
                   wanted, 1e-10));
  // The state of the controller grows by the error.
  const auto context = controller.CreateDefaultContext();
  controller.get_input_port_estimated_state().FixValue(context.get(), x);
  controller.get_input_port_desired_state().FixValue(context.get(), x_d);
  EXPECT_EQ(controller.EvalTimeDerivatives(*context).CopyToVector(),
            e.head(kN));
}

TEST(InverseDynamicsController, ConvertsWithItsPlantGainsAndParameters) {
  RandomTree tree(2, 1e-3, true);
  const Gains gains;
  const auto plant_context = tree.plant->CreateDefaultContext();
  tree.plant->GetBodyByName("4").SetMass(plant_context.get(), 6.0);
  const VectorXd x = tree.Numbers(2 * kN), x_d = tree.Numbers(2 * kN);
  const VectorXd integral = tree.Numbers(kN);
  auto owned = std::move(tree.plant);
  const auto* plant = owned.get();
  const Controller controller(std::move(owned), gains.kp, gains.ki, gains.kd,
                              true, plant_context.get());
  EXPECT_EQ(controller.get_multibody_plant_for_control(), plant);
  const auto converted = System<double>::ToAutoDiffXd(controller);
  EXPECT_NE(converted->get_multibody_plant_for_control(), nullptr);
  const auto evaluate = [&](const auto& one, const auto& x_e) {
    using T = typename std::decay_t<decltype(x_e)>::Scalar;
    const auto context = one.CreateDefaultContext();
    one.get_input_port_estimated_state().FixValue(context.get(), x_e);
    one.get_input_port_desired_state().FixValue(context.get(),
                                                VectorX<T>(x_d.cast<T>()));
    one.get_input_port_desired_acceleration().FixValue(
        context.get(), VectorX<T>(integral.cast<T>()));
    one.set_integral_value(context.get(), integral.cast<T>());
    return VectorX<T>(one.get_output_port_generalized_force().Eval(*context));
  };
  const VectorXd tau = evaluate(controller, x);
  const double h = 1e-6;
  for (const int i : {0, 3, 8}) {
    VectorX<AutoDiffXd> x_i = x.cast<AutoDiffXd>();
    x_i[i].derivatives() = VectorXd::Ones(1);
    const VectorX<AutoDiffXd> tau_i = evaluate(*converted, x_i);
    const VectorXd step = h * VectorXd::Unit(2 * kN, i);
    const VectorXd slope = (evaluate(controller, VectorXd(x + step)) -
                            evaluate(controller, VectorXd(x - step))) /
                           (2 * h);
    EXPECT_TRUE(Near(ToDouble(tau_i), tau, 1e-11));
    for (int k = 0; k < kN; ++k) {
      EXPECT_NEAR(multibody::test::SlopeOf(tau_i[k]), slope[k], 1e-6);
    }
  }
}

TEST(InverseDynamicsController, NamesItsPorts) {
  RandomTree tree(0);
  const Gains gains;
  const Controller plain(*tree.plant, gains.kp, gains.ki, gains.kd, false);
  EXPECT_EQ(plain.num_input_ports(), 2);
  EXPECT_EQ(plain.get_input_port_estimated_state().get_name(),
            "estimated_state");
  EXPECT_EQ(plain.get_input_port_desired_state().get_name(), "desired_state");
  EXPECT_EQ(plain.get_output_port_control().get_name(), "actuation");
  EXPECT_EQ(plain.get_output_port_generalized_force().get_name(),
            "generalized_force");
  EXPECT_THROWS_MESSAGE(plain.get_input_port_desired_acceleration(),
                        std::logic_error, "has_reference_acceleration = true");
  const Controller full(*tree.plant, gains.kp, gains.ki, gains.kd, true);
  EXPECT_EQ(full.get_input_port_desired_acceleration().get_name(),
            "desired_acceleration");
  const StateFeedbackControllerInterface<double>& controller = full;
  EXPECT_EQ(&controller.get_output_port_control(), &full.get_output_port(0));
}

// A finger that follows the hand's motor by a coupler has no motor of its own.
TEST(InverseDynamicsController, WantsNoMotorForAJointThatFollows) {
  for (const bool is_coupled : {true, false}) {
    MultibodyPlant<double> plant(0);
    const multibody::Joint<double>* joints[2];
    for (const int i : {0, 1}) {
      const std::string name = std::to_string(i);
      const auto& body = plant.AddRigidBody(
          name, multibody::SpatialInertia<double>::SolidSphereWithMass(2, 0.5));
      joints[i] = &plant.AddJoint<multibody::RevoluteJoint>(
          name, plant.world_body(), {}, body, {}, Eigen::Vector3d::UnitZ());
    }
    plant.AddJointActuator("motor", *joints[0]);
    if (is_coupled) plant.AddCouplerConstraint(*joints[1], *joints[0], 3);
    plant.Finalize();
    const Eigen::Vector2d kp(100, 7), ki(0, 0), kd(20, 7);
    if (!is_coupled) {
      EXPECT_THROWS_MESSAGE(Controller(plant, kp, ki, kd, false),
                            std::logic_error, "2 velocities and 1 actuators");
      continue;
    }
    const Controller controller(plant, kp, ki, kd, false);
    const auto context = controller.CreateDefaultContext();
    controller.get_input_port_estimated_state().FixValue(
        context.get(), Eigen::Vector4d(0.1, 0.3, 0.2, 0.6));
    controller.get_input_port_desired_state().FixValue(
        context.get(), Eigen::Vector4d(0.2, 0, 0.4, 0));
    const double alpha = 100 * 0.1 + 20 * 0.2;
    // 2/5 m r² = 0.2 kg m², and nine times that through the gear.
    EXPECT_TRUE(Near(controller.get_output_port_control().Eval(*context),
                     Vector1<double>(0.2 * (1 + 9) * alpha), 1e-13));
  }
}

TEST(InverseDynamicsController, RefusesPlantsAndGainsThatDoNotFit) {
  RandomTree tree(0);
  const Gains gains;
  const VectorXd few = VectorXd::Ones(kN - 1);
  EXPECT_THROWS_MESSAGE(
      Controller(*tree.plant, few, gains.ki, gains.kd, false), std::logic_error,
      "InverseDynamicsController(): kp has size 5; it must have size 6");
  EXPECT_THROWS_MESSAGE(
      Controller(*tree.plant, gains.kp, NAN * gains.ki, gains.kd, false),
      std::logic_error, "is nan; it must be finite");
  MultibodyPlant<double> unfinished(0);
  EXPECT_THROWS_MESSAGE(
      Controller(unfinished, few, few, few, false), std::logic_error,
      "InverseDynamicsController: the plant '::_' is not finalized");
  multibody::test::CartPole floating(0);
  floating.plant.Finalize();
  const VectorXd eight = VectorXd::Ones(8);
  EXPECT_THROWS_MESSAGE(Controller(floating.plant, eight, eight, eight, false),
                        std::logic_error,
                        "has 9 positions and 8 velocities, which are not");
}

}  // namespace inverse_dynamics_controller_test
}  // namespace wyvern::systems::controllers
