#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace wyvern::internal {

/** Hashes every kind of text alike, so that a key of one kind finds one of
another. */
struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

}  // namespace wyvern::internal
