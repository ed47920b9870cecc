#include "wyvern/systems/primitives/adder.h"

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::systems {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;

TEST(Adder, SumsItsInputs) {
  const Adder<double> adder(3, 2);
  auto context = adder.CreateDefaultContext();
  adder.get_input_port(0).FixValue(context.get(), Vector2d(1, 2));
  adder.get_input_port(1).FixValue(context.get(), Vector2d(10, 20));
  adder.get_input_port(2).FixValue(context.get(), Vector2d(100, 200));
  EXPECT_EQ(adder.GetOutputPort("sum").Eval(*context), Vector2d(111, 222));
}

TEST(Adder, PassesDerivativesOn) {
  const Adder<AutoDiffXd> adder(2, 1);
  auto context = adder.CreateDefaultContext();
  adder.get_input_port(0).FixValue(context.get(), AutoDiffXd(1.0, 2, 0));
  adder.get_input_port(1).FixValue(context.get(), AutoDiffXd(2.0, 2, 1));
  const AutoDiffXd sum = adder.get_output_port().Eval(*context)[0];
  EXPECT_EQ(sum.value(), 3);
  EXPECT_EQ(sum.derivatives(), Vector2d(1, 1));
}

TEST(Adder, RefusesToAddNothing) {
  EXPECT_THROWS_MESSAGE(Adder<double>(0, 2), std::logic_error,
                        "Adder(): num_inputs is 0; it must be at least 1.");
  EXPECT_THROWS_MESSAGE(Adder<double>(2, -1), std::logic_error,
                        "Adder(): size is -1");
}

TEST(Adder, ThrowsIfAnInputIsNotConnected) {
  const Adder<double> adder(2, 1);
  auto context = adder.CreateDefaultContext();
  adder.get_input_port(0).FixValue(context.get(), 1.0);
  EXPECT_THROWS_MESSAGE(adder.get_output_port().Eval(*context),
                        std::logic_error, "u1");
}

}  // namespace
}  // namespace wyvern::systems
