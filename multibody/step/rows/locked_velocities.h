#pragma once

#include <vector>

#include "wyvern/multibody/dynamics/forward_dynamics.h"
#include "wyvern/systems/common/eigen_types.h"

/** @file
Velocities that are locked do not change, so that no row of constraints feels
them: M is as good as infinite there, and rows are 0. */

namespace wyvern::multibody::internal {

/** Returns the addition to M's diagonal, 0 for free velocities. */
template <typename T>
void SetLockedInertia(const std::vector<bool>& is_locked,
                      VectorX<T>* diagonal) {
  for (int i = 0; i < diagonal->size(); ++i) {
    (*diagonal)[i] = T(is_locked[i] ? dynamics::kLockedInertia : 0);
  }
}

/** Makes the columns of locked velocities 0. */
template <typename T>
void ClearLockedColumns(const std::vector<bool>& is_locked, MatrixX<T>* rows) {
  for (int i = 0; i < rows->cols(); ++i) {
    if (is_locked[i]) rows->col(i).setZero();
  }
}

/** Overload for entries. */
template <typename T>
void ClearLockedEntries(const std::vector<bool>& is_locked,
                        Eigen::Ref<VectorX<T>> x) {
  for (int i = 0; i < x.size(); ++i) {
    if (is_locked[i]) x[i] = T(0);
  }
}

}  // namespace wyvern::multibody::internal
