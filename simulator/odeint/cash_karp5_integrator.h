#pragma once

#include "wyvern/simulator/odeint/odeint_integrator.h"

namespace wyvern::systems {

/** The fifth order method of Cash and Karp with its embedded fourth order error
estimate, as Boost.Odeint implements it: six derivatives a step. */
template <typename T>
class CashKarp5Integrator final : public internal::OdeintIntegrator<T> {
 public:
  /** `system`, and `context` if given, must outlive this. */
  explicit CashKarp5Integrator(const System<T>& system,
                               Context<T>* context = nullptr);
  ~CashKarp5Integrator() final = default;

  bool supports_error_estimation() const final { return true; }
  int get_error_estimate_order() const final { return 5; }
};

}  // namespace wyvern::systems
