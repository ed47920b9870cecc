#include "wyvern/systems/primitives/enabled_subsystem.h"

#include <utility>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
EnabledSubsystem<T>::EnabledSubsystem(std::shared_ptr<System<T>> system,
                                      const ActivationOptions& options)
    : internal::ConditionalDiagram<T>(
          SystemTypeTag<systems::EnabledSubsystem>{}, "EnabledSubsystem",
          "enable", internal::ActivationRule{}, {std::move(system)}, options) {}

template <typename T>
EnabledSubsystem<T>::~EnabledSubsystem() = default;

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::EnabledSubsystem);
