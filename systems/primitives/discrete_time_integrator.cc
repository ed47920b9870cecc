#include "wyvern/systems/primitives/discrete_time_integrator.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
DiscreteTimeIntegrator<T>::DiscreteTimeIntegrator(int size, double time_step)
    : LeafSystem<T>(SystemTypeTag<DiscreteTimeIntegrator>{}),
      time_step_(time_step) {
  wyvern::internal::RequireAtLeast("DiscreteTimeIntegrator", "size", size, 1);
  wyvern::internal::RequirePositive("DiscreteTimeIntegrator", "time_step",
                                    time_step);
  this->DeclareVectorInputPort(kUseDefaultName, size);
  const DiscreteStateIndex state = this->DeclareDiscreteState(size);
  this->DeclarePeriodicDiscreteUpdateEvent(
      time_step, 0.0, &DiscreteTimeIntegrator<T>::Integrate);
  this->DeclareStateOutputPort(kUseDefaultName, state);
}

template <typename T>
void DiscreteTimeIntegrator<T>::set_integral_value(
    Context<T>* context, const Eigen::Ref<const VectorX<T>>& value) const {
  this->ValidateContext(context);
  wyvern::internal::RequireSize("DiscreteTimeIntegrator::set_integral_value()",
                                "value", value.size(),
                                this->get_input_port(0).size());
  context->SetDiscreteState(value);
}

template <typename T>
EventStatus DiscreteTimeIntegrator<T>::Integrate(
    const Context<T>& context, DiscreteValues<T>* next) const {
  next->get_mutable_value(0) =
      context.get_discrete_state(0).value() +
      time_step_ * this->get_input_port(0).Eval(context);
  return EventStatus::Succeeded();
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::DiscreteTimeIntegrator);
