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

/** Adds the sensors of a scenario beside its plant, two blocks each: an ideal
instrument `<sensor>_ideal`, and the MeasuredSignal `<sensor>`, whose output `y`
is what is seen of it.
@returns the names of the elements of each `y`, as "imu_x".
@throws std::logic_error, naming the sensor, if it has the name of another
block, there is no such frame, body or joint, or a number does not fit. */
std::map<const systems::OutputPort<double>*, std::vector<std::string>>
AddSensors(const Scenario& scenario,
           const multibody::MultibodyPlant<double>& plant,
           systems::DiagramBuilder<double>* builder);

}  // namespace wyvern::app
