#include "wyvern/systems/common/exact_cast.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/nice_type_name.h"

namespace wyvern::internal {

void ThrowInexactCast(const std::type_info& given,
                      const std::type_info& wanted) {
  throw std::logic_error(fmt::format(
      "A {} was given; it must be a {}. Pass one that the same System made.",
      NiceTypeName::Get(given), NiceTypeName::Get(wanted)));
}

}  // namespace wyvern::internal
