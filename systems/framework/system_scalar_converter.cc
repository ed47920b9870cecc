#include "wyvern/systems/framework/system_scalar_converter.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/nice_type_name.h"

namespace wyvern::systems {

void SystemScalarConverter::ThrowSubtype(const std::type_info& actual,
                                         const std::type_info& named) {
  throw std::logic_error(fmt::format(
      "SystemScalarConverter: cannot convert a {} as if it were a {}, from "
      "which it derives; pass its own SystemTypeTag to the base constructor.",
      NiceTypeName::Get(actual), NiceTypeName::Get(named)));
}

}  // namespace wyvern::systems
