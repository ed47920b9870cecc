#pragma once

#include <string>
#include <string_view>

namespace wyvern::internal {

/** Appends a text as a JSON string, in quotes. Bytes that are not UTF-8 become
the replacement character. */
void AppendJsonString(std::string_view text, std::string* json);
/** Appends the shortest text that reads back as the same number; `null`, as
JSON has no other word for it, if it is not finite. */
void AppendJsonNumber(double x, std::string* json);
std::string JsonString(std::string_view text);

}  // namespace wyvern::internal
