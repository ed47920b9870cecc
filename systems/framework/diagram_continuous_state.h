#pragma once

#include <memory>
#include <vector>

#include "wyvern/systems/framework/continuous_state.h"

namespace wyvern::systems {

/** The continuous state of a Diagram: those of its subsystems, x end to end,
and q, v and z likewise. */
template <typename T>
class DiagramContinuousState final : public ContinuousState<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DiagramContinuousState);

  /** Does not own the substates, which must outlive it.
  @throws std::logic_error if any is null. */
  explicit DiagramContinuousState(std::vector<ContinuousState<T>*> substates);
  /** Owns the substates. */
  explicit DiagramContinuousState(
      std::vector<std::unique_ptr<ContinuousState<T>>> substates);
  ~DiagramContinuousState() override;

  /** A deep copy that owns its substates. */
  std::unique_ptr<DiagramContinuousState> Clone() const;

  /** Number of direct subsystems. */
  int num_substates() const { return static_cast<int>(substates_.size()); }
  /** The numbers of the direct subsystems with a continuous state, in order. */
  const std::vector<int>& nonempty_substates() const { return nonempty_; }
  /** Returns the state of direct subsystem `index`, which is not checked. */
  ContinuousState<T>& substate(int index) { return *substates_[index]; }
  /** Returns the state of a direct subsystem.
  @throws std::out_of_range on a bad index. */
  const ContinuousState<T>& get_substate(int index) const;
  /** Mutable variant of get_substate(). */
  ContinuousState<T>& get_mutable_substate(int index);

 private:
  std::unique_ptr<ContinuousState<T>> DoClone() const final;

  std::vector<ContinuousState<T>*> substates_;
  std::vector<std::unique_ptr<ContinuousState<T>>> owned_substates_;
  std::vector<int> nonempty_;
};

}  // namespace wyvern::systems
