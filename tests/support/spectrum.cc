#include "tests/support/spectrum.h"

#include <Eigen/Eigenvalues>

namespace wyvern::test {

Eigen::VectorXcd Spectrum(const Eigen::MatrixXd& A) { return A.eigenvalues(); }

}  // namespace wyvern::test
