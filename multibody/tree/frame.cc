#include "wyvern/multibody/tree/frame.h"

#include "wyvern/multibody/tree/argument_checks.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/multibody/tree/rigid_body.h"
#include "wyvern/systems/common/default_scalars.h"

/* Poses, velocities and accelerations of a frame F that is fixed to a body B,
relative to any frame M and expressed in any frame E: those of the body in W
from the cache, shifted by p_BoFo, less those of the point of M that
coincides with Fo; accelerations have the Coriolis and centripetal terms
besides. */

namespace wyvern::multibody {

using math::RigidTransform;
using math::RotationMatrix;
using systems::Context;

template <typename T>
Frame<T>::Frame(const std::string& name, const RigidBody<T>& body,
                ModelInstanceIndex model_instance, bool is_body_frame)
    : MultibodyElement<T>(model_instance),
      // A body's frame takes the name of the body, which may come later.
      name_(is_body_frame ? name : internal::RequireElementName(name, "frame")),
      body_(body),
      is_body_frame_(is_body_frame) {}

template <typename T>
Frame<T>::Frame(const RigidBody<T>& body, ModelInstanceIndex model_instance)
    : MultibodyElement<T>(model_instance), body_(body), is_body_frame_(false) {}

template <typename T>
Frame<T>::~Frame() = default;

template <typename T>
ScopedName Frame<T>::scoped_name() const {
  return ScopedName(
      this->get_parent_tree().GetModelInstanceName(this->model_instance()),
      name_);
}

template <typename T>
bool Frame<T>::is_world_frame() const {
  return is_body_frame_ && body_.index() == world_index();
}

template <typename T>
RigidTransform<T> Frame<T>::CalcPoseInBodyFrame(
    const Context<T>& context) const {
  this->ValidateContext(context);
  return DoCalcPoseInBodyFrame(context.get_parameters());
}

template <typename T>
RotationMatrix<T> Frame<T>::CalcRotationMatrixInBodyFrame(
    const Context<T>& context) const {
  this->ValidateContext(context);
  return DoCalcRotationMatrixInBodyFrame(context.get_parameters());
}

template <typename T>
const RigidTransform<T>& Frame<T>::EvalPoseInBodyFrame(
    const Context<T>& context) const {
  return this->GetParentTreeSystem().EvalFramePoses(context)[index_];
}

template <typename T>
RigidTransform<T> Frame<T>::GetFixedPoseInBodyFrame() const {
  return DoGetFixedPoseInBodyFrame();
}

template <typename T>
RotationMatrix<T> Frame<T>::GetFixedRotationMatrixInBodyFrame() const {
  return DoGetFixedPoseInBodyFrame().rotation();
}

template <typename T>
RigidTransform<T> Frame<T>::CalcOffsetPoseInBody(
    const Context<T>& context, const RigidTransform<T>& X_FQ) const {
  internal::RequireFinite("Frame::CalcOffsetPoseInBody",
                          "the translation of X_FQ", X_FQ.translation());
  return CalcPoseInBodyFrame(context) * X_FQ;
}

template <typename T>
RotationMatrix<T> Frame<T>::CalcOffsetRotationMatrixInBody(
    const Context<T>& context, const RotationMatrix<T>& R_FQ) const {
  return CalcRotationMatrixInBodyFrame(context) * R_FQ;
}

template <typename T>
RigidTransform<T> Frame<T>::GetFixedOffsetPoseInBody(
    const RigidTransform<T>& X_FQ) const {
  internal::RequireFinite("Frame::GetFixedOffsetPoseInBody",
                          "the translation of X_FQ", X_FQ.translation());
  return GetFixedPoseInBodyFrame() * X_FQ;
}

template <typename T>
RotationMatrix<T> Frame<T>::GetFixedRotationMatrixInBody(
    const RotationMatrix<T>& R_FQ) const {
  return GetFixedRotationMatrixInBodyFrame() * R_FQ;
}

template <typename T>
RigidTransform<T> Frame<T>::CalcPoseInWorld(const Context<T>& context) const {
  const auto& system = this->GetParentTreeSystem();
  const RigidTransform<T>& X_WB = system.EvalBodyPoses(context)[body_.index()];
  if (is_body_frame_) return X_WB;
  return X_WB * system.EvalFramePoses(context)[index_];
}

template <typename T>
RigidTransform<T> Frame<T>::CalcPose(const Context<T>& context,
                                     const Frame<T>& frame_M) const {
  this->ValidateContext(context);
  if (&frame_M == this) return RigidTransform<T>();
  if (frame_M.is_world_frame()) return CalcPoseInWorld(context);
  return frame_M.CalcPoseInWorld(context).inverse() * CalcPoseInWorld(context);
}

template <typename T>
RotationMatrix<T> Frame<T>::CalcRotationMatrixInWorld(
    const Context<T>& context) const {
  return CalcPoseInWorld(context).rotation();
}

template <typename T>
RotationMatrix<T> Frame<T>::CalcRotationMatrix(const Context<T>& context,
                                               const Frame<T>& frame_M) const {
  return CalcPose(context, frame_M).rotation();
}

template <typename T>
const Vector3<T>& Frame<T>::EvalAngularVelocityInWorld(
    const Context<T>& context) const {
  return this->GetParentTreeSystem()
      .EvalBodyVelocities(context)[body_.index()]
      .rotational();
}

template <typename T>
Vector3<T> Frame<T>::CalcAngularVelocity(
    const Context<T>& context, const Frame<T>& measured_in_frame,
    const Frame<T>& expressed_in_frame) const {
  const Vector3<T> w_MF_W =
      EvalAngularVelocityInWorld(context) -
      measured_in_frame.EvalAngularVelocityInWorld(context);
  return expressed_in_frame.CalcRotationMatrixInWorld(context).inverse() *
         w_MF_W;
}

template <typename T>
SpatialVelocity<T> Frame<T>::CalcSpatialVelocityInWorld(
    const Context<T>& context) const {
  const auto& system = this->GetParentTreeSystem();
  const SpatialVelocity<T>& V_WB =
      system.EvalBodyVelocities(context)[body_.index()];
  if (is_body_frame_) return V_WB;
  const Vector3<T> p_BF_W =
      system.EvalBodyPoses(context)[body_.index()].rotation() *
      system.EvalFramePoses(context)[index_].translation();
  return V_WB.Shift(p_BF_W);
}

template <typename T>
SpatialVelocity<T> Frame<T>::CalcSpatialVelocity(
    const Context<T>& context, const Frame<T>& frame_M,
    const Frame<T>& frame_E) const {
  // V_MF = V_WF - V_WFm, where Fm is the point of M that coincides with Fo.
  const Vector3<T> p_MoFo_W = CalcPoseInWorld(context).translation() -
                              frame_M.CalcPoseInWorld(context).translation();
  const SpatialVelocity<T> V_MF_W =
      CalcSpatialVelocityInWorld(context) -
      frame_M.CalcSpatialVelocityInWorld(context).Shift(p_MoFo_W);
  return frame_E.CalcRotationMatrixInWorld(context).inverse() * V_MF_W;
}

template <typename T>
SpatialVelocity<T> Frame<T>::CalcRelativeSpatialVelocityInWorld(
    const Context<T>& context, const Frame<T>& other_frame) const {
  return CalcSpatialVelocityInWorld(context) -
         other_frame.CalcSpatialVelocityInWorld(context);
}

template <typename T>
SpatialVelocity<T> Frame<T>::CalcRelativeSpatialVelocity(
    const Context<T>& context, const Frame<T>& other_frame,
    const Frame<T>& measured_in_frame,
    const Frame<T>& expressed_in_frame) const {
  return CalcSpatialVelocity(context, measured_in_frame, expressed_in_frame) -
         other_frame.CalcSpatialVelocity(context, measured_in_frame,
                                         expressed_in_frame);
}

template <typename T>
SpatialAcceleration<T> Frame<T>::CalcSpatialAccelerationInWorld(
    const Context<T>& context) const {
  const auto& system = this->GetParentTreeSystem();
  const SpatialAcceleration<T>& A_WB =
      system.EvalBodyAccelerations(context)[body_.index()];
  if (is_body_frame_) return A_WB;
  const Vector3<T> p_BF_W =
      system.EvalBodyPoses(context)[body_.index()].rotation() *
      system.EvalFramePoses(context)[index_].translation();
  return A_WB.Shift(p_BF_W, EvalAngularVelocityInWorld(context));
}

// With P the point of M that coincides with Fo and p = p_MoFo,
//   A_MF = A_WF - A_WP - (w_WM x w_MF, 2 w_WM x v_MF),
// the last pair being the derivative of M's axes and the Coriolis term.
template <typename T>
SpatialAcceleration<T> Frame<T>::CalcSpatialAcceleration(
    const Context<T>& context, const Frame<T>& measured_in_frame,
    const Frame<T>& expressed_in_frame) const {
  const Frame<T>& M = measured_in_frame;
  const Vector3<T> p_MoFo_W = CalcPoseInWorld(context).translation() -
                              M.CalcPoseInWorld(context).translation();
  const Vector3<T> w_WM_W = M.EvalAngularVelocityInWorld(context);
  const SpatialVelocity<T> V_MF_W =
      CalcSpatialVelocityInWorld(context) -
      M.CalcSpatialVelocityInWorld(context).Shift(p_MoFo_W);
  SpatialAcceleration<T> A_MF_W =
      CalcSpatialAccelerationInWorld(context) -
      M.CalcSpatialAccelerationInWorld(context).Shift(p_MoFo_W, w_WM_W);
  A_MF_W.rotational() -= w_WM_W.cross(V_MF_W.rotational());
  A_MF_W.translational() -= 2.0 * w_WM_W.cross(V_MF_W.translational());
  return expressed_in_frame.CalcRotationMatrixInWorld(context).inverse() *
         A_MF_W;
}

template <typename T>
SpatialAcceleration<T> Frame<T>::CalcRelativeSpatialAccelerationInWorld(
    const Context<T>& context, const Frame<T>& other_frame) const {
  return CalcSpatialAccelerationInWorld(context) -
         other_frame.CalcSpatialAccelerationInWorld(context);
}

template <typename T>
SpatialAcceleration<T> Frame<T>::CalcRelativeSpatialAcceleration(
    const Context<T>& context, const Frame<T>& other_frame,
    const Frame<T>& measured_in_frame,
    const Frame<T>& expressed_in_frame) const {
  return CalcSpatialAcceleration(context, measured_in_frame,
                                 expressed_in_frame) -
         other_frame.CalcSpatialAcceleration(context, measured_in_frame,
                                             expressed_in_frame);
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::Frame);
