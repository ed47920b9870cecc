#pragma once

#include <functional>
#include <map>
#include <string>
#include <unordered_map>

#include "wyvern/drake/string_hash.h"

namespace wyvern {

/** Maps from std::string. Lookups by std::string_view and string literals make
no std::string. */
template <typename T>
using string_map = std::map<std::string, T, std::less<void>>;
template <typename T>
using string_multimap = std::multimap<std::string, T, std::less<void>>;
template <typename T>
using string_unordered_map =
    std::unordered_map<std::string, T, internal::StringHash, std::equal_to<>>;
template <typename T>
using string_unordered_multimap =
    std::unordered_multimap<std::string, T, internal::StringHash,
                            std::equal_to<>>;

}  // namespace wyvern
