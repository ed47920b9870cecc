#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "wyvern/simulator/analysis/initial_value_problem.h"
#include "wyvern/simulator/integrators/scalar_dense_output.h"

namespace wyvern::systems {

/** InitialValueProblem for one unknown: dx/dt = f(t, x; k), x(t0) = x0.
@tparam T the scalar type: double or AutoDiffXd. */
template <typename T>
class ScalarInitialValueProblem {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ScalarInitialValueProblem);

  /** dx/dt from t, x and k. */
  using ScalarOdeFunction =
      std::function<T(const T& t, const T& x, const VectorX<T>& k)>;

  /** Takes the right-hand side, the initial value x0, and the parameters k,
  none by default.
  @throws std::logic_error if the function is empty. */
  ScalarInitialValueProblem(
      const ScalarOdeFunction& scalar_ode_function, const T& x0,
      const Eigen::Ref<const VectorX<T>>& k = VectorX<T>());
  ~ScalarInitialValueProblem();

  /** x(tf), given x(t0) = x0. Each call starts anew.
  @throws std::logic_error if tf < t0. */
  T Solve(const T& t0, const T& tf) const;
  /** x as a function of time over [t0, tf].
  @throws std::logic_error unless tf > t0. */
  std::unique_ptr<ScalarDenseOutput<T>> DenseSolve(const T& t0,
                                                   const T& tf) const;

  /** Replaces the integrator, see InitialValueProblem. */
  template <typename Integrator, typename... Args>
  Integrator* reset_integrator(Args&&... args) {
    return problem_->template reset_integrator<Integrator>(
        std::forward<Args>(args)...);
  }
  /** The integrator. */
  const IntegratorBase<T>& get_integrator() const {
    return problem_->get_integrator();
  }
  /** The integrator, to change its settings. */
  IntegratorBase<T>& get_mutable_integrator() {
    return problem_->get_mutable_integrator();
  }

 private:
  std::unique_ptr<InitialValueProblem<T>> problem_;
};

}  // namespace wyvern::systems
