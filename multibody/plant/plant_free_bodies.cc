#include "wyvern/multibody/plant/plant_free_bodies.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/multibody/tree/rpy_floating_joint.h"
#include "wyvern/systems/common/default_scalars.h"

/* Poses and velocities of bodies that a joint with six degrees of freedom
moves. The joint's q says X_FM, the user X_PB or X_WB: with the body as the
joint's child, X_FM = X_PF⁻¹ X_PB X_BM. Velocities are shifted from Bo to Mo
and expressed in F. Before Finalize() a body has no such joint yet, so a
default pose is kept with the tree. */

namespace wyvern::multibody {

using internal::Deref;
using math::RigidTransform;
using systems::Context;
using systems::State;

template <typename T>
const Joint<T>& PlantFreeBodies<T>::FreeJoint(const char* function,
                                              const RigidBody<T>& body) const {
  core_.tree().RequireFinalized(function);
  core_.tree().RequireMember(body, function);
  const Joint<T>* joint = core_.tree().FindInboardJoint(body.index(), function);
  if (joint == nullptr || joint->num_velocities() != 6) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant::{}(): body '{}' is not free; {}.", function,
        body.name(),
        joint == nullptr ? std::string("nothing moves it")
                         : fmt::format("joint '{}' of type {} moves it",
                                       joint->name(), joint->type_name())));
  }
  return *joint;
}

// With the body as the joint's child, X_FM = X_PF⁻¹ X_PB X_BM; as its parent,
// F is on the body and X_FM = X_BF⁻¹ X_PB⁻¹ X_PM.
template <typename T>
RigidTransform<T> PlantFreeBodies<T>::ToJointPose(
    const std::vector<RigidTransform<T>>& X_BF, const Joint<T>& joint,
    const RigidBody<T>& body, const RigidTransform<T>& X_PB) const {
  const RigidTransform<T>& X_F = X_BF[joint.frame_on_parent().index()];
  const RigidTransform<T>& X_M = X_BF[joint.frame_on_child().index()];
  if (&joint.child_body() == &body) return X_F.inverse() * X_PB * X_M;
  return X_F.inverse() * X_PB.inverse() * X_M;
}

template <typename T>
RigidTransform<T> PlantFreeBodies<T>::GetFreeBodyPose(
    const Context<T>& context, const RigidBody<T>& body) const {
  const Joint<T>& joint = FreeJoint("GetFreeBodyPose", body);
  const RigidBody<T>& parent =
      &joint.child_body() == &body ? joint.parent_body() : joint.child_body();
  return body.body_frame().CalcPose(context, parent.body_frame());
}

template <typename T>
void PlantFreeBodies<T>::SetFreeBodyPose(Context<T>* context,
                                         const RigidBody<T>& body,
                                         const RigidTransform<T>& X_PB) const {
  const Joint<T>& joint = FreeJoint("SetFreeBodyPose", body);
  Deref(context, "MultibodyPlant::SetFreeBodyPose");
  joint.SetPose(context,
                ToJointPose(core_.EvalFramePoses(*context), joint, body, X_PB));
}

template <typename T>
void PlantFreeBodies<T>::SetFreeBodyPose(const Context<T>& context,
                                         State<T>* state,
                                         const RigidBody<T>& body,
                                         const RigidTransform<T>& X_PB) const {
  const Joint<T>& joint = FreeJoint("SetFreeBodyPose", body);
  const RigidTransform<T> X_FM =
      ToJointPose(core_.EvalFramePoses(context), joint, body, X_PB);
  core_.MutableStateVectorOf(state).segment(joint.position_start(),
                                            joint.num_positions()) =
      joint.CalcPositionsForPose(X_FM);
}

namespace {

// V_FM_F of a free joint, given V_PB_P of its child body B.
template <typename T>
SpatialVelocity<T> ToJointVelocity(const std::vector<RigidTransform<T>>& X_BF,
                                   const Joint<T>& joint,
                                   const RigidBody<T>& body,
                                   const RigidTransform<T>& X_FM,
                                   const SpatialVelocity<T>& V_PB) {
  if (&joint.child_body() != &body) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant::SetFreeBodySpatialVelocity(): joint '{}' has body "
        "'{}' as its parent; set the joint's velocities instead.",
        joint.name(), body.name()));
  }
  const RigidTransform<T>& X_PF = X_BF[joint.frame_on_parent().index()];
  const RigidTransform<T>& X_BM = X_BF[joint.frame_on_child().index()];
  // p_BoMo in F is R_FB p_BoMo_B, R_FB = R_FM R_BM⁻¹.
  const Vector3<T> p_BoMo_F =
      X_FM.rotation() * (X_BM.rotation().inverse() * X_BM.translation());
  return (X_PF.rotation().inverse() * V_PB).Shift(p_BoMo_F);
}

}  // namespace

template <typename T>
void PlantFreeBodies<T>::SetFreeBodySpatialVelocity(
    Context<T>* context, const RigidBody<T>& body,
    const SpatialVelocity<T>& V_PB) const {
  const Joint<T>& joint = FreeJoint("SetFreeBodySpatialVelocity", body);
  Deref(context, "MultibodyPlant::SetFreeBodySpatialVelocity");
  joint.SetSpatialVelocity(
      context, ToJointVelocity(core_.EvalFramePoses(*context), joint, body,
                               joint.GetPose(*context), V_PB));
}

template <typename T>
void PlantFreeBodies<T>::SetFreeBodySpatialVelocity(
    const Context<T>& context, State<T>* state, const RigidBody<T>& body,
    const SpatialVelocity<T>& V_PB) const {
  const Joint<T>& joint = FreeJoint("SetFreeBodySpatialVelocity", body);
  auto x = core_.MutableStateVectorOf(state);
  const RigidTransform<T> X_FM = core_.tree().CalcPoseInJoint(
      joint,
      VectorX<T>(x.segment(joint.position_start(), joint.num_positions())));
  x.segment(core_.num_q() + joint.velocity_start(), joint.num_velocities()) =
      joint.CalcVelocitiesForSpatialVelocity(ToJointVelocity(
          core_.EvalFramePoses(context), joint, body, X_FM, V_PB));
}

template <typename T>
void PlantFreeBodies<T>::SetFreeBodyPoseInWorldFrame(
    Context<T>* context, const RigidBody<T>& body,
    const RigidTransform<T>& X_WB) const {
  const Joint<T>& joint = FreeJoint("SetFreeBodyPoseInWorldFrame", body);
  if (!body.is_floating()) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant::SetFreeBodyPoseInWorldFrame(): body '{}' is not "
        "floating in the world; joint '{}' ties it to body '{}'.",
        body.name(), joint.name(), joint.parent_body().name()));
  }
  SetFreeBodyPose(context, body, X_WB);
}

template <typename T>
void PlantFreeBodies<T>::SetFreeBodyPoseInAnchoredFrame(
    Context<T>* context, const Frame<T>& frame_F, const RigidBody<T>& body,
    const RigidTransform<T>& X_FB) const {
  const dynamics::Model& model =
      core_.tree().model("SetFreeBodyPoseInAnchoredFrame");
  core_.tree().RequireMember(frame_F, "SetFreeBodyPoseInAnchoredFrame");
  if (model.bodies[core_.tree().model_body(frame_F.body().index())].node != 0) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant::SetFreeBodyPoseInAnchoredFrame(): frame '{}' is not "
        "anchored to the world.",
        frame_F.name()));
  }
  Deref(context, "MultibodyPlant::SetFreeBodyPoseInAnchoredFrame");
  SetFreeBodyPoseInWorldFrame(context, body,
                              frame_F.CalcPoseInWorld(*context) * X_FB);
}

template <typename T>
void PlantFreeBodies<T>::SetDefaultFreeBodyPose(
    const RigidBody<T>& body, const RigidTransform<double>& X_PB) {
  core_.tree().RequireMember(body, "SetDefaultFreeBodyPose");
  internal::RequireFinite(internal::Caller::Element("RigidBody", body.name()),
                          "default position", X_PB.translation());
  core_.mutable_tree().SetDefaultFreeBodyPose(body.index(), X_PB);
}

template <typename T>
RigidTransform<double> PlantFreeBodies<T>::GetDefaultFreeBodyPose(
    const RigidBody<T>& body) const {
  core_.tree().RequireMember(body, "GetDefaultFreeBodyPose");
  return core_.tree().GetDefaultFreeBodyPose(body.index());
}

template <typename T>
template <template <typename> class JointType>
JointType<T>& PlantFreeBodies<T>::FreeJointOfType(const char* function,
                                                  const RigidBody<T>& body) {
  const Joint<T>& joint = FreeJoint(function, body);
  auto* result = dynamic_cast<JointType<T>*>(
      &core_.mutable_tree().joints().get(joint.index()));
  if (result != nullptr) return *result;
  throw std::logic_error(fmt::format(
      "MultibodyPlant::{}(): a joint of type {} moves body '{}'; a {} one is "
      "wanted.",
      function, joint.type_name(), body.name(), JointType<T>::kTypeName));
}

template <typename T>
void PlantFreeBodies<T>::SetFreeBodyRandomTranslationDistribution(
    const RigidBody<T>& body,
    const Vector3<symbolic::Expression>& translation) {
  const Joint<T>& joint =
      FreeJoint("SetFreeBodyRandomTranslationDistribution", body);
  // All joints of six degrees of freedom are.
  static_cast<internal::FloatingJoint<T>&>(
      core_.mutable_tree().joints().get(joint.index()))
      .set_random_translation_distribution(translation);
}

template <typename T>
void PlantFreeBodies<T>::SetFreeBodyRandomRotationDistribution(
    const RigidBody<T>& body,
    const Eigen::Quaternion<symbolic::Expression>& rotation) {
  FreeJointOfType<QuaternionFloatingJoint>(
      "SetFreeBodyRandomRotationDistribution", body)
      .set_random_quaternion_distribution(rotation);
}

template <typename T>
void PlantFreeBodies<T>::SetFreeBodyRandomRotationDistributionToUniform(
    const RigidBody<T>& body) {
  FreeJointOfType<QuaternionFloatingJoint>(
      "SetFreeBodyRandomRotationDistributionToUniform", body)
      .set_random_quaternion_distribution_to_uniform();
}

template <typename T>
void PlantFreeBodies<T>::SetFreeBodyRandomAnglesDistribution(
    const RigidBody<T>& body,
    const math::RollPitchYaw<symbolic::Expression>& angles) {
  FreeJointOfType<RpyFloatingJoint>("SetFreeBodyRandomAnglesDistribution", body)
      .set_random_angles_distribution(angles.vector());
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::PlantFreeBodies);
