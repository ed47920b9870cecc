#pragma once

#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/systems/symbolic/expression.h"

namespace wyvern::multibody {

/** The part of a MultibodyPlant about free bodies: those that a joint with six
degrees of freedom moves. P is the body that the joint ties it to, nearly always
the world. All but those of default poses throw std::logic_error before
Finalize(), and for a body that is not free. */
template <typename T>
class PlantFreeBodies {
 public:
  /** Returns the pose X_PB of a free body in its parent. */
  math::RigidTransform<T> GetFreeBodyPose(const systems::Context<T>& context,
                                          const RigidBody<T>& body) const;
  /** Sets X_PB in `context`. */
  void SetFreeBodyPose(systems::Context<T>* context, const RigidBody<T>& body,
                       const math::RigidTransform<T>& X_PB) const;
  /** Sets X_PB in `state`, a state of this plant; `context` has the
  parameters. */
  void SetFreeBodyPose(const systems::Context<T>& context,
                       systems::State<T>* state, const RigidBody<T>& body,
                       const math::RigidTransform<T>& X_PB) const;
  /** V_PB_P, of Bo. */
  void SetFreeBodySpatialVelocity(systems::Context<T>* context,
                                  const RigidBody<T>& body,
                                  const SpatialVelocity<T>& V_PB) const;
  /** Sets V_PB_P in `state`, a state of this plant; `context` has the
  parameters. */
  void SetFreeBodySpatialVelocity(const systems::Context<T>& context,
                                  systems::State<T>* state,
                                  const RigidBody<T>& body,
                                  const SpatialVelocity<T>& V_PB) const;
  /** Sets X_WB of a body that floats in the world.
  @throws std::logic_error also if the body is not floating in the world. */
  void SetFreeBodyPoseInWorldFrame(systems::Context<T>* context,
                                   const RigidBody<T>& body,
                                   const math::RigidTransform<T>& X_WB) const;
  /** Sets X_FB of a free body, F being fixed in the world.
  @throws std::logic_error also if `frame_F` is not anchored. */
  void SetFreeBodyPoseInAnchoredFrame(
      systems::Context<T>* context, const Frame<T>& frame_F,
      const RigidBody<T>& body, const math::RigidTransform<T>& X_FB) const;

  /** X_PB that a new Context starts with, the identity unless set; before
  Finalize() or after it. Of a body that is not free it is remembered, without
  effect.
  @throws std::logic_error if a value is not finite. */
  void SetDefaultFreeBodyPose(const RigidBody<T>& body,
                              const math::RigidTransform<double>& X_PB);
  /** The pose X_PB that a new Context starts with. */
  math::RigidTransform<double> GetDefaultFreeBodyPose(
      const RigidBody<T>& body) const;

  /** @name Random poses
  How a random state has the joint's X_FM, which is X_PB if its frames are those
  of the bodies. Each sets a part and leaves the other as it was.
  @{ */
  /** Sets how the translation is drawn, [m]. */
  void SetFreeBodyRandomTranslationDistribution(
      const RigidBody<T>& body,
      const Vector3<symbolic::Expression>& translation);
  /** A quaternion drawn is normalized. @throws std::logic_error also if a joint
  of another type than QuaternionFloatingJoint moves the body. */
  void SetFreeBodyRandomRotationDistribution(
      const RigidBody<T>& body,
      const Eigen::Quaternion<symbolic::Expression>& rotation);
  /** Every orientation is equally likely. Throws as above. */
  void SetFreeBodyRandomRotationDistributionToUniform(const RigidBody<T>& body);
  /** Sets how roll, pitch and yaw are drawn, [rad].
  @throws std::logic_error also if a joint of another type than
  RpyFloatingJoint moves the body. */
  void SetFreeBodyRandomAnglesDistribution(
      const RigidBody<T>& body,
      const math::RollPitchYaw<symbolic::Expression>& angles);
  /** @} */

 protected:
  explicit PlantFreeBodies(internal::MultibodyTreeSystem<T>& core)
      : core_(core) {}
  ~PlantFreeBodies() = default;

 private:
  const Joint<T>& FreeJoint(const char* function,
                            const RigidBody<T>& body) const;
  template <template <typename> class JointType>
  JointType<T>& FreeJointOfType(const char* function, const RigidBody<T>& body);
  math::RigidTransform<T> ToJointPose(
      const std::vector<math::RigidTransform<T>>& X_BF, const Joint<T>& joint,
      const RigidBody<T>& body, const math::RigidTransform<T>& X_PB) const;

  internal::MultibodyTreeSystem<T>& core_;
};

}  // namespace wyvern::multibody
