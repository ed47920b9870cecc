#pragma once

#include <span>
#include <utility>
#include <vector>

#include "wyvern/multibody/contact/block_cholesky.h"
#include "wyvern/multibody/contact/contact_lanes.h"
#include "wyvern/multibody/contact/six_by_six.h"
#include "wyvern/multibody/contact/solver_statistics.h"
#include "wyvern/multibody/contact/step_problem.h"

namespace wyvern::multibody::internal {

/** Solves a StepProblem by Newton's method with exact line search.

With r(v) the problem's residual and G = -dg/dv, f' = df/dv,

  (A + J'G J - dt f') dv = -r(v),   v <- v + alpha dv,

alpha the minimum along dv, where dv'r(v + alpha dv) = 0. H's pattern is the
graph of trees that constraints couple; each connected component is solved on
its own, to its own accuracy. The same input gives the same bits. A problem no
larger than an earlier one allocates nothing.
(Castro, Permenter, Han, IEEE T-RO 2022, section V.) */
class StepSolver {
 public:
  struct Options {
    /** Of the residual, relative to the impulses that balance in it; both in
    the norm of diag(A)^-1. */
    double relative_tolerance{1e-9};
    /** [sqrt(J)]. */
    double absolute_tolerance{1e-14};
    int max_iterations{100};
    /** One dense factorization an island, for comparison. */
    bool use_dense{false};
  };
  struct Solution {
    VectorX<double> v;
    /** Impulses by row, [N s, N m s]; longer than that after a problem with
    more rows. */
    VectorX<double> g;
    /** Largest of any island. */
    int num_iterations{};
    int num_islands{};
    /** Islands that the Newton iteration by rows has solved. */
    int num_by_rows{};
    /** Worst relative residual, of islands where it is more than the absolute
    tolerance. */
    double residual{};
  };

  StepSolver() = default;
  explicit StepSolver(const Options& options) : options_(options) {}

  /** @param v_guess Where to start; the previous velocities, changed as they
  changed in the previous step, are good.
  @param v_other Null, or where to start in islands that only given impulses act
  on, which one step solves, and, if it is nearer, in those that v_guess is far
  off in; but where contacts have few rows an iteration costs no more than
  looking which is nearer. The previous velocities are good.
  @throws std::runtime_error if an island's iterations do not converge, or
  numbers in the problem are not finite; with the worst residual. */
  const Solution& Solve(const StepProblem<double>& problem,
                        const VectorX<double>& v_guess,
                        const VectorX<double>* v_other = nullptr);

  /** Of all problems that were solved. */
  const SolverStatistics& statistics() const { return statistics_; }

  /** x = -H^-1 r with H at the solution of the last Solve(): the sensitivity of
  v to whatever changes the residual by r. */
  void SolveSensitivity(const StepProblem<double>& problem,
                        Eigen::Ref<VectorX<double>> r);

 private:
  void Prepare(const StepProblem<double>& problem,
               const VectorX<double>& v_guess, const VectorX<double>* v_other);
  void SortConstraintsByIsland(const StepProblem<double>& problem);
  void FindBranches(const StepProblem<double>& problem);
  void SolveIsland(const StepProblem<double>& problem, int island,
                   const VectorX<double>* v_other);
  bool MeetsTolerance(double relative, double absolute) const;
  // Whether it is done; `length` is that of the last step.
  bool IsSolved(const StepProblem<double>& problem, int island, double relative,
                double absolute, double length);
  void TryOther(const StepProblem<double>& problem, int island,
                const VectorX<double>& v_other, double* relative,
                double* absolute);
  bool IsLinear(int island) const;
  // The rows' velocities, A (v - v*) - p, and the next, at the present v.
  void CalcState(const StepProblem<double>& problem, int island);
  // The rows' impulses, and r.
  void CalcBalance(const StepProblem<double>& problem, int island);
  // v, and its rows' velocities and momentum, after a step of alpha. Returns
  // how long it was, to what is moved.
  double Move(const StepProblem<double>& problem, int island, double alpha,
              bool has_line);
  double CalcRelativeResidual(const StepProblem<double>& problem, int island,
                              double* absolute) const;
  // dv = -H^-1 r, with the last factor of H if that is near enough.
  void CalcNewtonStep(const StepProblem<double>& problem, int island,
                      bool is_factored);
  void FactorHessian(const StepProblem<double>& problem, int island);
  void AssembleHessian(const StepProblem<double>& problem, int island);
  // Where in H the part of a constraint between free bodies, or one and the
  // world, is.
  struct SixPlaces {
    SixBlock own[2];
    SixBlock mixed;
    bool is_transposed{};
  };
  SixPlaces FindPlaces(const StepProblem<double>& problem, int c);
  // Its contacts' lanes begin at `lane`, or it has none (-1).
  void AddConstraintHessian(const StepProblem<double>& problem, int c, int lane,
                            const SixPlaces& places);
  void FactorDense(const StepProblem<double>& problem, int island);
  void SolveFactored(const StepProblem<double>& problem, int island,
                     Eigen::Ref<VectorX<double>> x);
  double SearchLine(const StepProblem<double>& problem, int island);
  // Whether an island has so few rows that it is better solved by them, and the
  // solution by them; returns how many iterations that took.
  bool HasFewRows(const StepProblem<double>& problem, int island) const;
  int SolveByRows(const StepProblem<double>& problem, int island);
  bool FactorFree(const StepProblem<double>& problem, int island, int column);
  void MultiplyRows(const StepProblem<double>& problem, int island,
                    int num_rows);
  void CalcRowsStep(int num_contacts);
  // dv'r at v + alpha dv, and its derivative by alpha. `inertial` is the part
  // of p_ at alpha = 0.
  struct Line {
    double slope{};
    double curvature{};
  };
  Line CalcLine(const StepProblem<double>& problem, int island,
                const Line& inertial, double alpha, bool has_laws) const;
  double FindMinimum(const StepProblem<double>& problem, int island,
                     const Line& inertial, double slope_0, bool has_laws);
  // Puts the contacts of an island in lanes_, those that can be.
  void CollectContacts(const StepProblem<double>& problem, int island);
  std::span<const int> constraints_of(int island) const {
    const int begin = constraint_start_[island];
    return std::span<const int>(constraints_)
        .subspan(begin, constraint_start_[island + 1] - begin);
  }
  // Friction's slopes go by v_t / s of a guess that leaves little of the
  // residual, else by 0 and what steps make of it: see ContactLanes.
  void StartDirections(double relative);

  Options options_;
  Solution solution_;
  SolverStatistics statistics_;
  BlockCholesky cholesky_;
  // By island, the constraints in their order.
  std::vector<int> constraint_start_;
  std::vector<int> constraints_;
  std::vector<std::pair<int, int>> edges_;
  std::vector<char> is_used_;
  std::vector<int> sizes_;
  std::vector<int> parents_;
  // Of trees: whether a velocity of it has a force law, or is locked.
  std::vector<char> has_laws_;
  std::vector<char> has_locked_;

  VectorX<double> r_;        // Residual.
  VectorX<double> p_;        // A (v - v*) - p.
  VectorX<double> inverse_;  // 1 / diag(A); 0 of what is locked.
  VectorX<double> dv_;
  VectorX<double> A_dv_;
  VectorX<double> rows_;    // J v.
  VectorX<double> d_rows_;  // J dv.
  // Of the island at work: contacts by their lanes, and where those of a
  // constraint begin, in the island's order; -1 if it has no lanes.
  ContactLanes lanes_;
  std::vector<int> first_lane_;
  std::vector<int> others_;  // Constraints without lanes.
  // In the island's order, once its Hessian is assembled.
  std::vector<SixPlaces> places_;
  Eigen::Matrix<double, Eigen::Dynamic, 6> rows_of_J_;
  // By rows: see step_solver_rows.cc. Longer than needed after larger islands.
  MatrixX<double> X_;  // Transposed.
  MatrixX<double> W_;
  // Of contacts G, and blocks of I + G W; the last row is of no use.
  std::vector<Eigen::Matrix<double, 4, 3>> slopes_;
  std::vector<Eigen::Matrix<double, 4, 3>> blocks_;
  VectorX<double> xi_;
  VectorX<double> d_xi_;
  VectorX<double> rest_;
  MatrixX<double> dense_;
  VectorX<double> dense_x_;
};

}  // namespace wyvern::multibody::internal
