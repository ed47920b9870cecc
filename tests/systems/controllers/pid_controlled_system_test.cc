#include "wyvern/systems/controllers/pid_controlled_system.h"

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/controllers/pid_controller.h"
#include "wyvern/systems/primitives/linear/linear_system.h"

namespace wyvern::systems::controllers {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kMass = 2;
constexpr double kKp = 3;
constexpr double kKi = 5;
constexpr double kKd = 7;

// Outputs [q, v], input force.
std::shared_ptr<LinearSystem<double>> MakeMass() {
  return std::make_shared<LinearSystem<double>>(MatrixXd{{0, 1}, {0, 0}},
                                                Vector2d(0, 1 / kMass),
                                                MatrixXd::Identity(2, 2));
}

// The derivatives [q', v', z'] of mass and integral z at the given values.
Vector3d ClosedLoopDerivatives(const Diagram<double>& loop, const Vector2d& x,
                               double z, const Vector2d& x_d, double u_ff) {
  auto context = loop.CreateDefaultContext();
  loop.GetInputPort("feedforward_control").FixValue(context.get(), u_ff);
  loop.GetInputPort("desired_state").FixValue(context.get(), x_d);
  // Misc states come after those of the plant, which was added first.
  context->SetContinuousState(Vector3d(x[0], x[1], z));
  return loop.EvalTimeDerivatives(*context).CopyToVector();
}

TEST(PidControlledSystem, ClosesTheLoop) {
  const PidControlledSystem<double> loop(MakeMass(), kKp, kKi, kKd);
  const Vector2d x(0.1, 0.2);
  const Vector2d x_d(1, 3);
  const double z = 0.5;
  const double u_ff = 11;
  const double u =
      u_ff + kKp * (x_d[0] - x[0]) + kKd * (x_d[1] - x[1]) + kKi * z;
  EXPECT_TRUE(test::Near(ClosedLoopDerivatives(loop, x, z, x_d, u_ff),
                         Vector3d(x[1], u / kMass, x_d[0] - x[0]), 1e-14));
}

// m s^3 + kd s^2 + kp s + ki is the characteristic polynomial.
TEST(PidControlledSystem, HasTheCharacteristicPolynomialOfTheTextbook) {
  const PidControlledSystem<double> loop(MakeMass(), kKp, kKi, kKd);
  auto context = loop.CreateDefaultContext();
  loop.get_control_input_port().FixValue(context.get(), 0.0);
  loop.get_state_input_port().FixValue(context.get(), Vector2d(0, 0));
  const auto linear = Linearize(loop, *context);
  const MatrixXd& A = linear->A();
  const MatrixXd polynomial = kMass * A * A * A + kKd * A * A + kKp * A +
                              kKi * MatrixXd::Identity(3, 3);
  EXPECT_TRUE(test::Near(polynomial, MatrixXd::Zero(3, 3), 1e-12));
}

TEST(PidControlledSystem, ShowsThePlantsOutputs) {
  const auto mass = MakeMass();
  PidControlledSystem<double> loop(mass, kKp, kKi, kKd);
  EXPECT_EQ(loop.plant(), mass.get());
  auto context = loop.CreateDefaultContext();
  context->SetContinuousState(Vector3d(1, 2, 0));
  EXPECT_EQ(loop.get_state_output_port().Eval(*context), Vector2d(1, 2));
  EXPECT_EQ(loop.get_state_output_port().get_name(),
            mass->get_output_port().get_name());
}

TEST(PidControlledSystem, ControlsASelectionOfTheState) {
  const MatrixXd swap{{0, 1}, {1, 0}};
  const PidControlledSystem<double> loop(MakeMass(), swap, kKp, kKi, kKd);
  const Vector3d xdot =
      ClosedLoopDerivatives(loop, Vector2d(0.1, 0.2), 0, Vector2d(1, 3), 0);
  EXPECT_NEAR(xdot[1] * kMass, kKp * (1 - 0.2) + kKd * (3 - 0.1), 1e-14);
}

TEST(PidControlledSystem, SaturatesTheInputIfAsked) {
  DiagramBuilder<double> builder;
  auto* mass = builder.AddSystem(MakeMass());
  const VectorXd gain = VectorXd::Constant(1, 100);
  const auto open =
      PidControlledSystem<double>::ConnectControllerWithInputSaturation(
          mass->get_input_port(), mass->get_output_port(), gain, gain, gain,
          VectorXd::Constant(1, -2), VectorXd::Constant(1, 4), &builder);
  builder.ExportInput(open.control_input_port, "feedforward_control");
  builder.ExportInput(open.state_input_port, "desired_state");
  const auto loop = builder.Build();
  const Vector2d rest(0, 0);
  EXPECT_EQ(ClosedLoopDerivatives(*loop, rest, 0, Vector2d(1, 0), 0)[1],
            4 / kMass);
  EXPECT_EQ(ClosedLoopDerivatives(*loop, rest, 0, Vector2d(-1, 0), 0)[1],
            -2 / kMass);
}

TEST(PidControlledSystem, ABuilderIsAsItWasWhenALoopIsRefused) {
  DiagramBuilder<double> builder;
  auto* mass = builder.AddSystem(MakeMass());
  const VectorXd gain = VectorXd::Constant(1, 100);
  const VectorXd low = VectorXd::Constant(1, -2);
  const auto connect = [&](const VectorXd& Kp, const VectorXd& high,
                           DiagramBuilder<double>* where) {
    PidControlledSystem<double>::ConnectControllerWithInputSaturation(
        mass->get_input_port(), mass->get_output_port(), Kp, gain, gain, low,
        high, where);
  };
  const VectorXd high = VectorXd::Constant(1, 4);
  const Vector2d two(1, 1);
  EXPECT_THROWS_MESSAGE(connect(two, high, &builder), std::logic_error,
                        "Kp has size 2");
  EXPECT_EQ(builder.GetSystems().size(), 1u);
  // One of two limits does not fit the plant's input.
  const VectorXd lows = Vector2d(-2, -2);
  EXPECT_THROW(
      PidControlledSystem<double>::ConnectControllerWithInputSaturation(
          mass->get_input_port(), mass->get_output_port(), gain, gain, gain,
          lows, two, &builder),
      std::logic_error);
  EXPECT_EQ(builder.GetSystems().size(), 1u);
  EXPECT_THROWS_MESSAGE(connect(gain, high, nullptr), std::logic_error,
                        "builder is null");
  DiagramBuilder<double> strange;
  EXPECT_THROWS_MESSAGE(connect(gain, high, &strange), std::logic_error,
                        "has not been added");
  EXPECT_TRUE(strange.GetSystems().empty());
  connect(gain, high, &builder);
  EXPECT_EQ(builder.GetSystems().size(), 4u);
  // The input is taken now.
  EXPECT_THROWS_MESSAGE(PidControlledSystem<double>::ConnectController(
                            mass->get_input_port(), mass->get_output_port(),
                            gain, gain, gain, &builder),
                        std::logic_error, "takes one source");
  EXPECT_EQ(builder.GetSystems().size(), 4u);
}

TEST(PidControlledSystem, RefusesBadArguments) {
  using Loop = PidControlledSystem<double>;
  EXPECT_THROWS_MESSAGE(Loop(nullptr, kKp, kKi, kKd), std::logic_error,
                        "PidControlledSystem(): plant is null");
  EXPECT_THROWS_MESSAGE(Loop(MakeMass(), NAN, kKi, kKd), std::logic_error,
                        "kp[0] is nan");
  const Vector2d two(1, 1);
  EXPECT_THROWS_MESSAGE(Loop(MakeMass(), two, two, two), std::logic_error,
                        "Kp has size 2; it must have size 1.");
  EXPECT_THROWS_MESSAGE(Loop(MakeMass(), MatrixXd::Zero(2, 3), 1, 1, 1),
                        std::logic_error,
                        "feedback_selector is 2 x 3; it must be 2 x 2.");
  EXPECT_THROW(Loop(MakeMass(), kKp, kKi, kKd, 1), std::out_of_range);
  EXPECT_THROW(Loop(MakeMass(), kKp, kKi, kKd, 0, 1), std::out_of_range);
}

}  // namespace
}  // namespace wyvern::systems::controllers
