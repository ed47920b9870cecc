#include "wyvern/systems/common/value.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/nice_type_name.h"

namespace wyvern {

std::string AbstractValue::GetNiceTypeName() const {
  return NiceTypeName::Get(type_info());
}

void AbstractValue::set_description(std::string description) {
  description_ = std::make_shared<const std::string>(std::move(description));
}

void AbstractValue::ThrowWrongType(const std::type_info& wanted) const {
  const std::string held = NiceTypeName::Get(static_type_info());
  const std::string dynamic = GetNiceTypeName();
  throw std::logic_error(fmt::format(
      "AbstractValue: {}a value of type '{}'{} was read or set as type '{}'; "
      "use the type it was made with.",
      description_ == nullptr ? std::string() : *description_ + ", ", held,
      dynamic == held ? std::string()
                      : fmt::format(" (now holding a '{}')", dynamic),
      NiceTypeName::Get(wanted)));
}

void internal::ThrowNullValue(const std::type_info& type) {
  throw std::logic_error(
      fmt::format("Value<{}>: the pointer given is null; pass an object.",
                  NiceTypeName::Get(type)));
}

}  // namespace wyvern
