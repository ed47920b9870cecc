#pragma once

#include <type_traits>

#include "wyvern/drake/reset_after_move.h"

namespace wyvern {

/** A value that a copy does not take over: the copy has T(), and the original
keeps its value. A move leaves T() behind. Use it for a data member that would
be wrong in a copied object, such as a pointer to another member. */
template <typename T>
class reset_on_copy : public reset_after_move<T> {
 public:
  static_assert(std::is_scalar_v<T>, "T must be a number, enum or pointer.");

  using reset_after_move<T>::reset_after_move;
  reset_on_copy() noexcept = default;
  reset_on_copy(const reset_on_copy&) noexcept : reset_after_move<T>() {}
  reset_on_copy& operator=(const reset_on_copy& other) noexcept {
    if (this != &other) static_cast<T&>(*this) = T();
    return *this;
  }
  reset_on_copy(reset_on_copy&&) noexcept = default;
  reset_on_copy& operator=(reset_on_copy&&) noexcept = default;
};

}  // namespace wyvern
