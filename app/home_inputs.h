#pragma once

#include "wyvern/multibody/parsing/joint_facts.h"
#include "wyvern/multibody/tree/multibody_tree_indexes.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody {
template <typename T>
class MultibodyPlant;
}  // namespace wyvern::multibody

namespace wyvern::app {

/** The inputs with which a model instance holds its home position. For an
actuator with gains p, d and a home force f (see ActuatorFacts), the desired
position is f / p; if p is 0, the desired velocity is f / d; without gains f is
the feed-forward. Each gives the force f - p q - d v. An actuator of a tendon
has the tendon's length and its rate. Without a home force, or if a joint starts
elsewhere than in its file, the desired position is where the joint starts. */
struct HomeInputs {
  /** [q; v] of the actuators, [rad], [m], [rad/s], [m/s]: for the port
  desired_state of the model instance. */
  VectorX<double> desired_state;
  /** [N·m] or [N]: for the port of its actuation. */
  VectorX<double> feed_forward;
};

/** Whether an actuator of the model instance has a controller, so that its port
desired_state must have a value. */
bool HasServos(const multibody::MultibodyPlant<double>& plant,
               multibody::ModelInstanceIndex instance);

/** Returns the inputs at which the servos of a model instance hold its home
position.
@param facts of the Parser that added the model. */
HomeInputs CalcHomeInputs(const multibody::MultibodyPlant<double>& plant,
                          multibody::ModelInstanceIndex instance,
                          const multibody::ModelFacts& facts);

}  // namespace wyvern::app
