#pragma once

#include "wyvern/simulator/odeint/odeint_integrator.h"

namespace wyvern::systems {

/** The extrapolation method of Bulirsch and Stoer, of eighth order: Gragg's
modified midpoint rule, as Boost.Odeint implements it, with 2, 4, 6 and 8
substeps, extrapolated to infinitely many in powers of h^2 (Hairer, Norsett,
Wanner, Solving ODEs I, II.9). The error estimate, of order h^7, is the last
extrapolation's change. Twenty derivatives a step. For smooth systems and
accuracies near rounding.

Odeint's own stepper of that name also varies the order, by a history of its
own; here all steps are alike, so that a step depends on where it starts and on
nothing else. */
template <typename T>
class BulirschStoerIntegrator final : public internal::OdeintIntegrator<T> {
 public:
  /** `system`, and `context` if given, must outlive this. */
  explicit BulirschStoerIntegrator(const System<T>& system,
                                   Context<T>* context = nullptr);
  ~BulirschStoerIntegrator() final = default;

  bool supports_error_estimation() const final { return true; }
  int get_error_estimate_order() const final { return 7; }
};

}  // namespace wyvern::systems
