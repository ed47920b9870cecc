#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/framework/leaf_events.h"

// Times at which periodic events are due, for Systems of any scalar.

namespace wyvern::systems::internal {

double SameTimeTolerance(double time) {
  return 4 * std::numeric_limits<double>::epsilon() * std::abs(time);
}

double NextSample(const PeriodicEventData& timing, double now,
                  const double* true_time) {
  const double period = timing.period_sec();
  const double offset = timing.offset_sec();
  const double from = true_time != nullptr ? *true_time : now;
  const double tolerance = SameTimeTolerance(from);
  if (period <= 4 * SameTimeTolerance(from)) {
    throw std::runtime_error(fmt::format(
        "System::CalcNextUpdateTime(): the period {} s of an event is too "
        "short "
        "to be told apart at time {} s; use a longer period or start nearer to "
        "time zero.",
        period, from));
  }
  // With a true time, the samples of that moment are still due. Without one
  // they have been done, and the next sample is later by more than rounding.
  const double bound =
      true_time != nullptr ? from - tolerance : from + tolerance;
  const auto is_next = [&](double sample) {
    return true_time != nullptr ? sample >= bound : sample > bound;
  };
  double k = std::max(0.0, std::floor((from - offset) / period) - 1);
  while (!is_next(offset + k * period)) ++k;
  const double sample = offset + k * period;
  if (true_time != nullptr && std::abs(sample - from) <= tolerance) return from;
  return sample;
}

}  // namespace wyvern::systems::internal
