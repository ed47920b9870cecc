#include "wyvern/systems/framework/state.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {
namespace {

template <typename Part>
std::unique_ptr<Part> CheckNotNull(const char* function,
                                   std::unique_ptr<Part> part) {
  if (part == nullptr) {
    throw std::logic_error(fmt::format(
        "State::{}(): null was given; pass an object, empty if there is none "
        "of this state.",
        function));
  }
  return part;
}

}  // namespace

template <typename T>
State<T>::State()
    : xc_(std::make_unique<ContinuousState<T>>()),
      xd_(std::make_unique<DiscreteValues<T>>()),
      xa_(std::make_unique<AbstractValues>()) {}

template <typename T>
State<T>::~State() = default;

template <typename T>
void State<T>::set_continuous_state(std::unique_ptr<ContinuousState<T>> xc) {
  xc_ = CheckNotNull("set_continuous_state", std::move(xc));
}

template <typename T>
void State<T>::set_discrete_state(std::unique_ptr<DiscreteValues<T>> xd) {
  xd_ = CheckNotNull("set_discrete_state", std::move(xd));
}

template <typename T>
void State<T>::set_abstract_state(std::unique_ptr<AbstractValues> xa) {
  xa_ = CheckNotNull("set_abstract_state", std::move(xa));
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::State);
