#pragma once

/** @file
A choice as an expression. */

#include "wyvern/systems/common/autodiff.h"

namespace wyvern {

inline double if_then_else(bool condition, double yes, double no) {
  return condition ? yes : no;
}
inline AutoDiffXd if_then_else(bool condition, const AutoDiffXd& yes,
                               const AutoDiffXd& no) {
  return condition ? yes : no;
}

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
