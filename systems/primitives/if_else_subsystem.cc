#include "wyvern/systems/primitives/if_else_subsystem.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

namespace {

internal::ActivationRule MakeIfElseRule(int num_conditions, int num_systems) {
  wyvern::internal::RequireAtLeast("IfElseSubsystem", "num_conditions",
                                   num_conditions, 1);
  if (num_systems != num_conditions && num_systems != num_conditions + 1) {
    throw std::logic_error(fmt::format(
        "IfElseSubsystem(): there are {} Systems for {} conditions; give one "
        "for each condition, and one more for \"else\" if you want.",
        num_systems, num_conditions));
  }
  return {.num_systems = num_systems, .num_conditions = num_conditions};
}

}  // namespace

template <typename T>
IfElseSubsystem<T>::IfElseSubsystem(
    int num_conditions, std::vector<std::shared_ptr<System<T>>> systems,
    const ActivationOptions& options)
    : internal::ConditionalDiagram<T>(
          SystemTypeTag<systems::IfElseSubsystem>{}, "IfElseSubsystem",
          "conditions",
          MakeIfElseRule(num_conditions, static_cast<int>(systems.size())),
          systems, options) {}

template <typename T>
IfElseSubsystem<T>::~IfElseSubsystem() = default;

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::IfElseSubsystem);
