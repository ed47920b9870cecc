#pragma once

#include <vector>

#include "wyvern/multibody/dynamics/forward_dynamics.h"
#include "wyvern/multibody/kernels/packs.h"

namespace wyvern::multibody::dynamics {

/** How many columns are worked on at once: a panel. */
template <typename T>
inline constexpr int kPanelColumns = 4 * internal::kPackSize<T>;

/** Scratch of systems of equations with the mass matrix and many right-hand
sides. */
template <typename T>
struct MassMatrixInverseScratch {
  /** A row for each column of the panel. */
  using Screw = Eigen::Matrix<T, kPanelColumns<T>, 6>;

  MassMatrixInverseScratch() = default;
  /** Allocates for a model. */
  explicit MassMatrixInverseScratch(const Model& model);

  Matrix6X<T> U_D;            // By velocity: U D⁻¹.
  MatrixX<T> x;               // A column by velocity: the panel's rows.
  std::vector<Screw> screws;  // By node; of forks, 0 between passes.
  std::vector<bool> is_fork;  // By node: some child is not the next node.
};

/** A matrix by columns, of as many rows as there are velocities. */
template <typename T>
struct ColumnsIn {
  /** The first entry. */
  const T* data{};
  /** How many entries column j + 1 begins after column j. */
  Eigen::Index stride{};
};
template <typename T>
struct ColumnsOut {
  /** The first entry. */
  T* data{};
  /** How many entries column j + 1 begins after column j. */
  Eigen::Index stride{};
};

/** X = -(M + diag(d))⁻¹ B for a pair of matrices B: the rows and columns of one
tree's velocities; O(nv²), whatever the depth.
@param articulated Factorized at the same q. */
template <typename T>
void SolveMassMatrixColumns(const Model& model,
                            const PositionKinematics<T>& positions,
                            const ArticulatedInertias<T>& articulated,
                            const Model::Tree& tree, const ColumnsIn<T> (&B)[2],
                            MassMatrixInverseScratch<T>* scratch,
                            const ColumnsOut<T> (&X)[2]);

/** (M + diag(d))⁻¹, nv x nv, exactly symmetric, without forming M; O(nv²).
@param articulated Factorized at the same q. */
template <typename T>
void CalcMassMatrixInverse(const Model& model,
                           const PositionKinematics<T>& positions,
                           const ArticulatedInertias<T>& articulated,
                           MassMatrixInverseScratch<T>* scratch,
                           Eigen::Ref<MatrixX<T>> M_inverse);

}  // namespace wyvern::multibody::dynamics
