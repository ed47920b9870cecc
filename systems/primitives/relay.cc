#include "wyvern/systems/primitives/relay.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
Relay<T>::Relay(double on_point, double off_point, double on_value,
                double off_value, int size)
    : internal::TwoPointBlock<T>(SystemTypeTag<systems::Relay>{}, on_point,
                                 off_point),
      on_point_(on_point),
      off_point_(off_point),
      on_value_(on_value),
      off_value_(off_value) {
  wyvern::internal::RequireFinite("Relay", "on_point", on_point);
  wyvern::internal::RequireFinite("Relay", "off_point", off_point);
  wyvern::internal::RequireFinite("Relay", "on_value", on_value);
  wyvern::internal::RequireFinite("Relay", "off_value", off_value);
  wyvern::internal::RequireAtLeast("Relay", "size", size, 1);
  const InputPortIndex u = this->DeclareVectorInputPort("u", size).get_index();
  this->DeclareSwitches("Relay", u, size);
  this->DeclareVectorOutputPort("y", size, &Relay<T>::CalcOutput,
                                {this->xd_ticket()});
}

template <typename T>
void Relay<T>::CalcOutput(const Context<T>& context, BasicVector<T>* y) const {
  for (int i = 0; i < y->size(); ++i) {
    (*y)[i] = T(this->IsOn(context, i) ? on_value_ : off_value_);
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Relay);
