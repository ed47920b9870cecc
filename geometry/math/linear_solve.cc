#include "wyvern/geometry/math/linear_solve.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::math::internal {

void RequireSolveSizes(Eigen::Index A_rows, Eigen::Index b_rows) {
  if (A_rows != b_rows) {
    throw std::logic_error(fmt::format(
        "SolveLinearSystem(): A has {} rows and b {}; they must agree.", A_rows,
        b_rows));
  }
}

Eigen::MatrixXd SolveForGradient(const SolveFunction& solve, Eigen::Index rows,
                                 const Eigen::MatrixXd& x,
                                 const Eigen::MatrixXd& dA,
                                 const Eigen::MatrixXd& db) {
  const Eigen::Index num_variables = std::max(dA.cols(), db.cols());
  Eigen::MatrixXd dx(x.size(), num_variables);
  for (Eigen::Index k = 0; k < num_variables; ++k) {
    Eigen::MatrixXd rhs = Eigen::MatrixXd::Zero(rows, x.cols());
    if (k < db.cols()) rhs += db.col(k).reshaped(rows, x.cols());
    if (k < dA.cols()) rhs -= dA.col(k).reshaped(rows, x.rows()) * x;
    dx.col(k) = solve(rhs).reshaped();
  }
  return dx;
}

}  // namespace wyvern::math::internal
