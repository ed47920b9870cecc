#include "wyvern/systems/primitives/linear/controllability.h"

#include <complex>

#include <Eigen/QR>

#include "wyvern/systems/matrix_equations/complex_schur.h"
#include "wyvern/systems/primitives/linear/linear_system.h"

namespace wyvern::systems {

namespace {

// [B, A B, ..., A^(n-1) B].
Eigen::MatrixXd KrylovMatrix(const Eigen::MatrixXd& A,
                             const Eigen::MatrixXd& B) {
  const Eigen::Index n = A.rows();
  const Eigen::Index m = B.cols();
  Eigen::MatrixXd result(n, n * m);
  for (Eigen::Index i = 0; i < n; ++i) {
    if (i == 0) {
      result.leftCols(m) = B;
    } else {
      result.middleCols(i * m, m) = A * result.middleCols((i - 1) * m, m);
    }
  }
  return result;
}

template <typename Matrix>
bool HasFullRowRank(const Matrix& matrix, std::optional<double> threshold) {
  if (matrix.rows() == 0) return true;
  if (matrix.cols() < matrix.rows()) return false;
  Eigen::ColPivHouseholderQR<Matrix> qr;
  if (threshold.has_value()) qr.setThreshold(*threshold);
  qr.compute(matrix);
  return qr.rank() == matrix.rows();
}

// The Popov-Belevitch-Hautus test: mode s of A can be controlled through B iff
// [s I - A, B] has rank n (W. J. Rugh, Linear System Theory, 2nd ed. 1996,
// theorem 13.4); here for each s that is not asymptotically stable.
bool IsStabilizable(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                    bool is_discrete, std::optional<double> threshold) {
  const Eigen::Index n = A.rows();
  if (n == 0) return true;
  const Eigen::VectorXcd eigenvalues =
      math::internal::CalcEigenvalues("IsStabilizable", A);
  Eigen::MatrixXcd test(n, n + B.cols());
  test.rightCols(B.cols()) = B.cast<std::complex<double>>();
  for (const std::complex<double>& s : eigenvalues) {
    const bool is_stable = is_discrete ? std::abs(s) < 1 : s.real() < 0;
    if (is_stable) continue;
    test.leftCols(n) = -A.cast<std::complex<double>>();
    test.diagonal().array() += s;
    if (!HasFullRowRank(test, threshold)) return false;
  }
  return true;
}

}  // namespace

Eigen::MatrixXd ControllabilityMatrix(const LinearSystem<double>& sys) {
  return KrylovMatrix(sys.A(), sys.B());
}

bool IsControllable(const LinearSystem<double>& sys,
                    std::optional<double> threshold) {
  return HasFullRowRank(ControllabilityMatrix(sys), threshold);
}

Eigen::MatrixXd ObservabilityMatrix(const LinearSystem<double>& sys) {
  return KrylovMatrix(sys.A().transpose(), sys.C().transpose()).transpose();
}

bool IsObservable(const LinearSystem<double>& sys,
                  std::optional<double> threshold) {
  return HasFullRowRank(Eigen::MatrixXd(ObservabilityMatrix(sys).transpose()),
                        threshold);
}

bool IsStabilizable(const LinearSystem<double>& sys,
                    std::optional<double> threshold) {
  return IsStabilizable(sys.A(), sys.B(), sys.time_period() > 0, threshold);
}

bool IsDetectable(const LinearSystem<double>& sys,
                  std::optional<double> threshold) {
  return IsStabilizable(sys.A().transpose(), sys.C().transpose(),
                        sys.time_period() > 0, threshold);
}

}  // namespace wyvern::systems
