#pragma once

/** @file
What may be wrong with an argument, a verb for each, and the words for it.

A function that checks starts with Require and throws; one that starts with
Throw never returns. The message says who was called, what was given, what is
wanted, and, in `fix`, what to do where that does not follow:
@code
wyvern::internal::RequirePositive("Gain::set_k", "k", -2.0);
// Gain::set_k(): k is -2; it must be positive and finite.
wyvern::internal::RequireFinite(
    wyvern::internal::Caller("Joint::set_damping").Of("joint", "elbow"),
    "damping", Eigen::Vector3d(0, 1, 2));
// Joint::set_damping(): joint 'elbow': damping[2] is nan; it must be finite.
@endcode
Nothing is formatted, and nothing allocated, unless a check fails. This header
includes no other of the library and none of Eigen: each source can have it.
Matrices may be of double or AutoDiffXd; one whose entries must be worked out
first, as those of a product, is to be evaluated by the caller. */

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace wyvern::internal {

/** Subject with which a message begins. Views the texts it is made from. */
class Caller {
 public:
  /** A function as its users name it, without parentheses: "Gain" (for a
  constructor), "Gain::set_k", "Linearize". Where it already ends in ')', it
  stays as it is. */
  // NOLINTBEGIN(runtime/explicit): a name alone is a caller.
  Caller(const char* function) : function_(function) {}
  Caller(std::string_view function) : function_(function) {}
  Caller(const std::string& function) : function_(function) {}
  // NOLINTEND
  /** The function of a class. */
  Caller(std::string_view class_name, std::string_view function)
      : class_name_(class_name), function_(function) {}

  /** Returns this Caller working on one of many: "joint 'elbow': ". */
  Caller Of(std::string_view kind, std::string_view name) const {
    Caller result = *this;
    result.kind_ = kind;
    result.name_ = name;
    return result;
  }

  /** An element alone: "Joint 'elbow': ". */
  static Caller Element(std::string_view kind, std::string_view name) {
    return Caller("").Of(kind, name);
  }

  /** Returns this Caller for errors that come from computed numbers rather than
  misuse: it throws std::runtime_error. */
  Caller OfResults() const {
    Caller result = *this;
    result.is_of_results_ = true;
    return result;
  }
  bool is_of_results() const { return is_of_results_; }

  /** "Joint::set_damping(): joint 'elbow'"; the message goes on with a colon.
   */
  std::string ToText() const;

 private:
  std::string_view class_name_;
  std::string_view function_;
  std::string_view kind_;
  std::string_view name_;
  bool is_of_results_{false};
};

/** Requirement on a number, or on each number of a matrix. */
enum class Number { kNotNan, kFinite, kPositive, kNonNegative };

/** Whether a number is. Positive and non-negative numbers are finite. */
inline bool Meets(Number wanted, double x) {
  if (wanted == Number::kNotNan) return !std::isnan(x);
  if (!std::isfinite(x)) return false;
  return wanted == Number::kFinite || x > 0 ||
         (wanted == Number::kNonNegative && x == 0);
}

/** Throws what RequireNumber() does.
@param row, col the entry; both -1 of what is one number
@param is_vector whether the entry is named by its row alone: a[2], not a(2, 0)
*/
[[noreturn]] void ThrowNumber(Number wanted, const Caller& who,
                              std::string_view what, double value,
                              std::string_view fix, int64_t row = -1,
                              int64_t col = -1, bool is_vector = false);

/** The number in a scalar, without derivatives. An expression in variables is
taken for 1, which meets every wish: its number is not known yet. */
template <typename T>
double NumberIn(const T& scalar) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(scalar);
  } else if constexpr (requires { scalar.value(); }) {
    return scalar.value();
  } else {
    return KnownNumberOr(scalar, 1.0);
  }
}

/** Whether a comparison of scalars may be true: one of expressions in variables
may. */
inline bool MayHold(bool comparison) { return comparison; }

/** Whether all numbers of a matrix are finite. Of doubles they are seen in one
sum, as 0 times infinity or NaN is NaN. */
template <typename Matrix>
bool AllFinite(const Matrix& matrix) {
  if constexpr (std::is_same_v<typename Matrix::Scalar, double>) {
    return (0.0 * matrix).sum() == 0;
  } else {
    for (int64_t j = 0; j < matrix.cols(); ++j) {
      for (int64_t i = 0; i < matrix.rows(); ++i) {
        if (!std::isfinite(NumberIn(matrix.coeff(i, j)))) return false;
      }
    }
    return true;
  }
}

/** Returns what is given. @throws std::logic_error unless the number, or each
of a matrix or a list, is as wanted; it names the first that is not. */
template <typename Value>
const Value& RequireNumber(Number wanted, const Caller& who,
                           std::string_view what, const Value& given,
                           std::string_view fix = {}) {
  if constexpr (requires { given.coeff(0, 0); }) {
    if constexpr (std::is_same_v<typename Value::Scalar, double>) {
      if (wanted == Number::kFinite && AllFinite(given)) return given;
    }
    for (int64_t j = 0; j < given.cols(); ++j) {
      for (int64_t i = 0; i < given.rows(); ++i) {
        const double x = NumberIn(given.coeff(i, j));
        if (Meets(wanted, x)) continue;
        ThrowNumber(wanted, who, what, x, fix, i, j, given.cols() == 1);
      }
    }
  } else if constexpr (requires { given.begin(); }) {
    int64_t i = 0;
    for (const auto& element : given) {
      const double x = NumberIn(element);
      if (!Meets(wanted, x)) ThrowNumber(wanted, who, what, x, fix, i, 0, true);
      ++i;
    }
  } else {
    const double x = NumberIn(given);
    if (!Meets(wanted, x)) ThrowNumber(wanted, who, what, x, fix);
  }
  return given;
}

/** Requires a number, a matrix or a list of numbers without infinity or NaN. */
template <typename Value>
const Value& RequireFinite(const Caller& who, std::string_view what,
                           const Value& given, std::string_view fix = {}) {
  return RequireNumber(Number::kFinite, who, what, given, fix);
}

/** Requires a number, a matrix or a list of numbers without NaN; infinity is
allowed. */
template <typename Value>
const Value& RequireNotNan(const Caller& who, std::string_view what,
                           const Value& given, std::string_view fix = {}) {
  return RequireNumber(Number::kNotNan, who, what, given, fix);
}

/** Requires a number, a matrix or a list of numbers above 0 and finite. */
template <typename Value>
const Value& RequirePositive(const Caller& who, std::string_view what,
                             const Value& given, std::string_view fix = {}) {
  return RequireNumber(Number::kPositive, who, what, given, fix);
}

/** Requires a number, a matrix or a list of numbers that are 0 or more and
finite. */
template <typename Value>
const Value& RequireNonNegative(const Caller& who, std::string_view what,
                                const Value& given, std::string_view fix = {}) {
  return RequireNumber(Number::kNonNegative, who, what, given, fix);
}

/** @name What the checks below throw
They are calls of their own, so that a check that holds is a comparison where it
stands.
@{ */
[[noreturn]] void ThrowOutOfRange(const Caller& who, std::string_view what,
                                  double given, double low, double high,
                                  std::string_view fix);
[[noreturn]] void ThrowNotAtLeast(const Caller& who, std::string_view what,
                                  int64_t given, int64_t least, int64_t most,
                                  std::string_view fix);
[[noreturn]] void ThrowIndex(const Caller& who, std::string_view what,
                             int64_t index, int64_t size, std::string_view fix);
[[noreturn]] void ThrowSize(const Caller& who, std::string_view what,
                            int64_t given, int64_t wanted,
                            std::string_view fix);
[[noreturn]] void ThrowShape(const Caller& who, std::string_view what,
                             int64_t rows, int64_t cols, int64_t wanted_rows,
                             int64_t wanted_cols, std::string_view fix);
[[noreturn]] void ThrowNull(const Caller& who, std::string_view what,
                            std::string_view fix);
[[noreturn]] void ThrowEmpty(const Caller& who, std::string_view what,
                             std::string_view fix);
/** @} */

/** @throws std::logic_error unless low <= given <= high. NaN is not. */
inline void RequireInRange(const Caller& who, std::string_view what,
                           double given, double low, double high,
                           std::string_view fix = {}) {
  if (low <= given && given <= high) return;
  ThrowOutOfRange(who, what, given, low, high, fix);
}

/** Requires a count of `least` or more and at most 1e8, the most that fits in
memory. @throws std::logic_error */
inline void RequireAtLeast(const Caller& who, std::string_view what,
                           int64_t given, int64_t least,
                           std::string_view fix = {}) {
  constexpr int64_t kMost = 100'000'000;
  if (given >= least && given <= kMost) return;
  ThrowNotAtLeast(who, what, given, least, kMost, fix);
}

/** @throws std::out_of_range, a std::logic_error, unless 0 <= index < size. */
inline void RequireIndex(const Caller& who, std::string_view what,
                         int64_t index, int64_t size,
                         std::string_view fix = {}) {
  if (index < 0 || index >= size) ThrowIndex(who, what, index, size, fix);
}

/** @throws std::logic_error with both sizes if they differ. */
inline void RequireSize(const Caller& who, std::string_view what, int64_t given,
                        int64_t wanted, std::string_view fix = {}) {
  if (given != wanted) ThrowSize(who, what, given, wanted, fix);
}

/** @throws std::logic_error with both shapes if they differ. */
inline void RequireShape(const Caller& who, std::string_view what, int64_t rows,
                         int64_t cols, int64_t wanted_rows, int64_t wanted_cols,
                         std::string_view fix = {}) {
  if (rows == wanted_rows && cols == wanted_cols) return;
  ThrowShape(who, what, rows, cols, wanted_rows, wanted_cols, fix);
}

/** Overload for a type with rows() and cols(). */
template <typename Matrix>
void RequireShape(const Caller& who, std::string_view what, const Matrix& given,
                  int64_t wanted_rows, int64_t wanted_cols) {
  RequireShape(who, what, given.rows(), given.cols(), wanted_rows, wanted_cols);
}

/** The pointer given, of any kind. @throws std::logic_error if it is null. */
template <typename Pointer>
Pointer&& RequireNotNull(const Caller& who, std::string_view what,
                         Pointer&& given, std::string_view fix = {}) {
  if (given == nullptr) ThrowNull(who, what, fix);
  return std::forward<Pointer>(given);
}

/** @throws std::logic_error if a list or a name is empty, or a function is none
that can be called. */
inline void RequireNotEmpty(const Caller& who, std::string_view what,
                            bool is_empty, std::string_view fix = {}) {
  if (is_empty) ThrowEmpty(who, what, fix);
}

}  // namespace wyvern::internal
