#pragma once

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** x[n+1] = x[n] + h u[n], y = x: forward Euler with h = `time_step`.

Input port u0, output port y0, vectors of `size`; no direct feedthrough. The
discrete state starts at zero and is updated at k h, k = 0, 1, ... */
template <typename T>
class DiscreteTimeIntegrator final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DiscreteTimeIntegrator);

  /** Integrates `size` elements, each `time_step` seconds.
  @throws std::logic_error if `size` is below 1 or `time_step` (s) is not
  positive and finite. */
  DiscreteTimeIntegrator(int size, double time_step);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit DiscreteTimeIntegrator(const DiscreteTimeIntegrator<U>& other)
      : DiscreteTimeIntegrator(other.get_input_port(0).size(),
                               other.time_step()) {}

  /** The period h [s]. */
  double time_step() const { return time_step_; }

  /** Sets the state. @throws std::logic_error on a wrong size. */
  void set_integral_value(Context<T>* context,
                          const Eigen::Ref<const VectorX<T>>& value) const;

 private:
  EventStatus Integrate(const Context<T>& context,
                        DiscreteValues<T>* next) const;

  const double time_step_;
};

}  // namespace wyvern::systems
