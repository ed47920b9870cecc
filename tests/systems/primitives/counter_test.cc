#include "wyvern/systems/primitives/counter.h"

#include <limits>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/waveform_source.h"

namespace wyvern::systems {
namespace counter_test {

// Counts at 1, 2, ...; returns the counts after each of them.
std::vector<double> RunCounter(const CounterSettings& settings, int num_counts,
                               const Waveform& down = Waveform::Step(0, 0, 0),
                               const Waveform& reset = Waveform::Step(0, 0,
                                                                      0)) {
  DiagramBuilder<double> builder;
  auto* counter = builder.AddSystem<Counter<double>>(settings);
  for (int i = 0; i < counter->num_input_ports(); ++i) {
    const InputPort<double>& port = counter->get_input_port(i);
    const bool is_down = port.get_name() == "down";
    builder.Connect(
        builder.AddSystem<WaveformSource<double>>(is_down ? down : reset)
            ->get_output_port(),
        port);
  }
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  std::vector<double> counts;
  for (int k = 1; k <= num_counts; ++k) {
    simulator.AdvanceTo(k + 0.5);
    counts.push_back(counter->get_output_port(0).Eval(
        counter->GetMyContextFromRoot(simulator.get_context()))[0]);
  }
  return counts;
}

using Counts = std::vector<double>;

TEST(Counter, CountsFromItsFirstPeriodOn) {
  EXPECT_EQ(RunCounter({}, 3), (Counts{1, 2, 3}));
  EXPECT_EQ(RunCounter({.period = 2, .step = 5, .initial = 1}, 4),
            (Counts{1, 6, 6, 11}));
}

// lower + (initial - lower + k step) mod n, n = 5.
TEST(Counter, WrapsInBothDirections) {
  EXPECT_EQ(RunCounter({.initial = 1, .lower = -2, .upper = 2}, 4),
            (Counts{2, -2, -1, 0}));
  EXPECT_EQ(RunCounter({.step = -3, .lower = -2, .upper = 2}, 4),
            (Counts{2, -1, 1, -2}));
  EXPECT_EQ(RunCounter({.step = 12, .lower = -2, .upper = 2}, 2),
            (Counts{2, -1}));
  constexpr int kMax = std::numeric_limits<int>::max();
  constexpr int kMin = std::numeric_limits<int>::min();
  EXPECT_EQ(RunCounter({.initial = kMax, .lower = kMin}, 1),
            (Counts{1.0 * kMin}));
}

TEST(Counter, StopsAtItsLimits) {
  const CounterSettings settings{.step = 2,
                                 .lower = -1,
                                 .upper = 3,
                                 .at_limit = CounterLimit::kStop,
                                 .has_down_port = true};
  EXPECT_EQ(RunCounter(settings, 5, Waveform::Step(2.5, 0, 1)),
            (Counts{2, 3, 1, -1, -1}));
}

TEST(Counter, AResetGoesBeforeTheCount) {
  const CounterSettings settings{
      .initial = 4, .has_down_port = true, .has_reset_port = true};
  EXPECT_EQ(RunCounter(settings, 5, Waveform::Step(3.5, 0, 1),
                       Waveform::Pulse(2.5, 1, 1, 0)),
            (Counts{5, 6, 4, 3, 2}));
}

TEST(Counter, RefusesBadSettings) {
  const auto make = [](const CounterSettings& settings) {
    return std::make_unique<Counter<double>>(settings);
  };
  EXPECT_THROWS_MESSAGE(make({.period = 0}), std::logic_error, "period is 0");
  EXPECT_THROWS_MESSAGE(
      make({.period = std::numeric_limits<double>::quiet_NaN()}),
      std::logic_error, "period is nan");
  EXPECT_THROWS_MESSAGE(make({.lower = 2, .upper = 1}), std::logic_error,
                        "lower is 2, above upper");
  EXPECT_THROWS_MESSAGE(make({.initial = 5, .upper = 4}), std::logic_error,
                        "initial is 5; it must be from 0 to 4");
}

}  // namespace counter_test
}  // namespace wyvern::systems
