#pragma once

#include <chrono>

namespace wyvern {

/** A stopwatch that starts when it is made. */
class SteadyTimer {
 public:
  /** Back to 0. */
  void Start() { start_ = Clock::now(); }
  /** [s] since the start. */
  double Tick() {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_{Clock::now()};
};

}  // namespace wyvern
