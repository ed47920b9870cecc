#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "wyvern/multibody/plant/parts/contact_part.h"
#include "wyvern/multibody/plant/step/step_outputs.h"
#include "wyvern/multibody/plant/step/step_scratch.h"

namespace wyvern::multibody::internal {

/** How much of its load's velocity a contact that sticks lets through: R_t / w.
 */
inline constexpr double kStictionSoftness = 1e-3;

/** Whether an approximation takes a law of kind kSimilar, after TakeOffLift(),
for contacts that open and close from step to step. The last normal force of
such a contact says little of its friction. */
inline bool LagsFriction(DiscreteContactApproximation approximation) {
  return approximation == DiscreteContactApproximation::kLagged ||
         approximation == DiscreteContactApproximation::kTamsi;
}

/** Prepares a law of kind kSimilar for the slip v_t, [m/s], at the start of a
step. The normal impulse of that kind is a function of v_n - mu (s - eps), so
that slip lifts a contact by dt mu (s - eps). Without the lift of the present
slip, steady slip lifts nothing. */
template <typename T>
void TakeOffLift(const Vector2<T>& v_t, ContactLaw<T>* law) {
  using std::sqrt;
  const T s = sqrt(T(v_t.squaredNorm() + law->eps * law->eps));
  law->f0 -= law->k * law->dt * law->mu * (s - law->eps);
}

/** Velocities of a tree, from its first, that move one of two of its nodes (0
for none): increasing, or none if all of the tree do. */
void FindColumns(const dynamics::Model& model, int tree, int node_A, int node_B,
                 std::vector<int>* columns);

/** Adds sign R_WC' v_WC's Jacobian, of a point fixed to a node, to a block
whose columns are those, or all of the tree's. */
template <typename T>
void AddPointRows(const dynamics::Model& model,
                  const dynamics::PositionKinematics<T>& positions, int node,
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
