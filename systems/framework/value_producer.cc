#include "wyvern/systems/framework/value_producer.h"

#include <fmt/format.h>

namespace wyvern::systems {

std::unique_ptr<AbstractValue> ValueProducer::Allocate() const {
  if (!is_valid()) ThrowNull("allocate");
  auto result = allocate_();
  if (result == nullptr) {
    throw std::logic_error(
        "ValueProducer::Allocate(): the allocate callback returned nullptr; "
        "it must return a value.");
  }
  return result;
}

void ValueProducer::RequireCallbacks() const {
  if (allocate_ == nullptr) ThrowNull("allocate");
  if (calc_ == nullptr) ThrowNull("calc");
}

void ValueProducer::ThrowNull(const char* what) {
  throw std::logic_error(fmt::format(
      "ValueProducer: the '{}' argument is null; both an allocate and a calc "
      "function are needed.",
      what));
}

}  // namespace wyvern::systems
