#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/multibody/plant/parts/constraint_registry.h"
#include "wyvern/multibody/tree/fixed_offset_frame.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/multibody/tree/weld_joint.h"

namespace wyvern::multibody {

/** The part of a MultibodyPlant that adds and removes elements. All of it is
for before Finalize(): a call after it throws std::logic_error, as does an
element of another plant. A name that a model instance already has for that kind
of element throws std::runtime_error. References returned stay valid as long as
the plant, unless the element is removed. */
template <typename T>
class PlantBuilding {
 public:
  /** @name Bodies and frames
  @{ */
  /** Adds a body to a model instance.
  @param M_BBo_B the body's spatial inertia about Bo, in B.
  @throws std::logic_error if it is not physical. */
  const RigidBody<T>& AddRigidBody(
      const std::string& name, ModelInstanceIndex model_instance,
      const SpatialInertia<double>& M_BBo_B = SpatialInertia<double>::Zero());
  /** In the default model instance. @throws std::logic_error if model instances
  were added: then say which one. */
  const RigidBody<T>& AddRigidBody(
      const std::string& name,
      const SpatialInertia<double>& M_BBo_B = SpatialInertia<double>::Zero());
  /** Adds a frame.
  @throws std::logic_error if it is null. */
  template <template <typename> class FrameType>
  const FrameType<T>& AddFrame(std::unique_ptr<FrameType<T>> frame) {
    static_assert(std::is_base_of_v<Frame<T>, FrameType<T>>);
    return static_cast<const FrameType<T>&>(
        building_tree().AddFrame(std::move(frame)));
  }
  /** @} */

  /** @name Joints and actuators
  @{ */
  /** Adds a joint that was made by its constructor.
  @throws std::logic_error if it is null. */
  template <template <typename Scalar> class JointType>
  const JointType<T>& AddJoint(std::unique_ptr<JointType<T>> joint) {
    static_assert(std::is_base_of_v<Joint<T>, JointType<T>>);
    return static_cast<const JointType<T>&>(
        building_tree().AddJoint(std::move(joint)));
  }
  /** Adds a joint between frames given by their poses X_PF and X_BM in the
  parent's and the child's body frame; those frames themselves if not given.
  The rest is what the joint's constructor takes after its frames:
  @code
  plant.AddJoint<RevoluteJoint>("elbow", upper, X_UF, lower, {},
                                Vector3<double>::UnitZ());
  @endcode */
  template <template <typename> class JointType, typename... Args>
  const JointType<T>& AddJoint(
      const std::string& name, const RigidBody<T>& parent,
      const std::optional<math::RigidTransform<double>>& X_PF,
      const RigidBody<T>& child,
      const std::optional<math::RigidTransform<double>>& X_BM, Args&&... args) {
    static_assert(std::is_base_of_v<Joint<T>, JointType<T>>);
    const Frame<T>& F = JointFrame(name, "parent", parent, child, X_PF);
    const Frame<T>& M = JointFrame(name, "child", child, child, X_BM);
    return AddJoint(std::make_unique<JointType<T>>(
        name, F, M, std::forward<Args>(args)...));
  }
  /** Fixes M in F; the joint's name is "<F>_welds_to_<M>". */
  const WeldJoint<T>& WeldFrames(const Frame<T>& frame_on_parent_F,
                                 const Frame<T>& frame_on_child_M,
                                 const math::RigidTransform<double>& X_FM =
                                     math::RigidTransform<double>::Identity());
  /** Adds an actuator that exerts a force or torque along a joint's velocity.
  @throws std::logic_error if the joint has more or fewer than one degree of
  freedom, already has an actuator, or the limit is not positive. */
  const JointActuator<T>& AddJointActuator(
      const std::string& name, const Joint<T>& joint,
      double effort_limit = std::numeric_limits<double>::infinity());
  /** Adds an actuator of a tendon, which exerts a multiple of its force on each
  of its joints; see JointActuator.
  @throws std::logic_error if the terms or the limit are not valid. */
  const JointActuator<T>& AddTendonActuator(
      const std::string& name, std::vector<TendonTerm<T>> terms,
      double effort_limit = std::numeric_limits<double>::infinity());
  /** Adds an actuator along a SpatialTendon of this plant; see JointActuator.
  @throws std::logic_error if the tendon belongs to another plant, or the limit
  is not valid. */
  const JointActuator<T>& AddTendonActuator(
      const std::string& name, const SpatialTendon<T>& tendon,
      double effort_limit = std::numeric_limits<double>::infinity());
  /** The joint's index stays unused. @throws std::logic_error if the joint has
  an actuator or the model has constraints, or force elements besides
  gravity. */
  void RemoveJoint(const Joint<T>& joint);
  /** Removes an actuator. Its index stays unused. */
  void RemoveJointActuator(const JointActuator<T>& actuator);
  /** The joint that Finalize() gives to a body without a path of joints to the
  world: for a model instance, or for all that are not set. */
  void SetBaseBodyJointType(
      BaseBodyJointType joint_type,
      std::optional<ModelInstanceIndex> model_instance = {});
  /** The choice for all, too, if there is none for the model instance. */
  BaseBodyJointType GetBaseBodyJointType(
      std::optional<ModelInstanceIndex> model_instance = {}) const;
  /** @} */

  /** @name Force elements
  @{ */
  /** Constructs a force element and adds it.
  @throws std::logic_error for a second uniform gravity field, or if the element
  refers to those of another plant. */
  template <template <typename Scalar> class ForceElementType, typename... Args>
  const ForceElementType<T>& AddForceElement(Args&&... args) {
    static_assert(std::is_base_of_v<ForceElement<T>, ForceElementType<T>>);
    return static_cast<const ForceElementType<T>&>(
        building_tree().AddForceElement(std::make_unique<ForceElementType<T>>(
            std::forward<Args>(args)...)));
  }
  /** The gravity field, whose vector may be changed. */
  UniformGravityFieldElement<T>& mutable_gravity_field();
  /** The gravity field that every plant has; also after Finalize(). */
  const UniformGravityFieldElement<T>& gravity_field() const {
    return core_.tree().gravity_field();
  }
  /** Whether gravity acts on the bodies of a model instance. */
  void set_gravity_enabled(ModelInstanceIndex model_instance, bool is_enabled);
  /** True if gravity acts on the bodies of a model instance. */
  bool is_gravity_enabled(ModelInstanceIndex model_instance) const;
  /** @} */

  /** @name Model instances
  @{ */
  /** Adds a model instance and returns its index.
  @throws std::runtime_error if the name is taken. */
  ModelInstanceIndex AddModelInstance(const std::string& name);
  /** Frames and geometries that a SceneGraph has for the model instance's
  bodies take on the name too. */
  void RenameModelInstance(ModelInstanceIndex model_instance,
                           const std::string& name);
  /** @} */

 protected:
  PlantBuilding(internal::MultibodyTreeSystem<T>& core,
                const internal::ConstraintRegistry& constraints)
      : core_(core), constraints_(constraints) {}
  ~PlantBuilding() = default;

 private:
  // Hook for another facet after a change here.
  virtual void AfterAddingBody(const RigidBody<T>& body) = 0;
  virtual void AfterRenamingModelInstance(ModelInstanceIndex model_instance,
                                          const std::string& old_name) = 0;

  internal::MultibodyTree<T>& building_tree() { return core_.mutable_tree(); }
  const Frame<T>& JointFrame(
      const std::string& joint, const char* role, const RigidBody<T>& body,
      const RigidBody<T>& child,
      const std::optional<math::RigidTransform<double>>& X_BF);

  internal::MultibodyTreeSystem<T>& core_;
  const internal::ConstraintRegistry& constraints_;
};

}  // namespace wyvern::multibody
