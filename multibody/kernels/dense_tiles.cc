#include "wyvern/multibody/kernels/dense_tiles.h"

#include <algorithm>
#include <cmath>

#include "wyvern/multibody/kernels/packs.h"

/* Products go in tiles of C that stay in registers: two vectors of rows by six
columns. What a tile reads is kept in caches by going over A and B in parts
of kPart. Each entry of C takes off, part by part, the sum over its part, so
that widths of registers do not show. */

namespace wyvern::multibody::internal {
namespace {

constexpr int kColumns = 6;
constexpr int kPart = 96;

// Returns the first `wanted` of `size` numbers, in `copy` and with zeros after
// them unless all are wanted. The others are not read: another thread may be
// writing there.
[[gnu::always_inline]] inline const double* Pick(int wanted, int size,
                                                 const double* numbers,
                                                 double* copy) {
  if (wanted == size) return numbers;
  for (int i = 0; i < wanted; ++i) copy[i] = numbers[i];
  return copy;
}

// C -= A B' for two vectors of rows and six columns, the first `rows` and
// `columns` of which are wanted.
template <typename V>
[[gnu::always_inline]] inline void SubtractTile(int rows, int columns, int k,
                                                const double* A, int lda,
                                                const double* B, int ldb,
                                                double* C, int ldc) {
  constexpr int kLength = sizeof(V) / sizeof(double);
  V sum[kColumns][2] = {};
  double copy_of_A[2 * kLength] = {};
  double copy_of_B[kColumns] = {};
  for (int l = 0; l < k; ++l) {
    const double* const row = Pick(rows, 2 * kLength, A, copy_of_A);
    const double* const column = Pick(columns, kColumns, B, copy_of_B);
    V a0, a1;
    Load(row, &a0);
    Load(row + kLength, &a1);
    for (int j = 0; j < kColumns; ++j) {
      const V b = column[j] - V{};
      sum[j][0] += a0 * b;
      sum[j][1] += a1 * b;
    }
    A += lda;
    B += ldb;
  }
  if (rows == 2 * kLength && columns == kColumns) {
    for (int j = 0; j < kColumns; ++j) {
      V c0, c1;
      Load(C + j * ldc, &c0);
      Load(C + j * ldc + kLength, &c1);
      c0 -= sum[j][0];
      c1 -= sum[j][1];
      Store(c0, C + j * ldc);
      Store(c1, C + j * ldc + kLength);
    }
    return;
  }
  double all[kColumns][2 * kLength];
  for (int j = 0; j < kColumns; ++j) {
    Store(sum[j][0], all[j]);
    Store(sum[j][1], all[j] + kLength);
  }
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) C[j * ldc + i] -= all[j][i];
  }
}

template <typename V>
[[gnu::always_inline]] inline void SubtractParts(int m, int n, int k,
                                                 const double* A, int lda,
                                                 const double* B, int ldb,
                                                 double* C, int ldc,
                                                 bool lower) {
  constexpr int kRows = 2 * sizeof(V) / sizeof(double);
  for (int l = 0; l < k; l += kPart) {
    const int depth = std::min(kPart, k - l);
    for (int first = 0; first < m; first += kPart) {
      const int last = std::min(first + kPart, m);
      for (int j = 0; j < n && !(lower && j >= last); j += kColumns) {
        for (int i = lower ? std::max(first, j) : first; i < last; i += kRows) {
          SubtractTile<V>(std::min(kRows, last - i), std::min(kColumns, n - j),
                          depth, A + i + l * lda, lda, B + j + l * ldb, ldb,
                          C + i + j * ldc, ldc);
        }
      }
    }
  }
}

WYVERN_WIDE_REGISTERS void SubtractWide(int m, int n, int k, const double* A,
                                        int lda, const double* B, int ldb,
                                        double* C, int ldc, bool lower) {
  SubtractParts<Pack4>(m, n, k, A, lda, B, ldb, C, ldc, lower);
}

}  // namespace

void SubtractProduct(int m, int n, int k, const double* A, int lda,
                     const double* B, int ldb, double* C, int ldc, bool lower) {
  if (kHasWideRegisters) {
    SubtractWide(m, n, k, A, lda, B, ldb, C, ldc, lower);
  } else {
    SubtractParts<Pack2>(m, n, k, A, lda, B, ldb, C, ldc, lower);
  }
}

namespace {

// R L'^-1 in a few columns of some rows below; L is kColumns wide at most.
void SolveColumns(int m, int n, const double* L, double* R, int ld) {
  for (int j = 0; j < n; ++j) {
    double* const column = R + j * ld;
    const double inverse = L[j + j * ld];
    for (int i = 0; i < m; ++i) column[i] *= inverse;
    for (int l = j + 1; l < n; ++l) {
      double* const to = R + l * ld;
      const double factor = L[l + j * ld];
      for (int i = 0; i < m; ++i) to[i] -= factor * column[i];
    }
  }
}

// The factor of a few columns of a triangle.
bool FactorTriangle(int n, double* L, int ld, const double* least) {
  for (int j = 0; j < n; ++j) {
    double& pivot = L[j + j * ld];
    if (!(pivot > (least == nullptr ? 0.0 : least[j]))) return false;
    pivot = 1 / std::sqrt(pivot);
    if (!(pivot > 0)) return false;
    for (int i = j + 1; i < n; ++i) L[i + j * ld] *= pivot;
    for (int l = j + 1; l < n; ++l) {
      for (int i = l; i < n; ++i)
        L[i + l * ld] -= L[l + j * ld] * L[i + j * ld];
    }
  }
  return true;
}

}  // namespace

bool FactorPanel(int m, int n, double* panel, int ld, const double* least,
                 wyvern::internal::WorkerThreads* workers) {
  const auto at = [panel, ld](int i, int j) { return panel + i + j * ld; };
  for (int first = 0; first < n; first += kPart) {
    const int last = std::min(first + kPart, n);
    for (int j = first; j < last; j += kColumns) {
      const int width = std::min(kColumns, last - j);
      SubtractProduct(last - j, width, j - first, at(j, first), ld,
                      at(j, first), ld, at(j, j), ld, true);
      if (!FactorTriangle(width, at(j, j), ld,
                          least == nullptr ? nullptr : least + j))
        return false;
      SolveColumns(last - j - width, width, at(j, j), at(j + width, j), ld);
    }
    const int num_parts = (m - last + kPart - 1) / kPart;
    wyvern::internal::ForEach(workers, num_parts, [&](int part, int) {
      const int row = last + part * kPart;
      const int rows = std::min(kPart, m - row);
      for (int j = first; j < last; j += kColumns) {
        const int width = std::min(kColumns, last - j);
        SubtractProduct(rows, width, j - first, at(row, first), ld,
                        at(j, first), ld, at(row, j), ld, false);
        SolveColumns(rows, width, at(j, j), at(row, j), ld);
      }
    });
    wyvern::internal::ForEach(workers, num_parts, [&](int part, int) {
      const int row = last + part * kPart;
      const int rows = std::min(kPart, m - row);
      SubtractProduct(rows, std::min(n, row) - last, last - first,
                      at(row, first), ld, at(last, first), ld, at(row, last),
                      ld, false);
      if (row >= n) return;
      SubtractProduct(rows, std::min(n - row, rows), last - first,
                      at(row, first), ld, at(row, first), ld, at(row, row), ld,
                      true);
    });
  }
  return true;
}

}  // namespace wyvern::multibody::internal
