#pragma once

#include <cstdint>
#include <limits>

namespace wyvern::systems::internal {

/** Counters of an integrator. Step sizes, [s], are NaN before the first step.
 */
template <typename T>
struct IntegratorStatistics {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  int64_t num_steps_taken{0};
  int64_t num_derivative_evaluations{0};
  int64_t num_substep_failures{0};
  int64_t num_shrinkages_from_error_control{0};
  int64_t num_shrinkages_from_substep_failures{0};
  T actual_initial_step_size{kNone};
  T smallest_adapted_step_size{kNone};
  T largest_step_size{0.0};
  T previous_step_size{kNone};

  /** After a step of size h; `adapted` if error control chose h freely. */
  void NoteStep(const T& h, bool adapted) {
    if (num_steps_taken++ == 0) actual_initial_step_size = h;
    if (h > largest_step_size) largest_step_size = h;
    if (adapted && !(smallest_adapted_step_size <= h)) {
      smallest_adapted_step_size = h;
    }
    previous_step_size = h;
  }
};

}  // namespace wyvern::systems::internal
