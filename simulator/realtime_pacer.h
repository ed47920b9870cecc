#pragma once

#include <chrono>

namespace wyvern::systems::internal {

/** Holds simulated time back so that it runs no faster than a multiple of the
wall clock's. */
class RealtimePacer {
 public:
  /** Sets the simulated seconds per second of wall time.
  @throws std::logic_error unless finite and >= 0; 0 is as fast as can be.
   */
  void set_target_rate(double rate);
  double target_rate() const { return target_rate_; }

  /** Measures from here: `time` is simulated [s]. */
  void Restart(double time);
  /** Sleeps until the wall clock has caught up with `time`. */
  void WaitFor(double time) const;
  /** Simulated seconds per wall second since Restart(). */
  double CalcActualRate(double time) const;

 private:
  using Clock = std::chrono::steady_clock;
  double target_rate_{0.0};
  double start_time_{0.0};
  Clock::time_point start_{Clock::now()};
};

}  // namespace wyvern::systems::internal
