#include "wyvern/systems/sensors/rotary_encoders.h"

#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/framework/context_serialization.h"

namespace wyvern::systems::sensors {
namespace rotary_encoders_test {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using std::numbers::pi;
using wyvern::test::Near;

VectorXd Measure(const RotaryEncoders<double>& encoders, const VectorXd& u,
                 Context<double>* context) {
  encoders.get_input_port().FixValue(context, u);
  return encoders.get_output_port().Eval(*context);
}
VectorXd Measure(const RotaryEncoders<double>& encoders, const VectorXd& u) {
  const auto context = encoders.CreateDefaultContext();
  return Measure(encoders, u, context.get());
}

TEST(RotaryEncoders, ShowTheTickBelow) {
  const RotaryEncoders<double> encoders({4, 360});
  const double degree = pi / 180;
  const VectorXd y = Measure(encoders, Vector2d(1.9 * pi, -0.5 * degree));
  EXPECT_TRUE(Near(y, Vector2d(1.5 * pi, -degree), 1e-15));
}

TEST(RotaryEncoders, AreBelowTheAngleByLessThanATick) {
  const RotaryEncoders<double> encoders({100, 4096, 1});
  const Vector3d tick = 2 * pi * Vector3d(1.0 / 100, 1.0 / 4096, 1);
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> draw(-50, 50);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d u(draw(generator), draw(generator), draw(generator));
    const VectorXd y = Measure(encoders, u);
    // To the round-off of an angle of 50.
    EXPECT_GE((u - y).minCoeff(), -1e-14);
    EXPECT_LE(((u - y).array() / tick.array()).maxCoeff(), 1 + 1e-10);
    const Vector3d count = y.array() / tick.array();
    EXPECT_TRUE(Near(count, count.array().round().matrix(), 1e-11));
  }
}

TEST(RotaryEncoders, SelectElementsExactly) {
  const RotaryEncoders<double> encoders(4, {3, 0});
  EXPECT_EQ(encoders.get_input_port().get_name(), "u0");
  EXPECT_EQ(encoders.get_output_port().get_name(), "y0");
  const VectorXd y = Measure(encoders, Eigen::Vector4d(0.1, 0.2, 0.3, 0.4));
  EXPECT_EQ(y, Vector2d(0.4, 0.1));
}

TEST(RotaryEncoders, SubtractTheirCalibrationOffsetsBeforeTheyCount) {
  const RotaryEncoders<double> encoders(3, {2, 1}, {8, 4});
  const auto context = encoders.CreateDefaultContext();
  EXPECT_EQ(encoders.get_calibration_offsets(*context), Vector2d::Zero());
  const Vector2d offsets(0.2, -0.4);
  encoders.set_calibration_offsets(context.get(), offsets);
  EXPECT_EQ(encoders.get_calibration_offsets(*context), offsets);
  const VectorXd y =
      Measure(encoders, Vector3d(0, 1.2, pi / 4 + 0.1), context.get());
  EXPECT_TRUE(Near(y, Vector2d(0, pi / 2), 1e-15));
}

TEST(RotaryEncoders, HaveDerivativesWhereTheyAreExactAndNoneWhereTheyCount) {
  const RotaryEncoders<double> exact(1, {0});
  const RotaryEncoders<double> counting({16});
  for (const RotaryEncoders<double>* encoders : {&exact, &counting}) {
    const auto of_autodiff = System<double>::ToAutoDiffXd(*encoders);
    const auto context = of_autodiff->CreateDefaultContext();
    VectorX<AutoDiffXd> u(1);
    u[0] = AutoDiffXd(0.7, 1, 0);
    of_autodiff->get_input_port(0).FixValue(context.get(), u);
    const VectorX<AutoDiffXd> y =
        of_autodiff->get_output_port(0).Eval(*context);
    EXPECT_EQ(y[0].value(), Measure(*encoders, VectorXd::Constant(1, 0.7))[0]);
    const auto slope = y[0].derivatives();
    EXPECT_EQ(slope.size() == 0 ? 0 : slope[0], encoders == &exact ? 1 : 0);
  }
}

TEST(RotaryEncoders, KeepAnAngleThatHasNoFractionOfATick) {
  const RotaryEncoders<double> encoders({1000});
  const double vast = std::numeric_limits<double>::max();
  EXPECT_EQ(Measure(encoders, VectorXd::Constant(1, vast))[0], vast);
  EXPECT_EQ(Measure(encoders, VectorXd::Constant(1, -1e300))[0], -1e300);
}

TEST(RotaryEncoders, RefuseWhatIsNoEncoder) {
  using D = RotaryEncoders<double>;
  EXPECT_THROWS_MESSAGE(D({100, 0}), std::logic_error,
                        "ticks_per_revolution is 0; it must be at least 1");
  EXPECT_THROWS_MESSAGE(D(std::vector<int>{}), std::logic_error,
                        "list of encoders is empty");
  EXPECT_THROWS_MESSAGE(D(2, {0, 2}), std::out_of_range,
                        "input_vector_indices is 2; it must be from 0 to 1");
  EXPECT_THROWS_MESSAGE(D(2, {0, 1}, {100}), std::logic_error,
                        "ticks_per_revolution has size 1; it must have size 2");
  EXPECT_THROWS_MESSAGE(D(-1, {0}), std::logic_error,
                        "input_port_size is -1; it must be at least 1");
  const D encoders({10});
  const auto context = encoders.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(
      encoders.set_calibration_offsets(context.get(), VectorXd::Zero(2)),
      std::logic_error, "has size 2; it must have size 1");
  EXPECT_THROWS_MESSAGE(encoders.set_calibration_offsets(
                            context.get(), VectorXd::Constant(1, NAN)),
                        std::logic_error, "must be finite");
}

}  // namespace rotary_encoders_test
}  // namespace wyvern::systems::sensors
