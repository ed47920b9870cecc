/** @file Blocks with modes and memory, in a Simulator. */

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/backlash.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/first_order_low_pass_filter.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/limited_integrator.h"
#include "wyvern/systems/primitives/rate_limiter.h"
#include "wyvern/systems/primitives/relay.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/threshold_switch.h"
#include "wyvern/systems/primitives/waveform_source.h"
#include "wyvern/systems/primitives/zero_order_hold.h"

namespace wyvern::systems {
namespace modal_blocks_test {

using Eigen::VectorXd;

constexpr double kAccuracy = 1e-10;

// Sources, the block that they feed, in the order of its ports, and the
// integral of its output.
class Bench {
 public:
  Bench(std::unique_ptr<System<double>> block,
        std::vector<std::unique_ptr<System<double>>> sources) {
    DiagramBuilder<double> builder;
    block_ = builder.AddSystem(std::move(block));
    for (size_t i = 0; i < sources.size(); ++i) {
      const auto* source = builder.AddSystem(std::move(sources[i]));
      builder.Connect(source->get_output_port(0),
                      block_->get_input_port(static_cast<int>(i)));
    }
    integral_ = builder.AddSystem<Integrator<double>>(
        block_->get_output_port(0).size());
    builder.Connect(block_->get_output_port(0), integral_->get_input_port(0));
    diagram_ = builder.Build();
    simulator_ = std::make_unique<Simulator<double>>(*diagram_);
    simulator_->get_mutable_context().SetAccuracy(kAccuracy);
    simulator_->get_mutable_integrator().set_target_accuracy(kAccuracy);
    simulator_->get_mutable_integrator().set_maximum_step_size(0.01);
  }

  double AdvanceTo(double time) {
    simulator_->AdvanceTo(time);
    return block_->get_output_port(0).Eval(context())[0];
  }
  double integral() const {
    return integral_->get_output_port(0).Eval(
        integral_->GetMyContextFromRoot(simulator_->get_context()))[0];
  }
  const Context<double>& context() const {
    return block_->GetMyContextFromRoot(simulator_->get_context());
  }

 private:
  System<double>* block_{};
  Integrator<double>* integral_{};
  std::unique_ptr<Diagram<double>> diagram_;
  std::unique_ptr<Simulator<double>> simulator_;
};

template <typename... Sources>
Bench MakeBench(std::unique_ptr<System<double>> block, Sources... sources) {
  std::vector<std::unique_ptr<System<double>>> all;
  (all.push_back(std::move(sources)), ...);
  return Bench(std::move(block), std::move(all));
}

std::unique_ptr<System<double>> Source(const Waveform& waveform) {
  return std::make_unique<WaveformSource<double>>(waveform);
}

std::unique_ptr<System<double>> UnitSine() {
  return std::make_unique<Sine<double>>(1, 1, 0, 1);
}

std::unique_ptr<System<double>> Limited(const LimitedIntegratorOptions& o) {
  return std::make_unique<LimitedIntegrator<double>>(o);
}

// sin t rises to 1/2 at pi/6 and falls to -1/2 at 7 pi/6.
TEST(Relay, SwitchesAtItsPointsAlone) {
  auto bench =
      MakeBench(std::make_unique<Relay<double>>(0.5, -0.5, 3, 1), UnitSine());
  const double on = M_PI / 6;
  const double off = 7 * M_PI / 6;
  EXPECT_EQ(bench.AdvanceTo(on - 1e-6), 1);
  EXPECT_EQ(bench.AdvanceTo(on + 1e-6), 3);
  EXPECT_EQ(bench.AdvanceTo(off - 1e-6), 3);
  EXPECT_EQ(bench.AdvanceTo(off + 1e-6), 1);
  bench.AdvanceTo(4);
  EXPECT_NEAR(bench.integral(), 4 + 2 * (off - on), 1e-9);
}

// Edges of sources and new samples act at their moment.
TEST(Relay, FollowsJumpsAtOnce) {
  auto pulses = MakeBench(std::make_unique<Relay<double>>(0.5, 0.1),
                          Source(Waveform::PulseTrain(1, 0.25, 1)));
  pulses.AdvanceTo(3);
  EXPECT_NEAR(pulses.integral(), 0.75, 1e-12);

  DiagramBuilder<double> builder;
  auto* clock = builder.AddSystem<WaveformSource<double>>(Waveform::Clock());
  auto* hold = builder.AddSystem<ZeroOrderHold<double>>(0.3, 1);
  auto* relay = builder.AddSystem<Relay<double>>(0.5, 0.1);
  auto* integrator = builder.AddSystem<Integrator<double>>(1);
  builder.Cascade(*clock, *hold);
  builder.Cascade(*hold, *relay);
  builder.Cascade(*relay, *integrator);
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  simulator.AdvanceTo(1);
  EXPECT_NEAR(simulator.get_context().get_continuous_state_vector()[0], 0.4,
              1e-12);
}

TEST(Relay, SwitchesOnWhereItsInputRestsAtThePoint) {
  auto relay = MakeBench(std::make_unique<Relay<double>>(0.5, 0.1),
                         Source(Waveform::Step(0.25, 0, 0.5)));
  relay.AdvanceTo(1);
  EXPECT_NEAR(relay.integral(), 0.75, 1e-12);
  auto at_start = MakeBench(std::make_unique<Relay<double>>(0.5, 0.1),
                            Source(Waveform::Step(9, 0.5, 0)));
  at_start.AdvanceTo(1);
  EXPECT_NEAR(at_start.integral(), 1, 1e-12);
}

TEST(Relay, RefusesPointsWithoutAGap) {
  EXPECT_THROWS_MESSAGE(Relay<double>(1, 1), std::logic_error,
                        "off_point = 1 is not below on_point = 1");
  EXPECT_THROWS_MESSAGE(Relay<double>(NAN, 1), std::logic_error,
                        "on_point is nan");
}

TEST(ThresholdSwitch, RefusesAHysteresisThatRoundingRemoves) {
  EXPECT_THROWS_MESSAGE(ThresholdSwitch<double>(1e20, 1), std::logic_error,
                        "is not below on_point");
}

// x' = u - x with u = 1 - 2 relay(x): x approaches 1 and -1 in turn, and takes
// ln 3 for each way between -1/2 and 1/2.
TEST(Relay, DrivesALimitCycleOfTheRightPeriod) {
  DiagramBuilder<double> builder;
  auto* relay = builder.AddSystem<Relay<double>>(0.5, -0.5, -1, 1);
  auto* lag = builder.AddSystem<FirstOrderLowPassFilter<double>>(1.0);
  builder.Cascade(*relay, *lag);
  builder.Cascade(*lag, *relay);
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  simulator.get_mutable_context().SetAccuracy(1e-9);
  simulator.get_mutable_integrator().set_target_accuracy(1e-9);
  const double first = std::log(2.0);  // from 0 to 1/2
  simulator.AdvanceTo(first + 6 * std::log(3.0) + 0.1);
  EXPECT_NEAR(simulator.get_context().get_continuous_state_vector()[0],
              1.5 * std::exp(-0.1) - 1, 1e-6);
}

TEST(ThresholdSwitch, ChoosesByItsControl) {
  const ThresholdSwitch<double> block(0.5, 0, 2);
  const auto context = block.CreateDefaultContext();
  block.get_input_port(0).FixValue(context.get(), Eigen::Vector2d(1, 2));
  block.get_input_port(2).FixValue(context.get(), Eigen::Vector2d(3, 4));
  block.get_input_port(1).FixValue(context.get(), 0.5);
  EXPECT_EQ(block.get_output_port().Eval(*context), Eigen::Vector2d(1, 2));
  block.get_input_port(1).FixValue(context.get(), 0.49);
  EXPECT_EQ(block.get_output_port().Eval(*context), Eigen::Vector2d(3, 4));
  EXPECT_THROWS_MESSAGE(ThresholdSwitch<double>(0.5, -1), std::logic_error,
                        "hysteresis is -1");
  EXPECT_THROWS_MESSAGE(ThresholdSwitch<double>(0.5, 0, 3, 2), std::logic_error,
                        "control_size is 2; it must be 1 or the size 3");
}

TEST(ThresholdSwitch, HasHysteresis) {
  auto bench = MakeBench(std::make_unique<ThresholdSwitch<double>>(0, 1),
                         Source(Waveform::Clock()), UnitSine(),
                         Source(Waveform::Step(0, 0, -1)));
  const double on = M_PI / 6;
  const double off = 7 * M_PI / 6;
  EXPECT_EQ(bench.AdvanceTo(on - 1e-6), -1);
  EXPECT_NEAR(bench.AdvanceTo(on + 1e-6), on, 2e-6);
  EXPECT_EQ(bench.AdvanceTo(off + 1e-6), -1);
  EXPECT_NEAR(bench.integral(), -on + (off * off - on * on) / 2, 1e-5);
}

// u = cos t: x = sin t up to the limit at asin(0.5), stays until u < 0 at pi/2,
// then x = 0.5 - (1 - sin t).
TEST(LimitedIntegrator, IsExactAtALimit) {
  auto bench = MakeBench(Limited({.upper = 0.5}),
                         std::make_unique<Sine<double>>(1, 1, M_PI / 2, 1));
  EXPECT_NEAR(bench.AdvanceTo(0.4), std::sin(0.4), 1e-10);
  EXPECT_EQ(bench.AdvanceTo(1), 0.5);
  EXPECT_EQ(bench.AdvanceTo(M_PI / 2), 0.5);
  EXPECT_NEAR(bench.AdvanceTo(3), 0.5 - 1 + std::sin(3.0), 1e-9);
}

TEST(LimitedIntegrator, StaysAtTheLowerLimitWithoutInput) {
  auto bench = MakeBench(Limited({.lower = -1, .upper = 1}),
                         Source(Waveform::Pulse(0, 3, -1)));
  EXPECT_EQ(bench.AdvanceTo(2), -1);
  EXPECT_EQ(bench.AdvanceTo(5), -1);
}

// Resets at 0.9, 1.9, 2.9 to 0.25, from where the state rises with the rate 2.
TEST(LimitedIntegrator, ResetsWhenTheSignalRises) {
  auto bench =
      MakeBench(Limited({.initial_value = 0.25, .has_reset_port = true}),
                Source(Waveform::Step(0, 0, 2)),
                Source(Waveform::PulseTrain(1, 0.1, 1, 0, 0.9)));
  EXPECT_NEAR(bench.AdvanceTo(0.5), 0.25 + 1, 1e-12);
  EXPECT_NEAR(bench.AdvanceTo(1.75), 0.25 + 2 * 0.85, 1e-12);
  EXPECT_NEAR(bench.AdvanceTo(3.75), 0.25 + 2 * 0.85, 1e-12);
}

TEST(LimitedIntegrator, StartsFromTheInitialValueOfItsPort) {
  auto bench = MakeBench(Limited({.upper = 5, .has_initial_value_port = true}),
                         Source(Waveform::Step(0, 0, 1)),
                         std::make_unique<ConstantVectorSource<double>>(4.5));
  EXPECT_NEAR(bench.AdvanceTo(0.25), 4.75, 1e-12);
  EXPECT_EQ(bench.AdvanceTo(2), 5);
}

// At the limit 0.5 from 0.5 s on; u is 0 from 1 s and falls from 2 s on, where
// the guard of leaving the limit is exactly zero.
TEST(LimitedIntegrator, LeavesALimitWhereItsInputIsStillZero) {
  auto bench = MakeBench(Limited({.upper = 0.5}),
                         Source(Waveform::PiecewiseLinear(
                             0, 0, 0, {{0, 1, 0}, {1, 0, 0}, {2, 0, -1}})));
  EXPECT_EQ(bench.AdvanceTo(2), 0.5);
  EXPECT_NEAR(bench.AdvanceTo(3), 0, 1e-8);
}

TEST(ModalBlocks, GoOnInACopiedContext) {
  DiagramBuilder<double> builder;
  auto* source = builder.AddSystem(Source(Waveform::Pulse(1, 1, 1.5)));
  auto* limiter = builder.AddSystem<RateLimiter<double>>(2, 4, 0.01);
  auto* integrator =
      builder.AddSystem(Limited({.has_initial_value_port = true}));
  builder.Connect(*source, *limiter);
  builder.Connect(source->get_output_port(0), integrator->get_input_port(0));
  builder.Connect(source->get_output_port(0), integrator->get_input_port(1));
  builder.ExportOutput(limiter->get_output_port(0));
  builder.ExportOutput(integrator->get_output_port(0));
  const auto diagram = builder.Build();
  Simulator<double> whole(*diagram);
  whole.AdvanceTo(1.25);
  Simulator<double> copy(*diagram, whole.get_context().Clone());
  copy.AdvanceTo(1.5);
  EXPECT_NEAR(diagram->get_output_port(0).Eval(copy.get_context())[0], 1,
              1e-10);
  EXPECT_NEAR(diagram->get_output_port(1).Eval(copy.get_context())[0], 0.75,
              1e-10);
}

TEST(LimitedIntegrator, RefusesBadOptions) {
  EXPECT_THROWS_MESSAGE(Limited({.lower = 1, .upper = 1}), std::logic_error,
                        "lower = 1 is not below upper = 1");
  EXPECT_THROWS_MESSAGE(Limited({.upper = 1, .initial_value = 2}),
                        std::logic_error, "initial_value is 2");
  EXPECT_THROWS_MESSAGE(Limited({.upper = NAN}), std::logic_error,
                        "upper = nan");
}

// The play operator on a triangle from -1 to 1 with period 1: y runs behind at
// 0.2 and stands still for 0.4 / 4 of time after a reversal.
TEST(Backlash, FollowsAtTheDistanceOfHalfItsWidth) {
  auto bench = MakeBench(std::make_unique<Backlash<double>>(0.4, -0.8),
                         Source(Waveform::Triangle(1, 1)));
  EXPECT_NEAR(bench.AdvanceTo(0.05), -0.8, 1e-12);
  EXPECT_NEAR(bench.AdvanceTo(0.3), 0.2 - 0.2, 1e-12);
  EXPECT_NEAR(bench.AdvanceTo(0.55), 0.8, 1e-12);
  EXPECT_NEAR(bench.AdvanceTo(0.65), 0.4 + 0.2, 1e-12);
  EXPECT_THROWS_MESSAGE(Backlash<double>(-1), std::logic_error, "width is -1");
}

// With the lag 0.01 and the rates 2 and 4, y rises in a line to 0.02 below 1.5,
// and from there as exp(-t / lag).
TEST(RateLimiter, RisesAndFallsAtItsRates) {
  auto bench = MakeBench(std::make_unique<RateLimiter<double>>(2, 4, 0.01),
                         Source(Waveform::Pulse(1, 1, 1.5)));
  EXPECT_EQ(bench.AdvanceTo(0.9), 0);
  EXPECT_NEAR(bench.AdvanceTo(1.5), 1, 1e-12);
  EXPECT_NEAR(bench.AdvanceTo(1.74 + 0.02), 1.5 - 0.02 * std::exp(-2), 1e-6);
  EXPECT_NEAR(bench.AdvanceTo(2), 1.5, 1e-9);
  EXPECT_NEAR(bench.AdvanceTo(2.25), 0.5, 1e-9);
  EXPECT_NEAR(bench.AdvanceTo(2.7), 0, 1e-9);
}

TEST(RateLimiter, StartsAtItsInputAndRefusesRatesOfZero) {
  auto bench = MakeBench(std::make_unique<RateLimiter<double>>(2, 4),
                         Source(Waveform::Step(5, 3, 0)));
  EXPECT_NEAR(bench.AdvanceTo(1), 3, 1e-12);
  EXPECT_THROWS_MESSAGE(RateLimiter<double>(0, 1), std::logic_error,
                        "rising is 0");
  EXPECT_THROWS_MESSAGE(RateLimiter<double>(1, 1, 0), std::logic_error,
                        "lag is 0");
}

}  // namespace modal_blocks_test
}  // namespace wyvern::systems
