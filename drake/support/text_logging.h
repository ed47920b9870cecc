#pragma once

/** @file
Messages of a program, on stderr: `drake::log()->info("x = {}", x)`.
 */

#include <array>
#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/class_macros.h"

namespace wyvern {
namespace logging {

/** In rising order of gravity; what is below the logger's level is dropped. */
enum class level { trace, debug, info, warn, err, critical, off };
constexpr std::array<std::string_view, 7> kLevelNames{
    "trace", "debug", "info", "warn", "err", "critical", "off"};

constexpr bool kHaveSpdlog = false;

/** Prints a line for each message: "[warn] x is large". Threads may share it.
 */
class logger {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(logger);
  logger() = default;

#define WYVERN_LOG_FUNCTION(name, its_level)                              \
  template <typename... Args>                                             \
  void name(fmt::format_string<Args...> format, Args&&... args) {         \
    log(logging::level::its_level, fmt::string_view(format),              \
        fmt::make_format_args(args...));                                  \
  }                                                                       \
  template <typename T>                                                   \
  requires(!std::is_convertible_v<const T&, const char*>) void name(      \
      const T& message) {                                                 \
    log(logging::level::its_level, "{}", fmt::make_format_args(message)); \
  }
  WYVERN_LOG_FUNCTION(trace, trace)
  WYVERN_LOG_FUNCTION(debug, debug)
  WYVERN_LOG_FUNCTION(info, info)
  WYVERN_LOG_FUNCTION(warn, warn)
  WYVERN_LOG_FUNCTION(error, err)
  WYVERN_LOG_FUNCTION(critical, critical)
#undef WYVERN_LOG_FUNCTION

  bool should_log(logging::level its_level) const {
    return its_level >= level_.load();
  }
  logging::level level() const { return level_; }
  void set_level(logging::level lowest) { level_ = lowest; }

 private:
  void log(logging::level its_level, fmt::string_view format,
           fmt::format_args args) {
    if (!should_log(its_level)) return;
    const auto name = kLevelNames[static_cast<int>(its_level)];
    // One call, so that lines of several threads stay whole.
    fmt::print(stderr, "{}",
               fmt::format("[{}] {}\n", name, fmt::vformat(format, args)));
  }

  std::atomic<logging::level> level_{logging::level::info};
};

}  // namespace logging

/** The one logger; never null. */
inline logging::logger* log() {
  static logging::logger the_logger;
  return &the_logger;
}

namespace logging {

/** Sets the level by one of kLevelNames; "unchanged" leaves it. Returns the
name of the one before.
@throws std::runtime_error if there is no such level. */
inline std::string set_log_level(const std::string& name) {
  const std::string before(
      kLevelNames[static_cast<int>(wyvern::log()->level())]);
  if (name == "unchanged") return before;
  for (std::size_t i = 0; i < kLevelNames.size(); ++i) {
    if (name == kLevelNames[i]) {
      wyvern::log()->set_level(static_cast<level>(i));
      return before;
    }
  }
  throw std::runtime_error(fmt::format(
      "set_log_level(): there is no level '{}'; give one of trace, debug, "
      "info, warn, err, critical, off, unchanged.",
      name));
}

}  // namespace logging
}  // namespace wyvern

/** Messages that only a build with asserts has. */
#ifndef NDEBUG
#define DRAKE_LOGGER_TRACE(...) ::wyvern::log()->trace(__VA_ARGS__)
#define DRAKE_LOGGER_DEBUG(...) ::wyvern::log()->debug(__VA_ARGS__)
#else
#define DRAKE_LOGGER_TRACE(...) static_cast<void>(0)
#define DRAKE_LOGGER_DEBUG(...) static_cast<void>(0)
#endif
