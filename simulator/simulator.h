#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "wyvern/simulator/integrators/integrator_base.h"
#include "wyvern/simulator/progress_watch.h"
#include "wyvern/simulator/realtime_pacer.h"
#include "wyvern/simulator/simulator_status.h"
#include "wyvern/simulator/step_pace.h"
#include "wyvern/simulator/witness_watch.h"
#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/name_value.h"
#include "wyvern/systems/common/warning.h"
#include "wyvern/systems/framework/system.h"

namespace wyvern::systems {

namespace internal {
class SimulatorArchive;
}  // namespace internal

/** Parts that Simulator::Initialize() skips. */
struct InitializeParams {
  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(suppress_initialization_events));
  }

  /** Initialization events are not handled, for resuming a simulation whose
  Context has been initialized before. Timed and per-step ones still are. */
  bool suppress_initialization_events{false};
};

/** Advances a System and its Context in time: integrates the continuous state
and handles events in the order that makes a hybrid trajectory well defined. The
README.md of this folder draws the step.

At one moment t, all unrestricted updates happen first, each seeing the state as
it was; then all discrete updates; then time moves to the next moment; then
publish events see its state. A periodic event due at the time where AdvanceTo()
stops is published at the end of that call and updated at the start of the next,
so the state after AdvanceTo(t) is the one before the updates at t; call
AdvancePendingEvents() for the one after.

@tparam T the scalar type: double or AutoDiffXd. */
template <typename T>
class Simulator {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Simulator);

  /** `system` must outlive this. Without a Context, makes a default one. Uses
  RungeKutta3Integrator with accuracy 1e-4 and steps of at most 0.1 s, which
  goes over to a method for stiff systems where it must (double alone, see
  RungeKutta3Integrator::set_changes_method_when_stiff()).
  @throws std::logic_error if `context` is not of `system`. */
  explicit Simulator(const System<T>& system,
                     std::unique_ptr<Context<T>> context = nullptr);
  /** Owns the System. @throws std::logic_error also if `system` is null. */
  explicit Simulator(std::unique_ptr<const System<T>> system,
                     std::unique_ptr<Context<T>> context = nullptr);
  ~Simulator();

  /** @name Advancing
  All throw std::runtime_error with SimulatorStatus::FormatMessage() if an event
  handler or the monitor fails, and what a System throws. A handler or monitor
  that asks for termination makes them return early. Called by a handler, the
  monitor or a System that is being evaluated, that is, within one of them, they
  throw std::logic_error, as do release_context(), reset_context() and
  reset_integrator(); so does a handler or monitor that changed the time.
  @{ */
  /** Prepares the simulation from the Context as it is: handles initialization
  events, publishes what is due now, calls the monitor, and starts statistics
  and the real-time clock anew. AdvanceTo() calls it if need be. Nothing is
  published once an update has asked to end the simulation. */
  SimulatorStatus Initialize(const InitializeParams& params = {});
  /** Advances to `boundary_time` exactly.
  If a System, a handler or the monitor throws, the Context is left as it was at
  the last moment that was reached, with the updates that succeeded there; call
  this again to go on from there.
  Several calls one after another have the same effect, to the last bit, as one
  call to the last boundary, provided the Context is not changed between them
  and the System has neither witness functions nor per-step updates; these cost
  a little more, and per-step publishes and the monitor see the boundaries. In
  the same way, timed publish events within a step leave its numbers alone.
  @throws std::logic_error if `boundary_time` is before the Context's time, is
  NaN, or is infinite and there is nothing to step through; or if somebody
  changed the time since the last call.
  @throws std::runtime_error if time stands still: a thousand steps in a row
  advance by no more than rounding, because a System always asks for its next
  update now.
  @throws std::runtime_error if periods, timeouts, delays or the maximum step
  make steps of less than 1e-9 s on average, and those taken in a row together
  with those to the boundary, or to 10 s ahead, are more than 1e9.
  @throws std::runtime_error if time crawls: 200,000 steps of error control in a
  row advance by at most a fifth of the maximum step size, and the boundary is
  more than a hundred times as far. If the System describes severe difficulties
  (see System::DescribeDifficulties()), two stretches of 3,000 derivative
  evaluations that each advance by less than 3 ms are enough, or eight if four
  more would reach the boundary. */
  SimulatorStatus AdvanceTo(const T& boundary_time);
  /** Handles the updates that are due now, without advancing time, as
  AdvanceTo() does when it is given the current time. */
  SimulatorStatus AdvancePendingEvents();
  /** @} */

  /** @name The monitor: a function called after Initialize() and after every
  step, which can end the simulation
  @{ */
  /** Sets the monitor. If the monitor itself calls this, it runs to its end
  before it is replaced. */
  void set_monitor(std::function<EventStatus(const Context<T>&)> monitor);
  /** Removes the monitor. */
  void clear_monitor() { set_monitor(nullptr); }
  /** The monitor; empty if there is none. */
  const std::function<EventStatus(const Context<T>&)>& get_monitor() const {
    return *monitor_;
  }
  /** @} */

  /** @name Warnings
  @{ */
  /** Calls `handler` with each warning instead of printing it on stderr; a null
  handler drops warnings. Initialize() reports the System's difficulties at the
  start, see System::DescribeDifficulties(). One further warning comes at most
  once per simulation: nine tenths of 5,000 steps were small for the sake of
  stability alone. It has the likely place and a remedy. */
  void set_warning_handler(WarningHandler handler) {
    warning_handler_ = std::move(handler);
  }
  /** @} */

  /** @name Real time
  @{ */
  /** Holds the simulation back to `realtime_rate` simulated seconds per second;
  0, the default, is as fast as possible.
  @throws std::logic_error if negative or not finite. */
  void set_target_realtime_rate(double realtime_rate) {
    pacer_.set_target_rate(realtime_rate);
  }
  /** The rate that set_target_realtime_rate() sets. */
  double get_target_realtime_rate() const { return pacer_.target_rate(); }
  /** Simulated seconds per second of wall time since Initialize() or
  ResetStatistics(). */
  double get_actual_realtime_rate() const;
  /** @} */

  /** @name Publishing besides events: ForcedPublish() of the System
  @{ */
  /** If true, calls ForcedPublish() after every step. False by default. */
  void set_publish_every_time_step(bool publish) {
    publish_every_time_step_ = publish;
  }
  /** The choice of set_publish_every_time_step(). */
  bool get_publish_every_time_step() const { return publish_every_time_step_; }
  /** If true, calls ForcedPublish() in Initialize(). False by default. */
  void set_publish_at_initialization(bool publish) {
    publish_at_initialization_ = publish;
  }
  /** The choice of set_publish_at_initialization(). */
  bool get_publish_at_initialization() const {
    return publish_at_initialization_;
  }
  /** @} */

  /** @name The parts
  @{ */
  /** The System that is simulated. */
  const System<T>& get_system() const { return system_; }
  /** True unless release_context() was called or a null Context was given. */
  bool has_context() const { return context_ != nullptr; }
  /** Returns the Context that is simulated.
  @throws std::logic_error if there is no Context; so does the next. */
  const Context<T>& get_context() const;
  /** The Context, to be changed; Initialize() must follow a change of time. */
  Context<T>& get_mutable_context();
  /** Gives the Context away; Initialize() must follow a new one. */
  std::unique_ptr<Context<T>> release_context();
  /** Replaces the Context; Initialize() must follow.
  @throws std::logic_error if `context` is not of this System; it may be
  null. */
  void reset_context(std::unique_ptr<Context<T>> context);
  /** The integrator. */
  const IntegratorBase<T>& get_integrator() const { return *integrator_; }
  /** The integrator, to change its settings. */
  IntegratorBase<T>& get_mutable_integrator() { return *integrator_; }
  /** Replaces the integrator; Initialize() must follow. For integrators with
  error control: sets nothing, so call set_maximum_step_size() on the result. */
  template <class Integrator>
  Integrator& reset_integrator() {
    static_assert(
        std::is_constructible_v<Integrator, const System<T>&, Context<T>*>,
        "This integrator needs a maximum step size: use the other overload.");
    return Install(std::make_unique<Integrator>(get_system(), context_.get()));
  }
  /** For integrators of fixed step, with that step [s]. */
  template <class Integrator>
  Integrator& reset_integrator(const T max_step_size) {
    static_assert(std::is_constructible_v<Integrator, const System<T>&,
                                          const T&, Context<T>*>,
                  "This integrator takes no step size: use the other overload "
                  "and set_maximum_step_size().");
    return Install(std::make_unique<Integrator>(get_system(), max_step_size,
                                                context_.get()));
  }
  /** @} */

  /** @name Statistics since the start of Initialize() or ResetStatistics()
  @{ */
  /** Also restarts the real-time clock. */
  void ResetStatistics();
  /** Batches of publish events that did something and did not fail. */
  int64_t get_num_publishes() const { return num_publishes_; }
  /** Moves of time, for whatever reason they ended; a call to AdvanceTo() the
  current time counts as one. */
  int64_t get_num_steps_taken() const { return num_steps_taken_; }
  /** Batches of discrete updates that did something. */
  int64_t get_num_discrete_updates() const { return num_discrete_updates_; }
  /** Batches of unrestricted updates that did something. */
  int64_t get_num_unrestricted_updates() const {
    return num_unrestricted_updates_;
  }
  /** @} */

  /** How exactly the time of a witness function's zero is found now [s]: a
  hundredth of the accuracy times the maximum step size (1 s if there is none),
  but no less than rounding allows. The accuracy is the Context's, or else that
  of an integrator with error control; empty if there is neither, and then zeros
  are noticed only at the end of a step. */
  std::optional<T> GetCurrentWitnessTimeIsolation() const;

 private:
  friend class internal::SimulatorArchive;
  using Composite = CompositeEventCollection<T>;

  // Exactly one of the two Systems is given.
  Simulator(std::unique_ptr<const System<T>> owned_system,
            const System<T>* system, std::unique_ptr<Context<T>> context);

  template <class Integrator>
  Integrator& Install(std::unique_ptr<Integrator> integrator) {
    Integrator& result = *integrator;
    Adopt(std::move(integrator));
    return result;
  }
  void Adopt(std::unique_ptr<IntegratorBase<T>> integrator);
  // Marks the time in which Initialize() or AdvanceTo() is at work.
  class Busy;
  void RequireIdle(const char* function) const;
  void AllocateCollections();
  void FindEventsDueAtStart();

  // One AdvanceTo().
  void RequireBoundary(const T& boundary_time) const;
  void AdvanceUntil(const T& boundary_time, SimulatorStatus* status);
  // After an exception: never before where AdvanceTo() began.
  void StopAfterFailure();
  void Resume(const T& boundary_time);
  T FindNextEvents();
  void StepTowards(const T& boundary_time);
  void ReturnToPlace();
  void KeepPlace(const T& update_time, T* publish_time, T* boundary_time);
  void ShowTime(const T& time);
  void RequireTimeUnmoved(double expected, const char* culprit) const;
  void RequireProgress(double since) const;
  // Watches steps that error control ended, and nothing else.
  void WatchSteps(double boundary_time);
  // Called at the end of AdvanceTo().
  std::string DescribeStall() const;
  // Reports the System's difficulties at the start.
  void WarnOfDifficulties() const;
  bool IsAt(const T& time) const;
  void NoteMoment();
  void StopAt(const T& boundary_time);

  // Events. The first returns what has to be handled at this moment, out of
  // initialization, per-step, timed and witnessed events of one kind; null if
  // nothing has.
  template <typename EventType>
  const EventCollection<EventType>* Merge(
      const EventCollection<EventType>& (Composite::*kind)() const,
      EventCollection<EventType>& (Composite::*merged)() const,
      bool initialization, bool per_step) const;
  void HandleUpdates(SimulatorStatus* status);
  void HandlePublishes(bool initializing, SimulatorStatus* status);
  EventStatus HandleUnrestrictedUpdate(
      const EventCollection<UnrestrictedUpdateEvent<T>>& events);
  EventStatus HandleDiscreteUpdate(
      const EventCollection<DiscreteUpdateEvent<T>>& events);
  EventStatus HandlePublish(const EventCollection<PublishEvent<T>>& events);
  void CallMonitor(SimulatorStatus* status);
  // Passes an event's status on; throws if it failed.
  void Note(const EventStatus& event_status, SimulatorStatus* status) const;

  const std::unique_ptr<const System<T>> owned_system_;
  const System<T>& system_;
  std::unique_ptr<Context<T>> context_;
  std::unique_ptr<IntegratorBase<T>> integrator_;
  std::unique_ptr<internal::WitnessWatch<T>> witnesses_;
  // Never null; shared, so that a monitor outlives its own replacement.
  std::shared_ptr<const std::function<EventStatus(const Context<T>&)>> monitor_;
  internal::RealtimePacer pacer_;
  WarningHandler warning_handler_{WarnOnStderr};
  bool publish_every_time_step_{false};
  bool publish_at_initialization_{false};

  // Work space and events, allocated by Initialize().
  std::unique_ptr<DiscreteValues<T>> discrete_updates_;
  std::unique_ptr<State<T>> unrestricted_updates_;
  std::unique_ptr<Composite> initialization_events_;
  std::unique_ptr<Composite> per_step_events_;
  std::unique_ptr<Composite> timed_events_;
  std::unique_ptr<Composite> witnessed_events_;
  std::unique_ptr<Composite> merged_events_;

  // Where the simulation stands: whether the events that timed_events_ and
  // witnessed_events_ hold are due now, and whether this step's updates still
  // are.
  bool is_initialized_{false};
  const char* busy_in_{nullptr};
  bool timed_events_are_due_{false};
  bool witnessed_events_are_due_{false};
  bool per_step_updates_are_due_{false};
  // Set if the discrete updates of this moment failed.
  bool are_unrestricted_updates_done_{false};
  // Between two moments, where the Context stands for nothing in particular.
  bool is_stepping_{false};
  // The Context's time as the last step or AdvanceTo() left it, and the exact
  // time of the moment that it stands for, which differs by a rounding error at
  // most.
  T stopped_at_{0.0};
  T exact_time_{0.0};
  // From where the integrator goes on if nobody changes the Context: where it
  // was before a boundary or a publish event forced it to a shorter step than
  // it would have taken. What has been published up to a time is not published
  // again.
  typename IntegratorBase<T>::Place place_;
  bool is_place_kept_{false};
  // Whether the publish event that bent the step has been reached.
  bool is_at_publish_{false};
  int64_t changes_when_stopped_{0};
  double published_until_{};
  // The continuous state where the last return to a kept place began, and the
  // time there.
  VectorX<T> state_at_entry_;
  T time_at_entry_{0.0};

  internal::ProgressWatch progress_;
  internal::StepPace<T> pace_{&system_};
  bool is_stiffness_told_{false};

  int64_t num_publishes_{0};
  int64_t num_steps_taken_{0};
  int64_t num_discrete_updates_{0};
  int64_t num_unrestricted_updates_{0};
};

}  // namespace wyvern::systems
