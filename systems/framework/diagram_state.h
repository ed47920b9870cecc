#pragma once

#include <memory>
#include <vector>

#include "wyvern/systems/framework/state.h"

namespace wyvern::systems {

/** The State of a Diagram, made of its subsystems' States. Give it each of them
with set_substate() or set_and_own_substate(), then call Finalize(): the
continuous, discrete and abstract parts then refer to those of the substates. */
template <typename T>
class DiagramState final : public State<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DiagramState);

  /** Makes a State for `num_substates` subsystems, without parts yet. */
  explicit DiagramState(int num_substates);
  ~DiagramState() override;

  /** Number of direct subsystems. */
  int num_substates() const { return static_cast<int>(substates_.size()); }

  /** Refers to `substate`, which must outlive this.
  @throws std::logic_error after Finalize() or if null, @throws
  std::out_of_range on a bad index; so does set_and_own_substate(). */
  void set_substate(int index, State<T>* substate);
  /** Overload that owns `substate`. */
  void set_and_own_substate(int index, std::unique_ptr<State<T>> substate);
  /** Returns the state of a direct subsystem.
  @throws std::out_of_range on a bad index, @throws std::logic_error if that
  substate has not been set. */
  const State<T>& get_substate(int index) const;
  /** Mutable variant of get_substate(). */
  State<T>& get_mutable_substate(int index);

  /** Joins the substates into this state; call it once, when all are set.
  @throws std::logic_error if called twice or a substate is missing. */
  void Finalize();

 private:
  void RequireExisting(const char* function, int index) const;

  bool finalized_{false};
  std::vector<State<T>*> substates_;
  std::vector<std::unique_ptr<State<T>>> owned_substates_;
};

}  // namespace wyvern::systems
