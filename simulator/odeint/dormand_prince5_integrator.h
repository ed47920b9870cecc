#pragma once

#include "wyvern/simulator/odeint/odeint_integrator.h"

namespace wyvern::systems {

/** The method of RungeKutta5Integrator as Boost.Odeint implements it. */
template <typename T>
class DormandPrince5Integrator final : public internal::OdeintIntegrator<T> {
 public:
  /** `system`, and `context` if given, must outlive this. */
  explicit DormandPrince5Integrator(const System<T>& system,
                                    Context<T>* context = nullptr);
  ~DormandPrince5Integrator() final = default;

  bool supports_error_estimation() const final { return true; }
  int get_error_estimate_order() const final { return 5; }
};

}  // namespace wyvern::systems
