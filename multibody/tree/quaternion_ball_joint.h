#pragma once

#include <memory>
#include <string>

#include "wyvern/multibody/tree/joint.h"

namespace wyvern::multibody {

/** A ball joint without singular orientations: M turns freely in F, the origins
coinciding. q is the unit quaternion of R_FM (qw, qx, qy, qz); v is w_FM_F in
rad/s. Its positions can have no limits. BallRpyJoint has the same motion, three
angles and a gimbal lock. */
template <typename T>
class QuaternionBallJoint final : public Joint<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(QuaternionBallJoint);
  static constexpr char kTypeName[] = "quaternion_ball";

  /** @param damping [N·m·s]: a torque -damping w_FM. */
  QuaternionBallJoint(const std::string& name, const Frame<T>& frame_on_parent,
                      const Frame<T>& frame_on_child, double damping = 0);
  ~QuaternionBallJoint() override;

  const std::string& type_name() const override;

  double default_damping() const { return this->default_damping_vector()[0]; }
  Eigen::Quaternion<T> get_quaternion(const systems::Context<T>& context) const;
  /** The quaternion is normalized.
  @throws std::logic_error if its length is not well above zero. */
  const QuaternionBallJoint<T>& SetQuaternion(systems::Context<T>* context,
                                              const Quaternion<T>& q_FM) const;
  const QuaternionBallJoint<T>& SetOrientation(
      systems::Context<T>* context, const math::RotationMatrix<T>& R_FM) const;
  Vector3<T> get_angular_velocity(const systems::Context<T>& context) const {
    return this->GetVelocities(context);
  }
  const QuaternionBallJoint<T>& set_angular_velocity(
      systems::Context<T>* context, const Vector3<T>& w_FM) const {
    this->SetVelocities(context, w_FM);
    return *this;
  }
  Eigen::Quaternion<double> get_default_quaternion() const;
  /** As SetQuaternion(). */
  void set_default_quaternion(const Quaternion<double>& q_FM);
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

 private:
  std::string do_position_suffix(int index) const override;
  std::string do_velocity_suffix(int index) const override;
  VectorX<T> DoPoseToPositions(const Quaternion<T>& q_FM,
                               const Vector3<T>& p_FM) const override;
  VectorX<T> DoSpatialVelocityToVelocities(
      const SpatialVelocity<T>& V_FM) const override {
    return V_FM.rotational();
  }
  std::unique_ptr<Joint<double>> DoCloneToScalar(
      const internal::MultibodyTree<double>& tree_clone) const override;
  std::unique_ptr<Joint<AutoDiffXd>> DoCloneToScalar(
      const internal::MultibodyTree<AutoDiffXd>& tree_clone) const override;
  template <typename ToScalar>
  std::unique_ptr<Joint<ToScalar>> TemplatedClone(
      const internal::MultibodyTree<ToScalar>& tree_clone) const;
};

}  // namespace wyvern::multibody
