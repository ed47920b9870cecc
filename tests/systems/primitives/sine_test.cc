#include "wyvern/systems/primitives/sine.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::systems {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;

TEST(Sine, IsASineOfTime) {
  const Sine<double> sine(2, 3, 0.5, 1);
  auto context = sine.CreateDefaultContext();
  context->SetTime(0.7);
  const double angle = 3 * 0.7 + 0.5;
  EXPECT_DOUBLE_EQ(sine.get_output_port(0).Eval(*context)[0],
                   2 * std::sin(angle));
}

TEST(Sine, LaterOutputsAreTheDerivativesOfEarlierOnes) {
  const Sine<AutoDiffXd> sine(2, 3, 0.5, 1);
  auto context = sine.CreateDefaultContext();
  context->SetTime(AutoDiffXd(0.7, 1, 0));
  for (int i : {0, 1}) {
    const AutoDiffXd& y = sine.get_output_port(i).Eval(*context)[0];
    const AutoDiffXd& dy = sine.get_output_port(i + 1).Eval(*context)[0];
    EXPECT_NEAR(y.derivatives()[0], dy.value(), 1e-14);  // Rounding.
  }
}

TEST(Sine, TakesTheTimeFromItsInputIfNotTimeBased) {
  const Sine<double> sine(Vector2d(1, 2), Vector2d(1, 1), Vector2d(0, 0),
                          false);
  auto context = sine.CreateDefaultContext();
  context->SetTime(99);
  sine.get_input_port().FixValue(context.get(), Vector2d(M_PI / 2, M_PI / 6));
  EXPECT_DOUBLE_EQ(sine.get_output_port(0).Eval(*context)[0], 1);
  EXPECT_DOUBLE_EQ(sine.get_output_port(0).Eval(*context)[1], 1);
  EXPECT_FALSE(sine.is_time_based());
}

TEST(Sine, TellsItsNumbers) {
  const Sine<double> sine(2, 3, 0.5, 2);
  EXPECT_EQ(sine.amplitude(), 2);
  EXPECT_EQ(sine.frequency(), 3);
  EXPECT_EQ(sine.phase(), 0.5);
  EXPECT_TRUE(sine.is_time_based());
  const Vector2d different(1, 2);
  const Sine<double> two(different, different, different);
  EXPECT_THROWS_MESSAGE(two.amplitude(), std::logic_error,
                        "use amplitude_vector().");
  EXPECT_THROWS_MESSAGE(two.frequency(), std::logic_error, "frequency");
  EXPECT_THROWS_MESSAGE(two.phase(), std::logic_error, "phase");
}

TEST(Sine, RefusesBadArguments) {
  EXPECT_THROWS_MESSAGE(Sine<double>(1, NAN, 0, 2), std::logic_error,
                        "Sine(): frequency is nan");
  EXPECT_THROWS_MESSAGE(Sine<double>(1, 1, 0, -2), std::logic_error,
                        "size is -2");
  const Vector2d two(1, 2);
  EXPECT_THROWS_MESSAGE(Sine<double>(two, VectorXd::Ones(3), two),
                        std::logic_error, "frequencies has size 3");
  EXPECT_THROWS_MESSAGE(Sine<double>(two, two, VectorXd::Ones(3)),
                        std::logic_error, "phases has size 3");
  EXPECT_THROWS_MESSAGE(Sine<double>(two, two, Vector2d(0, INFINITY)),
                        std::logic_error, "phases[1] is inf");
}

}  // namespace
}  // namespace wyvern::systems
