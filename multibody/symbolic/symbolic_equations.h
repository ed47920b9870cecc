#pragma once

#include "wyvern/multibody/dynamics/inertias_in_world.h"
#include "wyvern/multibody/dynamics/model.h"
#include "wyvern/multibody/dynamics/model_parameters.h"
#include "wyvern/systems/symbolic/formula.h"

namespace wyvern::multibody::internal {

/** @file
The equations of motion of a model as expressions, for whoever has its numbers:
SymbolicDynamics, and a plant of expressions. All go by the recursion in the
bodies' own axes: there the first joint's angle, say, does not enter M at all,
so that the expressions stay small. */

/** M v̇ + C(q, v) v, less g(q) if gravity is on; nv. */
VectorX<symbolic::Expression> CalcSymbolicForces(
    const dynamics::Model& model,
    const dynamics::ModelParameters<symbolic::Expression>& parameters,
    const Eigen::Ref<const VectorX<symbolic::Expression>>& q,
    const Eigen::Ref<const VectorX<symbolic::Expression>>& v,
    const Eigen::Ref<const VectorX<symbolic::Expression>>& vdot,
    dynamics::Gravity gravity);

/** M(q), nv x nv. */
MatrixX<symbolic::Expression> CalcSymbolicMassMatrix(
    const dynamics::Model& model,
    const dynamics::ModelParameters<symbolic::Expression>& parameters,
    const Eigen::Ref<const VectorX<symbolic::Expression>>& q);

/** M⁻¹ x. M = Lᵀ D L with L lower triangular is eliminated from the leaves of
the tree on inwards, where entries of M that are zero by the tree's branches
stay so. Of expressions this takes a third of the operations that articulated
bodies take: their inertias are dense where M has one entry for two joints.
@throws dynamics::SingularInertia if a velocity is known to move no inertia. */
VectorX<symbolic::Expression> SolveSymbolicMassMatrix(
    const dynamics::Model& model, MatrixX<symbolic::Expression> M,
    VectorX<symbolic::Expression> x);

}  // namespace wyvern::multibody::internal
