#include "wyvern/systems/primitives/wrap_to_system.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::systems {

template <typename T>
WrapToSystem<T>::WrapToSystem(int input_size)
    : LeafSystem<T>(SystemTypeTag<WrapToSystem>{}), input_size_(input_size) {
  wyvern::internal::RequireAtLeast("WrapToSystem", "input_size", input_size, 1);
  this->DeclareVectorInputPort(kUseDefaultName, input_size);
  this->DeclareVectorOutputPort(kUseDefaultName, input_size,
                                &WrapToSystem<T>::CalcWrappedOutput,
                                {this->all_input_ports_ticket()});
}

template <typename T>
void WrapToSystem<T>::set_interval(int index, const T& low, const T& high) {
  constexpr char kWho[] = "WrapToSystem::set_interval";
  wyvern::internal::RequireIndex(kWho, "index", index, input_size_);
  wyvern::internal::RequireFinite(kWho, "low", low);
  wyvern::internal::RequireFinite(kWho, "high", high);
  const double lower = ToDouble(low);
  const double upper = ToDouble(high);
  if (!(lower < upper)) {
    throw std::logic_error(fmt::format(
        "WrapToSystem::set_interval(): [{}, {}) is no interval; give the lower "
        "end first.",
        lower, upper));
  }
  intervals_[index] = {low, high};
  this->NoteSettingsChange();
}

template <typename T>
void WrapToSystem<T>::CalcWrappedOutput(const Context<T>& context,
                                        BasicVector<T>* output) const {
  auto y = output->get_mutable_value();
  y = this->get_input_port().Eval(context);
  for (const auto& [index, interval] : intervals_) {
    const auto& [low, high] = interval;
    const T width = high - low;
    const double turns = std::floor(ToDouble(T((y[index] - low) / width)));
    y[index] -= turns * width;
    // Rounding can bring an element just below `low` to exactly `high`.
    if (!(y[index] < high)) y[index] = low;
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::WrapToSystem);
