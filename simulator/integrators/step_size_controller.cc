#include "wyvern/simulator/integrators/step_size_controller.h"

#include <algorithm>
#include <cmath>

namespace wyvern::systems::internal {

StepSizeVerdict JudgeStep(double step_size, double error, double accuracy,
                          int order) {
  constexpr double kSafety = 0.9;
  constexpr double kMostGrowth = 5.0;
  constexpr double kMostShrink = 0.1;
  constexpr double kLeastGrowth = 1.2;
  constexpr double kLeastShrink = 0.9;

  if (!std::isfinite(error)) return {false, kMostShrink * step_size};
  const double factor =
      error == 0 ? kMostGrowth
                 : std::clamp(kSafety * std::pow(accuracy / error, 1.0 / order),
                              kMostShrink, kMostGrowth);
  if (error > accuracy) {
    return {false, std::min(factor, kLeastShrink) * step_size};
  }
  const bool keep = factor >= 1.0 && factor < kLeastGrowth;
  return {true, keep ? step_size : factor * step_size};
}

}  // namespace wyvern::systems::internal
