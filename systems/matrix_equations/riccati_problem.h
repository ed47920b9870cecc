#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace wyvern::math::internal {

/** The data of an algebraic Riccati equation brought to the form without mixed
weight and without descriptor matrix: A, Q, and G = B R^-1 B'. */
struct RiccatiProblem {
  Eigen::MatrixXd A;
  Eigen::MatrixXd G;
  Eigen::MatrixXd Q;
};

/** The Cholesky factor of R, m x m. @throws std::logic_error naming `caller`
unless R is symmetric and positive definite. */
Eigen::LLT<Eigen::MatrixXd> FactorInputWeight(
    const char* caller, const Eigen::Ref<const Eigen::MatrixXd>& R,
    Eigen::Index m);

/** Checks shapes and symmetry and eliminates N, n x m or empty for zero:
A - B R^-1 N', Q - N R^-1 N'. @throws std::logic_error naming `caller`. */
RiccatiProblem MakeRiccatiProblem(const char* caller,
                                  const Eigen::Ref<const Eigen::MatrixXd>& A,
                                  const Eigen::Ref<const Eigen::MatrixXd>& B,
                                  const Eigen::Ref<const Eigen::MatrixXd>& Q,
                                  const Eigen::LLT<Eigen::MatrixXd>& R,
                                  const Eigen::Ref<const Eigen::MatrixXd>& N);

}  // namespace wyvern::math::internal
