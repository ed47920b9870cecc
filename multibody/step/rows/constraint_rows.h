#pragma once

#include <vector>

#include "wyvern/multibody/step/rows/factored_rows.h"
#include "wyvern/multibody/step/rows/holonomic_constraint.h"
#include "wyvern/multibody/step/rows/redundant_solve.h"

namespace wyvern::multibody::internal {

/** The rows J of some rigid constraints at a configuration, and

  J M⁻¹ Jᵀ lambda = b,

solved for their multipliers without forming J or M. Rows may be redundant. To
use: Clear(), Add() each constraint, Factorize(), then ask. Allocates nothing
after a first time with as many rows. */
template <typename T>
class ConstraintRows {
 public:
  /** Removes all constraints. */
  void Clear() {
    entries_.clear();
    num_rows_ = 0;
  }
  /** Adds the rows of a constraint, with its errors at q.
  @param id What the constraint is called by the caller. It must outlive the
  rows. @throws std::runtime_error as CalcConstraintErrors() does. */
  void Add(int id, const HolonomicConstraint& constraint,
           const std::vector<dynamics::Pose<T>>& X_WB,
           const Eigen::Ref<const VectorX<T>>& q);
  /** Factorizes J M⁻¹ Jᵀ.
  @param articulated Factorized at the same q.
  @param is_locked By velocity: locked velocities take no part.
  @param damping Added to the diagonal of J M⁻¹ Jᵀ, relative to its largest
  entry of forces, or of torques, away from singularities. */
  void Factorize(const dynamics::Model& model,
                 const dynamics::PositionKinematics<T>& positions,
                 const dynamics::ArticulatedInertias<T>& articulated,
                 const std::vector<bool>& is_locked, double damping = 0);

  /** Returns whether a row has lost most of its effect, as rows do near a
  singular configuration. There the directions of rows depend on the
  constraints' errors as much as on the mechanism. */
  bool is_nearly_singular() const { return singularity_ > 0; }
  /** Returns how near the singular configuration is: 0 where rows begin to lose
  their effect, 1 at the configuration. */
  double singularity() const { return singularity_; }
  /** Makes Solve() skip directions in which J is below 1e-3 of its size away
  from singularities, because rounding errors of positions turn them by more
  than 1e-10 rad. Call it after Factorize(). */
  void LeaveOutSingularRows();

  /** Number of rows of all constraints. */
  int num_rows() const { return num_rows_; }
  /** Number of constraints. */
  int num_constraints() const { return static_cast<int>(entries_.size()); }
  /** The id that constraint `i` was added with. */
  int id(int i) const { return entries_[i].id; }
  /** Constraint `i`, in the order of Add(). */
  const HolonomicConstraint& constraint(int i) const {
    return *entries_[i].constraint;
  }
  /** First row of constraint `i`. */
  int first_row(int i) const { return entries_[i].row; }
  /** The constraint that a row is of. */
  int FindConstraint(int row) const;

  /** Returns the errors e, by row. */
  Eigen::Ref<const VectorX<T>> errors() const {
    return errors_.head(num_rows_);
  }
  /** Computes J v, by row. */
  void CalcVelocities(const dynamics::Model& model,
                      const dynamics::PositionKinematics<T>& positions,
                      const dynamics::VelocityKinematics<T>& velocities,
                      const Eigen::Ref<const VectorX<T>>& v,
                      Eigen::Ref<VectorX<T>> result) const;
  /** By row: J v̇ + J̇ v. @param A By node, of v̇. */
  void CalcAccelerations(const dynamics::Model& model,
                         const dynamics::PositionKinematics<T>& positions,
                         const dynamics::VelocityKinematics<T>& velocities,
                         const std::vector<dynamics::Pose<T>>& X_WB,
                         const std::vector<Vector6<T>>& A,
                         const Eigen::Ref<const VectorX<T>>& vdot,
                         Eigen::Ref<VectorX<T>> result) const;

  /** lambda from b; see RedundantSolve::Solve(). */
  void Solve(const Eigen::Ref<const VectorX<T>>& b,
             Eigen::Ref<VectorX<T>> lambda) const {
    solve_.Solve(b, lambda);
  }
  /** The factorization of J M⁻¹ Jᵀ. */
  const RedundantSolve<T>& solve() const { return solve_; }

  /** Adds what multipliers do to u = D⁻¹ L⁻¹ (forces); see FactoredRows. */
  void AddResponse(const Eigen::Ref<const VectorX<T>>& lambda,
                   VectorX<T>* u) const {
    factored_.AddResponse(pattern_, lambda, u);
  }
  /** Adds the forces of multipliers on bodies, by the model's bodies. */
  void AddForces(const std::vector<dynamics::Pose<T>>& X_WB,
                 const Eigen::Ref<const VectorX<T>>& lambda,
                 std::vector<Vector6<T>>* F_BBo_W) const;
  /** Whether any is between bodies. */
  bool has_body_forces() const;

 private:
  struct Entry {
    int id{};
    const HolonomicConstraint* constraint{};
    int row{};
  };

  void CalcScales(const dynamics::Model& model,
                  const dynamics::ArticulatedInertias<T>& articulated);
  void ClearRowsBelow(double share);

  std::vector<Entry> entries_;
  int num_rows_{};
  VectorX<T> errors_;
  Matrix6X<T> F_;  // Unit forces.
  std::vector<Vector2<int>> nodes_;
  std::vector<RowEntry> coupled_;
  RowPattern pattern_;
  FactoredRows<T> factored_;
  MatrixX<T> K_;  // J M⁻¹ Jᵀ, lower triangle.
  // By row: its entry of K's diagonal away from singularities.
  std::vector<double> scales_;
  double singularity_{};
  RedundantSolve<T> solve_;
};

}  // namespace wyvern::multibody::internal
