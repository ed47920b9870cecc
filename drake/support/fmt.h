#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace wyvern {

/** A format string that is known at run time alone. */
inline auto fmt_runtime(std::string_view text) { return fmt::runtime(text); }

/** The shortest text that reads back as the same number, with ".0" if whole. */
template <typename T>
std::string fmt_floating_point(T x) {
  std::string text = fmt::format("{}", x);
  const bool is_whole = text.find_first_not_of("-0123456789") == text.npos;
  return is_whole ? text + ".0" : text;
}

/** The text in double quotes, with backslashes before what C++ wants them
before. */
inline std::string fmt_debug_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const unsigned char code = c;
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\r') {
      result += "\\r";
    } else if (c == '\t') {
      result += "\\t";
    } else if (code < 0x20 || code == 0x7f) {
      result += fmt::format("\\x{:02x}", code);
    } else {
      result += c;
    }
  }
  return result + "\"";
}

}  // namespace wyvern

/** Makes NAMESPACE::TYPE printable by fmt as the value of EXPR, in which ARG is
the object. TEMPLATE_ARGS are those of a class template, or empty. */
#define DRAKE_FORMATTER_AS(TEMPLATE_ARGS, NAMESPACE, TYPE, ARG, EXPR)         \
  template <TEMPLATE_ARGS>                                                    \
  struct fmt::formatter<NAMESPACE::TYPE>                                      \
      : fmt::formatter<std::decay_t<decltype([](const NAMESPACE::TYPE& ARG) { \
        return EXPR;                                                          \
      }(std::declval<const NAMESPACE::TYPE&>()))>> {                          \
    template <typename FormatContext>                                         \
    auto format(const NAMESPACE::TYPE& ARG, FormatContext& context) const {   \
      using Value = std::decay_t<decltype(EXPR)>;                             \
      return fmt::formatter<Value>::format(EXPR, context);                    \
    }                                                                         \
  };
