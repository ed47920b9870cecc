#include "wyvern/multibody/tree/multibody_tree.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/multibody/tree/tendon_force.h"
#include "wyvern/systems/common/default_scalars.h"

/* Building a model: every Add...() checks that the model is open and that the
names are free, takes the element and tells it its index. Everything that
follows from the whole, such as the order of bodies, is compiled by
Finalize(), in multibody_tree_finalize.cc. */

namespace wyvern::multibody::internal {

template <typename T>
MultibodyTree<T>::MultibodyTree(const MultibodyTreeSystem<T>& tree_system,
                                const char* class_name)
    : tree_system_(tree_system), class_name_(class_name) {}

template <typename T>
MultibodyTree<T>::~MultibodyTree() = default;

template <typename T>
std::string MultibodyTree<T>::FunctionName(std::string_view function) const {
  return fmt::format("{}::{}", class_name_, function);
}

template <typename T>
void MultibodyTree<T>::AddWorldAndGravity() {
  instance_names_ = {"WorldModelInstance", "DefaultModelInstance"};
  AddRigidBody(std::make_unique<RigidBody<T>>("world", world_model_instance()));
  gravity_field_ = static_cast<UniformGravityFieldElement<T>*>(
      &AddForceElement(std::make_unique<UniformGravityFieldElement<T>>()));
}

template <typename T>
void MultibodyTree<T>::RequireFinalized(std::string_view function) const {
  if (finalized_) return;
  throw std::logic_error(
      fmt::format("{}::{}(): the model is not finalized; call Finalize() once "
                  "all elements are added.",
                  class_name_, function));
}

template <typename T>
void MultibodyTree<T>::RequireNotFinalized(std::string_view function,
                                           std::string_view what) const {
  if (!finalized_) return;
  throw std::logic_error(
      fmt::format("{}::{}(): {} after Finalize(); add all elements "
                  "and make all settings before calling Finalize().",
                  class_name_, function, what));
}

template <typename T>
const std::string& MultibodyTree<T>::GetModelInstanceName(
    ModelInstanceIndex index) const {
  RequireModelInstance(index, "GetModelInstanceName");
  return instance_names_[index];
}

template <typename T>
void MultibodyTree<T>::RequireModelInstance(ModelInstanceIndex index,
                                            std::string_view function) const {
  if (index.is_valid() && index < num_model_instances()) return;
  throw std::out_of_range(fmt::format(
      "{}::{}(): there is no model instance with {}; there are {} of them.",
      class_name_, function,
      index.is_valid() ? fmt::format("index {}", static_cast<int>(index))
                       : std::string("an invalid index"),
      num_model_instances()));
}

template <typename T>
bool MultibodyTree<T>::HasModelInstanceNamed(std::string_view name) const {
  return std::ranges::find(instance_names_, name) != instance_names_.end();
}

template <typename T>
ModelInstanceIndex MultibodyTree<T>::GetModelInstanceByName(
    std::string_view name) const {
  const auto found = std::ranges::find(instance_names_, name);
  if (found == instance_names_.end()) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant::GetModelInstanceByName(): there is no model instance "
        "named '{}'; their names are: {}.",
        name, fmt::join(instance_names_, ", ")));
  }
  return ModelInstanceIndex(static_cast<int>(found - instance_names_.begin()));
}

template <typename T>
ModelInstanceIndex MultibodyTree<T>::AddModelInstance(const std::string& name) {
  RequireNotFinalized("AddModelInstance",
                      fmt::format("model instance '{}' was added", name));
  RequireName(name, "model instance");
  if (HasModelInstanceNamed(name)) {
    throw std::runtime_error(fmt::format(
        "MultibodyPlant::AddModelInstance(): there is already a model instance "
        "named '{}'; names must be unique.",
        name));
  }
  instance_names_.push_back(name);
  return ModelInstanceIndex(num_model_instances() - 1);
}

template <typename T>
void MultibodyTree<T>::RenameModelInstance(ModelInstanceIndex index,
                                           const std::string& name) {
  RequireNotFinalized("RenameModelInstance",
                      fmt::format("a model instance was renamed '{}'", name));
  RequireModelInstance(index, "RenameModelInstance");
  RequireName(name, "model instance");
  if (HasModelInstanceNamed(name)) {
    throw std::runtime_error(fmt::format(
        "MultibodyPlant::RenameModelInstance(): there is already a model "
        "instance named '{}'; names must be unique.",
        name));
  }
  instance_names_[index] = name;
}

template <typename T>
template <class Collection>
void MultibodyTree<T>::RequireFreeName(const Collection& collection,
                                       std::string_view kind,
                                       const std::string& name,
                                       ModelInstanceIndex instance) const {
  if (collection.Find(name, instance) != nullptr) {
    ThrowDuplicateName(class_name_, kind, name, instance_names_[instance]);
  }
}

template <typename T>
RigidBody<T>& MultibodyTree<T>::AddRigidBody(
    std::unique_ptr<RigidBody<T>> body) {
  if (Deref(body.get(), FunctionName("AddRigidBody")).name().empty()) {
    body->name_ = body->body_frame_.name_ =
        fmt::format("body_{}", static_cast<int>(bodies_.next_index()));
  }
  const std::string& name = body->name();
  RequireNotFinalized("AddRigidBody", fmt::format("body '{}' was added", name));
  RequireModelInstance(body->model_instance(), "AddRigidBody");
  RequireFreeName(bodies_, "body", name, body->model_instance());
  RequireFreeName(frames_, "frame", name, body->model_instance());
  body->index_ = bodies_.next_index();
  body->body_frame_.index_ = frames_.next_index();
  Adopt(body.get());
  Adopt<Frame<T>>(&body->body_frame_);
  frames_.AddBorrowed(&body->body_frame_);
  return bodies_.Add(std::move(body));
}

template <typename T>
Frame<T>& MultibodyTree<T>::AddFrame(std::unique_ptr<Frame<T>> frame) {
  if (Deref(frame.get(), FunctionName("AddFrame")).name().empty()) {
    frame->name_ =
        fmt::format("frame_{}", static_cast<int>(frames_.next_index()));
  }
  const std::string& name = frame->name();
  RequireNotFinalized("AddFrame", fmt::format("frame '{}' was added", name));
  RequireModelInstance(frame->model_instance(), "AddFrame");
  RequireMember(frame->body(), "AddFrame");
  RequireFreeName(frames_, "frame", name, frame->model_instance());
  frame->index_ = frames_.next_index();
  Adopt(frame.get());
  return frames_.Add(std::move(frame));
}

template <typename T>
Joint<T>& MultibodyTree<T>::AddJoint(std::unique_ptr<Joint<T>> joint) {
  const std::string& name = Deref(joint.get(), FunctionName("AddJoint")).name();
  RequireNotFinalized("AddJoint", fmt::format("joint '{}' was added", name));
  RequireMember(joint->frame_on_parent(), "AddJoint");
  RequireMember(joint->frame_on_child(), "AddJoint");
  RequireFreeName(joints_, "joint", name, joint->model_instance());
  joint->index_ = joints_.next_index();
  joint->ordinal_ = joints_.num();
  Adopt(joint.get());
  return joints_.Add(std::move(joint));
}

template <typename T>
JointActuator<T>& MultibodyTree<T>::AddJointActuator(
    std::unique_ptr<JointActuator<T>> actuator) {
  const std::string& name =
      Deref(actuator.get(), FunctionName("AddJointActuator")).name();
  RequireNotFinalized("AddJointActuator",
                      fmt::format("actuator '{}' was added", name));
  actuator->coordinate().RequireMembers(*this, "AddJointActuator");
  RequireFreeName(actuators_, "joint actuator", name,
                  actuator->model_instance());
  if (!actuator->acts_on_tendon()) RequireFreeJoint(*actuator);
  if (actuator->acts_on_spatial_tendon() &&
      std::ranges::none_of(force_elements_, [&actuator](const auto& element) {
        return element.get() == actuator->tendon_;
      })) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant::AddJointActuator(): actuator '{}' acts along a tendon "
        "that this model does not have; add the tendon first, by "
        "AddForceElement().",
        name));
  }
  actuator->index_ = actuators_.next_index();
  Adopt(actuator.get());
  return actuators_.Add(std::move(actuator));
}

template <typename T>
void MultibodyTree<T>::RequireFreeJoint(
    const JointActuator<T>& actuator) const {
  const std::string& name = actuator.name();
  const Joint<T>& joint = actuator.joint();
  if (joint.num_velocities() != 1) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant::AddJointActuator(): actuator '{}' is for joint '{}', "
        "which has {} degrees of freedom; only joints with one can be "
        "actuated.",
        name, joint.name(), joint.num_velocities()));
  }
  for (const JointActuator<T>* other : actuators_.elements()) {
    if (other->acts_on_tendon() || &other->joint() != &joint) continue;
    throw std::logic_error(fmt::format(
        "MultibodyPlant::AddJointActuator(): actuator '{}' is for joint '{}', "
        "which already has actuator '{}'; a joint has at most one.",
        name, joint.name(), other->name()));
  }
}

template <typename T>
ForceElement<T>& MultibodyTree<T>::AddForceElement(
    std::unique_ptr<ForceElement<T>> element) {
  Deref(element.get(), FunctionName("AddForceElement"));
  RequireNotFinalized("AddForceElement", "a force element was added");
  RequireModelInstance(element->model_instance(), "AddForceElement");
  if (gravity_field_ != nullptr &&
      dynamic_cast<UniformGravityFieldElement<T>*>(element.get()) != nullptr) {
    throw std::logic_error(
        "MultibodyPlant::AddForceElement(): the model already has uniform "
        "gravity; change it through mutable_gravity_field().");
  }
  element->DoRequireMembers(*this);
  element->index_ = ForceElementIndex(static_cast<int>(force_elements_.size()));
  Adopt(element.get());
  force_elements_.push_back(std::move(element));
  return *force_elements_.back();
}

template <typename T>
void MultibodyTree<T>::RemoveJoint(const Joint<T>& joint) {
  RequireNotFinalized("RemoveJoint",
                      fmt::format("joint '{}' was removed", joint.name()));
  RequireMember(joint, "RemoveJoint");
  if (force_elements_.size() > 1) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant::RemoveJoint(): joint '{}' cannot be removed from a "
        "model with force elements other than gravity, which may refer to it.",
        joint.name()));
  }
  for (const JointActuator<T>* actuator : actuators_.elements()) {
    const bool acts = std::ranges::any_of(
        actuator->terms(),
        [&joint](const TendonTerm<T>& term) { return term.joint == &joint; });
    if (!acts) continue;
    throw std::logic_error(fmt::format(
        "MultibodyPlant::RemoveJoint(): joint '{}' has the actuator '{}'; "
        "remove that first.",
        joint.name(), actuator->name()));
  }
  joints_.Remove(joint.index());
  int ordinal = 0;
  for (Joint<T>* other : joints_.elements()) other->ordinal_ = ordinal++;
}

template <typename T>
void MultibodyTree<T>::RemoveJointActuator(const JointActuator<T>& actuator) {
  RequireNotFinalized(
      "RemoveJointActuator",
      fmt::format("actuator '{}' was removed", actuator.name()));
  RequireMember(actuator, "RemoveJointActuator");
  actuators_.Remove(actuator.index());
}

template <typename T>
void MultibodyTree<T>::SetBaseBodyJointType(
    BaseBodyJointType type, std::optional<ModelInstanceIndex> model_instance) {
  RequireNotFinalized("SetBaseBodyJointType",
                      "the type of base body joints was set");
  if (!model_instance.has_value()) {
    base_joint_type_ = type;
    return;
  }
  RequireModelInstance(*model_instance, "SetBaseBodyJointType");
  instance_base_joint_types_[*model_instance] = type;
}

template <typename T>
BaseBodyJointType MultibodyTree<T>::GetBaseBodyJointType(
    std::optional<ModelInstanceIndex> model_instance) const {
  if (!model_instance.has_value()) return base_joint_type_;
  const auto found = instance_base_joint_types_.find(*model_instance);
  return found == instance_base_joint_types_.end() ? base_joint_type_
                                                   : found->second;
}

namespace {

template <class Collection, class Element>
void RequireMemberOf(const Collection& collection, const Element& element,
                     std::string_view kind, const char* class_name,
                     std::string_view function) {
  if (collection.is_member(element, element.index())) return;
  throw std::logic_error(fmt::format(
      "{}::{}(): {} '{}' does not belong to this model; use elements that this "
      "model's own functions returned.",
      class_name, function, kind, element.name()));
}

}  // namespace

template <typename T>
void MultibodyTree<T>::RequireMember(const RigidBody<T>& body,
                                     std::string_view function) const {
  RequireMemberOf(bodies_, body, "body", class_name_, function);
}

template <typename T>
void MultibodyTree<T>::RequireMember(const Frame<T>& frame,
                                     std::string_view function) const {
  RequireMemberOf(frames_, frame, "frame", class_name_, function);
}

template <typename T>
void MultibodyTree<T>::RequireMember(const Joint<T>& joint,
                                     std::string_view function) const {
  RequireMemberOf(joints_, joint, "joint", class_name_, function);
}

template <typename T>
void MultibodyTree<T>::RequireMember(const JointActuator<T>& actuator,
                                     std::string_view function) const {
  RequireMemberOf(actuators_, actuator, "actuator", class_name_, function);
}

template <typename T>
const InstanceIndices& MultibodyTree<T>::instance(
    ModelInstanceIndex index, std::string_view function) const {
  RequireFinalized(function);
  RequireModelInstance(index, function);
  return instances_[index];
}

template <typename T>
const dynamics::Model& MultibodyTree<T>::model(
    std::string_view function) const {
  RequireFinalized(function);
  return model_;
}

template <typename T>
const Joint<T>* MultibodyTree<T>::FindInboardJoint(
    BodyIndex body, std::string_view function) const {
  RequireFinalized(function);
  return inboard_joints_[model_body(body)];
}

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::MultibodyTree);
