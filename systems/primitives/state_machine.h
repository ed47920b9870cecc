#pragma once

#include <optional>
#include <string>

#include "wyvern/systems/primitives/modal_block.h"
#include "wyvern/systems/primitives/state_chart.h"

namespace wyvern::systems {

/** A block that is in one state of a StateChart at a time.

Guards are witness functions: a transition happens at the moment at which its
guard reaches zero, to the accuracy of the Simulator's isolation of witness
functions, or at once if an event or a break made the guard positive. Timeouts
happen exactly. A chart whose guards call for transitions without end is stopped
by the Simulator, with the block's name.

Input port `u` (of `input_size`), output ports `y` (if the chart has outputs)
and `state`, the index of the innermost active state; the discrete state holds
the active state, the times of entries, histories and outputs. Guards and
actions compute with double: derivatives do not pass through them. */
template <typename T>
class StateMachine final : public internal::ModalBlock<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(StateMachine);

  /** Copies the chart.
  @throws std::logic_error if a state cannot be reached, there is none,
  `input_size` is negative, or a ChartCrossing is of another element (then
  std::out_of_range). */
  StateMachine(const StateChart& chart, int input_size);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit StateMachine(const StateMachine<U>& other)
      : StateMachine(other.chart(), other.get_input_port(0).size()) {}

  ~StateMachine() override;

  /** The chart, a copy of the one that was given to the constructor. */
  const StateChart& chart() const { return chart_; }

  /** Returns the innermost active state, and its name. */
  ChartStateIndex get_active_state(const Context<T>& context) const;
  /** Returns the name of get_active_state(). */
  const std::string& get_active_name(const Context<T>& context) const;
  /** Returns whether a state is active. @throws std::out_of_range if there is
  none of this index. */
  bool IsActive(const Context<T>& context, ChartStateIndex state) const;

 private:
  // The discrete state has these numbers, then the times of entry and the
  // states left last within each state, then the outputs.
  enum { kActive, kIsStarted, kFirst };

  int entry_time_index(int state) const { return kFirst + state; }
  int history_index(int state) const {
    return kFirst + chart_.num_states() + state;
  }
  int output_index() const { return kFirst + 2 * chart_.num_states(); }
  int size() const { return output_index() + chart_.num_outputs(); }
  int Active(const Context<T>& context) const;
  double EntryTime(const Context<T>& context, int state) const;

  // Calls a guard or an action of `state` with the moment.
  template <typename Function>
  void CallAt(const Context<T>& context, double entry_time,
              const Function& function) const;
  void Act(const Context<T>& context, const StateChart::Action& action,
           double entry_time, State<T>* state) const;
  void Leave(const Context<T>& context, int outer, State<T>* state) const;
  void Enter(const Context<T>& context, int outer, int target,
             State<T>* state) const;
  EventStatus Start(const Context<T>& context, State<T>* state) const;

  bool IsGuardActive(const Context<T>& context, int guard) const final;
  T CalcGuard(const Context<T>& context, int guard) const final;
  std::optional<double> GetGuardTime(const Context<T>& context,
                                     int guard) const final;
  bool ChangeMode(const Context<T>& context, int guard,
                  State<T>* state) const final;
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;
  void CalcState(const Context<T>& context, BasicVector<T>* index) const;

  const StateChart chart_;
};

}  // namespace wyvern::systems
