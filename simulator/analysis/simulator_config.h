#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wyvern/systems/common/name_value.h"

namespace wyvern::systems {

/** Tolerances of the continuous state of one System. */
struct StateTolerance {
  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(system));
    a->Visit(WYVERN_NVP(relative));
    a->Visit(WYVERN_NVP(absolute));
  }

  /** Name of the System within the Diagram, with "::" between the names of
  nested ones, such as "station::plant"; empty for the whole. */
  std::string system;
  /** Relative tolerances: one number for all elements of the System's [q; v;
  z], or one for each. See IntegratorBase::set_relative_tolerance(). */
  std::optional<std::vector<double>> relative{};
  /** Absolute tolerances, likewise, in the unit of each element. */
  std::optional<std::vector<double>> absolute{};
};

/** How to run a simulation, as plain data for files and command lines. The
defaults are those of a new Simulator. */
struct SimulatorConfig {
  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(integration_scheme));
    a->Visit(WYVERN_NVP(max_step_size));
    a->Visit(WYVERN_NVP(accuracy));
    a->Visit(WYVERN_NVP(relative_tolerance));
    a->Visit(WYVERN_NVP(absolute_tolerance));
    a->Visit(WYVERN_NVP(tolerances));
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
  /** Largest local error of an element of the state: absolute, and relative for
  states of scales below 0.1; for schemes with error control. See
  IntegratorBase. */
  double accuracy{1e-4};
  /** Relative tolerance of all elements instead of the accuracy, see
  IntegratorBase::set_relative_tolerance(). */
  std::optional<double> relative_tolerance{};
  /** Absolute tolerance of all elements, in the unit of each. */
  std::optional<double> absolute_tolerance{};
  /** Tolerances of single Systems, applied in this order after the two of all
  elements. */
  std::optional<std::vector<StateTolerance>> tolerances{};
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
