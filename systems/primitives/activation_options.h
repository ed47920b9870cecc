#pragma once

#include <vector>

#include <Eigen/Core>

namespace wyvern::systems {

/** Rule for numbers of a System, such as outputs, while it is not active. */
enum class WhenInactive {
  kHold,   ///< They keep the values of the last moment of activity.
  kReset,  ///< They return to their initial values.
};

/** Settings of EnabledSubsystem, IfElseSubsystem and CaseSubsystem. */
struct ActivationOptions {
  /** Outputs while no System is active. */
  WhenInactive outputs{WhenInactive::kHold};
  /** State of a System when it becomes active again. A reset gives the default
  state, then runs the System's updates of initialization. */
  WhenInactive states{WhenInactive::kHold};
  /** Outputs before the first activity, and after a reset: a vector for each
  output port, in the unit of the port. Empty: zeros. */
  std::vector<Eigen::VectorXd> initial_outputs{};
};

/** Which changes of a trigger signal start a TriggeredSubsystem. A trigger is
on if it is above zero. */
enum class TriggerEdge {
  kRising,   ///< From off to on.
  kFalling,  ///< From on to off.
  kEither,   ///< Both.
};

}  // namespace wyvern::systems
