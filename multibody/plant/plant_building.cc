#include "wyvern/multibody/plant/plant_building.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using math::RigidTransform;

template <typename T>
const RigidBody<T>& PlantBuilding<T>::AddRigidBody(
    const std::string& name, ModelInstanceIndex model_instance,
    const SpatialInertia<double>& M_BBo_B) {
  const RigidBody<T>& body = building_tree().AddRigidBody(
      std::make_unique<RigidBody<T>>(name, model_instance, M_BBo_B));
  AfterAddingBody(body);
  return body;
}

template <typename T>
const RigidBody<T>& PlantBuilding<T>::AddRigidBody(
    const std::string& name, const SpatialInertia<double>& M_BBo_B) {
  if (core_.tree().num_model_instances() > 2) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant::AddRigidBody(): body '{}' was added without a model "
        "instance to a plant that has more than the default one; say which "
        "one.",
        name));
  }
  return AddRigidBody(name, default_model_instance(), M_BBo_B);
}

template <typename T>
const Frame<T>& PlantBuilding<T>::JointFrame(
    const std::string& joint, const char* role, const RigidBody<T>& body,
    const RigidBody<T>& child, const std::optional<RigidTransform<double>>& X) {
  core_.tree().RequireNotFinalized("AddJoint",
                                   fmt::format("joint '{}' was added", joint));
  core_.tree().RequireMember(body, "AddJoint");
  core_.tree().RequireMember(child, "AddJoint");
  if (!X.has_value()) return body.body_frame();
  return AddFrame(std::make_unique<FixedOffsetFrame<T>>(
      fmt::format("{}_{}", joint, role), body.body_frame(), *X,
      child.model_instance()));
}

template <typename T>
const WeldJoint<T>& PlantBuilding<T>::WeldFrames(
    const Frame<T>& frame_on_parent_F, const Frame<T>& frame_on_child_M,
    const RigidTransform<double>& X_FM) {
  const std::string name = fmt::format(
      "{}_welds_to_{}", frame_on_parent_F.name(), frame_on_child_M.name());
  return AddJoint(std::make_unique<WeldJoint<T>>(name, frame_on_parent_F,
                                                 frame_on_child_M, X_FM));
}

template <typename T>
const JointActuator<T>& PlantBuilding<T>::AddJointActuator(
    const std::string& name, const Joint<T>& joint, double effort_limit) {
  return building_tree().AddJointActuator(
      std::make_unique<JointActuator<T>>(name, joint, effort_limit));
}

template <typename T>
const JointActuator<T>& PlantBuilding<T>::AddTendonActuator(
    const std::string& name, std::vector<TendonTerm<T>> terms,
    double effort_limit) {
  return building_tree().AddJointActuator(
      std::make_unique<JointActuator<T>>(name, std::move(terms), effort_limit));
}

template <typename T>
const JointActuator<T>& PlantBuilding<T>::AddTendonActuator(
    const std::string& name, const SpatialTendon<T>& tendon,
    double effort_limit) {
  return building_tree().AddJointActuator(
      std::make_unique<JointActuator<T>>(name, tendon, effort_limit));
}

template <typename T>
void PlantBuilding<T>::RemoveJoint(const Joint<T>& joint) {
  if (constraints_.size() > 0) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant::RemoveJoint(): joint '{}' cannot be removed from a "
        "model with constraints, which may refer to it; remove those first.",
        joint.name()));
  }
  building_tree().RemoveJoint(joint);
}

template <typename T>
void PlantBuilding<T>::RemoveJointActuator(const JointActuator<T>& actuator) {
  building_tree().RemoveJointActuator(actuator);
}

template <typename T>
void PlantBuilding<T>::SetBaseBodyJointType(
    BaseBodyJointType joint_type,
    std::optional<ModelInstanceIndex> model_instance) {
  building_tree().SetBaseBodyJointType(joint_type, model_instance);
}

template <typename T>
BaseBodyJointType PlantBuilding<T>::GetBaseBodyJointType(
    std::optional<ModelInstanceIndex> model_instance) const {
  return core_.tree().GetBaseBodyJointType(model_instance);
}

template <typename T>
UniformGravityFieldElement<T>& PlantBuilding<T>::mutable_gravity_field() {
  return core_.tree().gravity_field();
}

template <typename T>
void PlantBuilding<T>::set_gravity_enabled(ModelInstanceIndex model_instance,
                                           bool is_enabled) {
  mutable_gravity_field().set_enabled(model_instance, is_enabled);
}

template <typename T>
bool PlantBuilding<T>::is_gravity_enabled(
    ModelInstanceIndex model_instance) const {
  return gravity_field().is_enabled(model_instance);
}

template <typename T>
ModelInstanceIndex PlantBuilding<T>::AddModelInstance(const std::string& name) {
  return building_tree().AddModelInstance(name);
}

template <typename T>
void PlantBuilding<T>::RenameModelInstance(ModelInstanceIndex model_instance,
                                           const std::string& name) {
  core_.tree().RequireModelInstance(model_instance, "RenameModelInstance");
  const std::string old_name =
      core_.tree().GetModelInstanceName(model_instance);
  building_tree().RenameModelInstance(model_instance, name);
  AfterRenamingModelInstance(model_instance, old_name);
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::PlantBuilding);
