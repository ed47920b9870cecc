#pragma once

#include <cmath>
#include <compare>
#include <limits>
#include <ostream>
#include <type_traits>
#include <utility>

#include <Eigen/Core>

#include "wyvern/systems/common/autodiff_derivatives.h"
#include "wyvern/systems/common/stream_formatter.h"

namespace wyvern {

class AutoDiffXd;
/** AutoDiffXd or a reference to one. */
template <typename A>
concept AutoDiff = std::is_same_v<std::remove_cvref_t<A>, AutoDiffXd>;

/** A number that carries its derivatives with respect to some variables.

Forward-mode differentiation: each operation applies the chain rule at once. A
number without derivatives (their size is 0) is a constant and mixes with
numbers of any number of variables. Comparisons are of the values alone.
Up to AutoDiffDerivatives::kInlineSize derivatives cost no heap allocation, more
of them none once as many numbers were in use at once.

Every function of it is found by argument-dependent look-up: write
`using std::sin;` and then `sin(x)`. */
class AutoDiffXd {
 public:
  /** The type of the value. */
  using Scalar = double;
  /** The type of the derivatives. */
  using DerType = AutoDiffDerivatives;

  /** The constant 0. */
  AutoDiffXd() = default;
  /** A constant. */
  AutoDiffXd(double value) : value_(value) {}  // NOLINT(runtime/explicit)
  /** Variable number `i` of `n`: its derivatives are the unit vector e_i. */
  AutoDiffXd(double value, Eigen::Index n, Eigen::Index i)
      : value_(value), derivatives_(n) {
    derivatives_[i] = 1;
  }
  /** From its derivatives: any expression of a vector. */
  template <typename Derived>
  AutoDiffXd(double value, const Eigen::MatrixBase<Derived>& derivatives)
      : value_(value), derivatives_(derivatives) {}

  /** The value. */
  double value() const { return value_; }
  /** The value, to be changed; the derivatives stay. */
  double& value() { return value_; }
  /** The derivatives, empty for a constant. */
  const AutoDiffDerivatives& derivatives() const { return derivatives_; }
  /** The derivatives, to be changed. */
  AutoDiffDerivatives& derivatives() { return derivatives_; }

  /** The opposite. */
  template <AutoDiff A>
  friend AutoDiffXd operator-(A&& x) {
    return Scaled<A>(x, -x.value_, -1);
  }

  /** Adds a number; derivatives add up.
  @throws std::logic_error if both have derivatives, of unequal number; so
  does every function of two numbers. */
  AutoDiffXd& operator+=(const AutoDiffXd& b) {
    Combine(value_ + b.value_, 1, 1, b);
    return *this;
  }
  /** Subtracts a number. */
  AutoDiffXd& operator-=(const AutoDiffXd& b) {
    Combine(value_ - b.value_, 1, -1, b);
    return *this;
  }
  /** Multiplies by a number. */
  AutoDiffXd& operator*=(const AutoDiffXd& b) {
    Combine(value_ * b.value_, b.value_, value_, b);
    return *this;
  }
  /** Divides by a number. */
  AutoDiffXd& operator/=(const AutoDiffXd& b) {
    const double inverse = 1 / b.value_, ratio = value_ / b.value_;
    Combine(ratio, inverse, -ratio * inverse, b);
    return *this;
  }
  /** Adds a constant. */
  AutoDiffXd& operator+=(double b) {
    value_ += b;
    return *this;
  }
  /** Subtracts a constant. */
  AutoDiffXd& operator-=(double b) {
    value_ -= b;
    return *this;
  }
  /** Multiplies by a constant. */
  AutoDiffXd& operator*=(double b) {
    value_ *= b;
    derivatives_.ScaleBy(b);
    return *this;
  }
  /** Divides by a constant. */
  AutoDiffXd& operator/=(double b) {
    value_ /= b;
    derivatives_.ScaleBy(1 / b);
    return *this;
  }

  friend AutoDiffXd operator+(AutoDiffXd a) { return a; }
  // A temporary operand whose derivatives are on the heap gives them to the
  // result; else the result is made anew, in one pass.
  friend AutoDiffXd operator+(const AutoDiffXd& a, const AutoDiffXd& b) {
    return Combined(a.value_ + b.value_, 1, a, 1, b);
  }
  friend AutoDiffXd operator+(AutoDiffXd&& a, const AutoDiffXd& b) {
    return Combined(a.value_ + b.value_, 1, std::move(a), 1, b);
  }
  friend AutoDiffXd operator+(const AutoDiffXd& a, AutoDiffXd&& b) {
    return Combined(a.value_ + b.value_, 1, a, 1, std::move(b));
  }
  friend AutoDiffXd operator+(AutoDiffXd&& a, AutoDiffXd&& b) {
    return Combined(a.value_ + b.value_, 1, std::move(a), 1, b);
  }
  friend AutoDiffXd operator+(AutoDiffXd a, double b) {
    a += b;
    return a;
  }
  friend AutoDiffXd operator+(double a, AutoDiffXd b) {
    b += a;
    return b;
  }
  friend AutoDiffXd operator-(const AutoDiffXd& a, const AutoDiffXd& b) {
    return Combined(a.value_ - b.value_, 1, a, -1, b);
  }
  friend AutoDiffXd operator-(AutoDiffXd&& a, const AutoDiffXd& b) {
    return Combined(a.value_ - b.value_, 1, std::move(a), -1, b);
  }
  friend AutoDiffXd operator-(const AutoDiffXd& a, AutoDiffXd&& b) {
    return Combined(a.value_ - b.value_, 1, a, -1, std::move(b));
  }
  friend AutoDiffXd operator-(AutoDiffXd&& a, AutoDiffXd&& b) {
    return Combined(a.value_ - b.value_, 1, std::move(a), -1, b);
  }
  friend AutoDiffXd operator-(AutoDiffXd a, double b) {
    a -= b;
    return a;
  }
  friend AutoDiffXd operator-(double a, const AutoDiffXd& b) {
    return Scaled<const AutoDiffXd&>(b, a - b.value_, -1);
  }
  friend AutoDiffXd operator-(double a, AutoDiffXd&& b) {
    return Scaled<AutoDiffXd>(b, a - b.value_, -1);
  }
  friend AutoDiffXd operator*(const AutoDiffXd& a, const AutoDiffXd& b) {
    return Combined(a.value_ * b.value_, b.value_, a, a.value_, b);
  }
  friend AutoDiffXd operator*(AutoDiffXd&& a, const AutoDiffXd& b) {
    return Combined(a.value_ * b.value_, b.value_, std::move(a), a.value_, b);
  }
  friend AutoDiffXd operator*(const AutoDiffXd& a, AutoDiffXd&& b) {
    return Combined(a.value_ * b.value_, b.value_, a, a.value_, std::move(b));
  }
  friend AutoDiffXd operator*(AutoDiffXd&& a, AutoDiffXd&& b) {
    return Combined(a.value_ * b.value_, b.value_, std::move(a), a.value_, b);
  }
  friend AutoDiffXd operator*(const AutoDiffXd& a, double b) {
    return Scaled<const AutoDiffXd&>(a, a.value_ * b, b);
  }
  friend AutoDiffXd operator*(AutoDiffXd&& a, double b) {
    return Scaled<AutoDiffXd>(a, a.value_ * b, b);
  }
  friend AutoDiffXd operator*(double a, const AutoDiffXd& b) { return b * a; }
  friend AutoDiffXd operator*(double a, AutoDiffXd&& b) {
    return std::move(b) * a;
  }
  friend AutoDiffXd operator/(const AutoDiffXd& a, const AutoDiffXd& b) {
    const double inverse = 1 / b.value_, ratio = a.value_ / b.value_;
    return Combined(ratio, inverse, a, -ratio * inverse, b);
  }
  friend AutoDiffXd operator/(AutoDiffXd&& a, const AutoDiffXd& b) {
    const double inverse = 1 / b.value_, ratio = a.value_ / b.value_;
    return Combined(ratio, inverse, std::move(a), -ratio * inverse, b);
  }
  friend AutoDiffXd operator/(const AutoDiffXd& a, AutoDiffXd&& b) {
    const double inverse = 1 / b.value_, ratio = a.value_ / b.value_;
    return Combined(ratio, inverse, a, -ratio * inverse, std::move(b));
  }
  friend AutoDiffXd operator/(AutoDiffXd&& a, AutoDiffXd&& b) {
    const double inverse = 1 / b.value_, ratio = a.value_ / b.value_;
    return Combined(ratio, inverse, std::move(a), -ratio * inverse, b);
  }
  friend AutoDiffXd operator/(const AutoDiffXd& a, double b) {
    return Scaled<const AutoDiffXd&>(a, a.value_ / b, 1 / b);
  }
  friend AutoDiffXd operator/(AutoDiffXd&& a, double b) {
    return Scaled<AutoDiffXd>(a, a.value_ / b, 1 / b);
  }
  friend AutoDiffXd operator/(double a, const AutoDiffXd& b) {
    const double ratio = a / b.value_;
    return Scaled<const AutoDiffXd&>(b, ratio, -ratio / b.value_);
  }
  friend AutoDiffXd operator/(double a, AutoDiffXd&& b) {
    const double ratio = a / b.value_;
    return Scaled<AutoDiffXd>(b, ratio, -ratio / b.value_);
  }

  friend bool operator==(const AutoDiffXd& a, const AutoDiffXd& b) {
    return a.value_ == b.value_;
  }
  friend bool operator==(const AutoDiffXd& a, double b) {
    return a.value_ == b;
  }
  friend std::partial_ordering operator<=>(const AutoDiffXd& a,
                                           const AutoDiffXd& b) {
    return a.value_ <=> b.value_;
  }
  friend std::partial_ordering operator<=>(const AutoDiffXd& a, double b) {
    return a.value_ <=> b;
  }

  /** Square root; its derivatives are infinite or NaN at 0. */
  template <AutoDiff A>
  friend AutoDiffXd sqrt(A&& x) {
    const double root = std::sqrt(x.value_);
    return Scaled<A>(x, root, 0.5 / root);
  }
  /** Exponential function. */
  template <AutoDiff A>
  friend AutoDiffXd exp(A&& x) {
    const double e = std::exp(x.value_);
    return Scaled<A>(x, e, e);
  }
  /** Natural logarithm. */
  template <AutoDiff A>
  friend AutoDiffXd log(A&& x) {
    return Scaled<A>(x, std::log(x.value_), 1 / x.value_);
  }
  /** Sine of an angle [rad]. */
  template <AutoDiff A>
  friend AutoDiffXd sin(A&& x) {
    return Scaled<A>(x, std::sin(x.value_), std::cos(x.value_));
  }
  /** Cosine of an angle [rad]. */
  template <AutoDiff A>
  friend AutoDiffXd cos(A&& x) {
    return Scaled<A>(x, std::cos(x.value_), -std::sin(x.value_));
  }
  /** Tangent of an angle [rad]. */
  template <AutoDiff A>
  friend AutoDiffXd tan(A&& x) {
    const double t = std::tan(x.value_);
    return Scaled<A>(x, t, 1 + t * t);
  }
  /** Angle [rad] of a sine. */
  template <AutoDiff A>
  friend AutoDiffXd asin(A&& x) {
    const double v = x.value_;
    return Scaled<A>(x, std::asin(v), 1 / std::sqrt((1 - v) * (1 + v)));
  }
  /** Angle [rad] of a cosine. */
  template <AutoDiff A>
  friend AutoDiffXd acos(A&& x) {
    const double v = x.value_;
    return Scaled<A>(x, std::acos(v), -1 / std::sqrt((1 - v) * (1 + v)));
  }
  /** Angle [rad] of a tangent. */
  template <AutoDiff A>
  friend AutoDiffXd atan(A&& x) {
    const double v = x.value_;
    return Scaled<A>(x, std::atan(v), 1 / (1 + v * v));
  }
  /** Hyperbolic sine. */
  template <AutoDiff A>
  friend AutoDiffXd sinh(A&& x) {
    return Scaled<A>(x, std::sinh(x.value_), std::cosh(x.value_));
  }
  /** Hyperbolic cosine. */
  template <AutoDiff A>
  friend AutoDiffXd cosh(A&& x) {
    return Scaled<A>(x, std::cosh(x.value_), std::sinh(x.value_));
  }
  /** Hyperbolic tangent. */
  template <AutoDiff A>
  friend AutoDiffXd tanh(A&& x) {
    const double t = std::tanh(x.value_);
    return Scaled<A>(x, t, (1 - t) * (1 + t));
  }
  /** At 0 the derivative is that on the right. */
  template <AutoDiff A>
  friend AutoDiffXd abs(A&& x) {
    return Scaled<A>(x, std::abs(x.value_), x.value_ < 0 ? -1 : 1);
  }
  /** The square. */
  template <AutoDiff A>
  friend AutoDiffXd abs2(A&& x) {
    return Scaled<A>(x, x.value_ * x.value_, 2 * x.value_);
  }
  friend AutoDiffXd atan2(AutoDiffXd y, const AutoDiffXd& x) {
    const double yv = y.value_, xv = x.value_, r2 = xv * xv + yv * yv;
    y.Combine(std::atan2(yv, xv), xv / r2, -yv / r2, x);
    return y;
  }
  /** `base` to a constant power. */
  template <AutoDiff A>
  friend AutoDiffXd pow(A&& base, double exponent) {
    const double slope =
        exponent == 0 ? 0 : exponent * std::pow(base.value_, exponent - 1);
    return Scaled<A>(base, std::pow(base.value_, exponent), slope);
  }
  /** `base` to a power that may vary: then base must be positive for its
  derivatives to be finite. */
  friend AutoDiffXd pow(AutoDiffXd base, const AutoDiffXd& exponent) {
    const double b = base.value_, e = exponent.value_, p = std::pow(b, e);
    if (exponent.derivatives_.size() == 0) return pow(std::move(base), e);
    const double slope = e == 0 ? 0 : e * std::pow(b, e - 1);
    base.Combine(p, slope, p * std::log(b), exponent);
    return base;
  }
  /** Returns the argument with the least value. If the values are equal, it is
  the first argument, unless only the second has derivatives. */
  friend AutoDiffXd min(const AutoDiffXd& a, const AutoDiffXd& b) {
    return b.value_ < a.value_ || IsOnlySecondVarying(a, b) ? b : a;
  }
  /** Returns the argument with the greatest value; ties are resolved
  likewise. */
  friend AutoDiffXd max(const AutoDiffXd& a, const AutoDiffXd& b) {
    return a.value_ < b.value_ || IsOnlySecondVarying(a, b) ? b : a;
  }
  /** |a| with the sign of b's value. */
  friend AutoDiffXd copysign(const AutoDiffXd& a, const AutoDiffXd& b) {
    return std::signbit(a.value_) == std::signbit(b.value_) ? a : -a;
  }

  // Piecewise constant: no derivatives.
  friend double floor(const AutoDiffXd& x) { return std::floor(x.value_); }
  friend double ceil(const AutoDiffXd& x) { return std::ceil(x.value_); }
  friend double round(const AutoDiffXd& x) { return std::round(x.value_); }

  friend bool isfinite(const AutoDiffXd& x) { return std::isfinite(x.value_); }
  friend bool isinf(const AutoDiffXd& x) { return std::isinf(x.value_); }
  friend bool isnan(const AutoDiffXd& x) { return std::isnan(x.value_); }
  friend bool signbit(const AutoDiffXd& x) { return std::signbit(x.value_); }

  /** Prints the value. */
  friend std::ostream& operator<<(std::ostream& out, const AutoDiffXd& x) {
    return out << x.value_;
  }

 private:
  static bool IsOnlySecondVarying(const AutoDiffXd& a, const AutoDiffXd& b) {
    return a.value_ == b.value_ && a.derivatives_.size() == 0 &&
           b.derivatives_.size() > 0;
  }
  AutoDiffXd(double value, double c, const AutoDiffDerivatives& a)
      : value_(value), derivatives_(c, a) {}
  AutoDiffXd(double value, double c, const AutoDiffDerivatives& a, double d,
             const AutoDiffDerivatives& b)
      : value_(value), derivatives_(c, a, d, b) {}

  // The number `value` with derivatives c a' + d b'.
  static AutoDiffXd Combined(double value, double c, const AutoDiffXd& a,
                             double d, const AutoDiffXd& b);
  static AutoDiffXd Combined(double value, double c, AutoDiffXd&& a, double d,
                             const AutoDiffXd& b);
  static AutoDiffXd Combined(double value, double c, const AutoDiffXd& a,
                             double d, AutoDiffXd&& b) {
    return Combined(value, d, std::move(b), c, a);
  }
  // A function's result: its value, and its slope times the derivatives of x.
  // Where the slope is infinite (the root of 0) a derivative of 0 stays 0.
  template <typename A>
  static AutoDiffXd Scaled(std::remove_reference_t<A>& x, double value,
                           double slope) {
    if constexpr (std::is_same_v<A, AutoDiffXd>) {
      return ScaledInPlace(&x, value, slope);
    } else {
      return ScaledCopy(x, value, slope);
    }
  }
  static AutoDiffXd ScaledCopy(const AutoDiffXd& x, double value, double slope);
  // Takes x's derivatives if they are on the heap.
  static AutoDiffXd ScaledInPlace(AutoDiffXd* x, double value, double slope);

  // In place: derivatives c times these + d b'.
  void Combine(double value, double c, double d, const AutoDiffXd& b);
  void Scale(double slope);
  void KeepZeros(const AutoDiffXd& old);
  void RequireSameSize(const AutoDiffXd& b) const;

  double value_{0};
  AutoDiffDerivatives derivatives_;
};

}  // namespace wyvern

template <>
class std::numeric_limits<wyvern::AutoDiffXd>
    : public std::numeric_limits<double> {};

// Type traits required by Eigen.
template <>
struct Eigen::NumTraits<wyvern::AutoDiffXd> : Eigen::NumTraits<double> {
  using Real = wyvern::AutoDiffXd;
  using NonInteger = wyvern::AutoDiffXd;
  using Nested = wyvern::AutoDiffXd;
  enum {
    RequireInitialization = 1,
    ReadCost = 10,
    AddCost = 20,
    MulCost = 30,
  };
};
template <typename BinaryOp>
struct Eigen::ScalarBinaryOpTraits<wyvern::AutoDiffXd, double, BinaryOp> {
  using ReturnType = wyvern::AutoDiffXd;
};
template <typename BinaryOp>
struct Eigen::ScalarBinaryOpTraits<double, wyvern::AutoDiffXd, BinaryOp> {
  using ReturnType = wyvern::AutoDiffXd;
};

/// @cond  Doxygen does not see what it specializes.
template <>
struct fmt::formatter<wyvern::AutoDiffXd> : wyvern::StreamFormatter {};
/// @endcond
