#include "wyvern/systems/blocks/control_blocks.h"

#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/blocks/block_fields.h"
#include "wyvern/systems/blocks/block_registry.h"
#include "wyvern/systems/blocks/standard_blocks.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/controllers/pid_compensator.h"
#include "wyvern/systems/controllers/pid_controller.h"
#include "wyvern/systems/primitives/state_machine.h"

/* A StateMachine in YAML compares input elements with bounds and sets outputs
on entry, which a file can say without functions. Its transitions happen at the
moments of the crossings. A chart with functions of C++ is not described. The
other structs pass their numbers to the constructors, which check them. */

namespace wyvern::systems {

namespace blocks {

namespace {

using controllers::AntiWindup;
using controllers::PidMethod;

const internal::EnumNames<AntiWindup> kAntiWindups{
    {"none", AntiWindup::kNone},
    {"clamping", AntiWindup::kClamping},
    {"back_calculation", AntiWindup::kBackCalculation}};
const internal::EnumNames<PidMethod> kPidMethods{
    {"forward_euler", PidMethod::kForwardEuler},
    {"backward_euler", PidMethod::kBackwardEuler},
    {"tustin", PidMethod::kTustin}};

}  // namespace

std::unique_ptr<System<double>> PidController::Make() const {
  const MatrixX<double> P_x =
      state_projection.size() > 0
          ? state_projection
          : MatrixX<double>::Identity(2 * kp.size(), 2 * kp.size());
  const MatrixX<double> P_u =
      output_projection.size() > 0
          ? output_projection
          : MatrixX<double>::Identity(kp.size(), kp.size());
  std::unique_ptr<controllers::PidController<double>> block;
  if (state_projection.size() == 0 && output_projection.size() == 0) {
    block = std::make_unique<controllers::PidController<double>>(kp, ki, kd);
  } else {
    block = std::make_unique<controllers::PidController<double>>(P_x, P_u, kp,
                                                                 ki, kd);
  }
  if (tunable) block->MakeTunable();
  return block;
}

std::optional<PidController> PidController::From(const System<double>& system) {
  const auto* block =
      dynamic_cast<const controllers::PidController<double>*>(&system);
  if (block == nullptr) return {};
  PidController result{.kp = block->get_Kp_vector(),
                       .ki = block->get_Ki_vector(),
                       .kd = block->get_Kd_vector(),
                       .state_projection = block->state_projection(),
                       .output_projection = block->output_projection(),
                       .tunable = block->is_tunable()};
  const auto is_identity = [](const MatrixX<double>& P) {
    return P.rows() == P.cols() && P.isIdentity(0);
  };
  if (is_identity(result.state_projection) &&
      is_identity(result.output_projection)) {
    result.state_projection.resize(0, 0);
    result.output_projection.resize(0, 0);
  }
  return result;
}

std::unique_ptr<System<double>> PidCompensator::Make() const {
  const controllers::PidSettings settings{
      .kp = kp,
      .ki = ki,
      .kd = kd,
      .derivative_bandwidth = derivative_bandwidth,
      .proportional_weight = proportional_weight,
      .derivative_weight = derivative_weight,
      .lower = lower,
      .upper = upper,
      .anti_windup = internal::FindEnum("PidCompensator", "anti_windup",
                                        anti_windup, kAntiWindups),
      .back_calculation = back_calculation,
      .period = period,
      .method =
          internal::FindEnum("PidCompensator", "method", method, kPidMethods),
      .has_feedforward_port = has_feedforward_port};
  return std::make_unique<controllers::PidCompensator<double>>(
      settings, internal::CheckSize("PidCompensator", "size", size));
}

std::optional<PidCompensator> PidCompensator::From(
    const System<double>& system) {
  const auto* block =
      dynamic_cast<const controllers::PidCompensator<double>*>(&system);
  if (block == nullptr) return {};
  const controllers::PidSettings& s = block->settings();
  return PidCompensator{
      .kp = s.kp,
      .ki = s.ki,
      .kd = s.kd,
      .derivative_bandwidth = s.derivative_bandwidth,
      .proportional_weight = s.proportional_weight,
      .derivative_weight = s.derivative_weight,
      .lower = s.lower,
      .upper = s.upper,
      .anti_windup = internal::NameOf(s.anti_windup, kAntiWindups),
      .back_calculation = s.back_calculation,
      .period = s.period,
      .method = internal::NameOf(s.method, kPidMethods),
      .has_feedforward_port = s.has_feedforward_port,
      .size = block->size()};
}

namespace {

// The states of a chart by name.
class ChartNames {
 public:
  explicit ChartNames(const std::vector<ChartState>& states) {
    for (const ChartState& state : states) {
      states_.emplace(state.name, ChartStateIndex(std::ssize(names_)));
      names_.push_back(state.name);
    }
  }
  ChartStateIndex Find(const std::string& field,
                       const std::string& name) const {
    const auto found = states_.find(name);
    if (found != states_.end()) return found->second;
    internal::ThrowBadName("StateMachine", field.c_str(), name, names_);
  }

 private:
  std::map<std::string, ChartStateIndex> states_;
  std::vector<std::string> names_;
};

std::optional<ChartStateIndex> FindParent(const ChartNames& names,
                                          const std::vector<ChartState>& states,
                                          int i) {
  if (!states[i].parent.has_value()) return std::nullopt;
  return names.Find(fmt::format("states[{}].parent", i), *states[i].parent);
}

// Throws unless each parent is a state that is listed before its inner states.
void RequireParentsFirst(const ChartNames& names,
                         const std::vector<ChartState>& states) {
  const int num_states = static_cast<int>(std::ssize(states));
  for (int i = 0; i < num_states; ++i) {
    std::string chain = fmt::format("'{}'", states[i].name);
    auto outer = FindParent(names, states, i);
    for (int k = 0; k < num_states && outer.has_value(); ++k) {
      chain += fmt::format(" in '{}'", states[*outer].name);
      if (*outer == i) {
        throw std::logic_error(fmt::format(
            "StateMachine(): the parents of states form a cycle: {}; take out "
            "one of these parents.",
            chain));
      }
      outer = FindParent(names, states, *outer);
    }
  }
  for (int i = 0; i < num_states; ++i) {
    const auto parent = FindParent(names, states, i);
    if (!parent.has_value() || *parent < i) continue;
    throw std::logic_error(fmt::format(
        "StateMachine(): states[{}].parent is '{}', which is listed later, as "
        "states[{}]; list a parent before its inner states.",
        i, *states[i].parent, static_cast<int>(*parent)));
  }
}

ChartCrossing MakeCrossing(const std::string& field,
                           const ChartTransition& transition, int input_size) {
  wyvern::internal::RequireIndex("StateMachine", field + ".input",
                                 transition.input, input_size);
  const bool is_above = transition.above.has_value();
  const double bound = is_above ? *transition.above : *transition.below;
  wyvern::internal::RequireFinite(
      "StateMachine", field + (is_above ? ".above" : ".below"), bound);
  return {.element = transition.input, .bound = bound, .is_rising = is_above};
}

}  // namespace

std::unique_ptr<System<double>> StateMachine::Make() const {
  internal::CheckSize("StateMachine", "input_size", input_size, 0);
  internal::CheckSize("StateMachine", "num_outputs", num_outputs, 0);
  // Charts are searched from state to state.
  constexpr int kMaxStates = 256;
  constexpr int kMaxTransitions = 1024;
  wyvern::internal::RequireInRange("StateMachine", "the number of states",
                                   static_cast<double>(states.size()), 1,
                                   kMaxStates);
  wyvern::internal::RequireInRange("StateMachine", "the number of transitions",
                                   static_cast<double>(transitions.size()), 0,
                                   kMaxTransitions);
  const ChartNames names(states);
  RequireParentsFirst(names, states);
  StateChart chart(num_outputs);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const ChartState& state = states[i];
    const std::string field = fmt::format("states[{}]", i);
    const ChartStateIndex index = chart.AddState(
        state.name, FindParent(names, states, static_cast<int>(i)));
    if (state.keep_history) chart.KeepHistory(index);
    if (!state.entry.has_value()) continue;
    wyvern::internal::RequireSize("StateMachine", field + ".entry",
                                  state.entry->size(), num_outputs);
    wyvern::internal::RequireFinite("StateMachine", field + ".entry",
                                    *state.entry);
    chart.SetOnEntry(index, *state.entry);
  }
  for (std::size_t i = 0; i < transitions.size(); ++i) {
    const ChartTransition& one = transitions[i];
    const std::string field = fmt::format("transitions[{}]", i);
    if (one.above.has_value() + one.below.has_value() + one.after.has_value() !=
        1) {
      throw std::logic_error(fmt::format(
          "StateMachine(): {} has {} of `above`, `below` and `after`; give "
          "one.",
          field,
          one.above.has_value() + one.below.has_value() +
              one.after.has_value()));
    }
    const ChartStateIndex from = names.Find(field + ".from", one.from);
    const ChartStateIndex to = names.Find(field + ".to", one.to);
    if (one.after.has_value()) {
      chart.AddTimeout(from, to, *one.after);
    } else {
      chart.AddTransition(from, to, MakeCrossing(field, one, input_size));
    }
  }
  return std::make_unique<systems::StateMachine<double>>(chart, input_size);
}

std::optional<StateMachine> StateMachine::From(const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::StateMachine<double>*>(&system);
  if (block == nullptr) return {};
  const StateChart& chart = block->chart();
  StateMachine result{.input_size = block->get_input_port(0).size(),
                      .num_outputs = chart.num_outputs(),
                      .states = {},
                      .transitions = {}};
  const auto& states = chart.states();
  for (const StateChart::State& state : states) {
    const bool has_function = state.entry && !state.entry_outputs.has_value();
    if (has_function || state.exit || state.during) return {};
    result.states.push_back({.name = state.name,
                             .parent = {},
                             .entry = state.entry_outputs,
                             .keep_history = state.has_history});
    if (state.parent >= 0) {
      result.states.back().parent = states[state.parent].name;
    }
  }
  for (const StateChart::Transition& one : chart.transitions()) {
    if (one.action || (one.guard && !one.crossing.has_value())) return {};
    ChartTransition transition{.from = states[one.from].name,
                               .to = states[one.to].name,
                               .input = 0,
                               .above = {},
                               .below = {},
                               .after = {}};
    if (one.crossing.has_value()) {
      transition.input = one.crossing->element;
      (one.crossing->is_rising ? transition.above : transition.below) =
          one.crossing->bound;
    } else {
      transition.after = one.timeout;
    }
    result.transitions.push_back(std::move(transition));
  }
  return result;
}

}  // namespace blocks

void internal::AddControlBlocks(BlockRegistry* registry) {
  registry->Add<blocks::PidController>();
  registry->Add<blocks::PidCompensator>();
  registry->Add<blocks::StateMachine>();
}

}  // namespace wyvern::systems
