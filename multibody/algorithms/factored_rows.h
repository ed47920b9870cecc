#pragma once

#include <vector>

#include "wyvern/multibody/algorithms/forward_dynamics.h"

namespace wyvern::multibody::engine {

/** Where a row of a Jacobian starts: forces on up to two nodes, about their
trees' O. Node 0 takes any force and does nothing. */
template <typename T>
struct RowForces {
  NodeIndex node[2]{NodeIndex(0), NodeIndex(0)};
  Vector6<T> F[2]{Vector6<T>::Zero(), Vector6<T>::Zero()};
};

/** A row J of a Jacobian through the factorization M + diag(d) = L D Lᵀ that
articulated bodies are: w = L⁻¹ Jᵀ, so that J M⁻¹ J'ᵀ = wᵀ D⁻¹ w'. It differs
from 0 only on the nodes' paths to the world; O(depth). Allocates nothing.
@param forces Jᵀ is their generalized forces,
@param w ... plus what w holds on entry, which may differ from 0 only on those
paths.
@param is_locked By velocity: those that take no part, as if M were infinite
there; of a node all or none. */
template <typename T>
void CalcFactoredRow(const Model& model, const PositionKinematics<T>& positions,
                     const ArticulatedInertias<T>& articulated,
                     const std::vector<bool>& is_locked,
                     const RowForces<T>& forces, Eigen::Ref<VectorX<T>> w);

/** D⁻¹ w. */
template <typename T>
void CalcInversePivots(const Model& model,
                       const ArticulatedInertias<T>& articulated,
                       const Eigen::Ref<const VectorX<T>>& w,
                       Eigen::Ref<VectorX<T>> D_inverse_w);

}  // namespace wyvern::multibody::engine
