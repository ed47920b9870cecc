#include "wyvern/systems/framework/input_port.h"

#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/system.h"

namespace wyvern::systems {

template <typename T>
InputPort<T>::InputPort(const System<T>* system, SystemBase* system_base,
                        std::string name, InputPortIndex index,
                        DependencyTicket ticket, PortDataType data_type,
                        int size,
                        const std::optional<RandomDistribution>& random_type)
    : InputPortBase(system_base, std::move(name), index, ticket, data_type,
                    size, random_type),
      system_(*system) {}

template <typename T>
void InputPort<T>::RequireFixable(const Context<T>* context) const {
  if (context == nullptr) {
    wyvern::internal::ThrowNull(
        fmt::format("InputPort::FixValue(): {}", this->GetFullDescription()),
        "the Context", "pass the Context to fix the value in");
  }
  system_.ValidateContext(*context);
}

template <typename T>
FixedInputPortValue& InputPort<T>::FixVector(
    Context<T>* context, const BasicVector<T>& value) const {
  if (!wyvern::internal::AllFinite(value.value())) {
    wyvern::internal::RequireFinite(
        wyvern::internal::Caller("InputPort::FixValue").OfResults(),
        "the value of " + this->GetFullDescription(), value.value());
  }
  return context->FixInputPort(this->get_index(),
                               Value<BasicVector<T>>(value.Clone()));
}

template <typename T>
FixedInputPortValue& InputPort<T>::FixAbstract(
    Context<T>* context, const AbstractValue& value) const {
  return context->FixInputPort(this->get_index(), value);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::InputPort);
