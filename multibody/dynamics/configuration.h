#pragma once

#include <vector>

#include "wyvern/multibody/dynamics/model_parameters.h"
#include "wyvern/multibody/dynamics/position_kinematics.h"
#include "wyvern/multibody/dynamics/screw_algebra.h"
#include "wyvern/multibody/dynamics/velocity_kinematics.h"

namespace wyvern::multibody::dynamics {

/** A model at some q: references to what dynamics need and others own.
Everything is of the same model, and computed at the same q. */
template <typename T>
struct Configuration {
  /** The structure; it outlives this struct, as all that is referred to. */
  const Model& model;
  /** The numbers, after ModelParameters::Compile(). */
  const ModelParameters<T>& parameters;
  /** Kinematics at q. */
  const PositionKinematics<T>& positions;
  /** By node, as from CalcInertiasInWorld(). */
  const std::vector<RigidInertia<T>>& inertias;
};

/** Overload at given q and v. */
template <typename T>
struct Motion : Configuration<T> {
  /** Kinematics at q and v. */
  const VelocityKinematics<T>& velocities;
};

}  // namespace wyvern::multibody::dynamics
