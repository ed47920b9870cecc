#pragma once

#include <stdexcept>

#include <Eigen/LU>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::systems::internal {

/** The matrix of Newton's method, factored. Remembers which Jacobian and which
step size it was made from, so that it need not be made again. */
template <typename T>
class IterationMatrix {
 public:
  /** Factors any square matrix. */
  void SetAndFactorIterationMatrix(const MatrixX<T>& iteration_matrix) {
    matrix_ = iteration_matrix;
    Factor();
    jacobian_ = -1;
  }
  bool matrix_factored() const { return is_factored_; }

  /** The x for which A x = b. @throws std::logic_error if nothing has been
  factored. */
  VectorX<T> Solve(const VectorX<T>& b) const {
    VectorX<T> x;
    Solve(b, &x);
    return x;
  }
  /** Overload that writes into `x` without allocation. */
  void Solve(const VectorX<T>& b, VectorX<T>* x) const {
    if (!is_factored_) {
      throw std::logic_error(
          "IterationMatrix::Solve(): nothing has been factored; call "
          "SetAndFactorIterationMatrix() first.");
    }
    *x = lu_.solve(b);
  }

  /** Is it up to date for Jacobian number `jacobian` and `gamma`? */
  bool is_for(int64_t jacobian, const T& gamma) const {
    return is_factored_ && jacobian == jacobian_ && gamma == gamma_;
  }
  /** Factors A = I - gamma J. */
  void FactorFor(const MatrixX<T>& J, int64_t jacobian, const T& gamma) {
    matrix_ = -gamma * J;
    matrix_.diagonal().array() += T(1.0);
    Factor();
    Note(jacobian, gamma);
  }
  /** Factors A = I - h a (x) J, for the stages of a Runge-Kutta method with
  the matrix `a`. */
  template <int s>
  void FactorForStages(const Eigen::Matrix<double, s, s>& a,
                       const MatrixX<T>& J, int64_t jacobian, const T& h) {
    const Eigen::Index n = J.rows();
    matrix_.resize(s * n, s * n);
    for (int i = 0; i < s; ++i) {
      for (int j = 0; j < s; ++j) {
        matrix_.block(i * n, j * n, n, n) = T(-h * a(i, j)) * J;
      }
    }
    matrix_.diagonal().array() += T(1.0);
    Factor();
    Note(jacobian, h);
  }

 private:
  void Factor() {
    lu_.compute(matrix_);
    is_factored_ = true;
  }
  void Note(int64_t jacobian, const T& gamma) {
    jacobian_ = jacobian;
    gamma_ = gamma;
  }

  MatrixX<T> matrix_;
  Eigen::PartialPivLU<MatrixX<T>> lu_;
  int64_t jacobian_{-1};
  T gamma_{0.0};
  bool is_factored_{false};
};

}  // namespace wyvern::systems::internal
