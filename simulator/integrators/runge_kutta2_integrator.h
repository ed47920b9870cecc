#pragma once

#include "wyvern/simulator/integrators/explicit_runge_kutta.h"

namespace wyvern::systems {

/** Heun's second order method, the explicit trapezoidal rule: two derivatives a
step. */
template <typename T>
class RungeKutta2Integrator final : public internal::ExplicitRungeKutta<T> {
 public:
  /** Steps have `max_step_size` [s]. See IntegratorBase for the rest. */
  RungeKutta2Integrator(const System<T>& system, const T& max_step_size,
                        Context<T>* context = nullptr);
  ~RungeKutta2Integrator() final = default;

  bool supports_error_estimation() const final { return false; }
  int get_error_estimate_order() const final { return 0; }
};

}  // namespace wyvern::systems
