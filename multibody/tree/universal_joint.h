#pragma once

#include <memory>
#include <string>

#include "wyvern/multibody/tree/joint.h"

namespace wyvern::multibody {

/** A cardan joint: M turns in F by q0 about Fx, then by q1 about the y axis so
moved, [rad]; the origins coincide. v are the rates. */
template <typename T>
class UniversalJoint final : public Joint<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(UniversalJoint);
  static constexpr char kTypeName[] = "universal";

  /** @param damping viscous, of both angles, [N·m·s]. */
  UniversalJoint(const std::string& name, const Frame<T>& frame_on_parent,
                 const Frame<T>& frame_on_child, double damping = 0);
  ~UniversalJoint() override;

  const std::string& type_name() const override;

  double default_damping() const { return this->default_damping_vector()[0]; }
  Vector2<T> get_angles(const systems::Context<T>& context) const {
    return this->GetPositions(context);
  }
  const UniversalJoint<T>& set_angles(systems::Context<T>* context,
                                      const Vector2<T>& angles) const {
    this->SetPositions(context, angles);
    return *this;
  }
  Vector2<T> get_angular_rates(const systems::Context<T>& context) const {
    return this->GetVelocities(context);
  }
  const UniversalJoint<T>& set_angular_rates(
      systems::Context<T>* context, const Vector2<T>& theta_dot) const {
    this->SetVelocities(context, theta_dot);
    return *this;
  }
  Vector2<double> get_default_angles() const {
    return this->default_positions();
  }
  void set_default_angles(const Vector2<double>& angles) {
    this->set_default_positions(angles);
  }
  /** How a random state has the angles, [rad]. */
  void set_random_angles_distribution(
      const Vector2<symbolic::Expression>& angles) {
    this->SetRandomPositions(0, angles);
  }

 private:
  std::string do_position_suffix(int index) const override {
    return index == 0 ? "qx" : "qy";
  }
  std::string do_velocity_suffix(int index) const override {
    return index == 0 ? "wx" : "wy";
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
