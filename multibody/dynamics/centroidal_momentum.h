#pragma once

#include <vector>

#include "wyvern/multibody/dynamics/inertias_in_world.h"
#include "wyvern/multibody/dynamics/velocity_kinematics.h"

namespace wyvern::multibody::dynamics {

/** @file
The momentum h = (angular about C, linear), in W, of all moving bodies
about their centre of mass C, given p_WC (center_of_mass.h): h = A(q) v and
ḣ = A v̇ + Ȧ v. Rotors (reflected inertia) have no part in it. Bodies that are
welded to the world may or may not count for C: h and ḣ about C are the same
function of the motion either way, but about another point. */

/** A(q), 6 x nv; O(bodies).
@param composites The nodes' composite inertias. */
template <typename T>
void CalcCentroidalMomentumMatrix(
    const Model& model, const PositionKinematics<T>& positions,
    const std::vector<RigidInertia<T>>& composites, const Vector3<T>& p_WC,
    Eigen::Ref<Matrix6X<T>> A);

/** Returns the centroidal momentum h. */
template <typename T>
Vector6<T> CalcCentroidalMomentum(const Model& model,
                                  const PositionKinematics<T>& positions,
                                  const std::vector<RigidInertia<T>>& inertias,
                                  const VelocityKinematics<T>& velocities,
                                  const Vector3<T>& p_WC);

/** Ȧ v, the rate of h at v̇ = 0.
@param A_bias Scratch, one entry per node. */
template <typename T>
Vector6<T> CalcCentroidalMomentumBias(
    const Model& model, const PositionKinematics<T>& positions,
    const std::vector<RigidInertia<T>>& inertias,
    const VelocityKinematics<T>& velocities, const Vector3<T>& p_WC,
    std::vector<Vector6<T>>* A_bias);

}  // namespace wyvern::multibody::dynamics
