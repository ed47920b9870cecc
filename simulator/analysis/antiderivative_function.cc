#include "wyvern/simulator/analysis/antiderivative_function.h"

#include <stdexcept>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
AntiderivativeFunction<T>::AntiderivativeFunction(
    const IntegrableFunction& integrable_function,
    const Eigen::Ref<const VectorX<T>>& k) {
  if (!integrable_function) {
    throw std::logic_error("AntiderivativeFunction: the function is empty.");
  }
  problem_ = std::make_unique<ScalarInitialValueProblem<T>>(
      [integrable_function](const T& x, const T&,
                            const VectorX<T>& parameters) {
        return integrable_function(x, parameters);
      },
      T(0.0), k);
}

template <typename T>
AntiderivativeFunction<T>::~AntiderivativeFunction() = default;

template <typename T>
T AntiderivativeFunction<T>::Evaluate(const T& v, const T& u) const {
  return problem_->Solve(v, u);
}

template <typename T>
std::unique_ptr<ScalarDenseOutput<T>>
AntiderivativeFunction<T>::MakeDenseEvalFunction(const T& v, const T& w) const {
  return problem_->DenseSolve(v, w);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::AntiderivativeFunction);
