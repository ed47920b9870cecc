#pragma once

#include "wyvern/multibody/plant/step/step_inputs.h"
#include "wyvern/multibody/plant/step/step_outputs.h"
#include "wyvern/multibody/plant/step/step_scratch.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** Advances velocities by a step, implicit in the forces that the laws say.

Finds v such that, with a = (v - v*) / dt and everything else at (q0, v0),

  M a + C v0 = g + applied + f(v),    f_i monotone and piecewise linear,

which is the minimum of a convex, piecewise quadratic function of v. Newton's
method on the lines that f follows at the present iterate, with a line search:
each iteration is one articulated-body pass with dt f' added to M's diagonal,
O(bodies). It ends when the new v is on the lines that it was computed with.
Stable for any gains.

Locked velocities stay zero. Writes outputs->vdot and v_next. Allocates nothing.
@throws std::runtime_error if it does not converge. */
template <typename T>
void CalcDiscreteStep(const MultibodyTreeSystem<T>& core,
                      const systems::Context<T>& context,
                      const StepInputs<T>& inputs, StepScratch<T>* scratch,
                      StepOutputs<T>* outputs);

}  // namespace wyvern::multibody::internal
