#pragma once

#include "wyvern/multibody/plant/parts/constraint_registry.h"
#include "wyvern/multibody/plant/parts/contact_part.h"
#include "wyvern/multibody/plant/step/step_inputs.h"
#include "wyvern/multibody/plant/step/step_outputs.h"
#include "wyvern/multibody/plant/step/step_scratch.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** Accelerations of a continuous model with contacts and constraints:

  M v̇ + C v = g + tau + Jᵀ lambda,
  J v̇ + J̇ v = -(2 / s) J v - e / s²,

where e are the errors of the active rigid constraints and s their stabilization
time (Baumgarte 1972, critically damped: e decays like (1 + t / s) exp(-t / s)).
The articulated-body factors of M solve J M⁻¹ Jᵀ lambda = b; redundant rows that
repeat one another share the load equally. A distance constraint with a
stiffness has lambda = -stiffness e - damping ė.

Near a singular configuration J, J̇ v and the v of J v are taken at the nearest
state at which the constraints hold. If errors are above 1 mm (1e-3 rad), rows
that have nearly lost J are damped instead, by at most 1 % of J M⁻¹ Jᵀ.

The contradiction between the demands of rows must be within 1e-4 of the largest
demand, or of the demand of an error of 0.1 mm (1e-4 rad). It is of second order
in the distance to a state that meets the constraints. If errors are above 0.1
mm and do not decay, or contradict each other by more, SearchConstraints()
decides whether they can be met.

Writes outputs->vdot, contacts, tau_contact and multipliers; F_BBo_W begins with
the inputs' forces, and tau with inputs.tau and outputs->tau_limit_rows.
Allocates nothing after the first.
@throws std::runtime_error that names the constraints if they contradict each
other or cannot be met, and if accelerations are not finite. */
template <typename T>
void CalcContinuousAccelerations(const MultibodyTreeSystem<T>& core,
                                 const systems::Context<T>& context,
                                 const StepInputs<T>& inputs,
                                 const ConstraintRegistry& constraints,
                                 const ContactPart<T>& contact,
                                 StepScratch<T>* scratch,
                                 StepOutputs<T>* outputs);

}  // namespace wyvern::multibody::internal
