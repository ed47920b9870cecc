#include "wyvern/multibody/constraints/solve_constrained_system.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/LU>
#include <Eigen/QR>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

/* Direct, H = L Lᵀ:
  [ H  Gᵀ ]   [ L     ] [ 1    ] [ Lᵀ  Yᵀ ]
  [ G  0  ] = [ Y   1 ] [   -K ] [     1  ],   Y = G L⁻ᵀ, K = Y Yᵀ.
Range space, H = LᵀL: the same with Y = G L⁻¹. In both, z = c from the same
side, K lambda = gamma - Y z, and x comes of z + Yᵀ lambda. z is kept as the row
below Y, so that K and Y z are one product.
Null space: reflections Q = Q_1 Q_2 ... with Gᵀ = Q [R; 0] give x = Q [y; u]
with Rᵀ y = gamma, H_zz u = (Qᵀ (c - H Q [y; 0]))_z for H_zz the part of QᵀHQ
that Q_r ... Q_1 leave below, and R lambda = (Qᵀ (H x - c))_y. */

namespace wyvern::multibody {
namespace {

using engine::RedundantSolve;

template <typename T>
void RequireSizes(const char* function, const Eigen::Ref<const MatrixX<T>>& H,
                  const Eigen::Ref<const MatrixX<T>>& G, Eigen::Index c,
                  Eigen::Index gamma, Eigen::Index x, Eigen::Index lambda,
                  const ConstrainedSystemScratch<T>& scratch) {
  const Eigen::Index nv = H.rows(), nc = G.rows();
  if (H.cols() == nv && G.cols() == nv && c == nv && x == nv && gamma == nc &&
      lambda == nc && scratch.L.rows() == nv && scratch.a.size() == nc) {
    return;
  }
  throw std::logic_error(fmt::format(
      "{}(): H is {} x {}, G {} x {}, c has {} entries, gamma {}, x {}, lambda "
      "{}, and scratch is for {} velocities and {} constraints; these are to "
      "agree.",
      function, nv, H.cols(), nc, G.cols(), c, gamma, x, lambda,
      scratch.L.rows(), scratch.a.size()));
}

[[noreturn]] void ThrowNotDefinite(const char* function) {
  throw std::runtime_error(fmt::format(
      "{}(): the mass matrix is not positive definite, or not finite; give "
      "every joint mass to move.",
      function));
}

// Solves A x = b by one of Eigen's factorizations.
template <typename T>
VectorX<T> SolveDense(LinearSolver solver, const MatrixX<T>& A,
                      const VectorX<T>& b) {
  switch (solver) {
    case LinearSolver::kHouseholderQR:
      return A.householderQr().solve(b);
    case LinearSolver::kColPivHouseholderQR:
      return A.colPivHouseholderQr().solve(b);
    case LinearSolver::kPartialPivLU:
    case LinearSolver::kSymmetric:
      break;
  }
  return A.partialPivLu().solve(b);
}

// A = L L' in place; false if A is not definite. The upper triangle stays.
template <typename T>
bool FactorizeLower(int n, Eigen::Ref<MatrixX<T>> A) {
  using std::sqrt;
  for (int k = 0; k < n; ++k) {
    T* const column = &A(0, k);
    for (int j = 0; j < k; ++j) {
      const T* const from = &A(0, j);
      const T factor = from[k];
      for (int i = k; i < n; ++i) column[i] -= factor * from[i];
    }
    if (!(column[k] > 0)) return false;
    const T inverse = 1.0 / sqrt(column[k]);
    for (int i = k; i < n; ++i) column[i] *= inverse;
  }
  return true;
}

// B L⁻ᵀ in place, for B m x n.
template <typename T>
void SolveLowerFromRight(const MatrixX<T>& L, Eigen::Ref<MatrixX<T>> B) {
  const int n = static_cast<int>(L.rows());
  const int m = static_cast<int>(B.rows());
  for (int k = 0; k < n; ++k) {
    T* const column = &B(0, k);
    for (int j = 0; j < k; ++j) {
      const T* const from = &B(0, j);
      const T factor = L(k, j);
      for (int r = 0; r < m; ++r) column[r] -= factor * from[r];
    }
    const T inverse = 1.0 / L(k, k);
    for (int r = 0; r < m; ++r) column[r] *= inverse;
  }
}

// The lower triangle of Y Y'.
template <typename T>
void MultiplyByTranspose(const MatrixX<T>& Y, MatrixX<T>* K) {
  K->setZero();
  K->template selfadjointView<Eigen::Lower>().rankUpdate(Y);
}

// Everything with H = L L', which leaves L, Y and z.
template <typename T>
void SolveBySchurComplement(const char* function,
                            const Eigen::Ref<const MatrixX<T>>& H,
                            const Eigen::Ref<const MatrixX<T>>& G,
                            const Eigen::Ref<const VectorX<T>>& c,
                            const Eigen::Ref<const VectorX<T>>& gamma,
                            ConstrainedSystemScratch<T>* scratch,
                            Eigen::Ref<VectorX<T>> lambda) {
  auto& s = *scratch;
  const int nv = static_cast<int>(H.rows());
  const int nc = static_cast<int>(G.rows());
  s.L = H;
  if (!FactorizeLower<T>(nv, s.L)) ThrowNotDefinite(function);
  s.Y.topRows(nc) = G;
  s.Y.row(nc) = c.transpose();
  SolveLowerFromRight<T>(s.L, s.Y);
  MultiplyByTranspose(s.Y, &s.K);
  SolveMultipliers<T>(gamma, LinearSolver::kSymmetric, scratch, lambda);
}

// The whole matrix, for the rows that are independent.
template <typename T>
void SolveWhole(const Eigen::Ref<const MatrixX<T>>& H,
                const Eigen::Ref<const MatrixX<T>>& G,
                const Eigen::Ref<const VectorX<T>>& c,
                const Eigen::Ref<const VectorX<T>>& gamma, LinearSolver solver,
                const RedundantSolve<T>& redundant, Eigen::Ref<VectorX<T>> x,
                Eigen::Ref<VectorX<T>> lambda) {
  const int nv = static_cast<int>(H.rows());
  const int r = redundant.rank();
  const auto rows = redundant.independent_rows();
  MatrixX<T> A = MatrixX<T>::Zero(nv + r, nv + r);
  VectorX<T> b(nv + r);
  A.topLeftCorner(nv, nv) = H;
  b.head(nv) = c;
  for (int i = 0; i < r; ++i) {
    A.row(nv + i).head(nv) = G.row(rows[i]);
    A.col(nv + i).head(nv) = G.row(rows[i]).transpose();
    b[nv + i] = gamma[rows[i]];
  }
  const VectorX<T> solution = SolveDense<T>(solver, A, b);
  x = solution.head(nv);
  if (!redundant.is_redundant()) lambda = -solution.tail(r);
}

// x -= beta v (v'x) for entries [first, n), where v has entries.
template <typename T>
void Reflect(const T* v, const T& beta, int first, int n, T* x) {
  T dot = 0;
  for (int i = first; i < n; ++i) dot += v[i] * x[i];
  dot *= beta;
  for (int i = first; i < n; ++i) x[i] -= dot * v[i];
}

// A reflection that makes x[first] alone of x[first...]; x becomes it.
template <typename T>
void MakeReflection(int first, int n, T* x, T* v, T* beta) {
  using std::sqrt;
  T norm2 = 0;
  for (int i = first; i < n; ++i) {
    norm2 += x[i] * x[i];
    v[i] = x[i];
  }
  const T norm = sqrt(norm2);
  const T alpha = x[first] > 0 ? T(-norm) : norm;
  v[first] -= alpha;
  // |v|² = 2 norm (norm + |x_first|).
  *beta = 1.0 / (norm * (norm + (x[first] > 0 ? x[first] : T(-x[first]))));
  x[first] = alpha;
  for (int i = first + 1; i < n; ++i) x[i] = 0;
}

// R and the reflections of the independent rows of G; returns how many.
template <typename T>
int FactorizeNullSpace(const Eigen::Ref<const MatrixX<T>>& G,
                       ConstrainedSystemScratch<T>* scratch,
                       std::vector<int>* dependent) {
  auto& s = *scratch;
  const int nv = static_cast<int>(G.cols());
  int rank = 0;
  for (int r = 0; r < G.rows(); ++r) {
    s.w = G.row(r).transpose();
    const double length2 = ExtractDoubleOrThrow(T(s.w.squaredNorm()));
    for (int j = 0; j < rank; ++j) {
      Reflect<T>(&s.V(0, j), s.beta[j], j, nv, s.w.data());
    }
    const double left2 =
        rank < nv ? ExtractDoubleOrThrow(T(s.w.tail(nv - rank).squaredNorm()))
                  : 0;
    if (!(left2 > RedundantSolve<T>::kRankTolerance * length2)) {
      dependent->push_back(r);
      continue;
    }
    MakeReflection<T>(rank, nv, s.w.data(), &s.V(0, rank), &s.beta[rank]);
    s.R.col(rank).head(rank + 1) = s.w.head(rank + 1);
    s.rows[rank] = r;
    ++rank;
  }
  return rank;
}

// The lower triangle of Q'HQ below and right of `rank`.
template <typename T>
void ReflectMatrix(int rank, const ConstrainedSystemScratch<T>& s,
                   VectorX<T>* work, MatrixX<T>* H) {
  const int n = static_cast<int>(H->rows());
  for (int j = 0; j < rank; ++j) {
    const T* const v = &s.V(0, j);
    T* const w = work->data();
    for (int i = j; i < n; ++i) w[i] = 0;
    for (int k = j; k < n; ++k) {
      const T* const column = &(*H)(0, k);
      const T v_k = v[k];
      T sum = column[k] * v_k;
      for (int i = k + 1; i < n; ++i) {
        w[i] += column[i] * v_k;
        sum += column[i] * v[i];
      }
      w[k] += sum;
    }
    T dot = 0;
    for (int i = j; i < n; ++i) {
      w[i] *= s.beta[j];
      dot += w[i] * v[i];
    }
    dot *= 0.5 * s.beta[j];
    for (int i = j; i < n; ++i) w[i] -= dot * v[i];
    for (int k = j + 1; k < n; ++k) {
      T* const column = &(*H)(0, k);
      const T v_k = v[k], w_k = w[k];
      for (int i = k; i < n; ++i) column[i] -= v[i] * w_k + w[i] * v_k;
    }
  }
}

}  // namespace

template <typename T>
ConstrainedSystemScratch<T>::ConstrainedSystemScratch(int nv, int nc)
    : L(MatrixX<T>::Zero(nv, nv)),
      Y(MatrixX<T>::Zero(nc + 1, nv)),
      K(MatrixX<T>::Zero(nc + 1, nc + 1)),
      V(MatrixX<T>::Zero(nv, nc)),
      R(MatrixX<T>::Zero(nc, nc)),
      a(VectorX<T>::Zero(nc)),
      b(VectorX<T>::Zero(nc)),
      z(VectorX<T>::Zero(nv)),
      w(VectorX<T>::Zero(nv)),
      u(VectorX<T>::Zero(nv)),
      beta(VectorX<T>::Zero(nc)),
      rows(nc),
      redundant(nc) {
  dependent_rows.reserve(nc);
  inconsistent_rows.reserve(nc);
}

template <typename T>
ConstrainedSystemScratch<T>::ConstrainedSystemScratch(
    const engine::Model& model, int nc)
    : ConstrainedSystemScratch(model.num_v, nc) {
  chains = engine::VelocityChains(model);
}

template <typename T>
void SolveMultipliers(const Eigen::Ref<const VectorX<T>>& gamma,
                      LinearSolver solver, ConstrainedSystemScratch<T>* scratch,
                      Eigen::Ref<VectorX<T>> lambda) {
  auto& s = *scratch;
  const int nc = static_cast<int>(gamma.size());
  s.b = s.K.row(nc).head(nc).transpose();
  s.a = gamma - s.b;
  s.redundant.Factorize(s.K.topLeftCorner(nc, nc));
  s.redundant.Solve(s.a, lambda);
  const auto dependent = s.redundant.dependent_rows();
  s.dependent_rows.assign(dependent.begin(), dependent.end());
  s.inconsistent_rows.clear();
  if (s.redundant.is_redundant()) {
    double magnitude = 0;
    for (int i = 0; i < nc; ++i) {
      magnitude = std::max({magnitude, std::abs(ExtractDoubleOrThrow(s.b[i])),
                            std::abs(ExtractDoubleOrThrow(gamma[i]))});
    }
    const auto rows = s.redundant.FindInconsistentRows(s.a, lambda, magnitude,
                                                       s.consistency_tolerance);
    s.inconsistent_rows.assign(rows.begin(), rows.end());
  } else if (solver != LinearSolver::kSymmetric && nc > 0) {
    const MatrixX<T> K =
        s.K.topLeftCorner(nc, nc).template selfadjointView<Eigen::Lower>();
    lambda = SolveDense<T>(solver, K, s.a);
  }
}

template <typename T>
void SolveConstrainedSystemDirect(const Eigen::Ref<const MatrixX<T>>& H,
                                  const Eigen::Ref<const MatrixX<T>>& G,
                                  const Eigen::Ref<const VectorX<T>>& c,
                                  const Eigen::Ref<const VectorX<T>>& gamma,
                                  LinearSolver solver,
                                  ConstrainedSystemScratch<T>* scratch,
                                  Eigen::Ref<VectorX<T>> x,
                                  Eigen::Ref<VectorX<T>> lambda) {
  constexpr const char* kFunction = "SolveConstrainedSystemDirect";
  auto& s = *scratch;
  RequireSizes<T>(kFunction, H, G, c.size(), gamma.size(), x.size(),
                  lambda.size(), s);
  SolveBySchurComplement<T>(kFunction, H, G, c, gamma, scratch, lambda);
  if (solver != LinearSolver::kSymmetric) {
    SolveWhole<T>(H, G, c, gamma, solver, s.redundant, x, lambda);
    return;
  }
  const int nc = static_cast<int>(G.rows());
  x = s.Y.row(nc).transpose();
  x.noalias() += s.Y.topRows(nc).transpose() * lambda;
  s.L.template triangularView<Eigen::Lower>().transpose().solveInPlace(x);
}

template <typename T>
void SolveConstrainedSystemRangeSpaceSparse(
    const engine::Model& model, const Eigen::Ref<const MatrixX<T>>& H,
    const Eigen::Ref<const MatrixX<T>>& G,
    const Eigen::Ref<const VectorX<T>>& c,
    const Eigen::Ref<const VectorX<T>>& gamma, LinearSolver solver,
    ConstrainedSystemScratch<T>* scratch, Eigen::Ref<VectorX<T>> x,
    Eigen::Ref<VectorX<T>> lambda) {
  constexpr const char* kFunction = "SolveConstrainedSystemRangeSpaceSparse";
  auto& s = *scratch;
  RequireSizes<T>(kFunction, H, G, c.size(), gamma.size(), x.size(),
                  lambda.size(), s);
  if (s.chains.model() != &model) s.chains = engine::VelocityChains(model);
  const int nc = static_cast<int>(G.rows());
  s.L = H;
  if (!engine::FactorizeLtl<T>(s.chains, &s.L)) ThrowNotDefinite(kFunction);
  s.Y.topRows(nc) = G;
  s.Y.row(nc) = c.transpose();
  engine::SolveLtlFromRight<T>(s.chains, s.L, s.Y);
  MultiplyByTranspose(s.Y, &s.K);
  SolveMultipliers<T>(gamma, solver, scratch, lambda);
  x = s.Y.row(nc).transpose();
  x.noalias() += s.Y.topRows(nc).transpose() * lambda;
  engine::SolveLtlLower<T>(s.chains, s.L, x);
}

template <typename T>
void SolveConstrainedSystemNullSpace(const Eigen::Ref<const MatrixX<T>>& H,
                                     const Eigen::Ref<const MatrixX<T>>& G,
                                     const Eigen::Ref<const VectorX<T>>& c,
                                     const Eigen::Ref<const VectorX<T>>& gamma,
                                     LinearSolver solver,
                                     ConstrainedSystemScratch<T>* scratch,
                                     Eigen::Ref<VectorX<T>> x,
                                     Eigen::Ref<VectorX<T>> lambda) {
  constexpr const char* kFunction = "SolveConstrainedSystemNullSpace";
  auto& s = *scratch;
  RequireSizes<T>(kFunction, H, G, c.size(), gamma.size(), x.size(),
                  lambda.size(), s);
  const int nv = static_cast<int>(H.rows());
  const int nc = static_cast<int>(G.rows());
  s.dependent_rows.clear();
  s.inconsistent_rows.clear();
  const int rank = FactorizeNullSpace<T>(G, scratch, &s.dependent_rows);
  const int nz = nv - rank;
  // What G asks: R'y = gamma of the independent rows.
  const auto R =
      s.R.topLeftCorner(rank, rank).template triangularView<Eigen::Upper>();
  s.z.setZero();
  for (int i = 0; i < rank; ++i) s.z[i] = gamma[s.rows[i]];
  auto y = s.z.head(rank);
  R.transpose().solveInPlace(y);
  const auto apply_Q = [&](VectorX<T>* to) {
    for (int j = rank - 1; j >= 0; --j) {
      Reflect<T>(&s.V(0, j), s.beta[j], j, nv, to->data());
    }
  };
  const auto apply_Qt = [&](VectorX<T>* to) {
    for (int j = 0; j < rank; ++j) {
      Reflect<T>(&s.V(0, j), s.beta[j], j, nv, to->data());
    }
  };
  // What is free.
  s.w = s.z;
  apply_Q(&s.w);
  s.u = c;
  s.u.noalias() -= H * s.w;
  apply_Qt(&s.u);
  s.L = H;
  ReflectMatrix<T>(rank, s, &s.w, &s.L);
  auto H_zz = s.L.bottomRightCorner(nz, nz);
  auto u = s.u.tail(nz);
  if (solver != LinearSolver::kSymmetric && nz > 0) {
    const MatrixX<T> A = H_zz.template selfadjointView<Eigen::Lower>();
    s.z.tail(nz) = SolveDense<T>(solver, A, u);
  } else {
    if (!FactorizeLower<T>(nz, H_zz)) ThrowNotDefinite(kFunction);
    const auto lower = H_zz.template triangularView<Eigen::Lower>();
    lower.solveInPlace(u);
    lower.transpose().solveInPlace(u);
    s.z.tail(nz) = u;
  }
  apply_Q(&s.z);
  x = s.z;
  // Forces: R lambda = Q'(H x - c).
  if (rank < nc) {
    SolveBySchurComplement<T>(kFunction, H, G, c, gamma, scratch, lambda);
    return;
  }
  s.w = -c;
  s.w.noalias() += H * x;
  apply_Qt(&s.w);
  lambda = s.w.head(rank);
  R.solveInPlace(lambda);
}

#define WYVERN_INSTANTIATE(T)                                                \
  template struct ConstrainedSystemScratch<T>;                               \
  template void SolveMultipliers(const Eigen::Ref<const VectorX<T>>&,        \
                                 LinearSolver, ConstrainedSystemScratch<T>*, \
                                 Eigen::Ref<VectorX<T>>);                    \
  template void SolveConstrainedSystemDirect(                                \
      const Eigen::Ref<const MatrixX<T>>&,                                   \
      const Eigen::Ref<const MatrixX<T>>&,                                   \
      const Eigen::Ref<const VectorX<T>>&,                                   \
      const Eigen::Ref<const VectorX<T>>&, LinearSolver,                     \
      ConstrainedSystemScratch<T>*, Eigen::Ref<VectorX<T>>,                  \
      Eigen::Ref<VectorX<T>>);                                               \
  template void SolveConstrainedSystemRangeSpaceSparse(                      \
      const engine::Model&, const Eigen::Ref<const MatrixX<T>>&,             \
      const Eigen::Ref<const MatrixX<T>>&,                                   \
      const Eigen::Ref<const VectorX<T>>&,                                   \
      const Eigen::Ref<const VectorX<T>>&, LinearSolver,                     \
      ConstrainedSystemScratch<T>*, Eigen::Ref<VectorX<T>>,                  \
      Eigen::Ref<VectorX<T>>);                                               \
  template void SolveConstrainedSystemNullSpace(                             \
      const Eigen::Ref<const MatrixX<T>>&,                                   \
      const Eigen::Ref<const MatrixX<T>>&,                                   \
      const Eigen::Ref<const VectorX<T>>&,                                   \
      const Eigen::Ref<const VectorX<T>>&, LinearSolver,                     \
      ConstrainedSystemScratch<T>*, Eigen::Ref<VectorX<T>>,                  \
      Eigen::Ref<VectorX<T>>);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody
