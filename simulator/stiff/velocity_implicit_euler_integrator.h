#pragma once

#include <memory>

#include "wyvern/simulator/stiff/implicit_integrator.h"

namespace wyvern::systems {

/** Euler's implicit method for systems with positions, qdot = N(q) v: the
solution of ImplicitEulerIntegrator from equations for y = [v; z] alone.

    y' = y + h f_y(t + h, q', y'),    q' = q + h N(q') v'

Newton's method solves the first with q' and N of the last iteration, so that
its Jacobian d f_y(t + h, q + h N v, y) / dy has a row and a column for each of
y, and none for q: half the size of a mechanical system's state, a quarter of
the derivatives and an eighth of the work of factoring. Meant for systems whose
stiffness is in the velocities. The error estimate, of order h^2, is the
difference between one step and two of half the size, of which the two are
kept. */
template <typename T>
class VelocityImplicitEulerIntegrator final : public ImplicitIntegrator<T> {
 public:
  /** `system`, and `context` if given, must outlive this. */
  explicit VelocityImplicitEulerIntegrator(const System<T>& system,
                                           Context<T>* context = nullptr);
  ~VelocityImplicitEulerIntegrator() final = default;

  bool supports_error_estimation() const final { return true; }
  int get_error_estimate_order() const final { return 2; }

 private:
  using Verdict = typename ImplicitIntegrator<T>::Verdict;

  void DoInitialize() final;
  bool DoImplicitIntegratorStep(const T& h) final;
  // One step of size h from `start` to time t; *x goes from guess to result.
  bool SolveStep(const T& t, const VectorX<T>& start, const T& h,
                 VectorX<T>* x);
  bool Iterate(const T& t, const VectorX<T>& start, const T& h, VectorX<T>* x);
  bool CalcVelocityJacobian(const T& t, const VectorX<T>& start, const T& h,
                            const VectorX<T>& x);
  bool CalcVelocityDifferences(const T& t, const VectorX<T>& start, const T& h,
                               const VectorX<T>& x);
  // The q of *x becomes that of `start` plus h N(q) v.
  void MovePositions(const T& t, const VectorX<T>& start, const T& h,
                     VectorX<T>* x);
  // The derivatives at x, but with x[i] changed to `value` and q following.
  bool CalcDerivativesNearby(const T& t, const VectorX<T>& start, const T& h,
                             const VectorX<T>& x, int i, const T& value,
                             VectorX<T>* xdot);

  int nq_{0};
  int nv_{0};
  internal::IterationMatrix<T> matrix_;
  std::unique_ptr<BasicVector<T>> qdot_;
  VectorX<T> v_;
  VectorX<T> whole_;
  VectorX<T> half_;
  VectorX<T> middle_;
  VectorX<T> guess_;
  VectorX<T> xdot_;
  VectorX<T> xdot_nearby_;
  VectorX<T> nearby_;
  VectorX<T> residual_;
  VectorX<T> dy_;
  VectorX<T> dx_;
};

}  // namespace wyvern::systems
