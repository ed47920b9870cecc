#pragma once

#include <vector>

#include "wyvern/multibody/plant/parts/contact_part.h"
#include "wyvern/multibody/plant/parts/plant_dynamics_types.h"
#include "wyvern/multibody/plant/parts/step_work.h"

namespace wyvern::multibody::internal {

/** Adds the contacts at the present state to work->problem, whose A is
complete, with the laws that CalcConstrainedStep() describes; writes
work->contact_index and result->contact_velocities. */
template <typename T>
void AddContactRows(const MultibodyTreeSystem<T>& core,
                    const systems::Context<T>& context,
                    const ContactPart<T>& contact, StepWork<T>* work,
                    DynamicsResult<T>* result);

/** Writes result->contact_forces and tau_contact from result->impulses, and
adds the contacts' forces to result->F_constraints_BBo_W. */
template <typename T>
void CollectContactForces(const MultibodyTreeSystem<T>& core,
                          const systems::Context<T>& context,
                          const ContactPart<T>& contact,
                          const StepWork<T>& work, DynamicsResult<T>* result);

}  // namespace wyvern::multibody::internal
