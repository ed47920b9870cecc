#pragma once

#include <memory>
#include <string>

#include "wyvern/multibody/tree/joint.h"

namespace wyvern::multibody {

/** A ball joint: M turns freely in F, the origins coinciding. q is roll, pitch,
yaw about the fixed x, y, z, R_FM = Rz(yaw) Ry(pitch) Rx(roll), [rad]; v is
w_FM_F in rad/s. q̇ does not exist at pitch = ±π/2. */
template <typename T>
class BallRpyJoint final : public Joint<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(BallRpyJoint);
  static constexpr char kTypeName[] = "ball_rpy";

  /** @param damping [N·m·s]: a torque -damping w_FM. */
  BallRpyJoint(const std::string& name, const Frame<T>& frame_on_parent,
               const Frame<T>& frame_on_child, double damping = 0);
  ~BallRpyJoint() override;

  const std::string& type_name() const override;

  double default_damping() const { return this->default_damping_vector()[0]; }
  Vector3<T> get_angles(const systems::Context<T>& context) const {
    return this->GetPositions(context);
  }
  const BallRpyJoint<T>& set_angles(systems::Context<T>* context,
                                    const Vector3<T>& angles) const {
    this->SetPositions(context, angles);
    return *this;
  }
  Vector3<T> get_angular_velocity(const systems::Context<T>& context) const {
    return this->GetVelocities(context);
  }
  const BallRpyJoint<T>& set_angular_velocity(systems::Context<T>* context,
                                              const Vector3<T>& w_FM) const {
    this->SetVelocities(context, w_FM);
    return *this;
  }
  Vector3<double> get_default_angles() const {
    return this->default_positions();
  }
  void set_default_angles(const Vector3<double>& angles) {
    this->set_default_positions(angles);
  }
  /** How a random state has the angles, [rad]. */
  void set_random_angles_distribution(
      const Vector3<symbolic::Expression>& angles) {
    this->SetRandomPositions(0, angles);
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
