#include "wyvern/multibody/constraints/solve_constrained_system.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <Eigen/LU>
#include <Eigen/QR>

#include "wyvern/multibody/constraints/add_columns.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

/* Direct, H = L Lᵀ:
  [ H  Gᵀ ]   [ L     ] [ 1    ] [ Lᵀ  Yᵀ ]
  [ G  0  ] = [ Y   1 ] [   -K ] [     1  ],   Y = G L⁻ᵀ, K = Y Yᵀ.
Range space, H = LᵀL: the same with Y = G L⁻¹. In both, z = c from the same
side, K lambda = gamma - Y z, and x comes of z + Yᵀ lambda.
Null space: reflections Q = Q_1 Q_2 ... with Gᵀ = Q [R; 0] give x = Q [y; u]
with Rᵀ y = gamma, H_zz u = (Qᵀ (c - H Q [y; 0]))_z for H_zz the part of QᵀHQ
that Q_r ... Q_1 leave below, and R lambda = (Qᵀ (H x - c))_y. */

namespace wyvern::multibody {
namespace {

using engine::AddColumns;
using engine::IsZero;
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
bool FactorizeLower(Eigen::Ref<MatrixX<T>> A) {
  using std::sqrt;
  const int n = static_cast<int>(A.rows());
  const Eigen::Index ld = A.outerStride();
  for (int k = 0; k < n; ++k) {
    T* const column = &A(k, k);
    AddColumns<-1, T>(&A(k, 0), ld, &A(k, 0), ld, k, n - k, column);
    if (!(column[0] > 0)) return false;
    const T inverse = 1.0 / sqrt(column[0]);
    for (int i = 0; i < n - k; ++i) column[i] *= inverse;
  }
  return true;
}

// B L⁻ᵀ in place, for B m x n.
template <typename T>
void SolveLowerFromRight(const MatrixX<T>& L, MatrixX<T>* B) {
  const int n = static_cast<int>(L.rows());
  const int m = static_cast<int>(B->rows());
  for (int k = 0; k < n && m > 0; ++k) {
    T* const column = &(*B)(0, k);
    AddColumns<-1, T>(B->data(), m, &L(k, 0), n, k, m, column);
    const T inverse = 1.0 / L(k, k);
    for (int r = 0; r < m; ++r) column[r] *= inverse;
  }
}

// L⁻¹ x in place.
template <typename T>
void SolveLower(const MatrixX<T>& L, VectorX<T>* x) {
  const int n = static_cast<int>(L.rows());
  for (int k = 0; k < n; ++k) {
    const T* const column = &L(0, k);
    const T x_k = (*x)[k] / column[k];
    (*x)[k] = x_k;
    for (int i = k + 1; i < n; ++i) (*x)[i] -= column[i] * x_k;
  }
}

// L⁻ᵀ x in place.
template <typename T>
void SolveLowerTransposed(const Eigen::Ref<const MatrixX<T>>& L,
                          Eigen::Ref<VectorX<T>> x) {
  const int n = static_cast<int>(L.rows());
  for (int k = n - 1; k >= 0; --k) {
    const T* const column = L.data() + k * L.outerStride();
    T sum = x[k];
    for (int i = k + 1; i < n; ++i) sum -= column[i] * x[i];
    x[k] = sum / column[k];
  }
}

// The lower triangle of Y Y', and Y z; what is 0 at either end of neighbouring
// columns of Y costs nothing.
template <typename T>
void MultiplyRows(const MatrixX<T>& Y, const VectorX<T>& z, MatrixX<T>* K,
                  VectorX<T>* Y_z) {
  const int nc = static_cast<int>(Y.rows()), nv = static_cast<int>(Y.cols());
  const auto find_extent = [&](int k) {
    int first = 0, last = nc;
    while (first < last && IsZero(Y(first, k))) ++first;
    while (first < last && IsZero(Y(last - 1, k))) --last;
    return std::make_pair(first, last);
  };
  K->setZero();
  Y_z->setZero();
  auto extent = nv > 0 ? find_extent(0) : std::make_pair(0, 0);
  for (int start = 0, end = 0; start < nv; start = end) {
    const auto [first, last] = extent;
    do {
      ++end;
      if (end < nv) extent = find_extent(end);
    } while (end < nv && extent.first == first && extent.second == last);
    for (int j = first; j < last; ++j) {
      AddColumns<1, T>(&Y(j, start), nc, &Y(j, start), nc, end - start,
                       last - j, &(*K)(j, j));
    }
    if (first < last) {
      AddColumns<1, T>(&Y(first, start), nc, &z[start], 1, end - start,
                       last - first, &(*Y_z)[first]);
    }
  }
}

// z + Y'lambda.
template <typename T>
void AddTranspose(const MatrixX<T>& Y, const Eigen::Ref<VectorX<T>>& lambda,
                  const VectorX<T>& z, Eigen::Ref<VectorX<T>> x) {
  const int nc = static_cast<int>(Y.rows());
  for (int k = 0; k < Y.cols(); ++k) {
    const T* const column = Y.data() + static_cast<Eigen::Index>(k) * nc;
    T sum = z[k];
    for (int r = 0; r < nc; ++r) sum += column[r] * lambda[r];
    x[k] = sum;
  }
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
  s.L = H;
  if (!FactorizeLower<T>(s.L)) ThrowNotDefinite(function);
  s.Y = G;
  s.z = c;
  SolveLowerFromRight<T>(s.L, &s.Y);
  SolveLower<T>(s.L, &s.z);
  MultiplyRows(s.Y, s.z, &s.K, &s.free);
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
      Y(MatrixX<T>::Zero(nc, nv)),
      K(MatrixX<T>::Zero(nc, nc)),
      free(VectorX<T>::Zero(nc)),
      V(MatrixX<T>::Zero(nv, nc)),
      R(MatrixX<T>::Zero(nc, nc)),
      beta(VectorX<T>::Zero(nc)),
      a(VectorX<T>::Zero(nc)),
      z(VectorX<T>::Zero(nv)),
      w(VectorX<T>::Zero(nv)),
      u(VectorX<T>::Zero(nv)),
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
  s.a = gamma - s.free;
  s.redundant.Factorize(s.K);
  s.redundant.Solve(s.a, lambda);
  const auto dependent = s.redundant.dependent_rows();
  s.dependent_rows.assign(dependent.begin(), dependent.end());
  s.inconsistent_rows.clear();
  if (s.redundant.is_redundant()) {
    double magnitude = 0;
    for (int i = 0; i < nc; ++i) {
      magnitude =
          std::max({magnitude, std::abs(ExtractDoubleOrThrow(s.free[i])),
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
  AddTranspose<T>(s.Y, lambda, s.z, x);
  SolveLowerTransposed<T>(s.L, x);
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
  s.L = H;
  if (!engine::FactorizeLtl<T>(s.chains, &s.L)) ThrowNotDefinite(kFunction);
  s.Y = G;
  s.z = c;
  engine::SolveLtlFromRight<T>(s.chains, s.L, s.Y);
  engine::SolveLtlUpper<T>(s.chains, s.L, s.z);
  MultiplyRows(s.Y, s.z, &s.K, &s.free);
  SolveMultipliers<T>(gamma, solver, scratch, lambda);
  AddTranspose<T>(s.Y, lambda, s.z, x);
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
    if (!FactorizeLower<T>(H_zz)) ThrowNotDefinite(kFunction);
    H_zz.template triangularView<Eigen::Lower>().solveInPlace(u);
    SolveLowerTransposed<T>(H_zz, u);
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
