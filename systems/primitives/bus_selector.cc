#include "wyvern/systems/primitives/bus_selector.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/nice_type_name.h"

namespace wyvern::systems {

template <typename T>
BusSelector<T>::BusSelector(
    std::variant<std::string, UseDefaultName> input_port_name)
    : LeafSystem<T>(SystemTypeTag<BusSelector>{}) {
  this->DeclareAbstractInputPort(std::move(input_port_name), Value<BusValue>());
}

template <typename T>
BusSelector<T>::~BusSelector() = default;

template <typename T>
const OutputPort<T>& BusSelector<T>::DeclareVectorOutputPort(
    std::variant<std::string, UseDefaultName> name, int size) {
  const int index = this->num_output_ports();
  const OutputPort<T>& port = LeafSystem<T>::DeclareVectorOutputPort(
      std::move(name), size,
      [this, index](const Context<T>& context, BasicVector<T>* output) {
        CopyVectorOut(context, index, output);
      },
      {this->all_input_ports_ticket()});
  models_.push_back(nullptr);
  return port;
}

template <typename T>
const OutputPort<T>& BusSelector<T>::DeclareAbstractOutputPort(
    std::variant<std::string, UseDefaultName> name,
    const AbstractValue& model_value) {
  const int index = this->num_output_ports();
  const std::shared_ptr<const AbstractValue> model = model_value.Clone();
  const OutputPort<T>& port = LeafSystem<T>::DeclareAbstractOutputPort(
      std::move(name), [model]() { return model->Clone(); },
      [this, index](const Context<T>& context, AbstractValue* output) {
        CopyAbstractOut(context, index, output);
      },
      {this->all_input_ports_ticket()});
  models_.push_back(model);
  return port;
}

template <typename T>
const AbstractValue& BusSelector<T>::FindInBus(const Context<T>& context,
                                               int output_port_index) const {
  const std::string& name = this->get_output_port(output_port_index).get_name();
  const auto& bus = this->get_input_port().template Eval<BusValue>(context);
  const AbstractValue* value = bus.Find(name);
  if (value == nullptr) {
    std::string names;
    for (const auto& [other, ignored] : bus) {
      names += (names.empty() ? "'" : ", '") + other + "'";
    }
    throw std::logic_error(fmt::format(
        "BusSelector: the bus into '{}' has no value '{}'; it has {}.",
        this->GetSystemPathname(), name, names.empty() ? "none" : names));
  }
  return *value;
}

template <typename T>
void BusSelector<T>::CopyVectorOut(const Context<T>& context,
                                   int output_port_index,
                                   BasicVector<T>* output) const {
  const AbstractValue& value = FindInBus(context, output_port_index);
  const auto* vector = value.maybe_get_value<BasicVector<T>>();
  if (vector == nullptr || vector->size() != output->size()) {
    throw std::logic_error(fmt::format(
        "BusSelector: '{}' in the bus into '{}' is {}; the output port wants a "
        "vector of size {}.",
        this->get_output_port(output_port_index).get_name(),
        this->GetSystemPathname(),
        vector == nullptr ? "of type " + value.GetNiceTypeName()
                          : fmt::format("a vector of size {}", vector->size()),
        output->size()));
  }
  output->SetFromVector(vector->value());
}

template <typename T>
void BusSelector<T>::CopyAbstractOut(const Context<T>& context,
                                     int output_port_index,
                                     AbstractValue* output) const {
  const AbstractValue& value = FindInBus(context, output_port_index);
  if (value.static_type_info() != output->static_type_info()) {
    throw std::logic_error(fmt::format(
        "BusSelector: '{}' in the bus into '{}' is of type {}; the output port "
        "wants {}.",
        this->get_output_port(output_port_index).get_name(),
        this->GetSystemPathname(), value.GetNiceTypeName(),
        output->GetNiceTypeName()));
  }
  output->SetFrom(value);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::BusSelector);
