#include "wyvern/systems/primitives/triggered_subsystem.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

namespace {

template <typename T>
std::shared_ptr<System<T>> RequireNoContinuousState(
    std::shared_ptr<System<T>> system) {
  if (system == nullptr || system->num_continuous_states() == 0) return system;
  throw std::logic_error(fmt::format(
      "TriggeredSubsystem(): the System '{}' has {} continuous states, which a "
      "trigger cannot advance; give a System of sampled blocks.",
      system->get_name(), system->num_continuous_states()));
}

}  // namespace

template <typename T>
TriggeredSubsystem<T>::TriggeredSubsystem(
    std::shared_ptr<System<T>> system, TriggerEdge edge,
    const std::vector<Eigen::VectorXd>& initial_outputs)
    : internal::ConditionalDiagram<T>(
          SystemTypeTag<systems::TriggeredSubsystem>{}, "TriggeredSubsystem",
          "trigger",
          internal::ActivationRule{
              .kind = internal::ActivationRule::Kind::kTrigger, .edge = edge},
          {RequireNoContinuousState(std::move(system))},
          ActivationOptions{.initial_outputs = initial_outputs}) {}

template <typename T>
TriggeredSubsystem<T>::~TriggeredSubsystem() = default;

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::TriggeredSubsystem);
