#include "wyvern/systems/matrix_equations/complex_schur.h"

#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>
#include <Eigen/Jacobi>

namespace wyvern::math::internal {
namespace {

// Exchanges the eigenvalues a = T_kk and b = T_{k+1,k+1}. The block [a c; 0 b]
// has the eigenvector [c, b - a]' for b; the rotation that turns it to the
// first axis puts b on top. Backward stable: Z. Bai and J. Demmel, On swapping
// diagonal blocks in real Schur form (1993), for blocks of size one.
void SwapWithNext(Eigen::Index k, ComplexSchur* schur) {
  Eigen::MatrixXcd& T = schur->T;
  Eigen::JacobiRotation<std::complex<double>> G;
  G.makeGivens(T(k, k + 1), T(k + 1, k + 1) - T(k, k));
  T.applyOnTheLeft(k, k + 1, G.adjoint());
  T.applyOnTheRight(k, k + 1, G);
  T(k + 1, k) = 0.0;
  schur->U.applyOnTheRight(k, k + 1, G);
}

}  // namespace

ComplexSchur CalcComplexSchur(const char* caller, const Eigen::MatrixXd& A) {
  if (A.rows() == 0) return {};
  const Eigen::ComplexSchur<Eigen::MatrixXcd> schur(
      A.cast<std::complex<double>>());
  if (schur.info() != Eigen::Success) {
    throw std::runtime_error(fmt::format(
        "{}(): the eigenvalues of a {} x {} matrix did not converge; check the "
        "scaling of the matrices given.",
        caller, A.rows(), A.cols()));
  }
  return {schur.matrixT(), schur.matrixU()};
}

Eigen::VectorXcd CalcEigenvalues(const char* caller, const Eigen::MatrixXd& A) {
  return CalcComplexSchur(caller, A).T.diagonal();
}

int MoveToTop(const std::function<bool(std::complex<double>)>& comes_first,
              ComplexSchur* schur) {
  int num_moved = 0;
  for (Eigen::Index i = 0; i < schur->T.rows(); ++i) {
    if (!comes_first(schur->T(i, i))) continue;
    for (Eigen::Index k = i - 1; k >= num_moved; --k) SwapWithNext(k, schur);
    ++num_moved;
  }
  return num_moved;
}

}  // namespace wyvern::math::internal
