#include "wyvern/systems/primitives/modal_block.h"

#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems::internal {

template <typename T>
ModalBlock<T>::ModalBlock(SystemScalarConverter converter)
    : LeafSystem<T>(std::move(converter)),
      change_(
          TriggerType::kTimed,
          [this](const Context<T>& context, const UnrestrictedUpdateEvent<T>&,
                 State<T>* state) { return ChangeModes(context, state); }) {}

template <typename T>
ModalBlock<T>::~ModalBlock() = default;

template <typename T>
void ModalBlock<T>::DeclareGuards(int count) {
  wyvern::internal::RequireAtLeast("ModalBlock", "the number of guards", count,
                                   0);
  const UnrestrictedUpdateEvent<T> event(
      [this](const Context<T>& context, const UnrestrictedUpdateEvent<T>&,
             State<T>* state) { return ChangeModes(context, state); });
  for (int guard = 0; guard < count; ++guard) {
    witnesses_.push_back(this->MakeWitnessFunction(
        fmt::format("guard {}", guard),
        WitnessFunctionDirection::kNegativeThenNonNegative,
        [this, guard](const Context<T>& context) {
          return CalcGuard(context, guard);
        },
        event));
    witnesses_from_zero_.push_back(this->MakeWitnessFunction(
        fmt::format("guard {} from zero", guard),
        WitnessFunctionDirection::kNegativeThenNonNegative,
        [this, guard](const Context<T>& context) {
          const T value = CalcGuard(context, guard);
          return value == 0 ? T(-std::numeric_limits<double>::min()) : value;
        },
        event));
  }
}

template <typename T>
bool ModalBlock<T>::IsGuardDue(const Context<T>& context, int guard) const {
  return CalcGuard(context, guard) > 0;
}

template <typename T>
std::optional<double> ModalBlock<T>::GetGuardTime(const Context<T>&,
                                                  int) const {
  return std::nullopt;
}

template <typename T>
bool ModalBlock<T>::IsGuardReached(const Context<T>& context, int guard) const {
  const std::optional<double> due = GetGuardTime(context, guard);
  return due.has_value() ? context.get_time() >= *due
                         : CalcGuard(context, guard) >= 0;
}

template <typename T>
EventStatus ModalBlock<T>::ChangeModes(const Context<T>& context,
                                       State<T>* state) const {
  bool is_changed = false;
  for (int guard = 0; guard < num_guards(); ++guard) {
    if (!IsGuardActive(context, guard) || !IsGuardReached(context, guard)) {
      continue;
    }
    is_changed = true;
    if (ChangeMode(context, guard, state)) break;
  }
  return is_changed ? EventStatus::Succeeded() : EventStatus::DidNothing();
}

template <typename T>
void ModalBlock<T>::DoCalcNextUpdateTime(const Context<T>& context,
                                         CompositeEventCollection<T>* events,
                                         T* time) const {
  LeafSystem<T>::DoCalcNextUpdateTime(context, events, time);
  if (events->excludes_guards()) return;
  const T& now = context.get_time();
  T change(std::numeric_limits<double>::infinity());
  for (int guard = 0; guard < num_guards() && change > now; ++guard) {
    if (!IsGuardActive(context, guard)) continue;
    const std::optional<double> due = GetGuardTime(context, guard);
    if (due.has_value()) {
      if (*due < change) change = *due > now ? T(*due) : now;
    } else if (IsGuardDue(context, guard)) {
      change = now;
    }
  }
  if (change > *time || !std::isfinite(wyvern::internal::NumberIn(change))) {
    return;
  }
  if (change < *time) events->Clear();
  *time = change;
  events->get_mutable_unrestricted_update_events().AddEventReference(&change_);
}

template <typename T>
void ModalBlock<T>::DoGetWitnessFunctions(
    const Context<T>& context,
    std::vector<const WitnessFunction<T>*>* witnesses) const {
  for (int guard = 0; guard < num_guards(); ++guard) {
    if (IsGuardActive(context, guard) &&
        !GetGuardTime(context, guard).has_value()) {
      const bool is_zero = CalcGuard(context, guard) == 0;
      witnesses->push_back(
          (is_zero ? witnesses_from_zero_ : witnesses_)[guard].get());
    }
  }
}

}  // namespace wyvern::systems::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::internal::ModalBlock);
