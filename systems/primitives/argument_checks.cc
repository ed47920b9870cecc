#include "wyvern/systems/primitives/argument_checks.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace wyvern::systems::internal {
namespace {

// "[2]" in a column, "(2, 3)" in a matrix, nothing for a single number.
std::string EntryName(const Eigen::Ref<const Eigen::MatrixXd>& m, int i,
                      int j) {
  return m.cols() == 1 ? fmt::format("[{}]", i) : fmt::format("({}, {})", i, j);
}

template <typename Predicate>
void ThrowUnlessAll(std::string_view who, std::string_view what,
                    const Eigen::Ref<const Eigen::MatrixXd>& values,
                    std::string_view wanted, Predicate is_good) {
  for (int j = 0; j < values.cols(); ++j) {
    for (int i = 0; i < values.rows(); ++i) {
      if (is_good(values(i, j))) continue;
      throw std::logic_error(fmt::format(
          "{}: {}{} is {}; every entry must be "
          "{}.",
          who, what, EntryName(values, i, j), values(i, j), wanted));
    }
  }
}

}  // namespace

void ThrowUnlessFinite(std::string_view who, std::string_view what,
                       const Eigen::Ref<const Eigen::MatrixXd>& values) {
  ThrowUnlessAll(who, what, values, "finite",
                 [](double x) { return std::isfinite(x); });
}

void ThrowUnlessFinite(std::string_view who, std::string_view what,
                       double value) {
  if (std::isfinite(value)) return;
  throw std::logic_error(
      fmt::format("{}: {} is {}; it must be finite.", who, what, value));
}

double TheOneValue(std::string_view who, const Eigen::VectorXd& values,
                   std::string_view instead) {
  if (values.size() == 0 || (values.array() != values[0]).any()) {
    throw std::logic_error(fmt::format(
        "{}: [{}] is not one repeated number; use {}.", who,
        fmt::join(values.data(), values.data() + values.size(), ", "),
        instead));
  }
  return values[0];
}

void ThrowIfNan(std::string_view who, std::string_view what,
                const Eigen::Ref<const Eigen::MatrixXd>& values) {
  ThrowUnlessAll(who, what, values, "a number",
                 [](double x) { return !std::isnan(x); });
}

void ThrowUnlessSize(std::string_view who, std::string_view what, int given,
                     int wanted) {
  if (given == wanted) return;
  throw std::logic_error(
      fmt::format("{}: {} has size {}; it must have size "
                  "{}.",
                  who, what, given, wanted));
}

void ThrowUnlessShape(std::string_view who, std::string_view what,
                      const Eigen::Ref<const Eigen::MatrixXd>& given,
                      int wanted_rows, int wanted_cols) {
  if (given.rows() == wanted_rows && given.cols() == wanted_cols) return;
  throw std::logic_error(fmt::format("{}: {} is {}x{}; it must be {}x{}.", who,
                                     what, given.rows(), given.cols(),
                                     wanted_rows, wanted_cols));
}

void ThrowUnlessAtLeast(std::string_view who, std::string_view what,
                        int64_t given, int minimum) {
  constexpr int kMost = 100'000'000;
  if (given >= minimum && given <= kMost) return;
  throw std::logic_error(fmt::format(
      "{}: {} is {}; it must be at least {}{}.", who, what, given, minimum,
      given > kMost ? fmt::format(" and at most {}", kMost) : std::string()));
}

void ThrowUnlessPositive(std::string_view who, std::string_view what,
                         double seconds) {
  if (std::isfinite(seconds) && seconds > 0) return;
  throw std::logic_error(
      fmt::format("{}: {} is {}; it must be finite and greater than zero.", who,
                  what, seconds));
}

void ThrowUnlessNonNegative(std::string_view who, std::string_view what,
                            double seconds) {
  if (std::isfinite(seconds) && seconds >= 0) return;
  throw std::logic_error(fmt::format(
      "{}: {} is {}; it must be finite and not negative.", who, what, seconds));
}

}  // namespace wyvern::systems::internal
