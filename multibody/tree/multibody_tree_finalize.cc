/* How a MultibodyTree is compiled into the flat model of the engine.

Bodies and joints become a graph; the joints that a spanning forest of it leaves
out close loops. The graph is cut there: the joint moves a shadow of one of its
bodies, and that body's mass is shared evenly between it and its shadows. Trees
that hang on nothing get a floating joint. The forest of the cut graph, numbered
depth first, is the Model, and from it elements learn where their q, v and u
start. Numbers follow from a Context later, and again whenever a parameter
changes: CalcModelParameters(). */

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/body_kinematics.h"
#include "wyvern/multibody/dynamics/inertias_in_world.h"
#include "wyvern/multibody/dynamics/position_kinematics.h"
#include "wyvern/multibody/dynamics/topology/link_joint_graph.h"
#include "wyvern/multibody/dynamics/topology/spanning_forest.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/multibody/tree/rpy_floating_joint.h"
#include "wyvern/multibody/tree/weld_joint.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody::internal {

using dynamics::LinkJointGraph;
using dynamics::ModelParameters;
using dynamics::SpanningForest;
using math::RigidTransform;

namespace {

template <typename T>
dynamics::Pose<T> ToPose(const RigidTransform<T>& X) {
  return {X.rotation().matrix(), X.translation()};
}

template <typename T>
RigidTransform<double> FixedPose(const Frame<T>& frame) {
  const RigidTransform<T> X_BF = frame.GetFixedPoseInBodyFrame();
  return RigidTransform<double>(math::RotationMatrix<double>::MakeUnchecked(
                                    ToDouble(X_BF.rotation().matrix())),
                                ToDouble(X_BF.translation()));
}

}  // namespace

template <typename T>
LinkJointGraph MultibodyTree<T>::MakeGraph() const {
  LinkJointGraph graph;
  for (int body = 1; body < num_bodies(); ++body) graph.AddLink();
  for (const Joint<T>* joint : joints_.elements()) {
    graph.AddJoint(joint->parent_body().index(), joint->child_body().index());
  }
  return graph;
}

template <typename T>
void MultibodyTree<T>::AddFloatingJoints(const SpanningForest& forest) {
  for (dynamics::LinkIndex link : forest.floating_base_links()) {
    const RigidBody<T>& body = bodies_.get(BodyIndex(link));
    std::string name = body.name();
    while (joints_.Find(name, body.model_instance()) != nullptr) {
      name = "_" + name;
    }
    const Frame<T>& W = world_body().body_frame();
    const Frame<T>& B = body.body_frame();
    switch (GetBaseBodyJointType(body.model_instance())) {
      case BaseBodyJointType::kQuaternionFloatingJoint:
        AddJoint(std::make_unique<QuaternionFloatingJoint<T>>(name, W, B));
        break;
      case BaseBodyJointType::kRpyFloatingJoint:
        AddJoint(std::make_unique<RpyFloatingJoint<T>>(name, W, B));
        break;
      case BaseBodyJointType::kWeldJoint:
        AddJoint(std::make_unique<WeldJoint<T>>(name, W, B,
                                                RigidTransform<double>()));
        break;
    }
  }
}

template <typename T>
void MultibodyTree<T>::FindLoops(const dynamics::CutGraph& cut,
                                 const SpanningForest& forest) {
  loops_.clear();
  mass_shares_.assign(model_.num_bodies(), 1.0);
  std::vector<int> copies(num_bodies(), 1);
  for (const dynamics::CutGraph::Shadow& shadow : cut.shadows) {
    const dynamics::MobodIndex b = forest.mobod_of_link(shadow.link);
    model_.bodies[b].link = shadow.primary_link;
    ++copies[shadow.primary_link];
    loops_.push_back({joints_.elements()[shadow.joint],
                      forest.mobod_of_link(shadow.primary_link), b});
  }
  for (int b = 1; b < model_.num_bodies(); ++b) {
    mass_shares_[b] = 1.0 / copies[model_.bodies[b].link];
  }
}

template <typename T>
void MultibodyTree<T>::Finalize() {
  RequireNotFinalized("Finalize", "it was called again");
  const std::vector<int> loop_joints =
      SpanningForest(MakeGraph()).loop_joints();
  AddFloatingJoints(
      SpanningForest(dynamics::CutAtJoints(MakeGraph(), loop_joints).graph));
  const dynamics::CutGraph cut =
      dynamics::CutAtJoints(MakeGraph(), loop_joints);
  const SpanningForest forest(cut.graph);
  model_ = dynamics::MakeModel(forest, [this](int joint) {
    return joints_.elements()[joint]->mobilizer_type();
  });
  FindLoops(cut, forest);
  AssignStarts();
  finalized_ = true;
  try {
    for (const auto& [body, X_PB] : default_free_body_poses_) {
      if (FindFreeJoint(body) != nullptr) SetDefaultFreeBodyPose(body, X_PB);
    }
  } catch (...) {
    ClearStarts();
    finalized_ = false;
    throw;
  }
  // From now on their joints keep them.
  std::erase_if(default_free_body_poses_, [this](const auto& entry) {
    return FindFreeJoint(entry.first) != nullptr;
  });
}

// So that the user may mend the model and try again.
template <typename T>
void MultibodyTree<T>::ClearStarts() {
  for (Joint<T>* joint : joints_.elements()) {
    joint->q_start_ = joint->v_start_ = -1;
  }
  for (JointActuator<T>* actuator : actuators_.elements()) {
    actuator->input_start_ = -1;
  }
}

template <typename T>
void MultibodyTree<T>::AssignStarts() {
  instances_.assign(num_model_instances(), {});
  inboard_joints_.assign(model_.num_bodies(), nullptr);
  for (int b = 1; b < model_.num_bodies(); ++b) {
    const dynamics::Model::Body& body = model_.bodies[b];
    Joint<T>* joint = joints_.elements()[body.joint];
    inboard_joints_[b] = joint;
    joint->q_start_ = body.q_start;
    joint->v_start_ = body.v_start;
    InstanceIndices& indices = instances_[joint->model_instance()];
    for (int i = 0; i < body.nq; ++i) indices.q.push_back(body.q_start + i);
    for (int i = 0; i < body.nv; ++i) indices.v.push_back(body.v_start + i);
  }
  num_actuated_dofs_ = 0;
  for (JointActuator<T>* actuator : actuators_.elements()) {
    actuator->input_start_ = num_actuated_dofs_;
    instances_[actuator->model_instance()].u.push_back(num_actuated_dofs_);
    num_actuated_dofs_ += actuator->num_inputs();
  }
}

// The frames that a mobilizer moves; those of a weld are made to coincide.
template <typename T>
template <typename U>
void MultibodyTree<T>::SetMobilizer(int b, const RigidTransform<U>& X_PJp,
                                    const RigidTransform<U>& X_CJc,
                                    dynamics::BodyParameters<U>* p) const {
  const Joint<T>& joint = *inboard_joints_[b];
  const RigidTransform<U> X_FM = joint.weld_pose().template cast<U>();
  if (model_.bodies[b].is_reversed) {
    p->X_PF = ToPose<U>(X_CJc * X_FM.inverse());
    p->X_BM = ToPose<U>(X_PJp);
  } else {
    p->X_PF = ToPose<U>(X_PJp * X_FM);
    p->X_BM = ToPose<U>(X_CJc);
  }
  p->axis = joint.mobilizer_axis().template cast<U>();
  p->pitch = joint.mobilizer_pitch();
  p->path = joint.mobilizer_path();
}

namespace {

template <typename U>
void SetInertia(const SpatialInertia<U>& M, double share,
                dynamics::BodyParameters<U>* p) {
  p->mass = share * M.get_mass();
  p->p_BoBcm_B = M.get_com();
  p->I_BBo_B = p->mass * M.get_unit_inertia().CopyToFullMatrix3();
}

}  // namespace

template <typename T>
VectorX<double> MultibodyTree<T>::CalcDefaultJointInertias() const {
  const SpatialInertia<double> kAssumedInertia(
      1, Vector3<double>::Zero(), UnitInertia<double>::TriaxiallySymmetric(1));
  ModelParameters<double> parameters(model_);
  parameters.reflected_inertia = VectorX<double>::Zero(model_.num_v);
  for (int b = 1; b < model_.num_bodies(); ++b) {
    const Joint<T>& joint = *inboard_joints_[b];
    SetMobilizer<double>(b, FixedPose(joint.frame_on_parent()),
                         FixedPose(joint.frame_on_child()),
                         &parameters.bodies[b]);
    const SpatialInertia<double>& M =
        bodies_.get(BodyIndex(model_.bodies[b].link)).default_spatial_inertia();
    SetInertia<double>(M.IsNaN() ? kAssumedInertia : M, mass_shares_[b],
                       &parameters.bodies[b]);
    parameters.reflected_inertia.segment(model_.bodies[b].v_start,
                                         model_.bodies[b].nv) =
        joint.default_armature_vector();
  }
  for (const JointActuator<T>* actuator : actuators_.elements()) {
    if (actuator->acts_on_tendon()) continue;
    parameters.reflected_inertia[actuator->joint().velocity_start()] +=
        actuator->default_reflected_inertia();
  }
  parameters.Compile(model_);
  dynamics::PositionKinematics<double> positions(model_);
  dynamics::CalcPositionKinematics<double>(model_, parameters,
                                           CalcDefaultPositions(), &positions);
  std::vector<dynamics::RigidInertia<double>> inertias(model_.num_nodes());
  std::vector<dynamics::RigidInertia<double>> composites(model_.num_nodes());
  dynamics::CalcInertiasInWorld<double>(model_, parameters, positions,
                                        &inertias);
  dynamics::CalcCompositeInertias<double>(model_, inertias, &composites);
  VectorX<double> diagonal = parameters.reflected_inertia;
  for (int k = 0; k < model_.num_v; ++k) {
    const Vector6<double> H = positions.H.col(k);
    diagonal[k] += H.dot(composites[model_.node_of_v[k]] * H);
  }
  return diagonal;
}

template <typename T>
void MultibodyTree<T>::CalcModelParameters(
    const systems::Context<T>& context,
    const std::vector<RigidTransform<T>>& X_BF,
    ModelParameters<T>* parameters) const {
  parameters->gravity = gravity_field_->GetGravityVector(context);
  for (int b = 1; b < model_.num_bodies(); ++b) {
    const dynamics::Model::Body& structure = model_.bodies[b];
    const Joint<T>& joint = *inboard_joints_[b];
    dynamics::BodyParameters<T>& p = parameters->bodies[b];
    SetMobilizer<T>(b, X_BF[joint.frame_on_parent().index()],
                    X_BF[joint.frame_on_child().index()], &p);
    const RigidBody<T>& body = bodies_.get(BodyIndex(structure.link));
    SetInertia<T>(body.CalcSpatialInertiaInBodyFrame(context), mass_shares_[b],
                  &p);
    p.gravity_enabled = gravity_field_->is_enabled(body);
    parameters->damping.segment(structure.v_start, structure.nv) =
        joint.GetDampingVector(context);
    parameters->friction.segment(structure.v_start, structure.nv) =
        joint.GetFrictionVector(context);
    parameters->reflected_inertia.segment(structure.v_start, structure.nv) =
        joint.default_armature_vector().template cast<T>();
  }
  for (const JointActuator<T>* actuator : actuators_.elements()) {
    if (actuator->acts_on_tendon()) continue;
    parameters->reflected_inertia[actuator->joint().velocity_start()] +=
        actuator->calc_reflected_inertia(context);
  }
  parameters->Compile(model_);
}

template <typename T>
template <typename U>
RigidTransform<U> MultibodyTree<T>::CalcPoseInJoint(const Joint<T>& joint,
                                                    const VectorX<U>& q) {
  if (joint.mobilizer_type() == dynamics::MobilizerType::kWeld) {
    return joint.weld_pose().template cast<U>();
  }
  // A model of its own, of one body B with M at Bo and F at Wo.
  LinkJointGraph graph;
  graph.AddLink();
  graph.AddJoint(0, 1);
  const dynamics::Model one = dynamics::MakeModel(
      SpanningForest(graph), [&joint](int) { return joint.mobilizer_type(); });
  ModelParameters<U> parameters(one);
  parameters.bodies[1].axis = joint.mobilizer_axis().template cast<U>();
  parameters.bodies[1].pitch = joint.mobilizer_pitch();
  parameters.bodies[1].path = joint.mobilizer_path();
  parameters.Compile(one);
  dynamics::PositionKinematics<U> positions(one);
  dynamics::CalcPositionKinematics<U>(one, parameters, q, &positions);
  const dynamics::Pose<U> X_FM = dynamics::CalcBodyPose<U>(
      one, parameters, positions, dynamics::MobodIndex(1));
  return RigidTransform<U>(math::RotationMatrix<U>::MakeUnchecked(X_FM.R),
                           X_FM.p);
}

template <typename T>
const Joint<T>* MultibodyTree<T>::FindFreeJoint(BodyIndex body) const {
  if (!finalized_) return nullptr;
  const Joint<T>* joint = inboard_joints_[model_body(body)];
  return joint != nullptr && joint->num_velocities() == 6 ? joint : nullptr;
}

// X_FM = X_PF⁻¹ X_PB X_BM if the body is the joint's child; if it is its
// parent, F is on the body and X_FM = X_BF⁻¹ X_PB⁻¹ X_PM.
template <typename T>
void MultibodyTree<T>::SetDefaultFreeBodyPose(
    BodyIndex body, const RigidTransform<double>& X_PB) {
  const Joint<T>* free_joint = FindFreeJoint(body);
  if (free_joint == nullptr) {
    default_free_body_poses_[body] = X_PB;
    return;
  }
  Joint<T>& joint = joints_.get(free_joint->index());
  const RigidTransform<double> X_F = FixedPose(joint.frame_on_parent());
  const RigidTransform<double> X_M = FixedPose(joint.frame_on_child());
  const bool is_child = joint.child_body().index() == body;
  joint.SetDefaultPose(X_F.inverse() * (is_child ? X_PB : X_PB.inverse()) *
                       X_M);
}

template <typename T>
RigidTransform<double> MultibodyTree<T>::GetDefaultFreeBodyPose(
    BodyIndex body) const {
  const Joint<T>* free_joint = FindFreeJoint(body);
  if (free_joint == nullptr) {
    const auto found = default_free_body_poses_.find(body);
    return found == default_free_body_poses_.end() ? RigidTransform<double>()
                                                   : found->second;
  }
  const Joint<T>& joint = *free_joint;
  const RigidTransform<double> X = FixedPose(joint.frame_on_parent()) *
                                   joint.GetDefaultPose() *
                                   FixedPose(joint.frame_on_child()).inverse();
  return joint.child_body().index() == body ? X : X.inverse();
}

template <typename T>
VectorX<double> MultibodyTree<T>::CalcDefaultPositions() const {
  VectorX<double> q(model_.num_q);
  for (const Joint<T>* joint : joints_.elements()) {
    q.segment(joint->position_start(), joint->num_positions()) =
        joint->default_positions();
  }
  return q;
}

template <typename T>
template <typename U>
void MultibodyTree<T>::CloneFrom(const MultibodyTree<U>& other) {
  instance_names_ = other.instance_names_;
  base_joint_type_ = other.base_joint_type_;
  instance_base_joint_types_ = other.instance_base_joint_types_;
  default_free_body_poses_ = other.default_free_body_poses_;
  // A body brings its frame, so bodies and frames are copied in frame order.
  int next_body = 0;
  for (const Frame<U>* frame : other.frames_.elements()) {
    if (frame->is_body_frame()) {
      AddRigidBody(
          other.bodies_.get(BodyIndex(next_body++)).CloneToScalar(*this));
    } else {
      AddFrame(frame->CloneToScalar(*this));
    }
  }
  for (int i = 0; i < other.joints_.next_index(); ++i) {
    const JointIndex index(i);
    if (other.joints_.has(index)) {
      AddJoint(other.get_joint(index).CloneToScalar(this));
    } else {
      joints_.AppendGap();
    }
  }
  for (const auto& element : other.force_elements_) {
    AddForceElement(element->CloneToScalar(*this));
    if (gravity_field_ == nullptr) {
      gravity_field_ = static_cast<UniformGravityFieldElement<T>*>(
          force_elements_.front().get());
    }
  }
  // Some actuators act along force elements.
  for (int i = 0; i < other.actuators_.next_index(); ++i) {
    const JointActuatorIndex index(i);
    if (other.actuators_.has(index)) {
      AddJointActuator(other.actuators_.get(index).CloneToScalar(*this));
    } else {
      actuators_.AppendGap();
    }
  }
  if (other.finalized_) Finalize();
}

#define WYVERN_INSTANTIATE_CLONE(T)                                        \
  template void MultibodyTree<T>::CloneFrom(const MultibodyTree<double>&); \
  WYVERN_WITH_AUTODIFF(template void MultibodyTree<T>::CloneFrom(          \
                           const MultibodyTree<AutoDiffXd>&);)
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_CLONE)
#undef WYVERN_INSTANTIATE_CLONE

#define WYVERN_INSTANTIATE_FINALIZE(T)                                       \
  template void MultibodyTree<T>::Finalize();                                \
  template void MultibodyTree<T>::CalcModelParameters(                       \
      const systems::Context<T>&, const std::vector<RigidTransform<T>>&,     \
      ModelParameters<T>*) const;                                            \
  template RigidTransform<double> MultibodyTree<T>::CalcPoseInJoint(         \
      const Joint<T>&, const VectorX<double>&);                              \
  WYVERN_WITH_AUTODIFF(                                                      \
      template RigidTransform<AutoDiffXd> MultibodyTree<T>::CalcPoseInJoint( \
          const Joint<T>&, const VectorX<AutoDiffXd>&);)                     \
  template void MultibodyTree<T>::SetDefaultFreeBodyPose(                    \
      BodyIndex, const RigidTransform<double>&);                             \
  template RigidTransform<double> MultibodyTree<T>::GetDefaultFreeBodyPose(  \
      BodyIndex) const;                                                      \
  template VectorX<double> MultibodyTree<T>::CalcDefaultPositions() const;   \
  template VectorX<double> MultibodyTree<T>::CalcDefaultJointInertias() const;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_FINALIZE)
#undef WYVERN_INSTANTIATE_FINALIZE

}  // namespace wyvern::multibody::internal
