#pragma once

#include <Eigen/Core>

namespace wyvern::test {

/** The eigenvalues of a square matrix. Eigen's solver is compiled here, once
for all tests, as that takes long. */
Eigen::VectorXcd Spectrum(const Eigen::MatrixXd& A);

}  // namespace wyvern::test
