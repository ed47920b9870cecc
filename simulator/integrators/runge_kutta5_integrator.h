#pragma once

#include "wyvern/simulator/integrators/explicit_runge_kutta.h"

namespace wyvern::systems {

/** The fifth order method of Dormand and Prince with its embedded fourth order
error estimate: six new derivatives a step, since the last is the first of the
next step. For smooth systems and tight accuracies. */
template <typename T>
class RungeKutta5Integrator final : public internal::ExplicitRungeKutta<T> {
 public:
  /** `system`, and `context` if given, must outlive this. */
  explicit RungeKutta5Integrator(const System<T>& system,
                                 Context<T>* context = nullptr);
  ~RungeKutta5Integrator() final = default;

  bool supports_error_estimation() const final { return true; }
  int get_error_estimate_order() const final { return 5; }
};

}  // namespace wyvern::systems
