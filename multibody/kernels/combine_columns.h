#pragma once

#include "wyvern/multibody/kernels/packs.h"

namespace wyvern::multibody::internal {

/** A sum of columns to be formed: each with `m` weights, one for every result
that it goes into. */
template <typename T, int m>
struct ColumnTerm {
  /** The column's first entry; CombineColumns() says how long it must be. */
  const T* column;
  /** The factor of this column in each of the `m` results. */
  T weights[m];
};

/** Rows [row, row + packs * kPackSize) of to[r] = sum of weights[r] * column.
 */
template <int packs, typename L, int m, typename T>
EIGEN_ALWAYS_INLINE void CombineRows(const ColumnTerm<T, m>* terms, int count,
                                     int row, int end, T* const* to) {
  L sum[m][packs];
  for (int r = 0; r < m; ++r) {
    for (int p = 0; p < packs; ++p) SetZero(&sum[r][p]);
  }
  for (int i = 0; i < count; ++i) {
    const ColumnTerm<T, m>& term = terms[i];
    for (int p = 0; p < packs; ++p) {
      L x;
      Load(term.column + row + p * kPackSize<T>, &x);
      for (int r = 0; r < m; ++r) sum[r][p] += x * term.weights[r];
    }
  }
  for (int p = 0; p < packs; ++p) {
    const int at = row + p * kPackSize<T>;
    for (int r = 0; r < m; ++r) StoreFirst(sum[r][p], end - at, to[r] + at);
  }
}

/** Rows [begin, end) of the sums. Columns are read up to a lane's length beyond
`end`; the results are not written there, and must not be among the terms. */
template <typename L, int m, typename T>
EIGEN_ALWAYS_INLINE void CombineColumns(const ColumnTerm<T, m>* terms,
                                        int count, int begin, int end,
                                        T* const* to) {
  constexpr int kStep = kPackSize<T>;
  int row = begin;
  for (; row + 3 * kStep < end; row += 4 * kStep) {
    CombineRows<4, L>(terms, count, row, end, to);
  }
  const int left = end - row;
  if (left > 2 * kStep) {
    CombineRows<3, L>(terms, count, row, end, to);
  } else if (left > kStep) {
    CombineRows<2, L>(terms, count, row, end, to);
  } else if (left > 0) {
    CombineRows<1, L>(terms, count, row, end, to);
  }
}

}  // namespace wyvern::multibody::internal
