#include "wyvern/simulator/analysis/scalar_initial_value_problem.h"

#include <stdexcept>

#include "wyvern/simulator/integrators/scalar_view_dense_output.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
ScalarInitialValueProblem<T>::ScalarInitialValueProblem(
    const ScalarOdeFunction& scalar_ode_function, const T& x0,
    const Eigen::Ref<const VectorX<T>>& k) {
  if (!scalar_ode_function) {
    throw std::logic_error("ScalarInitialValueProblem: the function is empty.");
  }
  const auto vector_function = [scalar_ode_function](
                                   const T& t, const VectorX<T>& x,
                                   const VectorX<T>& parameters) {
    return VectorX<T>(
        VectorX<T>::Constant(1, scalar_ode_function(t, x[0], parameters)));
  };
  problem_ = std::make_unique<InitialValueProblem<T>>(
      vector_function, VectorX<T>::Constant(1, x0), k);
}

template <typename T>
ScalarInitialValueProblem<T>::~ScalarInitialValueProblem() = default;

template <typename T>
T ScalarInitialValueProblem<T>::Solve(const T& t0, const T& tf) const {
  return problem_->Solve(t0, tf)[0];
}

template <typename T>
std::unique_ptr<ScalarDenseOutput<T>> ScalarInitialValueProblem<T>::DenseSolve(
    const T& t0, const T& tf) const {
  return std::make_unique<ScalarViewDenseOutput<T>>(
      problem_->DenseSolve(t0, tf), 0);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::ScalarInitialValueProblem);
