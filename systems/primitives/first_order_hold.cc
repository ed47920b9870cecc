#include "wyvern/systems/primitives/first_order_hold.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
FirstOrderHold<T>::FirstOrderHold(double period, int size)
    : LeafSystem<T>(SystemTypeTag<FirstOrderHold>{}), period_(period) {
  wyvern::internal::RequirePositive("FirstOrderHold", "period", period);
  wyvern::internal::RequireAtLeast("FirstOrderHold", "size", size, 1);
  this->DeclareVectorInputPort("u", size);
  // Last, whether there is a sample.
  this->DeclareDiscreteState(2 * size + 2);
  this->DeclarePeriodicDiscreteUpdateEvent(period, 0,
                                           &FirstOrderHold<T>::Sample);
  this->DeclareVectorOutputPort("y", size, &FirstOrderHold<T>::CalcOutput,
                                {this->xd_ticket(), this->time_ticket()});
}

template <typename T>
void FirstOrderHold<T>::CalcOutput(const Context<T>& context,
                                   BasicVector<T>* y) const {
  const BasicVector<T>& state = context.get_discrete_state(0);
  const int size = y->size();
  const T s = (context.get_time() - state[2 * size]) / period_;
  for (int i = 0; i < size; ++i) {
    (*y)[i] = state[i] + (state[i] - state[size + i]) * s;
  }
}

template <typename T>
EventStatus FirstOrderHold<T>::Sample(const Context<T>& context,
                                      DiscreteValues<T>* next) const {
  const VectorX<T>& u = this->get_input_port(0).Eval(context);
  const BasicVector<T>& state = context.get_discrete_state(0);
  const int size = static_cast<int>(u.size());
  const bool is_first = state[2 * size + 1] < 0.5;
  for (int i = 0; i < size; ++i) {
    (*next)[i] = u[i];
    (*next)[size + i] = is_first ? u[i] : state[i];
  }
  (*next)[2 * size] = context.get_time();
  (*next)[2 * size + 1] = T(1);
  return EventStatus::Succeeded();
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::FirstOrderHold);
