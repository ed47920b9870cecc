#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/dynamics/forward_dynamics.h"
#include "wyvern/multibody/step/rows/row_pattern.h"

namespace wyvern::multibody::internal {

/** Adds sign F'J_B to rows of a Jacobian, for unit forces F, 6 x rows, about Wo
in W on a body. Its columns are those of velocities from `v_start` on. Allocates
nothing. */
template <typename T>
void AddJacobianRows(const dynamics::Model& model,
                     const dynamics::PositionKinematics<T>& positions,
                     dynamics::MobodIndex body,
                     const Eigen::Ref<const Matrix6X<T>>& F, double sign,
                     int v_start, Eigen::Ref<MatrixX<T>> J);

/** Adds the rows F_r'(J_0 - J_1) of a pattern, for the Jacobians of its two
nodes, to J, rows x nv. */
template <typename T>
void AddJacobianRows(const dynamics::Model& model,
                     const dynamics::PositionKinematics<T>& positions,
                     const RowPattern& pattern,
                     const Eigen::Ref<const Matrix6X<T>>& F, MatrixX<T>* J);

/** An entry of a row that is no force on a body: of a coupler, say. Its
velocity is to be one that feels the row. */
struct RowEntry {
  /** Row of J. */
  int row{};
  /** Column of J. */
  int velocity{};
  /** The entry. */
  double value{};
};

/** Rows J through the factorization M + diag(d) = L D Lᵀ that articulated
bodies are: W = J L⁻ᵀ, and with it

  J M⁻¹ Jᵀ = W D⁻¹ Wᵀ,   J M⁻¹ b = W u and M⁻¹ Jᵀ lambda = L⁻ᵀ D⁻¹ Wᵀ lambda

for u = D⁻¹ L⁻¹ b, which the inward pass of forward dynamics leaves; its outward
pass is L⁻ᵀ. Neither J nor M is formed. O(rows depth + rows² nv) at most.
Allocates nothing after a first time with as many rows. */
template <typename T>
class FactoredRows {
 public:
  FactoredRows() = default;
  /** Allocates for J of num_rows x num_v. */
  FactoredRows(int num_rows, int num_v) { Reserve(num_rows, num_v); }

  /** Computes the rows W, so that J M⁻¹ Jᵀ is made of their products.
  @param articulated Factorized at the same q.
  @param is_locked By velocity: those that take no part, as if M were infinite
  there; of a node all or none. d has kLockedInertia for them.
  @param F Unit forces of the rows, about Wo in W.
  @param entries Of J, besides what F makes. */
  void Factorize(const dynamics::Model& model,
                 const dynamics::PositionKinematics<T>& positions,
                 const dynamics::ArticulatedInertias<T>& articulated,
                 const std::vector<bool>& is_locked, const RowPattern& pattern,
                 const Eigen::Ref<const Matrix6X<T>>& F,
                 std::span<const RowEntry> entries = {});

  /** @name After Factorize(), with its pattern
  @{ */
  /** The lower triangle of J M⁻¹ Jᵀ, in the top left corner of K. */
  void CalcProducts(const RowPattern& pattern, MatrixX<T>* K) const;
  /** Computes W u, by row. */
  void CalcValues(const RowPattern& pattern, const VectorX<T>& u,
                  Eigen::Ref<VectorX<T>> values) const;
  /** u += D⁻¹ Wᵀ lambda. */
  void AddResponse(const RowPattern& pattern,
                   const Eigen::Ref<const VectorX<T>>& lambda,
                   VectorX<T>* u) const;
  /** @} */

 private:
  void Reserve(int num_rows, int num_v);
  void CalcInversePivots(const dynamics::Model& model,
                         const dynamics::ArticulatedInertias<T>& articulated,
                         const RowPattern& pattern);

  // As many rows as there were at most, x nv. What is outside of the pattern's
  // pieces is not read.
  MatrixX<T> W_;
  MatrixX<T> X_;  // W D⁻¹.
};

}  // namespace wyvern::multibody::internal
