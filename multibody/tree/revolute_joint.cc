#include "wyvern/multibody/tree/revolute_joint.h"

#include <cmath>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
RevoluteJoint<T>::RevoluteJoint(const std::string& name,
                                const Frame<T>& frame_on_parent,
                                const Frame<T>& frame_on_child,
                                const Vector3<double>& axis, double damping)
    : RevoluteJoint(name, frame_on_parent, frame_on_child, axis,
                    -std::numeric_limits<double>::infinity(),
                    std::numeric_limits<double>::infinity(), damping) {}

template <typename T>
RevoluteJoint<T>::RevoluteJoint(const std::string& name,
                                const Frame<T>& frame_on_parent,
                                const Frame<T>& frame_on_child,
                                const Vector3<double>& axis,
                                double pos_lower_limit, double pos_upper_limit,
                                double damping)
    : internal::TypedJoint<RevoluteJoint, T, internal::SingleAxisJoint<T>>(
          dynamics::MobilizerType::kRevolute, name, frame_on_parent,
          frame_on_child, axis, pos_lower_limit, pos_upper_limit, damping) {}

template <typename T>
RevoluteJoint<T>::~RevoluteJoint() = default;

// Returns the part of the rotation q = (cos θ/2, n sin θ/2) about the axis.
template <typename T>
VectorX<T> RevoluteJoint<T>::DoPoseToPositions(const Quaternion<T>& q_FM,
                                               const Vector3<T>&) const {
  using std::atan2;
  const T sine = this->axis().template cast<T>().dot(q_FM.vec());
  return VectorX<T>::Constant(1, 2.0 * atan2(sine, q_FM.w()));
}

template <typename T>
VectorX<T> RevoluteJoint<T>::DoSpatialVelocityToVelocities(
    const SpatialVelocity<T>& V_FM) const {
  return VectorX<T>::Constant(
      1, this->axis().template cast<T>().dot(V_FM.rotational()));
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::RevoluteJoint);
