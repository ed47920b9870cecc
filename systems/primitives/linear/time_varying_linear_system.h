#pragma once

#include <utility>

#include "wyvern/systems/primitives/linear/time_varying_affine_system.h"

namespace wyvern::systems {

/** The base of systems that are linear in state and input, with coefficients
that may vary with time: a TimeVaryingAffineSystem with f0 = 0 and y0 = 0. */
template <typename T>
class TimeVaryingLinearSystem : public TimeVaryingAffineSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(TimeVaryingLinearSystem);

  VectorX<T> f0(const T&) const final {
    return VectorX<T>::Zero(this->num_states());
  }
  VectorX<T> y0(const T&) const final {
    return VectorX<T>::Zero(this->num_outputs());
  }

 protected:
  /** Takes the sizes, and the period in seconds; 0: continuous.
  @throws std::logic_error on a negative size or a bad period. */
  TimeVaryingLinearSystem(SystemScalarConverter converter, int num_states,
                          int num_inputs, int num_outputs, double time_period)
      : TimeVaryingAffineSystem<T>(std::move(converter), num_states, num_inputs,
                                   num_outputs, time_period) {}
};

}  // namespace wyvern::systems
