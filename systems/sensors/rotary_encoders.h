#pragma once

#include <vector>

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems::sensors {

/** Encoders that count ticks: of each angle that is measured,

    y = floor((u - offset) ticks / 2π) 2π / ticks,

or u - offset if no ticks are given. Input port `u0`, output port `y0`, both
[rad]; direct feedthrough. The calibration offsets [rad] are a numeric
parameter, zero by default. Derivatives of what is quantized are zero.

There is no sampling; see MeasuredSignal for that. */
template <typename T>
class RotaryEncoders final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(RotaryEncoders);

  /** Measures every element of the input.
  @param ticks_per_revolution by element.
  @throws std::logic_error if there is none, or one is below 1. */
  explicit RotaryEncoders(const std::vector<int>& ticks_per_revolution);
  /** Measures some elements of the input, exactly.
  @throws std::logic_error if there is no index, and std::out_of_range if one is
  not from 0 to `input_port_size` - 1. */
  RotaryEncoders(int input_port_size,
                 const std::vector<int>& input_vector_indices);
  /** Measures some elements of the input.
  @param ticks_per_revolution by index, as many as there are.
  @throws as the other two. */
  RotaryEncoders(int input_port_size,
                 const std::vector<int>& input_vector_indices,
                 const std::vector<int>& ticks_per_revolution);
  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit RotaryEncoders(const RotaryEncoders<U>& other)
      : RotaryEncoders(Checked{}, other.get_input_port().size(), other.indices_,
                       other.ticks_per_revolution_) {}

  /** Sets the offsets that are subtracted from the angles, [rad].
  @throws std::logic_error on a wrong size, or if one is not finite. */
  void set_calibration_offsets(
      Context<T>* context,
      const Eigen::Ref<const VectorX<T>>& calibration_offsets) const;
  /** Returns the offset of each encoder, [rad]. */
  const VectorX<T>& get_calibration_offsets(const Context<T>& context) const;

 private:
  template <typename U>
  friend class RotaryEncoders;
  struct Checked {};

  RotaryEncoders(Checked, int input_port_size,
                 const std::vector<int>& input_vector_indices,
                 const std::vector<int>& ticks_per_revolution);

  void CalcAngles(const Context<T>& context, BasicVector<T>* angles) const;

  const std::vector<int> indices_;
  // Empty: exact.
  const std::vector<int> ticks_per_revolution_;
};

}  // namespace wyvern::systems::sensors
