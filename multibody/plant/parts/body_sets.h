#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** The bodies of some model instances, without the world, by the model's
indices. @throws std::out_of_range for a model instance that does not exist;
std::logic_error before Finalize(), in the name of `function`. */
template <typename T>
std::vector<int> FindModelBodies(
    const MultibodyTree<T>& tree,
    const std::vector<ModelInstanceIndex>& model_instances,
    const char* function);

/** Overload for the whole model; the result lives as long as the tree. */
template <typename T>
std::span<const int> FindModelBodies(const MultibodyTree<T>& tree,
                                     const char* function);

/** @throws std::logic_error, in the name of `function`, if the bodies have no
mass. */
template <typename T>
void RequireMass(const MultibodyTreeSystem<T>& core,
                 const systems::Context<T>& context,
                 std::span<const int> bodies, const char* function);

}  // namespace wyvern::multibody::internal
