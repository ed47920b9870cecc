#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <string>

#include "wyvern/systems/common/class_macros.h"

namespace wyvern::systems::internal {

/** One line, rewritten in place, about how far a long simulation has got:

    [ 42%] t = 4.2 of 10 s, 1.31 simulated s per s, 4 s to go

It shows up once a run has taken a second, twice a second, and is wiped by
the destructor; so short runs show nothing, and so does a stream that is not a
terminal. */
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ProgressLine);

  /** Reports on std::cerr if that is a terminal. Times in [s]. */
  ProgressLine(double start_time, double boundary_time);
  /** For tests: reports on `stream` if not null, by the given clock. */
  ProgressLine(double start_time, double boundary_time, std::ostream* stream,
               std::function<Clock::time_point()> now);
  ~ProgressLine();

  /** Updates the line; call it every step. It reads the clock every few calls.
   */
  void Update(double time) {
    if (stream_ != nullptr) Consider(time);
  }
  /** Returns the line's text at `time` after `elapsed` seconds of wall time. */
  std::string Format(double time, double elapsed) const;

 private:
  void Consider(double time);

  const double start_time_;
  const double boundary_time_;
  std::ostream* const stream_;
  const std::function<Clock::time_point()> now_;
  Clock::time_point started_;
  Clock::time_point shown_;
  bool is_shown_{false};
};

}  // namespace wyvern::systems::internal
