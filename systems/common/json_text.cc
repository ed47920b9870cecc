#include "wyvern/systems/common/json_text.h"

#include <charconv>
#include <cmath>
#include <cstdint>

namespace wyvern::internal {

namespace {

// Bytes of the UTF-8 character that text[i] begins, or 0 if it is none: too
// short, too long for its number, a surrogate, or beyond U+10FFFF.
int CharacterLength(std::string_view text, std::size_t i) {
  const auto byte = [&text](std::size_t k) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[k]));
  };
  const std::uint32_t first = byte(i);
  if (first < 0x80) return 1;
  const int length = first < 0xc2    ? 0
                     : first < 0xe0  ? 2
                     : first < 0xf0  ? 3
                     : first <= 0xf4 ? 4
                                     : 0;
  if (length == 0 || i + length > text.size()) return 0;
  for (int k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xc0) != 0x80) return 0;
  }
  const std::uint32_t second = byte(i + 1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90)) {
    return 0;
  }
  return length;
}

}  // namespace

void AppendJsonString(std::string_view text, std::string* json) {
  constexpr char kDigits[] = "0123456789abcdef";
  *json += '"';
  for (std::size_t i = 0; i < text.size();) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    const int length = CharacterLength(text, i);
    if (c == '"' || c == '\\') {
      *json += '\\';
      *json += text[i];
    } else if (c < 0x20) {
      *json += "\\u00";
      *json += kDigits[c >> 4];
      *json += kDigits[c & 15];
    } else if (length == 0) {
      *json += "\\ufffd";
    } else {
      *json += text.substr(i, length);
    }
    i += length == 0 ? 1 : length;
  }
  *json += '"';
}

void AppendJsonNumber(double x, std::string* json) {
  if (!std::isfinite(x)) {
    *json += "null";
    return;
  }
  char digits[32];
  json->append(digits, std::to_chars(digits, digits + sizeof(digits), x).ptr);
}

std::string JsonString(std::string_view text) {
  std::string json;
  AppendJsonString(text, &json);
  return json;
}

}  // namespace wyvern::internal
