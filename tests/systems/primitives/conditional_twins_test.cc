/** @file Random trees of blocks that run under conditions, beside the same
trees in plain C++. All numbers are sums of few powers of two, so both must
agree to the last bit. */

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "wyvern/simulator/integrators/explicit_euler_integrator.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/adder.h"
#include "wyvern/systems/primitives/case_subsystem.h"
#include "wyvern/systems/primitives/enabled_subsystem.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/if_else_subsystem.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/linear/linear_system.h"
#include "wyvern/systems/primitives/triggered_subsystem.h"
#include "wyvern/systems/primitives/waveform_source.h"

namespace wyvern::systems {
namespace conditional_twins_test {

using Eigen::VectorXd;

// Signals jump, and samples are taken, at multiples of this time [s].
constexpr double kTick = 1.0 / 16;
constexpr int kNumTicks = 40;

enum class Kind {
  kGain,
  kSampledSum,
  kIntegral,
  kChain,
  kSum,
  kEnabled,
  kIfElse,
  kCase,
  kTriggered,
};

// A System u -> y in plain C++: its parameters, parts and state.
struct Twin {
  Kind kind{};
  double gain{1};
  int period{1};  // of a sampled sum, in ticks
  bool has_feedthrough{false};
  std::vector<std::unique_ptr<Twin>> parts;
  std::vector<std::vector<double>> conditions;  // by element, by tick
  std::vector<std::vector<int>> cases;
  ActivationOptions options;
  TriggerEdge edge{};
  // The state, and the state that an update gives it.
  double x{0}, next_x{0};
  double held{0}, next_held{0};
  int active{-1};
  bool is_high{false};  // the trigger
  bool runs{false};     // from an edge until its outputs are held
  bool is_live{false};

  double initial() const { return options.initial_outputs.at(0)[0]; }
  bool is_conditional() const {
    return kind == Kind::kEnabled || kind == Kind::kIfElse ||
           kind == Kind::kCase;
  }
  bool is_triggered() const { return kind == Kind::kTriggered; }
  int Select(int tick) const;
  double Output(double u) const;
  void Start(int tick);
  void FindHeld(double u, int tick);
  void Switch(int tick);
  void FindSample(double u, int tick);
  void FindStep(double u, double h);
  void Swap();
  void HandleEdges(double u);
  template <typename Visit>
  void VisitInputs(double u, const Visit& visit) {
    if (kind == Kind::kChain) {
      const double between = parts[0]->Output(u);
      visit(parts[0].get(), u);
      visit(parts[1].get(), between);
    } else if (is_conditional()) {
      if (active >= 0) visit(parts[active].get(), u);
    } else if (!is_triggered()) {
      for (auto& part : parts) visit(part.get(), u);
    }
  }
  template <typename Visit>
  void VisitRunning(double u, const Visit& visit) {
    if (runs) visit(this, parts[0].get(), u);
    VisitInputs(u, [&](Twin* part, double v) { part->VisitRunning(v, visit); });
  }
};

// The part that the conditions select, or -1.
int Twin::Select(int tick) const {
  const int num_parts = static_cast<int>(parts.size());
  if (kind == Kind::kCase) {
    for (size_t i = 0; i < cases.size(); ++i) {
      for (const int value : cases[i]) {
        if (std::floor(conditions[0][tick] + 0.5) == value) {
          return static_cast<int>(i);
        }
      }
    }
    return num_parts > static_cast<int>(cases.size()) ? num_parts - 1 : -1;
  }
  const int count = static_cast<int>(conditions.size());
  for (int i = 0; i < count; ++i) {
    if (conditions[i][tick] > 0) return i;
  }
  return count < num_parts ? count : -1;
}

double Twin::Output(double u) const {
  switch (kind) {
    case Kind::kGain:
      return gain * u;
    case Kind::kSampledSum:
      return has_feedthrough ? x + u : x;
    case Kind::kIntegral:
      return x;
    case Kind::kChain:
      return parts[1]->Output(parts[0]->Output(u));
    case Kind::kSum:
      return parts[0]->Output(u) + parts[1]->Output(u);
    case Kind::kTriggered:
      return is_live ? parts[0]->Output(u) : held;
    default:
      return active >= 0 ? parts[active]->Output(u) : held;
  }
}

// The state at the start, or after a reset.
void Twin::Start(int tick) {
  x = 0;
  if (is_conditional()) {
    held = initial();
    active = Select(tick);
  } else if (is_triggered()) {
    held = initial();
    is_high = conditions[0][tick] > 0;
  }
  for (auto& part : parts) part->Start(tick);
}

// Finds what is held from now on, before anything has changed.
void Twin::FindHeld(double u, int tick) {
  if (!is_conditional()) {
    VisitInputs(u, [&](Twin* part, double v) { part->FindHeld(v, tick); });
  } else if (const int selected = Select(tick); selected >= 0) {
    parts[selected]->FindHeld(u, tick);
  } else if (active >= 0) {
    next_held = options.outputs == WhenInactive::kReset
                    ? initial()
                    : parts[active]->Output(u);
  }
}

// All that is active follows its condition.
void Twin::Switch(int tick) {
  if (is_triggered()) {
    const bool was_high = std::exchange(is_high, conditions[0][tick] > 0);
    runs = is_high != was_high && (edge == TriggerEdge::kEither ||
                                   is_high == (edge == TriggerEdge::kRising));
    return;
  } else if (!is_conditional()) {
    for (auto& part : parts) part->Switch(tick);
    return;
  }
  const int before = active;
  active = Select(tick);
  if (active < 0) {
    if (before >= 0) held = next_held;
  } else if (active != before && options.states == WhenInactive::kReset) {
    parts[active]->Start(tick);
  } else {
    parts[active]->Switch(tick);
  }
}

void Twin::FindSample(double u, int tick) {
  next_x = kind == Kind::kSampledSum && tick % period == 0 ? x + u : x;
  VisitInputs(u, [&](Twin* part, double v) { part->FindSample(v, tick); });
}

void Twin::FindStep(double u, double h) {
  next_x = kind == Kind::kIntegral ? x + h * u : x;
  VisitInputs(u, [&](Twin* part, double v) { part->FindStep(v, h); });
}

// Takes the state that an update gives, and keeps the one before it.
void Twin::Swap() {
  std::swap(x, next_x);
  if (is_conditional()) {
    if (active >= 0) parts[active]->Swap();
  } else if (!is_triggered()) {
    for (auto& part : parts) part->Swap();
  }
}

// After the samples of a moment, all that an edge triggered take theirs, then
// show the new outputs, and then hold them.
void Twin::HandleEdges(double u) {
  VisitRunning(u, [](Twin*, Twin* part, double v) { part->FindSample(v, 0); });
  VisitRunning(u, [](Twin* twin, Twin* part, double) {
    part->Swap();
    twin->is_live = true;
  });
  VisitRunning(u, [](Twin* twin, Twin* part, double v) {
    twin->next_held = part->Output(v);
  });
  VisitRunning(u, [](Twin* twin, Twin*, double) {
    twin->held = twin->next_held;
    twin->is_live = twin->runs = false;
  });
}

std::unique_ptr<System<double>> Make(const Twin& twin);

std::unique_ptr<System<double>> MakeSource(
    const std::vector<std::vector<double>>& signals) {
  std::vector<Waveform> waveforms;
  for (const auto& signal : signals) {
    std::vector<Waveform::Piece> pieces;
    for (int i = 0; i < kNumTicks; ++i) {
      if (i > 0 && signal[i] == signal[i - 1]) continue;
      pieces.push_back({i * kTick, signal[i], 0});
    }
    waveforms.push_back(Waveform::PiecewiseLinear(0, 0, 0, pieces));
  }
  return std::make_unique<WaveformSource<double>>(waveforms);
}

std::unique_ptr<System<double>> MakeConditional(const Twin& twin) {
  std::vector<std::shared_ptr<System<double>>> parts;
  for (const auto& part : twin.parts) parts.push_back(Make(*part));
  if (twin.kind == Kind::kEnabled) {
    return std::make_unique<EnabledSubsystem<double>>(parts[0], twin.options);
  } else if (twin.kind == Kind::kIfElse) {
    return std::make_unique<IfElseSubsystem<double>>(
        static_cast<int>(twin.conditions.size()), parts, twin.options);
  } else if (twin.is_triggered()) {
    return std::make_unique<TriggeredSubsystem<double>>(
        parts[0], twin.edge, twin.options.initial_outputs);
  }
  return std::make_unique<CaseSubsystem<double>>(twin.cases, parts,
                                                 twin.options);
}

std::unique_ptr<System<double>> MakeLeaf(const Twin& twin) {
  if (twin.kind == Kind::kGain) {
    return std::make_unique<Gain<double>>(twin.gain, 1);
  } else if (twin.kind == Kind::kIntegral) {
    return std::make_unique<Integrator<double>>(1);
  }
  const Eigen::MatrixXd one = Eigen::MatrixXd::Ones(1, 1);
  return std::make_unique<LinearSystem<double>>(
      one, one, one, (twin.has_feedthrough ? 1 : 0) * one, twin.period * kTick);
}

// The System of a twin: a Diagram with the ports "u" and "y".
std::unique_ptr<System<double>> Make(const Twin& twin) {
  DiagramBuilder<double> builder;
  const System<double>* last{};
  if (twin.kind == Kind::kChain || twin.kind == Kind::kSum) {
    const auto* first = builder.AddSystem(Make(*twin.parts[0]));
    last = builder.AddSystem(Make(*twin.parts[1]));
    builder.ExportInput(first->get_input_port(0), "u");
    if (twin.kind == Kind::kChain) {
      builder.Connect(first->get_output_port(0), last->get_input_port(0));
    } else {
      const auto* sum = builder.AddSystem<Adder<double>>(2, 1);
      builder.ConnectInput("u", last->get_input_port(0));
      builder.Connect(first->get_output_port(0), sum->get_input_port(0));
      builder.Connect(last->get_output_port(0), sum->get_input_port(1));
      last = sum;
    }
  } else if (twin.is_conditional() || twin.is_triggered()) {
    const auto* source = builder.AddSystem(MakeSource(twin.conditions));
    last = builder.AddSystem(MakeConditional(twin));
    builder.Connect(source->get_output_port(0), last->get_input_port(0));
    builder.ExportInput(last->get_input_port(1), "u");
  } else {
    last = builder.AddSystem(MakeLeaf(twin));
    builder.ExportInput(last->get_input_port(0), "u");
  }
  builder.ExportOutput(last->get_output_port(0), "y");
  return builder.Build();
}

class Random {
 public:
  explicit Random(int seed) : generator_(seed) {}
  int Draw(int count) { return static_cast<int>(generator_() % count); }
  // Values that stay for some ticks.
  std::vector<double> Signal(const std::vector<double>& values) {
    std::vector<double> signal(kNumTicks + 1);
    for (int i = 0; i <= kNumTicks; ++i) {
      signal[i] = i > 0 && Draw(4) > 0 ? signal[i - 1]
                                       : values[Draw(std::ssize(values))];
    }
    return signal;
  }
  // A tree of samples has no continuous state and no conditions.
  std::unique_ptr<Twin> Tree(int depth, bool is_sampled = false);

 private:
  void AddConditions(Twin* twin, int depth);
  std::mt19937 generator_;
  // Triggers that share it have edges at the same moments.
  const std::vector<double> clock_{Signal({-1, 0, 1})};
};

std::unique_ptr<Twin> Random::Tree(int depth, bool is_sampled) {
  std::vector<Kind> kinds{Kind::kGain, Kind::kSampledSum};
  if (!is_sampled) kinds.push_back(Kind::kIntegral);
  if (depth > 0) {
    kinds.insert(kinds.end(), {Kind::kChain, Kind::kSum});
    if (!is_sampled) {
      kinds.insert(kinds.end(), {Kind::kEnabled, Kind::kIfElse, Kind::kCase,
                                 Kind::kTriggered, Kind::kTriggered});
    }
  }
  auto twin = std::make_unique<Twin>();
  twin->kind = kinds[Draw(static_cast<int>(kinds.size()))];
  twin->gain = std::vector{-1.0, 0.5, 2.0}[Draw(3)];
  twin->period = 1 + Draw(4);
  twin->has_feedthrough = Draw(2) == 1;
  if (twin->is_conditional()) {
    AddConditions(twin.get(), depth);
  } else if (twin->is_triggered()) {
    twin->edge = std::vector{TriggerEdge::kRising, TriggerEdge::kFalling,
                             TriggerEdge::kEither}[Draw(3)];
    twin->options.initial_outputs = {VectorXd::Constant(1, Draw(4))};
    twin->conditions = {Draw(2) == 0 ? clock_ : Signal({-1, 0, 1})};
    twin->parts.push_back(Tree(depth - 1, true));
  } else if (twin->kind == Kind::kChain || twin->kind == Kind::kSum) {
    for (int i = 0; i < 2; ++i) {
      twin->parts.push_back(Tree(depth - 1, is_sampled));
    }
  }
  return twin;
}

void Random::AddConditions(Twin* twin, int depth) {
  const auto draw = [this] {
    return Draw(2) == 0 ? WhenInactive::kHold : WhenInactive::kReset;
  };
  twin->options.outputs = draw();
  twin->options.states = draw();
  twin->options.initial_outputs = {VectorXd::Constant(1, Draw(4))};
  int num_parts = 1;
  if (twin->kind == Kind::kIfElse) num_parts += Draw(2);
  if (twin->kind == Kind::kCase) {
    twin->cases = {{0, 2}, {1}};
    num_parts = 2 + Draw(2);
    twin->conditions = {Signal({-0.75, 0, 0.75, 2.25, 3})};
  } else {
    twin->conditions = {Signal({-1, 0, 1})};
    if (num_parts == 2 && Draw(2) == 0) {
      twin->conditions.push_back(Signal({-1, 0, 1}));
    }
  }
  for (int i = 0; i < num_parts; ++i) twin->parts.push_back(Tree(depth - 1));
}

class ConditionalTwins : public ::testing::TestWithParam<int> {};

// Compares the outputs in the middle of each tick.
void ExpectEqualRuns(int seed, int depth) {
  Random random(seed);
  const auto twin = random.Tree(depth);
  const std::vector<double> input = random.Signal({-1, 0, 0.5, 3});
  DiagramBuilder<double> builder;
  const auto* source = builder.AddSystem(MakeSource({input}));
  const auto* system = builder.AddSystem(Make(*twin));
  // Continuous state, so that each half of a tick is a step.
  const auto* beside = builder.AddSystem<Integrator<double>>(1);
  builder.Connect(source->get_output_port(0), system->get_input_port(0));
  builder.Connect(source->get_output_port(0), beside->get_input_port(0));
  builder.ExportOutput(system->get_output_port(0), "y");
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  simulator.reset_integrator<ExplicitEulerIntegrator<double>>(kTick / 2);
  twin->Start(0);
  for (int tick = 0; tick < kNumTicks; ++tick) {
    const double u = input[tick];
    twin->FindHeld(u, tick);
    if (tick > 0) twin->Switch(tick);
    twin->FindSample(u, tick);
    twin->Swap();
    twin->HandleEdges(u);
    simulator.AdvanceTo((tick + 0.5) * kTick);
    twin->FindStep(u, kTick / 2);
    twin->Swap();
    ASSERT_EQ(diagram->get_output_port().Eval(simulator.get_context())[0],
              twin->Output(u))
        << "seed " << seed << ", depth " << depth << ", tick " << tick;
    twin->FindStep(u, kTick / 2);
    twin->Swap();
  }
}

TEST_P(ConditionalTwins, AgreeToTheLastBit) {
  for (int i = 0; i < 100; ++i) {
    ExpectEqualRuns(1000 * GetParam() + i, GetParam());
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Depths, ConditionalTwins, ::testing::Range(1, 5));

}  // namespace conditional_twins_test
}  // namespace wyvern::systems
