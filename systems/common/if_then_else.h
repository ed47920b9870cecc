#pragma once

/** @file
A choice of two values, for scalars of any type: with symbolic::Expression there
is another if_then_else(), which takes a Formula and keeps both branches. */

#include "wyvern/systems/common/autodiff.h"

namespace wyvern {

/** Returns `yes` if the condition holds, else `no`. */
inline double if_then_else(bool condition, double yes, double no) {
  return condition ? yes : no;
}
/** Overload for values with derivatives; the result has those of the chosen
one. */
inline AutoDiffXd if_then_else(bool condition, const AutoDiffXd& yes,
                               const AutoDiffXd& no) {
  return condition ? yes : no;
}

}  // namespace wyvern
