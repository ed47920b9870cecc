#pragma once

#include <type_traits>

#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/value.h"
#include "wyvern/systems/framework/basic_vector.h"

namespace wyvern::systems::internal {

/** How a port's abstract value is read as a ValueType: the vector itself for
VectorX<T>, a cast for a BasicVector or a subclass of it, the abstract value as
it is for AbstractValue, and what it holds for anything else. Null if the value
is of another type. */
template <typename T, typename ValueType>
const ValueType* CastPortValue(const AbstractValue& value) {
  if constexpr (std::is_same_v<ValueType, AbstractValue>) {
    return &value;
  } else if constexpr (std::is_same_v<ValueType, VectorX<T>>) {
    const auto* vector = value.template maybe_get_value<BasicVector<T>>();
    // An abstract-valued port may hold a VectorX<T> itself.
    return vector == nullptr ? value.template maybe_get_value<VectorX<T>>()
                             : &vector->value();
  } else if constexpr (std::is_same_v<ValueType, BasicVector<T>>) {
    return value.template maybe_get_value<BasicVector<T>>();
  } else if constexpr (std::is_base_of_v<BasicVector<T>, ValueType>) {
    return dynamic_cast<const ValueType*>(
        value.template maybe_get_value<BasicVector<T>>());
  } else {
    return value.template maybe_get_value<ValueType>();
  }
}

}  // namespace wyvern::systems::internal
