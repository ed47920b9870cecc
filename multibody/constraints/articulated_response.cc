#include "wyvern/multibody/constraints/articulated_response.h"

#include <algorithm>

#include "wyvern/multibody/algorithms/forward_dynamics_passes.h"
#include "wyvern/multibody/constraints/add_columns.h"
#include "wyvern/multibody/constraints/constraint_set.h"
#include "wyvern/multibody/constraints/locked_columns.h"
#include "wyvern/multibody/tree/articulated_inertias.h"
#include "wyvern/systems/common/default_scalars.h"

/* Articulated bodies are a factorization M = L D Lᵀ. A unit force f on a node
is taken to w = L⁻¹ Jᵀ f by their inward pass, on that node's path alone: w_i =
H_iᵀ f,   f_parent = f - U_i D_i⁻¹ w_i. With these as rows of W, and u = D⁻¹ L⁻¹
tau of the unconstrained motion, K = W D⁻¹ Wᵀ,   K lambda = gamma - W u,   v̇ =
L⁻ᵀ (u + D⁻¹ Wᵀ lambda): one pass inward and one outward, and nothing but short
columns between. The rows of one body are worked on side by side. */

namespace wyvern::multibody {
namespace {

// X = W D⁻¹, on the rows that a piece feels.
template <typename T>
void CalcInversePivots(const engine::Model& model,
                       const engine::ArticulatedInertias<T>& articulated,
                       const engine::RowPaths& paths, const MatrixX<T>& W,
                       MatrixX<T>* X) {
  for (const engine::RowPaths::Piece& piece : paths.pieces()) {
    const int rows = piece.last - piece.first;
    for (int k = piece.start; k < piece.end; ++k) {
      const engine::Model::Node& node = model.nodes[model.node_of_v[k]];
      T* const x = &(*X)(piece.first, k);
      if (node.nv == 1) {
        const T& d = articulated.D_inverse(0, k);
        const T* const w = &W(piece.first, k);
        for (int r = 0; r < rows; ++r) x[r] = d * w[r];
        continue;
      }
      std::fill(x, x + rows, T(0));
      engine::AddColumns<1, T>(&W(piece.first, node.v_start), W.rows(),
                               &articulated.D_inverse(0, k), 1, node.nv, rows,
                               x);
    }
  }
}

// The lower triangle of X Wᵀ.
template <typename T>
void CalcResponseMatrix(const engine::RowPaths& paths, const MatrixX<T>& W,
                        const MatrixX<T>& X, MatrixX<T>* K) {
  K->setZero();
  for (const engine::RowPaths::Piece& piece : paths.pieces()) {
    for (int j = piece.first; j < piece.last; ++j) {
      engine::AddColumns<1, T>(&W(j, piece.start), W.rows(), &X(j, piece.start),
                               X.rows(), piece.end - piece.start,
                               piece.last - j, &(*K)(j, j));
    }
  }
}

}  // namespace

template <typename T>
void SolveByArticulatedResponse(const internal::MultibodyTreeSystem<T>& plant,
                                const systems::Context<T>& context,
                                std::span<const Vector6<T>> applied,
                                const ConstraintSet<T>& set,
                                ConstrainedSystem<T>* system,
                                Eigen::Ref<VectorX<T>> vdot) {
  const engine::Model& model = plant.model();
  const engine::Motion<T> motion = plant.EvalMotion(context);
  ConstrainedSystem<T>& s = *system;
  const engine::RowPaths& paths = set.paths();
  auto& [W, X] = s.response;
  const int nc = set.size();
  const internal::LockedVelocities& locked =
      plant.EvalLockedVelocities(context);
  for (int i = 0; i < model.num_v; ++i) {
    s.locked_diagonal[i] = T(locked.is_locked[i] ? engine::kLockedInertia : 0);
  }
  set.UpdateJacobian(plant, context, &s);
  set.UpdateGamma(plant, context, &s);
  internal::CalcArticulatedInertias<T>(plant, motion, s.locked_diagonal,
                                       &s.articulated);
  engine::CalcForwardDynamicsInward<T>(motion, s.c, applied,
                                       engine::Gravity::kOn, &s.articulated);
  engine::CalcFactoredRowsOnPaths<T>(model, motion.positions, s.articulated,
                                     paths, s.F, &W);
  internal::ClearLockedColumns(locked, &W);
  internal::ClearLockedColumns(locked, &s.G);
  CalcInversePivots<T>(model, s.articulated, paths, W, &X);
  CalcResponseMatrix<T>(paths, W, X, &s.scratch.K);
  s.scratch.free.setZero();
  VectorX<T>& u = s.articulated.u;
  engine::AddColumns<1, T>(W.data(), nc, u.data(), 1, model.num_v, nc,
                           s.scratch.free.data());
  SolveMultipliers<T>(s.gamma, set.solver(), &s.scratch, s.force);
  for (const engine::RowPaths::Piece& piece : paths.pieces()) {
    for (int k = piece.start; k < piece.end; ++k) {
      const T* const x = &X(0, k);
      T sum = 0;
      for (int r = piece.first; r < piece.last; ++r) sum += x[r] * s.force[r];
      u[k] += sum;
    }
  }
  engine::CalcForwardDynamicsOutward<T>(model, motion.positions, s.articulated,
                                        &s.A, vdot);
  internal::ClearLockedEntries<T>(locked, vdot);
}

#define WYVERN_INSTANTIATE(T)                                              \
  template void SolveByArticulatedResponse(                                \
      const internal::MultibodyTreeSystem<T>&, const systems::Context<T>&, \
      std::span<const Vector6<T>>, const ConstraintSet<T>&,                \
      ConstrainedSystem<T>*, Eigen::Ref<VectorX<T>>);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody
