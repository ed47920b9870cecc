#include "wyvern/systems/primitives/two_point_block.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems::internal {

template <typename T>
void TwoPointBlock<T>::DeclareSwitches(const char* who, InputPortIndex control,
                                       int count) {
  if (!(off_point_ < on_point_)) {
    throw std::logic_error(fmt::format(
        "{}(): off_point = {} is not below on_point = {}; leave a gap, or the "
        "block would switch without end.",
        who, off_point_, on_point_));
  }
  control_ = control;
  this->DeclareDiscreteState(count);
  this->DeclareGuards(count);
}

template <typename T>
bool TwoPointBlock<T>::IsGuardActive(const Context<T>&, int) const {
  return true;
}

template <typename T>
T TwoPointBlock<T>::CalcGuard(const Context<T>& context, int i) const {
  const T& u = this->get_input_port(control_).Eval(context)[i];
  return IsOn(context, i) ? T(off_point_ - u) : T(u - on_point_);
}

// The gap between the points keeps the other guard below zero, so a guard that
// is exactly zero may act.
template <typename T>
bool TwoPointBlock<T>::IsGuardDue(const Context<T>& context, int i) const {
  return CalcGuard(context, i) >= 0;
}

template <typename T>
bool TwoPointBlock<T>::ChangeMode(const Context<T>& context, int i,
                                  State<T>* state) const {
  state->get_mutable_discrete_state()[i] = T(IsOn(context, i) ? 0 : 1);
  return false;
}

}  // namespace wyvern::systems::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::internal::TwoPointBlock);
