#include "python/bindings/docstrings.h"

#include <algorithm>
#include <deque>
#include <string_view>

namespace wyvern::python {

namespace {

// A comment of a header. Parameters are in a text of their own, each as
// "\x01<name>\x02<text>".
struct HeaderComment {
  // "Context.SetTime"
  std::string_view key;
  // ",context,time_sec,"
  std::string_view arguments;
  std::string_view text;
  std::string_view parameters;
};

// Sorted by key; overloads are in the order of the header.
constexpr HeaderComment kComments[] = {
#include "header_comments.inc"
    // So that the table is never empty; no key is less.
    {"~", "", "", ""},
};
constexpr auto kEnd = std::end(kComments) - 1;

bool HasArgument(const HeaderComment& comment, std::string_view name) {
  const std::string wanted = "," + std::string(name) + ",";
  return comment.arguments.find(wanted) != std::string_view::npos;
}

// The overload that has most of the arguments; the first of equals.
const HeaderComment* Find(const std::string& key,
                          std::span<const char* const> arguments) {
  const HeaderComment* best{};
  auto best_count = -1L;
  auto it = std::lower_bound(
      std::begin(kComments), kEnd, key,
      [](const HeaderComment& c, const std::string& k) { return c.key < k; });
  for (; it != kEnd && it->key == key; ++it) {
    const auto count =
        std::count_if(arguments.begin(), arguments.end(),
                      [&](const char* name) { return HasArgument(*it, name); });
    if (count > best_count) {
      best = it;
      best_count = count;
    }
  }
  return best;
}

// The parameters that Python has, one on a line.
std::string ParametersOf(const HeaderComment& comment,
                         std::span<const char* const> arguments) {
  std::string result;
  std::string_view rest = comment.parameters;
  while (!rest.empty()) {
    const size_t middle = rest.find('\x02');
    const size_t end = std::min(rest.find('\x01', 1), rest.size());
    const std::string_view name = rest.substr(1, middle - 1);
    if (std::find(arguments.begin(), arguments.end(), name) !=
        arguments.end()) {
      result += "\n" + std::string(name) + ": " +
                std::string(rest.substr(middle + 1, end - middle - 1));
    }
    rest.remove_prefix(end);
  }
  return result.empty() ? result : "\n" + result;
}

}  // namespace

const char* Docstring(const std::string& class_name, const char* member,
                      std::span<const char* const> arguments,
                      const char* text) {
  std::string result = text != nullptr ? text : "";
  const std::string key =
      *member == '\0' ? class_name : class_name + "." + member;
  if (const HeaderComment* found = Find(key, arguments)) {
    // The header says more about a class than the bindings do.
    if (*member == '\0') result.clear();
    if (!result.empty()) result += "\n\n";
    result += found->text;
    result += ParametersOf(*found, arguments);
  }
  // Elements of a deque stay where they are.
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(result)).c_str();
}

int CountHeaderComments() {
  return static_cast<int>(kEnd - std::begin(kComments));
}

}  // namespace wyvern::python
