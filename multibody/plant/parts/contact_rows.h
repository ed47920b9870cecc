#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/plant/parts/contact_part.h"
#include "wyvern/multibody/plant/parts/step_outputs.h"
#include "wyvern/multibody/plant/parts/step_scratch.h"

namespace wyvern::multibody::internal {

/** How much of its load's velocity a contact that sticks lets through: R_t / w.
 */
inline constexpr double kStictionSoftness = 1e-3;

/** Velocities of a tree, from its first, that move one of two of its nodes (0
for none): increasing, or none if all of the tree do. */
void FindColumns(const engine::Model& model, int tree, int node_A, int node_B,
                 std::vector<int>* columns);

/** Adds sign R_WC' v_WC's Jacobian, of a point fixed to a node, to a block
whose columns are those, or all of the tree's. */
template <typename T>
void AddPointRows(const engine::Model& model,
                  const engine::PositionKinematics<T>& positions, int node,
                  const ContactPoint<T>& point, double sign, int v_start,
                  std::span<const int> columns, T* J);

/** Adds the contacts at the present state to scratch->problem, whose A is
complete, with the laws that CalcConstrainedStep() describes; writes
contact_moves, contact_velocities and contact_constraints. */
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
