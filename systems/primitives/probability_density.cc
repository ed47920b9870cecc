#include "wyvern/systems/primitives/probability_density.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems::internal {

template <typename T>
T CalcProbabilityDensity(RandomDistribution distribution,
                         const Eigen::Ref<const VectorX<T>>& x) {
  using std::exp;
  switch (distribution) {
    case RandomDistribution::kUniform:
      for (const T& x_i : x) {
        if (x_i < T(0) || !(x_i < T(1))) return T(0);
      }
      return T(1);
    case RandomDistribution::kGaussian: {
      T result(1);
      for (const T& x_i : x) {
        result *= exp(T(-0.5 * x_i * x_i)) *
                  (0.5 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi);
      }
      return result;
    }
    case RandomDistribution::kExponential: {
      T result(1);
      for (const T& x_i : x) {
        if (x_i < T(0)) return T(0);
        result *= exp(T(-x_i));
      }
      return result;
    }
  }
  throw std::logic_error(
      fmt::format("CalcProbabilityDensity(): {} is no RandomDistribution.",
                  static_cast<int>(distribution)));
}

#define WYVERN_INSTANTIATE_CALC_PROBABILITY_DENSITY(T)     \
  template T CalcProbabilityDensity<T>(RandomDistribution, \
                                       const Eigen::Ref<const VectorX<T>>&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_CALC_PROBABILITY_DENSITY)
#undef WYVERN_INSTANTIATE_CALC_PROBABILITY_DENSITY

}  // namespace wyvern::systems::internal
