#pragma once

#include <vector>

#include "wyvern/multibody/dynamics/position_kinematics.h"
#include "wyvern/multibody/dynamics/screw_algebra.h"

namespace wyvern::multibody::dynamics {

/** Whether forces of gravity are computed with the inertias. */
enum class Gravity { kOff, kOn };

/** The nodes' inertias about their trees' O, in W. Entry 0, the world's, is 0.
`result` has one entry per node. */
template <typename T>
void CalcInertiasInWorld(const Model& model,
                         const ModelParameters<T>& parameters,
                         const PositionKinematics<T>& positions,
                         std::vector<RigidInertia<T>>* result);

/** Each node's inertia together with all outboard of it. */
template <typename T>
void CalcCompositeInertias(const Model& model,
                           const std::vector<RigidInertia<T>>& inertias,
                           std::vector<RigidInertia<T>>* result);

/** Gravity's force on a node, about O in W. */
template <typename T>
Vector6<T> CalcGravityForce(const Model& model,
                            const ModelParameters<T>& parameters,
                            const PositionKinematics<T>& positions,
                            const std::vector<RigidInertia<T>>& inertias,
                            int node);

}  // namespace wyvern::multibody::dynamics
