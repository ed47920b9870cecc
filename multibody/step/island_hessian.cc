#include "wyvern/multibody/step/island_hessian.h"

#include <algorithm>
#include <span>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/kernels/short_vectors.h"
#include "wyvern/multibody/step/island.h"

/* H = A + J'G J - dt df/dv, the derivative of an island's residual (equation
(3) of velocity_solver.cc). The blocks of A are copied to the diagonal and get
dt times the slopes of force laws. A constraint then adds J_a'G J_b to the
blocks of its trees a and b: the two on the diagonal, of which only the upper
triangle is kept, and the one that both share. Only the columns of J that may
differ from zero take part, as ranges of neighbours. J is stored by columns; its
rows, gathered, make columns of H in long pieces. Constraints between free
bodies, six columns a tree, have kernels of their own (six_by_six.h). Without
constraints H is A plus a diagonal, and islands are single trees. */

namespace wyvern::multibody::internal {

namespace {

using Problem = StepProblem<double>;
using Stride = Eigen::OuterStride<>;
using HessianBlock = Eigen::Map<MatrixX<double>, 0, Stride>;

// The transpose of a constraint's block: a column for each of its rows.
using JByRows = Eigen::Matrix<double, Eigen::Dynamic, 6>;

void GatherRows(const Problem& problem, int c, int side, JByRows* rows) {
  const auto J = problem.J(c, side);
  if (rows->rows() < J.cols()) rows->resize(J.cols(), 6);
  const int num_rows = static_cast<int>(J.rows());
  for (int k = 0; k < J.cols(); ++k) {
    for (int r = 0; r < num_rows; ++r) (*rows)(k, r) = J(r, k);
  }
}

// H += B' G A of the blocks A and B of two sides of a constraint with R rows,
// or any number if R is -1; B is given by its rows. Of the product of a block
// with itself only the upper triangle is added.
template <int R>
void AddProduct(const Problem& problem, int c, const double* G, int side_A,
                int side_B, const JByRows& B, HessianBlock* H) {
  const int rows = R < 0 ? problem.constraint(c).num_rows : R;
  const auto ranges_B = problem.ranges(c, side_B);
  const double* A = problem.J(c, side_A).data();
  const double* b = B.data();
  const auto stride = B.rows();
  std::size_t own = 0;
  for (const auto& range_A : problem.ranges(c, side_A)) {
    for (int j = 0; j < range_A.size; ++j, A += rows) {
      double g[6];
      for (int r = 0; r < rows; ++r) {
        g[r] = 0;
        for (int i = 0; i < rows; ++i) g[r] += G[6 * i + r] * A[i];
      }
      double* column = H->data() + (range_A.start + j) * H->outerStride();
      const std::size_t end = side_A == side_B ? own + 1 : ranges_B.size();
      for (std::size_t q = 0; q < end; ++q) {
        const auto& range_B = ranges_B[q];
        // In the range that holds the diagonal, rows 0 to j are the upper part.
        const int size = side_A == side_B && q == own ? j + 1 : range_B.size;
        const double* b_q = b + range_B.first;
        double* h = column + range_B.start;
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

void AddProduct(const Problem& problem, int c, const double* G, int side_A,
                int side_B, const JByRows& B, HessianBlock* H) {
  const Problem::Constraint& k = problem.constraint(c);
  if (k.num_rows == 3) {
    AddProduct<3>(problem, c, G, side_A, side_B, B, H);
  } else if (k.num_rows == 6) {
    AddProduct<6>(problem, c, G, side_A, side_B, B, H);
  } else {
    AddProduct<-1>(problem, c, G, side_A, side_B, B, H);
  }
}

// H += J'G J of a constraint with R rows between free bodies, or between one
// and the world.
template <int R, class Blocks>
void AddFreeBodies(const Problem& problem, const Problem::Constraint& k,
                   const double* G, const Blocks& blocks) {
  const double* J = problem.block(k, 0);
  if (k.tree[1] < 0) {
    AddSixHessian<R>(G, J, blocks.own[0]);
    return;
  }
  const double* const both_J[] = {J, problem.block(k, 1)};
  AddSixHessians<R>(G, both_J, blocks.own, blocks.mixed, blocks.is_transposed);
}

}  // namespace

void IslandHessian::Factor(Island* island) {
  AssembleTrees(*island);
  AssembleConstraints(island);
  AssembleLocked(*island);
  if (!cholesky_.Factor(island->index())) {
    throw std::runtime_error(fmt::format(
        "StepSolver: the inertia of {} coupled trees is not positive definite; "
        "look for bodies without mass, mass ratios beyond 1e12, and numbers "
        "that are not finite.",
        island->trees().size()));
  }
}

bool IslandHessian::FactorWithoutConstraints(const Island& island) {
  AssembleTrees(island);
  return cholesky_.Factor(island.index());
}

void IslandHessian::Solve(const Island& island,
                          Eigen::Ref<VectorX<double>> x) const {
  cholesky_.Solve(island.index(), x);
}

// H = A - dt df/dv by trees; CalcLine() returns -df/dv.
void IslandHessian::AssembleTrees(const Island& island) {
  const Problem& problem = island.problem();
  bool is_transposed;
  for (const int t : island.trees()) {
    cholesky_.StartBlock(t, problem.A(t).data());
    if (!island.has_force_laws(t)) continue;
    auto H = cholesky_.Block(t, t, &is_transposed);
    const int start = problem.v_start(t);
    for (int i = 0; i < problem.nv(t); ++i) {
      double intercept, slope;
      problem.dof_laws()[start + i].CalcLine(island.state().v[start + i],
                                             &intercept, &slope);
      H(i, i) += problem.dt() * slope;
    }
  }
}

// H += J'G J of all constraints of the island.
void IslandHessian::AssembleConstraints(Island* island) {
  const Problem& problem = island->problem();
  StepState& s = island->state();
  const std::span<const int> constraints = island->constraints();
  s.batch.CalcSlopes(s.v_rows.data(), s.g.data());
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const int c = constraints[i], first = s.first_in_batch[i];
    const auto get = [&](int k, Matrix3<double>* G) {
      return s.batch.GetSlopes(first + k, G);
    };
    Matrix6<double> G;
    const bool has_slopes =
        first < 0 ? problem.CalcSlopes(c, s.v_rows, &G)
                  : problem.SumContactSlopes(problem.constraint(c), get, &G);
    if (has_slopes) AddConstraint(*island, c, G.data());
  }
}

// Replaces the rows and columns of locked velocities by those of the identity.
void IslandHessian::AssembleLocked(const Island& island) {
  const Problem& problem = island.problem();
  bool is_transposed;
  for (const int t : island.trees()) {
    if (!island.has_locked(t)) continue;
    const int start = problem.v_start(t), n = problem.nv(t);
    for (int i = 0; i < n; ++i) {
      if (!problem.is_locked()[start + i]) continue;
      auto H = cholesky_.Block(t, t, &is_transposed);
      H.row(i).setZero();
      H.col(i).setZero();
      H(i, i) = 1;
      for (const auto& [a, b] : cholesky_.edges()) {
        if (a != t && b != t) continue;
        auto mixed = cholesky_.Block(a, b, &is_transposed);
        const bool is_row = is_transposed ? b == t : a == t;
        if (is_row) {
          mixed.row(i).setZero();
        } else {
          mixed.col(i).setZero();
        }
      }
    }
  }
}

IslandHessian::HessianBlocks6 IslandHessian::FindBlocks6(const int (&tree)[2]) {
  HessianBlocks6 blocks;
  const auto find = [&](int a, int b) {
    auto H = cholesky_.Block(a, b, &blocks.is_transposed);
    return Block6{H.data(), static_cast<int>(H.outerStride())};
  };
  blocks.own[0] = find(tree[0], tree[0]);
  if (tree[1] < 0) return blocks;
  blocks.own[1] = find(tree[1], tree[1]);
  blocks.mixed = find(tree[0], tree[1]);
  return blocks;
}

void IslandHessian::AddConstraint(const Island& island, int c,
                                  const double* G) {
  const Problem& problem = island.problem();
  const Problem::Constraint& k = problem.constraint(c);
  if (k.has_six_columns) {
    const HessianBlocks6 blocks = FindBlocks6(k.tree);
    if (k.num_rows == 3) {
      AddFreeBodies<3>(problem, k, G, blocks);
    } else {
      AddFreeBodies<6>(problem, k, G, blocks);
    }
    return;
  }
  // Block (0, 1) is J0' G J1; its transpose J1' G J0.
  bool is_transposed;
  for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
    GatherRows(problem, c, side, &J_by_rows_);
    auto H = cholesky_.Block(k.tree[side], k.tree[side], &is_transposed);
    AddProduct(problem, c, G, side, side, J_by_rows_, &H);
    if (k.tree[1] < 0) return;
    auto mixed = cholesky_.Block(k.tree[0], k.tree[1], &is_transposed);
    if (is_transposed == (side == 1)) {
      AddProduct(problem, c, G, 1 - side, side, J_by_rows_, &mixed);
    }
  }
}

}  // namespace wyvern::multibody::internal
