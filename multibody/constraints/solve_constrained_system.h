#pragma once

#include <vector>

#include "wyvern/multibody/algorithms/model.h"
#include "wyvern/multibody/constraints/null_space_basis.h"
#include "wyvern/multibody/constraints/rows/redundant_solve.h"
#include "wyvern/multibody/constraints/velocity_chains.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody {

/** What factorizes the matrices inside SolveConstrainedSystem...().

- kSymmetric: Cholesky, in the form that leaves redundant rows out as it goes.
- The others, of Eigen, for comparison: slower, and after a first factorization
  has said which rows are independent. */
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
  ConstrainedSystemScratch(int num_velocities, int num_constraints);
  /** With what SolveConstrainedSystemRangeSpaceSparse() asks of a model. */
  ConstrainedSystemScratch(const engine::Model& model, int num_constraints);

  /** Rows that others make up, in increasing order. */
  std::vector<int> dependent_rows;
  /** Rows by which gamma contradicts itself: no x meets them all, and what was
  returned is a compromise. */
  std::vector<int> inconsistent_rows;
  /** How far, relative to the largest row, gamma may contradict itself. */
  double consistency_tolerance{1e-6};

  MatrixX<T> L;        // A factor of H, nv x nv.
  MatrixX<T> Y;        // G L⁻¹ or alike, nc x nv.
  MatrixX<T> K;        // Y Y', its lower triangle, nc x nc.
  VectorX<T> free;     // G H⁻¹ c, nc.
  VectorX<T> a;        // nc.
  VectorX<T> z, w, u;  // nv.
  engine::NullSpaceBasis<T> basis;
  engine::VelocityChains chains;
  engine::RedundantSolve<T> redundant;
};

/** K lambda = gamma - free for a symmetric positive semidefinite K, scratch->K
and scratch->free: the part of the functions below that decides which rows are
redundant. */
template <typename T>
void SolveMultipliers(const Eigen::Ref<const VectorX<T>>& gamma,
                      LinearSolver solver, ConstrainedSystemScratch<T>* scratch,
                      Eigen::Ref<VectorX<T>> lambda);

/** @name Constrained linear systems
  [ H  G' ] [ x       ]   [ c     ]
  [ G  0  ] [ -lambda ] = [ gamma ]
for a symmetric positive definite H, nv x nv, and G, nc x nv: accelerations x
and multipliers lambda of H x = c + G'lambda, G x = gamma. Rows of G may repeat
others; then of all lambda it is the least, in rows scaled by the diagonal of
G H⁻¹ G'. Allocate nothing for double and kSymmetric.
@throws std::logic_error for arguments whose sizes do not agree.
@throws std::runtime_error if H is not positive definite, or not finite.
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

/** lambda first, from K lambda = gamma - G H⁻¹ c, K = G H⁻¹ G', with H = L'L
that has entries only where one velocity's body is inboard of the other's:
Featherstone, 2008, section 6.5. G may have entries anywhere. */
template <typename T>
void SolveConstrainedSystemRangeSpaceSparse(
    const engine::Model& model, const Eigen::Ref<const MatrixX<T>>& H,
    const Eigen::Ref<const MatrixX<T>>& G,
    const Eigen::Ref<const VectorX<T>>& c,
    const Eigen::Ref<const VectorX<T>>& gamma, LinearSolver solver,
    ConstrainedSystemScratch<T>* scratch, Eigen::Ref<VectorX<T>> x,
    Eigen::Ref<VectorX<T>> lambda);

/** x first: what G asks of it, and what is free in the null space of G, from a
basis of that by elimination; then G'lambda = H x - c. */
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
