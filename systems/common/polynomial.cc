#include "wyvern/systems/common/polynomial.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern {
namespace {

// i (i - 1) ... (i - order + 1): what differentiating x^i brings down.
double FallingFactorial(int i, int order) {
  double product = 1;
  for (int k = 0; k < order; ++k) product *= i - k;
  return product;
}

}  // namespace

template <typename T>
Polynomial<T>::Polynomial() : Polynomial(T(0)) {}

template <typename T>
Polynomial<T>::Polynomial(const T& constant)
    : coefficients_(VectorX<T>::Constant(1, constant)) {}

template <typename T>
Polynomial<T>::Polynomial(const Eigen::Ref<const VectorX<T>>& coefficients)
    : coefficients_(coefficients) {
  if (coefficients_.size() == 0) coefficients_ = VectorX<T>::Zero(1);
}

template <typename T>
T Polynomial<T>::EvaluateUnivariate(const T& x, int derivative_order) const {
  internal::RequireAtLeast("Polynomial::EvaluateUnivariate", "derivative_order",
                           derivative_order, 0);
  const int degree = GetDegree();
  if (derivative_order > degree) return T(0);
  T sum = FallingFactorial(degree, derivative_order) * coefficients_[degree];
  for (int i = degree - 1; i >= derivative_order; --i) {
    sum = sum * x + FallingFactorial(i, derivative_order) * coefficients_[i];
  }
  return sum;
}

template <typename T>
Polynomial<T> Polynomial<T>::Derivative(int derivative_order) const {
  internal::RequireAtLeast("Polynomial::Derivative", "derivative_order",
                           derivative_order, 0);
  if (derivative_order > GetDegree()) return Polynomial();
  VectorX<T> result(coefficients_.tail(GetDegree() + 1 - derivative_order));
  for (int i = 0; i < result.size(); ++i) {
    result[i] *= T(FallingFactorial(i + derivative_order, derivative_order));
  }
  return Polynomial(result);
}

template <typename T>
Polynomial<T> Polynomial<T>::Integral(const T& integration_constant) const {
  VectorX<T> result(coefficients_.size() + 1);
  result[0] = integration_constant;
  for (int i = 1; i < result.size(); ++i) {
    result[i] = coefficients_[i - 1] / T(i);
  }
  return Polynomial(result);
}

template <typename T>
Polynomial<T>& Polynomial<T>::operator+=(const Polynomial& other) {
  const Eigen::Index before = coefficients_.size();
  const Eigen::Index size = other.coefficients_.size();
  if (size > before) {
    coefficients_.conservativeResize(size);
    coefficients_.tail(size - before).setConstant(T(0));
  }
  coefficients_.head(size) += other.coefficients_;
  return *this;
}

template <typename T>
Polynomial<T>& Polynomial<T>::operator-=(const Polynomial& other) {
  return *this += -other;
}

template <typename T>
Polynomial<T>& Polynomial<T>::operator*=(const Polynomial& other) {
  VectorX<T> product =
      VectorX<T>::Constant(GetDegree() + other.GetDegree() + 1, T(0));
  for (int i = 0; i <= GetDegree(); ++i) {
    product.segment(i, other.coefficients_.size()) +=
        coefficients_[i] * other.coefficients_;
  }
  coefficients_ = product;
  return *this;
}

}  // namespace wyvern

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::Polynomial);
