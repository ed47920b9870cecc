// A boundary that more than 1e9 steps of less than 1e-9 s would reach is
// refused, whoever asks for the steps. All others are reached.
#include "wyvern/simulator/step_pace.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/state_machine.h"
#include "wyvern/systems/primitives/waveform_source.h"
#include "wyvern/systems/primitives/zero_order_hold.h"

namespace wyvern::systems {
namespace step_pace_test {

using Eigen::VectorXd;

constexpr double kInf = std::numeric_limits<double>::infinity();

// A hold "whole::inner::hold" beside one of 1 ms.
std::unique_ptr<Diagram<double>> MakeSampled(double period) {
  DiagramBuilder<double> inner_builder;
  const auto* hold =
      inner_builder.AddNamedSystem<ZeroOrderHold<double>>("hold", period, 1);
  inner_builder.ExportInput(hold->get_input_port(), "u");
  auto inner = inner_builder.Build();
  inner->set_name("inner");
  DiagramBuilder<double> builder;
  const auto* source =
      builder.AddSystem<ConstantVectorSource<double>>(VectorXd::Ones(1));
  const auto* added = builder.AddSystem(std::move(inner));
  const auto* bystander = builder.AddSystem<ZeroOrderHold<double>>(1e-3, 1);
  builder.Connect(source->get_output_port(), added->get_input_port(0));
  builder.Connect(source->get_output_port(), bystander->get_input_port());
  auto diagram = builder.Build();
  diagram->set_name("whole");
  return diagram;
}

TEST(StepPace, RefusesPeriodsThatLeaveTheBoundaryOutOfReach) {
  for (const double period : {1e-12, 1e-15, 1e-300}) {
    const auto diagram = MakeSampled(period);
    for (const double boundary : {0.009, 0.1, 1.0, 1e9, kInf}) {
      Simulator<double> simulator(*diagram);
      EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(boundary), std::runtime_error,
                            "System ::whole::inner::hold (");
      EXPECT_EQ(simulator.get_num_steps_taken(), 1000);
    }
  }
}

TEST(StepPace, SaysPeriodStepsAndRemedy) {
  const auto diagram = MakeSampled(1e-12);
  Simulator<double> simulator(*diagram);
  EXPECT_THROWS_MESSAGE(
      simulator.AdvanceTo(0.5), std::runtime_error,
      "the period 1e-12 s, which makes 5e+11 steps in the next 0.5 s");
  EXPECT_THROWS_MESSAGE(
      simulator.AdvanceTo(0.5), std::runtime_error,
      "to the boundary 0.5, after 2e+03 such steps; at most 1e+09 are "
      "possible. Give it a longer period, or give a nearer boundary.");
  // The remedy helps.
  simulator.AdvanceTo(5e-9);
  EXPECT_NEAR(simulator.get_num_discrete_updates(), 5000, 1);
}

TEST(StepPace, AllowsShortPeriodsToNearBoundaries) {
  for (const double period : {1e-12, 1e-15, 1e-300}) {
    const auto diagram = MakeSampled(period);
    Simulator<double> simulator(*diagram);
    simulator.AdvanceTo(4999.5 * period);
    EXPECT_EQ(simulator.get_num_discrete_updates(), 5000);
  }
}

// Says "enough" after a number of steps.
void StopAfter(int64_t steps, Simulator<double>* simulator) {
  simulator->set_monitor([simulator, steps](const Context<double>&) {
    return simulator->get_num_steps_taken() < steps
               ? EventStatus::DidNothing()
               : EventStatus::ReachedTermination(nullptr, "enough");
  });
}

// 0.9999e9 steps lead to the boundary, which is possible, but not after 200,000
// steps in calls that are too short to be judged alone.
TEST(StepPace, CountsTheStepsOfEarlierCalls) {
  constexpr double kWay = 0.9999e-3;
  const auto diagram = MakeSampled(1e-12);
  Simulator<double> alone(*diagram);
  StopAfter(5000, &alone);
  EXPECT_EQ(alone.AdvanceTo(kWay).message(), "enough");
  Simulator<double> simulator(*diagram);
  for (int i = 1; i <= 400; ++i) simulator.AdvanceTo(5e-10 * i);
  StopAfter(205000, &simulator);
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(2e-7 + kWay), std::runtime_error,
                        "after 2.01e+05 such steps");
  // A new start forgets them.
  simulator.get_mutable_context().SetTime(0);
  simulator.Initialize();
  StopAfter(5000, &simulator);
  EXPECT_EQ(simulator.AdvanceTo(kWay).message(), "enough");
}

// Each call ends at its boundary.
TEST(StepPace, RefusesASeriesOfNearBoundariesInTheEnd) {
  const auto diagram = MakeSampled(1e-12);
  const auto context = diagram->CreateDefaultContext();
  internal::StepPace<double> pace(diagram.get());
  const auto note = [&](int call) {
    context->SetTime(1e-4 * call);
    pace.NoteSteps(*context, 110000000, 1e-4 * (call - 1), 1e-4 * call, kInf);
  };
  for (int call = 1; call < 10; ++call) note(call);
  EXPECT_THROWS_MESSAGE(note(10), std::runtime_error,
                        "System ::whole::inner::hold (");
}

// A monitor ends the simulation after more steps than any check looks at.
void ExpectToStep(const Diagram<double>& diagram, double step) {
  Simulator<double> simulator(diagram);
  StopAfter(150000, &simulator);
  EXPECT_EQ(simulator.AdvanceTo(kInf).message(), "enough");
  EXPECT_NEAR(simulator.get_context().get_time(), 150000 * step, 2 * step);
}

TEST(StepPace, AllowsAnInfiniteBoundary) {
  ExpectToStep(*MakeSampled(1e-9), 1e-9);
  ExpectToStep(*MakeSampled(1e-3), 1e-3);
}

// Four Systems with offsets take a step each 0.375 ns.
TEST(StepPace, CountsThePeriodOfEachSystemAlone) {
  DiagramBuilder<double> builder;
  const auto* source =
      builder.AddSystem<ConstantVectorSource<double>>(VectorXd::Ones(1));
  for (int i = 0; i < 4; ++i) {
    const auto* hold =
        builder.AddSystem<ZeroOrderHold<double>>(1.5e-9, 1, 0.375e-9 * i);
    builder.Connect(source->get_output_port(), hold->get_input_port());
  }
  ExpectToStep(*builder.Build(), 0.375e-9);
}

TEST(StepPace, RefusesTimeoutsThatFollowEachOtherForever) {
  StateChart chart;
  const auto a = chart.AddState("a");
  const auto b = chart.AddState("b");
  chart.AddTimeout(a, b, 1e-12);
  chart.AddTimeout(b, a, 3e-12);
  StateMachine<double> machine(chart, 0);
  machine.set_name("machine");
  for (const double boundary : {1.0, kInf}) {
    Simulator<double> simulator(machine);
    EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(boundary), std::runtime_error,
                          ") ends steps, 100000 in a row, after an average of "
                          "2e-12 s");
  }
}

// Asks for an update 1e-12 s ahead, a number of times.
class Burst final : public LeafSystem<double> {
 public:
  explicit Burst(int times) : times_(times) {
    set_name("burst");
    DeclareDiscreteState(1);
  }

 private:
  void DoCalcNextUpdateTime(const Context<double>& context,
                            CompositeEventCollection<double>* events,
                            double* time) const final {
    *time = kInf;
    if (context.get_discrete_state()[0] >= times_) return;
    *time = context.get_time() + 1e-12;
    events->AddDiscreteUpdateEvent(DiscreteUpdateEvent<double>(
        TriggerType::kTimed,
        [](const Context<double>&, const DiscreteUpdateEvent<double>&,
           DiscreteValues<double>* next) { (*next)[0] += 1; }));
  }

  const int times_;
};

TEST(StepPace, AllowsBursts) {
  const Burst burst(90000);
  Simulator<double> simulator(burst);
  simulator.AdvanceTo(1);
  EXPECT_EQ(simulator.get_num_discrete_updates(), 90000);
  const Burst endless(1000000000);
  Simulator<double> refused(endless);
  EXPECT_THROWS_MESSAGE(refused.AdvanceTo(1), std::runtime_error,
                        "System ::burst (");
  EXPECT_LE(refused.get_num_discrete_updates(), 100000);
}

TEST(StepPace, RefusesBreaksThatFollowEachOtherForever) {
  DiagramBuilder<double> builder;
  const auto* source = builder.AddNamedSystem<WaveformSource<double>>(
      "pulses", Waveform::PulseTrain(1e-12, 5e-13, 1));
  const auto* x = builder.AddSystem<Integrator<double>>(1);
  builder.Connect(source->get_output_port(), x->get_input_port());
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(1), std::runtime_error,
                        "::pulses (");
}

TEST(StepPace, RefusesAMaximumStepThatLeavesTheBoundaryOutOfReach) {
  const test::Oscillator<double> system;
  for (const bool is_fixed : {false, true}) {
    Simulator<double> simulator(system);
    auto& integrator = simulator.get_mutable_integrator();
    integrator.set_maximum_step_size(1e-12);
    integrator.set_fixed_step_mode(is_fixed);
    EXPECT_THROWS_MESSAGE(
        simulator.AdvanceTo(1), std::runtime_error,
        "the maximum step size of the integrator of '::_' is 1e-12 s");
    simulator.AdvanceTo(5e-9);
    EXPECT_EQ(simulator.get_context().get_time(), 5e-9);
  }
  // Without state there is nothing to integrate.
  const auto diagram = MakeSampled(1e-10);
  Simulator<double> simulator(*diagram);
  simulator.get_mutable_integrator().set_maximum_step_size(1e-14);
  simulator.AdvanceTo(5e-7);
  EXPECT_EQ(simulator.get_context().get_time(), 5e-7);
}

}  // namespace step_pace_test
}  // namespace wyvern::systems
