#pragma once

#include <limits>
#include <string>
#include <tuple>

#include "wyvern/multibody/tree/single_axis_joint.h"
#include "wyvern/multibody/tree/typed_joint.h"

namespace wyvern::multibody {

/** A slider: M translates in F along an axis fixed in both, [m], their axes
staying parallel. */
template <typename T>
class PrismaticJoint final
    : public internal::TypedJoint<PrismaticJoint, T,
                                  internal::SingleAxisJoint<T>> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(PrismaticJoint);
  /** The value of type_name(). */
  static constexpr char kTypeName[] = "prismatic";

  /** @param axis of any length but zero; it is normalized.
  @param damping viscous, [N·s/m]. @throws std::logic_error if a value is not
  valid. */
  PrismaticJoint(
      const std::string& name, const Frame<T>& frame_on_parent,
      const Frame<T>& frame_on_child, const Vector3<double>& axis,
      double pos_lower_limit = -std::numeric_limits<double>::infinity(),
      double pos_upper_limit = std::numeric_limits<double>::infinity(),
      double damping = 0);
  ~PrismaticJoint() override;

  /** The unit axis, the same numbers in F and in M. */
  const Vector3<double>& translation_axis() const { return this->axis(); }

  /** The translation [m], a reference into `context`. */
  const T& get_translation(const systems::Context<T>& context) const {
    return this->GetOnePosition(context);
  }
  /** Sets the translation [m].
  @throws std::logic_error if it is not finite. */
  const PrismaticJoint<T>& set_translation(systems::Context<T>* context,
                                           const T& translation) const {
    this->SetPositions(context, VectorX<T>::Constant(1, translation));
    return *this;
  }
  /** The speed [m/s], a reference into `context`. */
  const T& get_translation_rate(const systems::Context<T>& context) const {
    return this->GetOneVelocity(context);
  }
  /** Sets the speed [m/s].
  @throws std::logic_error if it is not finite. */
  const PrismaticJoint<T>& set_translation_rate(
      systems::Context<T>* context, const T& translation_rate) const {
    this->SetVelocities(context, VectorX<T>::Constant(1, translation_rate));
    return *this;
  }
  /** The translation that a new Context starts with [m]. */
  double get_default_translation() const {
    return this->default_positions()[0];
  }
  /** Sets the translation that a new Context starts with [m].
  @throws std::logic_error if it is not finite. */
  void set_default_translation(double translation) {
    this->set_default_positions(VectorX<double>::Constant(1, translation));
  }
  /** How a random state has the translation, [m]. */
  void set_random_translation_distribution(
      const symbolic::Expression& translation) {
    this->SetRandomPositions(0, Vector<symbolic::Expression, 1>(translation));
  }

  /** Adds a force along the axis, [N]. */
  void AddInForce(const systems::Context<T>& context, const T& force,
                  MultibodyForces<T>* multibody_forces) const {
    this->AddInOneForce(context, 0, force, multibody_forces);
  }

 private:
  friend class internal::TypedJoint<PrismaticJoint, T,
                                    internal::SingleAxisJoint<T>>;
  auto clone_arguments() const { return std::tuple(this->axis()); }
  VectorX<T> DoPoseToPositions(const Quaternion<T>& q_FM,
                               const Vector3<T>& p_FM) const override;
  VectorX<T> DoSpatialVelocityToVelocities(
      const SpatialVelocity<T>& V_FM) const override;
};

}  // namespace wyvern::multibody
