#pragma once

#include "wyvern/simulator/integrators/explicit_runge_kutta.h"

namespace wyvern::systems {

/** Kutta's third order method with error control by the second order midpoint
rule within it: three derivatives a step. The Simulator's default. */
template <typename T>
class RungeKutta3Integrator final : public internal::ExplicitRungeKutta<T> {
 public:
  explicit RungeKutta3Integrator(const System<T>& system,
                                 Context<T>* context = nullptr);
  ~RungeKutta3Integrator() final = default;

  bool supports_error_estimation() const final { return true; }
  int get_error_estimate_order() const final { return 3; }
};

}  // namespace wyvern::systems
