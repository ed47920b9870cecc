#pragma once

#include <type_traits>
#include <typeinfo>

namespace wyvern {

/** A dynamic_cast to a final class, at the cost of one comparison of types.
@throws std::bad_cast if `object` is of another class. */
template <typename To, typename From>
const To& ExactCast(const From& object) {
  static_assert(std::is_base_of_v<From, To> && std::is_final_v<To>);
  if (typeid(object) != typeid(To)) throw std::bad_cast();
  return static_cast<const To&>(object);
}
template <typename To, typename From>
To& ExactCast(From& object) {  // NOLINT(runtime/references)
  return const_cast<To&>(ExactCast<To>(static_cast<const From&>(object)));
}

}  // namespace wyvern
