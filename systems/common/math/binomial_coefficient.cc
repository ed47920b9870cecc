#include "wyvern/systems/common/math/binomial_coefficient.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::math {

int BinomialCoefficient(int n, int k) {
  wyvern::internal::RequireAtLeast("BinomialCoefficient", "n", n, 0);
  if (k < 0 || k > n) return 0;
  k = std::min(k, n - k);
  // C(n, i) = C(n, i - 1) (n - i + 1) / i, without remainder.
  std::int64_t result = 1;
  for (int i = 1; i <= k; ++i) {
    result = result * (n - i + 1) / i;
    if (result > std::numeric_limits<int>::max()) {
      throw std::runtime_error(fmt::format(
          "BinomialCoefficient(): {} over {} is too large for an int; give "
          "smaller numbers.",
          n, k));
    }
  }
  return static_cast<int>(result);
}

}  // namespace wyvern::math
