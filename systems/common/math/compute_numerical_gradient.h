#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include <Eigen/Core>

namespace wyvern::math {

/** Difference quotients with the step h. */
enum class NumericalGradientMethod {
  /** (f(x + h) - f(x)) / h. */
  kForward,
  /** (f(x) - f(x - h)) / h. */
  kBackward,
  /** (f(x + h) - f(x - h)) / 2h. */
  kCentral
};

/** How to take differences. */
class NumericalGradientOption {
 public:
  /** `function_accuracy`: the relative accuracy with which f is computed, which
  sets the step that balances round-off and truncation: its square root, or its
  cube root for central differences.
  @throws std::logic_error unless it is positive and finite. */
  explicit NumericalGradientOption(NumericalGradientMethod method,
                                   double function_accuracy = 1e-15);

  /** How differences are taken. */
  NumericalGradientMethod method() const { return method_; }
  /** h for an x_i of magnitude up to 1; times |x_i| for larger ones. */
  double perturbation_size() const { return perturbation_size_; }

 private:
  NumericalGradientMethod method_;
  double perturbation_size_;
};

/** The matrix of df_i / dx_j by finite differences, where
`calc_func(x, &y)` sets y = f(x), both column vectors. */
template <typename DerivedX, typename DerivedY, typename DerivedCalcX>
Eigen::Matrix<typename DerivedX::Scalar, DerivedY::RowsAtCompileTime,
              DerivedX::RowsAtCompileTime>
ComputeNumericalGradient(
    std::function<void(const DerivedCalcX&, DerivedY* y)> calc_func,
    const DerivedX& x,
    const NumericalGradientOption& option = NumericalGradientOption{
        NumericalGradientMethod::kForward}) {
  using std::abs;
  using std::max;
  using T = typename DerivedX::Scalar;
  const bool has_plus = option.method() != NumericalGradientMethod::kBackward;
  const bool has_minus = option.method() != NumericalGradientMethod::kForward;
  Eigen::Matrix<T, DerivedX::RowsAtCompileTime, 1> moved = x;
  DerivedY y_plus, y_minus;
  calc_func(x, &y_plus);
  y_minus = y_plus;
  Eigen::Matrix<T, DerivedY::RowsAtCompileTime, DerivedX::RowsAtCompileTime>
      gradient(y_plus.rows(), x.rows());
  for (Eigen::Index j = 0; j < x.rows(); ++j) {
    const T h = option.perturbation_size() * max(T(1.0), T(abs(x(j))));
    // The steps as they come out in floating point.
    T distance(0.0);
    if (has_plus) {
      moved(j) = x(j) + h;
      distance += moved(j) - x(j);
      calc_func(moved, &y_plus);
    }
    if (has_minus) {
      moved(j) = x(j) - h;
      distance += x(j) - moved(j);
      calc_func(moved, &y_minus);
    }
    moved(j) = x(j);
    gradient.col(j) = (y_plus - y_minus) / distance;
  }
  return gradient;
}

}  // namespace wyvern::math
