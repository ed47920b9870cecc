#pragma once

#include "wyvern/systems/primitives/two_point_block.h"

namespace wyvern::systems {

/** A two-point switch with hysteresis, for each element of its input: on once u
rises to `on_point`, off once it falls to `off_point`, and between these points
as it was. The moment of a crossing ends the integrator's step.

Input port `u`; output port `y`, `on_value` or `off_value`, without direct
feedthrough. The discrete state holds 1 for on and 0 for off, at first 0. */
template <typename T>
class Relay final : public internal::TwoPointBlock<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Relay);

  /** Takes the input at which the relay switches on and off, and the output for
  both.
  @throws std::logic_error unless off_point < on_point, all numbers are
  finite and `size` is at least 1. */
  Relay(double on_point, double off_point, double on_value = 1,
        double off_value = 0, int size = 1);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit Relay(const Relay<U>& other)
      : Relay(other.on_point_, other.off_point_, other.on_value_,
              other.off_value_, other.get_input_port(0).size()) {}

  /** Input at which the relay switches on. */
  double on_point() const { return on_point_; }
  /** Input at which the relay switches off. */
  double off_point() const { return off_point_; }
  /** Output while the relay is on. */
  double on_value() const { return on_value_; }
  /** Output while the relay is off. */
  double off_value() const { return off_value_; }

 private:
  template <typename U>
  friend class Relay;

  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;

  const double on_point_;
  const double off_point_;
  const double on_value_;
  const double off_value_;
};

}  // namespace wyvern::systems
