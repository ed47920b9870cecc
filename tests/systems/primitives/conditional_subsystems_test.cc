/** @file Systems that run under a condition, in a Simulator. */

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/adder.h"
#include "wyvern/systems/primitives/case_subsystem.h"
#include "wyvern/systems/primitives/constant_value_source.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/counter.h"
#include "wyvern/systems/primitives/enabled_subsystem.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/if_else_subsystem.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/linear/affine_system.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/state_machine.h"
#include "wyvern/systems/primitives/triggered_subsystem.h"
#include "wyvern/systems/primitives/waveform_source.h"

namespace wyvern::systems {
namespace conditional_subsystems_test {

using Eigen::VectorXd;
using Systems = std::vector<std::shared_ptr<System<double>>>;

constexpr double kAccuracy = 1e-11;

// Sources, the block that they feed, in the order of its ports, and the
// integral of its output, if there is to be continuous state.
template <typename Block>
class Bench {
 public:
  Bench(std::unique_ptr<Block> block,
        std::vector<std::unique_ptr<System<double>>> sources,
        bool has_integral = true) {
    DiagramBuilder<double> builder;
    block_ = builder.AddSystem(std::move(block));
    for (size_t i = 0; i < sources.size(); ++i) {
      const auto* source = builder.AddSystem(std::move(sources[i]));
      builder.Connect(source->get_output_port(0),
                      block_->get_input_port(static_cast<int>(i)));
    }
    if (has_integral) {
      integral_ = builder.template AddSystem<Integrator<double>>(1);
      builder.Connect(block_->get_output_port(0), integral_->get_input_port(0));
    }
    diagram_ = builder.Build();
    simulator_ = std::make_unique<Simulator<double>>(*diagram_);
    simulator_->get_mutable_context().SetAccuracy(kAccuracy);
    simulator_->get_mutable_integrator().set_target_accuracy(kAccuracy);
    simulator_->get_mutable_integrator().set_maximum_step_size(0.02);
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
  Context<double>& mutable_context() {
    return block_->GetMyMutableContextFromRoot(
        &simulator_->get_mutable_context());
  }
  const Block& block() const { return *block_; }
  Simulator<double>& simulator() { return *simulator_; }

 private:
  Block* block_{};
  Integrator<double>* integral_{};
  std::unique_ptr<Diagram<double>> diagram_;
  std::unique_ptr<Simulator<double>> simulator_;
};

template <typename Block, typename... Sources>
Bench<Block> MakeBench(std::unique_ptr<Block> block, Sources... sources) {
  std::vector<std::unique_ptr<System<double>>> all;
  (all.push_back(std::move(sources)), ...);
  return Bench<Block>(std::move(block), std::move(all));
}

// Without continuous state.
template <typename Block, typename... Sources>
Bench<Block> MakeSampledBench(std::unique_ptr<Block> block,
                              Sources... sources) {
  std::vector<std::unique_ptr<System<double>>> all;
  (all.push_back(std::move(sources)), ...);
  return Bench<Block>(std::move(block), std::move(all), false);
}

std::unique_ptr<System<double>> Source(const Waveform& waveform) {
  return std::make_unique<WaveformSource<double>>(waveform);
}

std::unique_ptr<System<double>> One() {
  return std::make_unique<ConstantVectorSource<double>>(1.0);
}

std::unique_ptr<System<double>> SineOf(double phase) {
  return std::make_unique<Sine<double>>(1, 1, phase, 1);
}

std::shared_ptr<System<double>> GainOf(double k) {
  return std::make_shared<Gain<double>>(k, 1);
}

std::shared_ptr<System<double>> OneIntegrator() {
  return std::make_shared<Integrator<double>>(1);
}

std::unique_ptr<EnabledSubsystem<double>> Enabled(
    std::shared_ptr<System<double>> system,
    const ActivationOptions& options = {}) {
  return std::make_unique<EnabledSubsystem<double>>(std::move(system), options);
}

const ActivationOptions kResetAll{
    .outputs = WhenInactive::kReset,
    .states = WhenInactive::kReset,
    .initial_outputs = {VectorXd::Constant(1, 7)}};

// Pulses of a quarter of a second: x grows during the pulses alone.
TEST(EnabledSubsystem, StateAndOutputStandStillWhileItIsNotEnabled) {
  auto bench = MakeBench(Enabled(OneIntegrator()),
                         Source(Waveform::PulseTrain(1, 0.25, 1)), One());
  EXPECT_NEAR(bench.AdvanceTo(0.2), 0.2, 1e-13);
  EXPECT_TRUE(bench.block().is_enabled(bench.context()));
  EXPECT_NEAR(bench.AdvanceTo(0.9), 0.25, 1e-13);
  EXPECT_FALSE(bench.block().is_enabled(bench.context()));
  EXPECT_NEAR(bench.AdvanceTo(2.1), 0.6, 1e-13);
  // The integral of min(t, 1/4): 1/32 + 3/16 in the first second.
  auto other = MakeBench(Enabled(OneIntegrator()),
                         Source(Waveform::PulseTrain(1, 0.25, 1)), One());
  other.AdvanceTo(1);
  EXPECT_NEAR(other.integral(), 1.0 / 32 + 3.0 / 16, 1e-12);
}

TEST(EnabledSubsystem, ResetsStateAndOutputsOnRequest) {
  auto bench =
      MakeBench(Enabled(OneIntegrator(), kResetAll),
                Source(Waveform::PulseTrain(1, 0.25, 1, 0, 0.5)), One());
  EXPECT_EQ(bench.AdvanceTo(0.4), 7);
  EXPECT_NEAR(bench.AdvanceTo(0.6), 0.1, 1e-13);
  EXPECT_EQ(bench.AdvanceTo(0.8), 7);
  EXPECT_NEAR(bench.AdvanceTo(1.7), 0.2, 1e-13);
  EXPECT_EQ(bench.AdvanceTo(1.8), 7);
}

// The state that a user gave is no reason for a reset at the start.
TEST(EnabledSubsystem, KeepsTheStateThatItStartsWith) {
  auto bench = MakeBench(Enabled(OneIntegrator(), kResetAll),
                         Source(Waveform::PulseTrain(1, 0.25, 1)), One());
  bench.mutable_context().SetContinuousState(VectorXd::Constant(1, 5));
  EXPECT_NEAR(bench.AdvanceTo(0.2), 5.2, 1e-13);
  EXPECT_NEAR(bench.AdvanceTo(1.2), 0.2, 1e-13);
}

// sin t is above zero for pi, then below for pi.
TEST(EnabledSubsystem, FindsTheZerosOfAContinuousSignal) {
  auto bench = MakeBench(Enabled(OneIntegrator()), SineOf(0), One());
  EXPECT_NEAR(bench.AdvanceTo(6), M_PI, 1e-11);
  EXPECT_NEAR(bench.AdvanceTo(7), M_PI + (7 - 2 * M_PI), 1e-11);
}

// Samples at 1, 1.125, ..., 1.875: the first falls on the jump to "enabled",
// and that at 2 on the jump back.
TEST(EnabledSubsystem, ASampleOnAJumpSeesTheNewValue) {
  const auto make = [](const ActivationOptions& options) {
    return Enabled(
        std::make_shared<Counter<double>>(CounterSettings{.period = 0.125}),
        options);
  };
  const Waveform pulse = Waveform::Pulse(1, 1, 1, 0);
  for (const ActivationOptions& options : {ActivationOptions{}, kResetAll}) {
    auto beside = MakeBench(make(options), Source(pulse));
    EXPECT_EQ(beside.AdvanceTo(1.95), 8);
    auto sampled = MakeSampledBench(make(options), Source(pulse));
    EXPECT_EQ(sampled.AdvanceTo(1.01), 1);
    EXPECT_EQ(sampled.AdvanceTo(1.95), 8);
    const bool resets = options.outputs == WhenInactive::kReset;
    EXPECT_EQ(sampled.AdvanceTo(3), resets ? 7 : 8);
    EXPECT_EQ(beside.AdvanceTo(3), resets ? 7 : 8);
  }
}

// A chart that is reset starts over: its timeout counts from each activation.
TEST(EnabledSubsystem, AResetRunsInitializationUpdates) {
  StateChart chart(1);
  const auto wait = chart.AddState("wait");
  const auto act = chart.AddState("act");
  chart.SetOnEntry(act, VectorXd::Constant(1, 1));
  chart.AddTimeout(wait, act, 0.3);
  DiagramBuilder<double> builder;
  auto* machine = builder.AddSystem<StateMachine<double>>(chart, 1);
  builder.ExportInput(machine->get_input_port(0), "u");
  builder.ExportOutput(machine->get_output_port(0), "y");
  ActivationOptions options = kResetAll;
  options.initial_outputs.clear();
  auto bench =
      MakeBench(Enabled(builder.Build(), options),
                Source(Waveform::PulseTrain(1, 0.5, 1, 0, 0.5)), One());
  bench.AdvanceTo(3.2);
  EXPECT_NEAR(bench.integral(), 3 * 0.2, 1e-12);
}

// No System is active before a Simulator initializes the Context.
TEST(EnabledSubsystem, HasTheInitialOutputsBeforeItIsInitialized) {
  const auto block = Enabled(GainOf(2), kResetAll);
  const auto context = block->CreateDefaultContext();
  EXPECT_EQ(block->get_output_port(0).Eval(*context)[0], 7);
  EXPECT_FALSE(block->is_enabled(*context));
}

TEST(EnabledSubsystem, AFrozenSystemHasNoDerivatives) {
  auto bench = MakeBench(Enabled(OneIntegrator()),
                         Source(Waveform::Pulse(0, 1, 1, 0)), One());
  const EnabledSubsystem<double>& block = bench.block();
  VectorXd residual(1);
  const auto proposed = block.AllocateTimeDerivatives();
  (*proposed)[0] = 3;
  bench.AdvanceTo(0.5);
  EXPECT_EQ(block.EvalTimeDerivatives(bench.context())[0], 1);
  block.CalcImplicitTimeDerivativesResidual(bench.context(), *proposed,
                                            &residual);
  EXPECT_EQ(residual[0], 2);
  bench.AdvanceTo(1.5);
  EXPECT_EQ(block.EvalTimeDerivatives(bench.context())[0], 0);
  block.CalcImplicitTimeDerivativesResidual(bench.context(), *proposed,
                                            &residual);
  EXPECT_EQ(residual[0], 3);
}

// Has powers, and counts its publish events.
class Watched final : public LeafSystem<double> {
 public:
  Watched() {
    DeclareContinuousState(1);
    DeclareStateOutputPort("x", ContinuousStateIndex(0));
    DeclarePeriodicPublishEvent(0.125, 0, &Watched::Publish);
  }
  int num_published() const { return num_published_; }

 private:
  void DoCalcTimeDerivatives(const Context<double>&,
                             ContinuousState<double>* xdot) const final {
    (*xdot)[0] = 1;
  }
  double DoCalcConservativePower(const Context<double>&) const final {
    return 3;
  }
  double DoCalcNonConservativePower(const Context<double>&) const final {
    return 5;
  }
  EventStatus Publish(const Context<double>&) const {
    ++num_published_;
    return EventStatus::Succeeded();
  }
  mutable int num_published_{0};
};

// Events at 1.125, ..., 1.875: one at 1 would show the state before that
// moment.
TEST(EnabledSubsystem, OnlyAnEnabledSystemPublishesAndHasPower) {
  const auto watched = std::make_shared<Watched>();
  auto bench = MakeBench(Enabled(watched), Source(Waveform::Pulse(1, 1, 1, 0)));
  const EnabledSubsystem<double>& block = bench.block();
  bench.AdvanceTo(0.9);
  EXPECT_EQ(watched->num_published(), 0);
  EXPECT_EQ(block.EvalConservativePower(bench.context()), 0);
  EXPECT_EQ(block.EvalNonConservativePower(bench.context()), 0);
  bench.AdvanceTo(1.9);
  EXPECT_EQ(watched->num_published(), 7);
  EXPECT_EQ(block.EvalConservativePower(bench.context()), 3);
  EXPECT_EQ(block.EvalNonConservativePower(bench.context()), 5);
  bench.AdvanceTo(3);
  EXPECT_EQ(watched->num_published(), 7);
}

// The timeout at 0.3 is over when the chart is enabled at 0.5.
TEST(EnabledSubsystem, AnOverdueEventWaitsUntilItIsEnabled) {
  StateChart chart(1);
  const auto wait = chart.AddState("wait");
  const auto act = chart.AddState("act");
  chart.SetOnEntry(act, VectorXd(VectorXd::Constant(1, 1)));
  chart.AddTimeout(wait, act, 0.3);
  auto bench =
      MakeBench(Enabled(std::make_shared<StateMachine<double>>(chart, 1)),
                Source(Waveform::Step(0.5, 0, 1)), One());
  EXPECT_EQ(bench.AdvanceTo(0.45), 0);
  EXPECT_EQ(bench.AdvanceTo(0.55), 1);
  bench.AdvanceTo(1);
  EXPECT_NEAR(bench.integral(), 0.5, 1e-13);
}

// In an enabled subsystem that is enabled for half the time of the outer one.
TEST(EnabledSubsystem, Nests) {
  DiagramBuilder<double> builder;
  auto* inner = builder.AddSystem(Enabled(OneIntegrator()));
  auto* pulses = builder.AddSystem(Source(Waveform::PulseTrain(0.5, 0.25, 1)));
  builder.Connect(pulses->get_output_port(0), inner->get_input_port(0));
  builder.ExportInput(inner->get_input_port(1), "u");
  builder.ExportOutput(inner->get_output_port(0), "y");
  auto bench = MakeBench(Enabled(builder.Build()),
                         Source(Waveform::PulseTrain(2, 1, 1)), One());
  EXPECT_NEAR(bench.AdvanceTo(4), 1, 1e-12);
}

// The inner condition holds from 0.5 s on, when the outer one does not hold, so
// that its guard waits. The samples of the Counter are on the outer edge, too.
TEST(EnabledSubsystem, AGuardThatWaitsWithinAnotherHidesNoSample) {
  DiagramBuilder<double> builder;
  auto* inner = builder.AddSystem(
      Enabled(std::make_shared<Counter<double>>(CounterSettings{.period = 1})));
  auto* early = builder.AddSystem(Source(Waveform::Step(0.5, 0, 1)));
  builder.Connect(early->get_output_port(0), inner->get_input_port(0));
  builder.ExportOutput(inner->get_output_port(0), "y");
  auto bench = MakeSampledBench(Enabled(builder.Build()),
                                Source(Waveform::Step(2, 0, 1)));
  EXPECT_EQ(bench.AdvanceTo(1.5), 0);
  EXPECT_EQ(bench.AdvanceTo(2.5), 1);
  EXPECT_EQ(bench.AdvanceTo(4.5), 3);
}

TEST(EnabledSubsystem, RunsTheSameWithDerivatives) {
  auto block = Enabled(OneIntegrator());
  const auto converted = System<double>::ToAutoDiffXd(*block);
  Simulator<AutoDiffXd> simulator(*converted);
  auto& context = simulator.get_mutable_context();
  converted->get_input_port(0).FixValue(&context,
                                        VectorX<AutoDiffXd>::Constant(1, 1.0));
  const AutoDiffXd u(3.0, VectorXd::Constant(1, 1));
  converted->get_input_port(1).FixValue(&context,
                                        VectorX<AutoDiffXd>::Constant(1, u));
  simulator.AdvanceTo(AutoDiffXd(2.0));
  const AutoDiffXd y = converted->get_output_port(0).Eval(context)[0];
  EXPECT_NEAR(y.value(), 6, 1e-12);
  ASSERT_EQ(y.derivatives().size(), 1);
  EXPECT_NEAR(y.derivatives()[0], 2, 1e-12);
}

TEST(EnabledSubsystem, SamplesAllocateNothing) {
  if (!::wyvern::test::AllocationGuard::is_active())
    GTEST_SKIP() << "malloc is not counted";
  for (const double level : {-1.0, 1.0}) {
    auto bench = MakeSampledBench(Enabled(std::make_shared<Counter<double>>(
                                      CounterSettings{.period = 0.125})),
                                  Source(Waveform::Step(100, level, level)));
    bench.AdvanceTo(1);
    const ::wyvern::test::AllocationGuard guard;
    bench.AdvanceTo(9.01);
    EXPECT_EQ(guard.count(), 0) << level;
    EXPECT_EQ(bench.AdvanceTo(9.01), level > 0 ? 72 : 0);
  }
}

TEST(EnabledSubsystem, RefusesWhatCannotBeHeld) {
  EXPECT_THROWS_MESSAGE(Enabled(nullptr), std::logic_error,
                        "EnabledSubsystem(): a System is null");
  EXPECT_THROWS_MESSAGE(Enabled(std::make_shared<ConstantValueSource<double>>(
                            Value<std::string>("text"))),
                        std::logic_error, "is abstract, so it cannot be held");
  ActivationOptions options;
  options.initial_outputs = {VectorXd::Zero(1), VectorXd::Zero(1)};
  EXPECT_THROWS_MESSAGE(Enabled(GainOf(1), options), std::logic_error,
                        "initial_outputs has size 2; it must have size 1");
  options.initial_outputs = {VectorXd::Zero(2)};
  EXPECT_THROWS_MESSAGE(Enabled(GainOf(1), options), std::logic_error,
                        "initial_outputs[0] has size 2");
  options.initial_outputs = {
      VectorXd::Constant(1, std::numeric_limits<double>::quiet_NaN())};
  EXPECT_THROWS_MESSAGE(Enabled(GainOf(1), options), std::logic_error,
                        "initial_outputs[0][0] is nan");
  EXPECT_THROWS_MESSAGE(Enabled(GainOf(1))->get_system(1), std::out_of_range,
                        "the index is 1");
}

class WideResidual final : public LeafSystem<double> {
 public:
  WideResidual() {
    DeclareContinuousState(1);
    DeclareImplicitTimeDerivativesResidualSize(2);
  }
};

TEST(EnabledSubsystem, RefusesAResidualOfAnotherSize) {
  EXPECT_THROWS_MESSAGE(Enabled(std::make_shared<WideResidual>()),
                        std::logic_error,
                        "declares a residual of 2 derivatives for 1 states");
}

TEST(EnabledSubsystem, RefusesAConditionThatIsNoNumber) {
  const auto block = Enabled(OneIntegrator());
  Simulator<double> simulator(*block);
  Context<double>& context = simulator.get_mutable_context();
  (*block->get_input_port(0)
        .FixValue(&context, 1.0)
        .GetMutableVectorData<double>())[0] =
      std::numeric_limits<double>::quiet_NaN();
  block->get_input_port(1).FixValue(&context, 1.0);
  EXPECT_THROWS_MESSAGE(simulator.Initialize(), std::runtime_error,
                        "the condition[0] is nan");
}

// Its output, 1 while it is enabled, disables it; 0, after that, enables it.
TEST(EnabledSubsystem, OneThatIsNeverContentIsStopped) {
  ActivationOptions options;
  options.outputs = WhenInactive::kReset;
  DiagramBuilder<double> builder;
  auto* one = builder.AddSystem(One());
  auto* block =
      builder.AddNamedSystem("switching", Enabled(GainOf(1), options));
  auto* rest = builder.AddSystem<Adder<double>>("+-");
  builder.Connect(one->get_output_port(0), block->get_input_port(1));
  builder.Connect(one->get_output_port(0), rest->get_input_port(0));
  builder.Connect(block->get_output_port(0), rest->get_input_port(1));
  builder.Connect(rest->get_output_port(), block->get_input_port(0));
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(1), std::runtime_error,
                        "switching::gate");
}

std::unique_ptr<TriggeredSubsystem<double>> Triggered(
    std::shared_ptr<System<double>> system,
    TriggerEdge edge = TriggerEdge::kRising,
    const std::vector<VectorXd>& initial_outputs = {}) {
  return std::make_unique<TriggeredSubsystem<double>>(std::move(system), edge,
                                                      initial_outputs);
}

// On at 0 to 0.25, at 1 to 1.25, ...; the value at the start is no edge.
TEST(TriggeredSubsystem, CountsEdges) {
  const auto count = [](TriggerEdge edge, double time) {
    auto bench = MakeBench(
        Triggered(std::make_shared<Counter<double>>(CounterSettings{}), edge),
        Source(Waveform::PulseTrain(1, 0.25, 1)));
    return bench.AdvanceTo(time);
  };
  EXPECT_EQ(count(TriggerEdge::kRising, 0.9), 0);
  EXPECT_EQ(count(TriggerEdge::kRising, 3.1), 3);
  EXPECT_EQ(count(TriggerEdge::kFalling, 3.1), 3);
  EXPECT_EQ(count(TriggerEdge::kFalling, 3.3), 4);
  EXPECT_EQ(count(TriggerEdge::kEither, 3.1), 6);
}

// x' = x + u and y = x + 10 u: the new state, and the input of the moment.
TEST(TriggeredSubsystem, OutputsHaveTheNewStateAndTheInputOfTheMoment) {
  const VectorXd one = VectorXd::Ones(1);
  const VectorXd zero = VectorXd::Zero(1);
  const auto sum = std::make_shared<AffineSystem<double>>(one, one, zero, one,
                                                          10 * one, zero, 0.37);
  auto bench = MakeBench(Triggered(sum, TriggerEdge::kRising, {5 * one}),
                         Source(Waveform::PulseTrain(1, 0.25, 1)),
                         Source(Waveform::Clock()));
  EXPECT_EQ(bench.AdvanceTo(0.9), 5);
  EXPECT_NEAR(bench.AdvanceTo(3.1), (1 + 2 + 3) + 10 * 3, 1e-12);
  EXPECT_NEAR(bench.AdvanceTo(3.9), 36, 1e-12);
  bench.AdvanceTo(4);
  EXPECT_NEAR(bench.integral(), 5 + 11 + (3 + 20) + 36, 1e-11);
}

// A System without state samples: here the time at which sin(t - 1) rises.
TEST(TriggeredSubsystem, SamplesAtTheZerosOfAContinuousSignal) {
  auto bench =
      MakeBench(Triggered(GainOf(1)), SineOf(-1), Source(Waveform::Clock()));
  EXPECT_EQ(bench.AdvanceTo(0.9), 0);
  EXPECT_NEAR(bench.AdvanceTo(5), 1, 1e-11);
  EXPECT_NEAR(bench.AdvanceTo(8), 1 + 2 * M_PI, 1e-11);
}

TEST(TriggeredSubsystem, RefusesContinuousState) {
  EXPECT_THROWS_MESSAGE(Triggered(OneIntegrator()), std::logic_error,
                        "has 1 continuous states, which a trigger cannot");
  EXPECT_THROWS_MESSAGE(Triggered(nullptr), std::logic_error,
                        "TriggeredSubsystem(): a System is null");
}

// y = 2 sin t while that is above zero, otherwise -sin t.
TEST(IfElseSubsystem, RunsTheFirstWhoseConditionHolds) {
  auto bench = MakeBench(std::make_unique<IfElseSubsystem<double>>(
                             1, Systems{GainOf(2), GainOf(-1)}),
                         SineOf(0), SineOf(0));
  EXPECT_NEAR(bench.AdvanceTo(1), 2 * std::sin(1), 1e-14);
  EXPECT_NEAR(bench.AdvanceTo(4), -std::sin(4), 1e-14);
  bench.AdvanceTo(2 * M_PI);
  EXPECT_NEAR(bench.integral(), 4 + 2, 1e-9);
}

// Conditions (t > 1, t > 2), of which the first wins, and no "else".
TEST(IfElseSubsystem, HoldsWhenNoConditionHolds) {
  auto conditions =
      std::make_unique<WaveformSource<double>>(std::vector<Waveform>{
          Waveform::Pulse(2, 1, 1, 0), Waveform::Pulse(1, 3, 1, 0)});
  auto bench = MakeBench(std::make_unique<IfElseSubsystem<double>>(
                             2, Systems{GainOf(2), GainOf(3)}),
                         std::unique_ptr<System<double>>(std::move(conditions)),
                         Source(Waveform::Clock()));
  EXPECT_EQ(bench.AdvanceTo(0.5), 0);
  EXPECT_EQ(bench.block().get_active(bench.context()), -1);
  EXPECT_EQ(bench.AdvanceTo(1.5), 3 * 1.5);
  EXPECT_EQ(bench.AdvanceTo(2.5), 2 * 2.5);
  EXPECT_EQ(bench.AdvanceTo(3.5), 3 * 3.5);
  EXPECT_EQ(bench.AdvanceTo(4.5), 3 * 4.0);
}

TEST(IfElseSubsystem, RefusesSystemsOfOtherPorts) {
  const auto make = [](int num_conditions, const Systems& systems) {
    return std::make_unique<IfElseSubsystem<double>>(num_conditions, systems);
  };
  EXPECT_THROWS_MESSAGE(
      make(1, {GainOf(1), std::make_shared<Gain<double>>(1.0, 2)}),
      std::logic_error,
      "has the ports u0[2] -> y0[2], but those of 'system0' are u0[1] -> "
      "y0[1]");
  EXPECT_THROWS_MESSAGE(make(1, {}), std::logic_error, "0 Systems for 1");
  EXPECT_THROWS_MESSAGE(make(1, {GainOf(1), GainOf(1), GainOf(1)}),
                        std::logic_error, "3 Systems for 1 conditions");
  EXPECT_THROWS_MESSAGE(make(0, {GainOf(1)}), std::logic_error,
                        "num_conditions is 0");
  EXPECT_THROWS_MESSAGE(make(1, {GainOf(1), nullptr}), std::logic_error,
                        "a System is null");
}

// The selector is 0 for a second, then 1, 2, ...; each System integrates 1
// while its cases are selected, and its state stands still otherwise.
TEST(CaseSubsystem, RunsTheSystemOfTheCase) {
  const auto stairs = [] {
    std::vector<Waveform::Piece> pieces;
    for (int i = 0; i < 6; ++i) pieces.push_back({1.0 * i, 1.0 * i, 0});
    return Source(Waveform::PiecewiseLinear(0, 0, 6, pieces));
  };
  const auto make = [](bool has_default) {
    Systems systems{OneIntegrator(), OneIntegrator()};
    if (has_default) systems.push_back(GainOf(-1));
    return std::make_unique<CaseSubsystem<double>>(
        std::vector<std::vector<int>>{{1, 3}, {2}}, systems);
  };
  auto bench = MakeBench(make(false), stairs(), One());
  EXPECT_EQ(bench.AdvanceTo(0.5), 0);
  EXPECT_NEAR(bench.AdvanceTo(1.5), 0.5, 1e-12);
  EXPECT_NEAR(bench.AdvanceTo(2.25), 0.25, 1e-12);
  EXPECT_NEAR(bench.AdvanceTo(3.5), 1.5, 1e-12);
  EXPECT_NEAR(bench.AdvanceTo(5.5), 2, 1e-12);
  EXPECT_NEAR(bench.AdvanceTo(8.5), 1.5, 1e-12);
  auto other = MakeBench(make(true), stairs(), One());
  EXPECT_EQ(other.AdvanceTo(0.5), -1);
  EXPECT_EQ(other.AdvanceTo(4.5), -1);
}

// A ramp passes 1/2 at 0.5, 3/2 at 1.5.
TEST(CaseSubsystem, RoundsTheSelector) {
  auto bench =
      MakeBench(std::make_unique<CaseSubsystem<double>>(
                    std::vector<std::vector<int>>{{1}}, Systems{GainOf(1)}),
                Source(Waveform::Clock()), One());
  bench.AdvanceTo(3);
  // From 0.5 on the output is 1, also when it is held.
  EXPECT_NEAR(bench.integral(), 2.5, 1e-11);
  EXPECT_EQ(bench.block().get_active(bench.context()), -1);
}

TEST(CaseSubsystem, RefusesCasesThatAreNotClear) {
  const auto make = [](const std::vector<std::vector<int>>& cases) {
    return std::make_unique<CaseSubsystem<double>>(
        cases, Systems{GainOf(1), GainOf(1)});
  };
  EXPECT_THROWS_MESSAGE(make({{1, 2}, {2}}), std::logic_error,
                        "the case 2 is given twice");
  EXPECT_THROWS_MESSAGE(make({{1}, {}}), std::logic_error, "cases[1] is empty");
  EXPECT_THROWS_MESSAGE(make({}), std::logic_error, "the list of cases");
  EXPECT_THROWS_MESSAGE(make({{1}, {2}, {3}}), std::logic_error,
                        "2 Systems for 3 lists of cases");
}

}  // namespace conditional_subsystems_test
}  // namespace wyvern::systems
