#pragma once

/** @file
What DRAKE_DEMAND() and its kin throw. */

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace wyvern::drake_support {

/** "Arm::Move" of "void mine::Arm::Move(int) const [with T = double]", as GCC
and Clang describe a function: its name with its class and namespaces, without
results, arguments and the like. Of a lambda, that of the function it is in
comes first. */
inline std::string NameOfFunction(std::string_view description) {
  if (description.ends_with(']')) {
    description = description.substr(0, description.rfind(" ["));
  }
  const auto ends_with = [](const std::string& text, const char* end) {
    return std::string_view(text).ends_with(end);
  };
  std::string name;
  int depth = 0;  // In brackets, of which round ones are left out.
  bool has_arguments = false;
  for (std::size_t i = 0; i < description.size(); ++i) {
    const char c = description[i];
    const bool is_operator = ends_with(name, "operator");
    if (depth == 0 && c == ' ' && !is_operator) {
      if (has_arguments) break;
      name.clear();
    } else if (c == '(' && description.substr(i).starts_with("(anonymous ")) {
      const std::size_t end = description.find(')', i);
      name += description.substr(i, end + 1 - i);
      i = end;
    } else if (c == '(' && is_operator) {
      name += "()";
      ++i;
    } else if (c == '(') {
      int open = 1;
      while (open > 0 && ++i < description.size()) {
        open += description[i] == '(' ? 1 : description[i] == ')' ? -1 : 0;
      }
      has_arguments = depth == 0;
    } else {
      if (!is_operator) depth += c == '<' ? 1 : c == '>' ? -1 : 0;
      name += c;
    }
  }
  name.erase(0, name.find_first_not_of("&*"));
  return name.empty() ? std::string(description) : name;
}

/** Returns whether a condition holds. A symbolic formula with variables is
neither true nor false, and passes. */
template <typename Condition>
bool Holds(const Condition& condition) {
  if constexpr (requires { MayHold(condition); }) {
    return MayHold(condition);
  } else {
    return static_cast<bool>(condition);
  }
}

/** @throws std::logic_error naming the function, the condition, the place, and
the values of `names` if there are any. */
template <typename... Values>
[[noreturn]] void ThrowFailedCondition(const char* condition,
                                       const char* function, const char* file,
                                       int line, const char* names = "",
                                       const Values&... values) {
  std::string text;
  ((text += fmt::format("{}{}", text.empty() ? "" : ", ", values)), ...);
  throw std::logic_error(
      fmt::format("{}(): condition '{}' failed{}; {}:{} says what must hold.",
                  NameOfFunction(function), condition,
                  text.empty() ? "" : fmt::format(" with {} = {}", names, text),
                  file, line));
}

[[noreturn]] inline void ThrowUnreachable(const char* function,
                                          const char* file, int line) {
  throw std::logic_error(fmt::format(
      "{}(): a statement was reached that never should be; see {}:{}.",
      NameOfFunction(function), file, line));
}

}  // namespace wyvern::drake_support
