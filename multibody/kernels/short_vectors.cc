#include "wyvern/multibody/kernels/short_vectors.h"

#include "wyvern/multibody/kernels/packs.h"

namespace wyvern::multibody::internal {

namespace {

// y = A x in rows `i` to `i` + 3, summed over columns from the first on.
[[gnu::always_inline]] inline void MultiplyFour(int i, int columns,
                                                const double* A, int stride,
                                                const double* x, double* y) {
  Pack4 sum{};
  for (int k = 0; k < columns; ++k) AddScaled(x[k], A + k * stride + i, &sum);
  Store(sum, y + i);
}

// y = A x. If `rows` is no multiple of four, the last four rows include some
// that were computed before.
[[gnu::always_inline]] inline void MultiplyRows(int rows, int columns,
                                                const double* A, int stride,
                                                const double* x, double* y) {
  if (rows < 4) {
    for (int i = 0; i < rows; ++i) {
      y[i] = 0;
      for (int k = 0; k < columns; ++k) y[i] += x[k] * A[k * stride + i];
    }
    return;
  }
  for (int i = 0; i + 4 <= rows; i += 4) {
    MultiplyFour(i, columns, A, stride, x, y);
  }
  if (rows % 4 != 0) MultiplyFour(rows - 4, columns, A, stride, x, y);
}

}  // namespace

void MultiplyColumns(int rows, int columns, const double* A, int stride,
                     const double* x, double* y) {
  RunBest(WYVERN_KERNEL(MultiplyRows), rows, columns, A, stride, x, y);
}

}  // namespace wyvern::multibody::internal
