#pragma once

#include <functional>
#include <memory>
#include <set>
#include <type_traits>
#include <utility>
#include <variant>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/framework/context.h"
#include "wyvern/systems/framework/event_status.h"

namespace wyvern::systems {

template <typename T>
class System;
template <typename T>
class WitnessFunction;
template <typename T>
class CompositeEventCollection;

/** When a periodic event happens: at offset + k * period, k = 0, 1, 2, ... [s].
 */
class PeriodicEventData {
 public:
  PeriodicEventData() = default;
  /** The period [s]. */
  double period_sec() const { return period_sec_; }
  /** Sets the period [s]; the value is not checked here. */
  void set_period_sec(double period_sec) { period_sec_ = period_sec; }
  /** The time of the first event [s]. */
  double offset_sec() const { return offset_sec_; }
  /** Sets the time of the first event [s]; the value is not checked here. */
  void set_offset_sec(double offset_sec) { offset_sec_ = offset_sec; }
  bool operator==(const PeriodicEventData&) const = default;

 private:
  double period_sec_{0};
  double offset_sec_{0};
};

/** Orders by period, then offset. */
struct PeriodicEventDataComparator {
  /** True if `a` comes before `b`. */
  bool operator()(const PeriodicEventData& a,
                  const PeriodicEventData& b) const {
    return a.period_sec() != b.period_sec() ? a.period_sec() < b.period_sec()
                                            : a.offset_sec() < b.offset_sec();
  }
};

/** Data of a witness-triggered event: the witness, the step's ends, and the
continuous state at each. */
template <typename T>
class WitnessTriggeredEventData {
 public:
  WitnessTriggeredEventData() = default;
  /** The witness function whose sign changed. */
  const WitnessFunction<T>* triggered_witness() const { return witness_; }
  /** Sets the witness function, which must outlive this. */
  void set_triggered_witness(const WitnessFunction<T>* w) { witness_ = w; }
  /** Start of the step [s]. */
  const T& t0() const { return t0_; }
  /** Sets the start of the step [s]. */
  void set_t0(const T& t0) { t0_ = t0; }
  /** End of the step [s]. */
  const T& tf() const { return tf_; }
  /** Sets the end of the step [s]. */
  void set_tf(const T& tf) { tf_ = tf; }
  /** Continuous state at t0(), or null. */
  const ContinuousState<T>* xc0() const { return xc0_; }
  /** Sets the continuous state at t0(), which must outlive this. */
  void set_xc0(const ContinuousState<T>* xc0) { xc0_ = xc0; }
  /** Continuous state at tf(), or null. */
  const ContinuousState<T>* xcf() const { return xcf_; }
  /** Sets the continuous state at tf(), which must outlive this. */
  void set_xcf(const ContinuousState<T>* xcf) { xcf_ = xcf; }

 private:
  const WitnessFunction<T>* witness_{};
  T t0_{0.0};
  T tf_{0.0};
  const ContinuousState<T>* xc0_{};
  const ContinuousState<T>* xcf_{};
};

/** Why an event happens. */
enum class TriggerType {
  kUnknown,
  kInitialization,
  kForced,
  kTimed,
  kPeriodic,
  kPerStep,
  kWitness,
};

/** Several reasons. */
using TriggerTypeSet = std::set<TriggerType>;

/** Something that happens at a moment: the base of PublishEvent,
DiscreteUpdateEvent and UnrestrictedUpdateEvent, which carry what to call. */
template <typename T>
class Event {
 public:
  /** Data about the trigger: none, a period, or a witness function. */
  using EventData = std::variant<std::monostate, PeriodicEventData,
                                 WitnessTriggeredEventData<T>>;
  virtual ~Event() = default;

  /** A deep copy of the same derived type. */
  std::unique_ptr<Event> Clone() const {
    return std::unique_ptr<Event>(DoClone());
  }
  /** True for a DiscreteUpdateEvent. */
  virtual bool is_discrete_update() const = 0;

  /** Reason of the event. */
  TriggerType get_trigger_type() const { return trigger_type_; }
  /** Sets the reason of the event. */
  void set_trigger_type(TriggerType trigger_type) {
    trigger_type_ = trigger_type;
  }

  /** True if set_event_data() has been called. */
  bool has_event_data() const {
    return !std::holds_alternative<std::monostate>(event_data_);
  }
  /** The data if it is of the given type; null otherwise. */
  template <typename EventDataType>
  const EventDataType* get_event_data() const {
    return std::get_if<EventDataType>(&event_data_);
  }
  /** Mutable variant of get_event_data(). */
  template <typename EventDataType>
  EventDataType* get_mutable_event_data() {
    return std::get_if<EventDataType>(&event_data_);
  }
  /** Sets data of one of the types of EventData. */
  template <typename EventDataType>
  void set_event_data(EventDataType data) {
    event_data_ = std::move(data);
  }

  /** Adds a copy of this event to `events`, with the given trigger if this has
  none (kUnknown).
  @throws std::logic_error if both name different triggers. */
  void AddToComposite(TriggerType trigger_type,
                      CompositeEventCollection<T>* events) const;
  /** Overload with the event's own trigger, which must be set. */
  void AddToComposite(CompositeEventCollection<T>* events) const;

 protected:
  Event() = default;
  explicit Event(TriggerType trigger_type) : trigger_type_(trigger_type) {}
  Event(const Event&) = default;
  Event& operator=(const Event&) = default;
  Event(Event&&) = default;
  Event& operator=(Event&&) = default;

  virtual Event* DoClone() const = 0;
  virtual void DoAddToComposite(TriggerType trigger_type,
                                CompositeEventCollection<T>* events) const = 0;

 private:
  TriggerType trigger_type_{TriggerType::kUnknown};
  EventData event_data_;
};

namespace internal {
[[noreturn]] void ThrowNullCallback();
[[noreturn]] void ThrowNullEvent();
[[noreturn]] void ThrowSubeventIndex(int index, int num_subsystems);
[[noreturn]] void ThrowSubevents(int index, bool is_null);

/** Base of the three events: a callback with a System, a Context, the event,
and its output (none for a publish), stored in a form that takes callables with
or without the System argument. `Output` is void, DiscreteValues<T> or State<T>.
*/
template <typename T, typename Derived, typename Output>
class EventWithCallback : public Event<T> {
 public:
  using Full = std::conditional_t<
      std::is_void_v<Output>,
      std::function<EventStatus(const System<T>&, const Context<T>&,
                                const Derived&)>,
      std::function<EventStatus(const System<T>&, const Context<T>&,
                                const Derived&, Output*)>>;

 protected:
  EventWithCallback() = default;
  explicit EventWithCallback(TriggerType trigger_type)
      : Event<T>(trigger_type) {}

  template <typename Function>
  void set_callback(const Function& f) {
    // A std::function can be empty.
    if constexpr (requires { f.target_type(); }) {
      if (f == nullptr) ThrowNullCallback();
    }
    if constexpr (std::is_void_v<Output>) {
      if constexpr (std::is_invocable_v<Function, const System<T>&,
                                        const Context<T>&, const Derived&>) {
        callback_ = [f](const System<T>& s, const Context<T>& c,
                        const Derived& e) {
          return Status([&] { return f(s, c, e); });
        };
      } else {
        callback_ = [f](const System<T>&, const Context<T>& c,
                        const Derived& e) {
          return Status([&] { return f(c, e); });
        };
      }
    } else {
      if constexpr (std::is_invocable_v<Function, const System<T>&,
                                        const Context<T>&, const Derived&,
                                        Output*>) {
        callback_ = [f](const System<T>& s, const Context<T>& c,
                        const Derived& e, Output* out) {
          return Status([&] { return f(s, c, e, out); });
        };
      } else {
        callback_ = [f](const System<T>&, const Context<T>& c, const Derived& e,
                        Output* out) {
          return Status([&] { return f(c, e, out); });
        };
      }
    }
  }

  Full callback_;

 private:
  // A callback without a status has succeeded if it returns.
  template <typename Call>
  static EventStatus Status(const Call& call) {
    if constexpr (std::is_void_v<decltype(call())>) {
      call();
      return EventStatus::Succeeded();
    } else {
      return call();
    }
  }
};
}  // namespace internal

/** An event that reports the state to the outside and changes nothing. */
template <typename T>
class PublishEvent final
    : public internal::EventWithCallback<T, PublishEvent<T>, void> {
  using Base = internal::EventWithCallback<T, PublishEvent<T>, void>;

 public:
  PublishEvent() = default;
  /** Makes an event without a callback. */
  explicit PublishEvent(const TriggerType& trigger_type) : Base(trigger_type) {}
  /** `callback(context, event)` or `(system, context, event)`, returning void
  or EventStatus. */
  template <typename Function>
  requires(
      !std::is_convertible_v<Function, TriggerType> &&
      !std::is_base_of_v<
          Event<T>,
          std::remove_cvref_t<Function>>) explicit PublishEvent(const Function&
                                                                    callback) {
    this->set_callback(callback);
  }
  /** Makes an event with a trigger and a callback. */
  template <typename Function>
  PublishEvent(const TriggerType& trigger_type, const Function& callback)
      : Base(trigger_type) {
    this->set_callback(callback);
  }
  bool is_discrete_update() const final { return false; }
  /** Calls the callback; did nothing if there is none. */
  EventStatus handle(const System<T>& system, const Context<T>& context) const {
    return this->callback_ ? this->callback_(system, context, *this)
                           : EventStatus::DidNothing();
  }

 private:
  PublishEvent* DoClone() const final { return new PublishEvent(*this); }
  void DoAddToComposite(TriggerType trigger_type,
                        CompositeEventCollection<T>* events) const final;
};

/** An event that computes new discrete state values from the old. */
template <typename T>
class DiscreteUpdateEvent final
    : public internal::EventWithCallback<T, DiscreteUpdateEvent<T>,
                                         DiscreteValues<T>> {
  using Base =
      internal::EventWithCallback<T, DiscreteUpdateEvent<T>, DiscreteValues<T>>;

 public:
  DiscreteUpdateEvent() = default;
  /** Makes an event without a callback. */
  explicit DiscreteUpdateEvent(const TriggerType& trigger_type)
      : Base(trigger_type) {}
  /** `callback(context, event, discrete_state)`, or with the System as first
  argument, returning void or EventStatus. */
  template <typename Function>
  requires(
      !std::is_convertible_v<Function, TriggerType> &&
      !std::is_base_of_v<
          Event<T>, std::remove_cvref_t<
                        Function>>) explicit DiscreteUpdateEvent(const Function&
                                                                     callback) {
    this->set_callback(callback);
  }
  /** Makes an event with a trigger and a callback. */
  template <typename Function>
  DiscreteUpdateEvent(const TriggerType& trigger_type, const Function& callback)
      : Base(trigger_type) {
    this->set_callback(callback);
  }
  bool is_discrete_update() const final { return true; }
  /** Calls the callback, which writes new values into `discrete_state`; did
  nothing if there is none. */
  EventStatus handle(const System<T>& system, const Context<T>& context,
                     DiscreteValues<T>* discrete_state) const {
    return this->callback_
               ? this->callback_(system, context, *this, discrete_state)
               : EventStatus::DidNothing();
  }

 private:
  DiscreteUpdateEvent* DoClone() const final {
    return new DiscreteUpdateEvent(*this);
  }
  void DoAddToComposite(TriggerType trigger_type,
                        CompositeEventCollection<T>* events) const final;
};

/** An event that may change any part of the state. */
template <typename T>
class UnrestrictedUpdateEvent final
    : public internal::EventWithCallback<T, UnrestrictedUpdateEvent<T>,
                                         State<T>> {
  using Base =
      internal::EventWithCallback<T, UnrestrictedUpdateEvent<T>, State<T>>;

 public:
  UnrestrictedUpdateEvent() = default;
  /** Makes an event without a callback. */
  explicit UnrestrictedUpdateEvent(const TriggerType& trigger_type)
      : Base(trigger_type) {}
  /** `callback(context, event, state)`, or with the System as first argument,
  returning void or EventStatus. */
  template <typename Function>
  requires(!std::is_convertible_v<Function, TriggerType> &&
           !std::is_base_of_v<
               Event<T>,
               std::remove_cvref_t<
                   Function>>) explicit UnrestrictedUpdateEvent(const Function&
                                                                    callback) {
    this->set_callback(callback);
  }
  /** Makes an event with a trigger and a callback. */
  template <typename Function>
  UnrestrictedUpdateEvent(const TriggerType& trigger_type,
                          const Function& callback)
      : Base(trigger_type) {
    this->set_callback(callback);
  }
  bool is_discrete_update() const final { return false; }
  /** Calls the callback, which writes into `state`; did nothing if there is
  none. */
  EventStatus handle(const System<T>& system, const Context<T>& context,
                     State<T>* state) const {
    return this->callback_ ? this->callback_(system, context, *this, state)
                           : EventStatus::DidNothing();
  }

 private:
  UnrestrictedUpdateEvent* DoClone() const final {
    return new UnrestrictedUpdateEvent(*this);
  }
  void DoAddToComposite(TriggerType trigger_type,
                        CompositeEventCollection<T>* events) const final;
};

}  // namespace wyvern::systems
