#pragma once

#include <stdexcept>

#include <Eigen/Cholesky>

#include "wyvern/multibody/step/step_problem.h"

namespace wyvern::test {

/** The derivative of a problem's residual by v, as one dense matrix. */
inline MatrixX<double> CalcDenseHessian(
    const multibody::internal::StepProblem<double>& problem,
    const VectorX<double>& v) {
  const int nv = problem.num_v();
  MatrixX<double> H = MatrixX<double>::Zero(nv, nv);
  for (int t = 0; t < problem.num_trees(); ++t) {
    const int start = problem.v_start(t), n = problem.nv(t);
    H.block(start, start, n, n) = problem.A(t);
  }
  VectorX<double> v_rows;
  problem.CalcRowVelocities(v, &v_rows);
  for (int c = 0; c < problem.num_constraints(); ++c) {
    const auto& k = problem.constraint(c);
    MatrixX<double> J = MatrixX<double>::Zero(k.num_rows, nv);
    for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
      for (const auto& range : problem.ranges(c, side)) {
        J.middleCols(problem.v_start(k.tree[side]) + range.start, range.size) =
            problem.J(c, side, range);
      }
    }
    Matrix6<double> G;
    if (!problem.CalcSlopes(c, v_rows, &G)) continue;
    H += J.transpose() * G.topLeftCorner(k.num_rows, k.num_rows) * J;
  }
  for (int i = 0; i < nv; ++i) {
    if (!problem.dof_laws().empty()) {
      double intercept, slope;
      problem.dof_laws()[i].CalcLine(v[i], &intercept, &slope);
      H(i, i) += problem.dt() * slope;
    }
    if (!problem.is_locked()[i]) continue;
    H.row(i).setZero();
    H.col(i).setZero();
    H(i, i) = 1;
  }
  return H;
}

/** Solves a problem as a whole, independently of StepSolver: by Newton's method
on dense matrices, with bisection for the minimum along each step. */
inline VectorX<double> SolveDense(
    const multibody::internal::StepProblem<double>& problem) {
  VectorX<double> v = VectorX<double>::Zero(problem.num_v());
  for (int i = 0; i < 300; ++i) {
    const VectorX<double> dv =
        -CalcDenseHessian(problem, v).llt().solve(problem.CalcResidual(v));
    if (dv.lpNorm<Eigen::Infinity>() < 1e-11) return v + dv;
    double low = 0, high = 2;
    for (int k = 0; k < 50; ++k) {
      const double alpha = (low + high) / 2;
      const double slope = dv.dot(problem.CalcResidual(v + alpha * dv));
      (slope > 0 ? high : low) = alpha;
    }
    v += low * dv;
  }
  throw std::runtime_error("SolveDense() did not converge in 300 iterations");
}

}  // namespace wyvern::test
