#pragma once

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Samples its input every `period` seconds and continues in between along the
line through the last two samples: with the samples u[k - 1] and u[k] at the
times t_k - period and t_k,

    y(t) = u[k] + (u[k] - u[k - 1]) (t - t_k) / period.

Input port `u`, output port `y`; no direct feedthrough. The discrete state has
u[k], u[k - 1], t_k and whether there is a sample; y is zero before the first
sample, at time 0, and holds it until the second. */
template <typename T>
class FirstOrderHold final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(FirstOrderHold);

  /** Samples `size` elements in each period.
  @throws std::logic_error unless the period [s] is positive and finite and
  `size` is at least 1. */
  explicit FirstOrderHold(double period, int size = 1);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit FirstOrderHold(const FirstOrderHold<U>& other)
      : FirstOrderHold(other.period(), other.get_input_port(0).size()) {}

  /** The sampling period [s]. */
  double period() const { return period_; }

 private:
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;
  EventStatus Sample(const Context<T>& context, DiscreteValues<T>* next) const;

  const double period_;
};

}  // namespace wyvern::systems
