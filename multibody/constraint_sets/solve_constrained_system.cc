#include "wyvern/multibody/constraint_sets/solve_constrained_system.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <Eigen/LU>
#include <Eigen/QR>

#include "wyvern/geometry/math/linear_solve.h"
#include "wyvern/multibody/constraint_sets/multiply_rows.h"
#include "wyvern/multibody/step/rows/add_columns.h"
#include "wyvern/multibody/step/rows/triangular_solves.h"
#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* Direct, H = L Lᵀ:
  [ H  Gᵀ ]   [ L     ] [ 1    ] [ Lᵀ  Yᵀ ]
  [ G  0  ] = [ Y   1 ] [   -K ] [     1  ],   Y = G L⁻ᵀ, K = Y Yᵀ.
Range space, H = LᵀL: the same with Y = G L⁻¹. In both, z = c is solved from the
same side. The remaining system is w = z + Yᵀ lambda, Y w = gamma, and x follows
from w. Rows far from dependent: K lambda = gamma - Y z. Others:
RowFactorization of Y. Null space: x = x_p + Z u with G x_p = gamma and G Z = 0
gives ZᵀHZ u = Zᵀ (c - H x_p),   Gᵀ lambda = H x - c. Singular H: if G x =
gamma, then H x = c + Gᵀ lambda is equivalent to
  (H + Gᵀ W G) x = c + Gᵀ W gamma + Gᵀ lambda,
whose matrix is definite if G determines the motion that H leaves free. */

namespace wyvern::multibody {
namespace {

using internal::AddColumns;
using internal::FactorizeLower;
using internal::MultiplyRows;
using internal::SolveLower;
using internal::SolveLowerTransposed;

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

// A pivot below this share of H's diagonal is rounding.
constexpr double kLeastPivot = 1e-14;

[[noreturn]] void ThrowNotDefinite(const char* function) {
  throw std::runtime_error(fmt::format(
      "{}(): the mass matrix is not positive definite, or not finite, and the "
      "constraints do not determine the motion that has no mass; give every "
      "joint mass to move.",
      function));
}

// Returns whether the pivots of a factor of H are more than rounding.
template <typename T, typename Diagonal>
bool HasPivots(const Eigen::Ref<const MatrixX<T>>& L,
               const Diagonal& diagonal) {
  for (int k = 0; k < L.rows(); ++k) {
    const double pivot = ToDouble(L(k, k));
    if (!(pivot * pivot > kLeastPivot * ToDouble(diagonal[k]))) return false;
  }
  return true;
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

// Solves with the whole matrix, for rows that are independent.
template <typename T>
void SolveWhole(const Eigen::Ref<const MatrixX<T>>& H,
                const Eigen::Ref<const MatrixX<T>>& G,
                const Eigen::Ref<const VectorX<T>>& c,
                const Eigen::Ref<const VectorX<T>>& gamma, LinearSolver solver,
                Eigen::Ref<VectorX<T>> x, Eigen::Ref<VectorX<T>> lambda) {
  const Eigen::Index nv = H.rows(), nc = G.rows();
  MatrixX<T> A = MatrixX<T>::Zero(nv + nc, nv + nc);
  VectorX<T> b(nv + nc);
  A.topLeftCorner(nv, nv) = H;
  A.bottomLeftCorner(nc, nv) = G;
  A.topRightCorner(nv, nc) = G.transpose();
  b << c, gamma;
  const VectorX<T> solution = SolveDense<T>(solver, A, b);
  x = solution.head(nv);
  lambda = -solution.tail(nc);
}

// Solves w = z + Y'lambda, Y w = gamma with Y and z of scratch; w goes to
// scratch. Returns whether the rows are far from dependent.
template <typename T>
bool SolveRows(const Eigen::Ref<const VectorX<T>>& gamma, LinearSolver solver,
               ConstrainedSystemScratch<T>* scratch,
               Eigen::Ref<VectorX<T>> lambda) {
  auto& s = *scratch;
  MultiplyRows(s.Y, s.z, &s.K, &s.free);
  if (SolveClearRows<T>(gamma, solver, scratch, lambda)) {
    AddTranspose<T>(s.Y, lambda, s.z, s.w);
    return true;
  }
  s.orthogonal.Factorize(s.Y);
  s.orthogonal.Solve(s.z, gamma, s.w, lambda);
  s.orthogonal.FindInconsistentRows(
      s.Y, s.z, s.gamma_sizes, s.consistency_tolerance, &s.inconsistent_rows);
  const auto dependent = s.orthogonal.dependent_rows();
  s.dependent_rows.assign(dependent.begin(), dependent.end());
  return false;
}

// Computes weights of H's size: 1 / (G D⁻¹ G') by row, where D has the entries
// of H's diagonal that are not 0.
template <typename T>
void SetWeights(const Eigen::Ref<const MatrixX<T>>& H,
                const Eigen::Ref<const MatrixX<T>>& G,
                Eigen::Ref<VectorX<T>> weights) {
  double largest = 0;
  for (int k = 0; k < H.rows(); ++k) {
    largest = std::max(largest, ToDouble(H(k, k)));
  }
  for (int r = 0; r < G.rows(); ++r) {
    double mobility = 0, length2 = 0;
    for (int k = 0; k < H.rows(); ++k) {
      const double g = ToDouble(G(r, k));
      const double h = ToDouble(H(k, k));
      length2 += g * g;
      if (h > kLeastPivot * largest) mobility += g * g / h;
    }
    const double size = largest > 0 ? largest : 1;
    weights[r] = mobility > 0 ? 1 / mobility : length2 > 0 ? size / length2 : 0;
  }
}

// Computes L and z of H + G'W G and c + G'W gamma; leaves W in
// scratch->weights.
template <typename T>
void FactorizeAugmented(const char* function,
                        const Eigen::Ref<const MatrixX<T>>& H,
                        const Eigen::Ref<const MatrixX<T>>& G,
                        const Eigen::Ref<const VectorX<T>>& c,
                        const Eigen::Ref<const VectorX<T>>& gamma,
                        ConstrainedSystemScratch<T>* scratch) {
  auto& s = *scratch;
  SetWeights<T>(H, G, s.weights);
  s.L = H;
  s.z = c;
  for (int r = 0; r < G.rows(); ++r) {
    for (int k = 0; k < H.rows(); ++k) {
      const T g = s.weights[r] * G(r, k);
      if (internal::IsZero(g)) continue;
      for (int i = k; i < H.rows(); ++i) s.L(i, k) += G(r, i) * g;
      s.z[k] += g * gamma[r];
    }
  }
  s.w = s.L.diagonal();
  if (!FactorizeLower<T>(s.L) || !HasPivots<T>(s.L, s.w))
    ThrowNotDefinite(function);
}

// Sums products in twice the working precision (Ogita, Rump, Oishi, "Accurate
// sum and dot product", SIAM J. Sci. Comput. 26, 2005, algorithm 5.3).
class CompensatedSum {
 public:
  explicit CompensatedSum(double first) : sum_(first) {}
  void AddProduct(double a, double b) {
    const double product = a * b;
    const double sum = sum_ + product;
    const double added = sum - sum_;
    const double lost = (sum_ - (sum - added)) + (product - added);
    rest_ += lost + std::fma(a, b, -product);
    sum_ = sum;
  }
  double value() const { return sum_ + rest_; }

 private:
  double sum_;
  double rest_{0};
};

// Computes r = c + G'lambda - H x, whose value is exact to rounding of r itself
// rather than of the terms.
template <typename T>
void CalcResidual(const Eigen::Ref<const MatrixX<T>>& H,
                  const Eigen::Ref<const MatrixX<T>>& G,
                  const Eigen::Ref<const VectorX<T>>& c,
                  const Eigen::Ref<const VectorX<T>>& x,
                  const Eigen::Ref<const VectorX<T>>& lambda, VectorX<T>* r) {
  if constexpr (!std::is_same_v<T, double>) {
    *r = c;
    r->noalias() += G.transpose() * lambda;
    r->noalias() -= H * x;
  }
  const auto value = [](const T& number) { return ToDouble(number); };
  for (int i = 0; i < H.rows(); ++i) {
    CompensatedSum sum(value(c[i]));
    for (int k = 0; k < H.cols(); ++k) {
      sum.AddProduct(-value(H(i, k)), value(x[k]));
    }
    for (int row = 0; row < G.rows(); ++row) {
      sum.AddProduct(value(G(row, i)), value(lambda[row]));
    }
    if constexpr (std::is_same_v<T, double>) {
      (*r)[i] = sum.value();
    } else {
      (*r)[i].value() = sum.value();
    }
  }
}

// Returns |G dx| relative to the terms of G x = gamma, for rows of unit length
// in the metric of K's diagonal.
template <typename T>
double CalcRelativeChange(const Eigen::Ref<const MatrixX<T>>& G,
                          const VectorX<T>& dx,
                          const Eigen::Ref<const VectorX<T>>& gamma,
                          const Eigen::Ref<const VectorX<T>>& x,
                          const MatrixX<T>& K) {
  double most = 0, size = 0;
  for (int r = 0; r < G.rows(); ++r) {
    const double length2 = ToDouble(K(r, r));
    if (!(length2 > 0)) continue;
    double change = 0, terms = std::abs(ToDouble(gamma[r]));
    for (int k = 0; k < G.cols(); ++k) {
      const double g = ToDouble(G(r, k));
      change += g * ToDouble(dx[k]);
      terms += std::abs(g * ToDouble(x[k]));
    }
    most = std::max(most, std::abs(change) / std::sqrt(length2));
    size = std::max(size, terms / std::sqrt(length2));
  }
  return most > 0 ? most / size : 0;
}

// Solves once more for the residual of H x = c + G'lambda. Multipliers of
// nearly dependent rows are large, and so is the rounding of Y that they
// multiply. The multipliers are rounded too: x then follows from those that are
// returned, unless that violates G x = gamma noticeably.
template <typename T, typename SolveInward, typename SolveOutward>
void Refine(const Eigen::Ref<const MatrixX<T>>& H,
            const Eigen::Ref<const MatrixX<T>>& G,
            const Eigen::Ref<const VectorX<T>>& c,
            const Eigen::Ref<const VectorX<T>>& gamma,
            const SolveInward& inward, const SolveOutward& outward,
            ConstrainedSystemScratch<T>* scratch, Eigen::Ref<VectorX<T>> x,
            Eigen::Ref<VectorX<T>> lambda) {
  constexpr double kNoticeable = 1e-8;
  auto& s = *scratch;
  CalcResidual<T>(H, G, c, x, lambda, &s.z);
  inward(s.z);
  s.free.setZero();
  s.orthogonal.Solve(s.z, s.free, s.w, s.a);
  outward(s.w);
  x += s.w;
  lambda += s.a;
  CalcResidual<T>(H, G, c, x, lambda, &s.z);
  inward(s.z);
  outward(s.z);
  if (CalcRelativeChange<T>(G, s.z, gamma, x, s.K) <= kNoticeable) x += s.z;
}

// Solves the whole system with H = L L'. Returns whether the rows are far from
// dependent.
template <typename T>
bool SolveBySchurComplement(const char* function,
                            const Eigen::Ref<const MatrixX<T>>& H,
                            const Eigen::Ref<const MatrixX<T>>& G,
                            const Eigen::Ref<const VectorX<T>>& c,
                            const Eigen::Ref<const VectorX<T>>& gamma,
                            ConstrainedSystemScratch<T>* scratch,
                            Eigen::Ref<VectorX<T>> x,
                            Eigen::Ref<VectorX<T>> lambda) {
  auto& s = *scratch;
  s.L = H;
  s.z = c;
  const bool is_definite =
      FactorizeLower<T>(s.L) && HasPivots<T>(s.L, H.diagonal());
  if (!is_definite) FactorizeAugmented<T>(function, H, G, c, gamma, scratch);
  s.Y = G;
  SolveLowerFromRight<T>(s.L, &s.Y);
  SolveLower<T>(s.L, s.z);
  const bool is_clear =
      SolveRows<T>(gamma, LinearSolver::kSymmetric, scratch, lambda);
  x = s.w;
  SolveLowerTransposed<T>(s.L, x);
  if (is_definite && !is_clear) {
    Refine<T>(
        H, G, c, gamma, [&s](VectorX<T>& z) { SolveLower<T>(s.L, z); },
        [&s](VectorX<T>& w) { SolveLowerTransposed<T>(s.L, w); }, scratch, x,
        lambda);
  }
  if (!is_definite) {
    // The constraints also exert the force G'W (gamma - G x).
    s.a = gamma;
    s.a.noalias() -= G * x;
    lambda += s.weights.cwiseProduct(s.a);
  }
  return is_clear;
}

// The direct method, which also stands in for the other two.
template <typename T>
void SolveDirectly(const char* function, const Eigen::Ref<const MatrixX<T>>& H,
                   const Eigen::Ref<const MatrixX<T>>& G,
                   const Eigen::Ref<const VectorX<T>>& c,
                   const Eigen::Ref<const VectorX<T>>& gamma,
                   LinearSolver solver, ConstrainedSystemScratch<T>* scratch,
                   Eigen::Ref<VectorX<T>> x, Eigen::Ref<VectorX<T>> lambda) {
  const bool is_clear =
      SolveBySchurComplement<T>(function, H, G, c, gamma, scratch, x, lambda);
  if (is_clear && solver != LinearSolver::kSymmetric) {
    SolveWhole<T>(H, G, c, gamma, solver, x, lambda);
  }
}

// Returns whether G'lambda = H x - c, the `demand`, holds to rounding, given
// the `left` that it misses. Elimination may lose digits where masses differ by
// many orders of magnitude.
template <typename T>
bool IsBalanced(const Eigen::Ref<const MatrixX<T>>& H,
                const Eigen::Ref<const VectorX<T>>& c, const VectorX<T>& demand,
                const VectorX<T>& left) {
  constexpr double kRounding = 1e-13;
  double size = 0, most = 0;
  for (int i = 0; i < H.rows(); ++i) {
    const double h = ToDouble(H(i, i));
    if (!(h > 0)) continue;
    const double scale = 1 / std::sqrt(h);
    size = std::max(size, scale * (std::abs(ToDouble(c[i])) +
                                   std::abs(ToDouble(demand[i]))));
    most = std::max(most, scale * std::abs(ToDouble(left[i])));
  }
  return most <= kRounding * size;
}

}  // namespace

template <typename T>
ConstrainedSystemScratch<T>::ConstrainedSystemScratch(int nv, int nc)
    : gamma_sizes(VectorX<double>::Zero(nc)),
      L(MatrixX<T>::Zero(nv, nv)),
      Y(MatrixX<T>::Zero(nc, nv)),
      K(MatrixX<T>::Zero(nc, nc)),
      free(VectorX<T>::Zero(nc)),
      a(VectorX<T>::Zero(nc)),
      z(VectorX<T>::Zero(nv)),
      w(VectorX<T>::Zero(nv)),
      u(VectorX<T>::Zero(nv)),
      weights(VectorX<T>::Zero(nc)),
      basis(nv, nc),
      redundant(nc),
      orthogonal(nv, nc) {
  dependent_rows.reserve(nc);
  inconsistent_rows.reserve(nc);
}

template <typename T>
ConstrainedSystemScratch<T>::ConstrainedSystemScratch(
    const dynamics::Model& model, int nc)
    : ConstrainedSystemScratch(model.num_v, nc) {
  chains = internal::VelocityChains(model);
}

template <typename T>
bool SolveClearRows(const Eigen::Ref<const VectorX<T>>& gamma,
                    LinearSolver solver, ConstrainedSystemScratch<T>* scratch,
                    Eigen::Ref<VectorX<T>> lambda) {
  auto& s = *scratch;
  s.dependent_rows.clear();
  s.inconsistent_rows.clear();
  s.redundant.Factorize(s.K, kClearDistance2);
  if (s.redundant.is_redundant()) return false;
  s.a = gamma - s.free;
  s.redundant.Solve(s.a, lambda);
  if (solver != LinearSolver::kSymmetric && gamma.size() > 0) {
    const MatrixX<T> K = s.K.template selfadjointView<Eigen::Lower>();
    lambda = SolveDense<T>(solver, K, s.a);
  }
  return true;
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
  RequireSizes<T>(kFunction, H, G, c.size(), gamma.size(), x.size(),
                  lambda.size(), *scratch);
  SolveDirectly<T>(kFunction, H, G, c, gamma, solver, scratch, x, lambda);
}

template <typename T>
void SolveConstrainedSystemRangeSpaceSparse(
    const dynamics::Model& model, const Eigen::Ref<const MatrixX<T>>& H,
    const Eigen::Ref<const MatrixX<T>>& G,
    const Eigen::Ref<const VectorX<T>>& c,
    const Eigen::Ref<const VectorX<T>>& gamma, LinearSolver solver,
    ConstrainedSystemScratch<T>* scratch, Eigen::Ref<VectorX<T>> x,
    Eigen::Ref<VectorX<T>> lambda) {
  constexpr const char* kFunction = "SolveConstrainedSystemRangeSpaceSparse";
  auto& s = *scratch;
  RequireSizes<T>(kFunction, H, G, c.size(), gamma.size(), x.size(),
                  lambda.size(), s);
  if (s.chains.model() != &model) s.chains = internal::VelocityChains(model);
  s.L = H;
  if (!internal::FactorizeLtl<T>(s.chains, &s.L) ||
      !HasPivots<T>(s.L, H.diagonal())) {
    SolveDirectly<T>(kFunction, H, G, c, gamma, solver, scratch, x, lambda);
    return;
  }
  s.Y = G;
  s.z = c;
  internal::SolveLtlFromRight<T>(s.chains, s.L, s.Y);
  internal::SolveLtlUpper<T>(s.chains, s.L, s.z);
  const bool is_clear = SolveRows<T>(gamma, solver, scratch, lambda);
  x = s.w;
  internal::SolveLtlLower<T>(s.chains, s.L, x);
  if (is_clear) return;
  Refine<T>(
      H, G, c, gamma,
      [&s](VectorX<T>& z) { internal::SolveLtlUpper<T>(s.chains, s.L, z); },
      [&s](VectorX<T>& w) { internal::SolveLtlLower<T>(s.chains, s.L, w); },
      scratch, x, lambda);
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
  s.basis.Factorize(G, kClearDistance2);
  if (!s.basis.dependent_rows().empty()) {
    SolveDirectly<T>(kFunction, H, G, c, gamma, solver, scratch, x, lambda);
    return;
  }
  s.dependent_rows.clear();
  s.inconsistent_rows.clear();
  const int nz = s.basis.num_free();
  s.basis.SolveParticular(gamma, x);
  s.z = c;
  s.z.noalias() -= H * x;
  auto u = s.u.head(nz);
  s.basis.ReduceVector(s.z, u);
  auto H_zz = s.L.topLeftCorner(nz, nz);
  s.basis.ReduceMatrix(H, H_zz);
  s.w.head(nz) = H_zz.diagonal();
  if (solver != LinearSolver::kSymmetric && nz > 0) {
    const MatrixX<T> A = H_zz.template selfadjointView<Eigen::Lower>();
    u = SolveDense<T>(solver, A, u);
  } else {
    if (!FactorizeLower<T>(H_zz) || !HasPivots<T>(H_zz, s.w.head(nz)))
      ThrowNotDefinite(kFunction);
    SolveLower<T>(H_zz, u);
    SolveLowerTransposed<T>(H_zz, u);
  }
  s.basis.AddExpanded(u, x);
  s.z = -c;
  s.z.noalias() += H * x;
  s.basis.SolveMultipliers(s.z, lambda);
  s.w = s.z;
  s.w.noalias() -= G.transpose() * lambda;
  if (!IsBalanced<T>(H, c, s.z, s.w)) {
    SolveDirectly<T>(kFunction, H, G, c, gamma, solver, scratch, x, lambda);
  }
}

#define WYVERN_INSTANTIATE(T)                                              \
  template struct ConstrainedSystemScratch<T>;                             \
  template bool SolveClearRows(const Eigen::Ref<const VectorX<T>>&,        \
                               LinearSolver, ConstrainedSystemScratch<T>*, \
                               Eigen::Ref<VectorX<T>>);                    \
  template void SolveConstrainedSystemDirect(                              \
      const Eigen::Ref<const MatrixX<T>>&,                                 \
      const Eigen::Ref<const MatrixX<T>>&,                                 \
      const Eigen::Ref<const VectorX<T>>&,                                 \
      const Eigen::Ref<const VectorX<T>>&, LinearSolver,                   \
      ConstrainedSystemScratch<T>*, Eigen::Ref<VectorX<T>>,                \
      Eigen::Ref<VectorX<T>>);                                             \
  template void SolveConstrainedSystemRangeSpaceSparse(                    \
      const dynamics::Model&, const Eigen::Ref<const MatrixX<T>>&,         \
      const Eigen::Ref<const MatrixX<T>>&,                                 \
      const Eigen::Ref<const VectorX<T>>&,                                 \
      const Eigen::Ref<const VectorX<T>>&, LinearSolver,                   \
      ConstrainedSystemScratch<T>*, Eigen::Ref<VectorX<T>>,                \
      Eigen::Ref<VectorX<T>>);                                             \
  template void SolveConstrainedSystemNullSpace(                           \
      const Eigen::Ref<const MatrixX<T>>&,                                 \
      const Eigen::Ref<const MatrixX<T>>&,                                 \
      const Eigen::Ref<const VectorX<T>>&,                                 \
      const Eigen::Ref<const VectorX<T>>&, LinearSolver,                   \
      ConstrainedSystemScratch<T>*, Eigen::Ref<VectorX<T>>,                \
      Eigen::Ref<VectorX<T>>);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody
