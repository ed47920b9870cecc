/* An island whose contacts have few rows, of their own, as a robot on its feet
has: all that is not linear in v is in the rows' velocities y = J v and the laws
of velocities, which are lines between kinks. With these lines and H_0 = L L' =
A - dt df/dv at the v0 it starts from,

  v = v0 + L^-T (z + X xi),  X = L^-1 J',  z = L^-1 b,  b = dt f - p_,

p_ = A (v0 - v*) - p, solves it if xi = g(y) with y = J v0 + X'z + W xi, W =
X'X. W (xi - g) is the gradient of a convex function of xi, whose minimum
Newton's method, (I + G W) dxi = g - xi, with the line search of step_solver.cc
finds, on as many numbers as rows; near the solution without a search, and
without a look at what a step leaves where the square of that is little enough.
X and z are solved for together, as columns of one matrix. Kinks that are passed
on the way, and round-off, show in the residual of v, which SolveIsland() looks
at afterwards as at any other v: it goes on from there if it must. */

#include <algorithm>

#include <Eigen/LU>

#include "wyvern/multibody/contact/short_vectors.h"
#include "wyvern/multibody/contact/step_solver.h"
#include "wyvern/systems/common/math/wide_registers.h"

namespace wyvern::multibody::internal {

namespace {

using Problem = StepProblem<double>;

constexpr int kMostContacts = 8;
// Of X and z, in fours.
constexpr int kMostColumns = 28;
constexpr int kMaxIterations = 20;
// Of the tolerance: the next step, which would leave the square of the share,
// costs little.
constexpr double kShareOfTolerance = 1e-3;
// Where less than this share is left and steps square it, they need no line
// search.
constexpr double kNear = 0.01;

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
      LoadRegister(to, &sum);
      for (int k = 0; k < rows; ++k) {
        const double* row = X + k * kMostColumns;
        LoadRegister(row + j, &x);
        sum += row[i] * x;
      }
      StoreRegister(sum, to);
    }
  }
}

WYVERN_WIDE_REGISTERS void AddSquareWide(int rows, int num_fours,
                                         const double* X, double* W) {
  AddSquare<wyvern::internal::WideRegister>(rows, num_fours, X, W);
}

// A 3 x 3 matrix by columns in registers; their last numbers are of no use.
using Block = Eigen::Matrix<double, 4, 3>;

template <class V>
struct ThreeByThree {
  FourNumbers<V> column[3];

  [[gnu::always_inline]] explicit ThreeByThree(const Block& from)
      : column{FourNumbers<V>(from.data()), FourNumbers<V>(from.data() + 4),
               FourNumbers<V>(from.data() + 8)} {}
  // y += sign A x
  [[gnu::always_inline]] void AddProduct(double sign, const double* x,
                                         FourNumbers<V>* y) const {
    for (int k = 0; k < 3; ++k) y->AddScaled(sign * x[k], column[k]);
  }
};

// x := (I + G W)^-1 x, by elimination of blocks of 3 x 3. All eigenvalues of
// I + G W are 1 or more, and so are those of what is left of it.
template <class V>
[[gnu::always_inline]] inline void SolveBlocks(int n, const Block* G,
                                               const double* W, Block* blocks,
                                               double* x) {
  const auto at = [&](int i, int j) -> Block& {
    return blocks[i * kMostContacts + j];
  };
  for (int i = 0; i < n; ++i) {
    const ThreeByThree<V> G_i(G[i]);
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < 3; ++k) {
        FourNumbers<V> to;
        G_i.AddProduct(1, W + (3 * j + k) * kMostColumns + 3 * i, &to);
        to.Store(at(i, j).col(k).data());
      }
    }
    for (int k = 0; k < 3; ++k) at(i, i)(k, k) += 1;
  }
  double y[kMostContacts][4];
  for (int i = 0; i < n; ++i) {
    std::copy_n(x + 3 * i, 3, y[i]);
    y[i][3] = 0;
  }
  for (int k = 0; k < n; ++k) {
    Block& pivot = at(k, k);
    pivot.topRows<3>() = pivot.topRows<3>().inverse().eval();
    const ThreeByThree<V> inverse(pivot);
    for (int i = k + 1; i < n; ++i) {
      Block L_values;
      for (int c = 0; c < 3; ++c) {
        FourNumbers<V> to;
        ThreeByThree<V>(at(i, k)).AddProduct(1, pivot.col(c).data(), &to);
        to.Store(L_values.col(c).data());
      }
      const ThreeByThree<V> L(L_values);
      for (int j = k + 1; j < n; ++j) {
        for (int c = 0; c < 3; ++c) {
          FourNumbers<V> to(at(i, j).col(c).data());
          L.AddProduct(-1, at(k, j).col(c).data(), &to);
          to.Store(at(i, j).col(c).data());
        }
      }
      FourNumbers<V> y_i(y[i]);
      L.AddProduct(-1, y[k], &y_i);
      y_i.Store(y[i]);
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    FourNumbers<V> rest(y[k]);
    for (int j = k + 1; j < n; ++j) {
      ThreeByThree<V>(at(k, j)).AddProduct(-1, y[j], &rest);
    }
    rest.Store(y[k]);
    FourNumbers<V> to;
    ThreeByThree<V>(at(k, k)).AddProduct(1, y[k], &to);
    to.Store(y[k]);
    std::copy_n(y[k], 3, x + 3 * k);
  }
}

WYVERN_WIDE_REGISTERS void SolveBlocksWide(int n, const Block* G,
                                           const double* W, Block* blocks,
                                           double* x) {
  SolveBlocks<wyvern::internal::WideRegister>(n, G, W, blocks, x);
}

}  // namespace

bool StepSolver::HasFewRows(const Problem& problem, int island) const {
  const std::span<const int> constraints = constraints_of(island);
  const int num_rows = 3 * static_cast<int>(constraints.size());
  if (options_.use_dense || num_rows == 0 || num_rows > 3 * kMostContacts) {
    return false;
  }
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

// d_xi_ = (I + G W)^-1 d_xi_.
void StepSolver::CalcRowsStep(int num_contacts) {
  if (wyvern::internal::kHasWideRegisters) {
    SolveBlocksWide(num_contacts, slopes_.data(), W_.data(), blocks_.data(),
                    d_xi_.data());
  } else {
    SolveBlocks<wyvern::internal::NarrowRegister>(
        num_contacts, slopes_.data(), W_.data(), blocks_.data(), d_xi_.data());
  }
}

int StepSolver::SolveByRows(const Problem& problem, int island) {
  if (X_.cols() < problem.num_v()) X_.resize(kMostColumns, problem.num_v());
  if (W_.rows() < kMostColumns) {
    W_.resize(kMostColumns, kMostColumns);
    blocks_.resize(kMostContacts * kMostContacts);
    slopes_.resize(kMostContacts);
    for (VectorX<double>* x : {&xi_, &d_xi_, &rest_}) x->setZero(kMostColumns);
  }
  const int begin = constraint_start_[island];
  const int num_contacts = constraint_start_[island + 1] - begin;
  const int size = 3 * num_contacts, num_columns = 4 * (size / 4 + 1);
  int rows[kMostContacts];  // Of a contact, its first row in the problem.
  for (int i = 0; i < num_contacts; ++i) {
    rows[i] = problem.constraint(constraints_[begin + i]).row;
  }
  for (const int t : cholesky_.island(island)) {
    double* x = X_.col(problem.v_start(t)).data();
    for (int i = 0; i < problem.nv(t); ++i, x += kMostColumns) {
      for (int j = 0; j < num_columns; j += 4) {
        Eigen::Map<Eigen::Vector4d>(x + j).setZero();
      }
    }
  }
  if (!FactorFree(problem, island, size)) return 0;
  MultiplyRows(problem, island, size);
  // d_rows_ = W x, and x'W x.
  const auto multiply = [&](const VectorX<double>& x) {
    double W_x[kMostColumns];
    MultiplyColumns(num_columns, size, W_.data(), kMostColumns, x.data(), W_x);
    for (int i = 0; i < num_contacts; ++i) {
      std::copy_n(W_x + 3 * i, 3, d_rows_.data() + rows[i]);
    }
    return Dot(size, W_x, x.data());
  };
  const auto move = [&](double alpha) {
    for (int i = 0; i < num_contacts; ++i) {
      rows_.segment<3>(rows[i]) += alpha * d_rows_.segment<3>(rows[i]);
    }
  };
  for (int i = 0; i < num_contacts; ++i) {  // From the impulses at v0.
    xi_.segment<3>(3 * i) = solution_.g.segment<3>(rows[i]);
  }
  double scale = multiply(xi_);
  move(1);
  double previous = 1;  // What was left before the last step.
  int iteration = 0;
  while (iteration < kMaxIterations) {
    lanes_.CalcSlopes(rows_.data(), solution_.g.data());
    for (int i = 0; i < num_contacts; ++i) {
      Vector3<double> g;
      Matrix3<double> G;
      if (first_lane_[i] < 0) {
        const auto& k = problem.constraint(constraints_[begin + i]);
        problem.contact_law(k.law).Calc(rows_.segment<3>(rows[i]), &g, &G);
      } else {
        lanes_.GetSlopes(first_lane_[i], &G);
        g = solution_.g.segment<3>(rows[i]);
      }
      slopes_[i].topRows<3>() = G;
      rest_.segment<3>(3 * i) = g - xi_.segment<3>(3 * i);
    }
    // In the norm of W, as J'x is in that of the inverse of H_0.
    const double left = std::sqrt(multiply(rest_) / scale);
    if (!(left > kShareOfTolerance * options_.relative_tolerance)) break;
    d_xi_.head(size) = rest_.head(size);
    CalcRowsStep(num_contacts);
    ++iteration;
    // A step that goes on as the last one did squares what is left.
    const double ratio = std::max(1.0, left / (previous * previous));
    const bool is_last =
        ratio * left * left < kShareOfTolerance * options_.relative_tolerance;
    const bool is_near = left < kNear && ratio * left < kNear;
    double alpha = 1;
    if (!is_last) {
      Line line;
      line.curvature = multiply(d_xi_);
      if (is_near) {
        lanes_.StartLine(rows_.data(), d_rows_.data());
      } else {
        double slope_0 = 0;
        for (int i = 0; i < num_contacts; ++i) {
          const Vector3<double> d = d_rows_.segment<3>(rows[i]);
          slope_0 -= d.dot(rest_.segment<3>(3 * i));
          line.slope += d.dot(xi_.segment<3>(3 * i));
        }
        if (!(slope_0 < 0)) break;
        alpha = FindMinimum(problem, island, line, slope_0, false);
        scale += alpha * (2 * line.slope + alpha * line.curvature);
      }
      lanes_.MoveDirections(alpha);
      move(alpha);
    }
    AddScaled(size, alpha, d_xi_.data(), xi_.data());
    if (is_last) break;
    previous = left;
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
