#include "wyvern/multibody/tree/single_axis_spring.h"

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

using systems::Context;

template <typename T>
SingleAxisSpring<T>::SingleAxisSpring(const SingleAxisJoint<T>& joint,
                                      double nominal, double stiffness,
                                      const char* kind)
    : ForceElement<T>(joint.model_instance()),
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
T SingleAxisSpring<T>::CalcForce(const Context<T>& context) const {
  return -stiffness_ * (joint_.GetOnePosition(context) - nominal_);
}

template <typename T>
T SingleAxisSpring<T>::CalcPotentialEnergy(
    const Context<T>& context, const PositionKinematicsCache<T>&) const {
  const T stretch = joint_.GetOnePosition(context) - nominal_;
  return 0.5 * stiffness_ * stretch * stretch;
}

template <typename T>
T SingleAxisSpring<T>::CalcConservativePower(
    const Context<T>& context, const PositionKinematicsCache<T>&,
    const VelocityKinematicsCache<T>&) const {
  return CalcForce(context) * joint_.GetOneVelocity(context);
}

template <typename T>
T SingleAxisSpring<T>::CalcNonConservativePower(
    const Context<T>&, const PositionKinematicsCache<T>&,
    const VelocityKinematicsCache<T>&) const {
  return T(0);
}

template <typename T>
void SingleAxisSpring<T>::DoRequireMembers(const MultibodyTree<T>& tree) const {
  tree.RequireMember(joint_, "AddForceElement");
}

template <typename T>
void SingleAxisSpring<T>::DoCalcAndAddForceContribution(
    const Context<T>& context, const PositionKinematicsCache<T>&,
    const VelocityKinematicsCache<T>&, MultibodyForces<T>* forces) const {
  joint_.AddInOneForce(context, 0, CalcForce(context), forces);
}

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::SingleAxisSpring);
