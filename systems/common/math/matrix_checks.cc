#include "wyvern/systems/common/math/matrix_checks.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::math::internal {

void RequireMatrix(const char* caller, const char* name,
                   const Eigen::Ref<const Eigen::MatrixXd>& M,
                   Eigen::Index rows, Eigen::Index cols) {
  wyvern::internal::RequireShape(caller, name, M, rows, cols);
  wyvern::internal::RequireFinite(caller, name, M);
}

void RequireSymmetric(const char* caller, const char* name,
                      const Eigen::Ref<const Eigen::MatrixXd>& M,
                      Eigen::Index size) {
  RequireMatrix(caller, name, M, size, size);
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
