#include "wyvern/multibody/constraints/rows/constraint_rows.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::engine {

namespace {
using Kind = HolonomicConstraint::Kind;
}  // namespace

template <typename T>
void ConstraintRows<T>::Add(int id, const HolonomicConstraint& constraint,
                            const std::vector<Pose<T>>& X_WB,
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
void ConstraintRows<T>::Factorize(const Model& model,
                                  const PositionKinematics<T>& positions,
                                  const ArticulatedInertias<T>& articulated,
                                  const std::vector<bool>& is_locked) {
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
  solve_.Factorize(K_.topLeftCorner(num_rows_, num_rows_));
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
    CalcConstraintBias<T>(c, model, positions, velocities, X_WB, A,
                          result.segment(entry.row, c.num_rows()));
  }
}

template <typename T>
void ConstraintRows<T>::AddForces(const std::vector<Pose<T>>& X_WB,
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
    class ::wyvern::multibody::engine::ConstraintRows);

}  // namespace wyvern::multibody::engine
