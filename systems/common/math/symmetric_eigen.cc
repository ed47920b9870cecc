#include "wyvern/systems/common/math/symmetric_eigen.h"

#include <Eigen/Eigenvalues>

namespace wyvern::math::internal {

SymmetricEigen CalcSymmetricEigen(const Eigen::MatrixXd& matrix) {
  if (matrix.rows() == 0) return {};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXd CalcSymmetricEigenvalues(const Eigen::MatrixXd& matrix) {
  if (matrix.rows() == 0) return {};
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix,
                                                        Eigen::EigenvaluesOnly)
      .eigenvalues();
}

}  // namespace wyvern::math::internal
