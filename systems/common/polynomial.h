#pragma once

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern {

/** A polynomial in one variable, c0 + c1 x + c2 x^2 + ...

Evaluation is by Horner's rule and allocates nothing. */
template <typename T>
class Polynomial {
 public:
  /** Zero. */
  Polynomial();
  /** A constant. */
  Polynomial(const T& constant);  // NOLINT(runtime/explicit)
  /** `coefficients[i]` is that of x^i; none gives zero. */
  explicit Polynomial(const Eigen::Ref<const VectorX<T>>& coefficients);

  /** The highest power held, even if its coefficient is zero; 0 for a
  constant. */
  int GetDegree() const { return static_cast<int>(coefficients_.size()) - 1; }
  /** GetDegree() + 1 numbers, the constant first. */
  const VectorX<T>& GetCoefficients() const { return coefficients_; }

  /** The value at `x`, or of the derivative of an order.
  @throws std::logic_error if `derivative_order` < 0, here and below. */
  T EvaluateUnivariate(const T& x, int derivative_order = 0) const;

  /** The derivative of an order, as a polynomial. */
  Polynomial Derivative(int derivative_order = 1) const;
  /** The antiderivative whose value at 0 is `integration_constant`. */
  Polynomial Integral(const T& integration_constant = T(0)) const;

  /** Adds a polynomial. */
  Polynomial& operator+=(const Polynomial& other);
  /** Subtracts a polynomial. */
  Polynomial& operator-=(const Polynomial& other);
  /** Multiplies by a polynomial. */
  Polynomial& operator*=(const Polynomial& other);
  friend Polynomial operator+(Polynomial a, const Polynomial& b) {
    return a += b;
  }
  friend Polynomial operator-(Polynomial a, const Polynomial& b) {
    return a -= b;
  }
  friend Polynomial operator*(Polynomial a, const Polynomial& b) {
    return a *= b;
  }
  /** The polynomial with the opposite sign. */
  Polynomial operator-() const { return Polynomial(-coefficients_); }

 private:
  VectorX<T> coefficients_;
};

}  // namespace wyvern
