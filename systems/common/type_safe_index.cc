#include "wyvern/systems/common/type_safe_index.h"

#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::internal {
namespace {

template <typename Integer>
[[noreturn]] void Throw(Integer index) {
  throw std::out_of_range(fmt::format(
      "TypeSafeIndex: an index was given the value {}; an index must be in "
      "[0, 2^31).",
      index));
}

}  // namespace

void ThrowIndexOutOfRange(std::intmax_t index) { Throw(index); }
void ThrowIndexOutOfRange(std::uintmax_t index) { Throw(index); }

}  // namespace wyvern::internal
