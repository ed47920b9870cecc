#include "wyvern/systems/primitives/threshold_switch.h"

#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

namespace {
constexpr int kOnPort = 0;
constexpr int kControlPort = 1;
constexpr int kOffPort = 2;
}  // namespace

template <typename T>
ThresholdSwitch<T>::ThresholdSwitch(double threshold, double hysteresis,
                                    int size, int control_size)
    : internal::ModalBlock<T>(SystemTypeTag<systems::ThresholdSwitch>{}),
      threshold_(threshold),
      hysteresis_(hysteresis) {
  wyvern::internal::RequireFinite("ThresholdSwitch", "threshold", threshold);
  wyvern::internal::RequireNonNegative("ThresholdSwitch", "hysteresis",
                                       hysteresis);
  wyvern::internal::RequireAtLeast("ThresholdSwitch", "size", size, 1);
  if (control_size != 1 && control_size != size) {
    throw std::logic_error(fmt::format(
        "ThresholdSwitch(): control_size is {}; it must be 1 or the size {}.",
        control_size, size));
  }
  const auto on = this->DeclareVectorInputPort("u_on", size).ticket();
  const auto control =
      this->DeclareVectorInputPort("control", control_size).ticket();
  const auto off = this->DeclareVectorInputPort("u_off", size).ticket();
  std::set<DependencyTicket> sources{on, off};
  if (hysteresis > 0) {
    this->DeclareDiscreteState(control_size);
    sources.insert(this->xd_ticket());
    this->DeclareGuards(control_size);
  } else {
    sources.insert(control);
  }
  this->DeclareVectorOutputPort("y", size, &ThresholdSwitch<T>::CalcOutput,
                                sources);
}

template <typename T>
bool ThresholdSwitch<T>::IsOn(const Context<T>& context, int i) const {
  if (hysteresis_ > 0) return context.get_discrete_state(0)[i] > 0.5;
  return this->get_input_port(kControlPort).Eval(context)[i] >= threshold_;
}

template <typename T>
bool ThresholdSwitch<T>::IsGuardActive(const Context<T>&, int) const {
  return true;
}

template <typename T>
T ThresholdSwitch<T>::CalcGuard(const Context<T>& context, int i) const {
  const T& u = this->get_input_port(kControlPort).Eval(context)[i];
  const double half = hysteresis_ / 2;
  return IsOn(context, i) ? T(threshold_ - half - u) : T(u - threshold_ - half);
}

// The gap between the points keeps the other guard below zero, so a guard that
// is exactly zero may act.
template <typename T>
bool ThresholdSwitch<T>::IsGuardDue(const Context<T>& context, int i) const {
  return CalcGuard(context, i) >= 0;
}

template <typename T>
bool ThresholdSwitch<T>::ChangeMode(const Context<T>& context, int i,
                                    State<T>* state) const {
  state->get_mutable_discrete_state()[i] = T(IsOn(context, i) ? 0 : 1);
  return false;
}

template <typename T>
void ThresholdSwitch<T>::CalcOutput(const Context<T>& context,
                                    BasicVector<T>* y) const {
  const VectorX<T>& on = this->get_input_port(kOnPort).Eval(context);
  const VectorX<T>& off = this->get_input_port(kOffPort).Eval(context);
  const int control_size = this->get_input_port(kControlPort).size();
  for (int i = 0; i < y->size(); ++i) {
    (*y)[i] = IsOn(context, control_size == 1 ? 0 : i) ? on[i] : off[i];
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::ThresholdSwitch);
