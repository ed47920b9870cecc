#pragma once

#include <concepts>
#include <memory>
#include <type_traits>

namespace wyvern {

/** is_cloneable<T>::value tells whether a const T has a function Clone() whose
result is, or converts to, std::unique_ptr<T>. */
template <typename T>
    struct is_cloneable : std::bool_constant < requires(const T& x) {
  { x.Clone() } -> std::convertible_to<std::unique_ptr<T>>;
} > {};

}  // namespace wyvern
