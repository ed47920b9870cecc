#pragma once

#include "wyvern/multibody/tree/multibody_cache.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Makes the columns of locked velocities 0: these do not change, so that no
row of constraints feels them. */
template <typename T>
void ClearLockedColumns(const LockedVelocities& locked, MatrixX<T>* rows) {
  if (!locked.some) return;
  for (int i = 0; i < rows->cols(); ++i) {
    if (locked.is_locked[i]) rows->col(i).setZero();
  }
}

/** The same of entries. */
template <typename T>
void ClearLockedEntries(const LockedVelocities& locked,
                        Eigen::Ref<VectorX<T>> x) {
  if (!locked.some) return;
  for (int i = 0; i < x.size(); ++i) {
    if (locked.is_locked[i]) x[i] = 0;
  }
}

}  // namespace wyvern::multibody::internal
