#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/plant/parts/plant_dynamics_types.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** Accelerations by articulated bodies at the Context's state: from result->tau
and node forces F (none if empty), with `diagonal` added to M's, or nothing if
it is empty. Writes result->vdot, A and articulated. Allocates nothing. */
template <typename T>
void SolveAccelerations(const MultibodyTreeSystem<T>& core,
                        const systems::Context<T>& context,
                        std::span<const Vector6<T>> F,
                        const Eigen::Ref<const VectorX<T>>& diagonal,
                        DynamicsResult<T>* result);

/** Finite states and forces can be so large that squares of them are not.
@throws std::runtime_error that names the joint if an acceleration is not. */
template <typename T>
void RequireFiniteAccelerations(const MultibodyTreeSystem<T>& core,
                                const systems::Context<T>& context,
                                const VectorX<T>& vdot);

/** The forces that ports and force elements apply to nodes; empty if none. */
template <typename T>
std::span<const Vector6<T>> NodeForces(const AppliedForces<T>& applied) {
  if (!applied.has_body_forces) return {};
  return applied.F_nodes;
}

}  // namespace wyvern::multibody::internal
