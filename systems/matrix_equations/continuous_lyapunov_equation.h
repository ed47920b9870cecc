#pragma once

#include <Eigen/Core>

namespace wyvern::math {

/** The symmetric X with A'X + XA + Q = 0, for Q symmetric. There is one if no
two eigenvalues of A add up to zero; it is positive definite if A is stable and
Q positive definite. Order of cost: 50 n^3.
@throws std::logic_error if shapes do not fit, an entry is not finite, or Q is
not symmetric.
@throws std::runtime_error if two eigenvalues add up to zero, to round-off. */
Eigen::MatrixXd RealContinuousLyapunovEquation(
    const Eigen::Ref<const Eigen::MatrixXd>& A,
    const Eigen::Ref<const Eigen::MatrixXd>& Q);

}  // namespace wyvern::math
