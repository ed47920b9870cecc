#pragma once

#include <type_traits>
#include <typeinfo>

namespace wyvern {

namespace internal {
[[noreturn]] void ThrowInexactCast(const std::type_info& given,
                                   const std::type_info& wanted);
}  // namespace internal

/** A dynamic_cast to a final class, at the cost of one comparison of types.
@throws std::logic_error naming both classes if `object` is of another. */
template <typename To, typename From>
const To& ExactCast(const From& object) {
  static_assert(std::is_base_of_v<From, To> && std::is_final_v<To>);
  const std::type_info& given = typeid(object);
  if (given != typeid(To)) internal::ThrowInexactCast(given, typeid(To));
  return static_cast<const To&>(object);
}
template <typename To, typename From>
To& ExactCast(From& object) {  // NOLINT(runtime/references)
  return const_cast<To&>(ExactCast<To>(static_cast<const From&>(object)));
}

}  // namespace wyvern
