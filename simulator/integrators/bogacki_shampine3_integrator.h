#pragma once

#include "wyvern/simulator/integrators/explicit_runge_kutta.h"

namespace wyvern::systems {

/** The third order method of Bogacki and Shampine with its embedded second
order error estimate: three new derivatives a step, since the last is the first
of the next step. */
template <typename T>
class BogackiShampine3Integrator final
    : public internal::ExplicitRungeKutta<T> {
 public:
  /** `system`, and `context` if given, must outlive this. */
  explicit BogackiShampine3Integrator(const System<T>& system,
                                      Context<T>* context = nullptr);
  ~BogackiShampine3Integrator() final = default;

  bool supports_error_estimation() const final { return true; }
  int get_error_estimate_order() const final { return 3; }
};

}  // namespace wyvern::systems
