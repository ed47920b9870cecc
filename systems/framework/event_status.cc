#include "wyvern/systems/framework/event_status.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/framework/system_base.h"

namespace wyvern::systems {

void EventStatus::ThrowOnFailure(const char* function_name) const {
  if (!failed()) return;
  const std::string who =
      system_ == nullptr
          ? std::string("an unnamed System")
          : fmt::format("System {} ({})", system_->GetSystemPathname(),
                        system_->GetSystemType());
  throw std::runtime_error(
      fmt::format("{}: an event handler of {} failed with message: \"{}\".",
                  function_name, who, message_));
}

}  // namespace wyvern::systems
