#pragma once

#include <cstdint>
#include <memory>

#include "wyvern/simulator/integrators/integrator_base.h"

namespace wyvern::systems {

/** An integrator for stiff systems: each step solves equations

    x = c + gamma f(t, x)                                              (1)

by Newton's method with the iteration matrix A = I - gamma J, J = df/dx. J is
computed rarely, and A factored only when J or gamma has changed; iterations
stop when the estimated distance to the solution, |dx| theta / (1 - theta) with
theta the ratio of the last two |dx|, is within a twentieth of the accuracy, or
a millionth of it in fixed step mode (Hairer, Wanner, Solving ODEs II, IV.8, eq.
8.10). If they do not converge with an old J a new one is tried, and failing
that the step is. */
template <typename T>
class ImplicitIntegrator : public IntegratorBase<T> {
 public:
  ~ImplicitIntegrator() override;

  enum class JacobianComputationScheme {
    kForwardDifference,  ///< One derivative for each element of the state.
    kCentralDifference,  ///< Two, for better accuracy.
    kAutomatic,          ///< One, of the System converted to AutoDiffXd.
  };
  /** @throws std::logic_error for kAutomatic if T is not double, or if the
  System cannot be converted to AutoDiffXd. */
  void set_jacobian_computation_scheme(JacobianComputationScheme scheme);
  JacobianComputationScheme get_jacobian_computation_scheme() const {
    return scheme_;
  }
  /** True computes J in every iteration: slow and robust. Default false. */
  void set_use_full_newton(bool flag) { use_full_newton_ = flag; }
  bool get_use_full_newton() const { return use_full_newton_; }
  /** Whether J is kept from solve to solve as long as it does. Default true. */
  void set_reuse(bool reuse) { reuse_ = reuse; }
  bool get_reuse() const { return reuse_; }
  /** Of one solve. */
  int max_newton_raphson_iterations() const { return 10; }

  /** @name Statistics since construction or ResetStatistics()
  @{ */
  int64_t get_num_jacobian_evaluations() const { return counts_.jacobians; }
  int64_t get_num_newton_raphson_iterations() const {
    return counts_.iterations;
  }
  int64_t get_num_iteration_matrix_factorizations() const {
    return counts_.factorizations;
  }
  /** Part of get_num_derivative_evaluations(); with kAutomatic, one for each
  Jacobian. */
  int64_t get_num_derivative_evaluations_for_jacobian() const {
    return counts_.derivatives_for_jacobian;
  }
  /** @} */

 protected:
  explicit ImplicitIntegrator(const System<T>& system,
                              Context<T>* context = nullptr);

  /** Solves (1) at time `t`, starting from and leaving the result in *x. The
  Context ends up at or near there.
  @returns false if the iterations do not converge. */
  bool Solve(const T& t, const VectorX<T>& c, const T& gamma, VectorX<T>* x);

  void DoInitialize() override;
  void DoReset() override;
  void DoResetStatistics() override { counts_ = {}; }
  void DoSavePlace() final;
  void DoReturnToPlace() final;

 private:
  class IterationMatrix;
  class AutomaticJacobian;
  struct Counts {
    int64_t jacobians{0};
    int64_t iterations{0};
    int64_t factorizations{0};
    int64_t derivatives_for_jacobian{0};
  };

  bool CalcDerivatives(const T& t, const VectorX<T>& x, VectorX<T>* xdot);
  bool CalcJacobian(const T& t, const VectorX<T>& x);
  bool CalcDifferences(const T& t, const VectorX<T>& x);
  bool StandsStill(const VectorX<T>& x) const;
  bool Iterate(const T& t, const VectorX<T>& c, const T& gamma, VectorX<T>* x);

  JacobianComputationScheme scheme_{
      JacobianComputationScheme::kForwardDifference};
  bool use_full_newton_{false};
  bool reuse_{true};
  Counts counts_;

  MatrixX<T> jacobian_;
  bool has_jacobian_{false};
  MatrixX<T> saved_jacobian_;
  bool had_jacobian_{false};
  std::unique_ptr<IterationMatrix> matrix_;
  std::unique_ptr<AutomaticJacobian> automatic_;
  VectorX<T> guess_;
  VectorX<T> xdot_;
  VectorX<T> xdot_nearby_;
  VectorX<T> nearby_;
  VectorX<T> dx_;
  std::unique_ptr<ContinuousState<T>> change_;
};

}  // namespace wyvern::systems
