#include "wyvern/multibody/constraints/solve_constrained_system.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <Eigen/LU>
#include <Eigen/QR>

#include "wyvern/geometry/math/linear_solve.h"
#include "wyvern/multibody/constraints/multiply_rows.h"
#include "wyvern/multibody/constraints/rows/add_columns.h"
#include "wyvern/multibody/constraints/rows/triangular_solves.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

/* Direct, H = L Lᵀ:
  [ H  Gᵀ ]   [ L     ] [ 1    ] [ Lᵀ  Yᵀ ]
  [ G  0  ] = [ Y   1 ] [   -K ] [     1  ],   Y = G L⁻ᵀ, K = Y Yᵀ.
Range space, H = LᵀL: the same with Y = G L⁻¹. In both, z = c from the same
side, K lambda = gamma - Y z, and x comes of z + Yᵀ lambda.
Null space: x = x_p + Z u with G x_p = gamma and G Z = 0 gives
  ZᵀHZ u = Zᵀ (c - H x_p),   Gᵀ lambda = H x - c. */

namespace wyvern::multibody {
namespace {

using engine::AddColumns;
using engine::FactorizeLower;
using engine::MultiplyRows;
using engine::RedundantSolve;
using engine::SolveLower;
using engine::SolveLowerTransposed;

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
  using math::SolveLinearSystem;
  const MatrixX<double> values = math::DiscardGradient(A);
  switch (solver) {
    case LinearSolver::kHouseholderQR:
      return SolveLinearSystem(values.householderQr(), A, b);
    case LinearSolver::kColPivHouseholderQR:
      return SolveLinearSystem(values.colPivHouseholderQr(), A, b);
    case LinearSolver::kPartialPivLU:
    case LinearSolver::kSymmetric:
      break;
  }
  return SolveLinearSystem(values.partialPivLu(), A, b);
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
  SolveLower<T>(s.L, s.z);
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

}  // namespace

template <typename T>
ConstrainedSystemScratch<T>::ConstrainedSystemScratch(int nv, int nc)
    : L(MatrixX<T>::Zero(nv, nv)),
      Y(MatrixX<T>::Zero(nc, nv)),
      K(MatrixX<T>::Zero(nc, nc)),
      free(VectorX<T>::Zero(nc)),
      a(VectorX<T>::Zero(nc)),
      z(VectorX<T>::Zero(nv)),
      w(VectorX<T>::Zero(nv)),
      u(VectorX<T>::Zero(nv)),
      basis(nv, nc),
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
  s.inconsistent_rows.clear();
  s.basis.Factorize(G, RedundantSolve<T>::kRankTolerance);
  const auto dependent = s.basis.dependent_rows();
  s.dependent_rows.assign(dependent.begin(), dependent.end());
  const int nz = s.basis.num_free();
  s.basis.SolveParticular(gamma, x);
  s.z = c;
  s.z.noalias() -= H * x;
  auto u = s.u.head(nz);
  s.basis.ReduceVector(s.z, u);
  auto H_zz = s.L.topLeftCorner(nz, nz);
  s.basis.ReduceMatrix(H, H_zz);
  if (solver != LinearSolver::kSymmetric && nz > 0) {
    const MatrixX<T> A = H_zz.template selfadjointView<Eigen::Lower>();
    u = SolveDense<T>(solver, A, u);
  } else {
    if (!FactorizeLower<T>(H_zz)) ThrowNotDefinite(kFunction);
    SolveLower<T>(H_zz, u);
    SolveLowerTransposed<T>(H_zz, u);
  }
  s.basis.AddExpanded(u, x);
  if (!dependent.empty()) {
    SolveBySchurComplement<T>(kFunction, H, G, c, gamma, scratch, lambda);
    return;
  }
  s.z = -c;
  s.z.noalias() += H * x;
  s.basis.SolveMultipliers(s.z, lambda);
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
