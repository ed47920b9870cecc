#pragma once

#include <vector>

#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** The velocities v* that a step of length dt [s] adds what its forces do to:

  M (v - v*) = dt (all forces - C v0).

They are v0, but for bodies that turn freely, by a ball or a floating joint of
the world and with no joint outboard: there v* = v0 + what free rotation does in
dt beyond -dt M^-1 C v0, so that without forces v is what follows.

In the axes of the body, with its inertia I about its centre of mass (about the
ball), the midpoint rule:

  I (w1 - w0) + dt wm x I wm = 0,   wm = (w0 + w1) / 2.

Times wm and times I wm it says that w.Iw and |Iw|, energy and the magnitude of
the angular momentum, stay, however fast the body is. The step then turns the
body about w1, which changes neither. In which direction the momentum points is
right to a turn of dt |w| / 2, which does not grow. The centre of mass keeps its
velocity: that of the origin follows the turn.

A body that turns by more than 32 rad in a step keeps its w in its axes.
Allocates nothing. */
template <typename T>
void CalcFreeVelocities(const MultibodyTreeSystem<T>& core,
                        const systems::Context<T>& context, double dt,
                        const std::vector<bool>& is_locked, VectorX<T>* v_star);

}  // namespace wyvern::multibody::internal
