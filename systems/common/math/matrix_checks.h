#pragma once

#include <Eigen/Core>

namespace wyvern::math::internal {

/** Throws std::logic_error naming `caller` and `name` unless `M` has the shape
and is finite. */
void RequireMatrix(const char* caller, const char* name,
                   const Eigen::Ref<const Eigen::MatrixXd>& M,
                   Eigen::Index rows, Eigen::Index cols);

/** RequireMatrix(), and symmetric up to 1e-10 of its largest entry. */
void RequireSymmetric(const char* caller, const char* name,
                      const Eigen::Ref<const Eigen::MatrixXd>& M,
                      Eigen::Index size);

/** (M + M')/2. */
Eigen::MatrixXd SymmetricPart(const Eigen::MatrixXd& M);

}  // namespace wyvern::math::internal
