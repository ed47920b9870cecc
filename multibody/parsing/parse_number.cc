#include "wyvern/multibody/parsing/parse_number.h"

#include <charconv>
#include <cmath>

namespace wyvern::multibody::internal {

namespace {
constexpr std::string_view kWhiteSpace = " \t\r\n";
}  // namespace

std::string_view Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kWhiteSpace);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = text.find_last_not_of(kWhiteSpace);
  return text.substr(begin, end - begin + 1);
}

std::optional<double> ParseNumber(std::string_view text) {
  text = Trim(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || std::isnan(value)) return {};
  return value;
}

std::optional<std::vector<double>> ParseNumbers(std::string_view text) {
  std::vector<double> result;
  for (text = Trim(text); !text.empty(); text = Trim(text)) {
    const std::size_t length =
        std::min(text.find_first_of(kWhiteSpace), text.size());
    const std::optional<double> number = ParseNumber(text.substr(0, length));
    if (!number.has_value()) return {};
    result.push_back(*number);
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace wyvern::multibody::internal
