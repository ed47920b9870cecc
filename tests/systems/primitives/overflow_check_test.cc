#include "wyvern/systems/primitives/overflow_check.h"

#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/primitives/adder.h"
#include "wyvern/systems/primitives/discrete_derivative.h"
#include "wyvern/systems/primitives/discrete_time_delay.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/linear/linear_system.h"
#include "wyvern/systems/primitives/linear/matrix_gain.h"
#include "wyvern/systems/primitives/linear_transform_density.h"
#include "wyvern/systems/primitives/multilayer_perceptron.h"
#include "wyvern/systems/primitives/pass_through.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/sparse_matrix_gain.h"
#include "wyvern/systems/primitives/state_interpolator_with_discrete_derivative.h"

// Blocks that multiply and add say when their numbers get too large for a
// double; they hand on an infinity that they are given.

namespace wyvern::systems {
namespace overflow_check_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kHuge = 1e300;
constexpr double kInf = std::numeric_limits<double>::infinity();

// Fixes every element of every input at u, and evaluates the output.
VectorXd Output(const System<double>& system, double u) {
  auto context = system.CreateDefaultContext();
  for (int i = 0; i < system.num_input_ports(); ++i) {
    const InputPort<double>& port = system.get_input_port(i);
    // FixValue() refuses infinities: an output of another System may be one.
    context->FixInputPort(i, Value<BasicVector<double>>(BasicVector<double>(
                                 VectorXd::Constant(port.size(), u))));
  }
  return system.get_output_port(0).Eval(*context);
}

std::vector<std::unique_ptr<System<double>>> Multipliers() {
  std::vector<std::unique_ptr<System<double>>> result;
  result.push_back(std::make_unique<Gain<double>>(kHuge, 2));
  result.push_back(
      std::make_unique<MatrixGain<double>>(MatrixXd::Constant(2, 2, kHuge)));
  result.push_back(std::make_unique<SparseMatrixGain<double>>(
      MatrixXd::Constant(2, 2, kHuge).sparseView()));
  result.push_back(std::make_unique<LinearSystem<double>>(
      MatrixXd::Zero(1, 1), MatrixXd::Zero(1, 2), MatrixXd::Zero(2, 1),
      MatrixXd::Constant(2, 2, kHuge)));
  return result;
}

TEST(Overflow, OfAProductIsAnErrorWithAName) {
  for (const auto& system : Multipliers()) {
    system->set_name("huge");
    EXPECT_THROWS_MESSAGE(Output(*system, 1e10), std::runtime_error,
                          "System ::huge (" + system->GetSystemType() +
                              "): element 0 of its output overflows to inf");
    EXPECT_THROWS_MESSAGE(Output(*system, -1e10), std::runtime_error, "-inf");
    EXPECT_GE(Output(*system, 1)[0], kHuge);
  }
}

TEST(Overflow, OfASumIsAnErrorWithAName) {
  const Adder<double> adder(2, 1);
  EXPECT_THROWS_MESSAGE(Output(adder, 1e308), std::runtime_error,
                        "overflows to inf at time 0 s");
  EXPECT_EQ(Output(adder, 1e307)[0], 2e307);
}

TEST(Overflow, OfADerivativeIsAnErrorWithAName) {
  const DiscreteDerivative<double> derivative(1, 1e-3, false);
  auto context = derivative.CreateDefaultContext();
  derivative.set_input_history(context.get(), VectorXd::Constant(1, 1e306),
                               VectorXd::Constant(1, -1e306));
  EXPECT_THROWS_MESSAGE(derivative.get_output_port().Eval(*context),
                        std::runtime_error, "overflows to inf");
}

TEST(Overflow, OfAnAngleIsAnErrorWithAName) {
  Sine<double> sine(2.0, kHuge, 0.0, 1, false);
  sine.set_name("fast");
  EXPECT_THROWS_MESSAGE(Output(sine, 1e10), std::runtime_error,
                        "System ::fast (Sine<double>): element 0 of its output "
                        "overflows to ");
  EXPECT_EQ(Output(sine, 0)[0], 0);
  // Overflow in time, and in the second derivative alone.
  const Sine<double> timed(1.0, 1e200, 0.0, 1);
  const auto context = timed.CreateDefaultContext();
  context->SetTime(1e-200);
  EXPECT_NEAR(timed.get_output_port(0).Eval(*context)[0], std::sin(1), 1e-15);
  EXPECT_THROWS_MESSAGE(timed.get_output_port(2).Eval(*context),
                        std::runtime_error, "overflows to -inf");
}

TEST(Overflow, OfANetworkIsAnErrorWithAName) {
  // The two infinities of the hidden layer make a nan.
  MultilayerPerceptron<double> network({1, 2, 1}, kReLU);
  network.set_name("network");
  const auto context = network.CreateDefaultContext();
  network.SetWeights(context.get(), 0, MatrixXd::Constant(2, 1, kHuge));
  network.SetWeights(context.get(), 1, MatrixXd{{1, -1}});
  network.get_input_port().FixValue(context.get(), 1.0);
  EXPECT_EQ(network.get_output_port().Eval(*context)[0], 0);
  network.get_input_port().FixValue(context.get(), 1e10);
  EXPECT_THROWS_MESSAGE(network.get_output_port().Eval(*context),
                        std::runtime_error,
                        "::network (MultilayerPerceptron<double>): element 0");
}

TEST(Overflow, OfATransformedDensityIsAnErrorWithAName) {
  LinearTransformDensity<double> density(RandomDistribution::kGaussian, 2, 2);
  density.set_name("density");
  const auto context = density.CreateDefaultContext();
  density.get_input_port_w_in().FixValue(context.get(), VectorXd::Ones(2));
  density.FixConstantA(context.get(), 1e200 * MatrixXd::Identity(2, 2));
  EXPECT_EQ(density.get_output_port_w_out().Eval(*context)[1], 1e200);
  EXPECT_THROWS_MESSAGE(density.get_output_port_w_out_density().Eval(*context),
                        std::runtime_error, "A of '::density' is inf");
  density.get_input_port_w_in().FixValue(context.get(),
                                         VectorXd::Constant(2, 1e200));
  EXPECT_THROWS_MESSAGE(density.get_output_port_w_out().Eval(*context),
                        std::runtime_error,
                        "System ::density (LinearTransformDensity<double>): "
                        "element 0 of its output overflows to inf");
}

TEST(Overflow, OfAnInitialVelocityIsRefused) {
  const StateInterpolatorWithDiscreteDerivative<double> state(1, 10.0, true);
  const auto context = state.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(
      state.set_initial_state(context.get(), VectorXd::Zero(1),
                              VectorXd::Constant(1, -1e308)),
      std::logic_error, "position - time_step * velocity");
  const StateInterpolatorWithDiscreteDerivative<double> fast(1, 1e-3, false);
  const auto other = fast.CreateDefaultContext();
  fast.set_initial_position(other.get(), VectorXd::Constant(1, -1e306));
  fast.get_input_port().FixValue(other.get(), 1e306);
  other->SetDiscreteState(0, VectorXd::Constant(1, 1e306));
  EXPECT_THROWS_MESSAGE(fast.get_output_port().Eval(*other), std::runtime_error,
                        "overflows to inf");
}

TEST(Overflow, IsNotWhatWasInfiniteBefore) {
  // A limit that is none, doubled, is none.
  const Gain<double> gain(2.0, 1);
  auto context = gain.CreateDefaultContext();
  BasicVector<double> y(1);
  y[0] = kInf;
  gain.get_input_port().FixValue(context.get(), VectorXd::Ones(1));
  EXPECT_THROWS_MESSAGE(internal::RequireNoOverflow(gain, *context, y),
                        std::runtime_error, "though its inputs are finite");
  context->FixInputPort(0, Value<BasicVector<double>>(y));
  EXPECT_EQ(gain.get_output_port().Eval(*context)[0], kInf);
}

TEST(Sizes, ThatOverflowAreRefused) {
  constexpr int kMost = std::numeric_limits<int>::max();
  EXPECT_THROWS_MESSAGE(Gain<double>(1.0, kMost), std::logic_error,
                        "size is 2147483647; it must be at most");
  EXPECT_THROWS_MESSAGE(PassThrough<double>{kMost}, std::logic_error,
                        "it must be at most 100000000");
  EXPECT_THROWS_MESSAGE(Adder<double>(kMost, 1), std::logic_error,
                        "it must be at most 100000000");
  EXPECT_THROWS_MESSAGE(DiscreteTimeDelay<double>(0.1, 99999999, 99999999),
                        std::logic_error,
                        "the number of elements to keep is 9999999800000001");
  EXPECT_THROWS_MESSAGE(
      MultilayerPerceptron<double>(std::vector<int>{100000, 100000, 1}),
      std::logic_error, "the number of parameters is 10000100000");
}

}  // namespace overflow_check_test
}  // namespace wyvern::systems
