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
    : internal::TwoPointBlock<T>(SystemTypeTag<systems::ThresholdSwitch>{},
                                 threshold + hysteresis / 2,
                                 threshold - hysteresis / 2),
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
    this->DeclareSwitches("ThresholdSwitch", InputPortIndex(kControlPort),
                          control_size);
    sources.insert(this->xd_ticket());
  } else {
    sources.insert(control);
  }
  this->DeclareVectorOutputPort("y", size, &ThresholdSwitch<T>::CalcOutput,
                                sources);
}

template <typename T>
bool ThresholdSwitch<T>::SelectsOn(const Context<T>& context, int i) const {
  if (hysteresis_ > 0) return this->IsOn(context, i);
  return this->get_input_port(kControlPort).Eval(context)[i] >= threshold_;
}

template <typename T>
void ThresholdSwitch<T>::CalcOutput(const Context<T>& context,
                                    BasicVector<T>* y) const {
  const VectorX<T>& on = this->get_input_port(kOnPort).Eval(context);
  const VectorX<T>& off = this->get_input_port(kOffPort).Eval(context);
  const int control_size = this->get_input_port(kControlPort).size();
  for (int i = 0; i < y->size(); ++i) {
    (*y)[i] = SelectsOn(context, control_size == 1 ? 0 : i) ? on[i] : off[i];
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::ThresholdSwitch);
