#pragma once

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Follows its input, but rises by at most `rising` and falls by at most
`falling` per second, element by element:

    dy/dt = max(-falling, min(rising, (u - y) / lag)).

Within its limits it follows u with the small `lag`, so its error is lag du/dt.

Input port `u`, output port `y`; no direct feedthrough. The continuous state is
y. A new Context starts with y = u when it is initialized; the discrete state
holds 1 from then on, so that a copied or saved Context goes on. */
template <typename T>
class RateLimiter final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(RateLimiter);

  /** @param rising, falling rates in the unit of u per second.
  @param lag [s]. A short one makes steps of an explicit integrator short.
  @throws std::logic_error unless all three are positive and finite and `size`
  is at least 1. */
  RateLimiter(double rising, double falling, double lag = 1e-3, int size = 1);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit RateLimiter(const RateLimiter<U>& other)
      : RateLimiter(other.rising_, other.falling_, other.lag_,
                    other.get_input_port(0).size()) {}

  /** Largest rise, in the unit of the input per second. */
  double rising() const { return rising_; }
  /** Largest fall, in the unit of the input per second; positive. */
  double falling() const { return falling_; }
  /** Time constant with which the output follows within the limits, s. */
  double lag() const { return lag_; }

 private:
  template <typename U>
  friend class RateLimiter;

  EventStatus Start(const Context<T>& context, State<T>* state) const;
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final;

  const double rising_;
  const double falling_;
  const double lag_;
};

}  // namespace wyvern::systems
