#pragma once

#include <utility>

#include "wyvern/multibody/step/rows/add_columns.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** The lower triangle of Y Yᵀ, and Y z, for Y nc x nv, where what is 0 at
either end of neighbouring columns of Y costs nothing. Allocates nothing. */
template <typename T>
void MultiplyRows(const MatrixX<T>& Y, const VectorX<T>& z, MatrixX<T>* K,
                  VectorX<T>* Y_z) {
  const int nc = static_cast<int>(Y.rows()), nv = static_cast<int>(Y.cols());
  const auto find_extent = [&](int k) {
    int first = 0, last = nc;
    while (first < last && IsZero(Y(first, k))) ++first;
    while (first < last && IsZero(Y(last - 1, k))) --last;
    return std::make_pair(first, last);
  };
  K->setZero();
  Y_z->setZero();
  auto extent = nv > 0 ? find_extent(0) : std::make_pair(0, 0);
  for (int start = 0, end = 0; start < nv; start = end) {
    const auto [first, last] = extent;
    do {
      ++end;
      if (end < nv) extent = find_extent(end);
    } while (end < nv && extent.first == first && extent.second == last);
    for (int j = first; j < last; ++j) {
      AddColumns<1, T>(&Y(j, start), nc, &Y(j, start), nc, end - start,
                       last - j, &(*K)(j, j));
    }
    if (first < last) {
      AddColumns<1, T>(&Y(first, start), nc, &z[start], 1, end - start,
                       last - first, &(*Y_z)[first]);
    }
  }
}

}  // namespace wyvern::multibody::internal
