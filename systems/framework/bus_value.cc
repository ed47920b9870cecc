#include "wyvern/systems/framework/bus_value.h"

namespace wyvern::systems {

BusValue& BusValue::operator=(const BusValue& other) {
  if (this == &other) return *this;
  std::erase_if(values_, [&other](const auto& item) {
    return other.Find(item.first) == nullptr;
  });
  for (const auto& [name, value] : other.values_) Set(name, *value);
  return *this;
}

const AbstractValue* BusValue::Find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : found->second.get();
}

void BusValue::Set(std::string_view name, const AbstractValue& value) {
  const auto found = values_.find(name);
  if (found == values_.end()) {
    values_.emplace(name, value.Clone());
  } else if (found->second->static_type_info() == value.static_type_info()) {
    found->second->SetFrom(value);
  } else {
    found->second = value.Clone();
  }
}

}  // namespace wyvern::systems
