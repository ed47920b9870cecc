#pragma once

#include <array>

#include "wyvern/simulator/stiff/implicit_integrator.h"

namespace wyvern::systems {

/** A Rosenbrock method for stiff systems, of fourth order with third order
error estimate, with the coefficients of Boost.Odeint's rosenbrock4 (RODAS of
Hairer and Wanner, Solving ODEs II, IV.7): six linear systems with one matrix,
I - h gamma J, and no iterations, so that a step cannot fail to converge.

    (I - h gamma J) g_i = h gamma ( f(t + c_i h, x + sum_j<i a_ij g_j)
                                    + sum_j<i C_ij g_j / h + h d_i df/dt )

The last two g are the change from the fifth stage to the sixth and from there
to the result; the last is the error estimate. In return J = df/dx is that of
each step's start, and df/dt is needed too, by a difference: the settings about
Newton's method and about reuse mean nothing here. */
template <typename T>
class Rosenbrock4Integrator final : public ImplicitIntegrator<T> {
 public:
  /** `system`, and `context` if given, must outlive this. */
  explicit Rosenbrock4Integrator(const System<T>& system,
                                 Context<T>* context = nullptr);
  ~Rosenbrock4Integrator() final = default;

  bool supports_error_estimation() const final { return true; }
  int get_error_estimate_order() const final { return 4; }

 private:
  static constexpr int kStages = 6;

  void DoInitialize() final;
  bool DoImplicitIntegratorStep(const T& h) final;
  // df/dt where the step starts. @returns false if not finite.
  bool CalcTimeDifference();
  // xdot_ = f at stage i, whose state is left in x_.
  bool CalcStage(int i, const T& h);
  // g_[i], given the derivative in xdot_.
  void SolveStage(int i, const T& h);

  internal::IterationMatrix<T> matrix_;
  std::array<VectorX<T>, kStages> g_;
  VectorX<T> x_;
  VectorX<T> xdot_;
  VectorX<T> dfdt_;
};

}  // namespace wyvern::systems
