#include "wyvern/systems/primitives/saturation.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::systems {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

TEST(Saturation, ClampsToConstantLimits) {
  const Saturation<double> saturation(Vector3d(-1, -1, -1), Vector3d(1, 2, 3));
  auto context = saturation.CreateDefaultContext();
  saturation.get_input_port().FixValue(context.get(), Vector3d(-5, 1.5, 5));
  EXPECT_EQ(saturation.get_output_port().Eval(*context), Vector3d(-1, 1.5, 3));
}

TEST(Saturation, AnInfiniteLimitIsNone) {
  const Saturation<double> saturation(Vector2d(-INFINITY, 0),
                                      Vector2d(0, INFINITY));
  auto context = saturation.CreateDefaultContext();
  saturation.get_input_port().FixValue(context.get(), Vector2d(-1e9, 1e9));
  EXPECT_EQ(saturation.get_output_port().Eval(*context), Vector2d(-1e9, 1e9));
}

TEST(Saturation, ClampsToLimitsFromPorts) {
  const Saturation<double> saturation(2);
  auto context = saturation.CreateDefaultContext();
  saturation.get_input_port().FixValue(context.get(), Vector2d(-5, 5));
  saturation.get_max_value_port().FixValue(context.get(), Vector2d(1, 1));
  EXPECT_EQ(saturation.get_output_port().Eval(*context), Vector2d(-5, 1));
  saturation.get_min_value_port().FixValue(context.get(), Vector2d(-2, -2));
  EXPECT_EQ(saturation.get_output_port().Eval(*context), Vector2d(-2, 1));
}

TEST(Saturation, HasTheDerivativeOfWhatItGives) {
  const Saturation<AutoDiffXd> saturation(
      VectorX<AutoDiffXd>::Constant(2, AutoDiffXd(-1)),
      VectorX<AutoDiffXd>::Constant(2, AutoDiffXd(1)));
  auto context = saturation.CreateDefaultContext();
  VectorX<AutoDiffXd> u(2);
  u << AutoDiffXd(0.5, 1, 0), AutoDiffXd(2.0, 1, 0);
  saturation.get_input_port().FixValue(context.get(), u);
  const VectorX<AutoDiffXd>& y = saturation.get_output_port().Eval(*context);
  EXPECT_EQ(y[0].derivatives()[0], 1);
  EXPECT_TRUE(y[1].derivatives().isZero(0));
}

TEST(Saturation, ThrowsIfALimitPortIsCrossed) {
  const Saturation<double> saturation(1);
  auto context = saturation.CreateDefaultContext();
  saturation.get_input_port().FixValue(context.get(), 0.0);
  EXPECT_THROWS_MESSAGE(saturation.get_output_port().Eval(*context),
                        std::logic_error, "neither limit port");
  saturation.get_max_value_port().FixValue(context.get(), -1.0);
  saturation.get_min_value_port().FixValue(context.get(), 1.0);
  EXPECT_THROWS_MESSAGE(saturation.get_output_port().Eval(*context),
                        std::logic_error,
                        "min_value[0] = 1 is above max_value[0] = -1");
}

TEST(Saturation, RefusesBadLimits) {
  EXPECT_THROWS_MESSAGE(Saturation<double>(Vector2d(0, 3), Vector2d(1, 2)),
                        std::logic_error, "[1]");
  EXPECT_THROWS_MESSAGE(Saturation<double>(Vector2d(0, NAN), Vector2d(1, 2)),
                        std::logic_error, "min_value[1] is nan");
  EXPECT_THROWS_MESSAGE(Saturation<double>(Vector2d(0, 0), Vector3d(1, 2, 3)),
                        std::logic_error, "max_value has size 3");
  EXPECT_THROWS_MESSAGE(Saturation<double>(0), std::logic_error,
                        "the input size is 0");
}

TEST(Saturation, HasLimitPortsOnlyIfAskedFor) {
  const Saturation<double> saturation(Vector2d(0, 0), Vector2d(1, 1));
  EXPECT_THROWS_MESSAGE(saturation.get_max_value_port(), std::logic_error,
                        "get_max_value_port");
  EXPECT_THROWS_MESSAGE(saturation.get_min_value_port(), std::logic_error,
                        "construct it from a size");
}

}  // namespace
}  // namespace wyvern::systems
