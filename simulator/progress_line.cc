#include "wyvern/simulator/progress_line.h"

#include <cmath>
#include <iostream>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace wyvern::systems::internal {
namespace {

constexpr std::chrono::seconds kFirst{1};
constexpr std::chrono::milliseconds kInterval{500};

std::ostream* TerminalOrNull() {
  static const bool is_terminal = isatty(STDERR_FILENO) == 1;
  return is_terminal ? &std::cerr : nullptr;
}

}  // namespace

ProgressLine::ProgressLine(double start_time, double boundary_time)
    : ProgressLine(start_time, boundary_time, TerminalOrNull(), &Clock::now) {}

ProgressLine::ProgressLine(double start_time, double boundary_time,
                           std::ostream* stream,
                           std::function<Clock::time_point()> now)
    : start_time_(start_time),
      boundary_time_(boundary_time),
      stream_(stream),
      now_(std::move(now)) {
  if (stream_ != nullptr) started_ = shown_ = now_();
}

ProgressLine::~ProgressLine() {
  // "Erase the line", as every terminal of today understands it.
  if (is_shown_) *stream_ << "\r\x1b[K" << std::flush;
}

void ProgressLine::Consider(double time) {
  const Clock::time_point now = now_();
  if (now - started_ < kFirst || now - shown_ < kInterval) return;
  shown_ = now;
  is_shown_ = true;
  const std::chrono::duration<double> elapsed = now - started_;
  *stream_ << "\r\x1b[K" << Format(time, elapsed.count()) << std::flush;
}

std::string ProgressLine::Format(double time, double elapsed) const {
  const double done = time - start_time_;
  const double rate = done / elapsed;
  if (!std::isfinite(boundary_time_)) {
    return fmt::format("t = {:.4g} s, {:.3g} simulated s per s", time, rate);
  }
  const double whole = boundary_time_ - start_time_;
  const std::string to_go =
      rate > 0 ? fmt::format("{:.0f} s to go", (whole - done) / rate)
               : std::string("no end in sight");
  return fmt::format(
      "[{:3.0f}%] t = {:.4g} of {:.4g} s, {:.3g} simulated s "
      "per s, {}",
      100 * done / whole, time, boundary_time_, rate, to_go);
}

}  // namespace wyvern::systems::internal
