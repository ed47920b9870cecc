#pragma once

#include "wyvern/multibody/plant/deformable_model.h"
#include "wyvern/multibody/plant/parts/actuation_part.h"
#include "wyvern/multibody/plant/parts/constraint_registry.h"
#include "wyvern/multibody/plant/parts/contact_part.h"
#include "wyvern/multibody/plant/step/step_inputs.h"
#include "wyvern/multibody/plant/step/step_outputs.h"
#include "wyvern/multibody/plant/step/step_scratch.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** Advances velocities by a step in which constraints and contacts act:

  M (v - v*) = p + J'g(J v) + dt f(v),

v* of CalcFreeVelocities(), p the impulse of all else, dt (tau + g - C v0), f
the laws of the inputs. A constraint's rows are pulled to v_hat = -e / (dt +
tau) with R = max(1e-6 w, 1 / (dt (dt + tau) k)), w the size of J M^-1 J'. A
spring has stiffness k and tau = damping / k; of a rigid one k is infinite and
tau = dt, so that a step halves its error e. Redundant constraints share their
load.

Contacts follow the laws in ContactLaw. With kSap, R_n is the larger of
1 / (dt (dt + tau) k) and beta^2 / (4 pi^2) w, beta the near-rigid threshold,
R_t = 1e-3 w and v_hat = depth / (dt + tau). With kTamsi the step is solved
again with the friction of the normal impulses that it found, until these stay
to 1e-7 of the largest, or to round-off of the velocities that they follow from.

A contact that sticks creeps at less than the stiction tolerance, or 1e-3 w of
its normal impulse if that is more.

Deformable bodies take part: deformable_step.h.

Writes vdot, v_next, and the forces of constraints, contacts and limits on
angles; outputs->F_BBo_W begins with the inputs'. The solution is found in
double; derivatives follow from the implicit function theorem. Allocates nothing
after the first.
@param vdot_before Accelerations of the step before, or null: it is tried
whether they are a better start for the solver than none.
@throws std::runtime_error if it does not converge, and as
RequireConstraintsMet() does. */
template <typename T>
void CalcConstrainedStep(
    const MultibodyTreeSystem<T>& core, const systems::Context<T>& context,
    const StepInputs<T>& inputs, const ActuationPart<T>& actuation,
    const ConstraintRegistry& constraints, const ContactPart<T>& contact,
    const DeformableModel<T>& deformables, const VectorX<T>* vdot_before,
    StepScratch<T>* scratch, StepOutputs<T>* outputs);

}  // namespace wyvern::multibody::internal
