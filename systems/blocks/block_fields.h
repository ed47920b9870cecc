#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/systems/common/eigen_types.h"

/** @file
What the structs of blocks share: names for enumerations, and limits of sizes.
Files are not trusted, so sizes that they give are bounded. */

namespace wyvern::systems::internal {

/** The longest vector of a block that a file describes. */
constexpr int kMaxBlockSize = 100'000;

/** Returns `size`. @throws std::logic_error unless it is from `least` to
kMaxBlockSize. */
int CheckSize(const char* block, const char* field, int size, int least = 1);

/** An enumeration's values by the names that YAML has for them. */
template <typename Enum>
using EnumNames = std::vector<std::pair<const char*, Enum>>;

[[noreturn]] void ThrowBadName(const char* block, const char* field,
                               const std::string& name,
                               const std::vector<std::string>& names);

/** Returns the value of a name.
@throws std::logic_error listing the names, if `name` is none. */
template <typename Enum>
Enum FindEnum(const char* block, const char* field, const std::string& name,
              const EnumNames<Enum>& names) {
  std::vector<std::string> all;
  for (const auto& [text, value] : names) {
    if (name == text) return value;
    all.emplace_back(text);
  }
  ThrowBadName(block, field, name, all);
}

template <typename Enum>
std::string NameOf(Enum value, const EnumNames<Enum>& names) {
  for (const auto& [text, one] : names) {
    if (value == one) return text;
  }
  return "";
}

}  // namespace wyvern::systems::internal
