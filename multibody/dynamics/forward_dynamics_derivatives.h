#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/dynamics/inverse_dynamics_derivatives.h"
#include "wyvern/multibody/dynamics/mass_matrix_inverse.h"
#include "wyvern/multibody/kernels/combine_columns.h"

namespace wyvern::multibody::dynamics {

/** Scratch that derivatives of forward dynamics are computed in. */
template <typename T>
struct ForwardDynamicsDerivativesScratch {
  ForwardDynamicsDerivativesScratch() = default;
  /** Allocates for a model. */
  explicit ForwardDynamicsDerivativesScratch(const Model& model);

  /** Scratch of the derivatives of tau, which come first. */
  InverseDynamicsDerivativesScratch<T> inverse_dynamics;
  /** Scratch of M⁻¹. */
  MassMatrixInverseScratch<T> mass_matrix;
  /** Derivatives of inverse dynamics at the given v̇, nv x nv. */
  MatrixX<T> dtau_dq, dtau_dv;
  MatrixX<T> inverse;  // M⁻¹, its rows padded for lanes.
  /** The columns that one column of the results is summed from. */
  std::vector<internal::ColumnTerm<T, 2>> terms;
};

/** Where the derivatives go, each nv x nv. */
template <typename T>
struct ForwardDynamicsDerivatives {
  /** Derivatives of v̇ with respect to q (tangent space), v and tau. */
  Eigen::Ref<MatrixX<T>> dvdot_dq, dvdot_dv, dvdot_dtau;
};

/** Derivatives of the v̇ that solves

  M(q) v̇ + C(q, v) v + diag(damping) v = tau + g(q) + sum J(q)ᵀ F

with respect to q, v and tau, each nv x nv; that with respect to q is taken in
the tangent space as in inverse_dynamics_derivatives.h. The last one is M⁻¹.
@param vdot The solution.
@param damping Viscous damping, per velocity; empty for none.
@param loads Applied forces F, by node, constant in W; empty for none.
@param articulated Factorized at the same q; if with a diagonal, that is part
of M here. */
template <typename T>
void CalcForwardDynamicsDerivatives(
    const Motion<T>& motion, const Eigen::Ref<const VectorX<T>>& v,
    const Eigen::Ref<const VectorX<T>>& vdot,
    const Eigen::Ref<const VectorX<T>>& damping,
    std::span<const DeadLoad<T>> loads, Gravity gravity,
    const ArticulatedInertias<T>& articulated,
    ForwardDynamicsDerivativesScratch<T>* scratch,
    ForwardDynamicsDerivatives<T> result);

}  // namespace wyvern::multibody::dynamics
