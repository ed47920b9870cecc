#pragma once

#include "wyvern/systems/primitives/two_point_block.h"

namespace wyvern::systems {

/** y = u_on if the control signal is at the threshold or above, else u_off.

Input ports `u_on` (vector), `control` (size 1, or an element for each of u_on)
and `u_off`; output port `y`, direct feedthrough. With a `hysteresis` h > 0, the
switch goes to u_on once `control` rises to threshold + h / 2 and to u_off once
it falls to threshold - h / 2; these moments end the integrator's steps, y has
no direct feedthrough from `control`, and the discrete state holds 1 for u_on
and 0 for u_off, at first 0. Without, it has no state, and a step may pass over
the moment. */
template <typename T>
class ThresholdSwitch final : public internal::TwoPointBlock<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ThresholdSwitch);

  /** @param threshold, hysteresis in the unit of `control`.
  @param control_size 1, or `size` for a control per element.
  @throws std::logic_error unless the threshold is finite, the hysteresis is 0
  or more and finite and large enough to be told apart from the threshold, and
  the sizes are as above. */
  explicit ThresholdSwitch(double threshold, double hysteresis = 0,
                           int size = 1, int control_size = 1);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit ThresholdSwitch(const ThresholdSwitch<U>& other)
      : ThresholdSwitch(other.threshold_, other.hysteresis_,
                        other.get_input_port(0).size(),
                        other.get_input_port(1).size()) {}

  /** Value of `control` at which the switch turns. */
  double threshold() const { return threshold_; }
  /** Width of the hysteresis, in the unit of `control`; 0: none. */
  double hysteresis() const { return hysteresis_; }

 private:
  template <typename U>
  friend class ThresholdSwitch;

  // Whether the control signal of element i selects u_on.
  bool SelectsOn(const Context<T>& context, int i) const;
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;

  const double threshold_;
  const double hysteresis_;
};

}  // namespace wyvern::systems
