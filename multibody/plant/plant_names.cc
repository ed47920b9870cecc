#include "wyvern/multibody/plant/plant_names.h"

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

namespace {

std::vector<std::string> Select(const std::vector<std::string>& names,
                                const std::vector<int>& indices) {
  std::vector<std::string> result;
  for (int i : indices) result.push_back(names[i]);
  return result;
}

}  // namespace

template <typename T>
std::string PlantNames<T>::Prefix(ModelInstanceIndex model_instance,
                                  bool wanted) const {
  return wanted ? core_.tree().GetModelInstanceName(model_instance) + "_" : "";
}

template <typename T>
std::vector<std::string> PlantNames<T>::GetPositionNames(
    bool add_model_instance_prefix, bool always_add_suffix) const {
  core_.tree().RequireFinalized("GetPositionNames");
  std::vector<std::string> names(core_.num_q());
  for (const Joint<T>* joint : core_.tree().joints().elements()) {
    const std::string name =
        Prefix(joint->model_instance(), add_model_instance_prefix) +
        joint->name();
    const bool with_suffix = always_add_suffix || joint->num_positions() > 1;
    for (int i = 0; i < joint->num_positions(); ++i) {
      names[joint->position_start() + i] =
          with_suffix ? name + "_" + joint->position_suffix(i) : name;
    }
  }
  return names;
}

template <typename T>
std::vector<std::string> PlantNames<T>::GetPositionNames(
    ModelInstanceIndex model_instance, bool add_model_instance_prefix,
    bool always_add_suffix) const {
  return Select(GetPositionNames(add_model_instance_prefix, always_add_suffix),
                core_.tree().instance(model_instance, "GetPositionNames").q);
}

template <typename T>
std::vector<std::string> PlantNames<T>::GetVelocityNames(
    bool add_model_instance_prefix, bool always_add_suffix) const {
  core_.tree().RequireFinalized("GetVelocityNames");
  std::vector<std::string> names(core_.num_v());
  for (const Joint<T>* joint : core_.tree().joints().elements()) {
    const std::string name =
        Prefix(joint->model_instance(), add_model_instance_prefix) +
        joint->name();
    const bool with_suffix = always_add_suffix || joint->num_velocities() > 1;
    for (int i = 0; i < joint->num_velocities(); ++i) {
      names[joint->velocity_start() + i] =
          with_suffix ? name + "_" + joint->velocity_suffix(i) : name;
    }
  }
  return names;
}

template <typename T>
std::vector<std::string> PlantNames<T>::GetVelocityNames(
    ModelInstanceIndex model_instance, bool add_model_instance_prefix,
    bool always_add_suffix) const {
  return Select(GetVelocityNames(add_model_instance_prefix, always_add_suffix),
                core_.tree().instance(model_instance, "GetVelocityNames").v);
}

template <typename T>
std::vector<std::string> PlantNames<T>::GetStateNames(
    bool add_model_instance_prefix) const {
  core_.tree().RequireFinalized("GetStateNames");
  std::vector<std::string> names = GetPositionNames(add_model_instance_prefix);
  for (std::string& name : GetVelocityNames(add_model_instance_prefix)) {
    names.push_back(std::move(name));
  }
  return names;
}

template <typename T>
std::vector<std::string> PlantNames<T>::GetStateNames(
    ModelInstanceIndex model_instance, bool add_model_instance_prefix) const {
  core_.tree().RequireFinalized("GetStateNames");
  std::vector<std::string> names =
      GetPositionNames(model_instance, add_model_instance_prefix);
  for (std::string& name :
       GetVelocityNames(model_instance, add_model_instance_prefix)) {
    names.push_back(std::move(name));
  }
  return names;
}

template <typename T>
std::vector<std::string> PlantNames<T>::GetActuatorNames(
    bool add_model_instance_prefix) const {
  core_.tree().RequireFinalized("GetActuatorNames");
  std::vector<std::string> names;
  for (const JointActuator<T>* actuator : core_.tree().actuators().elements()) {
    names.push_back(
        Prefix(actuator->model_instance(), add_model_instance_prefix) +
        actuator->name());
  }
  return names;
}

template <typename T>
std::vector<std::string> PlantNames<T>::GetActuatorNames(
    ModelInstanceIndex model_instance, bool add_model_instance_prefix) const {
  return Select(GetActuatorNames(add_model_instance_prefix),
                core_.tree().instance(model_instance, "GetActuatorNames").u);
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::PlantNames);
