#include "wyvern/systems/primitives/discrete_time_delay.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

// The vector buffer is one discrete group, the oldest sample first; a new
// sample moves the others forward. The abstract buffer is a ring of abstract
// states, and one more of type int that says where the oldest is: that place
// takes the next sample.

template <typename T>
DiscreteTimeDelay<T>::DiscreteTimeDelay(double update_sec, int delay_time_steps,
                                        int vector_size)
    : DiscreteTimeDelay(update_sec, delay_time_steps, vector_size, nullptr) {}

template <typename T>
DiscreteTimeDelay<T>::DiscreteTimeDelay(
    double update_sec, int delay_time_steps,
    const AbstractValue& abstract_model_value)
    : DiscreteTimeDelay(update_sec, delay_time_steps, 1,
                        &abstract_model_value) {}

template <typename T>
DiscreteTimeDelay<T>::DiscreteTimeDelay(
    double update_sec, int delay_time_steps, int vector_size,
    const AbstractValue* abstract_model_value)
    : LeafSystem<T>(SystemTypeTag<DiscreteTimeDelay>{}),
      update_sec_(update_sec),
      delay_time_steps_(delay_time_steps),
      vector_size_(vector_size),
      abstract_model_value_(abstract_model_value != nullptr
                                ? abstract_model_value->Clone()
                                : nullptr) {
  constexpr char kName[] = "DiscreteTimeDelay";
  wyvern::internal::RequirePositive(kName, "update_sec", update_sec);
  wyvern::internal::RequireAtLeast(kName, "delay_time_steps", delay_time_steps,
                                   0);
  wyvern::internal::RequireAtLeast(kName, "vector_size", vector_size, 1);
  wyvern::internal::RequireAtLeast(kName, "the number of elements to keep",
                                   int64_t{delay_time_steps} * vector_size, 0);
  if (is_abstract()) {
    for (int i = 0; i < buffer_size(); ++i) {
      this->DeclareAbstractState(*abstract_model_value_);
    }
    this->DeclareAbstractState(Value<int>(0));
    this->DeclareAbstractInputPort("u", *abstract_model_value_);
    this->DeclareAbstractOutputPort(
        "delayed_u", [this]() { return abstract_model_value_->Clone(); },
        [this](const Context<T>& context, AbstractValue* y) {
          CopyOldestAbstract(context, y);
        },
        {this->xa_ticket()});
    this->DeclarePeriodicUnrestrictedUpdateEvent(
        update_sec, 0.0, &DiscreteTimeDelay<T>::SaveAbstract);
  } else {
    this->DeclareDiscreteState(buffer_size() * vector_size);
    this->DeclareVectorInputPort("u", vector_size);
    this->DeclareVectorOutputPort("delayed_u", vector_size,
                                  &DiscreteTimeDelay<T>::CopyOldestVector,
                                  {this->xd_ticket()});
    this->DeclarePeriodicDiscreteUpdateEvent(update_sec, 0.0,
                                             &DiscreteTimeDelay<T>::SaveVector);
  }
}

template <typename T>
DiscreteTimeDelay<T>::~DiscreteTimeDelay() = default;

template <typename T>
void DiscreteTimeDelay<T>::SaveInputToBuffer(Context<T>* context) const {
  this->ValidateContext(context);
  if (is_abstract()) {
    const std::unique_ptr<State<T>> next = context->CloneState();
    SaveAbstract(*context, next.get());
    context->get_mutable_state().SetFrom(*next);
  } else {
    const std::unique_ptr<DiscreteValues<T>> next =
        this->AllocateDiscreteVariables();
    SaveVector(*context, next.get());
    context->SetDiscreteState(*next);
  }
}

template <typename T>
EventStatus DiscreteTimeDelay<T>::SaveVector(const Context<T>& context,
                                             DiscreteValues<T>* next) const {
  const VectorX<T>& buffer = context.get_discrete_state(0).value();
  const int kept = delay_time_steps_ * vector_size_;
  auto updated = next->get_mutable_value(0);
  updated.head(kept) = buffer.tail(kept);
  updated.tail(vector_size_) = this->get_input_port().Eval(context);
  return EventStatus::Succeeded();
}

template <typename T>
EventStatus DiscreteTimeDelay<T>::SaveAbstract(const Context<T>& context,
                                               State<T>* next) const {
  const int oldest = context.template get_abstract_state<int>(buffer_size());
  const AbstractValue& u =
      this->get_input_port().template Eval<AbstractValue>(context);
  AbstractValues& updated = next->get_mutable_abstract_state();
  updated.get_mutable_value(oldest).SetFrom(u);
  updated.get_mutable_value(buffer_size())
      .template set_value<int>((oldest + 1) % buffer_size());
  return EventStatus::Succeeded();
}

template <typename T>
void DiscreteTimeDelay<T>::CopyOldestVector(const Context<T>& context,
                                            BasicVector<T>* y) const {
  y->get_mutable_value() =
      context.get_discrete_state(0).value().head(vector_size_);
}

template <typename T>
void DiscreteTimeDelay<T>::CopyOldestAbstract(const Context<T>& context,
                                              AbstractValue* y) const {
  const AbstractValues& buffer = context.get_abstract_state();
  const int oldest = context.template get_abstract_state<int>(buffer_size());
  y->SetFrom(buffer.get_value(oldest));
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::DiscreteTimeDelay);
