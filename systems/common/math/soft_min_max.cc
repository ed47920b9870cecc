#include "wyvern/systems/common/math/soft_min_max.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

// Exponents are taken relative to the greatest, so that none overflows.

namespace wyvern::math {
namespace {

template <typename T>
void RequireNumbersAndAlpha(const char* caller, const std::vector<T>& x,
                            double alpha) {
  wyvern::internal::RequireNotEmpty(caller, "x", x.empty());
  wyvern::internal::RequirePositive(caller, "alpha", alpha);
}

// log(sum of exp(slope x_i)) / slope.
template <typename T>
T LogSumExp(const std::vector<T>& x, double slope) {
  using std::exp;
  using std::log;
  const T top = slope > 0 ? *std::max_element(x.begin(), x.end())
                          : *std::min_element(x.begin(), x.end());
  T sum(0.0);
  for (const T& x_i : x) sum += exp(slope * (x_i - top));
  return log(sum) / slope + top;
}

template <typename T>
T WeightedMean(const std::vector<T>& x, double slope) {
  using std::exp;
  const T top = slope > 0 ? *std::max_element(x.begin(), x.end())
                          : *std::min_element(x.begin(), x.end());
  T sum(0.0);
  T weights(0.0);
  for (const T& x_i : x) {
    const T weight = exp(slope * (x_i - top));
    weights += weight;
    sum += weight * x_i;
  }
  return sum / weights;
}

}  // namespace

template <typename T>
T SoftOverMax(const std::vector<T>& x, double alpha) {
  RequireNumbersAndAlpha("SoftOverMax", x, alpha);
  return LogSumExp(x, alpha);
}

template <typename T>
T SoftUnderMax(const std::vector<T>& x, double alpha) {
  RequireNumbersAndAlpha("SoftUnderMax", x, alpha);
  return WeightedMean(x, alpha);
}

template <typename T>
T SoftOverMin(const std::vector<T>& x, double alpha) {
  RequireNumbersAndAlpha("SoftOverMin", x, alpha);
  return WeightedMean(x, -alpha);
}

template <typename T>
T SoftUnderMin(const std::vector<T>& x, double alpha) {
  RequireNumbersAndAlpha("SoftUnderMin", x, alpha);
  return LogSumExp(x, -alpha);
}

#define WYVERN_INSTANTIATE(T)                                \
  template T SoftOverMax<T>(const std::vector<T>&, double);  \
  template T SoftUnderMax<T>(const std::vector<T>&, double); \
  template T SoftOverMin<T>(const std::vector<T>&, double);  \
  template T SoftUnderMin<T>(const std::vector<T>&, double);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)
#undef WYVERN_INSTANTIATE

}  // namespace wyvern::math
