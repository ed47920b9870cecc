#pragma once

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Play between gears, for each element: y stays as it is while u moves within
`width`, and is dragged along at a distance of width / 2 beyond:

    y = max(u - width / 2, min(u + width / 2, y at the start of the step))

Input port `u`, output port `y`, direct feedthrough. The discrete state holds y
at the start of the integrator's step, so a reversal of u within a step is seen
at the end of that step: the error of y is at most the distance by which u
turned back until then. Use a maximum step that resolves reversals. */
template <typename T>
class Backlash final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Backlash);

  /** @param width in the unit of u.
  @throws std::logic_error unless `width` is 0 or more, it and the initial
  output are finite, and `size` is at least 1. */
  explicit Backlash(double width, double initial_output = 0, int size = 1);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit Backlash(const Backlash<U>& other)
      : Backlash(other.width_, other.initial_output_,
                 other.get_input_port(0).size()) {}

  /** Width of the gap, in the unit of the input. */
  double width() const { return width_; }
  /** Output before the first motion. */
  double initial_output() const { return initial_output_; }

 private:
  template <typename U>
  friend class Backlash;

  T Calc(const Context<T>& context, int i) const;
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;
  EventStatus Remember(const Context<T>& context,
                       DiscreteValues<T>* next) const;

  const double width_;
  const double initial_output_;
};

}  // namespace wyvern::systems
