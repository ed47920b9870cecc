#pragma once

#include <cmath>
#include <compare>
#include <limits>
#include <ostream>
#include <utility>

#include <Eigen/Core>

namespace wyvern {

/** A number that carries its derivatives with respect to some variables.

Forward-mode differentiation: each operation applies the chain rule at once. A
number without derivatives (their size is 0) is a constant and mixes with
numbers of any number of variables. Comparisons are of the values alone.

Every function of it is found by argument-dependent look-up: write
`using std::sin;` and then `sin(x)`. */
class AutoDiffXd {
 public:
  using Scalar = double;
  using DerType = Eigen::VectorXd;

  /** The constant 0. */
  AutoDiffXd() = default;
  /** A constant. */
  AutoDiffXd(double value) : value_(value) {}  // NOLINT(runtime/explicit)
  /** Variable number `i` of `n`: its derivatives are the unit vector e_i. */
  AutoDiffXd(double value, Eigen::Index n, Eigen::Index i)
      : value_(value), derivatives_(Eigen::VectorXd::Unit(n, i)) {}
  /** From its derivatives: any expression of a vector. */
  template <typename Derived>
  AutoDiffXd(double value, const Eigen::MatrixBase<Derived>& derivatives)
      : value_(value), derivatives_(derivatives) {}

  double value() const { return value_; }
  double& value() { return value_; }
  const Eigen::VectorXd& derivatives() const { return derivatives_; }
  Eigen::VectorXd& derivatives() { return derivatives_; }

  AutoDiffXd operator-() const& { return AutoDiffXd(-value_, -derivatives_); }
  AutoDiffXd operator-() && {
    value_ = -value_;
    derivatives_ = -derivatives_;
    return std::move(*this);
  }

  /** @throws std::logic_error if both have derivatives, of unequal number; so
  does every function of two numbers. */
  AutoDiffXd& operator+=(const AutoDiffXd& b) {
    AddDerivatives(1, b);
    value_ += b.value_;
    return *this;
  }
  AutoDiffXd& operator-=(const AutoDiffXd& b) {
    AddDerivatives(-1, b);
    value_ -= b.value_;
    return *this;
  }
  AutoDiffXd& operator*=(const AutoDiffXd& b) {
    const double a_value = value_, b_value = b.value_;
    CombineDerivatives(b_value, a_value, b);
    value_ = a_value * b_value;
    return *this;
  }
  AutoDiffXd& operator/=(const AutoDiffXd& b) {
    const double b_value = b.value_, ratio = value_ / b_value;
    CombineDerivatives(1 / b_value, -ratio / b_value, b);
    value_ = ratio;
    return *this;
  }
  AutoDiffXd& operator+=(double b) {
    value_ += b;
    return *this;
  }
  AutoDiffXd& operator-=(double b) {
    value_ -= b;
    return *this;
  }
  AutoDiffXd& operator*=(double b) {
    value_ *= b;
    derivatives_ *= b;
    return *this;
  }
  AutoDiffXd& operator/=(double b) {
    value_ /= b;
    derivatives_ /= b;
    return *this;
  }

  // The left operand is taken by value, and a temporary on the right has an
  // overload, so that a chain of operations keeps one vector.
  friend AutoDiffXd operator+(AutoDiffXd a, const AutoDiffXd& b) {
    a += b;
    return a;
  }
  friend AutoDiffXd operator+(const AutoDiffXd& a, AutoDiffXd&& b) {
    b += a;
    return std::move(b);
  }
  friend AutoDiffXd operator+(AutoDiffXd a, double b) {
    a += b;
    return a;
  }
  friend AutoDiffXd operator+(double a, AutoDiffXd b) {
    b += a;
    return b;
  }
  friend AutoDiffXd operator-(AutoDiffXd a, const AutoDiffXd& b) {
    a -= b;
    return a;
  }
  friend AutoDiffXd operator-(const AutoDiffXd& a, AutoDiffXd&& b) {
    b.CombineDerivatives(-1, 1, a);
    b.value_ = a.value_ - b.value_;
    return std::move(b);
  }
  friend AutoDiffXd operator-(AutoDiffXd a, double b) {
    a -= b;
    return a;
  }
  friend AutoDiffXd operator-(double a, AutoDiffXd b) {
    return b.Become(a - b.value_, -1);
  }
  friend AutoDiffXd operator*(AutoDiffXd a, const AutoDiffXd& b) {
    a *= b;
    return a;
  }
  friend AutoDiffXd operator*(const AutoDiffXd& a, AutoDiffXd&& b) {
    b *= a;
    return std::move(b);
  }
  friend AutoDiffXd operator*(AutoDiffXd a, double b) {
    a *= b;
    return a;
  }
  friend AutoDiffXd operator*(double a, AutoDiffXd b) {
    b *= a;
    return b;
  }
  friend AutoDiffXd operator/(AutoDiffXd a, const AutoDiffXd& b) {
    a /= b;
    return a;
  }
  friend AutoDiffXd operator/(AutoDiffXd a, double b) {
    a /= b;
    return a;
  }
  friend AutoDiffXd operator/(double a, AutoDiffXd b) {
    const double ratio = a / b.value_;
    return b.Become(ratio, -ratio / b.value_);
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

  friend AutoDiffXd sqrt(AutoDiffXd x) {
    const double root = std::sqrt(x.value_);
    return x.Become(root, 0.5 / root);
  }
  friend AutoDiffXd exp(AutoDiffXd x) {
    const double e = std::exp(x.value_);
    return x.Become(e, e);
  }
  friend AutoDiffXd log(AutoDiffXd x) {
    return x.Become(std::log(x.value_), 1 / x.value_);
  }
  friend AutoDiffXd sin(AutoDiffXd x) {
    return x.Become(std::sin(x.value_), std::cos(x.value_));
  }
  friend AutoDiffXd cos(AutoDiffXd x) {
    return x.Become(std::cos(x.value_), -std::sin(x.value_));
  }
  friend AutoDiffXd tan(AutoDiffXd x) {
    const double t = std::tan(x.value_);
    return x.Become(t, 1 + t * t);
  }
  friend AutoDiffXd asin(AutoDiffXd x) {
    const double v = x.value_;
    return x.Become(std::asin(v), 1 / std::sqrt((1 - v) * (1 + v)));
  }
  friend AutoDiffXd acos(AutoDiffXd x) {
    const double v = x.value_;
    return x.Become(std::acos(v), -1 / std::sqrt((1 - v) * (1 + v)));
  }
  friend AutoDiffXd atan(AutoDiffXd x) {
    const double v = x.value_;
    return x.Become(std::atan(v), 1 / (1 + v * v));
  }
  friend AutoDiffXd sinh(AutoDiffXd x) {
    return x.Become(std::sinh(x.value_), std::cosh(x.value_));
  }
  friend AutoDiffXd cosh(AutoDiffXd x) {
    return x.Become(std::cosh(x.value_), std::sinh(x.value_));
  }
  friend AutoDiffXd tanh(AutoDiffXd x) {
    const double t = std::tanh(x.value_);
    return x.Become(t, (1 - t) * (1 + t));
  }
  /** At 0 the derivative is that on the right. */
  friend AutoDiffXd abs(AutoDiffXd x) {
    return x.Become(std::abs(x.value_), x.value_ < 0 ? -1 : 1);
  }
  friend AutoDiffXd abs2(AutoDiffXd x) {
    return x.Become(x.value_ * x.value_, 2 * x.value_);
  }
  friend AutoDiffXd atan2(AutoDiffXd y, const AutoDiffXd& x) {
    const double yv = y.value_, xv = x.value_, r2 = xv * xv + yv * yv;
    y.CombineDerivatives(xv / r2, -yv / r2, x);
    y.value_ = std::atan2(yv, xv);
    return y;
  }
  /** `base` to a constant power. */
  friend AutoDiffXd pow(AutoDiffXd base, double exponent) {
    const double slope =
        exponent == 0 ? 0 : exponent * std::pow(base.value_, exponent - 1);
    return base.Become(std::pow(base.value_, exponent), slope);
  }
  /** `base` to a power that may vary: then base must be positive for its
  derivatives to be finite. */
  friend AutoDiffXd pow(AutoDiffXd base, const AutoDiffXd& exponent) {
    const double b = base.value_, e = exponent.value_, p = std::pow(b, e);
    if (exponent.derivatives_.size() == 0) return pow(std::move(base), e);
    const double slope = e == 0 ? 0 : e * std::pow(b, e - 1);
    base.CombineDerivatives(slope, p * std::log(b), exponent);
    base.value_ = p;
    return base;
  }
  /** The one with the least value; the first if they are equal. */
  friend AutoDiffXd min(const AutoDiffXd& a, const AutoDiffXd& b) {
    return b.value_ < a.value_ ? b : a;
  }
  /** The one with the greatest value; the first if they are equal. */
  friend AutoDiffXd max(const AutoDiffXd& a, const AutoDiffXd& b) {
    return a.value_ < b.value_ ? b : a;
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
  [[noreturn]] static void ThrowSizes(Eigen::Index a, Eigen::Index b);

  // Derivatives += c * those of b.
  void AddDerivatives(double c, const AutoDiffXd& b) {
    if (b.derivatives_.size() == 0) return;
    if (derivatives_.size() == 0) {
      derivatives_ = c * b.derivatives_;
      return;
    }
    ThrowUnlessSameSize(b);
    derivatives_ += c * b.derivatives_;
  }

  // Derivatives = c * derivatives + d * those of b.
  void CombineDerivatives(double c, double d, const AutoDiffXd& b) {
    if (b.derivatives_.size() == 0) {
      Scale(c);
    } else if (derivatives_.size() == 0) {
      derivatives_ = d * b.derivatives_;
    } else {
      ThrowUnlessSameSize(b);
      derivatives_ = c * derivatives_ + d * b.derivatives_;
    }
  }

  // A function's result: its value, and its slope times the derivatives. Where
  // the slope is infinite (the root of 0) a derivative of 0 stays 0.
  AutoDiffXd Become(double value, double slope) {
    value_ = value;
    Scale(slope);
    return std::move(*this);
  }
  void Scale(double slope) {
    if (std::isfinite(slope)) {
      derivatives_ *= slope;
    } else {
      derivatives_ =
          (derivatives_.array() == 0).select(0, (slope * derivatives_).array());
    }
  }
  void ThrowUnlessSameSize(const AutoDiffXd& b) const {
    if (derivatives_.size() != b.derivatives_.size()) {
      ThrowSizes(derivatives_.size(), b.derivatives_.size());
    }
  }

  double value_{0};
  Eigen::VectorXd derivatives_;
};

}  // namespace wyvern

template <>
class std::numeric_limits<wyvern::AutoDiffXd>
    : public std::numeric_limits<double> {};

// What Eigen wants to know of the type.
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
