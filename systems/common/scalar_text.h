#pragma once

/** @file
A scalar of any type as messages show it. */

#include <string>

#include <fmt/format.h>

#include "wyvern/systems/common/to_double.h"

namespace wyvern {

/** Its value without derivatives; an expression in full. */
template <typename T>
std::string ScalarText(const T& scalar) {
  if constexpr (requires { scalar.to_string(); }) {
    return scalar.to_string();
  } else {
    return fmt::format("{}", ToDouble(scalar));
  }
}

}  // namespace wyvern
