#include "wyvern/multibody/tree/prismatic_joint.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
PrismaticJoint<T>::PrismaticJoint(const std::string& name,
                                  const Frame<T>& frame_on_parent,
                                  const Frame<T>& frame_on_child,
                                  const Vector3<double>& axis,
                                  double pos_lower_limit,
                                  double pos_upper_limit, double damping)
    : internal::TypedJoint<PrismaticJoint, T, internal::SingleAxisJoint<T>>(
          dynamics::MobilizerType::kPrismatic, name, frame_on_parent,
          frame_on_child, axis, pos_lower_limit, pos_upper_limit, damping) {}

template <typename T>
PrismaticJoint<T>::~PrismaticJoint() = default;

template <typename T>
VectorX<T> PrismaticJoint<T>::DoPoseToPositions(const Quaternion<T>&,
                                                const Vector3<T>& p_FM) const {
  return VectorX<T>::Constant(1, this->axis().template cast<T>().dot(p_FM));
}

template <typename T>
VectorX<T> PrismaticJoint<T>::DoSpatialVelocityToVelocities(
    const SpatialVelocity<T>& V_FM) const {
  return VectorX<T>::Constant(
      1, this->axis().template cast<T>().dot(V_FM.translational()));
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::PrismaticJoint);
