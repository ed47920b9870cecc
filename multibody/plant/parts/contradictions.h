#pragma once

#include <span>
#include <string>

#include "wyvern/multibody/plant/parts/constraint_registry.h"
#include "wyvern/multibody/plant/parts/constraint_search.h"
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

/** The first time, makes the memory of what is below. */
template <typename T>
void PrepareSearch(const MultibodyTreeSystem<T>& core,
                   const systems::Context<T>& context,
                   const ConstraintRegistry& constraints,
                   StepScratch<T>* scratch);

/** Whether a discrete step may leave its rigid constraints as it does.

Rows are soft, so those that contradict others, or that no motion can meet, let
the step pass with errors left over. If an error is more than kOpenError, and
the step does not lessen the sum of their squares, SearchConstraints() is asked
whether positions near by meet them all: then a mechanism swings on its way, or
passes a singularity, or carries a load.
@param v_next What the step ends with; null if it found no solution.
@throws std::runtime_error that names the constraints if these are out of reach.
Allocates nothing after the first. */
template <typename T>
void RequireConstraintsMet(const MultibodyTreeSystem<T>& core,
                           const systems::Context<T>& context,
                           const ConstraintRegistry& constraints,
                           const VectorX<T>* v_next, StepScratch<T>* scratch);

/** Throws std::runtime_error that names the constraints if an error is more
than kOpenError and SearchConstraints() finds that no positions near by meet
them. */
template <typename T>
ConstraintReach RequireInReach(const MultibodyTreeSystem<T>& core,
                               const systems::Context<T>& context,
                               const ConstraintRegistry& constraints,
                               StepScratch<T>* scratch);

/** A sentence on the rigid constraint that is off the most at the start of a
discrete step, with a space before it; none if no error is more than
kOpenError. */
template <typename T>
std::string DescribeOpenConstraint(const ConstraintRegistry& constraints,
                                   const StepScratch<T>& scratch);

/** The positions that a discrete step with velocities v ends at. */
template <typename T>
void CalcNextPositions(const MultibodyTreeSystem<T>& core,
                       const systems::Context<T>& context, const VectorX<T>& v,
                       Eigen::Ref<VectorX<T>> q);

}  // namespace wyvern::multibody::internal
