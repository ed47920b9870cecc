#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/dynamics/inertias_in_world.h"
#include "wyvern/multibody/dynamics/velocity_kinematics.h"

namespace wyvern::multibody::dynamics {

/** (angular momentum about Q, linear momentum) of some bodies, in W, given
p_WQ. Rotors (reflected inertia) have no part in it. `bodies` as in
center_of_mass.h; a set may be of no mass. */
template <typename T>
Vector6<T> CalcSpatialMomentum(const Model& model,
                               const ModelParameters<T>& parameters,
                               const PositionKinematics<T>& positions,
                               const VelocityKinematics<T>& velocities,
                               std::span<const int> bodies,
                               const Vector3<T>& p_WQ);

/** Kinetic energy, reflected inertia's part in it: 1/2 vᵀ M v, joules. */
template <typename T>
T CalcKineticEnergy(const Model& model, const ModelParameters<T>& parameters,
                    const std::vector<RigidInertia<T>>& inertias,
                    const VelocityKinematics<T>& velocities,
                    const Eigen::Ref<const VectorX<T>>& v);

/** Potential energy of uniform gravity, 0 for mass at the world's origin. */
template <typename T>
T CalcGravityPotentialEnergy(const Model& model,
                             const ModelParameters<T>& parameters,
                             const PositionKinematics<T>& positions);

/** Power of uniform gravity, watts: minus the rate of that energy. */
template <typename T>
T CalcGravityPower(const Model& model, const ModelParameters<T>& parameters,
                   const PositionKinematics<T>& positions,
                   const std::vector<RigidInertia<T>>& inertias,
                   const VelocityKinematics<T>& velocities);

}  // namespace wyvern::multibody::dynamics
