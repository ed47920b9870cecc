#include "wyvern/multibody/parsing/warning_log.h"

#include <cstdio>
#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::multibody::internal {

void WarnOnStderr(const std::string& warning) {
  fmt::print(stderr, "warning: {}\n", warning);
}

WarningLog::WarningLog() : handler_(WarnOnStderr) {}

void WarningLog::Add(const std::string& place, const std::string& message) {
  if (strict_) {
    throw std::runtime_error(
        fmt::format("{}: {} (Strict parsing makes this warning an error.)",
                    place, message));
  }
  if (!made_.insert(message).second) return;
  warnings_.push_back(fmt::format("{}: {}", place, message));
  if (handler_) handler_(warnings_.back());
}

}  // namespace wyvern::multibody::internal
