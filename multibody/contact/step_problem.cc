#include "wyvern/multibody/contact/step_problem.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

template <typename T>
void StepProblem<T>::Reset(double dt, std::span<const int> tree_nv) {
  dt_ = dt;
  num_rows_ = 0;
  tree_start_.assign(1, 0);
  A_start_.clear();
  int A_size = 0;
  for (const int nv : tree_nv) {
    tree_start_.push_back(tree_start_.back() + nv);
    A_start_.push_back(A_size);
    A_size += nv * nv;
  }
  A_.assign(A_size, T(0));
  v_star_.setZero(num_v());
  dof_laws_.clear();
  is_locked_.assign(num_v(), 0);
  constraints_.clear();
  contact_laws_.clear();
  row_laws_.clear();
  J_.clear();
}

template <typename T>
int StepProblem<T>::AddContact(const ContactLaw<T>& law, int tree_a,
                               int tree_b) {
  const int index = static_cast<int>(contact_laws_.size());
  contact_laws_.push_back(law);
  return AddConstraint(true, 3, index, tree_a, tree_b);
}

template <typename T>
int StepProblem<T>::AddRows(std::span<const RowLaw<T>> laws, int tree_a,
                            int tree_b) {
  const int index = static_cast<int>(row_laws_.size());
  row_laws_.insert(row_laws_.end(), laws.begin(), laws.end());
  return AddConstraint(false, static_cast<int>(laws.size()), index, tree_a,
                       tree_b);
}

template <typename T>
int StepProblem<T>::AddConstraint(bool is_contact, int num_rows, int law,
                                  int tree_a, int tree_b) {
  if (num_rows < 1 || num_rows > 6) {
    throw std::logic_error(fmt::format(
        "StepProblem: a constraint has {} rows; give 1 to 6.", num_rows));
  }
  if (tree_a < 0 || tree_a >= num_trees() || tree_b >= num_trees() ||
      tree_a == tree_b) {
    throw std::logic_error(fmt::format(
        "StepProblem: a constraint is between trees {} and {} of {}; give two "
        "different trees, or one and -1.",
        tree_a, tree_b, num_trees()));
  }
  Constraint constraint{
      is_contact, num_rows, num_rows_, law, {tree_a, tree_b < 0 ? -1 : tree_b},
      {0, 0}};
  num_rows_ += num_rows;
  for (int side = 0; side < 2 && constraint.tree[side] >= 0; ++side) {
    constraint.block[side] = static_cast<int>(J_.size());
    J_.resize(J_.size() + num_rows * nv(constraint.tree[side]), T(0));
  }
  constraints_.push_back(constraint);
  return num_constraints() - 1;
}

template <typename T>
void StepProblem<T>::CalcRowVelocities(const VectorX<T>& v,
                                       VectorX<T>* v_rows) const {
  v_rows->resize(num_rows_);
  for (int c = 0; c < num_constraints(); ++c) {
    const Constraint& k = constraints_[c];
    auto rows = v_rows->segment(k.row, k.num_rows);
    rows.setZero();
    for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
      rows.noalias() += J(c, side).lazyProduct(
          v.segment(v_start(k.tree[side]), nv(k.tree[side])));
    }
  }
}

template <typename T>
void StepProblem<T>::CalcImpulses(const VectorX<T>& v_rows,
                                  VectorX<T>* g) const {
  g->resize(num_rows_);
  for (const Constraint& k : constraints_) {
    if (k.is_contact) {
      const Vector3<T> v = v_rows.template segment<3>(k.row);
      g->template segment<3>(k.row) = contact_laws_[k.law].CalcImpulse(v);
      continue;
    }
    for (int i = 0; i < k.num_rows; ++i) {
      (*g)[k.row + i] = row_laws_[k.law + i].CalcImpulse(v_rows[k.row + i]);
    }
  }
}

template <typename T>
void StepProblem<T>::CalcGeneralizedImpulse(const VectorX<T>& g,
                                            VectorX<T>* j) const {
  j->setZero(num_v());
  for (int c = 0; c < num_constraints(); ++c) {
    const Constraint& k = constraints_[c];
    for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
      j->segment(v_start(k.tree[side]), nv(k.tree[side])).noalias() +=
          J(c, side).transpose().lazyProduct(g.segment(k.row, k.num_rows));
    }
  }
}

template <typename T>
VectorX<T> StepProblem<T>::CalcResidual(const VectorX<T>& v) const {
  VectorX<T> v_rows, g, j;
  CalcRowVelocities(v, &v_rows);
  CalcImpulses(v_rows, &g);
  CalcGeneralizedImpulse(g, &j);
  VectorX<T> residual = -j;
  for (int t = 0; t < num_trees(); ++t) {
    residual.segment(v_start(t), nv(t)) +=
        A(t).template selfadjointView<Eigen::Lower>() *
        (v - v_star_).segment(v_start(t), nv(t));
  }
  for (int i = 0; i < num_v(); ++i) {
    if (!dof_laws_.empty()) residual[i] -= dt_ * dof_laws_[i].CalcForce(v[i]);
    if (is_locked_[i]) residual[i] = T(0);
  }
  return residual;
}

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::StepProblem);
