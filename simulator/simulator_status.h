#pragma once

#include <string>

#include "wyvern/systems/common/class_macros.h"

namespace wyvern::systems {

class SystemBase;

/** Why a call to Simulator::AdvanceTo() or Initialize() returned. */
class SimulatorStatus {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(SimulatorStatus);

  /** Reasons for which a call returned. */
  enum ReturnReason {
    /** All is well: time is the boundary time. */
    kReachedBoundaryTime,
    /** An event handler or the monitor asked for the end of the simulation. */
    kReachedTerminationCondition,
    /** An event handler or the monitor failed. */
    kEventHandlerFailed,
  };

  /** A status that succeeded, with return time `boundary_time` [s]. */
  explicit SimulatorStatus(double boundary_time)
      : boundary_time_(boundary_time), return_time_(boundary_time) {}

  /** Makes this a status that succeeded, at boundary_time(). */
  void SetReachedBoundaryTime();
  /** `system` is who asked for it, null for the monitor. */
  void SetReachedTermination(double termination_time, const SystemBase* system,
                             std::string message);
  /** `system` is whose handler failed, null for the monitor. */
  void SetEventHandlerFailed(double failure_time, const SystemBase* system,
                             std::string message);

  /** One line for a human: why, when, and in whose words. */
  std::string FormatMessage() const;

  /** True if time is the boundary time and nothing ended the simulation. */
  bool succeeded() const { return reason_ == kReachedBoundaryTime; }
  /** The reason for which the call returned. */
  ReturnReason reason() const { return reason_; }
  /** Where AdvanceTo() was told to go [s]. */
  double boundary_time() const { return boundary_time_; }
  /** Where it got to [s]. */
  double return_time() const { return return_time_; }
  /** Returns the System that ended the simulation early; null for the monitor.
   */
  const SystemBase* system() const { return system_; }
  /** The words of who ended the simulation, empty if nobody did. */
  const std::string& message() const { return message_; }

  /** True if every field is the same. */
  bool IsIdenticalStatus(const SimulatorStatus& other) const;

 private:
  double boundary_time_{};
  double return_time_{};
  ReturnReason reason_{kReachedBoundaryTime};
  const SystemBase* system_{};
  std::string message_;
};

}  // namespace wyvern::systems
