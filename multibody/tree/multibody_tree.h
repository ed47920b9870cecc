#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/dynamics/model.h"
#include "wyvern/multibody/dynamics/model_parameters.h"
#include "wyvern/multibody/dynamics/topology/link_joint_graph.h"
#include "wyvern/multibody/dynamics/topology/loop_cuts.h"
#include "wyvern/multibody/dynamics/topology/spanning_forest.h"
#include "wyvern/multibody/tree/element_collection.h"
#include "wyvern/multibody/tree/force_element.h"
#include "wyvern/multibody/tree/frame.h"
#include "wyvern/multibody/tree/joint.h"
#include "wyvern/multibody/tree/joint_actuator.h"
#include "wyvern/multibody/tree/rigid_body.h"
#include "wyvern/multibody/tree/uniform_gravity_field_element.h"

namespace wyvern::multibody {

/** The joint that Finalize() gives to a body that no joint ties to the world.
 */
enum class BaseBodyJointType {
  kQuaternionFloatingJoint,
  kRpyFloatingJoint,
  kWeldJoint,
};

namespace internal {

/** Where one model instance's quantities are among the whole model's, in
increasing order. */
struct InstanceIndices {
  std::vector<int> q;
  std::vector<int> v;
  /** Actuation inputs. */
  std::vector<int> u;
};

/** The elements of a model, and what Finalize() compiles from them. Strings and
elements live here; the numbers are the engine's, and state is in Contexts. */
template <typename T>
class MultibodyTree {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(MultibodyTree);
  /** @param class_name What errors call the model: the class that its user
  sees. */
  MultibodyTree(const MultibodyTreeSystem<T>& tree_system,
                const char* class_name);
  ~MultibodyTree();

  const MultibodyTreeSystem<T>& tree_system() const { return tree_system_; }
  const char* class_name() const { return class_name_; }
  /** A function of that class, for errors. */
  std::string FunctionName(std::string_view function) const;

  /** The default pose of a free body B in the parent body P of its joint. The
  pose of a body that is not free is kept, and has no effect. */
  void SetDefaultFreeBodyPose(BodyIndex body,
                              const math::RigidTransform<double>& X_PB);
  math::RigidTransform<double> GetDefaultFreeBodyPose(BodyIndex body) const;

  /** Adds the world body and the gravity field, which every model has. */
  void AddWorldAndGravity();

  /** @name Building
  Each throws std::logic_error after Finalize(), for a null pointer, for an
  element of another model, and for a model instance that does not exist; and
  std::runtime_error for a name that is taken.
  @{ */
  ModelInstanceIndex AddModelInstance(const std::string& name);
  void RenameModelInstance(ModelInstanceIndex index, const std::string& name);
  RigidBody<T>& AddRigidBody(std::unique_ptr<RigidBody<T>> body);
  Frame<T>& AddFrame(std::unique_ptr<Frame<T>> frame);
  Joint<T>& AddJoint(std::unique_ptr<Joint<T>> joint);
  JointActuator<T>& AddJointActuator(
      std::unique_ptr<JointActuator<T>> actuator);
  ForceElement<T>& AddForceElement(std::unique_ptr<ForceElement<T>> element);
  void RemoveJoint(const Joint<T>& joint);
  void RemoveJointActuator(const JointActuator<T>& actuator);
  void SetBaseBodyJointType(BaseBodyJointType type,
                            std::optional<ModelInstanceIndex> model_instance);
  BaseBodyJointType GetBaseBodyJointType(
      std::optional<ModelInstanceIndex> model_instance) const;
  /** Adds joints to free bodies, orders the bodies and lays out q and v. The
  child of a joint that closes a loop is split in two halves of its mass (three
  thirds if there are two such joints, and so on): the body itself and a shadow,
  which hangs on the joint. A constraint must keep them together.
  @throws std::logic_error if called twice. */
  void Finalize();
  bool is_finalized() const { return finalized_; }
  /** @throws std::logic_error, in the name of `function`. */
  void RequireFinalized(std::string_view function) const;
  void RequireNotFinalized(std::string_view function,
                           std::string_view what) const;
  /** Copies another scalar's elements into this new, empty model. */
  template <typename U>
  void CloneFrom(const MultibodyTree<U>& other);
  /** @} */

  /** @name Elements
  @{ */
  const ElementCollection<RigidBody<T>, BodyIndex>& bodies() const {
    return bodies_;
  }
  const ElementCollection<Frame<T>, FrameIndex>& frames() const {
    return frames_;
  }
  const ElementCollection<Joint<T>, JointIndex>& joints() const {
    return joints_;
  }
  const ElementCollection<JointActuator<T>, JointActuatorIndex>& actuators()
      const {
    return actuators_;
  }
  const std::vector<std::unique_ptr<ForceElement<T>>>& force_elements() const {
    return force_elements_;
  }
  int num_bodies() const { return bodies_.num(); }
  const RigidBody<T>& world_body() const { return bodies_.get(world_index()); }
  const Frame<T>& get_frame(FrameIndex index) const {
    return frames_.get(index);
  }
  const Joint<T>& get_joint(JointIndex index) const {
    return joints_.get(index);
  }
  UniformGravityFieldElement<T>& gravity_field() const {
    return *gravity_field_;
  }
  /** @throws std::logic_error if the element is not one of this model's. */
  void RequireMember(const RigidBody<T>& body, std::string_view function) const;
  void RequireMember(const Frame<T>& frame, std::string_view function) const;
  void RequireMember(const Joint<T>& joint, std::string_view function) const;
  void RequireMember(const JointActuator<T>& actuator,
                     std::string_view function) const;
  /** @} */

  /** @name Model instances
  @{ */
  int num_model_instances() const {
    return static_cast<int>(instance_names_.size());
  }
  /** Returns the name of a model instance.
  @throws std::out_of_range if there is no such model instance. */
  const std::string& GetModelInstanceName(ModelInstanceIndex index) const;
  void RequireModelInstance(ModelInstanceIndex index,
                            std::string_view function) const;
  bool HasModelInstanceNamed(std::string_view name) const;
  ModelInstanceIndex GetModelInstanceByName(std::string_view name) const;
  /** Returns the indexes of the elements of a model instance.
  @throws std::logic_error before Finalize(). */
  const InstanceIndices& instance(ModelInstanceIndex index,
                                  std::string_view function) const;
  /** @} */

  /** @name Compiled structure
  Throw std::logic_error before Finalize().
  @{ */
  const dynamics::Model& model(std::string_view function) const;
  int num_actuated_dofs() const { return num_actuated_dofs_; }
  /** The body's index in the model. */
  dynamics::MobodIndex model_body(BodyIndex body) const {
    return model_.body_of_link[dynamics::LinkIndex(body)];
  }
  /** A joint that closes a loop, and the model's bodies that are to coincide.
   */
  struct Loop {
    const Joint<T>* joint{};
    dynamics::MobodIndex primary{};
    dynamics::MobodIndex shadow{};
  };
  /** In the order of joints. The link of a shadow is that of its primary. */
  const std::vector<Loop>& loops() const { return loops_; }
  /** The joint that moves a body; null for the world. */
  const Joint<T>* FindInboardJoint(BodyIndex body,
                                   std::string_view function) const;
  /** The joints by the model's bodies: entry 0 is null. */
  const std::vector<const Joint<T>*>& inboard_joints() const {
    return inboard_joints_;
  }
  /** Fills in the numbers from the parameters in `context`. */
  void CalcModelParameters(const systems::Context<T>& context,
                           const std::vector<math::RigidTransform<T>>& X_BF,
                           dynamics::ModelParameters<T>* parameters) const;
  /** X_FM of a joint at positions q. */
  template <typename U>
  static math::RigidTransform<U> CalcPoseInJoint(const Joint<T>& joint,
                                                 const VectorX<U>& q);
  VectorX<double> CalcDefaultPositions() const;
  /** Returns the diagonal of M at the default positions, with default
  parameters. A body whose default inertia is NaN() counts with 1 kg and 1 kg m²
  about its origin. */
  VectorX<double> CalcDefaultJointInertias() const;
  /** @} */

 private:
  template <typename>
  friend class MultibodyTree;

  template <class Element>
  void Adopt(Element* element) const {
    element->parent_tree_ = this;
  }
  template <class Collection>
  void RequireFreeName(const Collection& collection, std::string_view kind,
                       const std::string& name,
                       ModelInstanceIndex instance) const;
  // Throws unless the actuator's joint has one degree of freedom and no
  // actuator.
  void RequireFreeJoint(const JointActuator<T>& actuator) const;
  std::string InstanceName(ModelInstanceIndex index) const {
    return GetModelInstanceName(index);
  }
  // The steps of Finalize().
  dynamics::LinkJointGraph MakeGraph() const;
  void AddFloatingJoints(const dynamics::SpanningForest& forest);
  void ClearStarts();
  void FindLoops(const dynamics::CutGraph& cut,
                 const dynamics::SpanningForest& forest);
  void AssignStarts();
  template <typename U>
  void SetMobilizer(int b, const math::RigidTransform<U>& X_PJp,
                    const math::RigidTransform<U>& X_CJc,
                    dynamics::BodyParameters<U>* p) const;

  // The joint that moves a free body; null if the body is not free, or before
  // Finalize().
  const Joint<T>* FindFreeJoint(BodyIndex body) const;

  const MultibodyTreeSystem<T>& tree_system_;
  const char* const class_name_;
  bool finalized_{false};
  ElementCollection<RigidBody<T>, BodyIndex> bodies_{class_name_, "body"};
  ElementCollection<Frame<T>, FrameIndex> frames_{class_name_, "frame"};
  ElementCollection<Joint<T>, JointIndex> joints_{class_name_, "joint"};
  ElementCollection<JointActuator<T>, JointActuatorIndex> actuators_{
      class_name_, "joint actuator"};
  std::vector<std::unique_ptr<ForceElement<T>>> force_elements_;
  UniformGravityFieldElement<T>* gravity_field_{};
  std::vector<std::string> instance_names_;
  BaseBodyJointType base_joint_type_{
      BaseBodyJointType::kQuaternionFloatingJoint};
  std::map<ModelInstanceIndex, BaseBodyJointType> instance_base_joint_types_;
  // Poses of bodies that are not free, or not yet known to be free.
  std::map<BodyIndex, math::RigidTransform<double>> default_free_body_poses_;

  dynamics::Model model_;
  std::vector<Loop> loops_;
  // Shares of the link's mass, by the model's bodies.
  dynamics::IndexedVector<dynamics::MobodIndex, double> mass_shares_;
  dynamics::IndexedVector<dynamics::MobodIndex, const Joint<T>*>
      inboard_joints_;
  std::vector<InstanceIndices> instances_;
  int num_actuated_dofs_{0};
};

}  // namespace internal
}  // namespace wyvern::multibody
