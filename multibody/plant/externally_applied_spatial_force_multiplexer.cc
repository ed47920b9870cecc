#include "wyvern/multibody/plant/externally_applied_spatial_force_multiplexer.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/plant/plant_serialization.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
ExternallyAppliedSpatialForceMultiplexer<
    T>::ExternallyAppliedSpatialForceMultiplexer(int num_inputs)
    : systems::LeafSystem<T>(
          systems::SystemTypeTag<ExternallyAppliedSpatialForceMultiplexer>{}) {
  internal::RegisterPlantSerialization();
  if (num_inputs < 0) {
    throw std::logic_error(fmt::format(
        "ExternallyAppliedSpatialForceMultiplexer(): {} inputs were asked for; "
        "wanted are 0 or more.",
        num_inputs));
  }
  for (int i = 0; i < num_inputs; ++i) {
    this->DeclareAbstractInputPort(systems::kUseDefaultName, Value<List>())
        .set_optional();
  }
  this->DeclareAbstractOutputPort(
      systems::kUseDefaultName,
      &ExternallyAppliedSpatialForceMultiplexer<T>::CombineInputs,
      {this->all_input_ports_ticket()});
}

template <typename T>
ExternallyAppliedSpatialForceMultiplexer<
    T>::~ExternallyAppliedSpatialForceMultiplexer() = default;

template <typename T>
void ExternallyAppliedSpatialForceMultiplexer<T>::CombineInputs(
    const systems::Context<T>& context, List* output) const {
  output->clear();
  for (int i = 0; i < this->num_input_ports(); ++i) {
    const auto& port = this->get_input_port(i);
    if (!port.HasValue(context)) continue;
    const List& list = port.template Eval<List>(context);
    output->insert(output->end(), list.begin(), list.end());
  }
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::ExternallyAppliedSpatialForceMultiplexer);
