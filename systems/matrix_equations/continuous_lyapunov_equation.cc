#include "wyvern/systems/matrix_equations/continuous_lyapunov_equation.h"

#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/math/matrix_checks.h"
#include "wyvern/systems/matrix_equations/complex_schur.h"

namespace wyvern::math {

// R. Bartels and G. Stewart, Solution of the matrix equation AX + XB = C (Comm.
// ACM 15, 1972). With A = U T U^H and Y = U^H X U the equation is
//   T^H Y + Y T = -F,  F = U^H Q U,
// and column k of it a lower triangular system for column k of Y:
//   (T^H + T_kk 1) y_k = -f_k - sum_{j<k} T_jk y_j.
Eigen::MatrixXd RealContinuousLyapunovEquation(
    const Eigen::Ref<const Eigen::MatrixXd>& A,
    const Eigen::Ref<const Eigen::MatrixXd>& Q) {
  const char* const caller = "RealContinuousLyapunovEquation";
  const Eigen::Index n = A.rows();
  internal::RequireMatrix(caller, "A", A, n, n);
  internal::RequireSymmetric(caller, "Q", Q, n);
  const auto [T, U] = internal::CalcComplexSchur(caller, A);
  const double smallest = std::numeric_limits<double>::epsilon() *
                          static_cast<double>(n) * T.norm();
  Eigen::MatrixXcd Y = -(U.adjoint() * Q * U);
  for (Eigen::Index k = 0; k < n; ++k) {
    Y.col(k) -= Y.leftCols(k) * T.col(k).head(k);
    for (Eigen::Index i = 0; i < n; ++i) {
      Y(i, k) -= T.col(i).head(i).dot(Y.col(k).head(i));
      const std::complex<double> sum = std::conj(T(i, i)) + T(k, k);
      if (!(std::abs(sum) > smallest)) {
        throw std::runtime_error(fmt::format(
            "{}(): the eigenvalues {} {:+}i and {} {:+}i of A add up to zero, "
            "to round-off; there is no unique solution.",
            caller, T(i, i).real(), -T(i, i).imag(), T(k, k).real(),
            T(k, k).imag()));
      }
      Y(i, k) /= sum;
    }
  }
  return internal::SymmetricPart((U * Y * U.adjoint()).real());
}

}  // namespace wyvern::math
