#pragma once

#include <span>
#include <string>

#include "wyvern/multibody/plant/parts/constraint_registry.h"
#include "wyvern/multibody/plant/parts/constraint_search.h"
#include "wyvern/multibody/plant/step/step_scratch.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** @throws std::runtime_error that names plant, time and the constraints that
rows are of, unless there are none. */
template <typename T>
void RequireNone(const MultibodyTreeSystem<T>& core,
                 const systems::Context<T>& context,
                 const ConstraintRegistry& constraints,
                 const ConstraintRows<T>& rows,
                 std::span<const int> contradicting);

/** Allocates the memory of the members below in the first call. */
template <typename T>
void PrepareSearch(const MultibodyTreeSystem<T>& core,
                   const systems::Context<T>& context,
                   const ConstraintRegistry& constraints,
                   StepScratch<T>* scratch);

/** Checks whether a discrete step may leave its rigid constraints as it does.

Rows are soft: if rows contradict others, or if no motion can meet them, the
step passes and leaves errors. If an error exceeds kOpenError and the step does
not reduce the sum of squared errors, SearchConstraints() decides. If positions
near by meet all constraints, the mechanism is swinging closed, passing a
singularity, or carrying a load. But if the error is above 0.01, and a joint
between the constraint's bodies moves by 0.3 in the step, the step is too long
to close it. Errors and motions are relative: see MechanismScale.
@param v_next Velocities at the end of the step; null if it found no solution.
@throws std::runtime_error that names the constraints if these are out of reach
or the step is too long. Allocates nothing after the first. */
template <typename T>
void RequireConstraintsMet(const MultibodyTreeSystem<T>& core,
                           const systems::Context<T>& context,
                           const ConstraintRegistry& constraints,
                           const VectorX<T>* v_next, StepScratch<T>* scratch);

/** Throws std::runtime_error that names the constraints if a relative error is
more than kOpenError and SearchConstraints() finds no positions near by that
meet them. */
template <typename T>
ConstraintReach RequireInReach(const MultibodyTreeSystem<T>& core,
                               const systems::Context<T>& context,
                               const ConstraintRegistry& constraints,
                               StepScratch<T>* scratch);

/** Returns a sentence, after a space, on the rigid constraint with the largest
relative error at the start of a discrete step. Returns an empty text if none is
more than kOpenError. */
template <typename T>
std::string DescribeOpenConstraint(const MultibodyTreeSystem<T>& core,
                                   const systems::Context<T>& context,
                                   const ConstraintRegistry& constraints,
                                   const StepScratch<T>& scratch);

/** The positions that a step of length dt [s] with velocities v ends at. */
template <typename T>
void CalcNextPositions(const MultibodyTreeSystem<T>& core,
                       const systems::Context<T>& context, double dt,
                       const VectorX<T>& v, Eigen::Ref<VectorX<T>> q);

}  // namespace wyvern::multibody::internal
