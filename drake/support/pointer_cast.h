#pragma once

#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/nice_type_name.h"

namespace wyvern {

/** Casts what a std::unique_ptr owns. */
template <typename T, typename U>
std::unique_ptr<T> static_pointer_cast(std::unique_ptr<U>&& other) noexcept {
  return std::unique_ptr<T>(static_cast<T*>(other.release()));
}

/** Variant that returns null, and leaves `other` unchanged, if the object is
not a T. */
template <typename T, typename U>
std::unique_ptr<T> dynamic_pointer_cast(std::unique_ptr<U>&& other) noexcept {
  auto* const object = dynamic_cast<T*>(other.get());
  if (object != nullptr) other.release();
  return std::unique_ptr<T>(object);
}

/** Returns the pointer as one to T.
@throws std::logic_error if the pointer is null or its object is no T. */
template <typename T, typename U>
T* dynamic_pointer_cast_or_throw(U* other) {
  if (other == nullptr) {
    throw std::logic_error(
        fmt::format("dynamic_pointer_cast_or_throw(): the pointer is null; "
                    "give one to a {}.",
                    NiceTypeName::Get<T>()));
  }
  auto* const object = dynamic_cast<T*>(other);
  if (object == nullptr) {
    throw std::logic_error(
        fmt::format("dynamic_pointer_cast_or_throw(): the object is a {}; "
                    "give a {}.",
                    NiceTypeName::Get(*other), NiceTypeName::Get<T>()));
  }
  return object;
}
template <typename T, typename U>
std::unique_ptr<T> dynamic_pointer_cast_or_throw(std::unique_ptr<U>&& other) {
  auto* const object = dynamic_pointer_cast_or_throw<T>(other.get());
  other.release();
  return std::unique_ptr<T>(object);
}

}  // namespace wyvern
