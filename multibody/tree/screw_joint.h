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

  const Vector3<double>& screw_axis() const { return this->axis(); }
  double screw_pitch() const { return pitch_; }
  const T& get_rotation(const systems::Context<T>& context) const {
    return this->GetOnePosition(context);
  }
  const ScrewJoint<T>& set_rotation(systems::Context<T>* context,
                                    const T& theta) const {
    this->SetPositions(context, VectorX<T>::Constant(1, theta));
    return *this;
  }
  const T& get_angular_velocity(const systems::Context<T>& context) const {
    return this->GetOneVelocity(context);
  }
  const ScrewJoint<T>& set_angular_velocity(systems::Context<T>* context,
                                            const T& theta_dot) const {
    this->SetVelocities(context, VectorX<T>::Constant(1, theta_dot));
    return *this;
  }
  /** Along the axis. Setting it throws std::logic_error if the pitch is 0. */
  T get_translation(const systems::Context<T>& context) const {
    return get_rotation(context) * metres_per_radian();
  }
  const ScrewJoint<T>& set_translation(systems::Context<T>* context,
                                       const T& z) const;
  T get_translational_velocity(const systems::Context<T>& context) const {
    return get_angular_velocity(context) * metres_per_radian();
  }
  const ScrewJoint<T>& set_translational_velocity(systems::Context<T>* context,
                                                  const T& vz) const;
  double get_default_rotation() const { return this->default_positions()[0]; }
  void set_default_rotation(double theta) {
    this->set_default_positions(VectorX<double>::Constant(1, theta));
  }
  /** How a random state has the angle, [rad]. */
  void set_random_pose_distribution(
      const Vector<symbolic::Expression, 1>& theta) {
    this->SetRandomPositions(0, theta);
  }
  double get_default_translation() const {
    return get_default_rotation() * metres_per_radian();
  }
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
