/* H = A + J'G J - dt df/dv of an island and its factor. A constraint adds J'G J
to the blocks of its trees and to the one that both share: of each block of J
only the columns that may differ from zero, in runs, and of squares on the
diagonal the upper triangle. J is kept column by column; its rows, gathered,
make columns of H in long pieces. */

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <Eigen/Cholesky>

#include "wyvern/multibody/contact/short_vectors.h"
#include "wyvern/multibody/contact/step_solver.h"

namespace wyvern::multibody::internal {

namespace {

using Problem = StepProblem<double>;
using Stride = Eigen::OuterStride<>;
using HessianBlock = Eigen::Map<MatrixX<double>, 0, Stride>;

// The block of a constraint with a column for each of its rows.
using RowsOfJ = Eigen::Matrix<double, Eigen::Dynamic, 6>;

void GatherRows(const Problem& problem, int c, int side, RowsOfJ* rows) {
  const auto J = problem.J(c, side);
  if (rows->rows() < J.cols()) rows->resize(J.cols(), 6);
  const int num_rows = static_cast<int>(J.rows());
  for (int k = 0; k < J.cols(); ++k) {
    for (int r = 0; r < num_rows; ++r) (*rows)(k, r) = J(r, k);
  }
}

// H += B' G A with R rows, or any number if -1, of two of a constraint's
// blocks, B by its rows; of the product with itself only the upper triangle.
template <int R>
void AddProduct(const Problem& problem, int c, const double* G, int side_A,
                int side_B, const RowsOfJ& B, HessianBlock* H) {
  const int rows = R < 0 ? problem.constraint(c).num_rows : R;
  const auto runs_B = problem.runs(c, side_B);
  const double* A = problem.J(c, side_A).data();
  const double* b = B.data();
  const auto stride = B.rows();
  std::size_t own = 0;
  for (const Problem::Run& run_A : problem.runs(c, side_A)) {
    for (int j = 0; j < run_A.size; ++j, A += rows) {
      double g[6];
      for (int r = 0; r < rows; ++r) {
        g[r] = 0;
        for (int i = 0; i < rows; ++i) g[r] += G[6 * i + r] * A[i];
      }
      double* column = H->data() + (run_A.start + j) * H->outerStride();
      const std::size_t end = side_A == side_B ? own + 1 : runs_B.size();
      for (std::size_t q = 0; q < end; ++q) {
        const Problem::Run& run_B = runs_B[q];
        // Not below the diagonal of the run that both are in.
        const int size = side_A == side_B && q == own ? j + 1 : run_B.size;
        const double* b_q = b + run_B.first;
        double* h = column + run_B.start;
        if constexpr (R == 3 || R == 6) {
          for (int r = 0; r < R; r += 3) {
            AddScaled3(size, g + r, b_q + r * stride, stride, h);
          }
        } else {
          for (int r = 0; r < rows; ++r, b_q += stride) {
            AddScaled(size, g[r], b_q, h);
          }
        }
      }
    }
    ++own;
  }
}

// H += B' G A of the constraint's blocks of two of its sides.
void AddProduct(const Problem& problem, int c, const double* G, int side_A,
                int side_B, const RowsOfJ& B, HessianBlock* H) {
  const Problem::Constraint& k = problem.constraint(c);
  if (k.num_rows == 3) {
    AddProduct<3>(problem, c, G, side_A, side_B, B, H);
  } else if (k.num_rows == 6) {
    AddProduct<6>(problem, c, G, side_A, side_B, B, H);
  } else {
    AddProduct<-1>(problem, c, G, side_A, side_B, B, H);
  }
}

// H += J'G J of a constraint with R rows between free bodies, or one and the
// world.
template <int R, class Places>
void AddSix(const Problem& problem, const Problem::Constraint& k,
            const double* G, const Places& places) {
  const double* J = problem.block(k, 0);
  if (k.tree[1] < 0) {
    AddSixHessian<R>(G, J, places.own[0]);
    return;
  }
  const double* const both_J[] = {J, problem.block(k, 1)};
  AddSixHessians<R>(G, both_J, places.own, places.mixed, places.is_transposed);
}

}  // namespace

void StepSolver::FactorHessian(const Problem& problem, int island) {
  AssembleHessian(problem, island);
  if (!cholesky_.Factor(island)) {
    throw std::runtime_error(fmt::format(
        "StepSolver: the inertia of {} coupled trees is not positive definite; "
        "look for bodies without mass, mass ratios beyond 1e12, and numbers "
        "that are not finite.",
        cholesky_.island(island).size()));
  }
}

void StepSolver::AssembleHessian(const Problem& problem, int island) {
  bool is_transposed;
  for (const int t : cholesky_.island(island)) {
    cholesky_.StartBlock(t, problem.A(t).data());
    if (!has_laws_[t]) continue;
    auto H = cholesky_.Block(t, t, &is_transposed);
    const int start = problem.v_start(t);
    for (int i = 0; i < problem.nv(t); ++i) {
      double intercept, slope;
      problem.dof_laws()[start + i].CalcLine(solution_.v[start + i], &intercept,
                                             &slope);
      H(i, i) += problem.dt() * slope;
    }
  }
  lanes_.CalcSlopes(rows_.data(), solution_.g.data());
  const std::span<const int> constraints = constraints_of(island);
  if (places_.empty()) {
    for (const int c : constraints) places_.push_back(FindPlaces(problem, c));
  }
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    AddConstraintHessian(problem, constraints[i], first_lane_[i], places_[i]);
  }
  // A locked velocity's row and column are those of the identity.
  for (const int t : cholesky_.island(island)) {
    if (!has_locked_[t]) continue;
    const int start = problem.v_start(t), n = problem.nv(t);
    for (int i = 0; i < n; ++i) {
      if (!problem.is_locked()[start + i]) continue;
      auto H = cholesky_.Block(t, t, &is_transposed);
      H.row(i).setZero();
      H.col(i).setZero();
      H(i, i) = 1;
      for (const auto& [a, b] : edges_) {
        if (a != t && b != t) continue;
        auto other = cholesky_.Block(a, b, &is_transposed);
        const bool is_row = is_transposed ? b == t : a == t;
        if (is_row) {
          other.row(i).setZero();
        } else {
          other.col(i).setZero();
        }
      }
    }
  }
}

StepSolver::SixPlaces StepSolver::FindPlaces(const Problem& problem, int c) {
  SixPlaces places;
  const Problem::Constraint& k = problem.constraint(c);
  const auto find = [&](int a, int b) {
    auto H = cholesky_.Block(a, b, &places.is_transposed);
    return SixBlock{H.data(), static_cast<int>(H.outerStride())};
  };
  if (!k.is_six) return places;
  places.own[0] = find(k.tree[0], k.tree[0]);
  if (k.tree[1] < 0) return places;
  places.own[1] = find(k.tree[1], k.tree[1]);
  places.mixed = find(k.tree[0], k.tree[1]);
  return places;
}

void StepSolver::AddConstraintHessian(const Problem& problem, int c, int lane,
                                      const SixPlaces& places) {
  const Problem::Constraint& k = problem.constraint(c);
  Matrix6<double> slopes;
  const auto get = [&](int i, Matrix3<double>* G) {
    return lanes_.GetSlopes(lane + i, G);
  };
  const bool acts = lane < 0 ? problem.CalcSlopes(c, rows_, &slopes)
                             : problem.SumSlopes(k, get, &slopes);
  if (!acts) return;
  const double* G = slopes.data();
  if (k.is_six) {
    if (k.num_rows == 3) {
      AddSix<3>(problem, k, G, places);
    } else {
      AddSix<6>(problem, k, G, places);
    }
    return;
  }
  // Block (0, 1) is J0' G J1; its transpose J1' G J0.
  bool is_transposed;
  for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
    GatherRows(problem, c, side, &rows_of_J_);
    auto H = cholesky_.Block(k.tree[side], k.tree[side], &is_transposed);
    AddProduct(problem, c, G, side, side, rows_of_J_, &H);
    if (k.tree[1] < 0) return;
    auto mixed = cholesky_.Block(k.tree[0], k.tree[1], &is_transposed);
    if (is_transposed == (side == 1)) {
      AddProduct(problem, c, G, 1 - side, side, rows_of_J_, &mixed);
    }
  }
}

// The same Hessian, gathered in one matrix: dense_ holds L.
void StepSolver::FactorDense(const Problem& problem, int island) {
  AssembleHessian(problem, island);
  const auto blocks = cholesky_.island(island);
  int size = 0;
  for (const int t : blocks) size += problem.nv(t);
  dense_.setZero(size, size);
  int row = 0;
  for (const int a : blocks) {
    int column = 0;
    for (const int b : blocks) {
      const std::pair<int, int> edge = std::minmax(a, b);
      const bool is_edge =
          a == b || std::binary_search(edges_.begin(), edges_.end(), edge);
      bool is_transposed;
      if (is_edge) {
        const auto H = cholesky_.Block(a, b, &is_transposed);
        auto to = dense_.block(row, column, problem.nv(a), problem.nv(b));
        if (is_transposed) {
          to = H.transpose();
        } else {
          to = H;
        }
      }
      column += problem.nv(b);
    }
    row += problem.nv(a);
  }
  // Of the squares on the diagonal only the upper triangles are H's.
  dense_.triangularView<Eigen::StrictlyLower>() = dense_.transpose();
  dense_ = dense_.llt().matrixL();
}

void StepSolver::SolveFactored(const Problem& problem, int island,
                               Eigen::Ref<VectorX<double>> x) {
  if (!options_.use_dense) {
    cholesky_.Solve(island, x);
    return;
  }
  dense_x_.resize(dense_.rows());
  int row = 0;
  for (const int t : cholesky_.island(island)) {
    dense_x_.segment(row, problem.nv(t)) =
        x.segment(problem.v_start(t), problem.nv(t));
    row += problem.nv(t);
  }
  dense_.triangularView<Eigen::Lower>().solveInPlace(dense_x_);
  dense_.triangularView<Eigen::Lower>().transpose().solveInPlace(dense_x_);
  row = 0;
  for (const int t : cholesky_.island(island)) {
    x.segment(problem.v_start(t), problem.nv(t)) =
        dense_x_.segment(row, problem.nv(t));
    row += problem.nv(t);
  }
}

}  // namespace wyvern::multibody::internal
