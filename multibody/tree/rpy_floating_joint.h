#pragma once

#include <memory>
#include <string>

#include "wyvern/multibody/tree/floating_joint.h"

namespace wyvern::multibody {

/** Six degrees of freedom: M moves freely in F. q is roll, pitch, yaw about the
fixed x, y, z, R_FM = Rz(yaw) Ry(pitch) Rx(roll), and p_FoMo_F in metres; v is
w_FM_F in rad/s and v_FMo_F in m/s. q̇ does not exist at pitch = ±π/2. */
template <typename T>
class RpyFloatingJoint final : public internal::FloatingJoint<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(RpyFloatingJoint);
  static constexpr char kTypeName[] = "rpy_floating";

  /** @param angular_damping [N·m·s]: a torque -d w_FM.
  @param translational_damping [N·s/m]: a force -d v_FM. */
  RpyFloatingJoint(const std::string& name, const Frame<T>& frame_on_parent,
                   const Frame<T>& frame_on_child, double angular_damping = 0.0,
                   double translational_damping = 0.0);
  ~RpyFloatingJoint() override;

  const std::string& type_name() const override;

  /** The angles (roll, pitch, yaw) about the fixed x, y, z. */
  Vector3<T> get_angles(const systems::Context<T>& context) const;

  const RpyFloatingJoint<T>& set_angles(systems::Context<T>* context,
                                        const Vector3<T>& angles) const;
  const RpyFloatingJoint<T>& SetOrientation(
      systems::Context<T>* context, const math::RotationMatrix<T>& R_FM) const;
  const RpyFloatingJoint<T>& SetTranslation(systems::Context<T>* context,
                                            const Vector3<T>& p_FM) const;
  const RpyFloatingJoint<T>& SetPose(systems::Context<T>* context,
                                     const math::RigidTransform<T>& X_FM) const;
  const RpyFloatingJoint<T>& set_angular_velocity(systems::Context<T>* context,
                                                  const Vector3<T>& w_FM) const;
  const RpyFloatingJoint<T>& set_translational_velocity(
      systems::Context<T>* context, const Vector3<T>& v_FM) const;

  Vector3<double> get_default_angles() const {
    return this->default_positions().template head<3>();
  }
  void set_default_angles(const Vector3<double>& angles);

  /** How a random state has the angles, [rad]. */
  void set_random_angles_distribution(
      const Vector3<symbolic::Expression>& angles) {
    this->SetRandomPositions(0, angles);
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
