#pragma once

/** @file
A x = b by one of Eigen's decompositions, such as Eigen::LLT, where A,
b or both may hold AutoDiffXd. The decomposition is one of the values alone: dx
solves A dx = db - dA x, for each variable, with the same factors. */

#include <functional>
#include <type_traits>

#include "wyvern/geometry/math/autodiff_gradient.h"

namespace wyvern::math {

namespace internal {

template <typename Derived>
constexpr bool is_double_matrix =
    std::is_same_v<typename Derived::Scalar, double>;

/** Function that returns a decomposition's solution for a right-hand side. */
using SolveFunction = std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)>;

/** @throws std::logic_error unless A and b have the same number of rows. */
void RequireSolveSizes(Eigen::Index A_rows, Eigen::Index b_rows);

/** The gradient of x, elements column by column by variables, from that of A
and of b, which have `rows` rows; one without columns is of a constant. */
Eigen::MatrixXd SolveForGradient(const SolveFunction& solve, Eigen::Index rows,
                                 const Eigen::MatrixXd& x,
                                 const Eigen::MatrixXd& dA,
                                 const Eigen::MatrixXd& db);

/** The matrix of doubles of the shape of `Derived`. */
template <typename Derived>
using DoubleMatrix =
    Eigen::Matrix<double, Derived::RowsAtCompileTime,
                  Derived::ColsAtCompileTime, 0, Derived::MaxRowsAtCompileTime,
                  Derived::MaxColsAtCompileTime>;

/** Type of the solution x of A x = b. */
template <typename DerivedA, typename DerivedB>
using Solution = Eigen::Matrix<
    std::conditional_t<is_double_matrix<DerivedA> && is_double_matrix<DerivedB>,
                       double, AutoDiffXd>,
    DerivedA::ColsAtCompileTime, DerivedB::ColsAtCompileTime>;

}  // namespace internal

/** Solves with the decomposition `linear_solver` of the values of A.
@throws std::logic_error if A and b do not fit. */
template <typename LinearSolver, typename DerivedA, typename DerivedB>
internal::Solution<DerivedA, DerivedB> SolveLinearSystem(
    const LinearSolver& linear_solver, const Eigen::MatrixBase<DerivedA>& A,
    const Eigen::MatrixBase<DerivedB>& b) {
  internal::RequireSolveSizes(A.rows(), b.rows());
  const auto solve = [&linear_solver](const Eigen::MatrixXd& rhs) {
    return Eigen::MatrixXd(linear_solver.solve(rhs));
  };
  const Eigen::MatrixXd x = solve(DiscardGradient(b));
  if constexpr (internal::is_double_matrix<DerivedA> &&
                internal::is_double_matrix<DerivedB>) {
    return x;
  } else {
    Eigen::MatrixXd dA(A.size(), 0), db(b.size(), 0);
    if constexpr (!internal::is_double_matrix<DerivedA>) {
      dA = ExtractGradient(A);
    }
    if constexpr (!internal::is_double_matrix<DerivedB>) {
      db = ExtractGradient(
          b, dA.cols() > 0 ? std::optional<int>(dA.cols()) : std::nullopt);
    }
    return InitializeAutoDiff(
        x, internal::SolveForGradient(solve, b.rows(), x, dA, db));
  }
}

/** Overload for a matrix A without derivatives: only its decomposition is
needed. */
template <typename LinearSolver, typename DerivedB>
auto SolveLinearSystem(const LinearSolver& linear_solver,
                       const Eigen::MatrixBase<DerivedB>& b) {
  return SolveLinearSystem(
      linear_solver,
      Eigen::MatrixXd::Zero(linear_solver.rows(), linear_solver.cols()), b);
}

/** The decomposition of the values of A: GetLinearSolver<Eigen::LLT>(A). */
template <template <typename, int...> class LinearSolverType, typename DerivedA>
auto GetLinearSolver(const Eigen::MatrixBase<DerivedA>& A) {
  return LinearSolverType<internal::DoubleMatrix<DerivedA>>(DiscardGradient(A));
}

/** Decomposes and solves: SolveLinearSystem<Eigen::LLT>(A, b). */
template <template <typename, int...> class LinearSolverType, typename DerivedA,
          typename DerivedB>
internal::Solution<DerivedA, DerivedB> SolveLinearSystem(
    const Eigen::MatrixBase<DerivedA>& A,
    const Eigen::MatrixBase<DerivedB>& b) {
  return SolveLinearSystem(GetLinearSolver<LinearSolverType>(A), A, b);
}

/** A decomposition together with its A, for several right-hand sides. */
template <template <typename, int...> class LinearSolverType, typename DerivedA>
class LinearSolver {
 public:
  /** Eigen's decomposition of the values of A. */
  using SolverType = LinearSolverType<internal::DoubleMatrix<DerivedA>>;
  /** The type of x in A x = b. */
  template <typename DerivedB>
  using SolutionType = internal::Solution<DerivedA, DerivedB>;

  /** Without A; only to be assigned to. */
  LinearSolver() = default;
  /** Decomposes the values of A, and keeps A. */
  explicit LinearSolver(const Eigen::MatrixBase<DerivedA>& A)
      : eigen_linear_solver_(GetLinearSolver<LinearSolverType>(A)), A_(A) {}

  /** Returns x of A x = b; derivatives of A and b are taken into account.
  @throws std::logic_error if A and b do not fit. */
  template <typename DerivedB>
  SolutionType<DerivedB> Solve(const Eigen::MatrixBase<DerivedB>& b) const {
    return SolveLinearSystem(eigen_linear_solver_, A_, b);
  }

  /** The decomposition of the values. */
  const SolverType& eigen_linear_solver() const { return eigen_linear_solver_; }

 private:
  SolverType eigen_linear_solver_;
  typename DerivedA::PlainObject A_;
};

}  // namespace wyvern::math
