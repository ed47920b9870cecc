#pragma once

#include <vector>

#include "wyvern/multibody/plant/deformable_model.h"
#include "wyvern/multibody/plant/parts/contact_part.h"
#include "wyvern/multibody/plant/step/step_outputs.h"
#include "wyvern/multibody/plant/step/step_scratch.h"

namespace wyvern::multibody::internal {

/* Deformable bodies in the convex problem of a step. A body that something
touches is one more tree, after those of joints: its velocities are those of the
vertices that take part, those of touched tetrahedra that are not fixed, its v*
the velocities after a step without contact, and its A the Schur complement of
the step's matrix. All other
vertices follow from the impulses by the same matrix. Each polygon of a contact
surface is a contact: of stiffness kDeformableStiffness times its area, with the
step as its relaxation time, so that half of what is in touch is pushed out in a
step, and with the friction of both geometries. Vertices that are fixed to
rigid bodies take part always, each by a rigid constraint of three rows. Only
plants of double have
deformable bodies; for other scalars these functions do nothing. */

/** Stiffness of contact with a deformable body, [Pa/m]; for two deformable
bodies, in series. */
inline constexpr double kDeformableStiffness = 1e8;

/** Finds what touches, computes the motion without contact, and adds to
tree_nv the sizes of the trees that take part. */
template <typename T>
void BeginDeformables(const DeformableModel<T>& model,
                      const systems::Context<T>& context,
                      const ContactPart<T>& contact, std::vector<int>* tree_nv);

/** Writes A and v* of the trees that BeginDeformables() added. */
template <typename T>
void FillDeformableTrees(const DeformableModel<T>& model,
                         const systems::Context<T>& context,
                         StepProblem<T>* problem);

/** Adds the contacts, and what fixes vertices to rigid bodies. */
template <typename T>
void AddDeformableRows(const MultibodyTreeSystem<T>& core,
                       const DeformableModel<T>& model,
                       const systems::Context<T>& context,
                       const ContactPart<T>& contact, StepScratch<T>* scratch);

/** Writes outputs->deformables and deformable_contacts, and adds forces on
rigid bodies to outputs->F_BBo_W, of contacts also to tau_contact.  */
template <typename T>
void EndDeformables(const MultibodyTreeSystem<T>& core,
                    const DeformableModel<T>& model,
                    const systems::Context<T>& context,
                    const StepScratch<T>& scratch, StepOutputs<T>* outputs);

}  // namespace wyvern::multibody::internal
