/** @file Blocks over time, in a Simulator. */

#include <cmath>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "tests/support/near.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/discrete_derivative.h"
#include "wyvern/systems/primitives/discrete_time_delay.h"
#include "wyvern/systems/primitives/first_order_low_pass_filter.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/vector_log_sink.h"
#include "wyvern/systems/primitives/zero_order_hold.h"

namespace wyvern::systems {
namespace {

constexpr double kPeriod = 0.1;
// The log is twice as fast as the blocks it looks at.
constexpr double kLogPeriod = kPeriod / 2;
constexpr double kEnd = 2.0;

// A source of size 1, a block and a log of the block, until kEnd.
template <typename Source, typename Block>
class LoggedRun {
 public:
  LoggedRun(std::unique_ptr<Source> source, std::unique_ptr<Block> block) {
    DiagramBuilder<double> builder;
    const auto* from = builder.AddSystem(std::move(source));
    const auto* through = builder.AddSystem(std::move(block));
    builder.Connect(from->get_output_port(0), through->get_input_port(0));
    sink_ = LogVectorOutput(through->get_output_port(0), &builder, kLogPeriod);
    diagram_ = builder.Build();
    simulator_ = std::make_unique<Simulator<double>>(*diagram_);
    simulator_->set_publish_every_time_step(false);
    simulator_->AdvanceTo(kEnd);
  }

  const VectorLog<double>& log() const {
    return sink_->FindLog(simulator_->get_context());
  }

 private:
  VectorLogSink<double>* sink_{};
  std::unique_ptr<Diagram<double>> diagram_;
  std::unique_ptr<Simulator<double>> simulator_;
};

std::unique_ptr<Sine<double>> UnitSine() {
  return std::make_unique<Sine<double>>(1, 1, 0, 1);
}

TEST(VectorLogSink, StampsAreExactMultiplesOfThePeriod) {
  const LoggedRun run(UnitSine(),
                      std::make_unique<ZeroOrderHold<double>>(kPeriod, 1));
  const auto& log = run.log();
  ASSERT_EQ(log.num_samples(), 41);
  for (int k = 0; k < log.num_samples(); ++k) {
    EXPECT_EQ(log.sample_times()[k], k * kLogPeriod);
  }
}

// A log entry at the time of a sample is made before or after it, depending on
// its side of the event order; in between there is no doubt.
TEST(ZeroOrderHold, HoldsTheSineInBetween) {
  const LoggedRun run(UnitSine(),
                      std::make_unique<ZeroOrderHold<double>>(kPeriod, 1));
  for (int k = 1; k < run.log().num_samples(); k += 2) {
    const double sampled_at = (k / 2) * kPeriod;
    EXPECT_EQ(run.log().data()(0, k), std::sin(sampled_at)) << k;
  }
}

TEST(DiscreteTimeDelay, DelaysTheSine) {
  constexpr int kDelay = 3;
  const LoggedRun run(UnitSine(), std::make_unique<DiscreteTimeDelay<double>>(
                                      kPeriod, kDelay, 1));
  for (int k = 1; k < run.log().num_samples(); k += 2) {
    const int sample = k / 2 - kDelay;
    EXPECT_EQ(run.log().data()(0, k),
              sample < 0 ? 0 : std::sin(sample * kPeriod))
        << k;
  }
}

// The slope between samples is the derivative in their middle up to h^2 / 24.
TEST(DiscreteDerivative, IsNearTheDerivativeOfTheSine) {
  const LoggedRun run(UnitSine(),
                      std::make_unique<DiscreteDerivative<double>>(1, kPeriod));
  EXPECT_EQ(run.log().data()(0, 1), 0);
  for (int k = 3; k < run.log().num_samples(); k += 2) {
    const double middle = (k / 2) * kPeriod - kPeriod / 2;
    EXPECT_NEAR(run.log().data()(0, k), std::cos(middle),
                kPeriod * kPeriod / 24);
  }
}

// z = 1 - exp(-t / tau); within the integrator's default accuracy.
TEST(FirstOrderLowPassFilter, FollowsAStepExponentially) {
  constexpr double kTimeConstant = 0.5;
  const LoggedRun run(
      std::make_unique<ConstantVectorSource<double>>(1.0),
      std::make_unique<FirstOrderLowPassFilter<double>>(kTimeConstant));
  for (int k = 0; k < run.log().num_samples(); ++k) {
    const double t = run.log().sample_times()[k];
    EXPECT_NEAR(run.log().data()(0, k), 1 - std::exp(-t / kTimeConstant), 1e-3);
  }
}

}  // namespace
}  // namespace wyvern::systems
