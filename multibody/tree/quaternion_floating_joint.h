#pragma once

#include <memory>
#include <string>

#include "wyvern/multibody/tree/floating_joint.h"

namespace wyvern::multibody {

/** Six degrees of freedom: M moves freely in F. q is the unit quaternion of
R_FM (qw, qx, qy, qz) and p_FoMo_F in metres; v is w_FM_F in rad/s and v_FMo_F
in m/s. */
template <typename T>
class QuaternionFloatingJoint final : public internal::FloatingJoint<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(QuaternionFloatingJoint);
  static constexpr char kTypeName[] = "quaternion_floating";

  /** @param angular_damping [N·m·s]: a torque -d w_FM.
  @param translational_damping [N·s/m]: a force -d v_FM. */
  QuaternionFloatingJoint(const std::string& name,
                          const Frame<T>& frame_on_parent,
                          const Frame<T>& frame_on_child,
                          double angular_damping = 0.0,
                          double translational_damping = 0.0);
  ~QuaternionFloatingJoint() override;

  const std::string& type_name() const override;

  Eigen::Quaternion<T> get_quaternion(const systems::Context<T>& context) const;

  /** The quaternion is normalized.
  @throws std::logic_error if its length is not well above zero. */
  const QuaternionFloatingJoint<T>& SetQuaternion(
      systems::Context<T>* context, const Quaternion<T>& q_FM) const;
  const QuaternionFloatingJoint<T>& SetOrientation(
      systems::Context<T>* context, const math::RotationMatrix<T>& R_FM) const;
  const QuaternionFloatingJoint<T>& SetTranslation(
      systems::Context<T>* context, const Vector3<T>& p_FM) const;
  const QuaternionFloatingJoint<T>& SetPose(
      systems::Context<T>* context, const math::RigidTransform<T>& X_FM) const;
  const QuaternionFloatingJoint<T>& set_angular_velocity(
      systems::Context<T>* context, const Vector3<T>& w_FM) const;
  const QuaternionFloatingJoint<T>& set_translational_velocity(
      systems::Context<T>* context, const Vector3<T>& v_FM) const;

  Eigen::Quaternion<double> get_default_quaternion() const;
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
  VectorX<T> DoPoseToPositions(const Quaternion<T>& q_FM,
                               const Vector3<T>& p_FM) const override;
  std::unique_ptr<Joint<double>> DoCloneToScalar(
      const internal::MultibodyTree<double>& tree_clone) const override;
  std::unique_ptr<Joint<AutoDiffXd>> DoCloneToScalar(
      const internal::MultibodyTree<AutoDiffXd>& tree_clone) const override;
  template <typename ToScalar>
  std::unique_ptr<Joint<ToScalar>> TemplatedClone(
      const internal::MultibodyTree<ToScalar>& tree_clone) const;
};

}  // namespace wyvern::multibody
