#include "wyvern/systems/primitives/state_machine.h"

#include <cmath>
#include <set>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* A transition from S to D leaves the states from the innermost active one up
to, but without, the innermost state that has both S and D properly within
it, and enters those from there down to D and on, by first states or
histories, to an innermost one. It leaves and enters S itself if D is S or
within it. All that is remembered is written to the discrete state that the
event makes; the Context keeps the state before, from which guards are
computed. */

namespace wyvern::systems {

template <typename T>
StateMachine<T>::StateMachine(const StateChart& chart, int input_size)
    : internal::ModalBlock<T>(SystemTypeTag<systems::StateMachine>{}),
      chart_(chart) {
  wyvern::internal::RequireAtLeast("StateMachine", "input_size", input_size, 0);
  chart_.RequireReachableStates();
  for (const StateChart::Transition& transition : chart_.transitions_) {
    if (!transition.crossing.has_value()) continue;
    wyvern::internal::RequireIndex("StateMachine", "the element of a crossing",
                                   transition.crossing->element, input_size);
  }
  this->DeclareVectorInputPort("u", input_size);
  int first = 0;
  while (chart_.states_[first].first_child >= 0) {
    first = chart_.states_[first].first_child;
  }
  VectorX<T> initial = VectorX<T>::Constant(size(), T(0));
  initial[kActive] = T(first);
  for (int i = 0; i < chart_.num_states(); ++i) {
    initial[history_index(i)] = T(chart_.states_[i].first_child);
  }
  this->DeclareDiscreteState(BasicVector<T>(initial));
  this->DeclareInitializationUnrestrictedUpdateEvent(&StateMachine<T>::Start);
  if (chart_.num_outputs() > 0) {
    std::set<DependencyTicket> sources{this->xd_ticket()};
    for (const auto& state : chart_.states_) {
      if (state.during == nullptr) continue;
      sources.insert(this->all_input_ports_ticket());
      sources.insert(this->time_ticket());
    }
    this->DeclareVectorOutputPort("y", chart_.num_outputs(),
                                  &StateMachine<T>::CalcOutput, sources);
  }
  this->DeclareVectorOutputPort("state", 1, &StateMachine<T>::CalcState,
                                {this->xd_ticket()});
  this->DeclareGuards(static_cast<int>(chart_.transitions_.size()));
}

template <typename T>
StateMachine<T>::~StateMachine() = default;

template <typename T>
int StateMachine<T>::Active(const Context<T>& context) const {
  return static_cast<int>(ToDouble(context.get_discrete_state(0)[kActive]));
}

template <typename T>
double StateMachine<T>::EntryTime(const Context<T>& context, int state) const {
  return ToDouble(context.get_discrete_state(0)[entry_time_index(state)]);
}

template <typename T>
ChartStateIndex StateMachine<T>::get_active_state(
    const Context<T>& context) const {
  this->ValidateContext(context);
  return ChartStateIndex(Active(context));
}

template <typename T>
const std::string& StateMachine<T>::get_active_name(
    const Context<T>& context) const {
  return chart_.get_name(get_active_state(context));
}

template <typename T>
bool StateMachine<T>::IsActive(const Context<T>& context,
                               ChartStateIndex state) const {
  chart_.RequireState("IsActive", state);
  return chart_.IsWithin(get_active_state(context), state);
}

template <typename T>
template <typename Function>
void StateMachine<T>::CallAt(const Context<T>& context, double entry_time,
                             const Function& function) const {
  const double time = ToDouble(context.get_time());
  const VectorX<T>& u = this->get_input_port(0).Eval(context);
  if constexpr (std::is_same_v<T, double>) {
    function(ChartMoment{time, time - entry_time, u});
  } else {
    const Eigen::VectorXd values = ToDouble(u);
    function(ChartMoment{time, time - entry_time, values});
  }
}

template <typename T>
void StateMachine<T>::Act(const Context<T>& context,
                          const StateChart::Action& action, double entry_time,
                          State<T>* state) const {
  if (action == nullptr) return;
  BasicVector<T>& next =
      state->get_mutable_discrete_state().get_mutable_vector();
  const int num_outputs = chart_.num_outputs();
  Eigen::VectorXd y(num_outputs);
  for (int i = 0; i < num_outputs; ++i) {
    y[i] = ToDouble(next[output_index() + i]);
  }
  CallAt(context, entry_time,
         [&](const ChartMoment& moment) { action(moment, y); });
  wyvern::internal::RequireFinite(
      wyvern::internal::Caller("StateMachine").OfResults(), "y after an action",
      y);
  for (int i = 0; i < num_outputs; ++i) next[output_index() + i] = T(y[i]);
}

template <typename T>
void StateMachine<T>::Leave(const Context<T>& context, int outer,
                            State<T>* state) const {
  DiscreteValues<T>& next = state->get_mutable_discrete_state();
  for (int s = Active(context); s != outer; s = chart_.states_[s].parent) {
    Act(context, chart_.states_[s].exit, EntryTime(context, s), state);
    const int parent = chart_.states_[s].parent;
    if (parent >= 0 && chart_.states_[parent].has_history) {
      next[history_index(parent)] = T(s);
    }
  }
}

template <typename T>
void StateMachine<T>::Enter(const Context<T>& context, int outer, int target,
                            State<T>* state) const {
  DiscreteValues<T>& next = state->get_mutable_discrete_state();
  const double now = ToDouble(context.get_time());
  int last = outer;
  while (last != target) {
    int s = target;
    while (chart_.states_[s].parent != last) s = chart_.states_[s].parent;
    next[entry_time_index(s)] = T(now);
    Act(context, chart_.states_[s].entry, now, state);
    last = s;
    if (s == target && chart_.states_[s].first_child >= 0) {
      target = static_cast<int>(ToDouble(next[history_index(s)]));
    }
  }
  next[kActive] = T(target);
}

template <typename T>
EventStatus StateMachine<T>::Start(const Context<T>& context,
                                   State<T>* state) const {
  // A Context may be initialized again in the middle of a run.
  if (context.get_discrete_state(0)[kIsStarted] > 0.5) {
    return EventStatus::DidNothing();
  }
  state->get_mutable_discrete_state()[kIsStarted] = T(1);
  Enter(context, -1, 0, state);
  return EventStatus::Succeeded();
}

template <typename T>
bool StateMachine<T>::IsGuardActive(const Context<T>& context,
                                    int guard) const {
  return chart_.IsWithin(Active(context), chart_.transitions_[guard].from);
}

template <typename T>
T StateMachine<T>::CalcGuard(const Context<T>& context, int guard) const {
  const StateChart::Transition& transition = chart_.transitions_[guard];
  double value = 0;
  CallAt(context, EntryTime(context, transition.from),
         [&](const ChartMoment& moment) { value = transition.guard(moment); });
  if (std::isnan(value)) {
    throw std::runtime_error(fmt::format(
        "StateMachine: the guard from '{}' to '{}' of '{}' is nan at time {} "
        "s; let it return a number.",
        chart_.states_[transition.from].name,
        chart_.states_[transition.to].name, this->GetSystemPathname(),
        ToDouble(context.get_time())));
  }
  return T(value);
}

template <typename T>
std::optional<double> StateMachine<T>::GetGuardTime(const Context<T>& context,
                                                    int guard) const {
  const StateChart::Transition& transition = chart_.transitions_[guard];
  if (transition.guard != nullptr) return std::nullopt;
  return EntryTime(context, transition.from) + transition.timeout;
}

template <typename T>
bool StateMachine<T>::ChangeMode(const Context<T>& context, int guard,
                                 State<T>* state) const {
  const StateChart::Transition& transition = chart_.transitions_[guard];
  int outer = chart_.states_[transition.from].parent;
  while (outer >= 0 &&
         (outer == transition.to || !chart_.IsWithin(transition.to, outer))) {
    outer = chart_.states_[outer].parent;
  }
  Leave(context, outer, state);
  Act(context, transition.action, EntryTime(context, transition.from), state);
  Enter(context, outer, transition.to, state);
  return true;
}

template <typename T>
void StateMachine<T>::CalcOutput(const Context<T>& context,
                                 BasicVector<T>* y) const {
  const BasicVector<T>& state = context.get_discrete_state(0);
  for (int i = 0; i < y->size(); ++i) (*y)[i] = state[output_index() + i];
  // The outermost active state with a function first: walk up for each depth.
  const int active = Active(context);
  const int depth = chart_.GetDepth(active);
  for (int level = depth; level > 0; --level) {
    int s = active;
    for (int i = 1; i < level; ++i) s = chart_.states_[s].parent;
    const StateChart::Action& during = chart_.states_[s].during;
    if (during == nullptr) continue;
    CallAt(context, EntryTime(context, s), [&](const ChartMoment& moment) {
      if constexpr (std::is_same_v<T, double>) {
        during(moment, y->get_mutable_value());
      } else {
        Eigen::VectorXd values = ToDouble(y->value());
        during(moment, values);
        for (int i = 0; i < y->size(); ++i) (*y)[i] = T(values[i]);
      }
    });
  }
}

template <typename T>
void StateMachine<T>::CalcState(const Context<T>& context,
                                BasicVector<T>* index) const {
  (*index)[0] = T(Active(context));
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::StateMachine);
