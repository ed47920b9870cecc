#include "wyvern/systems/primitives/bus_creator.h"

#include <utility>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
BusCreator<T>::BusCreator(
    std::variant<std::string, UseDefaultName> output_port_name)
    : LeafSystem<T>(SystemTypeTag<BusCreator>{}) {
  this->DeclareAbstractOutputPort(std::move(output_port_name),
                                  &BusCreator<T>::CalcBus,
                                  {this->all_input_ports_ticket()});
}

template <typename T>
void BusCreator<T>::CalcBus(const Context<T>& context, BusValue* bus) const {
  for (int i = 0; i < this->num_input_ports(); ++i) {
    const AbstractValue* value = this->EvalAbstractInput(context, i);
    if (value != nullptr) bus->Set(this->get_input_port(i).get_name(), *value);
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::BusCreator);
