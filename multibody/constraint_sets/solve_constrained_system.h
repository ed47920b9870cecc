#pragma once

#include <vector>

#include "wyvern/multibody/constraint_sets/null_space_basis.h"
#include "wyvern/multibody/constraint_sets/row_factorization.h"
#include "wyvern/multibody/constraint_sets/velocity_chains.h"
#include "wyvern/multibody/dynamics/model.h"
#include "wyvern/multibody/step/rows/redundant_solve.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody {

/** Method that factorizes the matrices inside SolveConstrainedSystem...().

- kSymmetric: Cholesky, which skips redundant rows while it factorizes.
- The others are Eigen's, for comparison. They are slower, and apply only to
  rows that are far from dependent; other rows are solved as with kSymmetric. */
enum class LinearSolver {
  kSymmetric,
  kPartialPivLU,
  kHouseholderQR,
  kColPivHouseholderQR,
};

/** Memory of SolveConstrainedSystem...(), and what they say of the rows. */
template <typename T>
struct ConstrainedSystemScratch {
  ConstrainedSystemScratch() = default;
  /** Allocates for systems of this size. */
  ConstrainedSystemScratch(int num_velocities, int num_constraints);
  /** With what SolveConstrainedSystemRangeSpaceSparse() asks of a model. */
  ConstrainedSystemScratch(const dynamics::Model& model, int num_constraints);

  /** Rows that others make up, in increasing order. */
  std::vector<int> dependent_rows;
  /** Rows by which gamma contradicts itself: no x meets them all, and what was
  returned is a compromise. */
  std::vector<int> inconsistent_rows;
  /** Tolerated contradiction of gamma, relative to the largest term of any row:
  gamma, its summands, and the summands of G H⁻¹ c. */
  double consistency_tolerance{1e-6};
  /** By row: the size of the summands of gamma; set by the caller, 0 at
  first. */
  VectorX<double> gamma_sizes;

  MatrixX<T> L;        // A factor of H, nv x nv.
  MatrixX<T> Y;        // G L⁻¹ or alike, nc x nv.
  MatrixX<T> K;        // Y Y', its lower triangle, nc x nc.
  VectorX<T> free;     // G H⁻¹ c, nc.
  VectorX<T> a;        // nc.
  VectorX<T> z, w, u;  // nv.
  VectorX<T> weights;  // W of a singular H, nc.
  /** Memory of the null-space method. */
  internal::NullSpaceBasis<T> basis;
  /** Velocities inboard of each velocity, for the range-space method. */
  internal::VelocityChains chains;
  /** Solution with a redundant Y Yᵀ. */
  internal::RedundantSolve<T> redundant;
  /** Solution with rows that are nearly dependent. */
  RowFactorization<T> orthogonal;
};

/** Solves K lambda = gamma - free for a symmetric positive definite scratch->K
and scratch->free, if all rows are far from dependent. Returns false if they are
not; then lambda is not set. */
template <typename T>
bool SolveClearRows(const Eigen::Ref<const VectorX<T>>& gamma,
                    LinearSolver solver, ConstrainedSystemScratch<T>* scratch,
                    Eigen::Ref<VectorX<T>> lambda);

/** @name Constrained linear systems
  [ H  G' ] [ x       ]   [ c     ]
  [ G  0  ] [ -lambda ] = [ gamma ]
for a symmetric positive definite H, nv x nv, and G, nc x nv: accelerations x
and multipliers lambda of H x = c + G'lambda, G x = gamma. Rows of G may repeat
others, or nearly so; then lambda is the least solution, for rows scaled by the
diagonal of G H⁻¹ G'. RowFactorization defines when a row counts as dependent.
H x = c + G'lambda holds to rounding. If rows are nearly dependent, this is
rounding of x, or of lambda if adapting x to lambda would change G x by more
than 1e-8 of its terms. The functions allocate
nothing for double and kSymmetric.

H may be singular if the rows of G determine the motion that H does not. Then H
is replaced by H + G'W G, for weights W of the size of H, which changes no
solution.
@throws std::logic_error for arguments whose sizes do not agree.
@throws std::runtime_error if neither H nor H + G'W G is positive definite, or
if H is not finite.
@{ */

/** All of it at once: L D L' of the whole matrix, H first; or Eigen's
factorizations of it. */
template <typename T>
void SolveConstrainedSystemDirect(const Eigen::Ref<const MatrixX<T>>& H,
                                  const Eigen::Ref<const MatrixX<T>>& G,
                                  const Eigen::Ref<const VectorX<T>>& c,
                                  const Eigen::Ref<const VectorX<T>>& gamma,
                                  LinearSolver solver,
                                  ConstrainedSystemScratch<T>* scratch,
                                  Eigen::Ref<VectorX<T>> x,
                                  Eigen::Ref<VectorX<T>> lambda);

/** Solves for lambda first, from K lambda = gamma - G H⁻¹ c, K = G H⁻¹ G'. The
factor in H = L'L has entries only where one velocity's body is inboard of the
other's (Featherstone, 2008, section 6.5). G may have entries anywhere. For a
singular H the function falls back to the direct method. */
template <typename T>
void SolveConstrainedSystemRangeSpaceSparse(
    const dynamics::Model& model, const Eigen::Ref<const MatrixX<T>>& H,
    const Eigen::Ref<const MatrixX<T>>& G,
    const Eigen::Ref<const VectorX<T>>& c,
    const Eigen::Ref<const VectorX<T>>& gamma, LinearSolver solver,
    ConstrainedSystemScratch<T>* scratch, Eigen::Ref<VectorX<T>> x,
    Eigen::Ref<VectorX<T>> lambda);

/** Solves for x first: G determines one part, and the null space of G, with a
basis by elimination, the other. Then G'lambda = H x - c. If rows are nearly
dependent, the function falls back to the direct method, so that one decision on
rank serves both x and lambda. It also does so if elimination lost digits of
H x = c + G'lambda. */
template <typename T>
void SolveConstrainedSystemNullSpace(const Eigen::Ref<const MatrixX<T>>& H,
                                     const Eigen::Ref<const MatrixX<T>>& G,
                                     const Eigen::Ref<const VectorX<T>>& c,
                                     const Eigen::Ref<const VectorX<T>>& gamma,
                                     LinearSolver solver,
                                     ConstrainedSystemScratch<T>* scratch,
                                     Eigen::Ref<VectorX<T>> x,
                                     Eigen::Ref<VectorX<T>> lambda);
/** @} */

}  // namespace wyvern::multibody
