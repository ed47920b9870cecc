#pragma once

/** @file What DRAKE_DEMAND() and its kin throw. */

#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace wyvern::drake_support {

/** @throws std::logic_error naming the function, the condition, the place, and
the values of `names` if there are any. */
template <typename... Values>
[[noreturn]] void ThrowFailedCondition(const char* condition,
                                       const char* function, const char* file,
                                       int line, const char* names = "",
                                       const Values&... values) {
  std::string text;
  ((text += fmt::format("{}{}", text.empty() ? "" : ", ", values)), ...);
  throw std::logic_error(fmt::format(
      "{}(): condition '{}' failed{}; {}:{} says what must hold.", function,
      condition, text.empty() ? "" : fmt::format(" with {} = {}", names, text),
      file, line));
}

[[noreturn]] inline void ThrowUnreachable(const char* function,
                                          const char* file, int line) {
  throw std::logic_error(fmt::format(
      "{}(): a statement was reached that never should be; see {}:{}.",
      function, file, line));
}

}  // namespace wyvern::drake_support
