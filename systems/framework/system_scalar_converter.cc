#include "wyvern/systems/framework/system_scalar_converter.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/nice_type_name.h"

namespace wyvern::systems {
namespace {

// Converters given to OfferSymbolic(), by the tags of the classes.
std::map<std::type_index, SystemScalarConverter>& OfferedConverters() {
  static std::map<std::type_index, SystemScalarConverter> offered;
  return offered;
}

}  // namespace

void SystemScalarConverter::Offer(const std::type_info& tag,
                                  const SystemScalarConverter& ways) {
  OfferedConverters().insert_or_assign(tag, ways);
}

void SystemScalarConverter::AddOffered(const std::type_info& tag,
                                       bool check_subtype) {
  const auto found = OfferedConverters().find(tag);
  if (found == OfferedConverters().end()) return;
  for (const auto& [key, conversion] : found->second.functions_) {
    functions_.emplace(key, Conversion{conversion.convert, check_subtype});
  }
}

void SystemScalarConverter::ThrowSubtype(const std::type_info& actual,
                                         const std::type_info& named) {
  throw std::logic_error(fmt::format(
      "SystemScalarConverter: cannot convert a {} as if it were a {}, from "
      "which it derives; pass its own SystemTypeTag to the base constructor.",
      NiceTypeName::Get(actual), NiceTypeName::Get(named)));
}

}  // namespace wyvern::systems
