#pragma once

#include <Eigen/Core>

namespace wyvern::math {

/** The symmetric X with A'XA - X + Q = 0, for Q symmetric. There is one if no
product of two eigenvalues of A is one; it is positive definite if all
eigenvalues lie in the unit circle and Q is positive definite. Order of cost: 50
n^3.
@throws std::logic_error if shapes do not fit, an entry is not finite, or Q is
not symmetric.
@throws std::runtime_error if the product of two eigenvalues is one, to
round-off. */
Eigen::MatrixXd RealDiscreteLyapunovEquation(
    const Eigen::Ref<const Eigen::MatrixXd>& A,
    const Eigen::Ref<const Eigen::MatrixXd>& Q);

}  // namespace wyvern::math
