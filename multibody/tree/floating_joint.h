#pragma once

#include <string>

#include "wyvern/multibody/tree/typed_joint.h"

namespace wyvern::multibody::internal {

/** Base of the joints with six degrees of freedom: v = [w_FM_F; v_FMo_F], and q
ends in p_FoMo_F. */
template <typename T>
class FloatingJoint : public Joint<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(FloatingJoint);
  ~FloatingJoint() override;

  double default_angular_damping() const {
    return this->default_damping_vector()[0];
  }
  double default_translational_damping() const {
    return this->default_damping_vector()[3];
  }

  Vector3<T> get_translation(const systems::Context<T>& context) const;
  Vector3<T> get_angular_velocity(const systems::Context<T>& context) const;
  Vector3<T> get_translational_velocity(
      const systems::Context<T>& context) const;

  Vector3<double> get_default_translation() const {
    return this->default_positions().template tail<3>();
  }
  void set_default_translation(const Vector3<double>& p_FM);

  /** How a random state has the position, [m]. */
  void set_random_translation_distribution(
      const Vector3<symbolic::Expression>& p_FM) {
    this->SetRandomPositions(this->num_positions() - 3, p_FM);
  }

 protected:
  /** @param angular_damping [N·m·s]: a torque -d w_FM.
  @param translational_damping [N·s/m]: a force -d v_FM. */
  FloatingJoint(dynamics::MobilizerType mobilizer_type, const std::string& name,
                const Frame<T>& frame_on_parent, const Frame<T>& frame_on_child,
                double angular_damping, double translational_damping);

  /** The last three entries of q, the first and the last three of v. */
  void SetTranslationPart(systems::Context<T>* context,
                          const Vector3<T>& p_FM) const;
  void SetAngularVelocityPart(systems::Context<T>* context,
                              const Vector3<T>& w_FM) const;
  void SetTranslationalVelocityPart(systems::Context<T>* context,
                                    const Vector3<T>& v_FM) const;

 private:
  VectorX<T> DoSpatialVelocityToVelocities(
      const SpatialVelocity<T>& V_FM) const override;
};

/** With the setters that give back the joint. */
template <template <typename> class JointTemplate, typename T>
class FloatingJointOf : public TypedJoint<JointTemplate, T, FloatingJoint<T>> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(FloatingJointOf);

  const JointTemplate<T>& SetTranslation(systems::Context<T>* context,
                                         const Vector3<T>& p_FM) const {
    this->SetTranslationPart(context, p_FM);
    return this->self();
  }
  const JointTemplate<T>& SetPose(systems::Context<T>* context,
                                  const math::RigidTransform<T>& X_FM) const {
    Joint<T>::SetPose(context, X_FM);
    return this->self();
  }
  const JointTemplate<T>& set_angular_velocity(systems::Context<T>* context,
                                               const Vector3<T>& w_FM) const {
    this->SetAngularVelocityPart(context, w_FM);
    return this->self();
  }
  const JointTemplate<T>& set_translational_velocity(
      systems::Context<T>* context, const Vector3<T>& v_FM) const {
    this->SetTranslationalVelocityPart(context, v_FM);
    return this->self();
  }

 protected:
  using TypedJoint<JointTemplate, T, FloatingJoint<T>>::TypedJoint;
};

}  // namespace wyvern::multibody::internal
