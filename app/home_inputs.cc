#include "wyvern/app/home_inputs.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "wyvern/multibody/plant/multibody_plant.h"

namespace wyvern::app {

using multibody::JointActuator;
using multibody::JointActuatorIndex;
using multibody::ModelInstanceIndex;
using multibody::MultibodyPlant;

bool HasServos(const MultibodyPlant<double>& plant,
               ModelInstanceIndex instance) {
  return std::ranges::any_of(
      plant.GetJointActuatorIndices(instance), [&](JointActuatorIndex i) {
        return plant.get_joint_actuator(i).has_controller();
      });
}

namespace {

bool StartsAsInFile(const JointActuator<double>& actuator,
                    const multibody::JointFactsMap& facts) {
  return std::ranges::all_of(
      actuator.FindJoints(), [&facts](const multibody::Joint<double>* joint) {
        const auto found = facts.find(joint->index());
        return found == facts.end() ||
               found->second.default_position == joint->default_positions()[0];
      });
}

}  // namespace

HomeInputs CalcHomeInputs(const MultibodyPlant<double>& plant,
                          ModelInstanceIndex instance,
                          const multibody::ModelFacts& facts) {
  const std::vector<JointActuatorIndex> actuators =
      plant.GetJointActuatorIndices(instance);
  const int n = static_cast<int>(actuators.size());
  HomeInputs home{.desired_state = VectorX<double>::Zero(2 * n),
                  .feed_forward = VectorX<double>::Zero(n)};
  const auto context = plant.CreateDefaultContext();
  for (int i = 0; i < n; ++i) {
    const JointActuator<double>& actuator =
        plant.get_joint_actuator(actuators[i]);
    const multibody::internal::ForceState<double> start{
        *context, plant.EvalPositions(*context)};
    home.desired_state[i] = actuator.coordinate().CalcValue(plant, start);
    const auto found = facts.actuators.find(actuators[i]);
    if (found == facts.actuators.end() ||
        !found->second.home_force.has_value() ||
        !StartsAsInFile(actuator, facts.joints)) {
      continue;
    }
    const double force = *found->second.home_force;
    const auto gains = actuator.has_controller()
                           ? actuator.get_controller_gains()
                           : multibody::PdControllerGains{};
    if (gains.p > 0) {
      home.desired_state[i] = force / gains.p;
    } else if (gains.d > 0) {
      home.desired_state[n + i] = force / gains.d;
    } else {
      home.feed_forward[i] = force;
    }
  }
  return home;
}

}  // namespace wyvern::app
