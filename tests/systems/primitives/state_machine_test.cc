#include "wyvern/systems/primitives/state_machine.h"

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/waveform_source.h"

namespace wyvern::systems {
namespace state_machine_test {

using Eigen::VectorXd;

// A guard on element 0 of the input.
StateChart::Guard Rises(double level) {
  return [level](const ChartMoment& now) { return now.u[0] - level; };
}
StateChart::Guard Falls(double level) {
  return [level](const ChartMoment& now) { return level - now.u[0]; };
}

// A machine fed by a source, beside an integrator, so that there are steps.
class Bench {
 public:
  Bench(const StateChart& chart, std::unique_ptr<System<double>> source) {
    DiagramBuilder<double> builder;
    const auto* input = builder.AddSystem(std::move(source));
    machine_ = builder.AddSystem<StateMachine<double>>(chart, 1);
    auto* integrator = builder.AddSystem<Integrator<double>>(1);
    builder.Connect(input->get_output_port(0), machine_->get_input_port(0));
    builder.Connect(input->get_output_port(0), integrator->get_input_port(0));
    diagram_ = builder.Build();
    simulator_ = std::make_unique<Simulator<double>>(*diagram_);
    simulator_->get_mutable_integrator().set_maximum_step_size(0.05);
    simulator_->get_mutable_context().SetAccuracy(1e-14);
  }
  std::string AdvanceTo(double time) {
    simulator_->AdvanceTo(time);
    return machine_->get_active_name(context());
  }
  const Context<double>& context() const {
    return machine_->GetMyContextFromRoot(simulator_->get_context());
  }
  double Output(int i) const {
    return machine_->get_output_port(0).Eval(context())[i];
  }
  const StateMachine<double>& machine() const { return *machine_; }

 private:
  StateMachine<double>* machine_{};
  std::unique_ptr<Diagram<double>> diagram_;
  std::unique_ptr<Simulator<double>> simulator_;
};

std::unique_ptr<System<double>> Clock() {
  return std::make_unique<WaveformSource<double>>(Waveform::Clock());
}

void Note(const ChartMoment& now, Eigen::Ref<VectorXd> y) { y[0] = now.time; }

// sin t reaches 1/2 at pi/6.
TEST(StateMachine, TransitionsHappenAtTheirMoment) {
  StateChart chart(2);
  const auto low = chart.AddState("low");
  const auto high = chart.AddState("high");
  chart.OnEntry(high, Note);
  chart.OnExit(high, [](const ChartMoment& now, Eigen::Ref<VectorXd> y) {
    y[1] = now.time_in_state;
  });
  chart.AddTransition(low, high, Rises(0.5));
  chart.AddTransition(high, low, Falls(-0.5));
  Bench bench(chart, std::make_unique<Sine<double>>(1, 1, 0, 1));
  EXPECT_EQ(bench.AdvanceTo(0.52), "low");
  EXPECT_EQ(bench.AdvanceTo(0.53), "high");
  EXPECT_NEAR(bench.Output(0), M_PI / 6, 1e-12);
  EXPECT_TRUE(bench.machine().IsActive(bench.context(), high));
  EXPECT_EQ(bench.machine().get_output_port(1).Eval(bench.context())[0], 1);
  EXPECT_EQ(bench.AdvanceTo(4), "low");
  EXPECT_NEAR(bench.Output(1), M_PI, 1e-12);
}

// sin t is exactly zero at the start of the first step.
TEST(StateMachine, AGuardThatStartsAtZeroActsThere) {
  StateChart chart(1);
  const auto low = chart.AddState("low");
  const auto high = chart.AddState("high");
  chart.OnEntry(high, Note);
  chart.AddTransition(low, high, Rises(0));
  Bench bench(chart, std::make_unique<Sine<double>>(1, 1, 0, 1));
  EXPECT_EQ(bench.AdvanceTo(1), "high");
  EXPECT_NEAR(bench.Output(0), 0, 1e-9);
}

TEST(StateMachine, TimeoutsAreExact) {
  StateChart chart(1);
  const auto a = chart.AddState("a");
  const auto b = chart.AddState("b");
  chart.OnEntry(a, Note);
  chart.OnEntry(b, Note);
  chart.AddTimeout(a, b, 0.3);
  chart.AddTimeout(b, a, 0.7);
  Bench bench(chart, Clock());
  EXPECT_EQ(bench.AdvanceTo(0.31), "b");
  EXPECT_EQ(bench.Output(0), 0.3);
  EXPECT_EQ(bench.AdvanceTo(1.2), "a");
  EXPECT_EQ(bench.Output(0), 0.3 + 0.7);
  EXPECT_EQ(bench.AdvanceTo(10.6), "b");
}

// Actions write a digit each: the order of a transition between branches.
TEST(StateMachine, LeavesFromWithinAndEntersFromWithout) {
  StateChart chart(1);
  const auto a = chart.AddState("a");
  const auto a1 = chart.AddState("a1", a);
  const auto b = chart.AddState("b");
  const auto b1 = chart.AddState("b1", b);
  const auto digit = [](int d) {
    return [d](const ChartMoment&, Eigen::Ref<VectorXd> y) {
      y[0] = 10 * y[0] + d;
    };
  };
  chart.OnExit(a1, digit(1));
  chart.OnExit(a, digit(2));
  chart.OnEntry(b, digit(4));
  chart.OnEntry(b1, digit(5));
  chart.AddTransition(a, b, Rises(1), digit(3));
  chart.AddTransition(b, b, Rises(2), digit(6));
  chart.OnExit(b, digit(7));
  Bench bench(chart,
              std::make_unique<WaveformSource<double>>(Waveform::Ramp(0, 1)));
  EXPECT_EQ(bench.AdvanceTo(0.5), "a1");
  EXPECT_EQ(bench.AdvanceTo(1.5), "b1");
  EXPECT_EQ(bench.Output(0), 12345);
  EXPECT_TRUE(bench.machine().IsActive(bench.context(), b));
  EXPECT_FALSE(bench.machine().IsActive(bench.context(), a));
}

// Both guards reach zero at time 1: that of the outer state goes first, then
// the one that was added first.
TEST(StateMachine, OuterStatesAndEarlierTransitionsGoFirst) {
  for (const bool has_outer : {false, true}) {
    StateChart chart;
    const auto a = chart.AddState("a");
    const auto inner = chart.AddState("inner", a);
    const auto first = chart.AddState("first");
    const auto second = chart.AddState("second");
    const auto third = chart.AddState("third");
    chart.AddTransition(inner, first, Rises(1));
    chart.AddTransition(inner, second, Rises(1));
    chart.AddTransition(a, third, Rises(has_outer ? 1 : 5));
    Bench bench(chart, Clock());
    EXPECT_EQ(bench.AdvanceTo(1.5), has_outer ? "third" : "first");
  }
}

TEST(StateMachine, HistoryResumesTheStateThatWasLeft) {
  for (const bool has_history : {false, true}) {
    StateChart chart;
    const auto work = chart.AddState("work");
    const auto one = chart.AddState("one", work);
    const auto two = chart.AddState("two", work);
    const auto pause = chart.AddState("pause");
    if (has_history) chart.KeepHistory(work);
    chart.AddTimeout(one, two, 1);
    chart.AddTransition(work, pause, Rises(0.5));
    chart.AddTransition(pause, work, Falls(0.5));
    Bench bench(chart, std::make_unique<WaveformSource<double>>(
                           Waveform::Pulse(2, 0.25, 1)));
    EXPECT_EQ(bench.AdvanceTo(1.5), "two");
    EXPECT_EQ(bench.AdvanceTo(2.1), "pause");
    EXPECT_EQ(bench.AdvanceTo(2.5), has_history ? "two" : "one");
  }
}

TEST(StateMachine, DuringFunctionsOverwriteOutputs) {
  StateChart chart(2);
  const auto a = chart.AddState("a");
  const auto b = chart.AddState("b");
  chart.During(a, [](const ChartMoment& now, Eigen::Ref<VectorXd> y) {
    y[0] = 2 * now.u[0];
  });
  chart.AddTransition(a, b, Rises(1));
  Bench bench(chart, Clock());
  EXPECT_EQ(bench.AdvanceTo(0.75), "a");
  EXPECT_EQ(bench.Output(0), 1.5);
  bench.AdvanceTo(2);
  EXPECT_EQ(bench.Output(0), 0);
  EXPECT_TRUE(bench.machine().HasDirectFeedthrough(0, 0));
  EXPECT_FALSE(bench.machine().HasDirectFeedthrough(0, 1));
}

TEST(StateMachine, ConvertedDoesTheSame) {
  StateChart chart(1);
  const auto a = chart.AddState("a");
  const auto b = chart.AddState("b");
  chart.During(b, Note);
  chart.AddTransition(a, b, Rises(0.5));
  const StateMachine<double> machine(chart, 1);
  const auto converted = System<double>::ToAutoDiffXd(machine);
  Simulator<AutoDiffXd> simulator(*converted);
  converted->get_input_port(0).FixValue(&simulator.get_mutable_context(),
                                        VectorX<AutoDiffXd>::Ones(1));
  simulator.AdvanceTo(2);
  EXPECT_EQ(converted->get_active_state(simulator.get_context()), b);
  EXPECT_EQ(
      converted->get_output_port(0).Eval(simulator.get_context())[0].value(),
      2);
}

TEST(StateMachine, GuardsThatFireForEverAreStopped) {
  StateChart chart;
  const auto a = chart.AddState("a");
  const auto b = chart.AddState("b");
  chart.AddTransition(a, b, Rises(-1));
  chart.AddTransition(b, a, Rises(-1));
  Bench bench(chart, Clock());
  EXPECT_THROWS_MESSAGE(bench.AdvanceTo(1), std::runtime_error,
                        "stands still at time 0");
}

TEST(StateMachine, RefusesBadCharts) {
  StateChart chart(1);
  EXPECT_THROWS_MESSAGE(StateMachine<double>(chart, 1), std::logic_error,
                        "the list of states is empty");
  const auto a = chart.AddState("a");
  EXPECT_THROWS_MESSAGE(chart.AddState("a"), std::logic_error,
                        "there is a state 'a' already");
  EXPECT_THROWS_MESSAGE(chart.AddState(""), std::logic_error, "name is empty");
  EXPECT_THROWS_MESSAGE(chart.AddState("x", ChartStateIndex(7)),
                        std::out_of_range, "the state is 7");
  EXPECT_THROWS_MESSAGE(chart.AddTimeout(a, a, 0), std::logic_error,
                        "seconds is 0");
  EXPECT_THROWS_MESSAGE(chart.AddTransition(a, a, nullptr), std::logic_error,
                        "guard is empty");
  EXPECT_THROWS_MESSAGE(chart.OnEntry(a, nullptr), std::logic_error,
                        "action is empty");
  chart.AddState("alone");
  EXPECT_THROWS_MESSAGE(StateMachine<double>(chart, 1), std::logic_error,
                        "no transition leads to the state 'alone'");
}

TEST(StateMachine, NamesAGuardAndAnActionWithoutANumber) {
  StateChart chart(1);
  const auto a = chart.AddState("a");
  chart.AddTransition(a, a, [](const ChartMoment&) { return NAN; });
  Bench bench(chart, Clock());
  EXPECT_THROWS_MESSAGE(bench.AdvanceTo(1), std::runtime_error,
                        "the guard from 'a' to 'a'");
  StateChart other(1);
  other.OnEntry(other.AddState("a"),
                [](const ChartMoment&, Eigen::Ref<VectorXd> y) { y[0] = NAN; });
  Bench second(other, Clock());
  EXPECT_THROWS_MESSAGE(second.AdvanceTo(1), std::runtime_error,
                        "y after an action[0] is nan");
}

// sin t rises above 1/2 at pi/6, and falls below -1/2 at 7 pi/6.
TEST(StateMachine, CrossingsAndOutputsAreDataToo) {
  StateChart chart(1);
  const auto low = chart.AddState("low");
  const auto high = chart.AddState("high");
  chart.SetOnEntry(high, VectorXd::Constant(1, 3));
  chart.AddTransition(low, high, ChartCrossing{.bound = 0.5});
  chart.AddTransition(high, low,
                      ChartCrossing{.bound = -0.5, .is_rising = false}, Note);
  Bench bench(chart, std::make_unique<Sine<double>>(1, 1, 0, 1));
  EXPECT_EQ(bench.AdvanceTo(M_PI / 6 - 1e-9), "low");
  EXPECT_EQ(bench.AdvanceTo(M_PI / 6 + 1e-9), "high");
  EXPECT_EQ(bench.Output(0), 3);
  EXPECT_EQ(bench.AdvanceTo(4), "low");
  EXPECT_NEAR(bench.Output(0), 7 * M_PI / 6, 1e-12);
  EXPECT_EQ(chart.states()[1].entry_outputs, VectorXd::Constant(1, 3));
  chart.OnEntry(high, Note);
  EXPECT_FALSE(chart.states()[1].entry_outputs.has_value());
}

TEST(StateMachine, RefusesCrossingsOfNoElement) {
  StateChart chart(1);
  const auto a = chart.AddState("a");
  EXPECT_THROWS_MESSAGE(chart.SetOnEntry(a, VectorXd::Zero(2)),
                        std::logic_error, "y has size 2; it must have size 1");
  EXPECT_THROWS_MESSAGE(chart.AddTransition(a, a, ChartCrossing{.bound = NAN}),
                        std::logic_error, "crossing.bound is nan");
  EXPECT_THROWS_MESSAGE(chart.AddTransition(a, a, ChartCrossing{.element = -1}),
                        std::logic_error, "crossing.element is -1");
  chart.AddTransition(a, a, ChartCrossing{.element = 1, .bound = 2});
  EXPECT_THROWS_MESSAGE(StateMachine<double>(chart, 1), std::out_of_range,
                        "the element of a crossing is 1");
}

}  // namespace state_machine_test
}  // namespace wyvern::systems
