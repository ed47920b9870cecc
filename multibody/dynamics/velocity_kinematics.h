#pragma once

#include <vector>

#include "wyvern/multibody/dynamics/position_kinematics.h"

namespace wyvern::multibody::dynamics {

/** Kinematics that depend on q and v. Velocities of bodies: body_kinematics.h.
 */
template <typename T>
struct VelocityKinematics {
  VelocityKinematics() = default;
  /** Allocates for a model. */
  explicit VelocityKinematics(const Model& model);

  /** By node: motion about its tree's O, in W. 0 for the world. */
  IndexedVector<NodeIndex, Vector6<T>> V;
  /** By node: Ḣ v, what a node's acceleration has beyond its parent's when
  v̇ = 0. */
  IndexedVector<NodeIndex, Vector6<T>> bias;
};

/** Computes the kinematics of the velocities `v`, which has model.num_v
entries. */
template <typename T>
void CalcVelocityKinematics(const Model& model,
                            const ModelParameters<T>& parameters,
                            const PositionKinematics<T>& positions,
                            const Eigen::Ref<const VectorX<T>>& v,
                            VelocityKinematics<T>* result);

/** Accelerations of the nodes about their O, in W: A = A_parent + H v̇ + bias.
`A` has one entry per node. */
template <typename T>
void CalcAccelerationKinematics(const Model& model,
                                const PositionKinematics<T>& positions,
                                const VelocityKinematics<T>& velocities,
                                const Eigen::Ref<const VectorX<T>>& vdot,
                                std::vector<Vector6<T>>* A);

/** Overload with v̇ = 0. */
template <typename T>
void CalcBiasAccelerations(const Model& model,
                           const VelocityKinematics<T>& velocities,
                           std::vector<Vector6<T>>* A);

}  // namespace wyvern::multibody::dynamics
