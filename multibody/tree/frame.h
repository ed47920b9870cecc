#pragma once

#include <memory>
#include <string>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/multibody/math/spatial_acceleration.h"
#include "wyvern/multibody/math/spatial_velocity.h"
#include "wyvern/multibody/tree/multibody_element.h"
#include "wyvern/multibody/tree/scoped_name.h"
#include "wyvern/systems/common/autodiff.h"

namespace wyvern::multibody {

template <typename T>
class RigidBody;

/** A right-handed set of axes with an origin, fixed to a body B.

In the comments F is this frame, W the world, M and E frames that a quantity is
measured and expressed in. All of one function's frames belong to one model. */
template <typename T>
class Frame : public MultibodyElement<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Frame);
  ~Frame() override;

  /** Index among the frames of the model. */
  FrameIndex index() const { return index_; }
  /** Name, unique among frames of the model instance. */
  const std::string& name() const { return name_; }
  /** Name with that of the model instance, as in "arm::tool".
  @throws std::logic_error if the frame is in no model. */
  ScopedName scoped_name() const;
  /** Body B that the frame is fixed to. */
  const RigidBody<T>& body() const { return body_; }
  /** True for the body frame of the world. */
  bool is_world_frame() const;
  /** True for the frame of a body itself, whose pose in the body is the
  identity. */
  bool is_body_frame() const { return is_body_frame_; }

  /** X_BF, the pose in the body frame, from the parameters in `context`. */
  math::RigidTransform<T> CalcPoseInBodyFrame(
      const systems::Context<T>& context) const;
  /** R_BF, from the parameters in `context`. */
  math::RotationMatrix<T> CalcRotationMatrixInBodyFrame(
      const systems::Context<T>& context) const;
  /** X_BF, cached; stale once a parameter of `context` changes. */
  const math::RigidTransform<T>& EvalPoseInBodyFrame(
      const systems::Context<T>& context) const;
  /** X_BF as the model was built; parameters in a Context do not count. */
  math::RigidTransform<T> GetFixedPoseInBodyFrame() const;
  /** R_BF as the model was built. */
  math::RotationMatrix<T> GetFixedRotationMatrixInBodyFrame() const;

  /** X_BQ of a frame Q given by its pose X_FQ in this one. */
  math::RigidTransform<T> CalcOffsetPoseInBody(
      const systems::Context<T>& context,
      const math::RigidTransform<T>& X_FQ) const;
  /** R_BQ of a frame Q given by its orientation R_FQ in this one. */
  math::RotationMatrix<T> CalcOffsetRotationMatrixInBody(
      const systems::Context<T>& context,
      const math::RotationMatrix<T>& R_FQ) const;
  /** Computes that pose from a Context's parameters alone. */
  math::RigidTransform<T> CalcOffsetPoseInBody(
      const systems::Parameters<T>& parameters,
      const math::RigidTransform<T>& X_FQ) const {
    return DoCalcPoseInBodyFrame(parameters) * X_FQ;
  }
  /** Computes that rotation from a Context's parameters alone. */
  math::RotationMatrix<T> CalcOffsetRotationMatrixInBody(
      const systems::Parameters<T>& parameters,
      const math::RotationMatrix<T>& R_FQ) const {
    return DoCalcRotationMatrixInBodyFrame(parameters) * R_FQ;
  }
  /** X_BQ of a frame Q given by X_FQ, with X_BF as the model was built. */
  math::RigidTransform<T> GetFixedOffsetPoseInBody(
      const math::RigidTransform<T>& X_FQ) const;
  /** R_BQ of a frame Q given by R_FQ, with R_BF as the model was built. */
  math::RotationMatrix<T> GetFixedRotationMatrixInBody(
      const math::RotationMatrix<T>& R_FQ) const;

  /** Returns the pose X_WF of this frame. */
  math::RigidTransform<T> CalcPoseInWorld(
      const systems::Context<T>& context) const;
  /** Returns the pose X_MF of this frame in frame M. */
  math::RigidTransform<T> CalcPose(const systems::Context<T>& context,
                                   const Frame<T>& frame_M) const;
  /** Returns the rotation R_WF. */
  math::RotationMatrix<T> CalcRotationMatrixInWorld(
      const systems::Context<T>& context) const;
  /** Returns the rotation R_MF. */
  math::RotationMatrix<T> CalcRotationMatrix(const systems::Context<T>& context,
                                             const Frame<T>& frame_M) const;

  /** Returns the angular velocity w_WF_W; the reference is valid until the
  state changes. */
  const Vector3<T>& EvalAngularVelocityInWorld(
      const systems::Context<T>& context) const;
  /** Returns the angular velocity w_MF_E in a frame M, in the axes of E. */
  Vector3<T> CalcAngularVelocity(const systems::Context<T>& context,
                                 const Frame<T>& measured_in_frame,
                                 const Frame<T>& expressed_in_frame) const;
  /** Returns the velocity V_WF_W of this frame. */
  SpatialVelocity<T> CalcSpatialVelocityInWorld(
      const systems::Context<T>& context) const;
  /** Returns the velocity V_MF_E in a frame M, in the axes of E. */
  SpatialVelocity<T> CalcSpatialVelocity(const systems::Context<T>& context,
                                         const Frame<T>& frame_M,
                                         const Frame<T>& frame_E) const;
  /** V_WF_W - V_WO_W for another frame O: not the velocity of one frame in the
  other, which CalcSpatialVelocity() gives. */
  SpatialVelocity<T> CalcRelativeSpatialVelocityInWorld(
      const systems::Context<T>& context, const Frame<T>& other_frame) const;
  /** Returns V_MF_E - V_MO_E for another frame O; see
  CalcRelativeSpatialVelocityInWorld(). */
  SpatialVelocity<T> CalcRelativeSpatialVelocity(
      const systems::Context<T>& context, const Frame<T>& other_frame,
      const Frame<T>& measured_in_frame,
      const Frame<T>& expressed_in_frame) const;
  /** A_WF_W, with the accelerations that follow from the present state and
  inputs. */
  SpatialAcceleration<T> CalcSpatialAccelerationInWorld(
      const systems::Context<T>& context) const;
  /** Returns the acceleration A_MF_E in a frame M, in the axes of E. */
  SpatialAcceleration<T> CalcSpatialAcceleration(
      const systems::Context<T>& context, const Frame<T>& measured_in_frame,
      const Frame<T>& expressed_in_frame) const;
  /** Returns A_WF_W - A_WO_W for another frame O. */
  SpatialAcceleration<T> CalcRelativeSpatialAccelerationInWorld(
      const systems::Context<T>& context, const Frame<T>& other_frame) const;
  /** Returns A_MF_E - A_MO_E for another frame O. */
  SpatialAcceleration<T> CalcRelativeSpatialAcceleration(
      const systems::Context<T>& context, const Frame<T>& other_frame,
      const Frame<T>& measured_in_frame,
      const Frame<T>& expressed_in_frame) const;

  /** A copy for a model on another scalar, whose bodies and earlier frames
  are already there. */
  template <typename ToScalar>
  std::unique_ptr<Frame<ToScalar>> CloneToScalar(
      const internal::MultibodyTree<ToScalar>& tree_clone) const {
    return DoCloneToScalar(tree_clone);
  }

 protected:
  Frame(const std::string& name, const RigidBody<T>& body,
        ModelInstanceIndex model_instance, bool is_body_frame = false);

  /** For parameters of the frame's own: declare them by
  DeclareNumericParameter(), and set them to their defaults. */
  virtual void DoDeclareFrameParameters(internal::MultibodyTreeSystem<T>*) {}
  virtual void DoSetDefaultFrameParameters(systems::Parameters<T>*) const {}

  virtual math::RigidTransform<T> DoCalcPoseInBodyFrame(
      const systems::Parameters<T>& parameters) const = 0;
  /** Where the pose is not needed for the rotation. */
  virtual math::RotationMatrix<T> DoCalcRotationMatrixInBodyFrame(
      const systems::Parameters<T>& parameters) const {
    return DoCalcPoseInBodyFrame(parameters).rotation();
  }
  virtual math::RigidTransform<T> DoGetFixedPoseInBodyFrame() const = 0;
  virtual std::unique_ptr<Frame<double>> DoCloneToScalar(
      const internal::MultibodyTree<double>& tree_clone) const = 0;
  virtual std::unique_ptr<Frame<AutoDiffXd>> DoCloneToScalar(
      const internal::MultibodyTree<AutoDiffXd>& tree_clone) const = 0;

  /** A frame that the model names as it is added: "frame_" and its index. */
  Frame(const RigidBody<T>& body, ModelInstanceIndex model_instance);

  /** X_BG of another frame G, for frames defined relative to G. */
  static math::RigidTransform<T> PoseInBodyOf(
      const Frame<T>& frame_G, const systems::Parameters<T>& parameters) {
    return frame_G.DoCalcPoseInBodyFrame(parameters);
  }

 private:
  template <typename>
  friend class Frame;
  friend class internal::MultibodyTree<T>;
  friend class internal::MultibodyTreeSystem<T>;

  void DoDeclareParameters(
      internal::MultibodyTreeSystem<T>* tree_system) final {
    DoDeclareFrameParameters(tree_system);
  }
  void DoSetDefaultParameters(systems::Parameters<T>* parameters) const final {
    DoSetDefaultFrameParameters(parameters);
  }

  std::string name_;
  const RigidBody<T>& body_;
  bool is_body_frame_;
  FrameIndex index_;
};

}  // namespace wyvern::multibody
