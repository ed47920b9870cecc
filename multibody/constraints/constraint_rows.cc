#include "wyvern/multibody/constraints/constraint_rows.h"

#include "wyvern/systems/common/default_scalars.h"

/* With M = L D Lᵀ by articulated bodies and W = L⁻¹ Jᵀ, J M⁻¹ Jᵀ = Wᵀ D⁻¹ W: a
column of W costs a walk from the constraint's two bodies to the world, and the
rest is a product of m columns of length nv. O(bodies + m depth + m² nv). */

namespace wyvern::multibody::engine {

namespace {

using Kind = HolonomicConstraint::Kind;

// A force about Wo, on a body's node about its tree's O.
template <typename T>
void SetNodeForce(const Model& model, const PositionKinematics<T>& positions,
                  MobodIndex body, double sign, const Vector6<T>& F_Wo,
                  int side, RowForces<T>* forces) {
  const NodeIndex node = model.bodies[body].node;
  forces->node[side] = node;
  if (node == 0) return;
  Vector6<T> F = sign * F_Wo;
  const Vector3<T> f = F.template tail<3>();
  F.template head<3>() -= positions.p_WO[model.nodes[node].tree].cross(f);
  forces->F[side] = F;
}

}  // namespace

template <typename T>
void ConstraintRows<T>::Add(int id, const HolonomicConstraint& constraint,
                            const std::vector<Pose<T>>& X_WB,
                            const Eigen::Ref<const VectorX<T>>& q) {
  Entry& entry = entries_.emplace_back();
  entry.id = id;
  entry.constraint = &constraint;
  entry.row = num_rows_;
  num_rows_ += constraint.num_rows();
  if (errors_.size() < num_rows_) errors_.conservativeResize(num_rows_);
  CalcConstraintPosition<T>(constraint, X_WB, q, &entry.kinematics);
  errors_.segment(entry.row, constraint.num_rows()) =
      entry.kinematics.error.head(constraint.num_rows());
}

template <typename T>
void ConstraintRows<T>::CalcFactoredRows(
    const Model& model, const PositionKinematics<T>& positions,
    const ArticulatedInertias<T>& articulated,
    const std::vector<bool>& is_locked) {
  for (const Entry& entry : entries_) {
    const HolonomicConstraint& c = *entry.constraint;
    for (int r = 0; r < c.num_rows(); ++r) {
      auto w = W_.col(entry.row + r);
      w.setZero();
      RowForces<T> forces;
      if (c.kind == Kind::kCoupler) {
        w[c.v[0]] = T(1);
        w[c.v[1]] = T(-c.ratio);
        for (int i = 0; i < 2; ++i) forces.node[i] = model.node_of_v[c.v[i]];
      } else {
        const Vector6<T> F = entry.kinematics.F.col(r);
        SetNodeForce<T>(model, positions, c.body_B, 1, F, 0, &forces);
        SetNodeForce<T>(model, positions, c.body_A, -1, F, 1, &forces);
      }
      CalcFactoredRow<T>(model, positions, articulated, is_locked, forces, w);
      CalcInversePivots<T>(model, articulated, w,
                           D_inverse_W_.col(entry.row + r));
    }
  }
}

template <typename T>
void ConstraintRows<T>::Factorize(const Model& model,
                                  const PositionKinematics<T>& positions,
                                  const ArticulatedInertias<T>& articulated,
                                  const std::vector<bool>& is_locked) {
  if (W_.rows() != model.num_v || W_.cols() < num_rows_) {
    W_.resize(model.num_v, num_rows_);
    D_inverse_W_.resize(model.num_v, num_rows_);
    A_.resize(num_rows_, num_rows_);
  }
  CalcFactoredRows(model, positions, articulated, is_locked);
  for (int j = 0; j < num_rows_; ++j) {
    for (int i = j; i < num_rows_; ++i) {
      A_(i, j) = W_.col(i).dot(D_inverse_W_.col(j));
    }
  }
  solve_.Factorize(A_.topLeftCorner(num_rows_, num_rows_));
}

template <typename T>
int ConstraintRows<T>::FindConstraint(int row) const {
  int i = num_constraints() - 1;
  while (i > 0 && entries_[i].row > row) --i;
  return i;
}

template <typename T>
void ConstraintRows<T>::CalcVelocities(const Model& model,
                                       const PositionKinematics<T>& positions,
                                       const VelocityKinematics<T>& velocities,
                                       const std::vector<Pose<T>>& X_WB,
                                       const Eigen::Ref<const VectorX<T>>& v,
                                       Eigen::Ref<VectorX<T>> result) const {
  for (const Entry& entry : entries_) {
    const int rows = entry.constraint->num_rows();
    result.segment(entry.row, rows) =
        CalcConstraintVelocity<T>(*entry.constraint, model, positions,
                                  velocities, X_WB, v)
            .head(rows);
  }
}

template <typename T>
void ConstraintRows<T>::CalcAccelerations(
    const Model& model, const PositionKinematics<T>& positions,
    const VelocityKinematics<T>& velocities, const std::vector<Pose<T>>& X_WB,
    const std::vector<Vector6<T>>& A, const Eigen::Ref<const VectorX<T>>& vdot,
    Eigen::Ref<VectorX<T>> result) const {
  for (const Entry& entry : entries_) {
    const HolonomicConstraint& c = *entry.constraint;
    if (c.kind == Kind::kCoupler) {
      result[entry.row] = vdot[c.v[0]] - c.ratio * vdot[c.v[1]];
      continue;
    }
    const int rows = c.num_rows();
    result.segment(entry.row, rows) =
        CalcConstraintBias<T>(c, model, positions, velocities, X_WB, A)
            .head(rows);
  }
}

template <typename T>
void ConstraintRows<T>::AddForces(const std::vector<Pose<T>>& X_WB,
                                  const Eigen::Ref<const VectorX<T>>& lambda,
                                  std::vector<Vector6<T>>* F_BBo_W,
                                  Eigen::Ref<VectorX<T>> tau) const {
  for (const Entry& entry : entries_) {
    const HolonomicConstraint& c = *entry.constraint;
    if (c.kind == Kind::kCoupler) {
      tau[c.v[0]] += lambda[entry.row];
      tau[c.v[1]] -= c.ratio * lambda[entry.row];
      continue;
    }
    const int rows = c.num_rows();
    const Vector6<T> F_Wo = entry.kinematics.F.leftCols(rows).lazyProduct(
        lambda.segment(entry.row, rows));
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

template <typename T>
void AddForcePair(const HolonomicConstraint& constraint, const Vector6<T>& F_Wo,
                  const std::vector<Pose<T>>& X_WB,
                  std::vector<Vector6<T>>* F_BBo_W) {
  const Vector3<T> f = F_Wo.template tail<3>();
  const auto add = [&](int body, double sign) {
    Vector6<T> F = F_Wo;
    F.template head<3>() -= X_WB[body].p.cross(f);
    (*F_BBo_W)[body] += sign * F;
  };
  add(constraint.body_B, 1.0);
  add(constraint.body_A, -1.0);
}

#define WYVERN_INSTANTIATE(T)                                               \
  template class ConstraintRows<T>;                                         \
  template void AddForcePair(const HolonomicConstraint&, const Vector6<T>&, \
                             const std::vector<Pose<T>>&,                   \
                             std::vector<Vector6<T>>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::engine
