#include "wyvern/systems/common/check_argument.h"

#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::internal {
namespace {

// The sentence that all errors of arguments are: who, given, wanted, fix.
std::string Sentence(const Caller& who, std::string_view given,
                     std::string_view wanted, std::string_view fix) {
  const std::string caller = who.ToText();
  return fmt::format("{}{}{}; it must {}{}{}.", caller,
                     caller.empty() ? "" : ": ", given, wanted,
                     fix.empty() ? "" : "; ", fix);
}

[[noreturn]] void ThrowArgument(const Caller& who, std::string_view given,
                                std::string_view wanted, std::string_view fix) {
  const std::string sentence = Sentence(who, given, wanted, fix);
  if (who.is_of_results()) throw std::runtime_error(sentence);
  throw std::logic_error(sentence);
}

std::string_view WordsOf(Number wanted) {
  switch (wanted) {
    case Number::kNotNan:
      return "not be NaN";
    case Number::kFinite:
      return "be finite";
    case Number::kPositive:
      return "be positive and finite";
    case Number::kNonNegative:
      return "be 0 or more and finite";
  }
  return {};
}

}  // namespace

std::string Caller::ToText() const {
  std::string text(class_name_);
  if (!class_name_.empty()) text += "::";
  text += function_;
  if (!text.empty() && text.back() != ')') text += "()";
  if (kind_.empty()) return text;
  return fmt::format("{}{}{} '{}'", text, text.empty() ? "" : ": ", kind_,
                     name_);
}

void ThrowNumber(Number wanted, const Caller& who, std::string_view what,
                 double value, std::string_view fix, int64_t row, int64_t col,
                 bool is_vector) {
  const std::string entry = row < 0     ? std::string()
                            : is_vector ? fmt::format("[{}]", row)
                                        : fmt::format("({}, {})", row, col);
  ThrowArgument(who, fmt::format("{}{} is {}", what, entry, value),
                WordsOf(wanted), fix);
}

void ThrowOutOfRange(const Caller& who, std::string_view what, double given,
                     double low, double high, std::string_view fix) {
  ThrowArgument(who, fmt::format("{} is {}", what, given),
                fmt::format("be from {} to {}", low, high), fix);
}

void ThrowNotAtLeast(const Caller& who, std::string_view what, int64_t given,
                     int64_t least, int64_t most, std::string_view fix) {
  ThrowArgument(who, fmt::format("{} is {}", what, given),
                given < least ? fmt::format("be at least {}", least)
                              : fmt::format("be at most {}", most),
                fix);
}

void ThrowIndex(const Caller& who, std::string_view what, int64_t index,
                int64_t size, std::string_view fix) {
  throw std::out_of_range(
      Sentence(who, fmt::format("{} is {}", what, index),
               size > 0 ? fmt::format("be from 0 to {}", size - 1)
                        : std::string("not be asked for: there is none"),
               fix));
}

void ThrowSize(const Caller& who, std::string_view what, int64_t given,
               int64_t wanted, std::string_view fix) {
  ThrowArgument(who, fmt::format("{} has size {}", what, given),
                fmt::format("have size {}", wanted), fix);
}

void ThrowShape(const Caller& who, std::string_view what, int64_t rows,
                int64_t cols, int64_t wanted_rows, int64_t wanted_cols,
                std::string_view fix) {
  ThrowArgument(who, fmt::format("{} is {} x {}", what, rows, cols),
                fmt::format("be {} x {}", wanted_rows, wanted_cols), fix);
}

void ThrowNull(const Caller& who, std::string_view what, std::string_view fix) {
  ThrowArgument(who, fmt::format("{} is null", what), "be an object", fix);
}

void ThrowEmpty(const Caller& who, std::string_view what,
                std::string_view fix) {
  ThrowArgument(who, fmt::format("{} is empty", what), "not be", fix);
}

}  // namespace wyvern::internal
