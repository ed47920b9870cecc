#pragma once

#include <functional>
#include <set>
#include <string>
#include <unordered_set>

#include "wyvern/drake/string_hash.h"

namespace wyvern {

/** Sets of std::string. Lookups by std::string_view and string literals make no
std::string. */
using string_set = std::set<std::string, std::less<void>>;
using string_multiset = std::multiset<std::string, std::less<void>>;
using string_unordered_set =
    std::unordered_set<std::string, internal::StringHash, std::equal_to<>>;
using string_unordered_multiset =
    std::unordered_multiset<std::string, internal::StringHash, std::equal_to<>>;

}  // namespace wyvern
