#pragma once

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::systems::estimators::internal {

/** Whether a covariance may be singular. */
enum class Definiteness { kSemidefinite, kDefinite };

/** @throws std::logic_error naming `who` and `name` unless M is size x size,
finite, symmetric to 1e-10 of its largest entry, and positive (semi)definite. */
void RequireCovariance(const char* who, const char* name,
                       const Eigen::Ref<const Eigen::MatrixXd>& M,
                       Eigen::Index size, Definiteness wanted);

/** Computes the lower triangular L with L L' = P, from the lower triangle of P.
A pivot of less than 10 n eps of its diagonal entry counts as 0, which makes its
column of L zero. L must have the size of P. Allocates nothing.
@returns -1, or the row where P is not positive (semi)definite. */
template <typename T>
int FactorCovariance(const MatrixX<T>& P, Definiteness wanted, MatrixX<T>* L);

/** Replaces B by L^-1 B. No diagonal entry of L may be 0. */
template <typename T, typename Rows>
void SolveLower(const MatrixX<T>& L, Eigen::MatrixBase<Rows>* B) {
  for (Eigen::Index i = 0; i < L.rows(); ++i) {
    for (Eigen::Index k = 0; k < i; ++k) B->row(i) -= L(i, k) * B->row(k);
    B->row(i) /= L(i, i);
  }
}

/** Replaces B by L^-T B. No diagonal entry of L may be 0. */
template <typename T, typename Rows>
void SolveLowerTransposed(const MatrixX<T>& L, Eigen::MatrixBase<Rows>* B) {
  for (Eigen::Index i = L.rows() - 1; i >= 0; --i) {
    for (Eigen::Index k = i + 1; k < L.rows(); ++k) {
      B->row(i) -= L(k, i) * B->row(k);
    }
    B->row(i) /= L(i, i);
  }
}

}  // namespace wyvern::systems::estimators::internal
