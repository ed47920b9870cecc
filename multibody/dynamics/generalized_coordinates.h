#pragma once

#include "wyvern/multibody/dynamics/model.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::dynamics {

/** q̇ = N(q) v. @throws std::runtime_error at gimbal lock. */
template <typename T>
void MapVelocityToQDot(const Model& model,
                       const Eigen::Ref<const VectorX<T>>& q,
                       const Eigen::Ref<const VectorX<T>>& v,
                       Eigen::Ref<VectorX<T>> qdot);

/** Computes v = N⁺(q) q̇, where N⁺ N = 1. */
template <typename T>
void MapQDotToVelocity(const Model& model,
                       const Eigen::Ref<const VectorX<T>>& q,
                       const Eigen::Ref<const VectorX<T>>& qdot,
                       Eigen::Ref<VectorX<T>> v);

/** N(q), nq x nv, block diagonal by mobilizer. */
template <typename T>
void CalcN(const Model& model, const Eigen::Ref<const VectorX<T>>& q,
           Eigen::Ref<MatrixX<T>> N);

/** Computes N⁺(q), nv x nq. */
template <typename T>
void CalcNPlus(const Model& model, const Eigen::Ref<const VectorX<T>>& q,
               Eigen::Ref<MatrixX<T>> Nplus);

/** Positions at which F and M of every mobilizer coincide: zeros, and 1 for the
real part of a quaternion. */
template <typename T>
void SetZeroPositions(const Model& model, Eigen::Ref<VectorX<T>> q);

/** Checks the quaternions in q.
@throws std::runtime_error if a quaternion is 0 or not finite: it has no
direction. */
template <typename T>
void RequireQuaternions(const Model& model,
                        const Eigen::Ref<const VectorX<T>>& q);

/** Scales the quaternions to unit length, which is what integration drifts
from; nothing else changes.
@throws std::runtime_error if one is 0 or not finite. */
template <typename T>
void NormalizeQuaternions(const Model& model, Eigen::Ref<VectorX<T>> q);

}  // namespace wyvern::multibody::dynamics
