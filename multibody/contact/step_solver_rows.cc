/* An island whose contacts have few rows, of their own, as a robot on its feet
has: all that is not linear in v is in the rows' velocities y = J v and the laws
of velocities, which are lines between kinks. With these lines and H_0 = L L' =
A - dt df/dv at the v0 it starts from,

  v = v0 + L^-T (z + X xi),  X = L^-1 J',  z = L^-1 b,  b = dt f - p_,

p_ = A (v0 - v*) - p, solves it if xi = g(y) with y = J v0 + X'z + W xi, W =
X'X. W (xi - g) is the gradient of a convex function of xi, whose minimum
Newton's method, (I + G W) dxi = g - xi, with the line search of step_solver.cc
finds, on as many numbers as rows. X and z are solved for together, as columns
of one matrix. Kinks that are passed on the way, and round-off, show in the
residual of v, which SolveIsland() looks at afterwards as at any other v: it
goes on from there if it must. */

#include <algorithm>

#include <Eigen/LU>

#include "wyvern/multibody/contact/short_vectors.h"
#include "wyvern/multibody/contact/step_solver.h"
#include "wyvern/systems/common/math/wide_registers.h"

namespace wyvern::multibody::internal {

namespace {

using Problem = StepProblem<double>;

constexpr int kMostRows = 24;
// Of X and z, in fours.
constexpr int kMostColumns = 28;
constexpr int kMaxIterations = 20;
// Of the tolerance: the next step, which would leave the square of the share,
// costs little.
constexpr double kShareOfTolerance = 1e-3;

// W += X'X of some rows of X, of each four columns of W the rows down to the
// last of them.
template <class V>
[[gnu::always_inline]] inline void AddSquare(int rows, int num_fours,
                                             const double* X, double* W) {
  constexpr int kLanes = sizeof(V) / sizeof(double);
  for (int i = 0; i < 4 * num_fours; ++i) {
    for (int j = i / 4 * 4; j < 4 * num_fours; j += kLanes) {
      double* to = W + i * kMostColumns + j;
      V sum, x;
      LoadPiece(to, &sum);
      for (int k = 0; k < rows; ++k) {
        const double* row = X + k * kMostColumns;
        LoadPiece(row + j, &x);
        sum += row[i] * x;
      }
      StorePiece(sum, to);
    }
  }
}

WYVERN_WIDE_REGISTERS void AddSquareWide(int rows, int num_fours,
                                         const double* X, double* W) {
  AddSquare<wyvern::internal::WideRegister>(rows, num_fours, X, W);
}

}  // namespace

bool StepSolver::HasFewRows(const Problem& problem, int island) const {
  const std::span<const int> constraints = constraints_of(island);
  const int num_rows = 3 * static_cast<int>(constraints.size());
  if (options_.use_dense || num_rows == 0 || num_rows > kMostRows) return false;
  int num_v = 0;
  for (const int t : cholesky_.island(island)) {
    if (has_locked_[t]) return false;
    num_v += problem.nv(t);
  }
  if (2 * num_rows > num_v) return false;
  for (const int c : constraints) {
    const Problem::Constraint& k = problem.constraint(c);
    if (!k.is_contact || k.shares()) return false;
  }
  return true;
}

// L, and b in a column of X.
bool StepSolver::FactorFree(const Problem& problem, int island, int column) {
  bool is_transposed;
  for (const int t : cholesky_.island(island)) {
    const int start = problem.v_start(t), n = problem.nv(t);
    cholesky_.StartBlock(t, problem.A(t).data());
    X_.row(column).segment(start, n) = -p_.segment(start, n);
    if (!has_laws_[t]) continue;
    auto H = cholesky_.Block(t, t, &is_transposed);
    for (int i = 0; i < n; ++i) {
      double intercept, slope;
      const double v = solution_.v[start + i];
      problem.dof_laws()[start + i].CalcLine(v, &intercept, &slope);
      H(i, i) += problem.dt() * slope;
      X_(column, start + i) += problem.dt() * (intercept - slope * v);
    }
  }
  return cholesky_.Factor(island);
}

// X and z, W, and y = J v0 + X'z in rows_.
void StepSolver::MultiplyRows(const Problem& problem, int island,
                              int num_rows) {
  int column = 0;
  for (const int c : constraints_of(island)) {
    const Problem::Constraint& k = problem.constraint(c);
    for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
      const double* J = problem.block(k, side);
      for (const Problem::Run& run : problem.runs(c, side)) {
        double* x = X_.col(problem.v_start(k.tree[side]) + run.start).data();
        for (int j = 0; j < run.size; ++j, J += 3, x += kMostColumns) {
          std::copy_n(J, 3, x + column);
        }
      }
    }
    column += 3;
  }
  const int num_fours = num_rows / 4 + 1;
  cholesky_.SolveForward(island, num_fours, kMostColumns, X_.data());
  W_.leftCols(4 * num_fours).setZero();
  for (const int t : cholesky_.island(island)) {
    const double* X = X_.col(problem.v_start(t)).data();
    if (wyvern::internal::kHasWideRegisters) {
      AddSquareWide(problem.nv(t), num_fours, X, W_.data());
    } else {
      AddSquare<wyvern::internal::NarrowRegister>(problem.nv(t), num_fours, X,
                                                  W_.data());
    }
  }
  for (int i = 0; i < num_rows; ++i) {
    for (int j = 0; j < i; ++j) W_(j, i) = W_(i, j);
  }
  column = 0;
  for (const int c : constraints_of(island)) {
    double* y = rows_.data() + problem.constraint(c).row;
    for (int r = 0; r < 3; ++r) y[r] += W_(num_rows, column++);
  }
}

// d_xi_ = (I + G W)^-1 d_xi_, by elimination of blocks of 3 x 3. All
// eigenvalues of I + G W are 1 or more, and so are those of what is left of it.
void StepSolver::CalcRowsStep(int num_contacts) {
  for (int j = 0; j < num_contacts; ++j) {
    for (int i = 0; i < num_contacts; ++i) {
      auto to = I_GW_.block<3, 3>(3 * i, 3 * j);
      to.noalias() = slopes_[i].lazyProduct(W_.block<3, 3>(3 * i, 3 * j));
      if (i == j) to.diagonal().array() += 1;
    }
  }
  for (int k = 0; k < num_contacts; ++k) {
    const Matrix3<double> inverse = I_GW_.block<3, 3>(3 * k, 3 * k).inverse();
    I_GW_.block<3, 3>(3 * k, 3 * k) = inverse;
    for (int i = k + 1; i < num_contacts; ++i) {
      const Matrix3<double> L =
          I_GW_.block<3, 3>(3 * i, 3 * k).lazyProduct(inverse);
      for (int j = k + 1; j < num_contacts; ++j) {
        I_GW_.block<3, 3>(3 * i, 3 * j).noalias() -=
            L.lazyProduct(I_GW_.block<3, 3>(3 * k, 3 * j));
      }
      d_xi_.segment<3>(3 * i).noalias() -=
          L.lazyProduct(d_xi_.segment<3>(3 * k));
    }
  }
  for (int k = num_contacts - 1; k >= 0; --k) {
    Vector3<double> x = d_xi_.segment<3>(3 * k);
    for (int j = k + 1; j < num_contacts; ++j) {
      x -= I_GW_.block<3, 3>(3 * k, 3 * j).lazyProduct(d_xi_.segment<3>(3 * j));
    }
    d_xi_.segment<3>(3 * k).noalias() =
        I_GW_.block<3, 3>(3 * k, 3 * k).lazyProduct(x);
  }
}

int StepSolver::SolveByRows(const Problem& problem, int island) {
  if (X_.cols() < problem.num_v()) X_.resize(kMostColumns, problem.num_v());
  if (W_.rows() < kMostColumns) {
    W_.resize(kMostColumns, kMostColumns);
    I_GW_.resize(kMostRows, kMostRows);
    slopes_.resize(kMostRows / 3);
    for (VectorX<double>* x : {&xi_, &d_xi_, &rest_}) x->setZero(kMostColumns);
  }
  const int begin = constraint_start_[island];
  const int num_contacts = constraint_start_[island + 1] - begin;
  const int size = 3 * num_contacts, num_columns = 4 * (size / 4 + 1);
  for (const int t : cholesky_.island(island)) {
    for (int i = problem.v_start(t); i < problem.v_start(t) + problem.nv(t);
         ++i) {
      std::fill_n(X_.col(i).data(), num_columns, 0.0);
    }
  }
  if (!FactorFree(problem, island, size)) return 0;
  MultiplyRows(problem, island, size);
  // Of a contact, its first row in the problem.
  const auto row = [&](int i) {
    return problem.constraint(constraints_[begin + i]).row;
  };
  // d_rows_ = W x, and y'W x.
  const auto multiply = [&](const VectorX<double>& x,
                            const VectorX<double>& y) {
    double W_x[kMostColumns]{};
    for (int i = 0; i < size; ++i) {
      AddScaled(num_columns, x[i], W_.col(i).data(), W_x);
    }
    for (int i = 0; i < num_contacts; ++i) {
      std::copy_n(W_x + 3 * i, 3, d_rows_.data() + row(i));
    }
    return Dot(size, W_x, y.data());
  };
  for (int i = 0; i < num_contacts; ++i) {  // From the impulses at v0.
    xi_.segment<3>(3 * i) = solution_.g.segment<3>(row(i));
  }
  double scale = multiply(xi_, xi_);
  for (int i = 0; i < num_contacts; ++i) {
    rows_.segment<3>(row(i)) += d_rows_.segment<3>(row(i));
  }
  int iteration = 0;
  for (; iteration < kMaxIterations; ++iteration) {
    lanes_.CalcSlopes(rows_.data(), solution_.g.data());
    for (int i = 0; i < num_contacts; ++i) {
      const auto& k = problem.constraint(constraints_[begin + i]);
      Vector3<double> g;
      if (first_lane_[i] < 0) {
        problem.contact_law(k.law).Calc(rows_.segment<3>(k.row), &g,
                                        &slopes_[i]);
      } else {
        lanes_.GetSlopes(first_lane_[i], &slopes_[i]);
        g = solution_.g.segment<3>(k.row);
      }
      rest_.segment<3>(3 * i) = g - xi_.segment<3>(3 * i);
    }
    // In the norm of W, as J'x is in that of the inverse of H_0.
    const double share = kShareOfTolerance * options_.relative_tolerance;
    if (!(multiply(rest_, rest_) > share * share * scale)) break;
    d_xi_.head(size) = rest_.head(size);
    CalcRowsStep(num_contacts);
    Line line;
    line.curvature = multiply(d_xi_, d_xi_);
    double slope_0 = 0;
    for (int i = 0; i < num_contacts; ++i) {
      const Vector3<double> d = d_rows_.segment<3>(row(i));
      slope_0 -= d.dot(rest_.segment<3>(3 * i));
      line.slope += d.dot(xi_.segment<3>(3 * i));
    }
    if (!(slope_0 < 0)) break;
    const double alpha = FindMinimum(problem, island, line, slope_0, false);
    lanes_.MoveDirections(alpha);
    AddScaled(size, alpha, d_xi_.data(), xi_.data());
    for (int i = 0; i < num_contacts; ++i) {
      rows_.segment<3>(row(i)) += alpha * d_rows_.segment<3>(row(i));
    }
    scale += alpha * (2 * line.slope + alpha * line.curvature);
  }
  xi_[size] = 1;  // Of z.
  for (const int t : cholesky_.island(island)) {
    for (int i = problem.v_start(t); i < problem.v_start(t) + problem.nv(t);
         ++i) {
      dv_[i] = Dot(size + 1, X_.col(i).data(), xi_.data());
    }
  }
  cholesky_.SolveBackward(island, dv_.data());
  for (const int t : cholesky_.island(island)) {
    const int start = problem.v_start(t), n = problem.nv(t);
    solution_.v.segment(start, n) += dv_.segment(start, n);
  }
  return iteration;
}

}  // namespace wyvern::multibody::internal
