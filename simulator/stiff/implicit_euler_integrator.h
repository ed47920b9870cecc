#pragma once

#include <string>

#include "wyvern/simulator/stiff/implicit_integrator.h"

namespace wyvern::systems {

/** Euler's implicit method, first order and L-stable: it damps whatever is too
fast for its step.

    x' = x + h f(t + h, x')

The error estimate, of order h^2, is the difference between one step and two of
half the size, of which the two are kept; or, if asked for, the difference to
the implicit trapezoidal rule, x + h/2 (f(t, x) + f(t + h, x')), which is
cheaper but less robust, and then the one step is kept. */
template <typename T>
class ImplicitEulerIntegrator final : public ImplicitIntegrator<T> {
 public:
  /** `system`, and `context` if given, must outlive this. */
  explicit ImplicitEulerIntegrator(const System<T>& system,
                                   Context<T>* context = nullptr);
  ~ImplicitEulerIntegrator() final = default;

  bool supports_error_estimation() const final { return true; }
  int get_error_estimate_order() const final { return 2; }

  /** True: estimates errors by the implicit trapezoidal rule. Default false. */
  void set_use_implicit_trapezoid_error_estimation(bool flag) {
    use_trapezoid_ = flag;
  }
  /** The choice of set_use_implicit_trapezoid_error_estimation(). */
  bool get_use_implicit_trapezoid_error_estimation() const {
    return use_trapezoid_;
  }

 private:
  std::string DoDescribeSettings() const final;
  bool DoImplicitIntegratorStep(const T& h) final;
  // Each leaves the other solution in other_, given one step in x_.
  bool DoHalfSteps(const T& h);
  bool DoTrapezoid(const T& h);

  bool use_trapezoid_{false};
  VectorX<T> c_;
  VectorX<T> x_;
  VectorX<T> other_;
};

}  // namespace wyvern::systems
