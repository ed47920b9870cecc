#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/multibody/plant/step/step_scratch.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** Accelerations by articulated bodies at the Context's state: from
scratch->tau and node forces F (none if empty), with `diagonal` added to M's, or
nothing if it is empty. Leaves A and articulated. Allocates nothing. */
template <typename T>
void SolveAccelerations(const MultibodyTreeSystem<T>& core,
                        const systems::Context<T>& context,
                        std::span<const Vector6<T>> F,
                        const Eigen::Ref<const VectorX<T>>& diagonal,
                        StepScratch<T>* scratch, VectorX<T>* vdot);

/** Finite states and forces can be so large that squares of them are not.
@throws std::runtime_error that names the joint if an acceleration is not. */
template <typename T>
void RequireFiniteAccelerations(const MultibodyTreeSystem<T>& core,
                                const systems::Context<T>& context,
                                const VectorX<T>& vdot);

/** Returns a sentence on the first joint outside its limits, which then push it
back within one step; empty if there is none.
@param slack How far outside is allowed: a share of the distance between the
  limits. If one of them is infinite, a share of 1 rad or of the length of the
  model's longest link. */
template <typename T>
std::string DescribeJointOutside(const MultibodyTreeSystem<T>& core,
                                 const systems::Context<T>& context,
                                 double slack);

/** Throws std::runtime_error for a step that ended with finite numbers and no
solution: why, which velocity is the largest, and what to do.
@param dt Length of the step, [s].
@param why A sentence, with its full stop.
@param v What the step had reached. */
template <typename T>
[[noreturn]] void ThrowNoVelocities(const MultibodyTreeSystem<T>& core,
                                    const systems::Context<T>& context,
                                    double dt, std::string_view why,
                                    const VectorX<T>& v);

}  // namespace wyvern::multibody::internal
