#include "wyvern/simulator/realtime_pacer.h"

#include <thread>

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::systems::internal {

void RealtimePacer::set_target_rate(double rate) {
  wyvern::internal::RequireNonNegative("Simulator::set_target_realtime_rate",
                                       "rate", rate,
                                       "0 is as fast as possible");
  target_rate_ = rate;
}

void RealtimePacer::Restart(double time) {
  start_time_ = time;
  start_ = Clock::now();
}

void RealtimePacer::WaitFor(double time) const {
  if (target_rate_ <= 0) return;
  const std::chrono::duration<double> due((time - start_time_) / target_rate_);
  std::this_thread::sleep_until(
      start_ + std::chrono::duration_cast<Clock::duration>(due));
}

double RealtimePacer::CalcActualRate(double time) const {
  const std::chrono::duration<double> elapsed = Clock::now() - start_;
  return elapsed.count() > 0 ? (time - start_time_) / elapsed.count() : 0.0;
}

}  // namespace wyvern::systems::internal
