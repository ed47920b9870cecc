#pragma once

/** @file
Derivatives of conversions between the forms of a rotation. */

#include <array>
#include <cmath>

#include "wyvern/geometry/math/normalize_vector.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::math {

/** The derivative of the rotation matrix of q / |q| by q = [w, x, y, z]. */
template <typename Derived>
typename Gradient<Matrix3<typename Derived::Scalar>, 4>::type dquat2rotmat(
    const Eigen::MatrixBase<Derived>& quaternion) {
  using T = typename Derived::Scalar;
  const Vector4<T> q = quaternion;
  Vector4<T> u;
  typename Gradient<Vector4<T>, 4>::type du;
  NormalizeVector(q, u, &du);
  // R = (w^2 - v'v) I + 2 v v' + 2 w [v]x at unit length, column by column.
  const T w = 2 * u[0], x = 2 * u[1], y = 2 * u[2], z = 2 * u[3];
  Eigen::Matrix<T, 9, 4> dR;
  dR << w, x, -y, -z,  //
      z, y, x, w,      //
      -y, z, -w, x,    //
      -z, y, x, -w,    //
      w, -x, y, -z,    //
      x, w, z, y,      //
      y, z, w, x,      //
      -x, -w, z, y,    //
      w, -x, -y, z;
  return dR * du;
}

/** The derivative of the roll, pitch and yaw of a rotation matrix from that of
the matrix. Not for a pitch of 90 degrees. */
template <typename DerivedR, typename DerivedDR>
typename Gradient<Vector3<typename DerivedR::Scalar>,
                  DerivedDR::ColsAtCompileTime>::type
drotmat2rpy(const Eigen::MatrixBase<DerivedR>& R,
            const Eigen::MatrixBase<DerivedDR>& dR) {
  using std::sqrt;
  using T = typename DerivedR::Scalar;
  // roll = atan2(R21, R22), pitch = atan2(-R20, c), c = |(R21, R22)|,
  // yaw = atan2(R10, R00).
  const auto d = [&dR](int i, int j) { return dR.row(i + 3 * j); };
  const T cc = R(2, 1) * R(2, 1) + R(2, 2) * R(2, 2);
  const T c = sqrt(cc);
  typename Gradient<Vector3<T>, DerivedDR::ColsAtCompileTime>::type result(
      3, dR.cols());
  result.row(0) = (R(2, 2) * d(2, 1) - R(2, 1) * d(2, 2)) / cc;
  result.row(1) =
      (R(2, 0) / c * (R(2, 1) * d(2, 1) + R(2, 2) * d(2, 2)) - c * d(2, 0)) /
      (R(2, 0) * R(2, 0) + cc);
  result.row(2) = (R(0, 0) * d(1, 0) - R(1, 0) * d(0, 0)) /
                  (R(0, 0) * R(0, 0) + R(1, 0) * R(1, 0));
  return result;
}

/** The derivative of the unit quaternion [w, x, y, z], w >= 0, of a rotation
matrix from that of the matrix. */
template <typename DerivedR, typename DerivedDR>
typename Gradient<Vector4<typename DerivedR::Scalar>,
                  DerivedDR::ColsAtCompileTime>::type
drotmat2quat(const Eigen::MatrixBase<DerivedR>& R,
             const Eigen::MatrixBase<DerivedDR>& dR) {
  using std::sqrt;
  using T = typename DerivedR::Scalar;
  using Row = Eigen::Matrix<T, 1, DerivedDR::ColsAtCompileTime>;
  // 4 q q' is linear in R. Divide the column of its greatest diagonal element
  // by 2 sqrt of that element: q = M_k / (2 sqrt(M_kk)).
  const auto outer = [](const auto& r, auto one) {
    using S = std::decay_t<decltype(one)>;
    std::array<std::array<S, 4>, 4> M;
    M[0][0] = one + r(0, 0) + r(1, 1) + r(2, 2);
    M[1][1] = one + r(0, 0) - r(1, 1) - r(2, 2);
    M[2][2] = one - r(0, 0) + r(1, 1) - r(2, 2);
    M[3][3] = one - r(0, 0) - r(1, 1) + r(2, 2);
    M[0][1] = M[1][0] = r(2, 1) - r(1, 2);
    M[0][2] = M[2][0] = r(0, 2) - r(2, 0);
    M[0][3] = M[3][0] = r(1, 0) - r(0, 1);
    M[1][2] = M[2][1] = r(0, 1) + r(1, 0);
    M[1][3] = M[3][1] = r(0, 2) + r(2, 0);
    M[2][3] = M[3][2] = r(1, 2) + r(2, 1);
    return M;
  };
  const auto M = outer([&R](int i, int j) -> T { return R(i, j); }, T(1.0));
  const auto dM =
      outer([&dR](int i, int j) -> Row { return dR.row(i + 3 * j); },
            Row(Row::Zero(dR.cols())));
  int k = 0;
  for (int i = 1; i < 4; ++i) {
    if (M[i][i] > M[k][k]) k = i;
  }
  const T root = sqrt(M[k][k]);
  const double sign = M[0][k] < 0 ? -1.0 : 1.0;
  typename Gradient<Vector4<T>, DerivedDR::ColsAtCompileTime>::type result(
      4, dR.cols());
  for (int i = 0; i < 4; ++i) {
    result.row(i) =
        (sign / (2 * root)) * (dM[i][k] - (M[i][k] / (2 * M[k][k])) * dM[k][k]);
  }
  return result;
}

}  // namespace wyvern::math
