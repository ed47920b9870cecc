#include "wyvern/multibody/contact/short_vectors.h"

namespace wyvern::multibody::internal {

namespace {

// y = A x in rows `i` to `i` + 3, summed over columns from the first on.
template <class V>
[[gnu::always_inline]] inline void MultiplyFour(int i, int columns,
                                                const double* A, int stride,
                                                const double* x, double* y) {
  Pack4<V> sum;
  for (int k = 0; k < columns; ++k) sum.AddScaled(x[k], A + k * stride + i);
  sum.Store(y + i);
}

// y = A x. If `rows` is no multiple of four, the last four rows include some
// that were computed before.
template <class V>
[[gnu::always_inline]] inline void Multiply(int rows, int columns,
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
    MultiplyFour<V>(i, columns, A, stride, x, y);
  }
  if (rows % 4 != 0) MultiplyFour<V>(rows - 4, columns, A, stride, x, y);
}

}  // namespace

void MultiplyColumns(int rows, int columns, const double* A, int stride,
                     const double* x, double* y) {
  RunBest(WYVERN_KERNEL(Multiply<V>), rows, columns, A, stride, x, y);
}

}  // namespace wyvern::multibody::internal
