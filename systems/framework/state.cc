#include "wyvern/systems/framework/state.h"

#include <utility>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {
namespace {

constexpr char kEmptyIfNone[] = "give one that is empty if there is none";

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
  xc_ = wyvern::internal::RequireNotNull("State::set_continuous_state", "xc",
                                         std::move(xc), kEmptyIfNone);
}

template <typename T>
void State<T>::set_discrete_state(std::unique_ptr<DiscreteValues<T>> xd) {
  xd_ = wyvern::internal::RequireNotNull("State::set_discrete_state", "xd",
                                         std::move(xd), kEmptyIfNone);
}

template <typename T>
void State<T>::set_abstract_state(std::unique_ptr<AbstractValues> xa) {
  xa_ = wyvern::internal::RequireNotNull("State::set_abstract_state", "xa",
                                         std::move(xa), kEmptyIfNone);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::State);
