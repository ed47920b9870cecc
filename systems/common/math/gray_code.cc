#include "wyvern/systems/common/math/gray_code.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::math {

Eigen::MatrixXi CalculateReflectedGrayCodes(int num_digits) {
  wyvern::internal::RequireInRange("CalculateReflectedGrayCodes", "num_digits",
                                   num_digits, 0, 30);
  const int n = num_digits == 0 ? 0 : 1 << num_digits;
  Eigen::MatrixXi codes(n, num_digits);
  for (int i = 0; i < n; ++i) {
    const int code = i ^ (i >> 1);
    for (int digit = 0; digit < num_digits; ++digit) {
      codes(i, digit) = (code >> (num_digits - 1 - digit)) & 1;
    }
  }
  return codes;
}

int GrayCodeToInteger(const Eigen::Ref<const Eigen::VectorXi>& gray_code) {
  wyvern::internal::RequireInRange("GrayCodeToInteger", "the number of digits",
                                   static_cast<double>(gray_code.size()), 0,
                                   30);
  // Digit k of the number is the parity of the code's first k + 1 digits.
  int parity = 0;
  int result = 0;
  for (int k = 0; k < gray_code.size(); ++k) {
    if (gray_code[k] != 0 && gray_code[k] != 1) {
      throw std::logic_error(
          fmt::format("GrayCodeToInteger(): digit {} is {}; give 0 or 1.", k,
                      gray_code[k]));
    }
    parity ^= gray_code[k];
    result = 2 * result + parity;
  }
  return result;
}

}  // namespace wyvern::math
