#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wyvern/systems/common/described_value.h"

namespace wyvern::systems {

/** Tolerances of the continuous state of one System. */
struct StateTolerance {
  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(system,
                         "Name of the System, with :: between the names of "
                         "nested ones; empty: all."));
    a->Visit(WYVERN_DNVP(relative,
                         "Relative tolerance: one for all elements of [q, v, "
                         "z], or one for each."));
    a->Visit(WYVERN_DNVP(
        absolute,
        "Absolute tolerance, likewise, in the unit of each element."));
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
    a->Visit(WYVERN_DNVP(integration_scheme,
                         "Name of the integrator, such as runge_kutta3, "
                         "implicit_euler or convex. runge_kutta3 changes to "
                         "another method while the system is stiff."));
    a->Visit(WYVERN_DNVP(
        max_step_size,
        "Largest step, s; each step, if there is no error control."));
    a->Visit(WYVERN_DNVP(accuracy,
                         "Largest error of an element of the state in a step: "
                         "absolute, and relative for small states."));
    a->Visit(WYVERN_DNVP(
        relative_tolerance,
        "Relative tolerance of all elements, instead of `accuracy`."));
    a->Visit(WYVERN_DNVP(
        absolute_tolerance,
        "Absolute tolerance of all elements, in the unit of each."));
    a->Visit(
        WYVERN_DNVP(tolerances, "Tolerances of single Systems or elements."));
    a->Visit(WYVERN_DNVP(
        use_error_control,
        "Whether the integrator chooses its steps; false: fixed steps."));
    a->Visit(WYVERN_DNVP(start_time, "Time at the start, s."));
    a->Visit(
        WYVERN_DNVP(target_realtime_rate,
                    "Simulated seconds per second; 0: as fast as possible."));
    // Documents of Drake may lack this key.
    std::optional<bool> publishes = publish_at_initialization;
    a->Visit(DescribedValue("publish_at_initialization", &publishes,
                            "Whether publish events also occur at the start."));
    publish_at_initialization = publishes.value_or(false);
    a->Visit(WYVERN_DNVP(publish_every_time_step,
                         "Whether publish events also occur after each step."));
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
