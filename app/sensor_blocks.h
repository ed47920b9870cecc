#pragma once

#include <map>
#include <string>
#include <vector>

#include "wyvern/app/scenario.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::multibody {
template <typename T>
class MultibodyPlant;
}  // namespace wyvern::multibody

namespace wyvern::app {

/** The elements of a sensor's port. */
struct SensorElements {
  /** As "imu_x". */
  std::vector<std::string> names;
  /** As "m/s²". */
  std::vector<std::string> units;
};

/** Adds the sensors of a scenario beside its plant, two blocks each: an ideal
instrument `<sensor>_ideal`, and the MeasuredSignal `<sensor>`, whose output `y`
is what is seen of it.
@returns the names and units of the elements of each `y`.
@throws std::logic_error, naming the sensor, if it has the name of another
block, there is no such frame, body or joint, or a number does not fit. */
std::map<const systems::OutputPort<double>*, SensorElements> AddSensors(
    const Scenario& scenario, const multibody::MultibodyPlant<double>& plant,
    systems::DiagramBuilder<double>* builder);

}  // namespace wyvern::app
