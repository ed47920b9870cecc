#pragma once

#include <memory>

#include "wyvern/simulator/stiff/implicit_integrator.h"

namespace wyvern::systems {

/** The Radau IIA methods of 1, 2 and 3 stages, for stiff systems: of order
1, 3 and 5, L-stable, and with the last stage at the end of the step.

    z_i = h sum_j a_ij f(t + c_j h, x + z_j),   x' = x + z_s

all stages at once by Newton's method with I - h a (x) J, J = df/dx. The error
estimate, of order s + 1, is

    e = (I - h g J)^-1 ( h g f(t, x) + sum_i e_i z_i )

and, should that exceed the accuracy, once more with f(t, x + e) (Hairer,
Wanner, Solving ODEs II, IV.8, eq. 8.17 to 8.20).

@tparam T the scalar type: double or AutoDiffXd.
@tparam num_stages 1 for the implicit Euler method, with a cheaper error
estimate than ImplicitEulerIntegrator's; 2 for "Radau 3"; 3 for "Radau 5". */
template <typename T, int num_stages = 2>
class RadauIntegrator final : public ImplicitIntegrator<T> {
 public:
  static_assert(num_stages >= 1 && num_stages <= 3);

  /** `system`, and `context` if given, must outlive this. */
  explicit RadauIntegrator(const System<T>& system,
                           Context<T>* context = nullptr);
  ~RadauIntegrator() final = default;

  bool supports_error_estimation() const final { return true; }
  int get_error_estimate_order() const final { return num_stages + 1; }

 private:
  using Verdict = typename ImplicitIntegrator<T>::Verdict;

  void DoInitialize() final;
  bool DoImplicitIntegratorStep(const T& h) final;
  // Finds z_ from zero. Likewise, with the Jacobian as it is.
  bool SolveStages(const T& h);
  bool Iterate(const T& h);
  // residual_ = h sum_j a_ij f_j - z_i.
  bool CalcResidual(const T& h);
  void Factor(const T& h);
  // The largest of the stages' sizes.
  double CalcLargestSize(const VectorX<T>& dz);
  bool EstimateError(const T& h);
  // e_ = (I - h g J)^-1 (h g f + sum_i e_i z_i).
  void CalcEstimate(const T& h, const VectorX<T>& f);

  internal::IterationMatrix<T> stages_matrix_;
  internal::IterationMatrix<T> error_matrix_;
  VectorX<T> z_;
  VectorX<T> dz_;
  VectorX<T> residual_;
  VectorX<T> x_;
  VectorX<T> xdot_;
  VectorX<T> e_;
};

}  // namespace wyvern::systems
