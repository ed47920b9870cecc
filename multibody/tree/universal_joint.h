#pragma once

#include <string>

#include "wyvern/multibody/tree/typed_joint.h"

namespace wyvern::multibody {

/** A cardan joint: M turns in F by q0 about Fx, then by q1 about the y axis so
moved, [rad]; the origins coincide. v are the rates. */
template <typename T>
class UniversalJoint final : public internal::TypedJoint<UniversalJoint, T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(UniversalJoint);
  /** The value of type_name(). */
  static constexpr char kTypeName[] = "universal";

  /** @param damping viscous, of both angles, [N·m·s]. */
  UniversalJoint(const std::string& name, const Frame<T>& frame_on_parent,
                 const Frame<T>& frame_on_child, double damping = 0);
  ~UniversalJoint() override;

  /** Default damping of both angles, [N·m·s]. */
  double default_damping() const { return this->default_damping_vector()[0]; }
  /** The angles q0 and q1, [rad]. */
  Vector2<T> get_angles(const systems::Context<T>& context) const {
    return this->GetPositions(context);
  }
  /** Sets the angles q0 and q1, [rad].
  @throws std::logic_error if one is not finite. */
  const UniversalJoint<T>& set_angles(systems::Context<T>* context,
                                      const Vector2<T>& angles) const {
    this->SetPositions(context, angles);
    return *this;
  }
  /** The rates of q0 and q1, [rad/s]. */
  Vector2<T> get_angular_rates(const systems::Context<T>& context) const {
    return this->GetVelocities(context);
  }
  /** Sets the rates of q0 and q1, [rad/s].
  @throws std::logic_error if one is not finite. */
  const UniversalJoint<T>& set_angular_rates(
      systems::Context<T>* context, const Vector2<T>& theta_dot) const {
    this->SetVelocities(context, theta_dot);
    return *this;
  }
  /** The angles that a new Context starts with, [rad]. */
  Vector2<double> get_default_angles() const {
    return this->default_positions();
  }
  /** Sets the angles that a new Context starts with, [rad]. */
  void set_default_angles(const Vector2<double>& angles) {
    this->set_default_positions(angles);
  }
  /** How a random state has the angles, [rad]. */
  void set_random_angles_distribution(
      const Vector2<symbolic::Expression>& angles) {
    this->SetRandomPositions(0, angles);
  }
};

}  // namespace wyvern::multibody
