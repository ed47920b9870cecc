#pragma once

#include <sstream>
#include <string_view>

#include <fmt/core.h>

namespace wyvern {

/** Base of fmt::formatter for types with an operator<<. fmt prints the output
of the operator; format specifiers are those of a text, such as "{:>20}". */
struct StreamFormatter : fmt::formatter<std::string_view> {
  /** Prints the output of the operator. */
  template <typename Value, typename FormatContext>
  auto format(const Value& value, FormatContext& context) const {
    std::ostringstream text;
    text << value;
    return fmt::formatter<std::string_view>::format(text.str(), context);
  }
};

}  // namespace wyvern
