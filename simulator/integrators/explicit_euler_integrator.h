#pragma once

#include "wyvern/simulator/integrators/explicit_runge_kutta.h"

namespace wyvern::systems {

/** Euler's first order method, x' = x + h f(t, x): one derivative a step. */
template <typename T>
class ExplicitEulerIntegrator final : public internal::ExplicitRungeKutta<T> {
 public:
  /** Steps have `max_step_size` [s]. See IntegratorBase for the rest. */
  ExplicitEulerIntegrator(const System<T>& system, const T& max_step_size,
                          Context<T>* context = nullptr);
  ~ExplicitEulerIntegrator() final = default;

  bool supports_error_estimation() const final { return false; }
  int get_error_estimate_order() const final { return 0; }
};

}  // namespace wyvern::systems
