#include "wyvern/systems/matrix_equations/riccati_problem.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/math/matrix_checks.h"

namespace wyvern::math::internal {
namespace {

void RequireFactor(const char* caller, const Eigen::LLT<Eigen::MatrixXd>& R) {
  if (R.info() != Eigen::Success) {
    throw std::logic_error(fmt::format(
        "{}(): R is not positive definite; each input must have a cost.",
        caller));
  }
}

}  // namespace

Eigen::LLT<Eigen::MatrixXd> FactorInputWeight(
    const char* caller, const Eigen::Ref<const Eigen::MatrixXd>& R,
    Eigen::Index m) {
  RequireSymmetric(caller, "R", R, m);
  Eigen::LLT<Eigen::MatrixXd> factor(R);
  RequireFactor(caller, factor);
  return factor;
}

RiccatiProblem MakeRiccatiProblem(const char* caller,
                                  const Eigen::Ref<const Eigen::MatrixXd>& A,
                                  const Eigen::Ref<const Eigen::MatrixXd>& B,
                                  const Eigen::Ref<const Eigen::MatrixXd>& Q,
                                  const Eigen::LLT<Eigen::MatrixXd>& R,
                                  const Eigen::Ref<const Eigen::MatrixXd>& N) {
  const Eigen::Index n = A.rows();
  const Eigen::Index m = B.cols();
  RequireMatrix(caller, "A", A, n, n);
  RequireMatrix(caller, "B", B, n, m);
  RequireSymmetric(caller, "Q", Q, n);
  if (R.rows() != m) {
    throw std::logic_error(
        fmt::format("{}(): R is {} x {}; it must be {} x {}.", caller, R.rows(),
                    R.cols(), m, m));
  }
  RequireFactor(caller, R);
  // With R = L L', G = (L^-1 B')'(L^-1 B') is symmetric to the last bit.
  const Eigen::MatrixXd B_scaled = R.matrixL().solve(B.transpose());
  RiccatiProblem problem{A, B_scaled.transpose() * B_scaled, SymmetricPart(Q)};
  if (N.size() > 0) {
    RequireMatrix(caller, "N", N, n, m);
    const Eigen::MatrixXd N_scaled = R.matrixL().solve(N.transpose());
    problem.A -= B_scaled.transpose() * N_scaled;
    problem.Q -= N_scaled.transpose() * N_scaled;
  }
  return problem;
}

}  // namespace wyvern::math::internal
