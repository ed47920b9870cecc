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

template <typename T>
bool FindLocked(const MultibodyTreeSystem<T>& core,
                const systems::Context<T>& context,
                std::vector<bool>* is_locked) {
  bool some_locked = false;
  for (const Joint<T>* joint : core.tree().joints().elements()) {
    if (joint->num_velocities() == 0) continue;
    const bool locked = joint->is_locked(context);
    some_locked = some_locked || locked;
    for (int i = 0; i < joint->num_velocities(); ++i) {
      (*is_locked)[joint->velocity_start() + i] = locked;
    }
  }
  return some_locked;
}

#define WYVERN_INSTANTIATE(T)                                           \
  template void SolveAccelerations(                                     \
      const MultibodyTreeSystem<T>&, const systems::Context<T>&,        \
      std::span<const Vector6<T>>, const Eigen::Ref<const VectorX<T>>&, \
      DynamicsResult<T>*);                                              \
  template bool FindLocked(const MultibodyTreeSystem<T>&,               \
                           const systems::Context<T>&, std::vector<bool>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
