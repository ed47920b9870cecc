#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "wyvern/simulator/analysis/scalar_initial_value_problem.h"

namespace wyvern::systems {

/** The antiderivative F(u; k) = integral of f(x; k) dx from v to u, as the
solution of an initial value problem.
@tparam T the scalar type: double or AutoDiffXd. */
template <typename T>
class AntiderivativeFunction {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(AntiderivativeFunction);

  /** f, from x and the parameters k. */
  using IntegrableFunction = std::function<T(const T& x, const VectorX<T>& k)>;

  /** Takes f and its parameters k, none by default.
  @throws std::logic_error if the function is empty. */
  explicit AntiderivativeFunction(
      const IntegrableFunction& integrable_function,
      const Eigen::Ref<const VectorX<T>>& k = VectorX<T>());
  ~AntiderivativeFunction();

  /** The integral from v to u. @throws std::logic_error if u < v. */
  T Evaluate(const T& v, const T& u) const;
  /** The integral from v to u as a function of u in [v, w].
  @throws std::logic_error unless w > v. */
  std::unique_ptr<ScalarDenseOutput<T>> MakeDenseEvalFunction(const T& v,
                                                              const T& w) const;

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
  std::unique_ptr<ScalarInitialValueProblem<T>> problem_;
};

}  // namespace wyvern::systems
