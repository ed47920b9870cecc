#pragma once

#include <vector>

#include "wyvern/multibody/algorithms/combine_columns.h"
#include "wyvern/multibody/algorithms/forward_dynamics.h"

namespace wyvern::multibody::engine {

/** Room that the mass matrix is inverted in. Matrices are by velocity, their
rows padded for lanes; what is off the tree's branches stays 0. */
template <typename T>
struct MassMatrixInverseScratch {
  MassMatrixInverseScratch() = default;
  explicit MassMatrixInverseScratch(const Model& model);

  MatrixX<T> U_D;  // Six columns: U D⁻¹.
  MatrixX<T> L;    // M = Lᵀ D L.
  MatrixX<T> K;    // L⁻¹.
  MatrixX<T> inverse;
  std::vector<ColumnTerm<T, 1>> terms;
};

/** (M + diag(d))⁻¹, nv x nv, exactly symmetric, without forming M;
O(nv² depth) at most, for branched trees much less.
@param articulated Factorized at the same q. */
template <typename T>
void CalcMassMatrixInverse(const Model& model,
                           const PositionKinematics<T>& positions,
                           const ArticulatedInertias<T>& articulated,
                           MassMatrixInverseScratch<T>* scratch,
                           Eigen::Ref<MatrixX<T>> M_inverse);

/** The same, left in the upper rows of scratch->inverse. */
template <typename T>
void CalcPaddedMassMatrixInverse(const Model& model,
                                 const PositionKinematics<T>& positions,
                                 const ArticulatedInertias<T>& articulated,
                                 MassMatrixInverseScratch<T>* scratch);

}  // namespace wyvern::multibody::engine
