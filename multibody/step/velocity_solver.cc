#include "wyvern/multibody/step/velocity_solver.h"

#include <cmath>

/* Newton's method for the velocities of an island (Castro, Permenter, Han, "An
Unconstrained Convex Formulation of Compliant Contact", IEEE T-RO 2022, arXiv
2110.10107, section V). The step's velocities minimize

  l(v) = 1/2 |v - v*|_A^2 - p'v + sum_c l_c(J_c v) + dt sum_i d_i(v_i),     (1)

in which each law is the gradient of a convex function, g_c = -dl_c/dv_c and
f_i = -dd_i/dv_i. With G = -dg/dv,

  r(v) = dl/dv = A (v - v*) - p - J'g(J v) - dt f(v) = 0,                   (2)
  H(v) = dr/dv = A + J'G J - dt df/dv,                                      (3)
  H dv = -r,                                                                (4)
  alpha: dv'r(v + alpha dv) = 0,                                            (5)
  v <- v + alpha dv.                                                        (6)

l is strictly convex, since A is positive definite and G, -df/dv are not
negative: the minimum exists, is unique, and the iteration finds it from any v.
If r is linear, one step with alpha = 1 is the solution. */

namespace wyvern::multibody::internal {

using wyvern::internal::FindLineMinimum;
using wyvern::internal::MinimizeByNewton;

namespace {

// A relative residual that round-off may leave once steps no longer change v.
constexpr double kRoundOffResidual = 1e-6;
// Steps of less than this, relative to v, no longer change v.
constexpr double kNegligibleStep = 1e-13;
// A step that leaves less than this share of the residual may be followed by
// one with the same factor, since H has hardly changed.
constexpr double kNearlySolved = 0.03;

class VelocityIteration {
 public:
  explicit VelocityIteration(Island* island) : island_(*island) {}

  // Tests r(v) = 0, equation (2): by the tolerance, or by what round-off leaves
  // of r once steps no longer change v.
  bool IsSolved() {
    if (island_.residual().MeetsTolerance()) return true;
    if (!(step_size_ < kNegligibleStep)) return false;
    return island_.residual().relative < kRoundOffResidual ||
           island_.IsResidualRoundOff();
  }

  bool CalcNewtonStep() {
    const double residual = island_.residual().relative;
    if (!std::isfinite(residual)) return false;
    // Factors H, equation (3).
    is_factored_ =
        is_factored_ && residual < kNearlySolved * previous_residual_;
    if (!is_factored_) island_.hessian().Factor(&island_);
    is_factored_ = true;
    previous_residual_ = residual;
    // Solves H dv = -r, equation (4).
    island_.SetStepToMinusResidual();
    island_.hessian().Solve(island_, island_.state().dv);
    return true;
  }

  // Returns alpha of dv'r(v + alpha dv) = 0, equation (5).
  double SearchLine() {
    if (island_.is_linear()) return 1;
    double slope_0;
    const LineDerivatives inertial = island_.StartLine(&slope_0);
    return FindLineMinimum(slope_0, [&](double alpha) {
      LineDerivatives line{inertial.slope + alpha * inertial.curvature,
                           inertial.curvature};
      island_.AddForceLaws(alpha, &line);
      island_.AddConstraints(alpha, &line);
      return line;
    });
  }

  // Sets v += alpha dv, equation (6), and evaluates r there, equation (2).
  void Move(double alpha) {
    island_.state().batch.UpdateFrictionDirections(alpha);
    step_size_ = island_.Move(alpha);
    island_.CalcState();
  }

 private:
  Island& island_;
  double step_size_{1};
  bool is_factored_{false};
  double previous_residual_{0};  // Relative, before the last step.
};

}  // namespace

NewtonResult VelocitySolver::SolveIsland(Island* island) {
  VelocityIteration iteration(island);
  return MinimizeByNewton(kMaxIterations, &iteration);
}

}  // namespace wyvern::multibody::internal
