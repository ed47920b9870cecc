#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/step/branch_pattern.h"
#include "wyvern/multibody/step/laws/contact_law.h"
#include "wyvern/multibody/step/laws/dof_force_law.h"
#include "wyvern/multibody/step/laws/row_law.h"
#include "wyvern/multibody/step/rows/contact_block.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** One discrete step as a convex problem: find v with

  A (v - v*) = p + sum_c J_c' g_c(J_c v) + dt f(v),

p given impulses, A block diagonal by tree and positive definite, g_c and f
decreasing (ContactLaw, RowLaw; DofForceLaw for single velocities). It is the
minimum of a strictly convex function, so there is exactly one solution.

A constraint touches one or two trees; its Jacobian is a dense block for each,
of all columns of the tree or of those that may differ from zero. Contacts of
one pair of bodies and with the same axes may share six rows, the bodies'
relative motion (v, w) = J v at a point, in these axes: contact i, at p_i from
there, moves with v + w x p_i = S_i J v, and the rows' impulse is sum_i S_i' g_i
= sum_i (g_i, p_i x g_i). Reset() and then the Add functions fill it anew for
every step; storage is kept, so that steps with no more than an earlier one
allocate nothing. */
template <typename T>
class StepProblem {
 public:
  /** The place of a constraint in the flat arrays. */
  struct Constraint {
    bool is_contact{};
    /** Whether it has three or six rows, and six columns for each of its
    trees, as between free bodies. */
    bool has_six_columns{};
    /** Rows of its Jacobian. */
    int num_rows{};
    /** Its entries in arrays by row: one a row and, if contacts share the rows,
    three more (t1, t2, n) a contact. */
    int size{};
    /** The first of its entries in arrays by row. */
    int row{};
    /** Index of its first contact, or of the first of its row laws. */
    int law{};
    int num_contacts{};
    /** Start of the offsets p of its contacts; -1 unless they share rows. */
    int offsets{-1};
    bool has_shared_rows() const { return offsets >= 0; }
    /** The second is -1 if there is one tree only. */
    int tree[2]{-1, -1};
    /** Starts of its blocks (num_rows x num_columns, column major). */
    int block[2]{};
    int num_columns[2]{};
    /** The first of its ranges of columns, and their number. */
    int range[2]{};
    int num_ranges[2]{};
  };
  /** Neighbouring columns of a Jacobian block: columns first, first + 1 ... of
  the block belong to the tree's velocities start, start + 1 ... */
  struct ColumnRange {
    int start{};
    int size{};
    int first{};
  };
  using BlockMap = Eigen::Map<MatrixX<T>>;
  using ConstBlockMap = Eigen::Map<const MatrixX<T>>;

  /** Starts a step of dt, [s], with trees of these numbers of velocities: A =
  0, v* = p = 0, no laws, nothing locked, no constraints. */
  void Reset(double dt, std::span<const int> tree_nv);

  double dt() const { return dt_; }
  int num_trees() const { return static_cast<int>(tree_start_.size()) - 1; }
  int num_v() const { return tree_start_.back(); }
  int v_start(int tree) const { return tree_start_[tree]; }
  int nv(int tree) const { return tree_start_[tree + 1] - tree_start_[tree]; }

  /** The block of A of one tree, both triangles. */
  BlockMap A(int tree) {
    return BlockMap(A_.data() + A_start_[tree], nv(tree), nv(tree));
  }
  ConstBlockMap A(int tree) const {
    return ConstBlockMap(A_.data() + A_start_[tree], nv(tree), nv(tree));
  }
  /** Sets the branches of a tree, so that entries of A that are zero, and stay
  zero in factors, are left out. Without a call all velocities are on one path.
  @param parents By velocity of the tree: the last velocity before it on its
  path from the world, or -1.
  @throws std::logic_error if a parent is not before its velocity. */
  void SetBranches(int tree, std::span<const int> parents);
  /** By velocity of all trees. */
  std::span<const int> parents() const { return parents_; }
  /** Whether not all velocities of the tree are on one path. */
  bool is_branched(int tree) const { return is_branched_[tree] != 0; }
  VectorX<T>& v_star() { return v_star_; }
  const VectorX<T>& v_star() const { return v_star_; }
  /** Given impulses, p, [N s]. */
  VectorX<T>& impulse() { return impulse_; }
  const VectorX<T>& impulse() const { return impulse_; }
  /** By velocity; empty if there are none. */
  std::vector<DofForceLaw<T>>& dof_laws() { return dof_laws_; }
  const std::vector<DofForceLaw<T>>& dof_laws() const { return dof_laws_; }
  /** Locked velocities are 0 and take up any force. */
  std::vector<char>& is_locked() { return is_locked_; }
  const std::vector<char>& is_locked() const { return is_locked_; }

  /** Adds a contact with 3 rows (t1, t2, n); tree_b = -1 for one tree. The
  blocks of its Jacobian, zero so far, have to be written to J().
  @param columns_a Velocities of the tree, from 0 and increasing, whose columns
  its block has, the others being zero; all if it is empty.
  @returns its index.
  @throws std::logic_error if trees or columns are not as said. */
  int AddContact(const ContactLaw<T>& law, int tree_a, int tree_b,
                 std::span<const int> columns_a = {},
                 std::span<const int> columns_b = {});
  /** Adds contacts that share six rows (v, w). The blocks of the rows and p of
  each contact have to be written to J() and contact_offset(); their laws are
  contact_law(), from the constraint's first on. @returns the index of their
  constraint.
  @throws std::logic_error as AddContact() does. */
  int AddContacts(int num, int tree_a, int tree_b,
                  std::span<const int> columns_a = {},
                  std::span<const int> columns_b = {});
  /** Adds a constraint with a row per law. @returns its index. */
  int AddRows(std::span<const RowLaw<T>> laws, int tree_a, int tree_b,
              std::span<const int> columns_a = {},
              std::span<const int> columns_b = {});

  int num_constraints() const { return static_cast<int>(constraints_.size()); }
  /** Size of arrays by row: the sum of Constraint::size. */
  int num_rows() const { return num_rows_; }
  const Constraint& constraint(int c) const { return constraints_[c]; }
  ContactLaw<T>& contact_law(int i) { return contact_laws_[i]; }
  const ContactLaw<T>& contact_law(int i) const { return contact_laws_[i]; }
  /** Number of contacts of all constraints; they are in the order of these. */
  int num_contacts() const { return static_cast<int>(contact_laws_.size()); }
  /** The first of the three entries of contact i in arrays by row. */
  int contact_row(int i) const { return contact_rows_[i]; }
  /** The offset p, [m], of contact i of a constraint with shared rows. */
  Eigen::Map<Vector3<T>> contact_offset(const Constraint& k, int i) {
    return Eigen::Map<Vector3<T>>(J_.data() + k.offsets + 3 * i);
  }
  Eigen::Map<const Vector3<T>> contact_offset(const Constraint& k,
                                              int i) const {
    return Eigen::Map<const Vector3<T>>(J_.data() + k.offsets + 3 * i);
  }
  RowLaw<T>& row_law(int i) { return row_laws_[i]; }
  const RowLaw<T>& row_law(int i) const { return row_laws_[i]; }

  /** The Jacobian block of constraint c for its first or second tree: the
  columns of ranges(c, side), one range after the other. */
  BlockMap J(int c, int side) {
    const Constraint& k = constraints_[c];
    return BlockMap(J_.data() + k.block[side], k.num_rows, k.num_columns[side]);
  }
  ConstBlockMap J(int c, int side) const {
    const Constraint& k = constraints_[c];
    return ConstBlockMap(J_.data() + k.block[side], k.num_rows,
                         k.num_columns[side]);
  }
  /** The first entry of a constraint's block. */
  const T* block(const Constraint& k, int side) const {
    return J_.data() + k.block[side];
  }
  /** The columns of a constraint's block, by increasing velocity. */
  std::span<const ColumnRange> ranges(int c, int side) const {
    const Constraint& k = constraints_[c];
    return std::span<const ColumnRange>(ranges_).subspan(k.range[side],
                                                         k.num_ranges[side]);
  }
  /** The columns of one range of a constraint's block. */
  ConstBlockMap J(int c, int side, const ColumnRange& range) const {
    const Constraint& k = constraints_[c];
    return ConstBlockMap(J_.data() + k.block[side] + k.num_rows * range.first,
                         k.num_rows, range.size);
  }
  /** j += J'g of one constraint: j by all velocities, g by its rows. */
  void AddGeneralizedImpulse(int c, const Eigen::Ref<const VectorX<T>>& g,
                             Eigen::Ref<VectorX<T>> j) const {
    AddGeneralizedImpulse(c, 1, g.data(), j.data());
  }
  /** j += sign J'g of one constraint; g and j point to their first entries. */
  void AddGeneralizedImpulse(int c, double sign, const T* g, T* j) const;

  /** The mean size of the constraint's block of J A^-1 J', [1/kg] or the like:
  |block|_F / rows. A must be complete; of its trees each is factored when it is
  first needed. */
  T CalcDelassusScale(int c);
  /** The mean size of the block for `num` rows from `first` on. */
  T CalcDelassusScale(int c, int first, int num);
  /** Returns J A^-1 J' of the six rows of a body's motion, of which the rows of
  its constraints are combinations. A must be complete.
  @param last The last velocity of the tree that moves the body, or -1. J is
  zero except on its path from the world.
  @param J Columns by velocity of the tree; only those on the path are read. */
  Matrix6<T> CalcPathMobility(int tree, int last, const T* J);

  /** Writes J v of one constraint, and the velocities of contacts that share
  its rows, to their entries of v_rows. */
  void CalcRowVelocities(int c, const VectorX<T>& v, VectorX<T>* v_rows) const;
  /** Writes v + w x p of the contacts that share a constraint's rows, if any,
  from (v, w) in its rows. */
  void CalcContactVelocities(const Constraint& k, VectorX<T>* v_rows) const;
  /** J v of all rows. */
  void CalcRowVelocities(const VectorX<T>& v, VectorX<T>* v_rows) const;
  /** Writes g of one constraint at the rows' velocities. */
  void CalcImpulse(const Constraint& k, const VectorX<T>& v_rows,
                   VectorX<T>* g) const;
  /** Writes the sum of (g, p x g) of the contacts that share a constraint's
  rows, if any, to these rows. */
  void SumContactImpulses(const Constraint& k, VectorX<T>* g) const;
  /** Writes g of all rows at the rows' velocities. */
  void CalcImpulses(const VectorX<T>& v_rows, VectorX<T>* g) const;
  /** Computes G = -dg/dv of one constraint, in the corner of its rows; of
  contacts that share them sum_i S_i' G_i S_i. @returns false if it is 0. */
  bool CalcSlopes(int c, const VectorX<T>& v_rows, Matrix6<T>* G) const;
  /** Computes G of a constraint of contacts from theirs. @param get get(i,
  &G_i) gives G of its contact i, and returns false if that is 0. */
  template <class Get>
  bool SumContactSlopes(const Constraint& k, const Get& get,
                        Matrix6<T>* G) const;
  /** Computes the generalized impulse J'g, [N s] or [N m s]. */
  void CalcGeneralizedImpulse(const VectorX<T>& g, VectorX<T>* j) const;
  /** Returns A (v - v*) - p - J'g(J v) - dt f(v), 0 at the solution and for
  locked velocities. Allocates. */
  VectorX<T> CalcResidual(const VectorX<T>& v) const;

  /** Returns the problem without derivatives. */
  StepProblem<double> ExtractValues() const;

 private:
  template <typename>
  friend class StepProblem;
  int AddConstraint(int num_contacts, int num_rows, int law, int tree_a,
                    int tree_b, std::span<const int> columns_a,
                    std::span<const int> columns_b);
  void AddBlock(int side, std::span<const int> columns, Constraint* constraint);
  void FactorInertia(int tree);

  double dt_{};
  int num_rows_{};
  std::vector<int> tree_start_{0};
  std::vector<int> A_start_;
  std::vector<T> A_;
  VectorX<T> v_star_;
  VectorX<T> impulse_;
  std::vector<DofForceLaw<T>> dof_laws_;
  std::vector<char> is_locked_;
  std::vector<Constraint> constraints_;
  std::vector<ColumnRange> ranges_;
  std::vector<ContactLaw<T>> contact_laws_;
  std::vector<int> contact_rows_;
  std::vector<RowLaw<T>> row_laws_;
  std::vector<T> J_;  // Blocks, and offsets of contacts.
  std::vector<int> parents_;
  std::vector<char> is_branched_;
  std::vector<int> sizes_;  // Sizes of trees.
  BranchPattern pattern_;   // Pattern of A, once a tree is factored.
  bool has_pattern_{};
  std::vector<T> U_;  // A = U U', laid out as A is, of the trees in:
  std::vector<char> is_factored_;
  MatrixX<T> U_inverse_J_;
  std::vector<char> is_in_;
};

template <typename T>
template <class Get>
bool StepProblem<T>::SumContactSlopes(const Constraint& k, const Get& get,
                                      Matrix6<T>* G) const {
  Matrix3<T> slopes;
  if (!k.has_shared_rows()) {
    if (!get(0, &slopes)) return false;
    G->template topLeftCorner<3, 3>() = slopes;
    return true;
  }
  bool acts = false;
  G->setZero();
  for (int i = 0; i < k.num_contacts; ++i) {
    if (!get(i, &slopes)) continue;
    acts = true;
    AddOffsetSlopes<T>(contact_offset(k, i), slopes, G);
  }
  if (acts) G->template triangularView<Eigen::StrictlyLower>() = G->transpose();
  return acts;
}

}  // namespace wyvern::multibody::internal
