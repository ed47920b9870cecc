#pragma once

/** @file
A choice as an expression. */

#include "wyvern/systems/common/if_then_else.h"

namespace wyvern {

/** cond(c1, x1, c2, x2, ..., x): the first x whose c holds, else the last. */
template <typename T>
T cond(const T& otherwise) {
  return otherwise;
}
template <typename T, typename... Rest>
auto cond(bool condition, const T& value, const Rest&... rest) {
  return if_then_else(condition, value, cond(rest...));
}

}  // namespace wyvern
