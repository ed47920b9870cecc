#pragma once

#include "wyvern/systems/common/to_double.h"

namespace wyvern {

/** Drake's name of ToDouble(): the value of a scalar or of each element of a
matrix, without derivatives.
@throws std::runtime_error if an expression has variables, as ToDouble() does.
*/
template <typename Value>
auto ExtractDoubleOrThrow(const Value& value) {
  return ToDouble(value);
}

}  // namespace wyvern
