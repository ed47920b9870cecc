#pragma once

#include <string>
#include <tuple>

#include "wyvern/multibody/tree/single_axis_joint.h"
#include "wyvern/multibody/tree/typed_joint.h"

namespace wyvern::multibody {

/** M turns in F by q, [rad], about an axis fixed in both and moves along it in
proportion, by the pitch in metres per turn. */
template <typename T>
class ScrewJoint final
    : public internal::TypedJoint<ScrewJoint, T, internal::SingleAxisJoint<T>> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ScrewJoint);
  /** The value of type_name(). */
  static constexpr char kTypeName[] = "screw";

  /** About z. @param damping viscous, of the angle, [N·m·s]. */
  ScrewJoint(const std::string& name, const Frame<T>& frame_on_parent,
             const Frame<T>& frame_on_child, double screw_pitch,
             double damping);
  /** @param axis of any length but zero; it is normalized.
  @throws std::logic_error if a value is not finite or the axis zero. */
  ScrewJoint(const std::string& name, const Frame<T>& frame_on_parent,
             const Frame<T>& frame_on_child, const Vector3<double>& axis,
             double screw_pitch, double damping);
  ~ScrewJoint() override;

  /** The unit axis, the same numbers in F and in M. */
  const Vector3<double>& screw_axis() const { return this->axis(); }
  /** Metres along the axis per turn. */
  double screw_pitch() const { return pitch_; }
  /** The angle q [rad], a reference into `context`. */
  const T& get_rotation(const systems::Context<T>& context) const {
    return this->GetOnePosition(context);
  }
  /** Sets the angle q [rad].
  @throws std::logic_error if it is not finite. */
  const ScrewJoint<T>& set_rotation(systems::Context<T>* context,
                                    const T& theta) const {
    this->SetPositions(context, VectorX<T>::Constant(1, theta));
    return *this;
  }
  /** The angular rate [rad/s], a reference into `context`. */
  const T& get_angular_velocity(const systems::Context<T>& context) const {
    return this->GetOneVelocity(context);
  }
  /** Sets the angular rate [rad/s].
  @throws std::logic_error if it is not finite. */
  const ScrewJoint<T>& set_angular_velocity(systems::Context<T>* context,
                                            const T& theta_dot) const {
    this->SetVelocities(context, VectorX<T>::Constant(1, theta_dot));
    return *this;
  }
  /** The translation along the axis, [m]. */
  T get_translation(const systems::Context<T>& context) const {
    return get_rotation(context) * metres_per_radian();
  }
  /** Sets the angle that gives this translation, [m].
  @throws std::logic_error if the pitch is 0, here and below. */
  const ScrewJoint<T>& set_translation(systems::Context<T>* context,
                                       const T& z) const;
  /** The speed along the axis, [m/s]. */
  T get_translational_velocity(const systems::Context<T>& context) const {
    return get_angular_velocity(context) * metres_per_radian();
  }
  /** Sets the angular rate that gives this speed along the axis, [m/s]. */
  const ScrewJoint<T>& set_translational_velocity(systems::Context<T>* context,
                                                  const T& vz) const;
  /** The angle that a new Context starts with [rad]. */
  double get_default_rotation() const { return this->default_positions()[0]; }
  /** Sets the angle that a new Context starts with [rad].
  @throws std::logic_error if it is not finite. */
  void set_default_rotation(double theta) {
    this->set_default_positions(VectorX<double>::Constant(1, theta));
  }
  /** How a random state has the angle, [rad]. */
  void set_random_pose_distribution(
      const Vector<symbolic::Expression, 1>& theta) {
    this->SetRandomPositions(0, theta);
  }
  /** The translation that a new Context starts with [m]. */
  double get_default_translation() const {
    return get_default_rotation() * metres_per_radian();
  }
  /** Sets the translation that a new Context starts with [m]. */
  void set_default_translation(const double& z);

 private:
  friend class internal::TypedJoint<ScrewJoint, T,
                                    internal::SingleAxisJoint<T>>;
  auto clone_arguments() const {
    return std::tuple(this->axis(), pitch_, this->default_damping());
  }
  double mobilizer_pitch() const override { return pitch_; }
  double metres_per_radian() const;
  double radians_per_metre() const;

  const double pitch_;
};

}  // namespace wyvern::multibody
