#include "wyvern/systems/trajectories/bezier_curve.h"

#include <cmath>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/math/binomial_coefficient.h"
#include "wyvern/systems/symbolic/expression.h"

/* The derivative of a Bezier curve is one of an order less, whose control
points are scaled differences; it is linear in the points, and both the
matrix for optimizers and the derivatives here are products of such
differences. Values come from de Casteljau's recursion, which takes means of
neighbours only. Time is clamped to the range first, which is what holds the
ends. Derivatives above the order are the zero curve of one control point,
and a curve without points has the order -1. */

namespace wyvern::trajectories {

template <typename T>
BezierCurve<T>::BezierCurve() = default;

template <typename T>
BezierCurve<T>::BezierCurve(double start_time, double end_time,
                            const Eigen::Ref<const MatrixX<T>>& control_points)
    : start_time_(start_time),
      end_time_(end_time),
      control_points_(control_points) {
  wyvern::internal::RequireFinite("BezierCurve", "start_time", start_time);
  wyvern::internal::RequireFinite("BezierCurve", "end_time", end_time);
  if (!(end_time > start_time)) {
    throw std::logic_error(
        fmt::format("BezierCurve(): it is to go from {} to {} s; give an end "
                    "after the start.",
                    start_time, end_time));
  }
  if (control_points.cols() == 0) {
    throw std::logic_error(
        "BezierCurve(): there are no control points; give one column at "
        "least.");
  }
}

template <typename T>
BezierCurve<T>::~BezierCurve() = default;

template <typename T>
T BezierCurve<T>::BernsteinBasis(int i, const T& time,
                                 std::optional<int> order) const {
  const int m = order.value_or(this->order());
  wyvern::internal::RequireIndex("BezierCurve::BernsteinBasis", "i", i, m + 1);
  const T s = (time - start_time_) / (end_time_ - start_time_);
  T result(math::BinomialCoefficient(m, i));
  for (int k = 0; k < i; ++k) result *= s;
  for (int k = i; k < m; ++k) result *= 1.0 - s;
  return result;
}

// The derivative of a curve of order m has the control points
// m (p_(i+1) - p_i) / (end - start).
template <typename T>
Eigen::SparseMatrix<double> BezierCurve<T>::AsLinearInControlPoints(
    int derivative_order) const {
  if (derivative_order < 0 || derivative_order > order()) {
    throw std::logic_error(
        fmt::format("BezierCurve::AsLinearInControlPoints(): derivative {} of "
                    "a curve of order {}; give 0 to the order.",
                    derivative_order, order()));
  }
  Eigen::SparseMatrix<double> M(order() + 1, order() + 1);
  M.setIdentity();
  for (int m = order(); m > order() - derivative_order; --m) {
    const double scale = m / (end_time_ - start_time_);
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < m; ++i) {
      entries.emplace_back(i, i, -scale);
      entries.emplace_back(i + 1, i, scale);
    }
    Eigen::SparseMatrix<double> D(m + 1, m);
    D.setFromTriplets(entries.begin(), entries.end());
    M = Eigen::SparseMatrix<double>(M * D);
  }
  return M;
}

template <typename T>
void BezierCurve<T>::ElevateOrder() {
  if (order() < 0) {
    throw std::logic_error(
        "BezierCurve::ElevateOrder(): the curve has no control points; "
        "construct it with some.");
  }
  const int m = order() + 1;
  MatrixX<T> points(rows(), m + 1);
  points.col(0) = control_points_.col(0);
  for (int i = 1; i < m; ++i) {
    const double w = static_cast<double>(i) / m;
    points.col(i) =
        w * control_points_.col(i - 1) + (1 - w) * control_points_.col(i);
  }
  points.col(m) = control_points_.col(m - 1);
  control_points_ = std::move(points);
}

// De Casteljau's recursion.
template <typename T>
MatrixX<T> BezierCurve<T>::value(const T& t) const {
  if (order() < 0) return MatrixX<T>(0, 1);
  const T s = t <= start_time_ ? T(0.0)
              : t >= end_time_
                  ? T(1.0)
                  : T((t - start_time_) / (end_time_ - start_time_));
  MatrixX<T> points = control_points_;
  for (int m = order(); m > 0; --m) {
    for (int i = 0; i < m; ++i) {
      points.col(i) = (1.0 - s) * points.col(i) + s * points.col(i + 1);
    }
  }
  return points.col(0);
}

template <typename T>
BezierCurve<T> BezierCurve<T>::Derivative(int derivative_order) const {
  if (order() < 0) return *this;
  if (derivative_order > order()) {
    return BezierCurve(start_time_, end_time_, MatrixX<T>::Zero(rows(), 1));
  }
  const Eigen::MatrixXd M = AsLinearInControlPoints(derivative_order);
  return BezierCurve(start_time_, end_time_,
                     control_points_ * M.template cast<T>());
}

// In s = (t - start) / (end - start) the curve is the sum of
// (m over k) D^k p_0 s^k, D^k p_0 the k-th forward difference of the points.
template <typename T>
VectorX<symbolic::Expression> BezierCurve<T>::GetExpression(
    symbolic::Variable time) const requires std::is_same_v<T, double> {
  const int m = order();
  VectorX<symbolic::Expression> result =
      VectorX<symbolic::Expression>::Zero(rows());
  const symbolic::Expression s =
      (time - start_time_) / (end_time_ - start_time_);
  Eigen::MatrixXd differences = control_points_;
  for (int k = 0; k <= m; ++k) {
    const double count = math::BinomialCoefficient(m, k);
    for (int i = 0; i < rows(); ++i) {
      result[i] += count * differences(i, 0) * pow(s, k);
    }
    const int left = m - k;
    differences.leftCols(left) =
        (differences.middleCols(1, left) - differences.leftCols(left)).eval();
  }
  for (symbolic::Expression& x : result) x = x.Expand();
  return result;
}

template <typename T>
MatrixX<T> BezierCurve<T>::DoEvalDerivative(const T& t,
                                            int derivative_order) const {
  return Derivative(derivative_order).value(t);
}

template <typename T>
std::unique_ptr<Trajectory<T>> BezierCurve<T>::DoMakeDerivative(
    int derivative_order) const {
  return std::make_unique<BezierCurve<T>>(Derivative(derivative_order));
}

template <typename T>
std::unique_ptr<Trajectory<T>> BezierCurve<T>::DoClone() const {
  return std::make_unique<BezierCurve<T>>(*this);
}

}  // namespace wyvern::trajectories

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::trajectories::BezierCurve);
