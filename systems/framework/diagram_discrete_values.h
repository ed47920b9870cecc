#pragma once

#include <memory>
#include <vector>

#include "wyvern/systems/framework/discrete_values.h"

namespace wyvern::systems {

/** The discrete values of a Diagram: all groups of its subsystems, in order. */
template <typename T>
class DiagramDiscreteValues final : public DiscreteValues<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DiagramDiscreteValues);

  /** Does not own the parts, which must outlive it.
  @throws std::logic_error if any is null. */
  explicit DiagramDiscreteValues(std::vector<DiscreteValues<T>*> subdiscretes);
  /** Owns the parts. */
  explicit DiagramDiscreteValues(
      std::vector<std::unique_ptr<DiscreteValues<T>>> owned_subdiscretes);
  ~DiagramDiscreteValues() override;

  /** A deep copy that owns its parts. */
  std::unique_ptr<DiagramDiscreteValues> Clone() const;

  /** Number of direct subsystems. */
  int num_subdiscretes() const {
    return static_cast<int>(subdiscretes_.size());
  }
  /** Returns the values of a direct subsystem.
  @throws std::out_of_range on a bad index. */
  const DiscreteValues<T>& get_subdiscrete(SubsystemIndex index) const;
  /** Mutable variant of get_subdiscrete(). */
  DiscreteValues<T>& get_mutable_subdiscrete(SubsystemIndex index);

 private:
  std::unique_ptr<DiscreteValues<T>> DoClone() const final;

  std::vector<DiscreteValues<T>*> subdiscretes_;
  std::vector<std::unique_ptr<DiscreteValues<T>>> owned_subdiscretes_;
};

}  // namespace wyvern::systems
