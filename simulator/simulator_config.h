#pragma once

#include <string>

namespace wyvern::systems {

/** How to run a simulation, as plain data for files and command lines. The
defaults are those of a new Simulator. */
struct SimulatorConfig {
  /** One of GetIntegrationSchemes(). */
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
  bool publish_at_initialization{false};
  bool publish_every_time_step{false};
};

}  // namespace wyvern::systems
