#pragma once

#include <span>

#include "wyvern/multibody/plant/parts/constraint_registry.h"
#include "wyvern/multibody/plant/parts/step_inputs.h"
#include "wyvern/multibody/plant/parts/step_scratch.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** @throws std::runtime_error that names plant, time and the constraints that
rows are of, unless there are none. */
template <typename T>
void RequireNone(const MultibodyTreeSystem<T>& core,
                 const systems::Context<T>& context,
                 const ConstraintRegistry& constraints,
                 const engine::ConstraintRows<T>& rows,
                 std::span<const int> contradicting);

/** Whether a discrete step met its rigid constraints as well as motion can.

Rows are soft, so those that contradict others, or that no motion can meet, let
the step pass with errors left over. Such rows have

- impulses so large that they leave a share of their demands: free to ask;
- errors out of the range of J M⁻¹ Jᵀ, as large as the largest or nearly so, and
  more than 0.1 mm (1e-4 rad): asked only of the former;
- errors that the step does not lessen, as it does where rows are redundant, or
  the mechanism passes a singularity, on the way to what can be met.

@param v_next What the step ends with, and scratch->impulses are its own; null
if it found no solution: then the second is all that is asked.
@throws std::runtime_error that names the constraints. Allocates nothing after
the first time that some leave a share of their demands. */
template <typename T>
void RequireConstraintsMet(const MultibodyTreeSystem<T>& core,
                           const systems::Context<T>& context,
                           const ConstraintRegistry& constraints,
                           const StepInputs<T>& inputs,
                           const VectorX<T>* v_next, StepScratch<T>* scratch);

/** The positions that a discrete step with velocities v ends at. */
template <typename T>
void CalcNextPositions(const MultibodyTreeSystem<T>& core,
                       const systems::Context<T>& context, const VectorX<T>& v,
                       Eigen::Ref<VectorX<T>> q);

}  // namespace wyvern::multibody::internal
