#include "wyvern/multibody/contact/step_solver.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <Eigen/Cholesky>

#include "wyvern/multibody/contact/round_off.h"
#include "wyvern/multibody/contact/short_vectors.h"

/* Trees that constraints couple form islands, and each is solved by itself.
With r = A (v - v*) - p - J'g - dt f, the residual, and H = A + J'G J - dt
df/dv, G = -dg/dv, its derivative, an iteration is

  CalcState()       rows J v, impulses g, residual r: is it done?
  CalcNewtonStep()  dv = -H^-1 r, H by blocks of trees (BlockCholesky)
  SearchLine()      alpha where dv'r(v + alpha dv) = 0; v += alpha dv.

r is the gradient of a strictly convex function, so that this ends from any
start. J v and A (v - v*) are linear in alpha: the search carries them along,
and what solves the island so is looked at once more without the round-off of
that. Where a step has left little of r, the next one takes the same factor of
H. An island with few rows for its size is first solved by them
(step_solver_rows.cc). A locked velocity has the identity for its row and column
of H. What round-off leaves of r counts as 0 once steps no longer change v. */

namespace wyvern::multibody::internal {

namespace {

using Problem = StepProblem<double>;

// A relative residual that round-off may leave where steps have become too
// small to change v.
constexpr double kRoundOffResidual = 1e-6;
// A step from less than this is likely the last: its state is computed at once
// as that of an answer is, not carried along and then computed.
constexpr double kNearlyDone = 1e-3;
// A step that leaves less than this share of the residual may be followed by
// one with the same factor.
constexpr double kNearlySolved = 0.03;
// Where the guess leaves more than this share of what balances, the other
// is tried.
constexpr double kGoodGuess = 0.3;
// A guess that leaves less than this share of what balances is near enough for
// the slopes of friction there; see StartDirections().
constexpr double kNearGuess = 0.1;
// The line search stops at this share of the slope at alpha = 0: more exact
// ones cost more than the iterations that they save.
constexpr double kLineTolerance = 1e-2;
constexpr double kLargestStep = 1.5;
constexpr int kMaxLineSteps = 60;

// y = A x of one tree.
void MultiplyInertia(const Problem& problem, int tree, const VectorX<double>& x,
                     VectorX<double>* y) {
  const int start = problem.v_start(tree), n = problem.nv(tree);
  const auto A = problem.A(tree);
  if (n == 6) {
    y->segment<6>(start).noalias() =
        Eigen::Map<const Matrix6<double>>(A.data()) * x.segment<6>(start);
  } else {
    MultiplyColumns(n, n, A.data(), n, x.data() + start, y->data() + start);
  }
}

// Calls body(n), with a constant for the six velocities of a free body.
template <class Body>
[[gnu::always_inline]] inline void WithSize(int n, const Body& body) {
  if (n == 6) {
    body(Eigen::fix<6>);
  } else {
    body(n);
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
  solution_.num_by_rows = 0;
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
      if (problem.is_locked()[i]) inverse_[i] = 0;
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
  FindBranches(problem);
  cholesky_.Analyze(sizes_, is_used_, edges_, parents_);
  const int num_islands = cholesky_.num_islands();
  constraint_start_.assign(num_islands + 2, 0);
  for (int c = 0; c < problem.num_constraints(); ++c) {
    ++constraint_start_[cholesky_.island_of(problem.constraint(c).tree[0]) + 2];
  }
  for (int i = 2; i < num_islands + 2; ++i) {
    constraint_start_[i] += constraint_start_[i - 1];
  }
  constraints_.resize(problem.num_constraints());
  places_.reserve(problem.num_constraints());
  for (int c = 0; c < problem.num_constraints(); ++c) {
    const int island = cholesky_.island_of(problem.constraint(c).tree[0]);
    constraints_[constraint_start_[island + 1]++] = c;
  }
}

// Velocities that a constraint couples are put on one path.
void StepSolver::FindBranches(const Problem& problem) {
  bool is_branched = false;
  for (int t = 0; t < problem.num_trees(); ++t) {
    is_branched = is_branched || problem.is_branched(t);
  }
  if (!is_branched) {
    parents_.clear();
    return;
  }
  parents_.assign(problem.parents().begin(), problem.parents().end());
  for (int c = 0; c < problem.num_constraints(); ++c) {
    for (int side = 0; side < 2; ++side) {
      const int tree = problem.constraint(c).tree[side];
      if (tree < 0 || !problem.is_branched(tree)) continue;
      const auto parents =
          std::span(parents_).subspan(problem.v_start(tree), problem.nv(tree));
      int last = -1;
      for (const Problem::Run& run : problem.runs(c, side)) {
        for (int j = run.start; j < run.start + run.size; ++j) {
          if (last >= 0) BranchPattern::Link(last, j, parents);
          last = j;
        }
      }
    }
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

bool StepSolver::IsSolved(const Problem& problem, int island, double relative,
                          double absolute, double length) {
  if (MeetsTolerance(relative, absolute)) return true;
  if (!(length < 1e-13)) return false;
  // Steps no longer change v.
  return relative < kRoundOffResidual ||
         absolute <= CalcRoundOff(problem, constraints_of(island),
                                  cholesky_.island(island), rows_, solution_.v,
                                  inverse_, &dv_);
}

void StepSolver::SolveIsland(const Problem& problem, int island,
                             const VectorX<double>* v_other) {
  double relative = 0, absolute = 0, length = 1;
  double previous = 0;  // The relative residual before the last step.
  bool is_factored = false, is_carried = false;
  int num_by_rows = 0;
  CollectContacts(problem, island);
  CalcState(problem, island);
  for (int iteration = 0; iteration <= options_.max_iterations; ++iteration) {
    relative = CalcRelativeResidual(problem, island, &absolute);
    if (iteration == 0 && !MeetsTolerance(relative, absolute)) {
      const bool has_few_rows = HasFewRows(problem, island);
      if (v_other != nullptr && !has_few_rows && relative > kGoodGuess) {
        TryOther(problem, island, *v_other, &relative, &absolute);
      }
      StartDirections(relative);
      if (has_few_rows) {
        num_by_rows = SolveByRows(problem, island);
        CalcState(problem, island);
        relative = CalcRelativeResidual(problem, island, &absolute);
        StartDirections(relative);
        if (MeetsTolerance(relative, absolute)) ++solution_.num_by_rows;
      }
    }
    bool is_done = IsSolved(problem, island, relative, absolute, length);
    if (is_done && is_carried) {
      CalcState(problem, island);
      relative = CalcRelativeResidual(problem, island, &absolute);
      is_done = IsSolved(problem, island, relative, absolute, length);
    }
    if (is_done) {
      solution_.num_iterations =
          std::max(solution_.num_iterations, num_by_rows + iteration);
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
    const bool has_line = !IsLinear(island);
    const double alpha = has_line ? SearchLine(problem, island) : 1.0;
    if (has_line) lanes_.MoveDirections(alpha);
    length = Move(problem, island, alpha, has_line);
    is_carried = has_line && relative > kNearlyDone;
    if (is_carried) {
      CalcBalance(problem, island);
    } else {
      CalcState(problem, island);
    }
  }
  throw std::runtime_error(fmt::format(
      "StepSolver: {} constraints between {} trees are not solved after {} "
      "iterations; the worst relative residual is {}. Is a number not finite, "
      "or a mass ratio beyond 1e12?",
      constraints_of(island).size(), cholesky_.island(island).size(),
      options_.max_iterations, relative));
}

// Nothing acts on the island but given impulses.
bool StepSolver::IsLinear(int island) const {
  const auto trees = cholesky_.island(island);
  return constraints_of(island).empty() && trees.size() == 1 &&
         !has_laws_[trees[0]];
}

double StepSolver::Move(const Problem& problem, int island, double alpha,
                        bool has_line) {
  Eigen::Array2d steps(0, 0), speeds(0, 0);
  for (const int t : cholesky_.island(island)) {
    const int start = problem.v_start(t);
    WithSize(problem.nv(t), [&](auto n) {
      ForPairs(n, [&](int i, auto size) {
        using Numbers = Eigen::Array<double, size.value, 1>;
        const Numbers dv = Piece(dv_.data() + start + i, size);
        auto v = MutablePiece(solution_.v.data() + start + i, size).array();
        v += alpha * dv;
        auto step = steps.head<size.value>();
        auto speed = speeds.head<size.value>();
        step = step.max(dv.abs());
        speed = speed.max(v.abs());
      });
      if (!has_line) return;
      AddScaled(n, alpha, A_dv_.data() + start, p_.data() + start);
    });
  }
  if (has_line) {
    for (const int c : constraints_of(island)) {
      const Problem::Constraint& k = problem.constraint(c);
      AddScaled(k.size, alpha, d_rows_.data() + k.row, rows_.data() + k.row);
    }
  }
  return alpha * steps.maxCoeff() / std::max(speeds.maxCoeff(), 1e-6);
}

void StepSolver::CalcState(const Problem& problem, int island) {
  for (const int t : cholesky_.island(island)) {
    const int start = problem.v_start(t);
    WithSize(problem.nv(t), [&](auto n) {
      r_.segment(start, n) =
          solution_.v.segment(start, n) - problem.v_star().segment(start, n);
      MultiplyInertia(problem, t, r_, &p_);
      p_.segment(start, n) -= problem.impulse().segment(start, n);
    });
  }
  for (const int c : constraints_of(island)) {
    problem.CalcRowVelocities(c, solution_.v, &rows_);
  }
  CalcBalance(problem, island);
}

void StepSolver::CalcBalance(const Problem& problem, int island) {
  for (const int t : cholesky_.island(island)) {
    const int start = problem.v_start(t), n = problem.nv(t);
    WithSize(n, [&](auto size) {
      r_.segment(start, size) = p_.segment(start, size);
    });
    if (!has_laws_[t]) continue;
    for (int i = start; i < start + n; ++i) {
      r_[i] -= problem.dt() * problem.dof_laws()[i].CalcForce(solution_.v[i]);
    }
  }
  lanes_.CalcImpulses(rows_.data(), solution_.g.data());
  const std::span<const int> constraints = constraints_of(island);
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const int c = constraints[i];
    const Problem::Constraint& k = problem.constraint(c);
    if (first_lane_[i] < 0) {
      problem.CalcImpulse(k, rows_, &solution_.g);
    } else {
      problem.SumShares(k, &solution_.g);
    }
    problem.AddGeneralizedImpulse(c, -1, solution_.g.data() + k.row, r_.data());
  }
}

double StepSolver::CalcRelativeResidual(const Problem& problem, int island,
                                        double* absolute) const {
  Eigen::Array2d residuals(0, 0), inertials(0, 0), others(0, 0);
  for (const int t : cholesky_.island(island)) {
    const int start = problem.v_start(t);
    WithSize(problem.nv(t), [&](auto n) {
      ForPairs(n, [&](int i, auto size) {
        using Numbers = Eigen::Array<double, size.value, 1>;
        const Numbers w = Piece(inverse_.data() + start + i, size);
        const Numbers r = Piece(r_.data() + start + i, size);
        const Numbers p = Piece(p_.data() + start + i, size);
        residuals.head<size.value>() += w * r * r;
        inertials.head<size.value>() += w * p * p;
        others.head<size.value>() += w * (p - r) * (p - r);
      });
    });
  }
  const double residual = residuals.sum();
  *absolute = std::sqrt(residual);
  if (residual == 0) return 0;
  return std::sqrt(residual / std::max(inertials.sum(), others.sum()));
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
    WithSize(n, [&](auto size) {
      dv_.segment(start, size) = -r_.segment(start, size);
    });
    if (!has_locked_[t]) continue;
    for (int i = start; i < start + n; ++i) {
      if (problem.is_locked()[i]) dv_[i] = 0;
    }
  }
  SolveFactored(problem, island, dv_);
}

// The slope dv'r(v + alpha dv) is increasing in alpha and negative at 0: its
// root by Newton's method, kept in a bracket by bisection.
double StepSolver::SearchLine(const Problem& problem, int island) {
  // Of locked velocities dv is 0.
  double slope_0 = 0;
  Line line;
  for (const int t : cholesky_.island(island)) {
    MultiplyInertia(problem, t, dv_, &A_dv_);
    const int start = problem.v_start(t);
    const double* dv = dv_.data() + start;
    WithSize(problem.nv(t), [&](auto n) {
      slope_0 += Dot(n, dv, r_.data() + start);
      line.slope += Dot(n, dv, p_.data() + start);
      line.curvature += Dot(n, dv, A_dv_.data() + start);
    });
  }
  for (const int c : constraints_of(island)) {
    problem.CalcRowVelocities(c, dv_, &d_rows_);
  }
  return FindMinimum(problem, island, line, slope_0, true);
}

double StepSolver::FindMinimum(const Problem& problem, int island,
                               const Line& inertial, double slope_0,
                               bool has_laws) {
  lanes_.StartLine(rows_.data(), d_rows_.data());
  const double tolerance = kLineTolerance * std::abs(slope_0);
  double low = 0, high = kLargestStep, alpha = 1;
  for (int i = 0; i < kMaxLineSteps; ++i) {
    const Line at = CalcLine(problem, island, inertial, alpha, has_laws);
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
                                      const Line& inertial, double alpha,
                                      bool has_laws) const {
  Line line{inertial.slope + alpha * inertial.curvature, inertial.curvature};
  for (const int t : cholesky_.island(island)) {
    if (!has_laws || !has_laws_[t]) continue;
    const int start = problem.v_start(t), n = problem.nv(t);
    for (int i = start; i < start + n; ++i) {
      double intercept, decrease;
      const double v = solution_.v[i] + alpha * dv_[i];
      problem.dof_laws()[i].CalcLine(v, &intercept, &decrease);
      line.slope -= dv_[i] * problem.dt() * (intercept - decrease * v);
      line.curvature += dv_[i] * dv_[i] * problem.dt() * decrease;
    }
  }
  double impulse = 0;
  lanes_.AddAlong(alpha, &impulse, &line.curvature);
  line.slope -= impulse;
  for (const int c : others_) {
    const Problem::Constraint& k = problem.constraint(c);
    for (int i = k.law; i < k.law + k.num_contacts; ++i) {
      const int row = problem.contact_row(i);
      const Vector3<double> dv = d_rows_.segment<3>(row);
      const Vector3<double> v = rows_.segment<3>(row) + alpha * dv;
      double decrease;
      line.slope -= problem.contact_law(i).CalcAlong(v, dv, &decrease);
      line.curvature += decrease;
    }
    if (k.is_contact) continue;
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

void StepSolver::CollectContacts(const Problem& problem, int island) {
  lanes_.Clear();
  first_lane_.clear();
  others_.clear();
  places_.clear();
  for (const int c : constraints_of(island)) {
    const Problem::Constraint& k = problem.constraint(c);
    // Contacts of a constraint are of one kind.
    if (!k.is_contact ||
        problem.contact_law(k.law).kind == ContactLaw<double>::Kind::kSap) {
      first_lane_.push_back(-1);
      others_.push_back(c);
      continue;
    }
    first_lane_.push_back(lanes_.size());
    for (int i = k.law; i < k.law + k.num_contacts; ++i) {
      lanes_.Add(problem.contact_law(i), problem.contact_row(i));
    }
  }
}

void StepSolver::StartDirections(double relative) {
  lanes_.StartDirections(rows_.data(), relative < kNearGuess);
}

void StepSolver::SolveSensitivity(const Problem& problem,
                                  Eigen::Ref<VectorX<double>> r) {
  for (int t = 0; t < problem.num_trees(); ++t) {
    if (is_used_[t]) continue;
    auto x = r.segment(problem.v_start(t), problem.nv(t));
    x = problem.A(t).llt().solve(x).eval();
  }
  for (int island = 0; island < cholesky_.num_islands(); ++island) {
    CollectContacts(problem, island);
    CalcState(problem, island);
    StartDirections(0);
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
