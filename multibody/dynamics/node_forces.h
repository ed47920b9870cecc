#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/dynamics/position_kinematics.h"

namespace wyvern::multibody::dynamics {

/** @file
Applied forces as kernels take them: one screw (moment about its
tree's O, force) per node, in W. What is applied to the world is dropped. */

/** Adds a force (t_Q, f) in W that is applied to a body at Q, given p_WQ. */
template <typename T>
void AddForceAtPoint(const Model& model, const PositionKinematics<T>& positions,
                     MobodArgument body, const Vector3<T>& p_WQ,
                     const Vector6<T>& F_BQ_W, std::vector<Vector6<T>>* F);

/** Adds forces F_BBo_W, one per body. */
template <typename T>
void AddBodyForces(const Model& model, const std::vector<Pose<T>>& X_WB,
                   const PositionKinematics<T>& positions,
                   std::span<const Vector6<T>> F_BBo_W,
                   std::vector<Vector6<T>>* F);

/** tau = sum Jᵀ F: the generalized forces of node forces.
`scratch` has one entry per node. */
template <typename T>
void CalcGeneralizedForces(const Model& model,
                           const PositionKinematics<T>& positions,
                           std::span<const Vector6<T>> F,
                           std::vector<Vector6<T>>* scratch,
                           Eigen::Ref<VectorX<T>> tau);

}  // namespace wyvern::multibody::dynamics
