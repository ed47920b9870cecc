#pragma once

#include <type_traits>

#include "wyvern/multibody/dynamics/model.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::dynamics {

/** Calls f with a node's number of velocities as a compile-time constant, so
that what follows has fixed sizes: 1, 2, 3 or 6 for double. For other scalars
the constant is Eigen::Dynamic, as their arithmetic gains nothing by fixed sizes
and would be compiled four times. The world's node has none. */
template <typename T, typename F>
EIGEN_ALWAYS_INLINE void DispatchByDof(int nv, F&& f) {
  if constexpr (!std::is_same_v<T, double>) {
    if (nv > 0) f(std::integral_constant<int, Eigen::Dynamic>{});
  } else {
    switch (nv) {
      case 1:
        return f(std::integral_constant<int, 1>{});
      case 2:
        return f(std::integral_constant<int, 2>{});
      case 3:
        return f(std::integral_constant<int, 3>{});
      case 6:
        return f(std::integral_constant<int, 6>{});
    }
  }
}

/** A node's number of velocities, a constant if DispatchByDof() gave one. */
template <int nv>
constexpr int NvOf(const Model::Node& node) {
  return nv == Eigen::Dynamic ? node.nv : nv;
}

/** The most velocities that a node has if DispatchByDof() gave `nv`. */
template <int nv>
inline constexpr int kMaxNv = nv == Eigen::Dynamic ? 6 : nv;

/** Matrices and vectors of a node's size, never on the heap. */
template <typename T, int rows, int columns>
using NodeMatrix = Eigen::Matrix<T, rows, columns, Eigen::ColMajor,
                                 kMaxNv<rows>, kMaxNv<columns>>;
/** A vector of nv entries that allocates nothing. */
template <typename T, int nv>
using NodeVector = NodeMatrix<T, nv, 1>;

/** The columns of a node, from velocity k on, of a matrix of six rows; its max
sizes are known, so that products with it are plain loops. */
template <int nv, typename T>
Eigen::Map<const NodeMatrix<T, 6, nv>> NodeColumns(const Matrix6X<T>& matrix,
                                                   int k, int n) {
  return {matrix.data() + 6 * k, 6, n};
}
template <int nv, typename T>
Eigen::Map<NodeMatrix<T, 6, nv>> NodeColumns(Matrix6X<T>* matrix, int k,
                                             int n) {
  return {matrix->data() + 6 * k, 6, n};
}

/** The top rows of those columns, as a square block: D⁻¹ of a node. */
template <int nv, typename T>
Eigen::Map<const NodeMatrix<T, nv, nv>, 0, Eigen::OuterStride<6>> NodeBlock(
    const Matrix6X<T>& matrix, int k, int n) {
  return {matrix.data() + 6 * k, n, n};
}
template <int nv, typename T>
Eigen::Map<NodeMatrix<T, nv, nv>, 0, Eigen::OuterStride<6>> NodeBlock(
    Matrix6X<T>* matrix, int k, int n) {
  return {matrix->data() + 6 * k, n, n};
}

}  // namespace wyvern::multibody::dynamics
