#include "wyvern/multibody/step/rows/constraint_rows.h"

#include <algorithm>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* Rows J of holonomic constraints, and K = J M^-1 J', whose factor solves K
lambda = b for the multipliers. FactoredRows computes K from the articulated
inertias in one pass over the bodies of each row without M or J (closed loops:
Featherstone, "Rigid Body Dynamics Algorithms", 2008, chapter 8). Each row has a
scale: the effect that a unit force or torque of its constraint has away from a
singularity. Rows and pivots that are small by this scale are rounding errors,
or mark a singular configuration; damping adds a share of it to the diagonal.
Without redundant rows the solution is the ordinary one. */

namespace wyvern::multibody::internal {

namespace {
using Kind = HolonomicConstraint::Kind;

// An entry of K's diagonal below this share of its scale is rounding error: J
// is below 1e-10 of its size away from singularities.
constexpr double kRounded = 1e-20;
// Pivots below kSingular are singular, up to small motion from here; pivots
// below kNearlySingular are nearly so.
constexpr double kSingular = 1e-6;
constexpr double kNearlySingular = 0.05;

// Returns whether a row of unit forces is one of torques, or of a coupler.
template <typename T>
bool IsTorque(const Matrix6X<T>& F, int row) {
  return F.col(row).template tail<3>().squaredNorm() < 0.25;
}
}  // namespace

template <typename T>
void ConstraintRows<T>::Add(int id, const HolonomicConstraint& constraint,
                            const std::vector<dynamics::Pose<T>>& X_WB,
                            const Eigen::Ref<const VectorX<T>>& q) {
  const int row = num_rows_, rows = constraint.num_rows();
  entries_.push_back({id, &constraint, row});
  num_rows_ += rows;
  if (errors_.size() < num_rows_) {
    errors_.conservativeResize(num_rows_);
    F_.conservativeResize(6, num_rows_);
  }
  CalcConstraintErrors<T>(constraint, X_WB, q, errors_.segment(row, rows));
  CalcUnitForces<T>(constraint, X_WB, F_.middleCols(row, rows));
}

template <typename T>
void ConstraintRows<T>::Factorize(
    const dynamics::Model& model,
    const dynamics::PositionKinematics<T>& positions,
    const dynamics::ArticulatedInertias<T>& articulated,
    const std::vector<bool>& is_locked, double damping) {
  nodes_.resize(num_rows_);
  coupled_.clear();
  for (const Entry& entry : entries_) {
    const HolonomicConstraint& c = *entry.constraint;
    // A coupler is between joints and has no bodies.
    Vector2<int> nodes;
    if (c.kind != Kind::kCoupler) {
      nodes = Vector2<int>(model.bodies[c.body_B].node,
                           model.bodies[c.body_A].node);
    } else {
      coupled_.push_back({entry.row, c.v[0], 1});
      coupled_.push_back({entry.row, c.v[1], -c.ratio});
      for (int i = 0; i < 2; ++i) nodes[i] = model.node_of_v[c.v[i]];
    }
    for (int r = 0; r < c.num_rows(); ++r) nodes_[entry.row + r] = nodes;
  }
  pattern_.Reset(model, nodes_);
  factored_.Factorize(model, positions, articulated, is_locked, pattern_,
                      F_.leftCols(num_rows_), coupled_);
  if (K_.rows() < num_rows_) K_.resize(num_rows_, num_rows_);
  factored_.CalcProducts(pattern_, &K_);
  CalcScales(model, articulated);
  ClearRowsBelow(kRounded);
  if (damping > 0) {
    // Forces and torques move bodies in different units.
    double of_forces = 0, of_torques = 0;
    for (int i = 0; i < num_rows_; ++i) {
      double& largest = IsTorque<T>(F_, i) ? of_torques : of_forces;
      largest = std::max(largest, scales_[i]);
    }
    for (int i = 0; i < num_rows_; ++i) {
      K_(i, i) += damping * (IsTorque<T>(F_, i) ? of_torques : of_forces);
    }
  }
  solve_.Factorize(K_.topLeftCorner(num_rows_, num_rows_));
  singularity_ =
      std::max(0.0, 1 - solve_.CalcLeastPivot(scales_) / kNearlySingular);
}

// A unit force moves a body by at least about 1 / m, where m is the mass of its
// tree at the base. Among the forces of one constraint, and among its torques,
// each may move the bodies as easily as the most effective one.
template <typename T>
void ConstraintRows<T>::CalcScales(
    const dynamics::Model& model,
    const dynamics::ArticulatedInertias<T>& articulated) {
  scales_.resize(num_rows_);
  const auto mobility = [&](int node) {
    if (node == 0) return 0.0;
    const int tree = model.nodes[node].tree;
    const Matrix6<T>& P = articulated.P[model.trees[tree].base_node];
    const double mass =
        ToDouble(T(P.template bottomRightCorner<3, 3>().trace() / 3));
    return mass > 0 ? 1 / mass : 0.0;
  };
  for (const Entry& entry : entries_) {
    const int rows = entry.constraint->num_rows();
    double of_torques = 0;
    double of_forces = 0;
    if (entry.constraint->kind != Kind::kCoupler) {
      of_forces = mobility(nodes_[entry.row][0]);
      if (model.nodes[nodes_[entry.row][0]].tree !=
          model.nodes[nodes_[entry.row][1]].tree) {
        of_forces += mobility(nodes_[entry.row][1]);
      }
    }
    for (int i = entry.row; i < entry.row + rows; ++i) {
      double& scale = IsTorque<T>(F_, i) ? of_torques : of_forces;
      scale = std::max(scale, ToDouble(K_(i, i)));
    }
    for (int i = entry.row; i < entry.row + rows; ++i) {
      const double scale = IsTorque<T>(F_, i) ? of_torques : of_forces;
      scales_[i] = scale > 0 ? scale : 1;
    }
  }
}

// Clears rows that nothing moves, or hardly anything.
template <typename T>
void ConstraintRows<T>::ClearRowsBelow(double share) {
  for (int i = 0; i < num_rows_; ++i) {
    // Keep NaN for RedundantSolve to find.
    if (!(ToDouble(K_(i, i)) <= share * scales_[i])) continue;
    K_.row(i).head(i + 1).setZero();
    K_.col(i).segment(i, num_rows_ - i).setZero();
  }
}

template <typename T>
void ConstraintRows<T>::LeaveOutSingularRows() {
  ClearRowsBelow(kSingular);
  solve_.Factorize(K_.topLeftCorner(num_rows_, num_rows_), kSingular);
}

template <typename T>
int ConstraintRows<T>::FindConstraint(int row) const {
  int i = num_constraints() - 1;
  while (i > 0 && entries_[i].row > row) --i;
  return i;
}

template <typename T>
void ConstraintRows<T>::CalcVelocities(
    const dynamics::Model& model,
    const dynamics::PositionKinematics<T>& positions,
    const dynamics::VelocityKinematics<T>& velocities,
    const Eigen::Ref<const VectorX<T>>& v,
    Eigen::Ref<VectorX<T>> result) const {
  for (const Entry& entry : entries_) {
    const int rows = entry.constraint->num_rows();
    CalcConstraintVelocities<T>(*entry.constraint, model, positions, velocities,
                                F_.middleCols(entry.row, rows), v,
                                result.segment(entry.row, rows));
  }
}

template <typename T>
void ConstraintRows<T>::CalcAccelerations(
    const dynamics::Model& model,
    const dynamics::PositionKinematics<T>& positions,
    const dynamics::VelocityKinematics<T>& velocities,
    const std::vector<dynamics::Pose<T>>& X_WB,
    const std::vector<Vector6<T>>& A, const Eigen::Ref<const VectorX<T>>& vdot,
    Eigen::Ref<VectorX<T>> result) const {
  for (const Entry& entry : entries_) {
    const HolonomicConstraint& c = *entry.constraint;
    if (c.kind == Kind::kCoupler) {
      result[entry.row] = vdot[c.v[0]] - c.ratio * vdot[c.v[1]];
      continue;
    }
    CalcConstraintBias<T>(c, model, positions, velocities, X_WB, A,
                          result.segment(entry.row, c.num_rows()));
  }
}

template <typename T>
void ConstraintRows<T>::AddForces(const std::vector<dynamics::Pose<T>>& X_WB,
                                  const Eigen::Ref<const VectorX<T>>& lambda,
                                  std::vector<Vector6<T>>* F_BBo_W) const {
  for (const Entry& entry : entries_) {
    const HolonomicConstraint& c = *entry.constraint;
    if (c.kind == Kind::kCoupler) continue;
    const int rows = c.num_rows();
    const Vector6<T> F_Wo = F_.middleCols(entry.row, rows)
                                .lazyProduct(lambda.segment(entry.row, rows));
    AddForcePair<T>(c, F_Wo, X_WB, F_BBo_W);
  }
}

template <typename T>
bool ConstraintRows<T>::has_body_forces() const {
  for (const Entry& entry : entries_) {
    if (entry.constraint->kind != Kind::kCoupler) return true;
  }
  return false;
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::ConstraintRows);

}  // namespace wyvern::multibody::internal
