#pragma once

#include <Eigen/Core>

namespace wyvern::math::internal {

/** A symmetric matrix as V diag(values) Vᵀ, V orthogonal. The library's one
instance of Eigen's solver for matrices of any size, which takes long to
compile. */
struct SymmetricEigen {
  Eigen::VectorXd values;  // In increasing order.
  Eigen::MatrixXd V;
};

/** Reads the lower triangle. */
SymmetricEigen CalcSymmetricEigen(const Eigen::MatrixXd& matrix);

/** The values alone: several times faster. */
Eigen::VectorXd CalcSymmetricEigenvalues(const Eigen::MatrixXd& matrix);

}  // namespace wyvern::math::internal
