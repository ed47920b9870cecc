#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace wyvern::internal {

/** The same hash for every kind of text, so that one finds another. */
struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

}  // namespace wyvern::internal
