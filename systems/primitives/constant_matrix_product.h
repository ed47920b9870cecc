#pragma once

/** @file
Products of constant matrices of double with vectors of any scalar, in
place and without allocating for double. */

#include <span>
#include <type_traits>

#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/framework/vector_base.h"

namespace wyvern::systems::internal {

/** y += M x. The shapes must fit; x and y must not overlap. */
template <typename X, typename Y>
void AddProduct(const Eigen::MatrixXd& M, const Eigen::MatrixBase<X>& x,
                Y&& y) {
  if constexpr (std::is_same_v<typename X::Scalar, double>) {
    // Eigen's product is for larger matrices.
    if (M.size() <= 16) {
      for (int j = 0; j < M.cols(); ++j) y += M.col(j) * x[j];
    } else {
      y.noalias() += M * x;
    }
  } else {
    for (int j = 0; j < M.cols(); ++j) {
      for (int i = 0; i < M.rows(); ++i) {
        if (M(i, j) != 0) y[i] += M(i, j) * x[j];
      }
    }
  }
}

/** The elements of a vector of a LeafSystem's own state, which lie side by side
in memory. The view ends with the vector. */
template <typename T>
Eigen::Map<const VectorX<T>> ViewOf(const VectorBase<T>& v) {
  if (v.size() == 0) return {nullptr, 0};
  return {v.ContiguousFrom(0).data(), v.size()};
}

template <typename T>
Eigen::Map<VectorX<T>> MutableViewOf(VectorBase<T>* v) {
  if (v->size() == 0) return {nullptr, 0};
  return {v->MutableContiguousFrom(0).data(), v->size()};
}

}  // namespace wyvern::systems::internal
