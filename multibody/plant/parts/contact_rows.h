#pragma once

#include "wyvern/multibody/plant/parts/contact_part.h"
#include "wyvern/multibody/plant/parts/step_outputs.h"
#include "wyvern/multibody/plant/parts/step_scratch.h"

namespace wyvern::multibody::internal {

/** Adds the contacts at the present state to scratch->problem, whose A is
complete, with the laws that CalcConstrainedStep() describes; writes
contact_index and contact_velocities. */
template <typename T>
void AddContactRows(const MultibodyTreeSystem<T>& core,
                    const systems::Context<T>& context,
                    const ContactPart<T>& contact, StepScratch<T>* scratch);

/** Writes outputs->contacts, surfaces and tau_contact from scratch.impulses,
and adds the contacts' forces to outputs->F_BBo_W. */
template <typename T>
void CollectContactForces(const MultibodyTreeSystem<T>& core,
                          const systems::Context<T>& context,
                          const ContactPart<T>& contact,
                          const StepScratch<T>& scratch,
                          StepOutputs<T>* outputs);

}  // namespace wyvern::multibody::internal
