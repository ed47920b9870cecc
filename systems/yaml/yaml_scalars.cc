#include "wyvern/systems/yaml/yaml_scalars.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

namespace wyvern::yaml::internal {
namespace {

template <typename Number, typename... Format>
std::optional<Number> FromChars(std::string_view text, Format... format) {
  Number value{};
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, format...);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

// Returns a number's text after a plus sign, which std::from_chars rejects.
std::string_view WithoutPlus(std::string_view text) {
  const bool has_plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  return has_plus ? text.substr(1) : text;
}

template <typename Integer>
std::optional<Integer> ToInteger(std::string_view text) {
  text = WithoutPlus(text);
  if (text.starts_with("0x") && text.size() > 2 && text[2] != '-') {
    return FromChars<Integer>(text.substr(2), 16);
  }
  return FromChars<Integer>(text, 10);
}

// One spelling of three: true, TRUE, True.
std::string Lower(const std::string& text) {
  const auto is_upper = [](unsigned char c) { return std::isupper(c) != 0; };
  const bool is_word =
      std::none_of(text.begin() + !text.empty(), text.end(), is_upper) ||
      std::all_of(text.begin(), text.end(), is_upper);
  std::string result = is_word ? text : "";
  for (char& c : result) c = std::tolower(static_cast<unsigned char>(c));
  return result;
}

}  // namespace

std::optional<double> ToDouble(const std::string& text) {
  const std::string_view number = WithoutPlus(text);
  const bool is_negative = number.starts_with("-");
  const std::string magnitude(number.substr(is_negative ? 1 : 0));
  const std::string word = Lower(magnitude);
  const double sign = is_negative ? -1 : 1;
  if (word == ".inf") return sign * std::numeric_limits<double>::infinity();
  if (word == ".nan") return std::numeric_limits<double>::quiet_NaN();
  // std::from_chars would take "inf" and "nan", which are strings.
  if (magnitude.empty() ||
      (magnitude[0] != '.' &&
       !std::isdigit(static_cast<unsigned char>(magnitude[0])))) {
    return {};
  }
  if (magnitude.starts_with("0x")) {
    const auto whole = ToSigned(text);
    return whole ? std::optional<double>(*whole) : std::nullopt;
  }
  return FromChars<double>(number, std::chars_format::general);
}

std::optional<std::int64_t> ToSigned(const std::string& text) {
  return ToInteger<std::int64_t>(text);
}

std::optional<std::uint64_t> ToUnsigned(const std::string& text) {
  return ToInteger<std::uint64_t>(text);
}

std::optional<bool> ToBool(const std::string& text) {
  constexpr std::array yes{"true", "yes", "on", "y"};
  constexpr std::array no{"false", "no", "off", "n"};
  const std::string word = Lower(text);
  if (std::find(yes.begin(), yes.end(), word) != yes.end()) return true;
  if (std::find(no.begin(), no.end(), word) != no.end()) return false;
  return {};
}

std::string FromDouble(double value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value < 0 ? "-.inf" : ".inf";
  const std::string text = fmt::format("{}", value);
  const bool is_whole = text.find_first_of(".e") == std::string::npos;
  return is_whole ? text + ".0" : text;
}

bool NeedsQuotes(const std::string& text) {
  const std::string word = Lower(text);
  return text.empty() || word == "null" || text == "~" || ToBool(text) ||
         ToDouble(text) || ToSigned(text) || ToUnsigned(text);
}

}  // namespace wyvern::yaml::internal
