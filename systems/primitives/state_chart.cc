#include "wyvern/systems/primitives/state_chart.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

/* A chart is a tree of states, with a parent and a first child each, and a list
of transitions. Transitions of outer states stand before those of inner ones, so
the list is in the order in which a StateMachine tries them. A crossing of a
bound, and outputs on entry, become functions like any others; their numbers are
kept beside the functions, so that a chart made of them can be written. */

namespace wyvern::systems {

StateChart::StateChart(int num_outputs) : num_outputs_(num_outputs) {
  wyvern::internal::RequireAtLeast("StateChart", "num_outputs", num_outputs, 0);
}

void StateChart::RequireState(const char* function,
                              ChartStateIndex state) const {
  wyvern::internal::RequireIndex(
      wyvern::internal::Caller("StateChart", function), "the state", state,
      num_states());
}

ChartStateIndex StateChart::AddState(const std::string& name,
                                     std::optional<ChartStateIndex> parent) {
  wyvern::internal::RequireNotEmpty("StateChart::AddState", "name",
                                    name.empty());
  for (const State& state : states_) {
    if (state.name == name) {
      throw std::logic_error(fmt::format(
          "StateChart::AddState(): there is a state '{}' already; give each "
          "state a name of its own.",
          name));
    }
  }
  State state;
  state.name = name;
  if (parent.has_value()) {
    RequireState("AddState", *parent);
    state.parent = *parent;
    State& outer = states_[*parent];
    if (outer.first_child < 0) outer.first_child = num_states();
  }
  states_.push_back(std::move(state));
  return ChartStateIndex(num_states() - 1);
}

void StateChart::KeepHistory(ChartStateIndex parent) {
  RequireState("KeepHistory", parent);
  states_[parent].has_history = true;
}

int StateChart::GetDepth(int state) const {
  int depth = 0;
  for (; state >= 0; state = states_[state].parent) ++depth;
  return depth;
}

bool StateChart::IsWithin(int inner, int outer) const {
  for (; inner >= 0; inner = states_[inner].parent) {
    if (inner == outer) return true;
  }
  return false;
}

void StateChart::Add(const char* function, Transition transition) {
  RequireState(function, ChartStateIndex(transition.from));
  RequireState(function, ChartStateIndex(transition.to));
  const int depth = GetDepth(transition.from);
  const auto place = std::upper_bound(
      transitions_.begin(), transitions_.end(), depth,
      [this](int d, const Transition& t) { return d < GetDepth(t.from); });
  transitions_.insert(place, std::move(transition));
}

void StateChart::AddTransition(ChartStateIndex from, ChartStateIndex to,
                               Guard guard, Action action) {
  wyvern::internal::RequireNotEmpty("StateChart::AddTransition", "guard",
                                    guard == nullptr);
  Add("AddTransition", {from, to, std::move(guard), 0, std::move(action)});
}

void StateChart::AddTransition(ChartStateIndex from, ChartStateIndex to,
                               const ChartCrossing& crossing, Action action) {
  const char* const who = "StateChart::AddTransition";
  wyvern::internal::RequireAtLeast(who, "crossing.element", crossing.element,
                                   0);
  wyvern::internal::RequireFinite(who, "crossing.bound", crossing.bound);
  const auto [i, bound, is_rising] = crossing;
  Guard guard = [i = i, bound = bound,
                 sign = is_rising ? 1.0 : -1.0](const ChartMoment& now) {
    return sign * (now.u[i] - bound);
  };
  Add("AddTransition",
      {from, to, std::move(guard), 0, std::move(action), crossing});
}

void StateChart::AddTimeout(ChartStateIndex from, ChartStateIndex to,
                            double seconds, Action action) {
  wyvern::internal::RequirePositive("StateChart::AddTimeout", "seconds",
                                    seconds);
  Add("AddTimeout", {from, to, Guard(), seconds, std::move(action)});
}

void StateChart::Set(const char* function, ChartStateIndex state,
                     Action State::*member, Action action) {
  RequireState(function, state);
  wyvern::internal::RequireNotEmpty(
      wyvern::internal::Caller("StateChart", function), "action",
      action == nullptr);
  states_[state].*member = std::move(action);
}

void StateChart::OnEntry(ChartStateIndex state, Action action) {
  Set("OnEntry", state, &State::entry, std::move(action));
  states_[state].entry_outputs.reset();
}

void StateChart::SetOnEntry(ChartStateIndex state, const Eigen::VectorXd& y) {
  wyvern::internal::RequireSize("StateChart::SetOnEntry", "y", y.size(),
                                num_outputs_);
  wyvern::internal::RequireFinite("StateChart::SetOnEntry", "y", y);
  OnEntry(state, [y](const ChartMoment&, Eigen::Ref<Eigen::VectorXd> out) {
    out = y;
  });
  states_[state].entry_outputs = y;
}

void StateChart::OnExit(ChartStateIndex state, Action action) {
  Set("OnExit", state, &State::exit, std::move(action));
}

void StateChart::During(ChartStateIndex state, Action action) {
  Set("During", state, &State::during, std::move(action));
}

const std::string& StateChart::get_name(ChartStateIndex state) const {
  RequireState("get_name", state);
  return states_[state].name;
}

void StateChart::RequireReachableStates() const {
  wyvern::internal::RequireNotEmpty("StateChart", "the list of states",
                                    states_.empty());
  std::vector<bool> is_reached(states_.size());
  const auto reach = [&](int state) {
    bool is_new = false;
    const auto mark = [&](int s) {
      is_new = is_new || !is_reached[s];
      is_reached[s] = true;
    };
    for (int s = state; s >= 0; s = states_[s].parent) mark(s);
    for (int s = state; s >= 0; s = states_[s].first_child) mark(s);
    return is_new;
  };
  bool goes_on = reach(0);
  while (goes_on) {
    goes_on = false;
    for (const Transition& transition : transitions_) {
      if (is_reached[transition.from] && reach(transition.to)) goes_on = true;
    }
  }
  for (size_t i = 0; i < states_.size(); ++i) {
    if (is_reached[i]) continue;
    throw std::logic_error(fmt::format(
        "StateChart: no transition leads to the state '{}'; add one, or take "
        "the state out.",
        states_[i].name));
  }
}

}  // namespace wyvern::systems
