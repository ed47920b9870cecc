#pragma once

/** @file
The settings of a Simulator as flags of the command line. Include this
in one file alone, that of main(): it defines them. */

#include <memory>
#include <utility>

#include <gflags/gflags.h>

#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/simulator.h"

DEFINE_string(simulator_integration_scheme,
              wyvern::systems::SimulatorConfig().integration_scheme,
              "Name of the integrator.");
DEFINE_double(simulator_max_time_step,
              wyvern::systems::SimulatorConfig().max_step_size,
              "Largest step of the integrator, in seconds.");
DEFINE_double(simulator_accuracy, wyvern::systems::SimulatorConfig().accuracy,
              "Largest error of a step.");
DEFINE_bool(simulator_use_error_control,
            wyvern::systems::SimulatorConfig().use_error_control,
            "Whether steps are chosen by their error.");
DEFINE_double(simulator_start_time,
              wyvern::systems::SimulatorConfig().start_time,
              "Time at the beginning, in seconds.");
DEFINE_double(simulator_target_realtime_rate,
              wyvern::systems::SimulatorConfig().target_realtime_rate,
              "Simulated seconds in a second; 0 for as many as possible.");
DEFINE_bool(simulator_publish_at_initialization,
            wyvern::systems::SimulatorConfig().publish_at_initialization,
            "Whether to publish at the beginning.");
DEFINE_bool(simulator_publish_every_time_step,
            wyvern::systems::SimulatorConfig().publish_every_time_step,
            "Whether to publish after every step.");

namespace wyvern::systems {

/** Gives the Simulator the integrator that the flags name. */
template <typename T>
IntegratorBase<T>& ResetIntegratorFromGflags(Simulator<T>* simulator) {
  IntegratorBase<T>& integrator =
      ResetIntegratorFromFlags(simulator, FLAGS_simulator_integration_scheme,
                               T(FLAGS_simulator_max_time_step));
  if (integrator.supports_error_estimation()) {
    integrator.set_fixed_step_mode(!FLAGS_simulator_use_error_control);
    if (FLAGS_simulator_use_error_control) {
      integrator.set_target_accuracy(FLAGS_simulator_accuracy);
    }
  }
  return integrator;
}

/** A Simulator as the flags say, with `context` or a default one. */
template <typename T>
std::unique_ptr<Simulator<T>> MakeSimulatorFromGflags(
    const System<T>& system, std::unique_ptr<Context<T>> context = nullptr) {
  auto simulator = std::make_unique<Simulator<T>>(system, std::move(context));
  SimulatorConfig config;
  config.integration_scheme = FLAGS_simulator_integration_scheme;
  config.max_step_size = FLAGS_simulator_max_time_step;
  config.accuracy = FLAGS_simulator_accuracy;
  config.use_error_control = FLAGS_simulator_use_error_control;
  config.start_time = FLAGS_simulator_start_time;
  config.target_realtime_rate = FLAGS_simulator_target_realtime_rate;
  config.publish_at_initialization = FLAGS_simulator_publish_at_initialization;
  config.publish_every_time_step = FLAGS_simulator_publish_every_time_step;
  ApplySimulatorConfig(config, simulator.get());
  return simulator;
}

}  // namespace wyvern::systems
