#include "wyvern/systems/common/math/compute_numerical_gradient.h"

#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::math {

NumericalGradientOption::NumericalGradientOption(NumericalGradientMethod method,
                                                 double function_accuracy)
    : method_(method),
      perturbation_size_(method == NumericalGradientMethod::kCentral
                             ? std::cbrt(function_accuracy)
                             : std::sqrt(function_accuracy)) {
  if (!(function_accuracy > 0 && std::isfinite(function_accuracy))) {
    throw std::logic_error(
        fmt::format("NumericalGradientOption(): the function's accuracy is {}; "
                    "give a positive and finite number.",
                    function_accuracy));
  }
}

}  // namespace wyvern::math
