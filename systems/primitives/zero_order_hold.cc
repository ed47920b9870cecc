#include "wyvern/systems/primitives/zero_order_hold.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
ZeroOrderHold<T>::ZeroOrderHold(double period_sec, int vector_size,
                                double offset_sec)
    : ZeroOrderHold(period_sec, offset_sec, vector_size, nullptr) {}

template <typename T>
ZeroOrderHold<T>::ZeroOrderHold(double period_sec,
                                const AbstractValue& abstract_model_value,
                                double offset_sec)
    : ZeroOrderHold(period_sec, offset_sec, 0, &abstract_model_value) {}

template <typename T>
ZeroOrderHold<T>::ZeroOrderHold(double period_sec, double offset_sec,
                                int vector_size,
                                const AbstractValue* abstract_model_value)
    : LeafSystem<T>(SystemTypeTag<ZeroOrderHold>{}),
      period_(period_sec),
      offset_(offset_sec),
      vector_size_(vector_size),
      abstract_model_value_(abstract_model_value != nullptr
                                ? abstract_model_value->Clone()
                                : nullptr) {
  wyvern::internal::RequirePositive("ZeroOrderHold", "period_sec", period_sec);
  wyvern::internal::RequireNonNegative("ZeroOrderHold", "offset_sec",
                                       offset_sec);
  wyvern::internal::RequireAtLeast("ZeroOrderHold", "vector_size", vector_size,
                                   0);
  if (is_abstract()) {
    this->DeclareAbstractInputPort("u", *abstract_model_value_);
    const AbstractStateIndex state =
        this->DeclareAbstractState(*abstract_model_value_);
    this->DeclareStateOutputPort("y", state);
    this->DeclarePeriodicUnrestrictedUpdateEvent(
        period_, offset_, &ZeroOrderHold<T>::LatchAbstract);
  } else {
    this->DeclareVectorInputPort("u", vector_size);
    const DiscreteStateIndex state = this->DeclareDiscreteState(vector_size);
    this->DeclareStateOutputPort("y", state);
    this->DeclarePeriodicDiscreteUpdateEvent(period_, offset_,
                                             &ZeroOrderHold<T>::LatchVector);
  }
}

template <typename T>
ZeroOrderHold<T>::~ZeroOrderHold() = default;

template <typename T>
void ZeroOrderHold<T>::SetVectorState(
    Context<T>* context, const Eigen::Ref<const VectorX<T>>& value) const {
  this->ValidateContext(context);
  if (is_abstract()) {
    throw std::logic_error(fmt::format(
        "ZeroOrderHold::SetVectorState(): '{}' holds an abstract value; set "
        "it through Context::SetAbstractState().",
        this->GetSystemPathname()));
  }
  wyvern::internal::RequireSize("ZeroOrderHold::SetVectorState()", "value",
                                value.size(), vector_size_);
  context->SetDiscreteState(value);
}

template <typename T>
void ZeroOrderHold<T>::LatchInputPortToState(Context<T>* context) const {
  this->ValidateContext(context);
  const InputPort<T>& u = this->get_input_port();
  if (is_abstract()) {
    const AbstractValue& value = u.template Eval<AbstractValue>(*context);
    context->get_mutable_abstract_state().get_mutable_value(0).SetFrom(value);
  } else {
    const VectorX<T>& value = u.Eval(*context);
    context->get_mutable_discrete_state(0).SetFromVector(value);
  }
}

template <typename T>
void ZeroOrderHold<T>::LatchVector(const Context<T>& context,
                                   DiscreteValues<T>* next) const {
  next->get_mutable_vector(0).SetFromVector(
      this->get_input_port().Eval(context));
}

template <typename T>
void ZeroOrderHold<T>::LatchAbstract(const Context<T>& context,
                                     State<T>* next) const {
  next->get_mutable_abstract_state().get_mutable_value(0).SetFrom(
      this->get_input_port().template Eval<AbstractValue>(context));
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::ZeroOrderHold);
