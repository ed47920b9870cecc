#include "wyvern/systems/framework/event_status.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/framework/system_base.h"

namespace wyvern::systems {

const std::string& EventStatus::message() const {
  static const std::string none;
  return message_ == nullptr ? none : *message_;
}

void EventStatus::ThrowOnFailure(const char* function_name) const {
  if (!failed()) return;
  const std::string who =
      system_ == nullptr
          ? std::string("an unnamed System")
          : fmt::format("System {} ({})", system_->GetSystemPathname(),
                        system_->GetSystemType());
  throw std::runtime_error(
      fmt::format("{}: an event handler of {} failed with message: \"{}\".",
                  function_name, who, message()));
}

}  // namespace wyvern::systems
