#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/framework/vector_base.h"

namespace wyvern::systems {

void internal::ThrowMismatchedVectors(const char* caller, int given,
                                      int wanted) {
  throw std::logic_error(
      fmt::format("{}(): the vector given has {} elements; it must have {}.",
                  caller, given, wanted));
}

}  // namespace wyvern::systems
