#include "wyvern/multibody/tree/basic_force_element.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

using systems::Context;

template <typename T>
BasicForceElement<T>::BasicForceElement(ModelInstanceIndex model_instance)
    : ForceElement<T>(model_instance) {}

template <typename T>
BasicForceElement<T>::~BasicForceElement() = default;

template <typename T>
T BasicForceElement<T>::CalcPotentialEnergy(
    const Context<T>& context, const PositionKinematicsCache<T>& pc) const {
  return CalcEnergy({context, pc});
}

template <typename T>
T BasicForceElement<T>::CalcConservativePower(
    const Context<T>& context, const PositionKinematicsCache<T>& pc,
    const VelocityKinematicsCache<T>& vc) const {
  return CalcReleasedPower({context, pc, &vc});
}

template <typename T>
T BasicForceElement<T>::CalcNonConservativePower(
    const Context<T>& context, const PositionKinematicsCache<T>& pc,
    const VelocityKinematicsCache<T>& vc) const {
  return CalcOtherPower({context, pc, &vc});
}

template <typename T>
T BasicForceElement<T>::CalcEnergy(const ForceState<T>&) const {
  return T(0);
}

template <typename T>
T BasicForceElement<T>::CalcReleasedPower(const ForceState<T>&) const {
  return T(0);
}

template <typename T>
T BasicForceElement<T>::CalcOtherPower(const ForceState<T>&) const {
  return T(0);
}

template <typename T>
void BasicForceElement<T>::DoCalcAndAddForceContribution(
    const Context<T>& context, const PositionKinematicsCache<T>& pc,
    const VelocityKinematicsCache<T>& vc, MultibodyForces<T>* forces) const {
  AddForces({context, pc, &vc}, forces);
}

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::BasicForceElement);
