#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/exact_cast.h"
#include "wyvern/systems/common/scalar_text.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/leaf_system.h"

/* Declared events are kept by trigger; forced ones are listed in collections of
System instead. DoCalcNextUpdateTime() asks each timing for its next sample,
and takes all timings that are within rounding of the soonest, so that 10
updates of 0.1 s meet one of 1 s. At the very start the Context's time is a
hair early, and its true time says that samples of that moment are still to
come. Handlers of a collection read the Context and write to one copy of the
state, one after another. The discrete state they leave must be finite before
it is applied. */

namespace wyvern::systems {

// Declaration.

template <typename T>
void LeafSystem<T>::DeclarePeriodicEvent(double period_sec, double offset_sec,
                                         const Event<T>& event) {
  if (!(std::isfinite(period_sec) && period_sec > 0) ||
      !(std::isfinite(offset_sec) && offset_sec >= 0)) {
    throw std::logic_error(fmt::format(
        "LeafSystem::DeclarePeriodicEvent(): System {} ({}) was given the "
        "period {} s and offset {} s; the period must be positive, the offset "
        "not negative, and both finite.",
        this->GetSystemPathname(), this->GetSystemType(), period_sec,
        offset_sec));
  }
  PeriodicEventData when;
  when.set_period_sec(period_sec);
  when.set_offset_sec(offset_sec);
  events_.AddPeriodic(when, event);
}

template <typename T>
void LeafSystem<T>::DeclarePerStepEvent(const Event<T>& event) {
  events_.AddPerStep(event);
}

template <typename T>
void LeafSystem<T>::DeclareInitializationEvent(const Event<T>& event) {
  events_.AddInitialization(event);
}

template <typename T>
void LeafSystem<T>::DeclareForcedEvent(const Event<T>& event) {
  const Event<T>& kept = events_.Keep(event, TriggerType::kForced);
  if (const auto* p = dynamic_cast<const PublishEvent<T>*>(&kept)) {
    this->get_mutable_forced_publish_events().AddEventReference(p);
  } else if (const auto* d =
                 dynamic_cast<const DiscreteUpdateEvent<T>*>(&kept)) {
    this->get_mutable_forced_discrete_update_events().AddEventReference(d);
  } else {
    this->get_mutable_forced_unrestricted_update_events().AddEventReference(
        &dynamic_cast<const UnrestrictedUpdateEvent<T>&>(kept));
  }
}

// Allocation.

template <typename T>
std::unique_ptr<CompositeEventCollection<T>>
LeafSystem<T>::DoAllocateCompositeEventCollection() const {
  return std::make_unique<LeafCompositeEventCollection<T>>();
}

template <typename T>
std::unique_ptr<EventCollection<PublishEvent<T>>>
LeafSystem<T>::AllocateForcedPublishEventCollection() const {
  auto result = std::make_unique<LeafEventCollection<PublishEvent<T>>>();
  result->AddToEnd(this->get_forced_publish_events());
  return result;
}

template <typename T>
std::unique_ptr<EventCollection<DiscreteUpdateEvent<T>>>
LeafSystem<T>::AllocateForcedDiscreteUpdateEventCollection() const {
  auto result = std::make_unique<LeafEventCollection<DiscreteUpdateEvent<T>>>();
  result->AddToEnd(this->get_forced_discrete_update_events());
  return result;
}

template <typename T>
std::unique_ptr<EventCollection<UnrestrictedUpdateEvent<T>>>
LeafSystem<T>::AllocateForcedUnrestrictedUpdateEventCollection() const {
  auto result =
      std::make_unique<LeafEventCollection<UnrestrictedUpdateEvent<T>>>();
  result->AddToEnd(this->get_forced_unrestricted_update_events());
  return result;
}

// When.

template <typename T>
void LeafSystem<T>::DoCalcNextUpdateTime(const Context<T>& context,
                                         CompositeEventCollection<T>* events,
                                         T* time) const {
  const auto& periodic = events_.periodic();
  *time = T(std::numeric_limits<double>::infinity());
  if (periodic.empty()) return;
  const double now = ToDouble(context.get_time());
  double true_time = now;
  const bool is_perturbed = context.get_true_time().has_value();
  if (is_perturbed) true_time = ToDouble(*context.get_true_time());
  const auto next = [&](const PeriodicEventData& when) {
    return internal::NextSample(when, now, is_perturbed ? &true_time : nullptr);
  };
  if (periodic.size() == 1) {
    *time = T(next(periodic[0].when));
    events->AddToEnd(*periodic[0].events);
    return;
  }
  double soonest = std::numeric_limits<double>::infinity();
  for (const auto& timing : periodic) {
    soonest = std::min(soonest, next(timing.when));
  }
  // Events within rounding of the soonest time happen together at that time.
  const double tolerance = internal::SameTimeTolerance(soonest);
  for (const auto& timing : periodic) {
    if (next(timing.when) <= soonest + tolerance) {
      events->AddToEnd(*timing.events);
    }
  }
  *time = T(soonest);
}

template <typename T>
void LeafSystem<T>::DoGetPerStepEvents(
    const Context<T>&, CompositeEventCollection<T>* events) const {
  events->AddToEnd(events_.per_step());
}

template <typename T>
void LeafSystem<T>::DoGetInitializationEvents(
    const Context<T>&, CompositeEventCollection<T>* events) const {
  events->AddToEnd(events_.initialization());
}

template <typename T>
void LeafSystem<T>::DoGetPeriodicEvents(
    const Context<T>&, CompositeEventCollection<T>* events) const {
  for (const auto& timing : events_.periodic()) {
    events->AddToEnd(*timing.events);
  }
}

template <typename T>
std::map<PeriodicEventData, std::vector<const Event<T>*>,
         PeriodicEventDataComparator>
LeafSystem<T>::DoMapPeriodicEventsByTiming(const Context<T>*) const {
  std::map<PeriodicEventData, std::vector<const Event<T>*>,
           PeriodicEventDataComparator>
      result;
  for (const auto& timing : events_.periodic()) {
    result[timing.when] = timing.all;
  }
  return result;
}

template <typename T>
void LeafSystem<T>::DoFindUniquePeriodicDiscreteUpdatesOrThrow(
    const char* api_name, const Context<T>&,
    std::optional<PeriodicEventData>* timing,
    EventCollection<DiscreteUpdateEvent<T>>* events) const {
  for (const auto& group : events_.periodic()) {
    if (!group.events->HasDiscreteUpdateEvents()) continue;
    if (timing->has_value() && !(**timing == group.when)) {
      throw std::logic_error(fmt::format(
          "System::{}(): the periodic discrete updates of System {} ({}), "
          "period {} s and offset {} s, differ from others of period {} s and "
          "offset {} s; all must have the same timing.",
          api_name, this->GetSystemPathname(), this->GetSystemType(),
          group.when.period_sec(), group.when.offset_sec(),
          (*timing)->period_sec(), (*timing)->offset_sec()));
    }
    *timing = group.when;
    events->AddToEnd(group.events->get_discrete_update_events());
  }
}

// Handling. An update that fails ends the handling of its collection; publish
// events are all handled. The most severe status is returned.

template <typename T>
EventStatus LeafSystem<T>::DispatchPublishHandler(
    const Context<T>& context,
    const EventCollection<PublishEvent<T>>& events) const {
  const auto& leaf = ExactCast<LeafEventCollection<PublishEvent<T>>>(events);
  EventStatus status = EventStatus::DidNothing();
  for (const PublishEvent<T>* event : leaf.get_events()) {
    status.KeepMoreSevere(event->handle(*this, context));
  }
  return status;
}

template <typename T>
EventStatus LeafSystem<T>::DispatchDiscreteVariableUpdateHandler(
    const Context<T>& context,
    const EventCollection<DiscreteUpdateEvent<T>>& events,
    DiscreteValues<T>* discrete_state) const {
  const auto& leaf =
      ExactCast<LeafEventCollection<DiscreteUpdateEvent<T>>>(events);
  EventStatus status = EventStatus::DidNothing();
  for (const DiscreteUpdateEvent<T>* event : leaf.get_events()) {
    status.KeepMoreSevere(event->handle(*this, context, discrete_state));
    if (status.failed()) return status;
  }
  RequireFiniteUpdate(context, *discrete_state);
  return status;
}

template <typename T>
EventStatus LeafSystem<T>::DispatchUnrestrictedUpdateHandler(
    const Context<T>& context,
    const EventCollection<UnrestrictedUpdateEvent<T>>& events,
    State<T>* state) const {
  const auto& leaf =
      ExactCast<LeafEventCollection<UnrestrictedUpdateEvent<T>>>(events);
  EventStatus status = EventStatus::DidNothing();
  for (const UnrestrictedUpdateEvent<T>* event : leaf.get_events()) {
    status.KeepMoreSevere(event->handle(*this, context, state));
    if (status.failed()) return status;
  }
  RequireFiniteUpdate(context, state->get_discrete_state());
  return status;
}

template <typename T>
void LeafSystem<T>::RequireFiniteUpdate(const Context<T>& context,
                                        const DiscreteValues<T>& xd) const {
  for (int group = 0; group < xd.num_groups(); ++group) {
    const VectorX<T>& values = xd.get_vector(group).value();
    if (wyvern::internal::AllFinite(values)) continue;
    for (int i = 0; i < values.size(); ++i) {
      const double x = wyvern::internal::NumberIn(values[i]);
      if (!std::isfinite(x)) {
        throw std::runtime_error(fmt::format(
            "System::CalcDiscreteVariableUpdate(): System {} ({}) computed {} "
            "for element {} of discrete state group {} at time {} s; all must "
            "be finite. The Context keeps the old state.",
            context.GetSystemPathname(), this->GetSystemType(), x, i, group,
            ScalarText(context.get_time())));
      }
    }
  }
}

template <typename T>
void LeafSystem<T>::DoApplyDiscreteVariableUpdate(
    const EventCollection<DiscreteUpdateEvent<T>>& events,
    DiscreteValues<T>* discrete_state, Context<T>* context) const {
  if (!events.HasEvents()) return;
  context->get_mutable_discrete_state().SetFrom(*discrete_state);
}

template <typename T>
void LeafSystem<T>::DoApplyUnrestrictedUpdate(
    const EventCollection<UnrestrictedUpdateEvent<T>>& events, State<T>* state,
    Context<T>* context) const {
  if (!events.HasEvents()) return;
  context->get_mutable_state().SetFrom(*state);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::LeafSystem);
