#pragma once

/** @file What a MultibodyTreeSystem keeps in a Context's cache.

| entry            | made from                     | holds |
|------------------|-------------------------------|----------------------------|
| frame poses      | parameters                    | X_BF by FrameIndex | |
model parameters | frame poses, parameters       | engine::ModelParameters    |
| position kin.    | q, model parameters           | nodes, X_WB by model body |
| body poses       | position kin.                 | X_WB by BodyIndex | |
inertias         | position kin.                 | node inertias in W         |
| composites       | inertias                      | ... with all outboard | |
mass matrix      | composites                    | M, nv x nv                 |
| velocity kin.    | v, position kin.              | nodes | | body velocities
| velocity kin.                 | V_WB by BodyIndex          | | bias term |
velocity kin., inertias       | C(q, v) v                  |

What depends on inputs is the plant's: see plant/parts/plant_dynamics.h. In a
discrete model q and v share one ticket, that of their state group. */

#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/algorithms/body_kinematics.h"
#include "wyvern/multibody/algorithms/position_kinematics.h"
#include "wyvern/multibody/algorithms/velocity_kinematics.h"
#include "wyvern/multibody/mobilizers/pose.h"

namespace wyvern::multibody::internal {

/** What follows from q: the engine's figures by node, and X_WB by the model's
bodies; MultibodyTreeSystem::BodyPose() finds a body's. */
template <typename T>
struct PositionKinematicsCache {
  engine::PositionKinematics<T> nodes;
  std::vector<engine::Pose<T>> X_WB;
};

/** What follows from q and v. */
template <typename T>
struct VelocityKinematicsCache {
  engine::VelocityKinematics<T> nodes;
  std::vector<Vector6<T>> V_WB;
};

}  // namespace wyvern::multibody::internal
