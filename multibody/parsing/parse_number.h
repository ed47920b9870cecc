#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace wyvern::multibody::internal {

/** Reads a decimal number that fills `text` but for white space around it, in
the same way whatever the locale. Accepts a leading '+' and "inf"; nothing for
NaN, for hexadecimal and for what a double cannot hold. */
std::optional<double> ParseNumber(std::string_view text);

/** The numbers of a list parted by white space; nothing if any does not read.
 */
std::optional<std::vector<double>> ParseNumbers(std::string_view text);

/** `text` without the white space around it. */
std::string_view Trim(std::string_view text);

}  // namespace wyvern::multibody::internal
