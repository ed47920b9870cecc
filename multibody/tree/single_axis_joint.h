#pragma once

#include <string>

#include "wyvern/multibody/tree/joint.h"

namespace wyvern::multibody::internal {

/** Base of the joints with one degree of freedom along an axis. */
template <typename T>
class SingleAxisJoint : public Joint<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(SingleAxisJoint);
  ~SingleAxisJoint() override;

  double position_lower_limit() const {
    return this->position_lower_limits()[0];
  }
  double position_upper_limit() const {
    return this->position_upper_limits()[0];
  }
  double velocity_lower_limit() const {
    return this->velocity_lower_limits()[0];
  }
  double velocity_upper_limit() const {
    return this->velocity_upper_limits()[0];
  }
  double acceleration_lower_limit() const {
    return this->acceleration_lower_limits()[0];
  }
  double acceleration_upper_limit() const {
    return this->acceleration_upper_limits()[0];
  }

  double default_damping() const { return this->default_damping_vector()[0]; }
  void set_default_damping(double damping) {
    this->set_default_damping_vector(VectorX<double>::Constant(1, damping));
  }
  const T& GetDamping(const systems::Context<T>& context) const {
    return this->GetDampingVector(context)[0];
  }
  void SetDamping(systems::Context<T>* context, const T& damping) const {
    this->SetDampingVector(context, VectorX<T>::Constant(1, damping));
  }

 protected:
  /** @param axis of any length but zero; it is normalized.
  @throws std::logic_error if it is zero or not finite. */
  SingleAxisJoint(dynamics::MobilizerType mobilizer_type,
                  const std::string& name, const Frame<T>& frame_on_parent,
                  const Frame<T>& frame_on_child, const Vector3<double>& axis,
                  double pos_lower_limit, double pos_upper_limit,
                  double damping);

  const Vector3<double>& axis() const { return axis_; }
  Vector3<double> mobilizer_axis() const override { return axis_; }

 private:
  const Vector3<double> axis_;
};

}  // namespace wyvern::multibody::internal
