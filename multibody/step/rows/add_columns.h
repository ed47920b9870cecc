#pragma once

#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Whether a number takes no part in sums. */
inline bool IsZero(double x) { return x == 0; }
/** Never: its derivatives would be lost. */
inline bool IsZero(const AutoDiffXd&) { return false; }

/** to[i] += sign * sum over j < count of weights[j * stride] * from[j * ld + i]
for i < n: a combination of short columns, four at a time, so that `to` is read
and written a quarter as often. Not inlined: GCC knows only of a function's
argument that nothing else overlaps it. */
template <int sign = 1, typename T>
[[gnu::noinline]] void AddColumns(const T* from, Eigen::Index ld,
                                  const T* weights, Eigen::Index stride,
                                  int count, int n, T* __restrict to) {
  static_assert(sign == 1 || sign == -1);
  const auto weight = [weights, stride](int j) -> T {
    return sign * 1.0 * weights[j * stride];
  };
  int j = 0;
  for (; j + 4 <= count; j += 4) {
    const T *const a = from + j * ld, *const b = a + ld, *const c = b + ld,
                   *const d = c + ld;
    const T wa = weight(j), wb = weight(j + 1), wc = weight(j + 2),
            wd = weight(j + 3);
    for (int i = 0; i < n; ++i) {
      to[i] += (wa * a[i] + wb * b[i]) + (wc * c[i] + wd * d[i]);
    }
  }
  for (; j < count; ++j) {
    const T* const a = from + j * ld;
    const T wa = weight(j);
    for (int i = 0; i < n; ++i) to[i] += wa * a[i];
  }
}

}  // namespace wyvern::multibody::internal
