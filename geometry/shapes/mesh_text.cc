#include "wyvern/geometry/shapes/mesh_text.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::geometry::internal {

namespace {

constexpr bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

// A nonzero number below the least double is reported as out of range.
bool IsTiny(std::string_view word) {
  return word.find("e-") != word.npos || word.find("E-") != word.npos;
}

}  // namespace

void ThrowOfMesh(const std::string& file, std::string_view why) {
  throw std::runtime_error(fmt::format("The mesh '{}' {}", file, why));
}

void MeshText::Throw(std::string_view why) const {
  ThrowOfMesh(file_, fmt::format("cannot be read: line {}: {}", number_, why));
}

bool MeshText::NextLine() {
  joined_.clear();
  number_ = next_;
  while (!rest_.empty()) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++next_;
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    if (!line_.ends_with('\\')) {
      if (joined_.empty()) return true;
      joined_ += line_;
      line_ = joined_;
      return true;
    }
    line_.remove_suffix(1);
    (joined_ += line_) += ' ';
  }
  line_ = joined_;
  return !joined_.empty();
}

std::string_view MeshText::NextWord() {
  const auto begin = std::ranges::find_if_not(line_, IsBlank);
  const auto end = std::find_if(begin, line_.end(), IsBlank);
  const std::string_view word(begin, end);
  line_ = std::string_view(end, line_.end());
  if (!word.starts_with('#')) return word;
  line_ = {};
  return {};
}

std::optional<double> MeshText::NextNumber() {
  const std::string_view word = NextWord();
  if (word.empty()) return {};
  std::string_view digits = word;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double value{};
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error == std::errc::result_out_of_range && stop == end &&
      IsTiny(digits)) {
    return 0.0;
  }
  if (error != std::errc{} || stop != end) {
    Throw(fmt::format("'{}' is not a number; one is wanted.", word));
  }
  return value;
}

Eigen::Vector3d MeshText::NextTriple() {
  Eigen::Vector3d result;
  for (double& x : result) {
    const std::optional<double> number = NextNumber();
    if (!number.has_value()) {
      Throw("a vertex has fewer than three coordinates; three are wanted.");
    }
    x = *number;
  }
  return result;
}

int MeshText::ToInt(std::string_view word) const {
  int value{};
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc{} || stop != end) {
    Throw(fmt::format("'{}' is not the number of a vertex; one is wanted.",
                      word));
  }
  return value;
}

}  // namespace wyvern::geometry::internal
