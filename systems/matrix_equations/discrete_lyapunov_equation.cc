#include "wyvern/systems/matrix_equations/discrete_lyapunov_equation.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/math/matrix_checks.h"
#include "wyvern/systems/matrix_equations/complex_schur.h"

namespace wyvern::math {

// G. Kitagawa, An algorithm for solving the matrix equation X = F X F^T + S
// (Int. J. Control 25, 1977): the method of Bartels and Stewart. With A = U T
// U^H and Y = U^H X U the equation is
//   T^H Y T - Y = -F,  F = U^H Q U,
// and column k of it a lower triangular system for column k of Y:
//   (T_kk T^H - 1) y_k = -f_k - T^H sum_{j<k} T_jk y_j.
Eigen::MatrixXd RealDiscreteLyapunovEquation(
    const Eigen::Ref<const Eigen::MatrixXd>& A,
    const Eigen::Ref<const Eigen::MatrixXd>& Q) {
  const char* const caller = "RealDiscreteLyapunovEquation";
  const Eigen::Index n = A.rows();
  internal::RequireMatrix(caller, "A", A, n, n);
  internal::RequireSymmetric(caller, "Q", Q, n);
  const auto [T, U] = internal::CalcComplexSchur(caller, A);
  const double smallest = std::numeric_limits<double>::epsilon() *
                          static_cast<double>(n) * std::max(1.0, T.norm());
  Eigen::MatrixXcd Y = -(U.adjoint() * Q * U);
  for (Eigen::Index k = 0; k < n; ++k) {
    const Eigen::VectorXcd sum = Y.leftCols(k) * T.col(k).head(k);
    Y.col(k) -= T.adjoint() * sum;
    for (Eigen::Index i = 0; i < n; ++i) {
      Y(i, k) -= T(k, k) * T.col(i).head(i).dot(Y.col(k).head(i));
      const std::complex<double> pivot = T(k, k) * std::conj(T(i, i)) - 1.0;
      if (!(std::abs(pivot) > smallest)) {
        throw std::runtime_error(
            fmt::format("{}(): the product of the eigenvalues {} {:+}i and {} "
                        "{:+}i of A is "
                        "one, to round-off; there is no unique solution.",
                        caller, T(i, i).real(), -T(i, i).imag(), T(k, k).real(),
                        T(k, k).imag()));
      }
      Y(i, k) /= pivot;
    }
  }
  return internal::SymmetricPart((U * Y * U.adjoint()).real());
}

}  // namespace wyvern::math
