#pragma once

#include <type_traits>

#include "wyvern/multibody/dynamics/mobilizers/pose.h"

namespace wyvern::multibody::internal {

/** A pose by columns [x y z p], to be worked on a column at a time: of doubles
a column is four, which fill a register; the last of them means nothing. */
template <typename T>
struct PoseColumns {
  /** True if a column has a fourth entry. */
  static constexpr bool kIsPadded = std::is_same_v<T, double>;
  /** A column of the pose: three entries, or four with padding. */
  using Column = Eigen::Array<T, kIsPadded ? 4 : 3, 1>;

  /** Loads a pose. */
  explicit EIGEN_STRONG_INLINE PoseColumns(const dynamics::Pose<T>& X) {
    x = LoadColumn(X.R.data());
    y = LoadColumn(X.R.data() + 3);
    z = LoadColumn(X.R.data() + 6);
    p.template head<3>() = X.p.array();
    if constexpr (kIsPadded) p[3] = 0;
  }
  /** Writes the pose. */
  EIGEN_STRONG_INLINE void Store(dynamics::Pose<T>* X) const {
    StoreColumn(x, X->R.data());
    StoreColumn(y, X->R.data() + 3);
    StoreColumn(z, X->R.data() + 6);
    X->p = p.template head<3>();
  }

  /** R v, for v given as three numbers. */
  EIGEN_STRONG_INLINE Column Times(const T* v) const {
    return x * v[0] + y * v[1] + z * v[2];
  }

  /** The three columns of R, and p. */
  Column x, y, z, p;

 private:
  // In a pose there is always a number after three of R, the next column's or
  // p's first; what is stored there is overwritten by the next store.
  static_assert(sizeof(dynamics::Pose<double>) == 12 * sizeof(double));
  static EIGEN_STRONG_INLINE Column LoadColumn(const T* from) {
    return Eigen::Map<const Column>(from);
  }
  static EIGEN_STRONG_INLINE void StoreColumn(const Column& column, T* to) {
    Eigen::Map<Column>{to} = column;
  }
};

}  // namespace wyvern::multibody::internal
