#pragma once

/** @file
The orientation of ball and floating joints in their positions: `Base`
is a BallJoint or a FloatingJointOf. q begins with the orientation; p_FoMo_F
follows if the joint has it. */

#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/joint.h"

namespace wyvern::multibody::internal {

/** Copies what `orientation` has into the beginning of q. */
template <typename T, typename Orientation>
VectorX<T> WithOrientation(VectorX<T> q, const Orientation& orientation) {
  q.head(orientation.size()) = orientation;
  return q;
}

/** By the unit quaternion of R_FM, (qw, qx, qy, qz). */
template <typename Base>
class QuaternionCoordinates : public Base {
  using T = typename Base::Scalar;
  using JointType = typename Base::JointType;

 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(QuaternionCoordinates);

  Eigen::Quaternion<T> get_quaternion(
      const systems::Context<T>& context) const {
    return ToQuaternion<T>(this->GetPositions(context));
  }
  /** The quaternion is normalized.
  @throws std::logic_error if its length is not well above zero. */
  const JointType& SetQuaternion(systems::Context<T>* context,
                                 const Quaternion<T>& q_FM) const {
    this->SetPositions(
        context, WithOrientation<T>(
                     this->GetPositions(Deref(context, "Joint::SetQuaternion")),
                     this->NormalizeQuaternion(q_FM)));
    return this->self();
  }
  const JointType& SetOrientation(systems::Context<T>* context,
                                  const math::RotationMatrix<T>& R_FM) const {
    return SetQuaternion(context, R_FM.ToQuaternion());
  }
  Eigen::Quaternion<double> get_default_quaternion() const {
    return ToQuaternion<double>(this->default_positions());
  }
  /** As SetQuaternion(). */
  void set_default_quaternion(const Quaternion<double>& q_FM) {
    this->set_default_positions(WithOrientation<double>(
        this->default_positions(),
        ToDouble(this->NormalizeQuaternion(q_FM.template cast<T>()))));
  }
  /** How a random state has the orientation; what is drawn is normalized. */
  void set_random_quaternion_distribution(
      const Eigen::Quaternion<symbolic::Expression>& q_FM) {
    this->SetRandomPositions(0, Vector4<symbolic::Expression>(
                                    q_FM.w(), q_FM.x(), q_FM.y(), q_FM.z()));
  }
  /** Any orientation, all alike likely. */
  void set_random_quaternion_distribution_to_uniform() {
    this->SetUniformRandomQuaternion();
  }

 protected:
  using Base::Base;

 private:
  template <typename U>
  static Eigen::Quaternion<U> ToQuaternion(
      const Eigen::Ref<const VectorX<U>>& q) {
    return Eigen::Quaternion<U>(q[0], q[1], q[2], q[3]);
  }
  VectorX<T> DoPoseToPositions(const Quaternion<T>& q_FM,
                               const Vector3<T>& p_FM) const final {
    VectorX<T> q(this->num_positions());
    q << this->NormalizeQuaternion(q_FM), p_FM.head(q.size() - 4);
    return q;
  }
};

/** By roll, pitch, yaw about the fixed x, y, z, R_FM = Rz(yaw) Ry(pitch)
Rx(roll), [rad]. */
template <typename Base>
class RpyCoordinates : public Base {
  using T = typename Base::Scalar;
  using JointType = typename Base::JointType;

 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(RpyCoordinates);

  /** The angles (roll, pitch, yaw) about the fixed x, y, z. */
  Vector3<T> get_angles(const systems::Context<T>& context) const {
    return this->GetPositions(context).template head<3>();
  }
  const JointType& set_angles(systems::Context<T>* context,
                              const Vector3<T>& angles) const {
    this->SetPositions(
        context,
        WithOrientation<T>(
            this->GetPositions(Deref(context, "Joint::set_angles")), angles));
    return this->self();
  }
  const JointType& SetOrientation(systems::Context<T>* context,
                                  const math::RotationMatrix<T>& R_FM) const {
    return set_angles(context, math::RollPitchYaw<T>(R_FM).vector());
  }
  Vector3<double> get_default_angles() const {
    return this->default_positions().template head<3>();
  }
  void set_default_angles(const Vector3<double>& angles) {
    this->set_default_positions(
        WithOrientation<double>(this->default_positions(), angles));
  }
  /** How a random state has the angles, [rad]. */
  void set_random_angles_distribution(
      const Vector3<symbolic::Expression>& angles) {
    this->SetRandomPositions(0, angles);
  }

 protected:
  using Base::Base;

 private:
  VectorX<T> DoPoseToPositions(const Quaternion<T>& q_FM,
                               const Vector3<T>& p_FM) const final {
    VectorX<T> q(this->num_positions());
    q << math::RollPitchYaw<T>(q_FM).vector(), p_FM.head(q.size() - 3);
    return q;
  }
};

}  // namespace wyvern::multibody::internal
