#include "wyvern/multibody/tree/articulated_inertias.h"

#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/singular_inertia.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

namespace {

template <typename T>
std::string DescribeMassless(const MultibodyTreeSystem<T>& core, int node) {
  const dynamics::Model& model = core.model();
  const dynamics::MobodIndex body = model.nodes[node].body;
  return fmt::format(
      "MultibodyPlant '{}': body '{}'{} has no inertia that joint '{}' could "
      "move, or none that is finite, so that it has no acceleration; give the "
      "body mass and inertia, or weld the joint.",
      core.GetSystemPathname(),
      core.tree().bodies().get(BodyIndex(model.bodies[body].link)).name(),
      model.nodes[node].has_children ? ", with what is outboard of it," : "",
      core.tree().inboard_joints()[body]->name());
}

}  // namespace

template <typename T>
void CalcArticulatedInertias(const MultibodyTreeSystem<T>& core,
                             const dynamics::Configuration<T>& at,
                             const Eigen::Ref<const VectorX<T>>& diagonal,
                             dynamics::ArticulatedInertias<T>* result) {
  try {
    dynamics::CalcArticulatedInertias<T>(at, diagonal, result);
  } catch (const dynamics::SingularInertia& error) {
    throw std::runtime_error(DescribeMassless(core, error.node()));
  }
}

#define WYVERN_INSTANTIATE(T) \
  template decltype(CalcArticulatedInertias<T>) CalcArticulatedInertias<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
