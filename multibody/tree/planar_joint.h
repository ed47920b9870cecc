#pragma once

#include <string>

#include "wyvern/multibody/tree/typed_joint.h"

namespace wyvern::multibody {

/** M slides and turns in the plane Fx, Fy: q is x and y of Mo in F, [m], and
the angle θ about Fz, [rad]; v are their rates. */
template <typename T>
class PlanarJoint final : public internal::TypedJoint<PlanarJoint, T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(PlanarJoint);
  /** The value of type_name(). */
  static constexpr char kTypeName[] = "planar";

  /** @param damping viscous, along x and y [N·s/m] and of θ [N·m·s]. */
  PlanarJoint(const std::string& name, const Frame<T>& frame_on_parent,
              const Frame<T>& frame_on_child,
              Vector3<double> damping = Vector3<double>::Zero());
  ~PlanarJoint() override;

  /** Default damping along x, y [N·s/m] and of θ [N·m·s]. */
  Vector3<double> default_damping() const {
    return this->default_damping_vector();
  }
  /** x and y of Mo in F, [m]. */
  Vector2<T> get_translation(const systems::Context<T>& context) const {
    return this->GetPositions(context).template head<2>();
  }
  /** Sets x and y of Mo in F, [m]; θ stays. */
  const PlanarJoint<T>& set_translation(systems::Context<T>* context,
                                        const Vector2<T>& p_FoMo_F) const;
  /** The angle θ [rad], a reference into `context`. */
  const T& get_rotation(const systems::Context<T>& context) const;
  /** Sets the angle θ [rad]; x and y stay. */
  const PlanarJoint<T>& set_rotation(systems::Context<T>* context,
                                     const T& theta) const;
  /** Sets x and y of Mo in F, [m], and the angle θ [rad]. */
  const PlanarJoint<T>& set_pose(systems::Context<T>* context,
                                 const Vector2<T>& p_FoMo_F,
                                 const T& theta) const;
  /** Rates of x and y, [m/s]. */
  Vector2<T> get_translational_velocity(
      const systems::Context<T>& context) const {
    return this->GetVelocities(context).template head<2>();
  }
  /** Sets the rates of x and y, [m/s]; that of θ stays. */
  const PlanarJoint<T>& set_translational_velocity(
      systems::Context<T>* context, const Vector2<T>& v_FoMo_F) const;
  /** The rate of θ [rad/s], a reference into `context`. */
  const T& get_angular_velocity(const systems::Context<T>& context) const;
  /** Sets the rate of θ [rad/s]; those of x and y stay. */
  const PlanarJoint<T>& set_angular_velocity(systems::Context<T>* context,
                                             const T& theta_dot) const;
  /** x and y that a new Context starts with, [m]. */
  Vector2<double> get_default_translation() const {
    return this->default_positions().template head<2>();
  }
  /** θ that a new Context starts with, [rad]. */
  double get_default_rotation() const { return this->default_positions()[2]; }
  /** Sets x and y that a new Context starts with, [m]. */
  void set_default_translation(const Vector2<double>& p_FoMo_F) {
    set_default_pose(p_FoMo_F, get_default_rotation());
  }
  /** Sets θ that a new Context starts with, [rad]. */
  void set_default_rotation(double theta) {
    set_default_pose(get_default_translation(), theta);
  }
  /** Sets x and y [m] and θ [rad] that a new Context starts with. */
  void set_default_pose(const Vector2<double>& p_FoMo_F, double theta) {
    this->set_default_positions(
        Vector3<double>(p_FoMo_F[0], p_FoMo_F[1], theta));
  }
  /** How a random state has the position, [m], and the angle, [rad]. */
  void set_random_pose_distribution(
      const Vector2<symbolic::Expression>& p_FoMo_F,
      const symbolic::Expression& theta) {
    this->SetRandomPositions(0, p_FoMo_F);
    this->SetRandomPositions(2, Vector<symbolic::Expression, 1>(theta));
  }

 private:
  VectorX<T> DoPoseToPositions(const Quaternion<T>& q_FM,
                               const Vector3<T>& p_FM) const override;
  VectorX<T> DoSpatialVelocityToVelocities(
      const SpatialVelocity<T>& V_FM) const override;
};

}  // namespace wyvern::multibody
