#pragma once

/** @file
What a MultibodyTreeSystem keeps in a Context's cache: entry, what it
is made from, and what it holds.

- locked velocities, from parameters: one bit each.
- state with locked joints at rest, from the state and locked velocities: x.
- frame poses, from parameters: X_BF by FrameIndex.
- model parameters, from frame poses and parameters: dynamics::ModelParameters.
- position kinematics, from q and model parameters: nodes.
- model body poses, from position kinematics: X_WB by the model's bodies.
- body poses, from model body poses: X_WB by BodyIndex.
- inertias, from position kinematics: node inertias in W.
- composites, from inertias: the same with all outboard.
- mass matrix, from composites: M, nv x nv.
- gravity forces, from inertias: tau_g(q).
- velocity kinematics, from v, locked velocities and position kinematics: nodes.
- body velocities, from velocity kinematics: V_WB by BodyIndex.
- bias term, from velocity kinematics and inertias: C(q, v) v.

What depends on inputs is the plant's: see plant/parts/dynamics_part.h. In a
discrete model q and v share one ticket, that of their state group. */

#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/dynamics/body_kinematics.h"
#include "wyvern/multibody/dynamics/inverse_dynamics.h"
#include "wyvern/multibody/dynamics/mobilizers/pose.h"
#include "wyvern/multibody/dynamics/position_kinematics.h"
#include "wyvern/multibody/dynamics/velocity_kinematics.h"

namespace wyvern::multibody::internal {

/** Which velocities are of locked joints. */
struct LockedVelocities {
  bool some{false};
  std::vector<bool> is_locked;
};

/** References to what follows from q, in a cache entry or another owner: the
engine's quantities by node, and X_WB by the model's bodies. The pose of a body
by BodyIndex is MultibodyTreeSystem::BodyPose(). */
template <typename T>
struct PositionKinematicsCache {
  const dynamics::PositionKinematics<T>& nodes;
  const dynamics::IndexedVector<dynamics::MobodIndex, dynamics::Pose<T>>& X_WB;
};

/** Generalized forces, with the scratch that they are computed with. */
template <typename T>
struct GeneralizedForcesCache {
  VectorX<T> tau;
  dynamics::InverseDynamicsScratch<T> scratch;
};

/** Cached quantities that depend on q and v. */
template <typename T>
struct VelocityKinematicsCache {
  dynamics::VelocityKinematics<T> nodes;
};

}  // namespace wyvern::multibody::internal
