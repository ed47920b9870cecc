#include "wyvern/systems/common/math/matrix_checks.h"

#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::math::internal {

void CheckMatrix(const char* caller, const char* name,
                 const Eigen::Ref<const Eigen::MatrixXd>& M, Eigen::Index rows,
                 Eigen::Index cols) {
  if (M.rows() != rows || M.cols() != cols) {
    throw std::logic_error(
        fmt::format("{}(): {} is {} x {}; it must be {} x {}.", caller, name,
                    M.rows(), M.cols(), rows, cols));
  }
  if (!M.allFinite()) {
    throw std::logic_error(
        fmt::format("{}(): {} has an entry that is not finite; all must be.",
                    caller, name));
  }
}

void CheckSymmetric(const char* caller, const char* name,
                    const Eigen::Ref<const Eigen::MatrixXd>& M,
                    Eigen::Index size) {
  CheckMatrix(caller, name, M, size, size);
  if (size == 0) return;
  const double asymmetry = (M - M.transpose()).cwiseAbs().maxCoeff();
  if (asymmetry > 1e-10 * M.cwiseAbs().maxCoeff()) {
    throw std::logic_error(fmt::format(
        "{}(): {} is not symmetric: an entry and its mirror image differ by "
        "{}; pass a symmetric matrix.",
        caller, name, asymmetry));
  }
}

Eigen::MatrixXd SymmetricPart(const Eigen::MatrixXd& M) {
  return 0.5 * (M + M.transpose());
}

}  // namespace wyvern::math::internal
