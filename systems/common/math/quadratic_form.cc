#include "wyvern/systems/common/math/quadratic_form.h"

#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/Cholesky>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/math/matrix_checks.h"
#include "wyvern/systems/common/math/symmetric_eigen.h"

namespace wyvern::math {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd DecomposePSDmatrixIntoXtransposeTimesX(
    const Eigen::Ref<const MatrixXd>& Y, double zero_tol,
    bool return_empty_if_not_psd) {
  constexpr char kCaller[] = "DecomposePSDmatrixIntoXtransposeTimesX";
  internal::RequireMatrix(kCaller, "Y", Y, Y.rows(), Y.rows());
  wyvern::internal::RequireNonNegative(kCaller, "zero_tol", zero_tol);
  if (Y.rows() == 0) return MatrixXd(0, 0);
  const auto [values, V] =
      internal::CalcSymmetricEigen(internal::SymmetricPart(Y));
  if (values[0] < -zero_tol) {
    if (return_empty_if_not_psd) return MatrixXd(0, 0);
    throw std::runtime_error(
        fmt::format("{}(): an eigenvalue is {}, below -{}; give a positive "
                    "semidefinite matrix.",
                    kCaller, values[0], zero_tol));
  }
  const Eigen::Index rank = (values.array() > zero_tol).count();
  return values.tail(rank).cwiseSqrt().asDiagonal() *
         V.rightCols(rank).transpose();
}

std::pair<MatrixXd, MatrixXd> DecomposePositiveQuadraticForm(
    const Eigen::Ref<const MatrixXd>& Q, const Eigen::Ref<const VectorXd>& b,
    double c, double tol) {
  constexpr char kCaller[] = "DecomposePositiveQuadraticForm";
  const Eigen::Index n = b.size();
  internal::RequireSymmetric(kCaller, "Q", Q, n);
  wyvern::internal::RequireNonNegative(kCaller, "tol", tol);
  // The form is [x; 1]' M [x; 1], and M = [R d]' [R d].
  MatrixXd M(n + 1, n + 1);
  M << Q, 0.5 * b, 0.5 * b.transpose(), c;
  const MatrixXd Rd = DecomposePSDmatrixIntoXtransposeTimesX(
      M, tol, /* return_empty_if_not_psd = */ true);
  if (Rd.cols() == 0) {
    throw std::runtime_error(fmt::format(
        "{}(): x'Qx + b'x + c is negative for some x; give one that is not, or "
        "a tolerance above {}.",
        kCaller, tol));
  }
  return {Rd.leftCols(n), Rd.col(n)};
}

MatrixXd BalanceQuadraticForms(const Eigen::Ref<const MatrixXd>& S,
                               const Eigen::Ref<const MatrixXd>& P) {
  constexpr char kCaller[] = "BalanceQuadraticForms";
  internal::RequireSymmetric(kCaller, "S", S, S.rows());
  internal::RequireSymmetric(kCaller, "P", P, S.rows());
  const Eigen::LLT<MatrixXd> llt(S);
  if (llt.info() != Eigen::Success) {
    throw std::runtime_error(fmt::format(
        "{}(): S is not positive definite; give one that is.", kCaller));
  }
  // Rows of inv_L P, then of inv_L (inv_L P)'.
  const MatrixXd half = llt.matrixL().solve(MatrixXd(P));
  const MatrixXd whole = llt.matrixL().solve(MatrixXd(half.transpose()));
  const auto [values, V] =
      internal::CalcSymmetricEigen(internal::SymmetricPart(whole));
  const VectorXd K = values.cwiseAbs();
  if (K.size() > 0 &&
      !(K.minCoeff() >
        K.maxCoeff() * K.size() * std::numeric_limits<double>::epsilon())) {
    throw std::runtime_error(fmt::format(
        "{}(): P is singular, to round-off; give one of full rank.", kCaller));
  }
  return llt.matrixU().solve(
      MatrixXd(V * K.array().pow(-0.25).matrix().asDiagonal()));
}

}  // namespace wyvern::math
