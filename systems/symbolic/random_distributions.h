#pragma once

/** @file
The distributions of the header random for expressions:
@code
RandomGenerator generator;
const Expression mean{Variable("mean")};
std::normal_distribution<Expression> distribution(mean, 2.0);
const Expression e = distribution(generator);
// (mean + (2 * random_gaussian_0))
@endcode
A draw returns an expression of a new random variable; Expression::Evaluate()
draws its number. After reset() the variables repeat in their order. A copy has
the variables of its original, so that both return equal sequences. The
generator is not used. */

#include <cstddef>
#include <limits>
#include <memory>
#include <ostream>
#include <random>
#include <utility>
#include <vector>

#include "wyvern/systems/symbolic/expression.h"
#include "wyvern/systems/symbolic/variable.h"

namespace wyvern::symbolic::internal {

/** A sequence of random variables that copies share. */
class RandomVariables {
 public:
  explicit RandomVariables(Variable::Type type)
      : type_(type), variables_(std::make_shared<std::vector<Variable>>()) {}

  // A moved sequence is copied, so that the one moved from goes on.
  RandomVariables(const RandomVariables&) = default;
  RandomVariables& operator=(const RandomVariables&) = default;

  /** Returns the next variable of the sequence. */
  Variable Next();
  /** Starts the sequence again. */
  void Reset() { next_ = 0; }

 private:
  Variable::Type type_;
  std::shared_ptr<std::vector<Variable>> variables_;
  std::size_t next_{0};
};

/** Throws std::runtime_error if both are constants and a > b. */
void RequireOrdered(const Expression& a, const Expression& b);
/** Throws std::runtime_error if `value` is a constant that is not positive and
finite. */
void RequirePositiveParameter(const char* distribution, const char* name,
                              const Expression& value);

}  // namespace wyvern::symbolic::internal

/** Uniform on [a, b). */
template <>
class std::uniform_real_distribution<wyvern::symbolic::Expression> {
 public:
  using RealType = wyvern::symbolic::Expression;
  using result_type = RealType;

  /** Uniform on [0, 1). */
  uniform_real_distribution() : uniform_real_distribution(0.0) {}
  /** Uniform over [a, b).
  @throws std::runtime_error if both are constants and a > b. */
  explicit uniform_real_distribution(RealType a, RealType b = 1.0)
      : a_(std::move(a)), b_(std::move(b)) {
    wyvern::symbolic::internal::RequireOrdered(a_, b_);
  }

  /** Starts the sequence of variables again. */
  void reset() { variables_.Reset(); }
  /** Returns a + (b - a) u, with a new variable u uniform on [0, 1). */
  template <typename Generator>
  result_type operator()(Generator&) {
    return a_ + (b_ - a_) * RealType(variables_.Next());
  }
  /** Returns the lower bound. */
  RealType a() const { return a_; }
  /** Returns the upper bound. */
  RealType b() const { return b_; }
  /** Returns a. */
  result_type min() const { return a_; }
  /** Returns b. */
  result_type max() const { return b_; }

  friend bool operator==(const uniform_real_distribution& x,
                         const uniform_real_distribution& y) {
    return x.a_.EqualTo(y.a_) && x.b_.EqualTo(y.b_);
  }
  friend std::ostream& operator<<(std::ostream& out,
                                  const uniform_real_distribution& x) {
    return out << x.a_ << " " << x.b_;
  }

 private:
  RealType a_, b_;
  wyvern::symbolic::internal::RandomVariables variables_{
      wyvern::symbolic::Variable::Type::RANDOM_UNIFORM};
};

/** Normal, with a mean and a standard deviation. */
template <>
class std::normal_distribution<wyvern::symbolic::Expression> {
 public:
  using RealType = wyvern::symbolic::Expression;
  using result_type = RealType;

  /** The standard normal distribution. */
  normal_distribution() : normal_distribution(0.0) {}
  /** Gaussian with a mean and a standard deviation.
  @throws std::runtime_error if `stddev` is a constant and not positive. */
  explicit normal_distribution(RealType mean, RealType stddev = 1.0)
      : mean_(std::move(mean)), stddev_(std::move(stddev)) {
    wyvern::symbolic::internal::RequirePositiveParameter(
        "std::normal_distribution", "stddev", stddev_);
  }

  /** Starts the sequence of variables again. */
  void reset() { variables_.Reset(); }
  /** Returns mean + stddev z, with a new standard normal variable z. */
  template <typename Generator>
  result_type operator()(Generator&) {
    return mean_ + stddev_ * RealType(variables_.Next());
  }
  /** Returns the mean. */
  RealType mean() const { return mean_; }
  /** Returns the standard deviation. */
  RealType stddev() const { return stddev_; }
  /** Returns -infinity. */
  result_type min() const { return -std::numeric_limits<double>::infinity(); }
  /** Returns infinity. */
  result_type max() const { return std::numeric_limits<double>::infinity(); }

  friend bool operator==(const normal_distribution& x,
                         const normal_distribution& y) {
    return x.mean_.EqualTo(y.mean_) && x.stddev_.EqualTo(y.stddev_);
  }
  friend std::ostream& operator<<(std::ostream& out,
                                  const normal_distribution& x) {
    return out << x.mean_ << " " << x.stddev_;
  }

 private:
  RealType mean_, stddev_;
  wyvern::symbolic::internal::RandomVariables variables_{
      wyvern::symbolic::Variable::Type::RANDOM_GAUSSIAN};
};

/** Exponential, with a rate lambda. */
template <>
class std::exponential_distribution<wyvern::symbolic::Expression> {
 public:
  using RealType = wyvern::symbolic::Expression;
  using result_type = RealType;

  /** The distribution of rate 1. */
  exponential_distribution() : exponential_distribution(1.0) {}
  /** Exponential with the rate `lambda`.
  @throws std::runtime_error if `lambda` is a constant and not positive. */
  explicit exponential_distribution(RealType lambda)
      : lambda_(std::move(lambda)) {
    wyvern::symbolic::internal::RequirePositiveParameter(
        "std::exponential_distribution", "lambda", lambda_);
  }

  /** Starts the sequence of variables again. */
  void reset() { variables_.Reset(); }
  /** Returns x / lambda, with a new exponential variable x of rate 1. */
  template <typename Generator>
  result_type operator()(Generator&) {
    return RealType(variables_.Next()) / lambda_;
  }
  /** Returns the rate. */
  RealType lambda() const { return lambda_; }
  /** Returns 0. */
  result_type min() const { return 0.0; }
  /** Returns infinity. */
  result_type max() const { return std::numeric_limits<double>::infinity(); }

  friend bool operator==(const exponential_distribution& x,
                         const exponential_distribution& y) {
    return x.lambda_.EqualTo(y.lambda_);
  }
  friend std::ostream& operator<<(std::ostream& out,
                                  const exponential_distribution& x) {
    return out << x.lambda_;
  }

 private:
  RealType lambda_;
  wyvern::symbolic::internal::RandomVariables variables_{
      wyvern::symbolic::Variable::Type::RANDOM_EXPONENTIAL};
};
