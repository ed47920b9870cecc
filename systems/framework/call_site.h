#pragma once

namespace wyvern::systems {

/** File and line of a call, for messages about it. The last parameter of a
function takes one, with the default CallSite::Here(): the line of the caller.

It has what std::source_location has and this library needs; clang 14 lacks
that class. */
struct CallSite {
  /** The line that calls the function whose default argument this is. */
  static constexpr CallSite Here(const char* file = __builtin_FILE(),
                                 int line = __builtin_LINE()) {
    return {file, line};
  }
  /** Path of the source file, as the compiler was given it. */
  const char* file{""};
  /** Line in the file, from 1. */
  int line{0};
};

}  // namespace wyvern::systems
