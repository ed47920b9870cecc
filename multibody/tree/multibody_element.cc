#include "wyvern/multibody/tree/multibody_element.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
MultibodyElement<T>::MultibodyElement() = default;

template <typename T>
MultibodyElement<T>::~MultibodyElement() = default;

template <typename T>
void MultibodyElement<T>::DeclareParameters(
    internal::MultibodyTreeSystem<T>* tree_system) {
  DoDeclareParameters(tree_system);
}

template <typename T>
void MultibodyElement<T>::SetDefaultParameters(
    systems::Parameters<T>* parameters) const {
  DoSetDefaultParameters(parameters);
}

template <typename T>
const internal::MultibodyTreeSystem<T>&
MultibodyElement<T>::GetParentTreeSystem() const {
  return get_parent_tree().tree_system();
}

template <typename T>
systems::NumericParameterIndex MultibodyElement<T>::DeclareNumericParameter(
    internal::MultibodyTreeSystem<T>* tree_system,
    const systems::BasicVector<T>& model_vector) {
  return tree_system->DeclareElementParameter(model_vector);
}

template <typename T>
systems::AbstractParameterIndex MultibodyElement<T>::DeclareAbstractParameter(
    internal::MultibodyTreeSystem<T>* tree_system,
    const AbstractValue& model_value) {
  return tree_system->DeclareElementParameter(model_value);
}

template <typename T>
void MultibodyElement<T>::ValidateContext(
    const systems::Context<T>& context) const {
  GetParentTreeSystem().ValidateContext(context);
}

template <typename T>
void MultibodyElement<T>::ThrowNoParent(const char* wanted) const {
  throw std::logic_error(fmt::format(
      "MultibodyElement: this element does not belong to a {0}; add it to one "
      "before asking for what only the {0} knows.",
      wanted));
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::MultibodyElement);
