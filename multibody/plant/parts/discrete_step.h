#pragma once

#include <vector>

#include "wyvern/multibody/plant/parts/plant_dynamics_types.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** Advances velocities by a step, implicit in the forces that the laws say.

Finds v such that, with a = (v - v*) / dt and everything else at (q0, v0),

  M a + C v0 = g + applied + f(v),    f_i monotone and piecewise linear,

which is the minimum of a convex, piecewise quadratic function of v. Newton's
method on the lines that f follows at the present iterate, with exact line
search: each iteration is one articulated-body pass with dt f' added to M's
diagonal, O(bodies); it ends when the new v is on the lines it was computed
with, at the latest when all breakpoints are passed. Stable for any gains.

Reads result->tau (all other generalized forces), result->v_star (see
CalcFreeVelocities()) and result->laws. Velocities with `is_locked` stay zero.
Writes vdot, v_next and A. Allocates nothing.
@throws std::runtime_error if it does not converge. */
template <typename T>
void CalcDiscreteStep(const MultibodyTreeSystem<T>& core,
                      const systems::Context<T>& context,
                      const AppliedForces<T>& applied,
                      const std::vector<bool>& is_locked,
                      DynamicsResult<T>* result);

}  // namespace wyvern::multibody::internal
