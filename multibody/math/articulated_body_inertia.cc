#include "wyvern/multibody/math/articulated_body_inertia.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "wyvern/multibody/math/inertia_validity.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using math::internal::ValuesOf;

namespace {

// The least eigenvalue of the matrix scaled to a diagonal of ones, and the
// largest; a row whose diagonal is not positive keeps its scale.
std::pair<double, double> CalcScaledEigenvalueRange(const Matrix6<double>& P) {
  Vector6<double> scale;
  for (int i = 0; i < 6; ++i) {
    scale(i) = P(i, i) > 0 ? 1 / std::sqrt(P(i, i)) : 1.0;
  }
  const Matrix6<double> scaled = scale.asDiagonal() * P * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix6<double>> solver(
      scaled, Eigen::EigenvaluesOnly);
  return {solver.eigenvalues()(0), solver.eigenvalues()(5)};
}

}  // namespace

template <typename T>
ArticulatedBodyInertia<T>::ArticulatedBodyInertia() {
#ifndef NDEBUG
  P_.setConstant(T(std::numeric_limits<double>::quiet_NaN()));
#endif
}

template <typename T>
ArticulatedBodyInertia<T>::ArticulatedBodyInertia(const Matrix6<T>& matrix,
                                                  Checked)
    : P_(matrix) {
  for (int j = 1; j < 6; ++j) {
    for (int i = 0; i < j; ++i) P_(i, j) = P_(j, i);
  }
  if (!IsPhysicallyValid()) {
    throw std::logic_error(
        fmt::format("ArticulatedBodyInertia: {} is not an inertia; it must be "
                    "finite and positive semidefinite.",
                    internal::ToOneLine(ValuesOf(P_))));
  }
}

template <typename T>
bool ArticulatedBodyInertia<T>::IsPhysicallyValid() const {
  const Matrix6<double> P = ValuesOf(P_);
  if (!P.allFinite()) return false;
  const auto [least, largest] = CalcScaledEigenvalueRange(P);
  return least >= -internal::kInertiaRelativeTolerance * largest;
}

// In blocks P = [J H; Hᵀ M] a shift by p takes forces from Q to R and
// accelerations from R to Q: with X = [1 -[p]x; 0 1], P_R = X P Xᵀ, so
//   M as it is,  H_R = H - [p]x M,  J_R = J - [p]x Hᵀ + H_R [p]x.
template <typename T>
void ArticulatedBodyInertia<T>::ShiftInPlace(const Vector3<T>& p_QR_E) {
  const Vector3<T>& p = p_QR_E;
  const Matrix3<T> M = P_.template bottomRightCorner<3, 3>();
  Matrix3<T> H = P_.template topRightCorner<3, 3>();
  Matrix3<T> J = P_.template topLeftCorner<3, 3>();
  for (int j = 0; j < 3; ++j) {
    J.col(j) -= p.cross(Vector3<T>(H.row(j).transpose()));
  }
  for (int j = 0; j < 3; ++j) H.col(j) -= p.cross(Vector3<T>(M.col(j)));
  // H_R [p]x, row by row: rᵀ [p]x = (r x p)ᵀ.
  for (int i = 0; i < 3; ++i) {
    const Vector3<T> row = H.row(i).transpose();
    J.row(i) += row.cross(p).transpose();
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) P_(i, j) = P_(j, i) = J(i, j);
  }
  P_.template topRightCorner<3, 3>() = H;
  P_.template bottomLeftCorner<3, 3>() = H.transpose();
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::ArticulatedBodyInertia);
