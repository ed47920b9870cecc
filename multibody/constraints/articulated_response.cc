#include "wyvern/multibody/constraints/articulated_response.h"

#include "wyvern/multibody/algorithms/forward_dynamics_passes.h"
#include "wyvern/multibody/constraints/constraint_set.h"
#include "wyvern/multibody/constraints/locked_columns.h"
#include "wyvern/multibody/tree/articulated_inertias.h"
#include "wyvern/systems/common/default_scalars.h"

/* With M = L D Lᵀ by articulated bodies, W of the rows (rows/factored_rows.h)
and u = D⁻¹ L⁻¹ tau of the unconstrained motion,
  W D⁻¹ Wᵀ lambda = gamma - W u,   v̇ = L⁻ᵀ (u + D⁻¹ Wᵀ lambda):
one pass inward and one outward, and nothing but short columns between. */

namespace wyvern::multibody {

template <typename T>
void SolveByArticulatedResponse(const internal::MultibodyTreeSystem<T>& plant,
                                const systems::Context<T>& context,
                                std::span<const Vector6<T>> applied,
                                const ConstraintSet<T>& set,
                                ConstrainedSystem<T>* system,
                                Eigen::Ref<VectorX<T>> vdot) {
  const engine::Model& model = plant.model();
  const auto& parameters = plant.EvalModelParameters(context);
  const auto& positions = plant.EvalNodePositions(context);
  const auto& inertias = plant.EvalInertias(context);
  const auto& velocities = plant.EvalVelocities(context).nodes;
  ConstrainedSystem<T>& s = *system;
  const engine::RowPattern& pattern = set.pattern();
  const internal::LockedVelocities& locked =
      plant.EvalLockedVelocities(context);
  for (int i = 0; i < model.num_v; ++i) {
    s.locked_diagonal[i] = T(locked.is_locked[i] ? engine::kLockedInertia : 0);
  }
  set.UpdateJacobian(plant, context, &s);
  set.UpdateGamma(plant, context, &s);
  internal::CalcArticulatedInertias<T>(plant, parameters, positions, inertias,
                                       s.locked_diagonal, &s.articulated);
  engine::CalcForwardDynamicsInward<T>(model, parameters, positions, inertias,
                                       velocities, s.c, applied,
                                       engine::Gravity::kOn, &s.articulated);
  s.rows.Factorize(model, positions, s.articulated, locked.is_locked, pattern,
                   s.F);
  internal::ClearLockedColumns(locked, &s.G);
  s.rows.CalcProducts(pattern, &s.scratch.K);
  s.rows.CalcValues(pattern, s.articulated.u, s.scratch.free);
  SolveMultipliers<T>(s.gamma, set.solver(), &s.scratch, s.force);
  s.rows.AddResponse(pattern, s.force, &s.articulated.u);
  engine::CalcForwardDynamicsOutward<T>(model, positions, s.articulated, &s.A,
                                        vdot);
  internal::ClearLockedEntries<T>(locked, vdot);
}

#define WYVERN_INSTANTIATE(T)                                              \
  template void SolveByArticulatedResponse(                                \
      const internal::MultibodyTreeSystem<T>&, const systems::Context<T>&, \
      std::span<const Vector6<T>>, const ConstraintSet<T>&,                \
      ConstrainedSystem<T>*, Eigen::Ref<VectorX<T>>);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody
