#include "wyvern/systems/framework/input_port_base.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/framework/system_base.h"

namespace wyvern::systems {

InputPortBase::InputPortBase(
    SystemBase* owning_system, std::string name, InputPortIndex index,
    DependencyTicket ticket, PortDataType data_type, int size,
    const std::optional<RandomDistribution>& random_type)
    : PortBase("InputPort", owning_system, std::move(name), index, ticket,
               data_type, size),
      random_type_(random_type) {
  if (is_random() && data_type != PortDataType::kVectorValued) {
    throw std::logic_error(fmt::format(
        "{}: an abstract-valued port cannot be random; declare it vector "
        "valued.",
        GetFullDescription()));
  }
}

std::unique_ptr<AbstractValue> InputPortBase::Allocate() const {
  return get_system_base().AllocateInputAbstract(get_index());
}

void InputPortBase::ThrowForeignContext(const ContextBase& context) const {
  throw std::logic_error(fmt::format(
      "InputPort::Eval(): {} was given a Context of another System, {}; pass "
      "the Context that its own System made (for a subsystem of a Diagram, get "
      "it with GetMyContextFromRoot()).",
      GetFullDescription(), context.GetSystemPathname()));
}

void InputPortBase::ThrowRequiredMissing() const {
  throw std::logic_error(fmt::format(
      "InputPort::Eval(): required {} is not connected and has no fixed value; "
      "connect it, export it, or call FixValue().",
      GetFullDescription()));
}

}  // namespace wyvern::systems
