#include "wyvern/systems/primitives/wrap_to_system.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::systems {
namespace {

using Eigen::Vector2d;

Vector2d Wrapped(double angle) {
  WrapToSystem<double> wrap(2);
  wrap.set_interval(1, -M_PI, M_PI);
  auto context = wrap.CreateDefaultContext();
  wrap.get_input_port().FixValue(context.get(), Vector2d(angle, angle));
  return wrap.get_output_port().Eval(*context);
}

TEST(WrapToSystem, WrapsTheChosenElementOnly) {
  for (double angle : {-10.0, -3.2, 0.5, 3.2, 100.0}) {
    const Vector2d y = Wrapped(angle);
    EXPECT_EQ(y[0], angle);
    EXPECT_GE(y[1], -M_PI);
    EXPECT_LT(y[1], M_PI);
    // Whole turns: rounding of 2 pi times up to 16 turns.
    EXPECT_NEAR(std::remainder(y[1] - angle, 2 * M_PI), 0, 1e-13);
  }
}

TEST(WrapToSystem, TheUpperEndIsOutsideAndTheLowerInside) {
  EXPECT_EQ(Wrapped(M_PI)[1], -M_PI);
  EXPECT_EQ(Wrapped(-M_PI)[1], -M_PI);
  EXPECT_LT(Wrapped(std::nextafter(-M_PI, -4))[1], M_PI);
}

TEST(WrapToSystem, KeepsDerivativesAndIntervalsOnConversion) {
  WrapToSystem<double> wrap(1);
  wrap.set_interval(0, 0, 1);
  const auto converted = System<double>::ToAutoDiffXd(wrap);
  auto context = converted->CreateDefaultContext();
  converted->get_input_port().FixValue(context.get(), AutoDiffXd(2.25, 1, 0));
  const AutoDiffXd& y = converted->get_output_port().Eval(*context)[0];
  EXPECT_EQ(y.value(), 0.25);
  EXPECT_EQ(y.derivatives()[0], 1);
}

TEST(WrapToSystem, RefusesBadIntervals) {
  EXPECT_THROWS_MESSAGE(WrapToSystem<double>(0), std::logic_error,
                        "input_size is 0");
  WrapToSystem<double> wrap(2);
  EXPECT_THROWS_MESSAGE(wrap.set_interval(2, 0, 1), std::out_of_range,
                        "index is 2; it must be from 0 to 1");
  EXPECT_THROWS_MESSAGE(wrap.set_interval(0, 1, 1), std::logic_error,
                        "[1, 1) is no interval");
  EXPECT_THROWS_MESSAGE(wrap.set_interval(0, NAN, 1), std::logic_error,
                        "low is nan; it must be finite");
}

}  // namespace
}  // namespace wyvern::systems
