#include "wyvern/multibody/step/step_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* The step's problem in flat arrays, which keep their memory from step to step:
A and J by blocks of trees, laws in the order of their constraints.
CalcResidual() is the balance

  r(v) = A (v - v*) - p - J'g(J v) - dt f(v),

which step_problem.h states: velocities of rows, their laws, then J'. The scale
of a constraint is the size of its block of the Delassus operator J A^-1 J' =
X'X with X = U^-1 J', A = U U'; each tree is factored once a step, along its
branches (Featherstone, "Efficient Factorization of the Joint-Space Inertia
Matrix for Branched Kinematic Trees", IJRR 2005). Without constraints and forces
r = A (v - v*), and v = v*. */

namespace wyvern::multibody::internal {

template <typename T>
void StepProblem<T>::Reset(double dt, std::span<const int> tree_nv) {
  dt_ = dt;
  num_rows_ = 0;
  tree_start_.assign(1, 0);
  sizes_.assign(tree_nv.begin(), tree_nv.end());
  A_start_.clear();
  int A_size = 0;
  for (const int nv : tree_nv) {
    tree_start_.push_back(tree_start_.back() + nv);
    A_start_.push_back(A_size);
    A_size += nv * nv;
  }
  A_.assign(A_size, T(0));
  is_factored_.assign(tree_nv.size(), 0);
  is_branched_.assign(tree_nv.size(), 0);
  parents_.clear();
  has_pattern_ = false;
  for (const int nv : tree_nv) {
    for (int i = 0; i < nv; ++i) parents_.push_back(i - 1);
  }
  v_star_.setZero(num_v());
  impulse_.setZero(num_v());
  dof_laws_.clear();
  is_locked_.assign(num_v(), 0);
  constraints_.clear();
  ranges_.clear();
  contact_laws_.clear();
  contact_rows_.clear();
  row_laws_.clear();
  J_.clear();
}

template <typename T>
void StepProblem<T>::SetBranches(int tree, std::span<const int> parents) {
  const int n = static_cast<int>(parents.size());
  for (int i = 0; i < n; ++i) {
    if (n != nv(tree) || parents[i] < -1 || parents[i] >= i) {
      throw std::logic_error(fmt::format(
          "StepProblem: the parent of velocity {} of a tree with {} is {} of "
          "{}; give each one before it, or -1.",
          i, nv(tree), parents[i], n));
    }
    parents_[v_start(tree) + i] = parents[i];
    has_pattern_ = false;
    if (parents[i] != i - 1) is_branched_[tree] = 1;
  }
}

template <typename T>
int StepProblem<T>::AddContact(const ContactLaw<T>& law, int tree_a, int tree_b,
                               std::span<const int> columns_a,
                               std::span<const int> columns_b) {
  const int index = static_cast<int>(contact_laws_.size());
  contact_laws_.push_back(law);
  return AddConstraint(1, 3, index, tree_a, tree_b, columns_a, columns_b);
}

template <typename T>
int StepProblem<T>::AddContacts(int num, int tree_a, int tree_b,
                                std::span<const int> columns_a,
                                std::span<const int> columns_b) {
  const int index = static_cast<int>(contact_laws_.size());
  contact_laws_.resize(index + num);
  return AddConstraint(num, 6, index, tree_a, tree_b, columns_a, columns_b);
}

template <typename T>
int StepProblem<T>::AddRows(std::span<const RowLaw<T>> laws, int tree_a,
                            int tree_b, std::span<const int> columns_a,
                            std::span<const int> columns_b) {
  const int index = static_cast<int>(row_laws_.size());
  row_laws_.insert(row_laws_.end(), laws.begin(), laws.end());
  return AddConstraint(0, static_cast<int>(laws.size()), index, tree_a, tree_b,
                       columns_a, columns_b);
}

template <typename T>
int StepProblem<T>::AddConstraint(int num_contacts, int num_rows, int law,
                                  int tree_a, int tree_b,
                                  std::span<const int> columns_a,
                                  std::span<const int> columns_b) {
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
  Constraint constraint;
  constraint.is_contact = num_contacts > 0;
  constraint.has_six_columns = num_rows == 3 || num_rows == 6;
  constraint.num_rows = num_rows;
  constraint.num_contacts = num_contacts;
  constraint.size = num_rows;
  constraint.row = num_rows_;
  constraint.law = law;
  constraint.tree[0] = tree_a;
  constraint.tree[1] = tree_b < 0 ? -1 : tree_b;
  AddBlock(0, columns_a, &constraint);
  if (tree_b >= 0) AddBlock(1, columns_b, &constraint);
  const bool is_shared = num_contacts > 0 && num_rows == 6;
  if (is_shared) {
    constraint.size += 3 * num_contacts;
    constraint.offsets = static_cast<int>(J_.size());
    J_.resize(J_.size() + 3 * num_contacts, T(0));
  }
  for (int i = 0; i < num_contacts; ++i) {
    contact_rows_.push_back(num_rows_ + (is_shared ? 6 + 3 * i : 0));
  }
  num_rows_ += constraint.size;
  constraints_.push_back(constraint);
  return num_constraints() - 1;
}

template <typename T>
void StepProblem<T>::AddBlock(int side, std::span<const int> columns,
                              Constraint* constraint) {
  const int n = nv(constraint->tree[side]);
  constraint->range[side] = static_cast<int>(ranges_.size());
  constraint->block[side] = static_cast<int>(J_.size());
  const int num_columns =
      columns.empty() ? n : static_cast<int>(columns.size());
  constraint->num_columns[side] = num_columns;
  constraint->has_six_columns =
      constraint->has_six_columns && n == 6 && num_columns == 6;
  J_.resize(J_.size() + constraint->num_rows * num_columns, T(0));
  if (columns.empty()) {
    ranges_.push_back({0, n, 0});
    constraint->num_ranges[side] = 1;
    return;
  }
  int end = 0;  // End of the last range.
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const int column = columns[i];
    if (column < end || column >= n) {
      throw std::logic_error(fmt::format(
          "StepProblem: column {} of the Jacobian of a tree with {} velocities "
          "is not after the one before, or not the tree's; give increasing "
          "columns from 0 to {}.",
          column, n, n - 1));
    }
    if (i > 0 && column == end) {
      ++ranges_.back().size;
    } else {
      ranges_.push_back({column, 1, static_cast<int>(i)});
    }
    end = column + 1;
  }
  constraint->num_ranges[side] =
      static_cast<int>(ranges_.size()) - constraint->range[side];
}

// If A is not positive definite, U is filled with NaN.
template <typename T>
void StepProblem<T>::FactorInertia(int tree) {
  if (is_factored_[tree]) return;
  is_factored_[tree] = 1;
  if (!has_pattern_) pattern_.Set(sizes_, parents_);
  has_pattern_ = true;
  U_.resize(A_.size() + kBranchesSlack);
  const int n = nv(tree);
  const auto first = A_.begin() + A_start_[tree];
  T* U = U_.data() + A_start_[tree];
  std::copy(first, first + n * n, U);
  if (!FactorBranches(pattern_, v_start(tree), n, n, U)) {
    std::fill_n(U, n * n, T(std::numeric_limits<double>::quiet_NaN()));
  }
}

template <typename T>
T StepProblem<T>::CalcDelassusScale(int c) {
  return CalcDelassusScale(c, 0, constraints_[c].num_rows);
}

// W is the sum over trees of X'X with X = U^-1 J'. Rows of X are zero except
// those on the paths of J's columns.
template <typename T>
T StepProblem<T>::CalcDelassusScale(int c, int first, int num) {
  using std::sqrt;
  const Constraint& k = constraints_[c];
  Matrix6<T> W;
  W.topLeftCorner(num, num).setZero();
  for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
    const int n = nv(k.tree[side]);
    FactorInertia(k.tree[side]);
    const int* parents = parents_.data() + v_start(k.tree[side]);
    const T* U = U_.data() + A_start_[k.tree[side]];
    if (U_inverse_J_.cols() < n) U_inverse_J_.resize(6, n);
    T* X = U_inverse_J_.data();  // num x n.
    is_in_.assign(n, 0);
    for (const ColumnRange& range : ranges(c, side)) {
      for (int j = 0; j < range.size; ++j) {
        const T* from = J(c, side, range).col(j).data() + first;
        std::copy_n(from, num, X + num * (range.start + j));
        is_in_[range.start + j] = 1;
      }
    }
    const ColumnRange& last = ranges(c, side).back();
    for (int j = last.start + last.size - 1; j >= 0; --j) {
      if (!is_in_[j]) continue;
      T* x = X + num * j;
      for (int r = 0; r < num; ++r) x[r] *= U[j * n + j];
      for (int i = parents[j]; i >= 0; i = parents[i]) {
        if (!is_in_[i]) std::fill_n(X + num * i, num, T(0));
        is_in_[i] = 1;
        for (int r = 0; r < num; ++r) X[num * i + r] -= U[j * n + i] * x[r];
      }
      for (int r = 0; r < num; ++r) {
        for (int q = 0; q < num; ++q) W(q, r) += x[q] * x[r];
      }
    }
  }
  return sqrt(W.topLeftCorner(num, num).squaredNorm()) / num;
}

// X'X as above; only the path takes part.
template <typename T>
Matrix6<T> StepProblem<T>::CalcPathMobility(int tree, int last, const T* J) {
  using Column = Vector6<T>;
  const int n = nv(tree);
  FactorInertia(tree);
  const int* parents = parents_.data() + v_start(tree);
  const T* U = U_.data() + A_start_[tree];
  if (U_inverse_J_.cols() < n) U_inverse_J_.resize(6, n);
  const auto column = [this](int j) {
    return Eigen::Map<Column>(U_inverse_J_.data() + 6 * j);
  };
  for (int j = last; j >= 0; j = parents[j]) {
    column(j) = Eigen::Map<const Column>(J + 6 * j);
  }
  Matrix6<T> W = Matrix6<T>::Zero();
  for (int j = last; j >= 0; j = parents[j]) {
    const Column x = U[j * n + j] * column(j);
    for (int i = parents[j]; i >= 0; i = parents[i]) {
      column(i) -= U[j * n + i] * x;
    }
    W.noalias() += x.lazyProduct(x.transpose());
  }
  return W;
}

// Each side has a sum of its own, so that the rows have the same bits if the
// sides change places.
template <typename T>
void StepProblem<T>::CalcRowVelocities(int c, const VectorX<T>& v,
                                       VectorX<T>* v_rows) const {
  const Constraint& k = constraints_[c];
  if (k.num_rows == 3) {
    Vector3<T> sums[2] = {Vector3<T>::Zero(), Vector3<T>::Zero()};
    for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
      const T* const J = block(k, side);
      const T* const v_tree = v.data() + v_start(k.tree[side]);
      if (k.has_six_columns) {
        SetSixProduct<T>(J, v_tree, &sums[side]);
        continue;
      }
      for (const ColumnRange& range : ranges(c, side)) {
        sums[side] = AddContactProduct<T>(J + 3 * range.first, range.size,
                                          v_tree + range.start, sums[side]);
      }
    }
    v_rows->template segment<3>(k.row) = sums[0] + sums[1];
    return;
  }
  if (k.num_rows == 6) {
    Vector6<T> sums[2] = {Vector6<T>::Zero(), Vector6<T>::Zero()};
    for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
      const T* const J = block(k, side);
      const T* const v_tree = v.data() + v_start(k.tree[side]);
      for (const ColumnRange& range : ranges(c, side)) {
        sums[side] = AddMotionProduct<T>(J + 6 * range.first, range.size,
                                         v_tree + range.start, sums[side]);
      }
    }
    v_rows->template segment<6>(k.row) = sums[0] + sums[1];
    CalcContactVelocities(k, v_rows);
    return;
  }
  auto rows = v_rows->segment(k.row, k.num_rows);
  rows.setZero();
  for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
    for (const ColumnRange& range : ranges(c, side)) {
      rows.noalias() +=
          J(c, side, range)
              .lazyProduct(
                  v.segment(v_start(k.tree[side]) + range.start, range.size));
    }
  }
}

template <typename T>
void StepProblem<T>::CalcContactVelocities(const Constraint& k,
                                           VectorX<T>* v_rows) const {
  if (!k.has_shared_rows()) return;
  const T* const V = v_rows->data() + k.row;
  for (int i = 0; i < k.num_contacts; ++i) {
    v_rows->template segment<3>(k.row + 6 + 3 * i) =
        VelocityAt<T>(V, contact_offset(k, i));
  }
}

template <typename T>
void StepProblem<T>::CalcRowVelocities(const VectorX<T>& v,
                                       VectorX<T>* v_rows) const {
  v_rows->resize(num_rows_);
  for (int c = 0; c < num_constraints(); ++c) CalcRowVelocities(c, v, v_rows);
}

template <typename T>
void StepProblem<T>::CalcImpulse(const Constraint& k, const VectorX<T>& v_rows,
                                 VectorX<T>* g) const {
  if (k.is_contact) {
    for (int i = k.law; i < k.law + k.num_contacts; ++i) {
      const int row = contact_rows_[i];
      g->template segment<3>(row) =
          contact_laws_[i].CalcImpulse(v_rows.template segment<3>(row));
    }
    SumContactImpulses(k, g);
    return;
  }
  for (int i = 0; i < k.num_rows; ++i) {
    (*g)[k.row + i] = row_laws_[k.law + i].CalcImpulse(v_rows[k.row + i]);
  }
}

template <typename T>
void StepProblem<T>::SumContactImpulses(const Constraint& k,
                                        VectorX<T>* g) const {
  if (!k.has_shared_rows()) return;
  Vector3<T> force = Vector3<T>::Zero(), moment = Vector3<T>::Zero();
  for (int i = 0; i < k.num_contacts; ++i) {
    const Vector3<T> own = g->template segment<3>(k.row + 6 + 3 * i);
    force += own;
    moment += contact_offset(k, i).cross(own);
  }
  g->template segment<3>(k.row) = force;
  g->template segment<3>(k.row + 3) = moment;
}

template <typename T>
void StepProblem<T>::CalcImpulses(const VectorX<T>& v_rows,
                                  VectorX<T>* g) const {
  g->resize(num_rows_);
  for (const Constraint& k : constraints_) CalcImpulse(k, v_rows, g);
}

template <typename T>
bool StepProblem<T>::CalcSlopes(int c, const VectorX<T>& v_rows,
                                Matrix6<T>* G) const {
  const Constraint& k = constraints_[c];
  if (k.is_contact) {
    const auto get = [&](int i, Matrix3<T>* slopes) {
      Vector3<T> impulse;
      contact_laws_[k.law + i].Calc(
          v_rows.template segment<3>(contact_rows_[k.law + i]), &impulse,
          slopes);
      return !slopes->isZero(0);
    };
    return SumContactSlopes(k, get, G);
  }
  G->setZero();
  for (int i = 0; i < k.num_rows; ++i) {
    (*G)(i, i) = row_laws_[k.law + i].CalcSlope(v_rows[k.row + i]);
  }
  return true;
}

template <typename T>
void StepProblem<T>::CalcGeneralizedImpulse(const VectorX<T>& g,
                                            VectorX<T>* j) const {
  j->setZero(num_v());
  for (int c = 0; c < num_constraints(); ++c) {
    AddGeneralizedImpulse(
        c, g.segment(constraints_[c].row, constraints_[c].num_rows), *j);
  }
}

template <typename T>
void StepProblem<T>::AddGeneralizedImpulse(int c, double sign, const T* g,
                                           T* j) const {
  const Constraint& k = constraints_[c];
  if (k.num_rows == 3) {
    const Vector3<T> impulse = sign * Eigen::Map<const Vector3<T>>(g);
    for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
      const T* const J = block(k, side);
      T* const j_tree = j + v_start(k.tree[side]);
      if (k.has_six_columns) {
        AddSixTransposeProduct<T>(J, impulse, j_tree);
        continue;
      }
      for (const ColumnRange& range : ranges(c, side)) {
        AddContactTransposeProduct<T>(J + 3 * range.first, range.size, impulse,
                                      j_tree + range.start);
      }
    }
    return;
  }
  if (k.num_rows == 6) {
    const Vector6<T> impulse = sign * Eigen::Map<const Vector6<T>>(g);
    for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
      const T* const J = block(k, side);
      T* const j_tree = j + v_start(k.tree[side]);
      for (const ColumnRange& range : ranges(c, side)) {
        AddMotionTransposeProduct<T>(J + 6 * range.first, range.size, impulse,
                                     j_tree + range.start);
      }
    }
    return;
  }
  const Eigen::Matrix<T, Eigen::Dynamic, 1, 0, 6, 1> impulse =
      sign * Eigen::Map<const VectorX<T>>(g, k.num_rows);
  for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
    for (const ColumnRange& range : ranges(c, side)) {
      Eigen::Map<VectorX<T>>(j + v_start(k.tree[side]) + range.start,
                             range.size)
          .noalias() += J(c, side, range).transpose().lazyProduct(impulse);
    }
  }
}

template <typename T>
VectorX<T> StepProblem<T>::CalcResidual(const VectorX<T>& v) const {
  VectorX<T> v_rows, g, j;
  CalcRowVelocities(v, &v_rows);
  CalcImpulses(v_rows, &g);
  CalcGeneralizedImpulse(g, &j);
  VectorX<T> residual = -impulse_ - j;
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

namespace {

template <typename T>
ContactLaw<double> ExtractLaw(const ContactLaw<T>& law) {
  ContactLaw<double> result;
  result.kind = static_cast<ContactLaw<double>::Kind>(law.kind);
  result.mu = ToDouble(law.mu);
  result.v_hat = ToDouble(law.v_hat);
  result.R_n = ToDouble(law.R_n);
  result.R_t = ToDouble(law.R_t);
  result.dt = law.dt;
  result.k = ToDouble(law.k);
  result.d = ToDouble(law.d);
  result.f0 = ToDouble(law.f0);
  result.n0 = ToDouble(law.n0);
  result.eps = law.eps;
  return result;
}

template <typename T>
DofForceLaw<double> ExtractLaw(const DofForceLaw<T>& law) {
  return {ToDouble(law.damping),  law.has_friction,
          ToDouble(law.friction), ToDouble(law.b_friction),
          law.has_controller,     ToDouble(law.a),
          ToDouble(law.b),        law.effort,
          law.has_limits,         ToDouble(law.a_lower),
          ToDouble(law.a_upper),  ToDouble(law.b_limit)};
}

}  // namespace

template <typename T>
StepProblem<double> StepProblem<T>::ExtractValues() const {
  StepProblem<double> result;
  result.dt_ = dt_;
  result.num_rows_ = num_rows_;
  result.tree_start_ = tree_start_;
  result.sizes_ = sizes_;
  result.A_start_ = A_start_;
  for (const T& a : A_) result.A_.push_back(ToDouble(a));
  result.v_star_ = ToDouble(v_star_);
  result.impulse_ = ToDouble(impulse_);
  result.is_factored_.assign(num_trees(), 0);
  result.parents_ = parents_;
  result.is_branched_ = is_branched_;
  for (const auto& law : dof_laws_) result.dof_laws_.push_back(ExtractLaw(law));
  result.is_locked_ = is_locked_;
  for (const Constraint& k : constraints_) {
    auto& copy = result.constraints_.emplace_back();
    copy.is_contact = k.is_contact;
    copy.has_six_columns = k.has_six_columns;
    copy.num_rows = k.num_rows;
    copy.size = k.size;
    copy.row = k.row;
    copy.law = k.law;
    copy.num_contacts = k.num_contacts;
    copy.offsets = k.offsets;
    for (int side = 0; side < 2; ++side) {
      copy.tree[side] = k.tree[side];
      copy.block[side] = k.block[side];
      copy.num_columns[side] = k.num_columns[side];
      copy.range[side] = k.range[side];
      copy.num_ranges[side] = k.num_ranges[side];
    }
  }
  for (const ColumnRange& range : ranges_) {
    result.ranges_.push_back({range.start, range.size, range.first});
  }
  for (const auto& law : contact_laws_) {
    result.contact_laws_.push_back(ExtractLaw(law));
  }
  result.contact_rows_ = contact_rows_;
  for (const auto& law : row_laws_) {
    result.row_laws_.push_back(
        {ToDouble(law.v_hat), ToDouble(law.R), law.lower, law.upper});
  }
  for (const T& j : J_) result.J_.push_back(ToDouble(j));
  return result;
}

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::StepProblem);
