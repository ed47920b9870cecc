#include "wyvern/multibody/contact/step_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <Eigen/Cholesky>

#include "wyvern/multibody/contact/contact_block.h"

/* Trees that constraints couple form islands, and each is solved by itself.
With r = A (v - v*) - p - J'g - dt f, the residual, and H = A + J'G J - dt
df/dv, G = -dg/dv, its derivative, an iteration is

  CalcState()       rows J v, impulses g, residual r: is it done?
  CalcNewtonStep()  dv = -H^-1 r, H by blocks of trees (BlockCholesky)
  SearchLine()      alpha where dv'r(v + alpha dv) = 0; v += alpha dv.

r is the gradient of a strictly convex function, so that this ends from any
start. Where a step has left little of r, the next one takes the same factor of
H. A locked velocity has the identity for its row and column of H. What
round-off leaves of r counts as 0 once steps no longer change v. */

namespace wyvern::multibody::internal {

namespace {

using Problem = StepProblem<double>;
using Stride = Eigen::OuterStride<>;
using BlockMap = Eigen::Map<MatrixX<double>, 0, Stride>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

// A relative residual that round-off may leave where steps have become too
// small to change v.
constexpr double kRoundOffResidual = 1e-6;
// A step that leaves less than this share of the residual may be followed by
// one with the same factor.
constexpr double kNearlySolved = 0.03;
// Where the guess leaves more than this share of what balances, the other
// is tried.
constexpr double kGoodGuess = 0.3;
// The line search stops at this share of the slope at alpha = 0: more exact
// ones cost more than the iterations that they save.
constexpr double kLineTolerance = 1e-2;
constexpr double kLargestStep = 1.5;
constexpr int kMaxLineSteps = 60;

// H += B' G A of 3 rows and 6 columns each.
void AddProduct36(const double* G, const double* A, const double* B,
                  BlockMap* H) {
  using Rows = Eigen::Map<const Eigen::Matrix<double, 3, 6>>;
  const Eigen::Matrix<double, 3, 6> GA =
      Eigen::Map<const Matrix3<double>, 0, Stride>(G, Stride(6))
          .lazyProduct(Rows(A));
  Eigen::Map<Matrix6, 0, Stride>(H->data(), Stride(H->outerStride()))
      .noalias() += Rows(B).transpose().lazyProduct(GA);
}

// H += B' G A with R rows, or any number if -1, of two of a constraint's
// blocks; of the product with itself only the lower triangle.
template <int R>
void AddProduct(const Problem& problem, int c, const double* G, int side_A,
                int side_B, BlockMap* H) {
  constexpr int kMaxRows = R < 0 ? 6 : R;
  using Rows = Eigen::Matrix<double, R, Eigen::Dynamic, 0, kMaxRows>;
  using Column = Eigen::Matrix<double, R, 1, 0, kMaxRows, 1>;
  const int rows = problem.constraint(c).num_rows;
  const Eigen::Map<const Eigen::Matrix<double, R, R, 0, kMaxRows, kMaxRows>, 0,
                   Stride>
      G_map(G, rows, rows, Stride(6));
  const auto runs_B = problem.runs(c, side_B);
  std::size_t first = 0;
  for (const Problem::Run& run_A : problem.runs(c, side_A)) {
    const double* A = problem.J(c, side_A, run_A).data();
    for (int j = 0; j < run_A.size; ++j) {
      const Column column =
          G_map.lazyProduct(Eigen::Map<const Column>(A + rows * j, rows));
      const int to = run_A.start + j;
      for (std::size_t i = first; i < runs_B.size(); ++i) {
        const Problem::Run& run_B = runs_B[i];
        // Above the diagonal of the run that both are in.
        const int skip = side_A == side_B && i == first ? j : 0;
        const Eigen::Map<const Rows> B(
            problem.J(c, side_B, run_B).data() + rows * skip, rows,
            run_B.size - skip);
        H->col(to).segment(run_B.start + skip, run_B.size - skip).noalias() +=
            B.transpose().lazyProduct(column);
      }
    }
    if (side_A == side_B) ++first;
  }
}

// H += B' G A of the constraint's blocks of two of its sides.
void AddProduct(const Problem& problem, int c, const double* G, int side_A,
                int side_B, BlockMap* H) {
  const Problem::Constraint& k = problem.constraint(c);
  if (k.num_rows != 3) {
    AddProduct<-1>(problem, c, G, side_A, side_B, H);
  } else if (H->cols() == 6 && H->rows() == 6 && k.num_columns[side_A] == 6 &&
             k.num_columns[side_B] == 6) {
    AddProduct36(G, problem.J(c, side_A).data(), problem.J(c, side_B).data(),
                 H);
  } else {
    AddProduct<3>(problem, c, G, side_A, side_B, H);
  }
}

// y = A x of one tree.
void MultiplyInertia(const Problem& problem, int tree, const VectorX<double>& x,
                     VectorX<double>* y) {
  const int start = problem.v_start(tree), n = problem.nv(tree);
  const auto A = problem.A(tree);
  if (n == 6) {
    y->segment<6>(start).noalias() =
        Eigen::Map<const Matrix6>(A.data()) * x.segment<6>(start);
  } else {
    y->segment(start, n).noalias() = A * x.segment(start, n);
  }
}

// The rows of J x of one constraint.
void CalcRows(const Problem& problem, int c, const VectorX<double>& x,
              VectorX<double>* all_rows) {
  const Problem::Constraint& k = problem.constraint(c);
  if (k.is_contact) {
    Vector3<double> v = Vector3<double>::Zero();
    for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
      const int t = k.tree[side];
      const double* J = problem.J(c, side).data();
      const double* x_tree = x.data() + problem.v_start(t);
      for (const Problem::Run& run : problem.runs(c, side)) {
        v = AddContactProduct<double>(J + 3 * run.first, run.size,
                                      x_tree + run.start, v);
      }
    }
    all_rows->segment<3>(k.row) = v;
    return;
  }
  auto rows = all_rows->segment(k.row, k.num_rows);
  rows.setZero();
  for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
    for (const Problem::Run& run : problem.runs(c, side)) {
      rows.noalias() +=
          problem.J(c, side, run)
              .lazyProduct(x.segment(problem.v_start(k.tree[side]) + run.start,
                                     run.size));
    }
  }
}

// G = -dg/dv of one constraint; the part that its rows take up is written.
// False if it is 0.
bool CalcSlopes(const Problem& problem, const Problem::Constraint& k,
                const VectorX<double>& rows, Matrix6* G) {
  if (k.is_contact) {
    Vector3<double> impulse;
    Matrix3<double> slopes;
    problem.contact_law(k.law).Calc(rows.segment<3>(k.row), &impulse, &slopes);
    G->topLeftCorner<3, 3>() = slopes;
    return !slopes.isZero(0);
  }
  G->setZero();
  for (int i = 0; i < k.num_rows; ++i) {
    (*G)(i, i) = problem.row_law(k.law + i).CalcSlope(rows[k.row + i]);
  }
  return true;
}

// What round-off may leave of the island's residual, in the norm of `inverse`:
// a row's velocity is a sum of terms J v, each exact to eps, and its slope G
// makes an impulse of the error; so does the inertia A of that of v. It counts
// where impulses nearly vanish or cancel while much moves fast. `e` is room to
// work in, of the size of v.
double CalcRoundOff(const Problem& problem, std::span<const int> constraints,
                    std::span<const int> trees,
                    const VectorX<double>& row_velocities,
                    const VectorX<double>& v, const VectorX<double>& inverse,
                    VectorX<double>* e) {
  constexpr double kUnit = 16 * std::numeric_limits<double>::epsilon();
  e->setZero();
  for (const int t : trees) {
    const int start = problem.v_start(t), n = problem.nv(t);
    e->segment(start, n).noalias() =
        problem.A(t).cwiseAbs() * v.segment(start, n).cwiseAbs();
  }
  for (const int c : constraints) {
    const Problem::Constraint& k = problem.constraint(c);
    const int rows = k.num_rows;
    std::array<double, 6> error{};
    for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
      for (const Problem::Run& run : problem.runs(c, side)) {
        const auto J = problem.J(c, side, run);
        const int start = problem.v_start(k.tree[side]) + run.start;
        for (int j = 0; j < run.size; ++j) {
          const double speed = std::abs(v[start + j]);
          for (int r = 0; r < rows; ++r) error[r] += std::abs(J(r, j)) * speed;
        }
      }
    }
    Matrix6 G;
    CalcSlopes(problem, k, row_velocities, &G);
    for (int r = 0; r < rows; ++r) {
      double impulse = 0;
      for (int i = 0; i < rows; ++i) impulse += std::abs(G(r, i)) * error[i];
      for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
        for (const Problem::Run& run : problem.runs(c, side)) {
          const auto J = problem.J(c, side, run);
          const int start = problem.v_start(k.tree[side]) + run.start;
          for (int j = 0; j < run.size; ++j) {
            (*e)[start + j] += std::abs(J(r, j)) * impulse;
          }
        }
      }
    }
  }
  double sum = 0;
  for (const int t : trees) {
    const int start = problem.v_start(t), n = problem.nv(t);
    sum += e->segment(start, n).cwiseAbs2().dot(inverse.segment(start, n));
  }
  return kUnit * std::sqrt(sum);
}

// r -= J'g of one constraint.
void SubtractImpulse(const Problem& problem, int c, const VectorX<double>& g,
                     VectorX<double>* r) {
  const Problem::Constraint& k = problem.constraint(c);
  for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
    const int start = problem.v_start(k.tree[side]);
    for (const Problem::Run& run : problem.runs(c, side)) {
      const auto J = problem.J(c, side, run);
      if (k.is_contact) {
        AddContactTransposeProduct<double>(
            J.data(), run.size, Vector3<double>(-g.segment<3>(k.row)),
            r->data() + start + run.start);
      } else {
        r->segment(start + run.start, run.size).noalias() -=
            J.transpose().lazyProduct(g.segment(k.row, k.num_rows));
      }
    }
  }
}

bool Acts(const DofForceLaw<double>& law) {
  return law.damping != 0 || law.has_friction || law.has_controller ||
         law.has_limits;
}

}  // namespace

const StepSolver::Solution& StepSolver::Solve(const Problem& problem,
                                              const VectorX<double>& v_guess,
                                              const VectorX<double>* v_other) {
  Prepare(problem, v_guess, v_other);
  for (int i = 0; i < cholesky_.num_islands(); ++i) {
    SolveIsland(problem, i, v_other);
  }
  if (!solution_.v.allFinite() ||
      !solution_.g.head(problem.num_rows()).allFinite()) {
    throw std::runtime_error(
        "StepSolver: the step's masses, forces or contacts are not finite; "
        "check the state and the inputs.");
  }
  ++statistics_.num_solves;
  statistics_.num_iterations += solution_.num_iterations;
  statistics_.max_iterations =
      std::max(statistics_.max_iterations, solution_.num_iterations);
  statistics_.worst_residual =
      std::max(statistics_.worst_residual, solution_.residual);
  return solution_;
}

void StepSolver::Prepare(const Problem& problem, const VectorX<double>& v_guess,
                         const VectorX<double>* v_other) {
  const int nv = problem.num_v();
  solution_.v = problem.v_star();
  solution_.num_iterations = 0;
  solution_.residual = 0;
  const int num_rows = problem.num_rows();
  for (VectorX<double>* x : {&solution_.g, &rows_, &d_rows_}) {
    if (x->size() < num_rows) x->setZero(num_rows);  // Never shorter.
  }
  solution_.g.head(num_rows).setZero();
  for (VectorX<double>* x : {&r_, &p_, &dv_, &A_dv_, &inverse_}) x->resize(nv);
  SortConstraintsByIsland(problem);
  solution_.num_islands = cholesky_.num_islands();
  for (int t = 0; t < problem.num_trees(); ++t) {
    if (!is_used_[t]) continue;
    const int start = problem.v_start(t), n = problem.nv(t);
    inverse_.segment(start, n) = problem.A(t).diagonal().cwiseInverse();
    const bool is_linear = IsLinear(cholesky_.island_of(t));
    const VectorX<double>& v = v_other && is_linear ? *v_other : v_guess;
    for (int i = start; i < start + n; ++i) {
      solution_.v[i] = problem.is_locked()[i] ? 0.0 : v[i];
    }
  }
}

void StepSolver::SortConstraintsByIsland(const Problem& problem) {
  const int num_trees = problem.num_trees();
  const auto& laws = problem.dof_laws();
  sizes_.resize(num_trees);
  is_used_.assign(num_trees, 0);
  has_laws_.assign(num_trees, 0);
  has_locked_.assign(num_trees, 0);
  for (int t = 0; t < num_trees; ++t) {
    sizes_[t] = problem.nv(t);
    for (int i = problem.v_start(t); i < problem.v_start(t) + sizes_[t]; ++i) {
      if (problem.is_locked()[i]) has_locked_[t] = 1;
      if (!laws.empty() && Acts(laws[i])) has_laws_[t] = 1;
      if (problem.impulse()[i] != 0) is_used_[t] = 1;
    }
    if (has_locked_[t] || has_laws_[t]) is_used_[t] = 1;
  }
  edges_.clear();
  for (int c = 0; c < problem.num_constraints(); ++c) {
    const auto& tree = problem.constraint(c).tree;
    is_used_[tree[0]] = 1;
    if (tree[1] < 0) continue;
    is_used_[tree[1]] = 1;
    const std::pair<int, int> edge = std::minmax(tree[0], tree[1]);
    if (edges_.empty() || edges_.back() != edge) edges_.push_back(edge);
  }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  cholesky_.Analyze(sizes_, is_used_, edges_);
  const int num_islands = cholesky_.num_islands();
  constraint_start_.assign(num_islands + 2, 0);
  for (int c = 0; c < problem.num_constraints(); ++c) {
    ++constraint_start_[cholesky_.island_of(problem.constraint(c).tree[0]) + 2];
  }
  for (int i = 2; i < num_islands + 2; ++i) {
    constraint_start_[i] += constraint_start_[i - 1];
  }
  constraints_.resize(problem.num_constraints());
  for (int c = 0; c < problem.num_constraints(); ++c) {
    const int island = cholesky_.island_of(problem.constraint(c).tree[0]);
    constraints_[constraint_start_[island + 1]++] = c;
  }
}

bool StepSolver::MeetsTolerance(double relative, double absolute) const {
  return relative <= options_.relative_tolerance ||
         absolute <= options_.absolute_tolerance;
}

// Moves the island to v_other if less of the residual is left there; the state
// is then of that.
void StepSolver::TryOther(const Problem& problem, int island,
                          const VectorX<double>& v_other, double* relative,
                          double* absolute) {
  const std::span<const int> trees = cholesky_.island(island);
  const auto swap = [&] {  // dv_ holds what is not in use.
    for (const int t : trees) {
      const int start = problem.v_start(t), n = problem.nv(t);
      dv_.segment(start, n).swap(solution_.v.segment(start, n));
    }
  };
  bool is_same = true;
  for (const int t : trees) {
    for (int i = problem.v_start(t); i < problem.v_start(t) + problem.nv(t);
         ++i) {
      dv_[i] = problem.is_locked()[i] ? 0.0 : v_other[i];
      is_same = is_same && dv_[i] == solution_.v[i];
    }
  }
  if (is_same) return;
  swap();
  CalcState(problem, island);
  double other_absolute;
  const double other_relative =
      CalcRelativeResidual(problem, island, &other_absolute);
  if (other_absolute < *absolute) {
    *relative = other_relative;
    *absolute = other_absolute;
  } else {
    swap();
    CalcState(problem, island);
  }
}

void StepSolver::SolveIsland(const Problem& problem, int island,
                             const VectorX<double>* v_other) {
  double relative = 0, absolute = 0, length = 1;
  double previous = 0;  // The relative residual before the last step.
  bool is_factored = false;
  for (int iteration = 0; iteration <= options_.max_iterations; ++iteration) {
    CalcState(problem, island);
    relative = CalcRelativeResidual(problem, island, &absolute);
    if (iteration == 0 && v_other != nullptr && relative > kGoodGuess &&
        !MeetsTolerance(relative, absolute)) {
      TryOther(problem, island, *v_other, &relative, &absolute);
    }
    bool is_done = MeetsTolerance(relative, absolute);
    if (!is_done && length < 1e-13) {  // Steps no longer change v.
      is_done =
          relative < kRoundOffResidual ||
          absolute <= CalcRoundOff(problem,
                                   std::span<const int>(constraints_)
                                       .subspan(constraint_start_[island],
                                                constraint_start_[island + 1] -
                                                    constraint_start_[island]),
                                   cholesky_.island(island), rows_, solution_.v,
                                   inverse_, &dv_);
    }
    if (is_done) {
      solution_.num_iterations = std::max(solution_.num_iterations, iteration);
      if (absolute > options_.absolute_tolerance) {
        solution_.residual = std::max(solution_.residual, relative);
      }
      return;
    }
    if (!std::isfinite(relative)) break;
    // Where the last step left little, H has hardly changed since.
    is_factored = is_factored && relative < kNearlySolved * previous;
    CalcNewtonStep(problem, island, is_factored);
    is_factored = true;
    previous = relative;
    const double alpha = IsLinear(island) ? 1.0 : SearchLine(problem, island);
    double step = 0, speed = 0;
    for (const int t : cholesky_.island(island)) {
      const int start = problem.v_start(t), n = problem.nv(t);
      solution_.v.segment(start, n) += alpha * dv_.segment(start, n);
      step = std::max(step, dv_.segment(start, n).lpNorm<Eigen::Infinity>());
      speed = std::max(speed,
                       solution_.v.segment(start, n).lpNorm<Eigen::Infinity>());
    }
    length = alpha * step / std::max(speed, 1e-6);
  }
  throw std::runtime_error(fmt::format(
      "StepSolver: {} constraints between {} trees are not solved after {} "
      "iterations; the worst relative residual is {}. Is a number not finite, "
      "or a mass ratio beyond 1e12?",
      constraint_start_[island + 1] - constraint_start_[island],
      cholesky_.island(island).size(), options_.max_iterations, relative));
}

// Nothing acts on the island but given impulses.
bool StepSolver::IsLinear(int island) const {
  const auto trees = cholesky_.island(island);
  return constraint_start_[island] == constraint_start_[island + 1] &&
         trees.size() == 1 && !has_laws_[trees[0]];
}

void StepSolver::CalcState(const Problem& problem, int island) {
  const VectorX<double>& v = solution_.v;
  for (const int t : cholesky_.island(island)) {
    const int start = problem.v_start(t), n = problem.nv(t);
    r_.segment(start, n) =
        v.segment(start, n) - problem.v_star().segment(start, n);
    MultiplyInertia(problem, t, r_, &p_);
    p_.segment(start, n) -= problem.impulse().segment(start, n);
    r_.segment(start, n) = p_.segment(start, n);
    if (!has_laws_[t]) continue;
    for (int i = start; i < start + n; ++i) {
      r_[i] -= problem.dt() * problem.dof_laws()[i].CalcForce(v[i]);
    }
  }
  for (int i = constraint_start_[island]; i < constraint_start_[island + 1];
       ++i) {
    const int c = constraints_[i];
    const Problem::Constraint& k = problem.constraint(c);
    CalcRows(problem, c, v, &rows_);
    if (k.is_contact) {
      solution_.g.segment<3>(k.row) =
          problem.contact_law(k.law).CalcImpulse(rows_.segment<3>(k.row));
    } else {
      for (int row = 0; row < k.num_rows; ++row) {
        solution_.g[k.row + row] =
            problem.row_law(k.law + row).CalcImpulse(rows_[k.row + row]);
      }
    }
    SubtractImpulse(problem, c, solution_.g, &r_);
  }
}

double StepSolver::CalcRelativeResidual(const Problem& problem, int island,
                                        double* absolute) const {
  double residual = 0, inertial = 0, other = 0;
  for (const int t : cholesky_.island(island)) {
    const int start = problem.v_start(t), n = problem.nv(t);
    for (int i = start; i < start + n; ++i) {
      if (problem.is_locked()[i]) continue;
      residual += inverse_[i] * r_[i] * r_[i];
      inertial += inverse_[i] * p_[i] * p_[i];
      const double j = p_[i] - r_[i];
      other += inverse_[i] * j * j;
    }
  }
  *absolute = std::sqrt(residual);
  if (residual == 0) return 0;
  return std::sqrt(residual / std::max(inertial, other));
}

void StepSolver::CalcNewtonStep(const Problem& problem, int island,
                                bool is_factored) {
  if (is_factored) {
    // The last factor serves again.
  } else if (options_.use_dense) {
    FactorDense(problem, island);
  } else {
    FactorHessian(problem, island);
  }
  for (const int t : cholesky_.island(island)) {
    const int start = problem.v_start(t), n = problem.nv(t);
    dv_.segment(start, n) = -r_.segment(start, n);
    for (int i = start; i < start + n; ++i) {
      if (problem.is_locked()[i]) dv_[i] = 0;
    }
  }
  SolveFactored(problem, island, dv_);
}

void StepSolver::FactorHessian(const Problem& problem, int island) {
  AssembleHessian(problem, island);
  if (!cholesky_.Factor(island)) {
    throw std::runtime_error(fmt::format(
        "StepSolver: the inertia of {} coupled trees is not positive definite; "
        "look for bodies without mass, mass ratios beyond 1e12, and numbers "
        "that are not finite.",
        cholesky_.island(island).size()));
  }
}

void StepSolver::AssembleHessian(const Problem& problem, int island) {
  cholesky_.SetZero(island);
  bool is_transposed;
  for (const int t : cholesky_.island(island)) {
    auto H = cholesky_.Block(t, t, &is_transposed);
    H = problem.A(t);
    if (!has_laws_[t]) continue;
    const int start = problem.v_start(t);
    for (int i = 0; i < problem.nv(t); ++i) {
      double intercept, slope;
      problem.dof_laws()[start + i].CalcLine(solution_.v[start + i], &intercept,
                                             &slope);
      H(i, i) += problem.dt() * slope;
    }
  }
  for (int i = constraint_start_[island]; i < constraint_start_[island + 1];
       ++i) {
    AddConstraintHessian(problem, constraints_[i]);
  }
  // A locked velocity's row and column are those of the identity.
  for (const int t : cholesky_.island(island)) {
    if (!has_locked_[t]) continue;
    const int start = problem.v_start(t), n = problem.nv(t);
    for (int i = 0; i < n; ++i) {
      if (!problem.is_locked()[start + i]) continue;
      auto H = cholesky_.Block(t, t, &is_transposed);
      H.row(i).setZero();
      H.col(i).setZero();
      H(i, i) = 1;
      for (const auto& [a, b] : edges_) {
        if (a != t && b != t) continue;
        auto other = cholesky_.Block(a, b, &is_transposed);
        const bool is_row = is_transposed ? b == t : a == t;
        if (is_row) {
          other.row(i).setZero();
        } else {
          other.col(i).setZero();
        }
      }
    }
  }
}

void StepSolver::AddConstraintHessian(const Problem& problem, int c) {
  const Problem::Constraint& k = problem.constraint(c);
  Matrix6 slopes;
  if (!CalcSlopes(problem, k, rows_, &slopes)) return;
  const double* G = slopes.data();
  bool is_transposed;
  for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
    auto H = cholesky_.Block(k.tree[side], k.tree[side], &is_transposed);
    AddProduct(problem, c, G, side, side, &H);
  }
  if (k.tree[1] < 0) return;
  // Block (0, 1) is J0' G J1; its transpose J1' G J0.
  auto H = cholesky_.Block(k.tree[0], k.tree[1], &is_transposed);
  if (is_transposed) {
    AddProduct(problem, c, G, 0, 1, &H);
  } else {
    AddProduct(problem, c, G, 1, 0, &H);
  }
}

// The same Hessian, gathered in one matrix: dense_ holds L.
void StepSolver::FactorDense(const Problem& problem, int island) {
  AssembleHessian(problem, island);
  const auto blocks = cholesky_.island(island);
  int size = 0;
  for (const int t : blocks) size += problem.nv(t);
  dense_.setZero(size, size);
  int row = 0;
  for (const int a : blocks) {
    int column = 0;
    for (const int b : blocks) {
      const std::pair<int, int> edge = std::minmax(a, b);
      const bool is_edge =
          a == b || std::binary_search(edges_.begin(), edges_.end(), edge);
      bool is_transposed;
      if (is_edge) {
        const auto H = cholesky_.Block(a, b, &is_transposed);
        auto to = dense_.block(row, column, problem.nv(a), problem.nv(b));
        if (is_transposed) {
          to = H.transpose();
        } else {
          to = H;
        }
      }
      column += problem.nv(b);
    }
    row += problem.nv(a);
  }
  dense_ = dense_.llt().matrixL();
}

void StepSolver::SolveFactored(const Problem& problem, int island,
                               Eigen::Ref<VectorX<double>> x) {
  if (!options_.use_dense) {
    cholesky_.Solve(island, x);
    return;
  }
  dense_x_.resize(dense_.rows());
  int row = 0;
  for (const int t : cholesky_.island(island)) {
    dense_x_.segment(row, problem.nv(t)) =
        x.segment(problem.v_start(t), problem.nv(t));
    row += problem.nv(t);
  }
  dense_.triangularView<Eigen::Lower>().solveInPlace(dense_x_);
  dense_.triangularView<Eigen::Lower>().transpose().solveInPlace(dense_x_);
  row = 0;
  for (const int t : cholesky_.island(island)) {
    x.segment(problem.v_start(t), problem.nv(t)) =
        dense_x_.segment(row, problem.nv(t));
    row += problem.nv(t);
  }
}

// The slope dv'r(v + alpha dv) is increasing in alpha and negative at 0: its
// root by Newton's method, kept in a bracket by bisection.
double StepSolver::SearchLine(const Problem& problem, int island) {
  // Of locked velocities dv is 0.
  double slope_0 = 0;
  Line line;
  for (const int t : cholesky_.island(island)) {
    MultiplyInertia(problem, t, dv_, &A_dv_);
    const int start = problem.v_start(t), n = problem.nv(t);
    const auto dv = dv_.segment(start, n);
    slope_0 += dv.dot(r_.segment(start, n));
    line.slope += dv.dot(p_.segment(start, n));
    line.curvature += dv.dot(A_dv_.segment(start, n));
  }
  for (int i = constraint_start_[island]; i < constraint_start_[island + 1];
       ++i) {
    CalcRows(problem, constraints_[i], dv_, &d_rows_);
  }
  const double tolerance = kLineTolerance * std::abs(slope_0);
  double low = 0, high = kLargestStep, alpha = 1;
  for (int i = 0; i < kMaxLineSteps; ++i) {
    const Line at = CalcLine(problem, island, line, alpha);
    if (std::abs(at.slope) <= tolerance) return alpha;
    (at.slope < 0 ? low : high) = alpha;
    if (low >= kLargestStep * (1 - 1e-9)) return low;
    const double newton = alpha - at.slope / at.curvature;
    const bool is_inside = newton > low && newton < high;
    alpha = is_inside                                  ? newton
            : (high == kLargestStep && newton >= high) ? high
                                                       : (low + high) / 2;
    if (high - low < 1e-14) return alpha;
  }
  return alpha;
}

StepSolver::Line StepSolver::CalcLine(const Problem& problem, int island,
                                      const Line& inertial,
                                      double alpha) const {
  Line line{inertial.slope + alpha * inertial.curvature, inertial.curvature};
  for (const int t : cholesky_.island(island)) {
    if (!has_laws_[t]) continue;
    const int start = problem.v_start(t), n = problem.nv(t);
    for (int i = start; i < start + n; ++i) {
      double intercept, decrease;
      const double v = solution_.v[i] + alpha * dv_[i];
      problem.dof_laws()[i].CalcLine(v, &intercept, &decrease);
      line.slope -= dv_[i] * problem.dt() * (intercept - decrease * v);
      line.curvature += dv_[i] * dv_[i] * problem.dt() * decrease;
    }
  }
  for (int i = constraint_start_[island]; i < constraint_start_[island + 1];
       ++i) {
    const Problem::Constraint& k = problem.constraint(constraints_[i]);
    if (k.is_contact) {
      const Vector3<double> dv = d_rows_.segment<3>(k.row);
      const Vector3<double> v = rows_.segment<3>(k.row) + alpha * dv;
      double decrease;
      line.slope -= problem.contact_law(k.law).CalcAlong(v, dv, &decrease);
      line.curvature += decrease;
      continue;
    }
    for (int row = 0; row < k.num_rows; ++row) {
      const RowLaw<double>& law = problem.row_law(k.law + row);
      const double dv = d_rows_[k.row + row];
      const double v = rows_[k.row + row] + alpha * dv;
      line.slope -= dv * law.CalcImpulse(v);
      line.curvature += dv * dv * law.CalcSlope(v);
    }
  }
  return line;
}

void StepSolver::SolveSensitivity(const Problem& problem,
                                  Eigen::Ref<VectorX<double>> r) {
  for (int t = 0; t < problem.num_trees(); ++t) {
    if (is_used_[t]) continue;
    auto x = r.segment(problem.v_start(t), problem.nv(t));
    x = problem.A(t).llt().solve(x).eval();
  }
  for (int island = 0; island < cholesky_.num_islands(); ++island) {
    CalcState(problem, island);
    if (options_.use_dense) {
      FactorDense(problem, island);
    } else {
      FactorHessian(problem, island);
    }
    SolveFactored(problem, island, r);
  }
  r = -r;
  for (int i = 0; i < problem.num_v(); ++i) {
    if (problem.is_locked()[i]) r[i] = 0;
  }
}

}  // namespace wyvern::multibody::internal
