#include "wyvern/multibody/tree/force_element.h"

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
ForceElement<T>::ForceElement(ModelInstanceIndex model_instance)
    : MultibodyElement<T>(model_instance) {}

template <typename T>
ForceElement<T>::~ForceElement() = default;

template <typename T>
void ForceElement<T>::CalcAndAddForceContribution(
    const systems::Context<T>& context,
    const internal::PositionKinematicsCache<T>& pc,
    const internal::VelocityKinematicsCache<T>& vc,
    MultibodyForces<T>* forces) const {
  internal::Deref(forces, "ForceElement::CalcAndAddForceContribution")
      .RequireSizeFor(this->get_parent_tree(),
                      "ForceElement::CalcAndAddForceContribution");
  DoCalcAndAddForceContribution(context, pc, vc, forces);
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::ForceElement);
