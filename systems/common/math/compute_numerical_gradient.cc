#include "wyvern/systems/common/math/compute_numerical_gradient.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::math {

NumericalGradientOption::NumericalGradientOption(NumericalGradientMethod method,
                                                 double function_accuracy)
    : method_(method),
      perturbation_size_(method == NumericalGradientMethod::kCentral
                             ? std::cbrt(function_accuracy)
                             : std::sqrt(function_accuracy)) {
  wyvern::internal::RequirePositive("NumericalGradientOption",
                                    "function_accuracy", function_accuracy);
}

}  // namespace wyvern::math
