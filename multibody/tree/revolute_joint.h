#pragma once

#include <limits>
#include <string>
#include <tuple>

#include "wyvern/multibody/tree/single_axis_joint.h"
#include "wyvern/multibody/tree/typed_joint.h"

namespace wyvern::multibody {

/** A hinge: M turns in F by an angle about an axis fixed in both, [rad]. Their
origins coincide; at zero angle so do their axes. */
template <typename T>
class RevoluteJoint final
    : public internal::TypedJoint<RevoluteJoint, T,
                                  internal::SingleAxisJoint<T>> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(RevoluteJoint);
  /** The value of type_name(). */
  static constexpr char kTypeName[] = "revolute";

  /** @param axis of any length but zero; it is normalized.
  @param damping viscous, [N·m·s]. @throws std::logic_error if a value is not
  valid. */
  RevoluteJoint(const std::string& name, const Frame<T>& frame_on_parent,
                const Frame<T>& frame_on_child, const Vector3<double>& axis,
                double damping = 0);
  /** Makes the joint with limits on the angle, [rad]. */
  RevoluteJoint(const std::string& name, const Frame<T>& frame_on_parent,
                const Frame<T>& frame_on_child, const Vector3<double>& axis,
                double pos_lower_limit, double pos_upper_limit,
                double damping = 0);
  ~RevoluteJoint() override;

  /** The unit axis, the same numbers in F and in M. */
  const Vector3<double>& revolute_axis() const { return this->axis(); }

  /** The angle [rad], a reference into `context`. */
  const T& get_angle(const systems::Context<T>& context) const {
    return this->GetOnePosition(context);
  }
  /** Sets the angle [rad].
  @throws std::logic_error if it is not finite. */
  const RevoluteJoint<T>& set_angle(systems::Context<T>* context,
                                    const T& angle) const {
    this->SetPositions(context, VectorX<T>::Constant(1, angle));
    return *this;
  }
  /** The angular rate [rad/s], a reference into `context`. */
  const T& get_angular_rate(const systems::Context<T>& context) const {
    return this->GetOneVelocity(context);
  }
  /** Sets the angular rate [rad/s].
  @throws std::logic_error if it is not finite. */
  const RevoluteJoint<T>& set_angular_rate(systems::Context<T>* context,
                                           const T& angular_rate) const {
    this->SetVelocities(context, VectorX<T>::Constant(1, angular_rate));
    return *this;
  }
  /** The angle that a new Context starts with [rad]. */
  double get_default_angle() const { return this->default_positions()[0]; }
  /** Sets the angle that a new Context starts with [rad].
  @throws std::logic_error if it is not finite. */
  void set_default_angle(double angle) {
    this->set_default_positions(VectorX<double>::Constant(1, angle));
  }
  /** How a random state has the angle, [rad]. */
  void set_random_angle_distribution(const symbolic::Expression& angle) {
    this->SetRandomPositions(0, Vector<symbolic::Expression, 1>(angle));
  }

  /** Adds a torque about the axis, [N·m]. */
  void AddInTorque(const systems::Context<T>& context, const T& torque,
                   MultibodyForces<T>* forces) const {
    this->AddInOneForce(context, 0, torque, forces);
  }

 private:
  friend class internal::TypedJoint<RevoluteJoint, T,
                                    internal::SingleAxisJoint<T>>;
  auto clone_arguments() const { return std::tuple(this->axis()); }
  VectorX<T> DoPoseToPositions(const Quaternion<T>& q_FM,
                               const Vector3<T>& p_FM) const override;
  VectorX<T> DoSpatialVelocityToVelocities(
      const SpatialVelocity<T>& V_FM) const override;
};

}  // namespace wyvern::multibody
