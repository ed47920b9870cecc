#include "wyvern/systems/trajectories/polynomial_coefficients.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::trajectories::internal {

template <typename T>
MatrixX<T> ShiftArgument(MatrixX<T> coefficients, const T& a) {
  const Eigen::Index degree = coefficients.cols() - 1;
  for (Eigen::Index k = 0; k < degree; ++k) {
    for (Eigen::Index i = degree - 1; i >= k; --i) {
      coefficients.col(i) += a * coefficients.col(i + 1);
    }
  }
  return coefficients;
}

template <typename T>
MatrixX<T> ScaleArgument(MatrixX<T> coefficients, const T& s) {
  T power = s;
  for (Eigen::Index i = 1; i < coefficients.cols(); ++i) {
    coefficients.col(i) *= power;
    power *= s;
  }
  return coefficients;
}

template <typename T>
void RaiseDegree(Eigen::Index num_cols, MatrixX<T>* coefficients) {
  const Eigen::Index before = coefficients->cols();
  if (num_cols <= before) return;
  coefficients->conservativeResize(coefficients->rows(), num_cols);
  coefficients->rightCols(num_cols - before).setConstant(T(0));
}

#define WYVERN_INSTANTIATE(T)                                 \
  template MatrixX<T> ShiftArgument<T>(MatrixX<T>, const T&); \
  template MatrixX<T> ScaleArgument<T>(MatrixX<T>, const T&); \
  template void RaiseDegree<T>(Eigen::Index, MatrixX<T>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::trajectories::internal
