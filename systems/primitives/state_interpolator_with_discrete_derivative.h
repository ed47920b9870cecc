#pragma once

#include "wyvern/systems/framework/diagram.h"

namespace wyvern::systems {

template <typename T>
class DiscreteDerivative;

/** Completes positions to a state by the slope of their samples.

Input port `position` (N), output port `state` = [position; velocity] (2 N),
where the position feeds through and the velocity is the DiscreteDerivative of
it, held between samples `time_step` seconds apart. */
template <typename T>
class StateInterpolatorWithDiscreteDerivative final : public Diagram<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(StateInterpolatorWithDiscreteDerivative);

  /** As DiscreteDerivative. */
  StateInterpolatorWithDiscreteDerivative(
      int num_positions, double time_step,
      bool suppress_initial_transient = true);

  /** True if the velocity is zero until two samples have been taken. */
  bool suppress_initial_transient() const;

  /** Makes the history one of rest at `position`. `state` and `context` are
  this system's own. @throws std::logic_error on a wrong size. */
  void set_initial_position(State<T>* state,
                            const Eigen::Ref<const VectorX<T>>& position) const;
  /** Overload for a Context. */
  void set_initial_position(Context<T>* context,
                            const Eigen::Ref<const VectorX<T>>& position) const;

  /** Makes the history one of arriving at `position` with `velocity`. */
  void set_initial_state(State<T>* state,
                         const Eigen::Ref<const VectorX<T>>& position,
                         const Eigen::Ref<const VectorX<T>>& velocity) const;
  /** Overload for a Context. */
  void set_initial_state(Context<T>* context,
                         const Eigen::Ref<const VectorX<T>>& position,
                         const Eigen::Ref<const VectorX<T>>& velocity) const;

 private:
  DiscreteDerivative<T>* derivative_{};
};

}  // namespace wyvern::systems
