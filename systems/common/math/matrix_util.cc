#include "wyvern/systems/common/math/matrix_util.h"

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

#include "wyvern/systems/common/math/symmetric_eigen.h"

namespace wyvern::math {
namespace internal {

bool IsPositiveDefinite(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                        double eigenvalue_tolerance,
                        double symmetry_tolerance) {
  if (!(eigenvalue_tolerance >= 0) || !(symmetry_tolerance >= 0)) {
    throw std::logic_error(fmt::format(
        "IsPositiveDefinite(): the tolerances are {} and {}; give 0 or more.",
        eigenvalue_tolerance, symmetry_tolerance));
  }
  if (!matrix.allFinite() || !IsSymmetric(matrix, symmetry_tolerance)) {
    return false;
  }
  if (matrix.rows() == 0) return true;
  const Eigen::VectorXd values = internal::CalcSymmetricEigenvalues(matrix);
  return values.minCoeff() >=
         eigenvalue_tolerance * std::max(1.0, values.cwiseAbs().maxCoeff());
}

int TriangleOrder(Eigen::Index size) {
  const int n = static_cast<int>((std::sqrt(8.0 * size + 1) - 1) / 2 + 0.5);
  if (n * (n + 1) / 2 != size) {
    throw std::logic_error(fmt::format(
        "ToSymmetricMatrixFromLowerTriangularColumns(): {} entries were given; "
        "a lower triangle has n (n + 1) / 2.",
        size));
  }
  return n;
}

}  // namespace internal

std::string GeneratePythonCsc(const Eigen::SparseMatrix<double>& mat,
                              std::string_view name) {
  Eigen::SparseMatrix<double> m = mat;
  m.makeCompressed();
  const auto list = [](const auto* data, Eigen::Index size) {
    return fmt::format("[{}]", fmt::join(data, data + size, ", "));
  };
  return fmt::format(
      "{} = scipy.sparse.csc_matrix((np.array({}), np.array({}), "
      "np.array({})), shape=({}, {}))\n",
      name, list(m.valuePtr(), m.nonZeros()),
      list(m.innerIndexPtr(), m.nonZeros()),
      list(m.outerIndexPtr(), m.outerSize() + 1), m.rows(), m.cols());
}

}  // namespace wyvern::math
