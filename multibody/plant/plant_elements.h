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
  const RigidBody<T>& world_body() const { return core_.tree().world_body(); }
  const RigidBodyFrame<T>& world_frame() const {
    return world_body().body_frame();
  }
  const RigidBody<T>& get_body(BodyIndex body_index) const {
    return core_.tree().bodies().get(body_index);
  }
  const Frame<T>& get_frame(FrameIndex frame_index) const {
    return core_.tree().frames().get(frame_index);
  }
  bool has_joint(JointIndex joint_index) const {
    return core_.tree().joints().has(joint_index);
  }
  const Joint<T>& get_joint(JointIndex joint_index) const {
    return core_.tree().joints().get(joint_index);
  }
  Joint<T>& get_mutable_joint(JointIndex joint_index) {
    return core_.tree().joints().get(joint_index);
  }
  bool has_joint_actuator(JointActuatorIndex actuator_index) const {
    return core_.tree().actuators().has(actuator_index);
  }
  const JointActuator<T>& get_joint_actuator(
      JointActuatorIndex actuator_index) const {
    return core_.tree().actuators().get(actuator_index);
  }
  JointActuator<T>& get_mutable_joint_actuator(
      JointActuatorIndex actuator_index) {
    return core_.tree().actuators().get(actuator_index);
  }
  const ForceElement<T>& get_force_element(
      ForceElementIndex force_element_index) const;
  /** @throws std::logic_error if it is of another type. */
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
  int num_bodies() const { return core_.tree().num_bodies(); }
  int num_frames() const { return core_.tree().frames().num(); }
  int num_joints() const { return core_.tree().joints().num(); }
  int num_force_elements() const {
    return static_cast<int>(core_.tree().force_elements().size());
  }
  int num_model_instances() const { return core_.tree().num_model_instances(); }
  int num_actuators() const { return core_.tree().actuators().num(); }
  int num_actuators(ModelInstanceIndex model_instance) const;
  int num_actuated_dofs() const;
  int num_actuated_dofs(ModelInstanceIndex model_instance) const;
  int num_positions() const { return structure("num_positions").num_q; }
  int num_positions(ModelInstanceIndex model_instance) const;
  int num_velocities() const { return structure("num_velocities").num_v; }
  int num_velocities(ModelInstanceIndex model_instance) const;
  int num_multibody_states() const {
    return num_positions() + num_velocities();
  }
  int num_multibody_states(ModelInstanceIndex model_instance) const;
  /** @} */

  /** @name By name
  @{ */
  int NumBodiesWithName(std::string_view name) const {
    return core_.tree().bodies().CountNamed(name);
  }
  bool HasBodyNamed(std::string_view name) const;
  bool HasBodyNamed(std::string_view name,
                    ModelInstanceIndex model_instance) const;
  const RigidBody<T>& GetBodyByName(std::string_view name) const;
  const RigidBody<T>& GetBodyByName(std::string_view name,
                                    ModelInstanceIndex model_instance) const;
  const RigidBody<T>& GetRigidBodyByName(std::string_view name) const {
    return GetBodyByName(name);
  }
  const RigidBody<T>& GetRigidBodyByName(
      std::string_view name, ModelInstanceIndex model_instance) const {
    return GetBodyByName(name, model_instance);
  }
  bool HasFrameNamed(std::string_view name) const;
  bool HasFrameNamed(std::string_view name,
                     ModelInstanceIndex model_instance) const;
  const Frame<T>& GetFrameByName(std::string_view name) const;
  const Frame<T>& GetFrameByName(std::string_view name,
                                 ModelInstanceIndex model_instance) const;
  bool HasJointNamed(std::string_view name) const;
  bool HasJointNamed(std::string_view name,
                     ModelInstanceIndex model_instance) const;
  /** @throws std::logic_error also if the joint is of another type. */
  template <template <typename> class JointType = Joint>
  const JointType<T>& GetJointByName(
      std::string_view name,
      std::optional<ModelInstanceIndex> model_instance = std::nullopt) const {
    const auto* typed = dynamic_cast<const JointType<T>*>(
        &FindJointByName(name, model_instance));
    if (typed == nullptr) ThrowWrongType("GetJointByName", name);
    return *typed;
  }
  template <template <typename> class JointType = Joint>
  JointType<T>& GetMutableJointByName(
      std::string_view name,
      std::optional<ModelInstanceIndex> model_instance = std::nullopt) {
    return const_cast<JointType<T>&>(
        GetJointByName<JointType>(name, model_instance));
  }
  bool HasJointActuatorNamed(std::string_view name) const;
  bool HasJointActuatorNamed(std::string_view name,
                             ModelInstanceIndex model_instance) const;
  const JointActuator<T>& GetJointActuatorByName(std::string_view name) const;
  const JointActuator<T>& GetJointActuatorByName(
      std::string_view name, ModelInstanceIndex model_instance) const;
  bool HasModelInstanceNamed(std::string_view name) const {
    return core_.tree().HasModelInstanceNamed(name);
  }
  ModelInstanceIndex GetModelInstanceByName(std::string_view name) const {
    return core_.tree().GetModelInstanceByName(name);
  }
  const std::string& GetModelInstanceName(
      ModelInstanceIndex model_instance) const {
    return core_.tree().GetModelInstanceName(model_instance);
  }
  /** @} */

  /** @name Indices
  In increasing order.
  @{ */
  std::vector<BodyIndex> GetBodyIndices(
      ModelInstanceIndex model_instance) const;
  std::vector<FrameIndex> GetFrameIndices(
      ModelInstanceIndex model_instance) const;
  const std::vector<JointIndex>& GetJointIndices() const {
    return core_.tree().joints().indices();
  }
  std::vector<JointIndex> GetJointIndices(
      ModelInstanceIndex model_instance) const;
  const std::vector<JointActuatorIndex>& GetJointActuatorIndices() const {
    return core_.tree().actuators().indices();
  }
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
  const engine::Model& structure(std::string_view function) const {
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
