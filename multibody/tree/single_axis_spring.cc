#include "wyvern/multibody/tree/single_axis_spring.h"

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

template <typename T>
SingleAxisSpring<T>::SingleAxisSpring(const SingleAxisJoint<T>& joint,
                                      double nominal, double stiffness,
                                      const char* kind)
    : CoordinateForce<T>(joint),
      joint_(joint),
      nominal_(nominal),
      stiffness_(stiffness) {
  internal::RequireFinite(internal::Caller::Element(kind, joint.name()),
                          "nominal position", nominal);
  internal::RequireNonNegative(internal::Caller::Element(kind, joint.name()),
                               "stiffness", stiffness);
}

template <typename T>
SingleAxisSpring<T>::~SingleAxisSpring() = default;

template <typename T>
T SingleAxisSpring<T>::CalcElasticEnergy(const T& q) const {
  const T stretch = q - nominal_;
  return 0.5 * stiffness_ * stretch * stretch;
}

template <typename T>
T SingleAxisSpring<T>::CalcElasticForce(const T& q) const {
  return -stiffness_ * (q - nominal_);
}

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::SingleAxisSpring);
