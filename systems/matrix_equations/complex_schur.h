#pragma once

#include <complex>
#include <functional>

#include <Eigen/Core>

namespace wyvern::math::internal {

/** A = U T U^H with U unitary and T upper triangular, the eigenvalues of A on
its diagonal. */
struct ComplexSchur {
  Eigen::MatrixXcd T;
  Eigen::MatrixXcd U;
};

/** The Schur form of a square matrix.
@throws std::runtime_error naming `caller` if the QR algorithm fails. */
ComplexSchur CalcComplexSchur(const char* caller, const Eigen::MatrixXd& A);

/** The eigenvalues of a square matrix, from its Schur form: the one eigenvalue
solver of the matrix equations, as Eigen's others take long to compile.
@throws std::runtime_error naming `caller` if the QR algorithm fails. */
Eigen::VectorXcd CalcEigenvalues(const char* caller, const Eigen::MatrixXd& A);

/** Reorders the eigenvalues so that those for which `comes_first` holds are at
the top; the first columns of U then span their invariant subspace. Returns how
many they are. */
int MoveToTop(const std::function<bool(std::complex<double>)>& comes_first,
              ComplexSchur* schur);

}  // namespace wyvern::math::internal
