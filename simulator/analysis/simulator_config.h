#pragma once

#include <optional>
#include <string>

#include "wyvern/systems/common/name_value.h"

namespace wyvern::systems {

/** How to run a simulation, as plain data for files and command lines. The
defaults are those of a new Simulator. */
struct SimulatorConfig {
  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(integration_scheme));
    a->Visit(WYVERN_NVP(max_step_size));
    a->Visit(WYVERN_NVP(accuracy));
    a->Visit(WYVERN_NVP(use_error_control));
    a->Visit(WYVERN_NVP(start_time));
    a->Visit(WYVERN_NVP(target_realtime_rate));
    // Documents of Drake may lack this key.
    std::optional<bool> publishes = publish_at_initialization;
    a->Visit(MakeNameValue("publish_at_initialization", &publishes));
    publish_at_initialization = publishes.value_or(false);
    a->Visit(WYVERN_NVP(publish_every_time_step));
  }

  /** One of GetIntegrationSchemes(). "runge_kutta3" goes over to another method
  while the System is stiff, as in a new Simulator. */
  std::string integration_scheme{"runge_kutta3"};
  /** [s]; the step itself for schemes without error control. */
  double max_step_size{0.1};
  /** Largest local error; for schemes with error control. */
  double accuracy{1e-4};
  /** False for fixed steps from schemes that could control their errors. */
  bool use_error_control{true};
  /** The time the Context starts at [s]. */
  double start_time{0.0};
  /** Simulated seconds per second, 0 for as fast as possible. */
  double target_realtime_rate{0.0};
  /** See Simulator::set_publish_at_initialization(). */
  bool publish_at_initialization{false};
  /** See Simulator::set_publish_every_time_step(). */
  bool publish_every_time_step{false};
};

}  // namespace wyvern::systems
