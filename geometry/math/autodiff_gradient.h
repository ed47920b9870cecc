#pragma once

/** @file
The derivatives in matrices of AutoDiffXd as matrices of doubles. The
gradient of a matrix has a row for each of its elements, column by column, and a
column for each variable. */

#include <optional>
#include <type_traits>

#include <Eigen/Geometry>

#include "wyvern/geometry/math/autodiff.h"

namespace wyvern::math {

namespace internal {
/** @throws std::logic_error for a gradient of the wrong number of rows. */
void RequireGradientOf(int size, int gradient_rows);
/** The gradient of `size` elements at `elements`.
@throws std::logic_error if elements have derivatives by other numbers of
  variables than each other or `num_derivatives`. */
Eigen::MatrixXd ExtractGradientOf(const AutoDiffXd* elements, int size,
                                  std::optional<int> num_derivatives);
}  // namespace internal

/** The gradient; rows of constants are 0.
@param num_derivatives the number of columns; if not given, that of the elements
  with derivatives, and 0 if there are none.
@throws std::logic_error if elements have derivatives by other numbers of
  variables than each other or `num_derivatives`. */
template <typename Derived>
Eigen::Matrix<double, Derived::SizeAtCompileTime, Eigen::Dynamic>
ExtractGradient(const Eigen::MatrixBase<Derived>& auto_diff_matrix,
                std::optional<int> num_derivatives = {}) {
  const AutoDiffMatrixType<Derived> m = auto_diff_matrix;
  return internal::ExtractGradientOf(m.data(), static_cast<int>(m.size()),
                                     num_derivatives);
}

/** A matrix of these values with this gradient.
@throws std::logic_error if gradient does not have a row for each element. */
template <typename DerivedValue, typename DerivedGradient>
AutoDiffMatrixType<DerivedValue> InitializeAutoDiff(
    const Eigen::MatrixBase<DerivedValue>& value,
    const Eigen::MatrixBase<DerivedGradient>& gradient) {
  internal::RequireGradientOf(static_cast<int>(value.size()),
                              static_cast<int>(gradient.rows()));
  AutoDiffMatrixType<DerivedValue> result(value.rows(), value.cols());
  for (int j = 0, k = 0; j < value.cols(); ++j) {
    for (int i = 0; i < value.rows(); ++i) {
      result(i, j) = AutoDiffXd(value(i, j), gradient.row(k++).transpose());
    }
  }
  return result;
}

/** Writes the result into `*auto_diff_matrix`, which is resized. */
template <typename DerivedValue, typename DerivedGradient,
          typename DerivedAutoDiff>
void InitializeAutoDiff(const Eigen::MatrixBase<DerivedValue>& value,
                        const Eigen::MatrixBase<DerivedGradient>& gradient,
                        Eigen::MatrixBase<DerivedAutoDiff>* auto_diff_matrix) {
  auto_diff_matrix->derived() = InitializeAutoDiff(value, gradient);
}

/** The number of variables: that of the elements with derivatives, 0 if there
are none. @throws std::logic_error if elements differ. */
template <typename Derived>
int GetDerivativeSize(const Eigen::MatrixBase<Derived>& A) {
  return static_cast<int>(ExtractGradient(A).cols());
}

namespace internal {
[[noreturn]] void ThrowGradientNotZero(const Eigen::MatrixXd& gradient,
                                       double precision);
}  // namespace internal

/** The values of a matrix whose derivatives are all 0, or missing: what
DiscardGradient() gives, where nothing is lost by it. For a matrix of doubles,
itself. The second form takes the same of an Eigen::Transform.
@throws std::runtime_error if a derivative is larger than `precision`. */
template <typename Derived>
auto DiscardZeroGradient(
    const Eigen::MatrixBase<Derived>& auto_diff_matrix,
    double precision = Eigen::NumTraits<double>::dummy_precision()) {
  if constexpr (!std::is_same_v<typename Derived::Scalar, double>) {
    const Eigen::MatrixXd gradient = ExtractGradient(auto_diff_matrix);
    // Not a number is not zero.
    if (gradient.size() > 0 &&
        !(gradient.cwiseAbs().array() <= precision).all())
      internal::ThrowGradientNotZero(gradient, precision);
  }
  return DiscardGradient(auto_diff_matrix);
}
template <typename Scalar, int Dim, int Mode, int Options>
Eigen::Transform<double, Dim, Mode> DiscardZeroGradient(
    const Eigen::Transform<Scalar, Dim, Mode, Options>& auto_diff_transform,
    double precision = Eigen::NumTraits<double>::dummy_precision()) {
  return Eigen::Transform<double, Dim, Mode>(
      DiscardZeroGradient(auto_diff_transform.matrix(), precision));
}

/** True if values and derivatives are all equal. */
bool AreAutoDiffVecXdEqual(const Eigen::Ref<const VectorX<AutoDiffXd>>& a,
                           const Eigen::Ref<const VectorX<AutoDiffXd>>& b);

}  // namespace wyvern::math
