#pragma once

#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody {

/** The part of a MultibodyPlant that finds its elements and says what there is.

By name: without a model instance the name must occur in one only;
std::logic_error if it occurs in several, or if it does not occur (the message
lists those that do), for which Has...Named() are just false. By index:
std::out_of_range if there is none. A model instance that does not exist throws
std::out_of_range, a function for finalized plants std::logic_error. */
template <typename T>
class PlantElements {
 public:
  /** @name By index
  @{ */
  /** The body that does not move, with index 0. */
  const RigidBody<T>& world_body() const { return core_.tree().world_body(); }
  /** The frame W of the world. */
  const RigidBodyFrame<T>& world_frame() const {
    return world_body().body_frame();
  }
  /** A body. */
  const RigidBody<T>& get_body(BodyIndex body_index) const {
    return core_.tree().bodies().get(body_index);
  }
  /** A frame. */
  const Frame<T>& get_frame(FrameIndex frame_index) const {
    return core_.tree().frames().get(frame_index);
  }
  /** True if a joint has this index; false if it was removed. */
  bool has_joint(JointIndex joint_index) const {
    return core_.tree().joints().has(joint_index);
  }
  /** A joint. */
  const Joint<T>& get_joint(JointIndex joint_index) const {
    return core_.tree().joints().get(joint_index);
  }
  /** A joint, to be changed. */
  Joint<T>& get_mutable_joint(JointIndex joint_index) {
    return core_.tree().joints().get(joint_index);
  }
  /** True if an actuator has this index; false if it was removed. */
  bool has_joint_actuator(JointActuatorIndex actuator_index) const {
    return core_.tree().actuators().has(actuator_index);
  }
  /** An actuator. */
  const JointActuator<T>& get_joint_actuator(
      JointActuatorIndex actuator_index) const {
    return core_.tree().actuators().get(actuator_index);
  }
  /** An actuator, to be changed. */
  JointActuator<T>& get_mutable_joint_actuator(
      JointActuatorIndex actuator_index) {
    return core_.tree().actuators().get(actuator_index);
  }
  /** A force element; gravity has index 0. */
  const ForceElement<T>& get_force_element(
      ForceElementIndex force_element_index) const;
  /** Returns a force element as its own type.
  @throws std::logic_error if it is of another type. */
  template <template <typename> class ForceElementType = ForceElement>
  const ForceElementType<T>& GetForceElement(
      ForceElementIndex force_element_index) const {
    const auto* typed = dynamic_cast<const ForceElementType<T>*>(
        &get_force_element(force_element_index));
    if (typed == nullptr) ThrowWrongType("GetForceElement", "force element");
    return *typed;
  }
  /** @} */

  /** @name Counts
  Bodies, frames and force elements include the world's and gravity.
  @{ */
  /** Number of bodies. */
  int num_bodies() const { return core_.tree().num_bodies(); }
  /** Number of frames, body frames included. */
  int num_frames() const { return core_.tree().frames().num(); }
  /** Number of joints; those that Finalize() adds count from then on. */
  int num_joints() const { return core_.tree().joints().num(); }
  /** Number of force elements. */
  int num_force_elements() const {
    return static_cast<int>(core_.tree().force_elements().size());
  }
  /** Number of model instances, those of the world and the default included. */
  int num_model_instances() const { return core_.tree().num_model_instances(); }
  /** Number of actuators. */
  int num_actuators() const { return core_.tree().actuators().num(); }
  /** Number of actuators of a model instance, once finalized. */
  int num_actuators(ModelInstanceIndex model_instance) const;
  /** Number of elements of the actuation vector u, once finalized. */
  int num_actuated_dofs() const;
  /** Number of elements of u that belong to a model instance, once
  finalized. */
  int num_actuated_dofs(ModelInstanceIndex model_instance) const;
  /** Number of elements of q, once finalized. */
  int num_positions() const { return structure("num_positions").num_q; }
  /** Number of elements of q that belong to a model instance, once
  finalized. */
  int num_positions(ModelInstanceIndex model_instance) const;
  /** Number of elements of v, once finalized. */
  int num_velocities() const { return structure("num_velocities").num_v; }
  /** Number of elements of v that belong to a model instance, once
  finalized. */
  int num_velocities(ModelInstanceIndex model_instance) const;
  /** Number of elements of x = [q; v], once finalized. */
  int num_multibody_states() const {
    return num_positions() + num_velocities();
  }
  /** Number of elements of x that belong to a model instance, once
  finalized. */
  int num_multibody_states(ModelInstanceIndex model_instance) const;
  /** @} */

  /** @name By name
  @{ */
  /** Number of bodies with this name, in all model instances. */
  int NumBodiesWithName(std::string_view name) const {
    return core_.tree().bodies().CountNamed(name);
  }
  /** True if one body has this name. */
  bool HasBodyNamed(std::string_view name) const;
  /** True if a body of the model instance has this name. */
  bool HasBodyNamed(std::string_view name,
                    ModelInstanceIndex model_instance) const;
  /** The body with this name. */
  const RigidBody<T>& GetBodyByName(std::string_view name) const;
  /** The body of the model instance with this name. */
  const RigidBody<T>& GetBodyByName(std::string_view name,
                                    ModelInstanceIndex model_instance) const;
  /** Does GetBodyByName(). */
  const RigidBody<T>& GetRigidBodyByName(std::string_view name) const {
    return GetBodyByName(name);
  }
  /** Does GetBodyByName(). */
  const RigidBody<T>& GetRigidBodyByName(
      std::string_view name, ModelInstanceIndex model_instance) const {
    return GetBodyByName(name, model_instance);
  }
  /** True if one frame has this name. */
  bool HasFrameNamed(std::string_view name) const;
  /** True if a frame of the model instance has this name. */
  bool HasFrameNamed(std::string_view name,
                     ModelInstanceIndex model_instance) const;
  /** The frame with this name; a body frame has the name of the body. */
  const Frame<T>& GetFrameByName(std::string_view name) const;
  /** The frame of the model instance with this name. */
  const Frame<T>& GetFrameByName(std::string_view name,
                                 ModelInstanceIndex model_instance) const;
  /** True if one joint has this name. */
  bool HasJointNamed(std::string_view name) const;
  /** True if a joint of the model instance has this name. */
  bool HasJointNamed(std::string_view name,
                     ModelInstanceIndex model_instance) const;
  /** Returns the joint with this name, as its own type.
  @throws std::logic_error also if the joint is of another type. */
  template <template <typename> class JointType = Joint>
  const JointType<T>& GetJointByName(
      std::string_view name,
      std::optional<ModelInstanceIndex> model_instance = std::nullopt) const {
    const auto* typed = dynamic_cast<const JointType<T>*>(
        &FindJointByName(name, model_instance));
    if (typed == nullptr) ThrowWrongType("GetJointByName", name);
    return *typed;
  }
  /** Mutable variant of GetJointByName(). */
  template <template <typename> class JointType = Joint>
  JointType<T>& GetMutableJointByName(
      std::string_view name,
      std::optional<ModelInstanceIndex> model_instance = std::nullopt) {
    return const_cast<JointType<T>&>(
        GetJointByName<JointType>(name, model_instance));
  }
  /** True if one actuator has this name. */
  bool HasJointActuatorNamed(std::string_view name) const;
  /** True if an actuator of the model instance has this name. */
  bool HasJointActuatorNamed(std::string_view name,
                             ModelInstanceIndex model_instance) const;
  /** The actuator with this name. */
  const JointActuator<T>& GetJointActuatorByName(std::string_view name) const;
  /** The actuator of the model instance with this name. */
  const JointActuator<T>& GetJointActuatorByName(
      std::string_view name, ModelInstanceIndex model_instance) const;
  /** True if a model instance has this name. */
  bool HasModelInstanceNamed(std::string_view name) const {
    return core_.tree().HasModelInstanceNamed(name);
  }
  /** The model instance with this name.
  @throws std::logic_error if there is none. */
  ModelInstanceIndex GetModelInstanceByName(std::string_view name) const {
    return core_.tree().GetModelInstanceByName(name);
  }
  /** The name of a model instance. */
  const std::string& GetModelInstanceName(
      ModelInstanceIndex model_instance) const {
    return core_.tree().GetModelInstanceName(model_instance);
  }
  /** @} */

  /** @name Indices
  In increasing order.
  @{ */
  /** Bodies of a model instance. */
  std::vector<BodyIndex> GetBodyIndices(
      ModelInstanceIndex model_instance) const;
  /** Frames of a model instance. */
  std::vector<FrameIndex> GetFrameIndices(
      ModelInstanceIndex model_instance) const;
  /** All joints. */
  const std::vector<JointIndex>& GetJointIndices() const {
    return core_.tree().joints().indices();
  }
  /** Joints of a model instance. */
  std::vector<JointIndex> GetJointIndices(
      ModelInstanceIndex model_instance) const;
  /** All actuators. */
  const std::vector<JointActuatorIndex>& GetJointActuatorIndices() const {
    return core_.tree().actuators().indices();
  }
  /** Actuators of a model instance, once finalized. */
  std::vector<JointActuatorIndex> GetJointActuatorIndices(
      ModelInstanceIndex model_instance) const;
  /** The joints on which actuators act, those of tendons too, in the order of
  the actuators; each joint once. */
  std::vector<JointIndex> GetActuatedJointIndices(
      ModelInstanceIndex model_instance) const;
  /** @} */

  /** @name Topology
  @{ */
  /** The joints that close loops of bodies, in their order; a breadth-first
  search from the world finds them farthest from it. They have their positions,
  velocities, limits and forces as other joints have, but the child of each is
  moved by other joints as well: see MultibodyPlant.
  @throws std::logic_error before Finalize(). */
  std::vector<JointIndex> GetLoopJoints() const;
  /** True if no joint lets the body move in the world. */
  bool IsAnchored(const RigidBody<T>& body) const;
  /** The bodies that cannot move against `body`, itself among them; also before
  Finalize(). */
  std::vector<const RigidBody<T>*> GetBodiesWeldedTo(
      const RigidBody<T>& body) const;
  /** All bodies, in sets of bodies welded to each other: that of the world
  first, then by the least index; also before Finalize(). */
  std::vector<std::set<BodyIndex>> FindSubgraphsOfWeldedBodies() const;
  /** The bodies that some of the joints move, directly or not.
  @throws std::logic_error if a joint has no degrees of freedom. */
  std::vector<BodyIndex> GetBodiesKinematicallyAffectedBy(
      const std::vector<JointIndex>& joint_indexes) const;
  /** The bodies that a six degree of freedom joint ties to the world. */
  std::unordered_set<BodyIndex> GetFloatingBaseBodies() const;
  /** True if a joint to the world has just one body of the model instance at
  its other end, and that body floats. */
  bool HasUniqueFreeBaseBody(ModelInstanceIndex model_instance) const;
  /** The body that HasUniqueFreeBaseBody() asks about. @throws std::logic_error
  if there is none. */
  const RigidBody<T>& GetUniqueFreeBaseBodyOrThrow(
      ModelInstanceIndex model_instance) const;
  /** The bodies and joints, by model instance, as a dot program. */
  std::string GetTopologyGraphvizString() const;
  /** @} */

 protected:
  explicit PlantElements(const internal::MultibodyTreeSystem<T>& core)
      : core_(core) {}
  ~PlantElements() = default;

 private:
  const dynamics::Model& structure(std::string_view function) const {
    return core_.tree().model(function);
  }
  const Joint<T>& FindJointByName(
      std::string_view name,
      std::optional<ModelInstanceIndex> model_instance) const;
  [[noreturn]] void ThrowWrongType(std::string_view function,
                                   std::string_view name) const;

  const internal::MultibodyTreeSystem<T>& core_;
};

}  // namespace wyvern::multibody
