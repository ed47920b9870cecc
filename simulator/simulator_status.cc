#include "wyvern/simulator/simulator_status.h"

#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/framework/system_base.h"

namespace wyvern::systems {

void SimulatorStatus::SetReachedBoundaryTime() {
  *this = SimulatorStatus(boundary_time_);
}

void SimulatorStatus::SetReachedTermination(double termination_time,
                                            const SystemBase* system,
                                            std::string message) {
  reason_ = kReachedTerminationCondition;
  return_time_ = termination_time;
  system_ = system;
  message_ = std::move(message);
}

void SimulatorStatus::SetEventHandlerFailed(double failure_time,
                                            const SystemBase* system,
                                            std::string message) {
  reason_ = kEventHandlerFailed;
  return_time_ = failure_time;
  system_ = system;
  message_ = std::move(message);
}

std::string SimulatorStatus::FormatMessage() const {
  if (succeeded()) {
    return fmt::format("Simulator reached the boundary time {}.",
                       boundary_time_);
  }
  const std::string who = system_ == nullptr
                              ? std::string("the monitor")
                              : fmt::format("{} '{}'", system_->GetSystemType(),
                                            system_->GetSystemPathname());
  const char* const what = reason_ == kReachedTerminationCondition
                               ? "asked to end the simulation"
                               : "reported a failure in an event handler";
  return fmt::format(
      "Simulator stopped at {}time {}{}: {} {}, saying: {}",
      return_time_ == boundary_time_ ? "the boundary " : "", return_time_,
      return_time_ < boundary_time_
          ? fmt::format(", before the boundary time {}", boundary_time_)
          : std::string(),
      who, what, message_.empty() ? "(no message)" : message_);
}

bool SimulatorStatus::IsIdenticalStatus(const SimulatorStatus& other) const {
  return boundary_time_ == other.boundary_time_ &&
         return_time_ == other.return_time_ && reason_ == other.reason_ &&
         system_ == other.system_ && message_ == other.message_;
}

}  // namespace wyvern::systems
