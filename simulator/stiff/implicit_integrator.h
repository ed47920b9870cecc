#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "wyvern/simulator/integrators/integrator_base.h"
#include "wyvern/simulator/integrators/iteration_matrix.h"
#include "wyvern/simulator/stiff/automatic_jacobian.h"

namespace wyvern::systems {

/** An integrator for stiff systems: each step solves equations, such as

    x = c + gamma f(t, x)                                              (1)

by Newton's method with the iteration matrix A = I - gamma J, J = df/dx. J is
computed rarely, and A factored only when J or gamma has changed; iterations
stop when the estimated distance to the solution, |dx| theta / (1 - theta) with
theta the ratio of the last two |dx|, is within a twentieth of the accuracy, or
a millionth of it in fixed step mode (Hairer, Wanner, Solving ODEs II, IV.8, eq.
8.10), and J times it within the accuracy of the derivatives, or when they gain
no more. If they do not converge with an old J a new one is tried, and failing
that the step is. */
template <typename T>
class ImplicitIntegrator : public IntegratorBase<T> {
 public:
  ~ImplicitIntegrator() override;

  /** Ways to compute J. */
  enum class JacobianComputationScheme {
    kForwardDifference,  ///< One derivative for each element of the state.
    kCentralDifference,  ///< Two, for better accuracy.
    kAutomatic,          ///< One, of the System converted to AutoDiffXd.
  };
  /** Sets how the Jacobian J of the derivatives is computed.
  @throws std::logic_error for kAutomatic if T is not double, or if the
  System cannot be converted to AutoDiffXd. */
  void set_jacobian_computation_scheme(JacobianComputationScheme scheme);
  /** How J is computed. */
  JacobianComputationScheme get_jacobian_computation_scheme() const {
    return scheme_;
  }
  /** True computes J in every iteration: slow and robust. Default false. */
  void set_use_full_newton(bool flag) { use_full_newton_ = flag; }
  /** The choice of set_use_full_newton(). */
  bool get_use_full_newton() const { return use_full_newton_; }
  /** Whether J is kept from solve to solve as long as it does. Default true. */
  void set_reuse(bool reuse) { reuse_ = reuse; }
  /** The choice of set_reuse(). */
  bool get_reuse() const { return reuse_; }
  /** Returns the largest number of Newton iterations of one solve. */
  int max_newton_raphson_iterations() const { return 10; }

  /** @name Statistics since construction or ResetStatistics()
  Those of the error estimator are part of the others.
  @{ */
  /** Computations of J. */
  int64_t get_num_jacobian_evaluations() const { return counts_.jacobians; }
  /** Iterations of Newton's method. */
  int64_t get_num_newton_raphson_iterations() const {
    return counts_.iterations;
  }
  /** Factorizations of A. */
  int64_t get_num_iteration_matrix_factorizations() const {
    return counts_.factorizations;
  }
  /** Part of get_num_derivative_evaluations(); with kAutomatic, one for each
  Jacobian. */
  int64_t get_num_derivative_evaluations_for_jacobian() const {
    return counts_.derivatives_for_jacobian;
  }
  /** Derivatives that error estimates needed. */
  int64_t get_num_error_estimator_derivative_evaluations() const {
    return estimator_counts_.derivatives;
  }
  /** Derivatives that Jacobians of error estimates needed. */
  int64_t get_num_error_estimator_derivative_evaluations_for_jacobian() const {
    return estimator_counts_.derivatives_for_jacobian;
  }
  /** Iterations of Newton's method for error estimates. */
  int64_t get_num_error_estimator_newton_raphson_iterations() const {
    return estimator_counts_.iterations;
  }
  /** Computations of J for error estimates. */
  int64_t get_num_error_estimator_jacobian_evaluations() const {
    return estimator_counts_.jacobians;
  }
  /** Factorizations of A for error estimates. */
  int64_t get_num_error_estimator_iteration_matrix_factorizations() const {
    return estimator_counts_.factorizations;
  }
  /** @} */

 protected:
  using IterationMatrix = internal::IterationMatrix<T>;
  struct Counts {
    int64_t derivatives{0};
    int64_t jacobians{0};
    int64_t iterations{0};
    int64_t factorizations{0};
    int64_t derivatives_for_jacobian{0};
  };
  /** While it lives, work is counted as the error estimator's too. */
  class EstimatorScope {
   public:
    explicit EstimatorScope(ImplicitIntegrator* owner)
        : owner_(owner), before_(owner->CountsNow()) {}
    ~EstimatorScope() { owner_->NoteEstimatorWork(before_); }
    WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(EstimatorScope);

   private:
    ImplicitIntegrator* const owner_;
    const Counts before_;
  };
  /** Verdict on convergence from the change of an iteration. */
  enum class Verdict { kGoOn, kConverged, kDiverged };

  explicit ImplicitIntegrator(const System<T>& system,
                              Context<T>* context = nullptr);

  /** DoStep(), by another name. */
  virtual bool DoImplicitIntegratorStep(const T& h) = 0;
  /** The like of DoReset() and DoResetStatistics(). */
  virtual void DoImplicitIntegratorReset() {}
  virtual void DoResetImplicitIntegratorStatistics() {}
  /** Matrices that were made from the Jacobian are to be forgotten. */
  virtual void DoResetCachedJacobianRelatedMatrices() {}

  /** Solves (1) at time `t`, starting from and leaving the result in *x. The
  Context ends up at or near there.
  @returns false if the iterations do not converge. */
  bool Solve(const T& t, const VectorX<T>& c, const T& gamma, VectorX<T>* x);

  /** @name Parts for other equations than (1)
  @{ */
  /** J = df/dx at (t, x), by the scheme. @returns false if not finite. */
  bool CalcJacobian(const T& t, const VectorX<T>& x);
  MatrixX<T>& get_mutable_jacobian() { return jacobian_; }
  /** Counts Jacobians made, so that others can tell theirs is old. */
  int64_t jacobian_number() const { return jacobian_number_; }
  /** There is a Jacobian and it may be tried again. */
  bool CanReuseJacobian() const {
    return reuse_ && has_jacobian_ && !use_full_newton_;
  }
  /** A Jacobian of another kind is about to be written, or is now. */
  void StartJacobian();
  void FinishJacobian(int64_t derivatives_before);
  internal::AutomaticJacobian<T>& automatic_jacobian() { return *automatic_; }
  /** How far apart x and its neighbour are to be for a difference. */
  double CalcDifferenceStep(int i, const T& x) const;
  void CountIteration() { ++counts_.iterations; }
  void CountFactorization() { ++counts_.factorizations; }
  /** After iteration k, which moved x by dx; `last_size` is kept between.
  `dx_end` is what of dx moved the end of the step, null if J is not of the
  whole state: with error control the derivatives there, and so forces that are
  as stiff as J, come within the accuracy too, relative to those where the step
  starts, or absolute where these are below 1. */
  Verdict JudgeIteration(int k, const VectorX<T>& dx, const VectorX<T>& x,
                         double size, double* last_size,
                         const VectorX<T>* dx_end);
  /** The size of a change of the whole continuous state. */
  double CalcSize(const VectorX<T>& dx);
  /** @} */

  void DoInitialize() override;
  void DoReset() final;
  void DoResetStatistics() final;
  void DoSavePlace(VectorX<T>* carried) const final;
  std::string DoDescribeSettings() const override;
  void DoReturnToPlace(const VectorX<T>& carried) final;

 private:
  bool DoStep(const T& h) final { return DoImplicitIntegratorStep(h); }
  bool DoIsBoundByStability() const final { return false; }
  Counts CountsNow() const;
  void NoteEstimatorWork(const Counts& before);
  void ForgetJacobian();
  bool CalcDifferences(const T& t, const VectorX<T>& x);
  bool Iterate(const T& t, const VectorX<T>& c, const T& gamma, VectorX<T>* x);

  JacobianComputationScheme scheme_{
      JacobianComputationScheme::kForwardDifference};
  bool use_full_newton_{false};
  bool reuse_{true};
  Counts counts_;
  Counts estimator_counts_;

  MatrixX<T> jacobian_;
  bool has_jacobian_{false};
  int64_t jacobian_number_{0};
  IterationMatrix matrix_;
  std::unique_ptr<internal::AutomaticJacobian<T>> automatic_;
  VectorX<T> guess_;
  VectorX<T> xdot_;
  VectorX<T> xdot_nearby_;
  VectorX<T> nearby_;
  VectorX<T> dx_;
  VectorX<T> xdot_change_;
  std::unique_ptr<ContinuousState<T>> change_;
};

}  // namespace wyvern::systems
