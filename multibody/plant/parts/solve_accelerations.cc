#include "wyvern/multibody/plant/parts/solve_accelerations.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

template <typename T>
void SolveAccelerations(const MultibodyTreeSystem<T>& core,
                        const systems::Context<T>& context,
                        std::span<const Vector6<T>> F,
                        const Eigen::Ref<const VectorX<T>>& diagonal,
                        DynamicsResult<T>* result) {
  const auto& parameters = core.EvalModelParameters(context);
  const auto& positions = core.EvalNodePositions(context);
  const auto& inertias = core.EvalInertias(context);
  engine::CalcArticulatedInertias<T>(core.model(), parameters, positions,
                                     inertias, diagonal, &result->articulated);
  engine::CalcForwardDynamics<T>(
      core.model(), parameters, positions, inertias,
      core.EvalVelocities(context).nodes, result->tau, F, engine::Gravity::kOn,
      &result->articulated, &result->A, result->vdot);
}

#define WYVERN_INSTANTIATE(T)                                           \
  template void SolveAccelerations(                                     \
      const MultibodyTreeSystem<T>&, const systems::Context<T>&,        \
      std::span<const Vector6<T>>, const Eigen::Ref<const VectorX<T>>&, \
      DynamicsResult<T>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
