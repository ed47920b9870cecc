#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/dynamics/forward_dynamics.h"

namespace wyvern::multibody::dynamics {

/** @file
CalcForwardDynamics() by its two passes, for callers that add forces between
them: with M + diag(d) = L D Lᵀ, the first makes D⁻¹ L⁻¹ of all forces at v̇ = 0,
the second L⁻ᵀ of that. */

/** Leaves D⁻¹ L⁻¹ (tau + g + sum Jᵀ F - C v) in articulated->u, and the nodes'
accelerations at v̇ = 0 in articulated->A_bias. Arguments are
CalcForwardDynamics()'s. */
template <typename T>
void CalcForwardDynamicsInward(const Motion<T>& motion,
                               const Eigen::Ref<const VectorX<T>>& tau,
                               std::span<const Vector6<T>> F, Gravity gravity,
                               ArticulatedInertias<T>* articulated);

/** v̇ from articulated->u. @param Y Scratch, one entry per node. */
template <typename T>
void CalcForwardDynamicsOutward(const Model& model,
                                const PositionKinematics<T>& positions,
                                const ArticulatedInertias<T>& articulated,
                                std::vector<Vector6<T>>* Y,
                                Eigen::Ref<VectorX<T>> vdot);

}  // namespace wyvern::multibody::dynamics
