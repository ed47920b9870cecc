#include "wyvern/systems/matrix_equations/continuous_algebraic_riccati_equation.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/LU>

#include "wyvern/systems/common/math/matrix_checks.h"
#include "wyvern/systems/matrix_equations/complex_schur.h"
#include "wyvern/systems/matrix_equations/continuous_lyapunov_equation.h"
#include "wyvern/systems/matrix_equations/riccati_problem.h"

namespace wyvern::math {
namespace {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using internal::RiccatiProblem;

constexpr const char* kCaller = "ContinuousAlgebraicRiccatiEquation";
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

[[noreturn]] void ThrowNoSolution() {
  throw std::runtime_error(fmt::format(
      "{}(): there is no stabilizing solution; (A, B) must be stabilizable, "
      "and "
      "the Hamiltonian matrix [A -BR^-1B'; -Q -A'] must have no eigenvalues on "
      "the imaginary axis.",
      kCaller));
}

MatrixXd Residual(const RiccatiProblem& p, const MatrixXd& X) {
  const MatrixXd XA = X * p.A;
  return internal::SymmetricPart(XA + XA.transpose() - X * p.G * X + p.Q);
}

// Left of the imaginary axis, by more than round-off.
bool IsStable(const MatrixXd& A) {
  const double margin = kEpsilon * static_cast<double>(A.rows()) * A.norm();
  return A.allFinite() &&
         internal::CalcEigenvalues(kCaller, A).real().maxCoeff() < -margin;
}

// The stable invariant subspace [U1; U2] of the Hamiltonian matrix
//   H = [A -G; -Q -A'] gives X = U2 U1^-1: A. Laub, A Schur method for solving
// algebraic Riccati equations (IEEE Trans. Automatic Control 24, 1979). H is
// scaled to X/s, with s^2 = |Q|/|G|, so that its off-diagonal blocks are of one
// size: C. Kenney, A. Laub and M. Wette (Int. J. Control 50, 1989).
MatrixXd SolveBySchur(const RiccatiProblem& p) {
  const Eigen::Index n = p.A.rows();
  const double size_Q = p.Q.norm();
  const double size_G = p.G.norm();
  const double s =
      size_Q > size_G && size_G > 0 ? std::sqrt(size_Q / size_G) : 1;
  MatrixXd H(2 * n, 2 * n);
  H << p.A, -s * p.G, -p.Q / s, -p.A.transpose();
  internal::ComplexSchur schur = internal::CalcComplexSchur(kCaller, H);
  const int num_stable = internal::MoveToTop(
      [](std::complex<double> x) { return x.real() < 0.0; }, &schur);
  if (num_stable != n) ThrowNoSolution();
  // X' = U1^-H U2^H, and X is symmetric and real. With U1^H = F + i G and
  // U2^H = V + i W that is [F -G; G F] [X'; 0] = [V; W].
  const MatrixXcd U1 = schur.U.topLeftCorner(n, n).adjoint();
  const MatrixXcd U2 = schur.U.bottomLeftCorner(n, n).adjoint();
  MatrixXd left(2 * n, 2 * n), right(2 * n, n);
  left << U1.real(), -U1.imag(), U1.imag(), U1.real();
  right << U2.real(), U2.imag();
  const Eigen::PartialPivLU<MatrixXd> lu(left);
  if (!(lu.rcond() > kEpsilon)) ThrowNoSolution();
  return internal::SymmetricPart(s * lu.solve(right).topRows(n));
}

// Newton's method: with the residual E of X and the closed loop A_c = A - G X,
// the correction D solves A_c'D + D A_c + E = 0. D. Kleinman (IEEE Trans.
// Automatic Control 13, 1968). Stops when a step no longer helps.
MatrixXd Refine(const RiccatiProblem& p, MatrixXd X) {
  double error = Residual(p, X).norm();
  for (int i = 0; i < 10 && error > 0.0; ++i) {
    const MatrixXd next =
        X + RealContinuousLyapunovEquation(p.A - p.G * X, Residual(p, X));
    const double next_error = Residual(p, next).norm();
    if (!(next_error < 0.5 * error)) break;
    X = next;
    error = next_error;
  }
  return X;
}

MatrixXd Solve(const RiccatiProblem& p) {
  if (p.A.rows() == 0) return MatrixXd(0, 0);
  MatrixXd X = SolveBySchur(p);
  if (!IsStable(p.A - p.G * X)) ThrowNoSolution();
  X = Refine(p, X);
  const double size = (X * p.A).norm() + (X * p.G * X).norm() + p.Q.norm();
  if (!(Residual(p, X).norm() <= 1e-8 * size) || !IsStable(p.A - p.G * X)) {
    ThrowNoSolution();
  }
  return X;
}

}  // namespace

MatrixXd ContinuousAlgebraicRiccatiEquation(
    const Eigen::Ref<const MatrixXd>& A, const Eigen::Ref<const MatrixXd>& B,
    const Eigen::Ref<const MatrixXd>& Q,
    const Eigen::LLT<MatrixXd>& R_cholesky) {
  return Solve(
      internal::MakeRiccatiProblem(kCaller, A, B, Q, R_cholesky, MatrixXd()));
}

MatrixXd ContinuousAlgebraicRiccatiEquation(
    const Eigen::Ref<const MatrixXd>& A, const Eigen::Ref<const MatrixXd>& B,
    const Eigen::Ref<const MatrixXd>& Q, const Eigen::Ref<const MatrixXd>& R) {
  return ContinuousAlgebraicRiccatiEquation(
      A, B, Q, internal::FactorInputWeight(kCaller, R, B.cols()));
}

MatrixXd ContinuousAlgebraicRiccatiEquation(
    const Eigen::Ref<const MatrixXd>& A, const Eigen::Ref<const MatrixXd>& B,
    const Eigen::Ref<const MatrixXd>& Q, const Eigen::Ref<const MatrixXd>& R,
    const Eigen::Ref<const MatrixXd>& N) {
  internal::RequireMatrix(kCaller, "N", N, A.rows(), B.cols());
  return Solve(internal::MakeRiccatiProblem(
      kCaller, A, B, Q, internal::FactorInputWeight(kCaller, R, B.cols()), N));
}

// With E^-1 A for A and E^-1 B for B the solution is E'XE.
MatrixXd ContinuousAlgebraicRiccatiEquation(
    const Eigen::Ref<const MatrixXd>& A, const Eigen::Ref<const MatrixXd>& B,
    const Eigen::Ref<const MatrixXd>& Q, const Eigen::Ref<const MatrixXd>& R,
    const Eigen::Ref<const MatrixXd>& N, const Eigen::Ref<const MatrixXd>& E) {
  internal::RequireMatrix(kCaller, "A", A, A.rows(), A.rows());
  internal::RequireMatrix(kCaller, "B", B, A.rows(), B.cols());
  internal::RequireMatrix(kCaller, "E", E, A.rows(), A.rows());
  const Eigen::PartialPivLU<MatrixXd> lu(E);
  if (!(lu.rcond() > kEpsilon)) {
    throw std::logic_error(fmt::format(
        "{}(): E is singular, to round-off; it must be invertible.", kCaller));
  }
  const MatrixXd ExE =
      ContinuousAlgebraicRiccatiEquation(lu.solve(A), lu.solve(B), Q, R, N);
  const Eigen::PartialPivLU<MatrixXd> lu_transposed(E.transpose());
  const MatrixXd half = lu_transposed.solve(ExE).transpose();
  return internal::SymmetricPart(lu_transposed.solve(half));
}

}  // namespace wyvern::math
