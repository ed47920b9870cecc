#pragma once

#include <string>

#include "wyvern/multibody/tree/typed_joint.h"

namespace wyvern::multibody::internal {

/** Base of ball joints with any coordinates of their orientation: M turns
freely in F, the origins coincide, and v is w_FM_F in rad/s. */
template <template <typename> class JointTemplate, typename T>
class BallJoint : public TypedJoint<JointTemplate, T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(BallJoint);

  double default_damping() const { return this->default_damping_vector()[0]; }
  Vector3<T> get_angular_velocity(const systems::Context<T>& context) const {
    return this->GetVelocities(context);
  }
  const JointTemplate<T>& set_angular_velocity(systems::Context<T>* context,
                                               const Vector3<T>& w_FM) const {
    this->SetVelocities(context, w_FM);
    return this->self();
  }

 protected:
  /** @param damping [N·m·s]: a torque -damping w_FM. */
  BallJoint(dynamics::MobilizerType mobilizer_type, const std::string& name,
            const Frame<T>& frame_on_parent, const Frame<T>& frame_on_child,
            double damping)
      : TypedJoint<JointTemplate, T>(mobilizer_type, name, frame_on_parent,
                                     frame_on_child,
                                     VectorX<double>::Constant(3, damping)) {}

 private:
  VectorX<T> DoSpatialVelocityToVelocities(
      const SpatialVelocity<T>& V_FM) const final {
    return V_FM.rotational();
  }
};

}  // namespace wyvern::multibody::internal
