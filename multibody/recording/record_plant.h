#pragma once

#include <string>
#include <vector>

#include "wyvern/systems/recording/recorder.h"

namespace wyvern::systems {
class PortBase;
template <typename T>
class DiagramBuilder;
}  // namespace wyvern::systems

namespace wyvern::multibody {

template <typename T>
class MultibodyPlant;

/** Records an output port of a plant's diagram under the name "system/port", at
a period [s]; 0: each step. It may be
- a vector port of any System. Elements of the plant's ports have the names of
  GetElementNames();
- `body_poses` of the plant: seven numbers a body, the quaternion and the place
  of X_WB: qw, qx, qy, qz, x, y, z [m];
- `contact_results` of the plant: JSON objects `{"contacts": [...]}`, for each
  contact the bodies `a` and `b`, the `force` on b in the world [N] at `point`
  [m], and of a surface, at its centroid, the `torque` on b [N m].
@param element_names of a vector port's elements, instead of those.
@throws std::logic_error if the plant is not finalized, the port carries
anything else, or as Recorder::AddSignal(). */
void RecordPort(const systems::OutputPort<double>& port,
                const MultibodyPlant<double>& plant, double period,
                systems::Recorder<double>* recorder,
                systems::DiagramBuilder<double>* builder,
                const std::vector<std::string>& element_names = {});

/** Returns the names of the elements of a vector port, if it is an input or
output port of the plant whose elements belong to joints or actuators: states,
velocities, accelerations, generalized forces, efforts and desired states.
Otherwise the list is empty. */
std::vector<std::string> GetElementNames(const systems::PortBase& port,
                                         const MultibodyPlant<double>& plant);

/** Whether RecordPort() records what the port carries. */
bool CanRecordPort(const systems::OutputPort<double>& port,
                   const MultibodyPlant<double>& plant);

}  // namespace wyvern::multibody
