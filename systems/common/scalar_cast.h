#pragma once

/** @file
Conversion between the scalar types. */

#include <type_traits>

#include "wyvern/systems/common/to_double.h"

namespace wyvern {

/** `value` as a T. To double it drops derivatives; from double it has none. */
template <typename T, typename U>
T ScalarCast(const U& value) {
  if constexpr (std::is_same_v<T, U>) {
    return value;
  } else if constexpr (std::is_same_v<T, double>) {
    return ToDouble(value);
  } else {
    return T(value);
  }
}

}  // namespace wyvern
