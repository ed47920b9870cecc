#include "wyvern/systems/primitives/counter.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::systems {

template <typename T>
Counter<T>::Counter(const CounterSettings& settings)
    : LeafSystem<T>(SystemTypeTag<systems::Counter>{}), settings_(settings) {
  wyvern::internal::RequirePositive("Counter", "period", settings.period);
  if (settings.lower > settings.upper) {
    throw std::logic_error(fmt::format(
        "Counter(): lower is {}, above upper, which is {}; give limits that "
        "rise.",
        settings.lower, settings.upper));
  }
  wyvern::internal::RequireInRange("Counter", "initial", settings.initial,
                                   settings.lower, settings.upper);
  const auto declare = [this](const char* name) {
    return int{this->DeclareVectorInputPort(name, 1).get_index()};
  };
  if (settings.has_down_port) down_port_ = declare("down");
  if (settings.has_reset_port) reset_port_ = declare("reset");
  const auto count = this->DeclareDiscreteState(
      BasicVector<T>(VectorX<T>::Constant(1, T(settings.initial))));
  this->DeclarePeriodicDiscreteUpdateEvent(settings.period, settings.period,
                                           &Counter<T>::Count);
  this->DeclareStateOutputPort("y", count);
}

template <typename T>
Counter<T>::~Counter() = default;

template <typename T>
bool Counter<T>::IsOn(const Context<T>& context, int port) const {
  return port >= 0 && this->get_input_port(port).Eval(context)[0] > 0;
}

template <typename T>
EventStatus Counter<T>::Count(const Context<T>& context,
                              DiscreteValues<T>* next) const {
  if (IsOn(context, reset_port_)) {
    (*next)[0] = T(settings_.initial);
    return EventStatus::Succeeded();
  }
  // Numbers of 32 bits and their sums are exact in double.
  const double step = IsOn(context, down_port_)
                          ? -static_cast<double>(settings_.step)
                          : static_cast<double>(settings_.step);
  const double lower = settings_.lower;
  const double upper = settings_.upper;
  double count = ToDouble(context.get_discrete_state()[0]) + step;
  if (settings_.at_limit == CounterLimit::kStop) {
    count = std::clamp(count, lower, upper);
  } else {
    const double range = upper - lower + 1;
    count -= range * std::floor((count - lower) / range);
  }
  (*next)[0] = T(count);
  return EventStatus::Succeeded();
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Counter);
