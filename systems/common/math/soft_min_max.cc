#include "wyvern/systems/common/math/soft_min_max.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

// Exponents are taken relative to the greatest, so that none overflows.

namespace wyvern::math {
namespace {

template <typename T>
void CheckArguments(const char* caller, const std::vector<T>& x, double alpha) {
  if (x.empty() || !(alpha > 0 && std::isfinite(alpha))) {
    throw std::logic_error(fmt::format(
        "{}(): {} numbers with alpha {}; give one number at least, and an "
        "alpha that is positive and finite.",
        caller, x.size(), alpha));
  }
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
  CheckArguments("SoftOverMax", x, alpha);
  return LogSumExp(x, alpha);
}

template <typename T>
T SoftUnderMax(const std::vector<T>& x, double alpha) {
  CheckArguments("SoftUnderMax", x, alpha);
  return WeightedMean(x, alpha);
}

template <typename T>
T SoftOverMin(const std::vector<T>& x, double alpha) {
  CheckArguments("SoftOverMin", x, alpha);
  return WeightedMean(x, -alpha);
}

template <typename T>
T SoftUnderMin(const std::vector<T>& x, double alpha) {
  CheckArguments("SoftUnderMin", x, alpha);
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
