#include "wyvern/systems/trajectories/bspline_trajectory.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* All is done to control points. The derivative is a curve over a basis of one
order less, whose points are weighted differences; a weight is zero where
knots coincide and the function is empty. AsLinearInControlPoints() writes
the same weights as a matrix, and must agree with Derivative(). A new knot
takes one more point that leaves the curve as it is. Times are clamped before
evaluation, because the basis throws outside of its domain. The derivative of
a curve of order 1 is zero over the same basis. */

namespace wyvern::trajectories {

using math::BsplineBasis;

namespace {

// The basis of the derivatives of curves: one order less, without the first
// and last knot. Its functions that are zero everywhere, those of knots of full
// multiplicity, get zero control points.
template <typename T>
BsplineBasis<T> DerivativeBasis(const BsplineBasis<T>& basis) {
  return BsplineBasis<T>(
      basis.order() - 1,
      std::vector<T>(basis.knots().begin() + 1, basis.knots().end() - 1));
}

// The i-th control point of the derivative is w_i (p_(i+1) - p_i).
template <typename T>
T DerivativeWeight(const BsplineBasis<T>& basis, int i) {
  const T span = basis.knots()[i + basis.order()] - basis.knots()[i + 1];
  return span > 0 ? T(basis.degree() / span) : T(0.0);
}

}  // namespace

template <typename T>
BsplineTrajectory<T>::BsplineTrajectory() = default;

template <typename T>
BsplineTrajectory<T>::BsplineTrajectory(BsplineBasis<T> basis,
                                        std::vector<MatrixX<T>> control_points)
    : basis_(std::move(basis)), control_points_(std::move(control_points)) {
  if (num_control_points() != basis_.num_basis_functions() ||
      control_points_.empty()) {
    throw std::logic_error(fmt::format(
        "BsplineTrajectory(): {} control points were given with a basis of {} "
        "functions; give one for each, and one at least.",
        num_control_points(), basis_.num_basis_functions()));
  }
  for (int i = 0; i < num_control_points(); ++i) {
    const MatrixX<T>& point = control_points_[i];
    if (point.rows() != rows() || point.cols() != cols()) {
      throw std::logic_error(
          fmt::format("BsplineTrajectory(): control point {} is {} x {} and "
                      "the first {} x {}; all must have one shape.",
                      i, point.rows(), point.cols(), rows(), cols()));
    }
  }
}

template <typename T>
BsplineTrajectory<T>::~BsplineTrajectory() = default;

template <typename T>
const MatrixX<T>& BsplineTrajectory<T>::FirstPoint() const {
  if (control_points_.empty()) {
    throw std::logic_error(
        "BsplineTrajectory: one without control points cannot be evaluated; "
        "construct it with a basis and control points.");
  }
  return control_points_.front();
}

template <typename T>
T BsplineTrajectory<T>::ClampTime(const T& t) const {
  if (t < start_time()) return start_time();
  if (t > end_time()) return end_time();
  return t;
}

template <typename T>
MatrixX<T> BsplineTrajectory<T>::value(const T& t) const {
  return basis_.EvaluateCurve(control_points_, ClampTime(t));
}

template <typename T>
Eigen::SparseMatrix<T> BsplineTrajectory<T>::AsLinearInControlPoints(
    int derivative_order) const {
  if (derivative_order < 0 || derivative_order > basis_.degree()) {
    throw std::logic_error(fmt::format(
        "BsplineTrajectory: derivative {} of a curve of degree {}, in terms of "
        "control points; give 0 to the degree.",
        derivative_order, basis_.degree()));
  }
  Eigen::SparseMatrix<T> M(num_control_points(), num_control_points());
  M.setIdentity();
  BsplineBasis<T> basis = basis_;
  for (int k = 0; k < derivative_order; ++k) {
    const int n = basis.num_basis_functions();
    std::vector<Eigen::Triplet<T>> entries;
    for (int i = 0; i < n - 1; ++i) {
      const T weight = DerivativeWeight(basis, i);
      entries.emplace_back(i, i, -weight);
      entries.emplace_back(i + 1, i, weight);
    }
    Eigen::SparseMatrix<T> D(n, n - 1);
    D.setFromTriplets(entries.begin(), entries.end());
    M = Eigen::SparseMatrix<T>(M * D);
    basis = DerivativeBasis(basis);
  }
  return M;
}

template <typename T>
VectorX<T> BsplineTrajectory<T>::EvaluateLinearInControlPoints(
    const T& t, int derivative_order) const {
  const Eigen::SparseMatrix<T> M = AsLinearInControlPoints(derivative_order);
  BsplineBasis<T> basis = basis_;
  for (int k = 0; k < derivative_order; ++k) basis = DerivativeBasis(basis);
  VectorX<T> weights(M.cols());
  for (int i = 0; i < weights.size(); ++i) {
    weights[i] = basis.EvaluateBasisFunctionI(i, ClampTime(t));
  }
  return M * weights;
}

// Boehm's rule: in an order k, a knot u in [t_l, t_(l+1)) makes of the control
// points p_(l-k+1), ..., p_l one more, the new
// p_i = (1 - a) p_(i-1) + a p_i, a = (u - t_i) / (t_(i+k-1) - t_i).
template <typename T>
void BsplineTrajectory<T>::InsertKnots(const std::vector<T>& additional_knots) {
  const int k = basis_.order();
  // A copy: they may be this basis's own.
  const std::vector<T> added = additional_knots;
  for (const T& u : added) {
    const int last = basis_.FindContainingInterval(u);
    std::vector<T> knots = basis_.knots();
    std::vector<MatrixX<T>> points = control_points_;
    points.insert(points.begin() + last, control_points_[last]);
    for (int i = last - k + 2; i <= last; ++i) {
      const T a = (u - knots[i]) / (knots[i + k - 1] - knots[i]);
      points[i] =
          (T(1.0) - a) * control_points_[i - 1] + a * control_points_[i];
    }
    points[last + 1] = control_points_[last];
    knots.insert(knots.begin() + last + 1, u);
    basis_ = BsplineBasis<T>(k, std::move(knots));
    control_points_ = std::move(points);
  }
}

template <typename T>
BsplineTrajectory<T> BsplineTrajectory<T>::CopyWithSelector(
    const std::function<MatrixX<T>(const MatrixX<T>&)>& select) const {
  std::vector<MatrixX<T>> points;
  for (const MatrixX<T>& point : control_points_) {
    points.push_back(select(point));
  }
  return BsplineTrajectory(basis_, std::move(points));
}

template <typename T>
BsplineTrajectory<T> BsplineTrajectory<T>::CopyBlock(int start_row,
                                                     int start_col,
                                                     int block_rows,
                                                     int block_cols) const {
  if (start_row < 0 || start_col < 0 || block_rows < 0 || block_cols < 0 ||
      start_row + block_rows > rows() || start_col + block_cols > cols()) {
    throw std::out_of_range(fmt::format(
        "BsplineTrajectory::CopyBlock(): the block of {} x {} from ({}, {}) is "
        "not inside the {} x {} values.",
        block_rows, block_cols, start_row, start_col, rows(), cols()));
  }
  return CopyWithSelector([=](const MatrixX<T>& full) -> MatrixX<T> {
    return full.block(start_row, start_col, block_rows, block_cols);
  });
}

template <typename T>
BsplineTrajectory<T> BsplineTrajectory<T>::CopyHead(int n) const {
  if (cols() != 1) {
    throw std::logic_error(fmt::format(
        "BsplineTrajectory::CopyHead(): the values are {} x {}; use "
        "CopyBlock() unless they are columns.",
        rows(), cols()));
  }
  return CopyBlock(0, 0, n, 1);
}

template <typename T>
T BsplineTrajectory<T>::DoFindBreak(const T& t, bool later) const {
  const std::vector<T>& knots = basis_.knots();
  const auto first = knots.begin();
  const auto found = later ? std::upper_bound(first, knots.end(), t)
                           : std::lower_bound(first, knots.end(), t);
  if (found == (later ? knots.end() : first)) return this->NoBreak(later);
  // Knots outside the domain have no effect.
  const T knot = ClampTime(later ? *found : *(found - 1));
  const bool is_there = later ? knot > t : knot < t;
  return is_there ? knot : this->NoBreak(later);
}

template <typename T>
bool BsplineTrajectory<T>::operator==(const BsplineTrajectory& other) const {
  // Eigen compares matrices of one size only.
  const auto equal = [](const MatrixX<T>& a, const MatrixX<T>& b) {
    return a.rows() == b.rows() && a.cols() == b.cols() && a == b;
  };
  return basis_ == other.basis_ &&
         std::equal(control_points_.begin(), control_points_.end(),
                    other.control_points_.begin(), other.control_points_.end(),
                    equal);
}

template <typename T>
BsplineTrajectory<T> BsplineTrajectory<T>::Derivative(
    int derivative_order) const {
  BsplineTrajectory<T> result = *this;
  for (int k = 0; k < derivative_order; ++k) {
    const BsplineBasis<T>& basis = result.basis_;
    if (basis.order() == 1) {
      for (MatrixX<T>& point : result.control_points_) point.setZero();
      return result;
    }
    std::vector<MatrixX<T>> points;
    for (int i = 0; i + 1 < result.num_control_points(); ++i) {
      points.push_back(
          DerivativeWeight(basis, i) *
          (result.control_points_[i + 1] - result.control_points_[i]));
    }
    result = BsplineTrajectory(DerivativeBasis(basis), std::move(points));
  }
  return result;
}

template <typename T>
MatrixX<T> BsplineTrajectory<T>::DoEvalDerivative(const T& t,
                                                  int derivative_order) const {
  return Derivative(derivative_order).value(t);
}

template <typename T>
std::unique_ptr<Trajectory<T>> BsplineTrajectory<T>::DoMakeDerivative(
    int derivative_order) const {
  return std::make_unique<BsplineTrajectory<T>>(Derivative(derivative_order));
}

template <typename T>
std::unique_ptr<Trajectory<T>> BsplineTrajectory<T>::DoClone() const {
  return std::make_unique<BsplineTrajectory<T>>(*this);
}

}  // namespace wyvern::trajectories

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::trajectories::BsplineTrajectory);
