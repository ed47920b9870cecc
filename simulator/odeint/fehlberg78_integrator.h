#pragma once

#include "wyvern/simulator/odeint/odeint_integrator.h"

namespace wyvern::systems {

/** Fehlberg's eighth order method with seventh order error estimate, as
Boost.Odeint implements it: thirteen derivatives a step. For very smooth systems
and accuracies near rounding. Its error estimate has stages at
the ends of the step only, (41/840) h (k_1 + k_11 - k_12 - k_13): where the
derivative depends on time alone it is zero, and steps grow to the maximum
unchecked. */
template <typename T>
class Fehlberg78Integrator final : public internal::OdeintIntegrator<T> {
 public:
  /** `system`, and `context` if given, must outlive this. */
  explicit Fehlberg78Integrator(const System<T>& system,
                                Context<T>* context = nullptr);
  ~Fehlberg78Integrator() final = default;

  bool supports_error_estimation() const final { return true; }
  int get_error_estimate_order() const final { return 8; }
};

}  // namespace wyvern::systems
