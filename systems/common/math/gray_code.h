#pragma once

#include <Eigen/Core>

namespace wyvern::math {

/** The 2^n reflected Gray codes of n digits, a row each, starting with zeros:
neighbours differ in one digit. The most significant digit is first.
@throws std::logic_error unless 0 <= num_digits <= 30. */
Eigen::MatrixXi CalculateReflectedGrayCodes(int num_digits);

/** Overload with the number of digits known at compile time. */
template <int NumDigits>
requires(NumDigits >= 0 && NumDigits <= 30) Eigen::Matrix<
    int, (1 << NumDigits), NumDigits> CalculateReflectedGrayCodes() {
  return CalculateReflectedGrayCodes(NumDigits);
}

/** The row of CalculateReflectedGrayCodes() at which a code is.
@throws std::logic_error if a digit is neither 0 nor 1, or there are more than
30. */
int GrayCodeToInteger(const Eigen::Ref<const Eigen::VectorXi>& gray_code);

}  // namespace wyvern::math
