#include "wyvern/systems/primitives/pass_through.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::systems {
namespace {

using Eigen::Vector2d;

TEST(PassThrough, GivesItsInput) {
  const PassThrough<double> pass(2);
  auto context = pass.CreateDefaultContext();
  pass.get_input_port().FixValue(context.get(), Vector2d(1, 2));
  EXPECT_EQ(pass.get_output_port().Eval(*context), Vector2d(1, 2));
}

TEST(PassThrough, GivesItsDefaultIfNothingIsConnected) {
  const PassThrough<double> zero(2);
  EXPECT_EQ(zero.get_output_port().Eval(*zero.CreateDefaultContext()),
            Vector2d(0, 0));
  const PassThrough<double> pass(Vector2d(3, 4));
  EXPECT_EQ(pass.get_output_port().Eval(*pass.CreateDefaultContext()),
            Vector2d(3, 4));
}

TEST(PassThrough, GivesAnAbstractValue) {
  const PassThrough<double> pass(Value<std::string>("none"));
  auto context = pass.CreateDefaultContext();
  EXPECT_EQ(pass.get_output_port().Eval<std::string>(*context), "none");
  pass.get_input_port().FixValue(context.get(), std::string("wing"));
  EXPECT_EQ(pass.get_output_port().Eval<std::string>(*context), "wing");
}

TEST(PassThrough, KeepsAbstractValuesOnScalarConversion) {
  const PassThrough<double> pass(Value<std::string>("none"));
  const auto converted = pass.ToAutoDiffXd();
  const auto context = converted->CreateDefaultContext();
  EXPECT_EQ(converted->get_output_port().Eval<std::string>(*context), "none");
}

TEST(PassThrough, RefusesBadArguments) {
  EXPECT_THROWS_MESSAGE(PassThrough<double>(-1), std::logic_error,
                        "vector_size is -1");
  EXPECT_THROWS_MESSAGE(PassThrough<double>(Vector2d(NAN, 0)), std::logic_error,
                        "value[0] is nan");
}

}  // namespace
}  // namespace wyvern::systems
