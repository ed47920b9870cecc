#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/standalone/kinematics_caches.h"

namespace wyvern::multibody {

void internal::ThrowNoNode(const char* function, int index, int size) {
  throw std::out_of_range(fmt::format(
      "{}(): this cache of kinematics has nothing at index {}; indices are "
      "from 0 to {}.",
      function, index, size - 1));
}

}  // namespace wyvern::multibody
