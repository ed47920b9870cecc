#include "wyvern/systems/primitives/relay.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
Relay<T>::Relay(double on_point, double off_point, double on_value,
                double off_value, int size)
    : internal::ModalBlock<T>(SystemTypeTag<systems::Relay>{}),
      on_point_(on_point),
      off_point_(off_point),
      on_value_(on_value),
      off_value_(off_value) {
  wyvern::internal::RequireFinite("Relay", "on_point", on_point);
  wyvern::internal::RequireFinite("Relay", "off_point", off_point);
  wyvern::internal::RequireFinite("Relay", "on_value", on_value);
  wyvern::internal::RequireFinite("Relay", "off_value", off_value);
  wyvern::internal::RequireAtLeast("Relay", "size", size, 1);
  if (!(off_point < on_point)) {
    throw std::logic_error(fmt::format(
        "Relay(): off_point = {} is not below on_point = {}; leave a gap, or "
        "the relay would switch without end.",
        off_point, on_point));
  }
  this->DeclareVectorInputPort("u", size);
  this->DeclareDiscreteState(size);
  this->DeclareVectorOutputPort("y", size, &Relay<T>::CalcOutput,
                                {this->xd_ticket()});
  this->DeclareGuards(size);
}

template <typename T>
bool Relay<T>::IsOn(const Context<T>& context, int i) const {
  return context.get_discrete_state(0)[i] > 0.5;
}

template <typename T>
bool Relay<T>::IsGuardActive(const Context<T>&, int) const {
  return true;
}

template <typename T>
T Relay<T>::CalcGuard(const Context<T>& context, int i) const {
  const T& u = this->get_input_port(0).Eval(context)[i];
  return IsOn(context, i) ? T(off_point_ - u) : T(u - on_point_);
}

// The gap between the points keeps the other guard below zero, so a guard that
// is exactly zero may act.
template <typename T>
bool Relay<T>::IsGuardDue(const Context<T>& context, int i) const {
  return CalcGuard(context, i) >= 0;
}

template <typename T>
bool Relay<T>::ChangeMode(const Context<T>& context, int i,
                          State<T>* state) const {
  state->get_mutable_discrete_state()[i] = T(IsOn(context, i) ? 0 : 1);
  return false;
}

template <typename T>
void Relay<T>::CalcOutput(const Context<T>& context, BasicVector<T>* y) const {
  for (int i = 0; i < y->size(); ++i) {
    (*y)[i] = T(IsOn(context, i) ? on_value_ : off_value_);
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Relay);
