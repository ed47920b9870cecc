#include "wyvern/systems/primitives/integrator.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
Integrator<T>::Integrator(int size)
    : LeafSystem<T>(SystemTypeTag<Integrator>{}) {
  wyvern::internal::RequireAtLeast("Integrator", "size", size, 0);
  this->DeclareVectorInputPort(kUseDefaultName, size);
  const ContinuousStateIndex state = this->DeclareContinuousState(size);
  this->DeclareStateOutputPort(kUseDefaultName, state);
}

template <typename T>
void Integrator<T>::set_integral_value(
    Context<T>* context, const Eigen::Ref<const VectorX<T>>& value) const {
  this->ValidateContext(context);
  wyvern::internal::RequireSize("Integrator::set_integral_value()", "value",
                                value.size(), this->get_input_port(0).size());
  context->SetContinuousState(value);
}

template <typename T>
void Integrator<T>::DoCalcTimeDerivatives(
    const Context<T>& context, ContinuousState<T>* derivatives) const {
  derivatives->SetFromVector(this->get_input_port(0).Eval(context));
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Integrator);
