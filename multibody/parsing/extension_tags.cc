#include "wyvern/multibody/parsing/extension_tags.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/multibody/parsing/parse_number.h"

namespace wyvern::multibody::internal {

void ExtensionTags::Throw(std::string_view message) const {
  throw std::runtime_error(
      fmt::format("{}: <drake:{}>: {}", place_, name_, message));
}

void ExtensionTags::ThrowAt(const Tag& tag, std::string_view wanted) {
  throw std::runtime_error(fmt::format("{}: <drake:{}> is '{}'; {} wanted.",
                                       tag.place, tag.name, tag.value, wanted));
}

void ExtensionTags::Expect(std::initializer_list<std::string_view> known,
                           WarningLog* log) const {
  for (const Tag& tag : tags_) {
    if (std::ranges::find(known, tag.name) != known.end()) continue;
    log->Add(tag.place,
             fmt::format("<{}> in <drake:{}> is not known and is ignored; "
                         "those read are: {}.",
                         tag.name, name_, fmt::join(known, ", ")));
  }
}

const ExtensionTags::Tag* ExtensionTags::Find(std::string_view name) const {
  const Tag* result = nullptr;
  for (const Tag& tag : tags_) {
    if (tag.name != name) continue;
    if (result != nullptr) {
      throw std::runtime_error(
          fmt::format("{}: <drake:{}> has a second <drake:{}>; at most one is "
                      "wanted.",
                      tag.place, name_, name));
    }
    result = &tag;
  }
  return result;
}

const ExtensionTags::Tag& ExtensionTags::Required(std::string_view name) const {
  const Tag* const tag = Find(name);
  if (tag == nullptr) {
    Throw(fmt::format("there is no <drake:{}>; one is wanted.", name));
  }
  return *tag;
}

std::vector<std::string> ExtensionTags::All(std::string_view name) const {
  std::vector<std::string> result;
  for (const Tag& tag : tags_) {
    if (tag.name == name) result.push_back(tag.value);
  }
  return result;
}

std::optional<std::string> ExtensionTags::Text(std::string_view name) const {
  if (!Has(name)) return {};
  return RequiredText(name);
}

std::string ExtensionTags::RequiredText(std::string_view name) const {
  const Tag& tag = Required(name);
  if (tag.value.empty()) ThrowAt(tag, "a name is");
  return tag.value;
}

std::optional<double> ExtensionTags::Number(std::string_view name) const {
  const Tag* const tag = Find(name);
  if (tag == nullptr) return {};
  const std::optional<double> value = ParseNumber(tag->value);
  if (!value.has_value() || !std::isfinite(*value)) {
    ThrowAt(*tag, "a finite number is");
  }
  return value;
}

double ExtensionTags::RequiredNumber(std::string_view name) const {
  Required(name);
  return *Number(name);
}

std::optional<double> ExtensionTags::NotNegative(std::string_view name) const {
  const std::optional<double> value = Number(name);
  if (value.has_value() && *value < 0) {
    ThrowAt(*Find(name), "a number of zero or more is");
  }
  return value;
}

std::optional<double> ExtensionTags::Positive(std::string_view name) const {
  const std::optional<double> value = Number(name);
  if (value.has_value() && !(*value > 0)) {
    ThrowAt(*Find(name), "a number above zero is");
  }
  return value;
}

Vector3<double> ExtensionTags::RequiredTriple(std::string_view name) const {
  const Tag& tag = Required(name);
  const auto numbers = ParseNumbers(tag.value);
  if (!numbers.has_value() || numbers->size() != 3 ||
      !std::ranges::all_of(*numbers,
                           [](double x) { return std::isfinite(x); })) {
    ThrowAt(tag, "three finite numbers are");
  }
  return {(*numbers)[0], (*numbers)[1], (*numbers)[2]};
}

}  // namespace wyvern::multibody::internal
