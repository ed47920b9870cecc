#pragma once

/** @file
Numbers and truth values as YAML's scalars spell them. */

#include <cstdint>
#include <optional>
#include <string>

namespace wyvern::yaml::internal {

/** The number a text spells, or nothing: 1, -2.5e3, .inf, -.inf, .nan. */
std::optional<double> ToDouble(const std::string& text);
/** A whole number in decimal, or in hexadecimal after 0x. */
std::optional<std::int64_t> ToSigned(const std::string& text);
std::optional<std::uint64_t> ToUnsigned(const std::string& text);
/** true, yes, on, y and their opposites; in lower case, upper case, or with
one capital in front. */
std::optional<bool> ToBool(const std::string& text);

/** The shortest text that reads back as the same number, never an integer. */
std::string FromDouble(double value);
/** Whether a string needs quotes, as its text spells something else. */
bool NeedsQuotes(const std::string& text);

}  // namespace wyvern::yaml::internal
