#pragma once

#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "wyvern/multibody/plant/parts/constraint_registry.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody::internal {

/** Calls `calc`, and adds plant, time and constraint to what it throws: the
numbers of a constraint do not know what it is called. What names the plant
itself is not told twice. */
template <typename T, typename Calc>
void CallNamed(const MultibodyTreeSystem<T>& core,
               const systems::Context<T>& context,
               const ConstraintRegistry::Compiled& compiled, Calc&& calc) {
  try {
    calc();
  } catch (const std::runtime_error& error) {
    const std::string plant =
        fmt::format("MultibodyPlant '{}': ", core.GetSystemPathname());
    std::string what = error.what();
    if (what.starts_with(plant)) what.erase(0, plant.size());
    throw std::runtime_error(fmt::format("{}at time {}: {}: {}", plant,
                                         ToDouble(context.get_time()),
                                         compiled.name, what));
  }
}

}  // namespace wyvern::multibody::internal
