#pragma once

#include <limits>

namespace wyvern {

/** A value that no computation should meet: NaN where T has it, else T{}. */
template <typename T>
struct dummy_value {
  static constexpr T get() {
    if constexpr (std::numeric_limits<T>::has_quiet_NaN) {
      return std::numeric_limits<T>::quiet_NaN();
    } else {
      return T{};
    }
  }
};

}  // namespace wyvern
