#pragma once

#include <type_traits>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems::scalar_conversion {

/** Which conversions a System class template supports: all, unless specialised.
Specialise with one of the structs below to say otherwise. */
template <template <typename> class S>
struct Traits {
  /** True if a System of scalar T can be made from one of scalar U. */
  template <typename T, typename U>
  using supported = std::true_type;
};

/** For a System that exists for double only, or from double only. */
struct FromDoubleTraits {
  /** True if a System of scalar T can be made from one of scalar U. */
  template <typename T, typename U>
  using supported = std::bool_constant<std::is_same_v<U, double>>;
};

/** For a System without symbolic form: every scalar but Expression. */
struct NonSymbolicTraits {
  /** True if a System of scalar T can be made from one of scalar U. */
  template <typename T, typename U>
  using supported =
      std::bool_constant<!std::is_same_v<T, symbolic::Expression> &&
                         !std::is_same_v<U, symbolic::Expression>>;
};

}  // namespace wyvern::systems::scalar_conversion
