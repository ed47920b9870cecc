#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "wyvern/app/scenario.h"
#include "wyvern/multibody/parsing/joint_facts.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::multibody {
template <typename T>
class MultibodyPlant;
}  // namespace wyvern::multibody

namespace wyvern::app {

/** The gains of a model's driver. */
struct DriverGains {
  /** The block whose parameters they are. */
  const systems::System<double>* block{};
  /** Names of the block's parameters in scenarios, in order; "" for none. */
  std::vector<std::string> names;
};

/** Adds the blocks that feed the actuators of each model instance, and connects
them. Without a driver, servos hold their home position (HomeInputs).
@param facts of AddModels().
@returns by model, the gains of drivers that have some.
@throws std::logic_error if there is no such model instance, it has no
actuators, or a number does not fit; std::runtime_error as the regulator. */
std::map<std::string, DriverGains> AddModelDrivers(
    const Scenario& scenario, const std::filesystem::path& folder,
    const multibody::ModelFacts& facts,
    multibody::MultibodyPlant<double>* plant,
    systems::DiagramBuilder<double>* builder);

/** A parameter that a Tunable names: an element for each actuator. */
struct TunableGain {
  /** The block whose parameter it is. */
  const systems::System<double>* block{};
  /** The numeric parameter of the block. */
  systems::NumericParameterIndex parameter;
  /** The entry of the scenario. */
  Tunable wanted;
  /** Joint and unit of each element: "elbow [N·m/rad]". */
  std::vector<std::string> element_names;
};

/** Returns the scenario's tunables that are gains, in order.
@param gains from AddModelDrivers().
@throws std::logic_error if a model has no driver with such a gain, `min` is not
below `max`, a tunable has a model and a path or neither, or two tunables name
one number. */
std::vector<TunableGain> FindTunables(
    const Scenario& scenario, const std::map<std::string, DriverGains>& gains,
    const multibody::MultibodyPlant<double>& plant);

}  // namespace wyvern::app
