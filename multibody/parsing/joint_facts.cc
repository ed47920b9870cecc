#include "wyvern/multibody/parsing/joint_facts.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/common/check_argument.h"

namespace wyvern::multibody {

std::vector<JointIndex> FindUnactuatedJoints(
    ModelInstanceIndex model_instance, const MultibodyPlant<double>& plant) {
  std::set<JointIndex> taken;
  for (const JointActuatorIndex i : plant.GetJointActuatorIndices()) {
    for (const auto& term : plant.get_joint_actuator(i).terms()) {
      taken.insert(term.joint->index());
    }
  }
  for (const auto& [id, spec] : plant.get_coupler_constraint_specs()) {
    taken.insert(spec.joint0_index);
  }
  std::vector<JointIndex> result;
  for (const JointIndex i : plant.GetJointIndices(model_instance)) {
    if (plant.get_joint(i).num_velocities() == 1 && !taken.contains(i)) {
      result.push_back(i);
    }
  }
  return result;
}

std::vector<JointActuatorIndex> AddMissingActuators(
    ModelInstanceIndex model_instance, const std::vector<std::string>& joints,
    const JointFactsMap& facts, MultibodyPlant<double>* plant) {
  constexpr char kWho[] = "AddMissingActuators";
  wyvern::internal::RequireNotNull(kWho, "plant", plant);
  const auto effort_limit = [&facts](JointIndex joint) {
    const auto found = facts.find(joint);
    return found == facts.end() ? JointFacts{}.effort_limit
                                : found->second.effort_limit;
  };
  const std::vector<JointIndex> free =
      FindUnactuatedJoints(model_instance, *plant);
  std::vector<JointIndex> chosen;
  for (const std::string& name : joints) {
    const JointIndex joint =
        plant->GetJointByName(name, model_instance).index();
    const char* const obstacle =
        std::ranges::count(chosen, joint) > 0 ? "is named twice"
        : std::ranges::count(free, joint) == 0
            ? "has an actuator, follows another joint, or has not one degree "
              "of freedom"
        : effort_limit(joint) == 0 ? "has an effort limit of 0"
                                   : nullptr;
    if (obstacle != nullptr) {
      throw std::logic_error(
          fmt::format("{}(): joint '{}' of '{}' {}; leave it out.", kWho, name,
                      plant->GetModelInstanceName(model_instance), obstacle));
    }
    chosen.push_back(joint);
  }
  if (joints.empty()) {
    std::ranges::copy_if(
        free, std::back_inserter(chosen),
        [&](JointIndex joint) { return effort_limit(joint) != 0; });
  }
  std::vector<JointActuatorIndex> added;
  for (const JointIndex i : chosen) {
    const Joint<double>& joint = plant->get_joint(i);
    added.push_back(
        plant->AddJointActuator(joint.name(), joint, effort_limit(i)).index());
  }
  return added;
}

}  // namespace wyvern::multibody
