#pragma once

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** tau dz/dt = u - z, y = z, element by element: a unit step of the input is
followed as 1 - exp(-t / tau), and frequencies above 1 / tau [rad/s] are
attenuated.

Input port u0, output port y0; no direct feedthrough. The continuous state z
starts at zero. */
template <typename T>
class FirstOrderLowPassFilter final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(FirstOrderLowPassFilter);

  /** Uses one time constant, [s], for each of `size` elements.
  @throws std::logic_error if it is not positive and finite, or `size` is below
  1. */
  explicit FirstOrderLowPassFilter(double time_constant, int size = 1);

  /** One time constant (s) per element.
  @throws std::logic_error if one is not positive and finite, or there is
  none. */
  explicit FirstOrderLowPassFilter(const VectorX<double>& time_constants);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit FirstOrderLowPassFilter(const FirstOrderLowPassFilter<U>& other)
      : FirstOrderLowPassFilter(other.get_time_constants_vector()) {}

  /** The time constant, if it is the same for every element.
  @throws std::logic_error if it is not. */
  double get_time_constant() const;

  /** The time constant of each element [s]. */
  const VectorX<double>& get_time_constants_vector() const {
    return time_constants_;
  }

  /** Sets the state. @throws std::logic_error on a wrong size. */
  void set_initial_output_value(Context<T>* context,
                                const Eigen::Ref<const VectorX<T>>& z0) const;

 private:
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const override;

  const Eigen::VectorXd time_constants_;
};

}  // namespace wyvern::systems
