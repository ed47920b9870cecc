#include "wyvern/systems/framework/diagram_continuous_state.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/supervector.h"

namespace wyvern::systems {
namespace {

// The vectors that `part` gives of each substate, end to end.
template <typename T>
std::unique_ptr<VectorBase<T>> Join(
    const std::vector<ContinuousState<T>*>& substates,
    VectorBase<T>& (ContinuousState<T>::*part)()) {
  std::vector<VectorBase<T>*> parts;
  parts.reserve(substates.size());
  for (ContinuousState<T>* substate : substates) {
    if (substate == nullptr) {
      wyvern::internal::ThrowNull("DiagramContinuousState",
                                  fmt::format("substate {}", parts.size()),
                                  "pass objects");
    }
    parts.push_back(&(substate->*part)());
  }
  return std::make_unique<Supervector<T>>(parts);
}

template <typename T>
std::vector<ContinuousState<T>*> StatePointers(
    const std::vector<std::unique_ptr<ContinuousState<T>>>& owned) {
  std::vector<ContinuousState<T>*> result;
  result.reserve(owned.size());
  for (const auto& substate : owned) result.push_back(substate.get());
  return result;
}

}  // namespace

template <typename T>
DiagramContinuousState<T>::DiagramContinuousState(
    std::vector<ContinuousState<T>*> substates)
    : ContinuousState<T>(
          Join(substates, &ContinuousState<T>::get_mutable_vector),
          Join(substates,
               &ContinuousState<T>::get_mutable_generalized_position),
          Join(substates,
               &ContinuousState<T>::get_mutable_generalized_velocity),
          Join(substates,
               &ContinuousState<T>::get_mutable_misc_continuous_state)),
      substates_(std::move(substates)) {
  for (int i = 0; i < num_substates(); ++i) {
    if (substates_[i]->size() > 0) nonempty_.push_back(i);
  }
}

template <typename T>
DiagramContinuousState<T>::DiagramContinuousState(
    std::vector<std::unique_ptr<ContinuousState<T>>> substates)
    : DiagramContinuousState<T>(StatePointers(substates)) {
  owned_substates_ = std::move(substates);
}

template <typename T>
DiagramContinuousState<T>::~DiagramContinuousState() = default;

template <typename T>
std::unique_ptr<DiagramContinuousState<T>> DiagramContinuousState<T>::Clone()
    const {
  return std::unique_ptr<DiagramContinuousState<T>>(
      static_cast<DiagramContinuousState<T>*>(
          ContinuousState<T>::Clone().release()));
}

template <typename T>
std::unique_ptr<ContinuousState<T>> DiagramContinuousState<T>::DoClone() const {
  std::vector<std::unique_ptr<ContinuousState<T>>> clones;
  clones.reserve(substates_.size());
  for (const ContinuousState<T>* substate : substates_) {
    clones.push_back(substate->Clone());
  }
  return std::make_unique<DiagramContinuousState<T>>(std::move(clones));
}

template <typename T>
const ContinuousState<T>& DiagramContinuousState<T>::get_substate(
    int index) const {
  wyvern::internal::RequireIndex("DiagramContinuousState::get_substate",
                                 "index", index, num_substates());
  return *substates_[index];
}

template <typename T>
ContinuousState<T>& DiagramContinuousState<T>::get_mutable_substate(int index) {
  return const_cast<ContinuousState<T>&>(get_substate(index));
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::DiagramContinuousState);
