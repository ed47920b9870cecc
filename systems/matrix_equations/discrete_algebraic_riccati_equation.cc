#include "wyvern/systems/matrix_equations/discrete_algebraic_riccati_equation.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/LU>

#include "wyvern/systems/common/math/matrix_checks.h"
#include "wyvern/systems/matrix_equations/complex_schur.h"
#include "wyvern/systems/matrix_equations/discrete_lyapunov_equation.h"
#include "wyvern/systems/matrix_equations/riccati_problem.h"

namespace wyvern::math {
namespace {

using Eigen::MatrixXd;
using internal::RiccatiProblem;

constexpr const char* kDiscreteCaller = "DiscreteAlgebraicRiccatiEquation";

[[noreturn]] void ThrowNoDiscreteSolution() {
  throw std::runtime_error(fmt::format(
      "{}(): there is no stabilizing solution; (A, B) must be stabilizable, "
      "and "
      "no eigenvalue of A on the unit circle may be without cost in Q.",
      kDiscreteCaller));
}

// (1 + G X)^-1 A, which is A - B (B'XB + R)^-1 B'XA.
MatrixXd ClosedLoop(const RiccatiProblem& p, const MatrixXd& X) {
  const Eigen::Index n = p.A.rows();
  return (MatrixXd::Identity(n, n) + p.G * X).partialPivLu().solve(p.A);
}

// A'X (1 + G X)^-1 A - X + Q.
MatrixXd DiscreteResidual(const RiccatiProblem& p, const MatrixXd& X) {
  return internal::SymmetricPart(p.A.transpose() * X * ClosedLoop(p, X) - X +
                                 p.Q);
}

// Eigenvalues in the unit circle, by more than round-off.
bool IsStabilizing(const RiccatiProblem& p, const MatrixXd& X) {
  const MatrixXd A_c = ClosedLoop(p, X);
  const double margin = std::numeric_limits<double>::epsilon() *
                        static_cast<double>(A_c.rows()) *
                        std::max(1.0, A_c.norm());
  return A_c.allFinite() &&
         internal::CalcEigenvalues(kDiscreteCaller, A_c).cwiseAbs().maxCoeff() <
             1.0 - margin;
}

// Structure-preserving doubling: E. Chu, H. Fan, W. Lin and C. Wang, Structure-
// preserving algorithms for periodic discrete-time algebraic Riccati equations
// (Int. J. Control 77, 2004), for period one:
//   A+ = A W A,  G+ = G + A W G A',  X+ = X + A' X W A,  W = (1 + G X)^-1,
// from X = Q. X is the cost of 2^k steps, so it converges quadratically if Q
// sees each motion that does not decay by itself; nothing if it does not
// converge.
std::optional<MatrixXd> SolveByDoubling(const RiccatiProblem& p) {
  const Eigen::Index n = p.A.rows();
  MatrixXd A = p.A;
  MatrixXd G = p.G;
  MatrixXd X = p.Q;
  for (int k = 0; k < 60; ++k) {
    const Eigen::PartialPivLU<MatrixXd> W(MatrixXd::Identity(n, n) + G * X);
    const MatrixXd WA = W.solve(A);
    const MatrixXd step = internal::SymmetricPart(A.transpose() * X * WA);
    G += internal::SymmetricPart(A * W.solve(G) * A.transpose());
    A = (A * WA).eval();
    X += step;
    if (!X.allFinite() || !G.allFinite() || !A.allFinite()) break;
    if (step.norm() <= 1e-16 * X.norm()) return X;
  }
  return std::nullopt;
}

// Newton's method, from any stabilizing X: with the residual E and the closed
// loop A_c, the correction D solves A_c'D A_c - D + E = 0. It converges to the
// stabilizing solution: G. Hewer (IEEE Trans. Automatic Control 16, 1971).
// Stops when a step no longer helps.
MatrixXd RefineDiscrete(const RiccatiProblem& p, MatrixXd X) {
  double error = DiscreteResidual(p, X).norm();
  for (int i = 0; i < 100 && error > 0.0; ++i) {
    const MatrixXd next = X + RealDiscreteLyapunovEquation(
                                  ClosedLoop(p, X), DiscreteResidual(p, X));
    const double next_error = DiscreteResidual(p, next).norm();
    if (!(next_error < 0.9 * error)) break;
    X = next;
    error = next_error;
  }
  return X;
}

MatrixXd SolveDiscrete(const RiccatiProblem& p) {
  const Eigen::Index n = p.A.rows();
  if (n == 0) return MatrixXd(0, 0);
  std::optional<MatrixXd> X = SolveByDoubling(p);
  if (!X.has_value() || !IsStabilizing(p, *X)) {
    // Q does not see all of it. A cost that does stabilizes, and is a start.
    RiccatiProblem all_seen = p;
    all_seen.Q += std::max(1.0, p.Q.norm()) * MatrixXd::Identity(n, n);
    X = SolveByDoubling(all_seen);
    if (!X.has_value() || !IsStabilizing(p, *X)) ThrowNoDiscreteSolution();
  }
  const MatrixXd result = RefineDiscrete(p, *X);
  const double size =
      result.norm() + (p.A.transpose() * result * p.A).norm() + p.Q.norm();
  if (!(DiscreteResidual(p, result).norm() <= 1e-8 * size) ||
      !IsStabilizing(p, result)) {
    ThrowNoDiscreteSolution();
  }
  return result;
}

}  // namespace

MatrixXd DiscreteAlgebraicRiccatiEquation(const Eigen::Ref<const MatrixXd>& A,
                                          const Eigen::Ref<const MatrixXd>& B,
                                          const Eigen::Ref<const MatrixXd>& Q,
                                          const Eigen::Ref<const MatrixXd>& R) {
  return SolveDiscrete(internal::MakeRiccatiProblem(
      kDiscreteCaller, A, B, Q,
      internal::FactorInputWeight(kDiscreteCaller, R, B.cols()), MatrixXd()));
}

MatrixXd DiscreteAlgebraicRiccatiEquation(const Eigen::Ref<const MatrixXd>& A,
                                          const Eigen::Ref<const MatrixXd>& B,
                                          const Eigen::Ref<const MatrixXd>& Q,
                                          const Eigen::Ref<const MatrixXd>& R,
                                          const Eigen::Ref<const MatrixXd>& N) {
  internal::RequireMatrix(kDiscreteCaller, "N", N, A.rows(), B.cols());
  return SolveDiscrete(internal::MakeRiccatiProblem(
      kDiscreteCaller, A, B, Q,
      internal::FactorInputWeight(kDiscreteCaller, R, B.cols()), N));
}

}  // namespace wyvern::math
