#pragma once

#include <type_traits>

#include <Eigen/Geometry>

#include "wyvern/multibody/kernels/six_by_six.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** @file
Products with the Jacobian block J of a constraint with three rows, as a contact
has, or with six, as contacts with shared rows have: 3 x n or 6 x n, column by
column; and with the offset p of one of these contacts. */

/** y + J x. */
template <typename T>
Vector3<T> AddContactProduct(const T* J, int n, const T* x, Vector3<T> y) {
  for (int k = 0; k < n; ++k) {
    y[0] += J[3 * k] * x[k];
    y[1] += J[3 * k + 1] * x[k];
    y[2] += J[3 * k + 2] * x[k];
  }
  return y;
}

/** y += J'g. */
template <typename T>
void AddContactTransposeProduct(const T* J, int n, const Vector3<T>& g, T* y) {
  for (int k = 0; k < n; ++k) {
    y[k] += J[3 * k] * g[0] + J[3 * k + 1] * g[1] + J[3 * k + 2] * g[2];
  }
}

/** J x and y += J'g with six columns. */
template <typename T>
void SetSixProduct(const T* J, const T* x, Vector3<T>* y) {
  if constexpr (std::is_same_v<T, double>) {
    MultiplySixColumns(J, x, y->data());
  } else {
    *y = AddContactProduct<T>(J, 6, x, Vector3<T>(Vector3<T>::Zero()));
  }
}
template <typename T>
void AddSixTransposeProduct(const T* J, const Vector3<T>& g, T* y) {
  if constexpr (std::is_same_v<T, double>) {
    AddSixTransposed(J, g.data(), y);
  } else {
    AddContactTransposeProduct<T>(J, 6, g, y);
  }
}

/** y + J x with six rows. */
template <typename T>
Vector6<T> AddMotionProduct(const T* J, int n, const T* x, Vector6<T> y) {
  if (n == 6) {
    y += Eigen::Map<const Matrix6<T>>(J).lazyProduct(
        Eigen::Map<const Vector6<T>>(x));
    return y;
  }
  for (int k = 0; k < n; ++k) {
    y += Eigen::Map<const Vector6<T>>(J + 6 * k) * x[k];
  }
  return y;
}

/** y += J'g with six rows. */
template <typename T>
void AddMotionTransposeProduct(const T* J, int n, const Vector6<T>& g, T* y) {
  if (n == 6) {
    Eigen::Map<Vector6<T>>(y) +=
        Eigen::Map<const Matrix6<T>>(J).transpose().lazyProduct(g);
    return;
  }
  for (int k = 0; k < n; ++k) {
    y[k] += Eigen::Map<const Vector6<T>>(J + 6 * k).dot(g);
  }
}

/** Returns v + w x p, V = (v, w). */
template <typename T>
Vector3<T> VelocityAt(const T* V, const Eigen::Ref<const Vector3<T>>& p) {
  return {V[0] + V[4] * p[2] - V[5] * p[1], V[1] + V[5] * p[0] - V[3] * p[2],
          V[2] + V[3] * p[1] - V[4] * p[0]};
}

/** K += S'G S with S = [1 -[p]x] and G symmetric; only the upper triangle. */
template <typename T>
void AddOffsetSlopes(const Eigen::Ref<const Vector3<T>>& p, const Matrix3<T>& G,
                     Matrix6<T>* K) {
  Matrix3<T> PG;  // [p]x G
  for (int j = 0; j < 3; ++j) PG.col(j) = p.cross(G.col(j));
  for (int j = 0; j < 3; ++j) {
    const Vector3<T> row = PG.row(j);
    const Vector3<T> PGP = p.cross(row);
    for (int i = 0; i <= j; ++i) {
      (*K)(i, j) += G(i, j);
      (*K)(3 + i, 3 + j) += PGP[i];
    }
    for (int i = 0; i < 3; ++i) (*K)(i, 3 + j) += row[i];
  }
}

}  // namespace wyvern::multibody::internal
