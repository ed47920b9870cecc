#pragma once

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/plant/parts/constraint_registry.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::multibody::internal {

/** Calls `calc`, and adds plant, time and constraint to what it throws: the
numbers of a constraint do not know what it is called. */
template <typename T, typename Calc>
void CallNamed(const MultibodyTreeSystem<T>& core,
               const systems::Context<T>& context,
               const ConstraintRegistry::Compiled& compiled, Calc&& calc) {
  try {
    calc();
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format(
        "MultibodyPlant '{}': at time {}: {}: {}", core.GetSystemPathname(),
        ExtractDoubleOrThrow(context.get_time()), compiled.name, error.what()));
  }
}

}  // namespace wyvern::multibody::internal
