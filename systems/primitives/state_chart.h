#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "wyvern/systems/common/type_safe_index.h"

namespace wyvern::systems {

/** A state of a StateChart. */
using ChartStateIndex = TypeSafeIndex<class ChartStateTag>;

/** The moment that guards and actions of a StateChart see. */
struct ChartMoment {
  double time{};             ///< [s]
  double time_in_state{};    ///< [s] since the guard's or action's state began
  const Eigen::VectorXd& u;  ///< The input of the StateMachine.
};

/** The passing of a bound by an element of the input: a guard as data. */
struct ChartCrossing {
  int element{};         ///< Index in u.
  double bound{};        ///< In the unit of the element.
  bool is_rising{true};  ///< Whether u rises above the bound or falls below.
};

/** States, nested in each other, and transitions between them: what a
StateMachine does. In ten lines, a heater with hysteresis that rests for at
least a minute:
@code
StateChart chart(1);  // one output
const auto off = chart.AddState("off");
const auto ready = chart.AddState("ready");
const auto on = chart.AddState("on");
chart.OnEntry(on, [](const auto&, auto y) { y[0] = 1; });
chart.OnExit(on, [](const auto&, auto y) { y[0] = 0; });
chart.AddTimeout(off, ready, 60);
chart.AddTransition(ready, on, [](const auto& now) { return 18 - now.u[0]; });
chart.AddTransition(on, off, [](const auto& now) { return now.u[0] - 22; });
StateMachine<double> machine(chart, 1);  // one input
@endcode
A state is active if it is the present innermost state or one around it. All
functions throw std::logic_error (std::out_of_range for an index) on an argument
that is not as they say. */
class StateChart {
 public:
  /** A number that reaches zero from below when the transition is due. */
  using Guard = std::function<double(const ChartMoment&)>;
  /** Writes outputs, which keep their values until they are written again. */
  using Action =
      std::function<void(const ChartMoment&, Eigen::Ref<Eigen::VectorXd> y)>;

  /** @param num_outputs 0 or more. Outputs are zero at first. */
  explicit StateChart(int num_outputs = 0);

  /** Adds a state, within `parent` if given. The first state within a parent,
  and the first of all, is where it is entered.
  @throws std::logic_error if the name is empty or used already. */
  ChartStateIndex AddState(const std::string& name,
                           std::optional<ChartStateIndex> parent = {});

  /** Makes entering `parent` resume the state within it that was left last,
  instead of the first. */
  void KeepHistory(ChartStateIndex parent);

  /** Adds a transition that leaves `from`, and what is active within it, for
  `to`. If several are due at once, those of outer states go first, and then
  those that were added first. `from` may be `to`. `action` comes after the exit
  actions and before the entry actions. */
  void AddTransition(ChartStateIndex from, ChartStateIndex to, Guard guard,
                     Action action = {});
  /** Adds a transition that is due when an element of u passes a bound. */
  void AddTransition(ChartStateIndex from, ChartStateIndex to,
                     const ChartCrossing& crossing, Action action = {});
  /** Adds a transition at exactly `seconds` > 0 after `from` was entered. */
  void AddTimeout(ChartStateIndex from, ChartStateIndex to, double seconds,
                  Action action = {});

  /** @name Actions, one of each kind for each state
  Entry actions go from outer to inner states, exit actions from inner to outer.
  While a state is active, its `during` function overwrites outputs at every
  moment, those of inner states last, without being kept; with one, the outputs
  have direct feedthrough.
  @{ */
  /** Sets the action that runs when `state` is entered. */
  void OnEntry(ChartStateIndex state, Action action);
  /** Sets all outputs to `y` when `state` is entered. */
  void SetOnEntry(ChartStateIndex state, const Eigen::VectorXd& y);
  /** Sets the action that runs when `state` is left. */
  void OnExit(ChartStateIndex state, Action action);
  /** Sets the function that writes outputs while `state` is active. */
  void During(ChartStateIndex state, Action action);
  /** @} */

  /** Number of states, at all levels. */
  int num_states() const { return static_cast<int>(states_.size()); }
  /** Number of outputs. */
  int num_outputs() const { return num_outputs_; }
  /** Name of a state. */
  const std::string& get_name(ChartStateIndex state) const;

  /** Checks that every state can be reached from the first.
  @throws std::logic_error naming a state that no transition leads to, or if
  there is no state. */
  void RequireReachableStates() const;

  /** @name The chart as data, for descriptions
  @{ */
  /** A state. */
  struct State {
    std::string name;         ///< Name of the state.
    int parent{-1};           ///< -1: none.
    int first_child{-1};      ///< -1: none.
    bool has_history{false};  ///< Entering resumes the last active child.
    Action entry;             ///< Called when the state is entered.
    Action exit;              ///< Called when the state is left.
    Action during;            ///< Writes outputs while it is active.
    /** Outputs that `entry` sets, if it was given by them. */
    std::optional<Eigen::VectorXd> entry_outputs{};
  };
  /** A transition. */
  struct Transition {
    int from{};        ///< Index of the state that is left.
    int to{};          ///< Index of the state that is entered.
    Guard guard;       ///< Empty: a timeout.
    double timeout{};  ///< [s]
    Action action;     ///< Called between exit and entry.
    /** The crossing that `guard` waits for, if the guard was given as one. */
    std::optional<ChartCrossing> crossing{};
  };
  /** The states, by index. */
  const std::vector<State>& states() const { return states_; }
  /** The transitions, in the order in which they are tried. */
  const std::vector<Transition>& transitions() const { return transitions_; }
  /** @} */

 private:
  template <typename T>
  friend class StateMachine;

  void RequireState(const char* function, ChartStateIndex state) const;
  void Add(const char* function, Transition transition);
  void Set(const char* function, ChartStateIndex state, Action State::*member,
           Action action);
  int GetDepth(int state) const;
  bool IsWithin(int inner, int outer) const;

  const int num_outputs_;
  std::vector<State> states_;
  // In the order in which they are tried.
  std::vector<Transition> transitions_;
};

}  // namespace wyvern::systems
