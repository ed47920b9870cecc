#include "wyvern/multibody/plant/parts/body_sets.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

template <typename T>
std::vector<int> FindModelBodies(
    const MultibodyTree<T>& tree,
    const std::vector<ModelInstanceIndex>& model_instances,
    const char* function) {
  tree.RequireFinalized(function);
  for (ModelInstanceIndex instance : model_instances) {
    tree.RequireModelInstance(instance, function);
  }
  std::vector<int> result;
  for (const RigidBody<T>* body : tree.bodies().elements()) {
    if (body->index() == world_index()) continue;
    if (std::ranges::count(model_instances, body->model_instance()) > 0) {
      result.push_back(tree.model_body(body->index()));
    }
  }
  const std::size_t num_primaries = result.size();
  for (const auto& loop : tree.loops()) {
    const auto end = result.begin() + num_primaries;
    if (std::find(result.begin(), end, loop.primary) != end) {
      result.push_back(loop.shadow);
    }
  }
  return result;
}

template <typename T>
std::span<const int> FindModelBodies(const MultibodyTree<T>& tree,
                                     const char* function) {
  tree.RequireFinalized(function);
  return tree.model(function).all_bodies;
}

template <typename T>
void RequireMass(const MultibodyTreeSystem<T>& core,
                 const systems::Context<T>& context,
                 std::span<const int> bodies, const char* function) {
  core.RequireKnownInertias(context);
  const auto& parameters = core.EvalModelParameters(context);
  T mass(0);
  for (int body : bodies) mass += parameters.bodies[body].mass;
  using wyvern::internal::MayHold;
  if (MayHold(mass > 0)) return;
  throw std::logic_error(fmt::format(
      "MultibodyPlant::{}(): the {} bodies asked about have no mass, so that "
      "they have no centre of mass.",
      function, bodies.size()));
}

#define WYVERN_INSTANTIATE_BODY_SETS(T)                                  \
  template std::vector<int> FindModelBodies(                             \
      const MultibodyTree<T>&, const std::vector<ModelInstanceIndex>&,   \
      const char*);                                                      \
  template std::span<const int> FindModelBodies(const MultibodyTree<T>&, \
                                                const char*);            \
  template decltype(RequireMass<T>) RequireMass<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_BODY_SETS)
#undef WYVERN_INSTANTIATE_BODY_SETS

}  // namespace wyvern::multibody::internal
