#include "wyvern/systems/primitives/port_switch.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
PortSwitch<T>::PortSwitch(int vector_size,
                          const internal::PortModelMaker& make_model)
    : LeafSystem<T>(SystemTypeTag<PortSwitch>{}),
      vector_size_(vector_size),
      make_model_(make_model) {
  this->DeclareAbstractInputPort("port_selector", Value<InputPortIndex>());
  if (is_abstract()) {
    this->DeclareAbstractOutputPort(
        "value", [this]() { return make_model_.template Make<T>(); },
        [this](const Context<T>& context, AbstractValue* y) {
          CopyAbstractOut(context, y);
        },
        {this->all_input_ports_ticket()});
  } else {
    wyvern::internal::RequireAtLeast("PortSwitch", "vector_size", vector_size,
                                     1);
    this->DeclareVectorOutputPort("value", vector_size,
                                  &PortSwitch<T>::CopyVectorOut,
                                  {this->all_input_ports_ticket()});
  }
}

template <typename T>
const InputPort<T>& PortSwitch<T>::DeclareInputPort(std::string name) {
  if (is_abstract()) {
    return this->DeclareAbstractInputPort(std::move(name),
                                          *make_model_.template Make<T>());
  }
  return this->DeclareVectorInputPort(std::move(name), vector_size_);
}

template <typename T>
const InputPort<T>& PortSwitch<T>::SelectedPort(
    const Context<T>& context) const {
  const InputPortIndex index =
      get_port_selector_input_port().template Eval<InputPortIndex>(context);
  if (!index.is_valid() || index == 0 || index >= this->num_input_ports()) {
    throw std::logic_error(fmt::format(
        "PortSwitch: port_selector of '{}' is {}; it must be the index of an "
        "input port to copy, from 1 to {}.",
        this->GetSystemPathname(), static_cast<int>(index),
        this->num_input_ports() - 1));
  }
  return this->get_input_port(index);
}

template <typename T>
void PortSwitch<T>::CopyVectorOut(const Context<T>& context,
                                  BasicVector<T>* y) const {
  y->get_mutable_value() = SelectedPort(context).Eval(context);
}

template <typename T>
void PortSwitch<T>::CopyAbstractOut(const Context<T>& context,
                                    AbstractValue* y) const {
  y->SetFrom(SelectedPort(context).template Eval<AbstractValue>(context));
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::PortSwitch);
