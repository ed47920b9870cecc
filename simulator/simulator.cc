#include "wyvern/simulator/simulator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

#include "wyvern/simulator/integrators/runge_kutta3_integrator.h"
#include "wyvern/simulator/progress_line.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/leaf_events.h"

/* The Simulator advances a Context from event to event. One step: handle the
events of the present time; ask the System for its next event; integrate to it,
to a witness function's zero, or to the boundary, whichever comes first. Times
that differ by rounding are one moment (AreSameMoment()), so that no tick is
lost or taken twice. A boundary that would bend the integrator's step is undone
before the next AdvanceTo(), so that results do not depend on the boundaries. A
thousand steps that move time by rounding only are an error, and so is a pace
at which the simulation would not end (StepPace). A System without events and
state goes to the boundary at once. */

namespace wyvern::systems {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kRungeKuttaAccuracy = 1e-4;
constexpr double kRungeKuttaMaxStepSize = 0.1;

template <typename T>
double Number(const T& x) {
  return ToDouble(x);
}

// True if the times differ by no more than rounding, so that going from one to
// the other is not a step. Must be wider than what Systems take as having
// passed already (internal::NextSample()), or a tick might fall between the
// two.
bool AreSameMoment(double a, double b) {
  if (a == b) return true;
  const double size = std::max(std::abs(a), std::abs(b));
  return std::isfinite(size) &&
         std::abs(a - b) <= 2 * internal::SameTimeTolerance(size);
}

template <typename T>
const System<T>& Dereference(const System<T>* system) {
  return *wyvern::internal::RequireNotNull("Simulator", "system", system);
}

// Time must get on, on average, by more than a rounding error a step, or these
// many steps are taken as standing still.
constexpr int kStallSteps = 1000;

double RoundingOf(double time) {
  return std::max(internal::SameTimeTolerance(time),
                  std::numeric_limits<double>::min());
}

}  // namespace

template <typename T>
class Simulator<T>::Busy {
 public:
  Busy(Simulator<T>* simulator, const char* function) : simulator_(simulator) {
    simulator_->RequireIdle(function);
    simulator_->busy_in_ = function;
  }
  ~Busy() { simulator_->busy_in_ = nullptr; }

 private:
  Simulator<T>* const simulator_;
};

template <typename T>
void Simulator<T>::RequireIdle(const char* function) const {
  if (busy_in_ == nullptr) return;
  throw std::logic_error(fmt::format(
      "Simulator::{}(): called within Simulator::{}() of '{}' at time {}, by a "
      "monitor, an event handler or a System that is being evaluated; call it "
      "after that has returned. To make it return, let the monitor or handler "
      "return EventStatus::ReachedTermination().",
      function, busy_in_, system_.GetSystemPathname(),
      Number(context_->get_time())));
}

// --- Construction and parts ------------------------------------------------

template <typename T>
Simulator<T>::Simulator(const System<T>& system,
                        std::unique_ptr<Context<T>> context)
    : Simulator(nullptr, &system, std::move(context)) {}

template <typename T>
Simulator<T>::Simulator(std::unique_ptr<const System<T>> system,
                        std::unique_ptr<Context<T>> context)
    : Simulator(std::move(system), nullptr, std::move(context)) {}

template <typename T>
Simulator<T>::Simulator(std::unique_ptr<const System<T>> owned_system,
                        const System<T>* system,
                        std::unique_ptr<Context<T>> context)
    : owned_system_(std::move(owned_system)),
      system_(Dereference(owned_system_ ? owned_system_.get() : system)) {
  clear_monitor();
  if (context == nullptr) context = system_.CreateDefaultContext();
  reset_context(std::move(context));
  auto& integrator = reset_integrator<RungeKutta3Integrator<T>>();
  integrator.set_maximum_step_size(kRungeKuttaMaxStepSize);
  integrator.set_target_accuracy(kRungeKuttaAccuracy);
  if constexpr (std::is_same_v<T, double>) {
    integrator.set_changes_method_when_stiff(true);
  }
}

template <typename T>
Simulator<T>::~Simulator() = default;

template <typename T>
void Simulator<T>::Adopt(std::unique_ptr<IntegratorBase<T>> integrator) {
  RequireIdle("reset_integrator");
  integrator_ = std::move(integrator);
  witnesses_ =
      std::make_unique<internal::WitnessWatch<T>>(system_, integrator_.get());
  is_initialized_ = false;
}

template <typename T>
const Context<T>& Simulator<T>::get_context() const {
  if (context_ == nullptr) {
    throw std::logic_error(
        "Simulator: there is no Context; give one to reset_context().");
  }
  return *context_;
}

template <typename T>
Context<T>& Simulator<T>::get_mutable_context() {
  return const_cast<Context<T>&>(get_context());
}

template <typename T>
std::unique_ptr<Context<T>> Simulator<T>::release_context() {
  RequireIdle("release_context");
  integrator_->reset_context(nullptr);
  is_initialized_ = false;
  return std::move(context_);
}

template <typename T>
void Simulator<T>::reset_context(std::unique_ptr<Context<T>> context) {
  RequireIdle("reset_context");
  if (context != nullptr) system_.ValidateContext(*context);
  context_ = std::move(context);
  if (integrator_ != nullptr) integrator_->reset_context(context_.get());
  is_initialized_ = false;
}

template <typename T>
void Simulator<T>::set_monitor(
    std::function<EventStatus(const Context<T>&)> monitor) {
  monitor_ =
      std::make_shared<const std::function<EventStatus(const Context<T>&)>>(
          std::move(monitor));
}

template <typename T>
double Simulator<T>::get_actual_realtime_rate() const {
  return pacer_.CalcActualRate(Number(get_context().get_time()));
}

template <typename T>
void Simulator<T>::ResetStatistics() {
  integrator_->ResetStatistics();
  num_publishes_ = 0;
  num_steps_taken_ = 0;
  num_discrete_updates_ = 0;
  num_unrestricted_updates_ = 0;
  pacer_.Restart(Number(get_context().get_time()));
}

template <typename T>
std::optional<T> Simulator<T>::GetCurrentWitnessTimeIsolation() const {
  std::optional<double> accuracy = get_context().get_accuracy();
  if (!accuracy.has_value() && !integrator_->get_fixed_step_mode()) {
    accuracy = integrator_->get_accuracy_in_use();
  }
  if (!accuracy.has_value()) return std::nullopt;
  // Without a maximum step, times are taken to be of the order of a second.
  const double step = Number(integrator_->get_maximum_step_size());
  const double window = 0.01 * *accuracy * (std::isnan(step) ? 1.0 : step);
  const double t = std::abs(Number(context_->get_time()));
  return T(std::max(window, 4 * std::numeric_limits<double>::epsilon() * t));
}

// --- Initialize() ----------------------------------------------------------

template <typename T>
SimulatorStatus Simulator<T>::Initialize(const InitializeParams& params) {
  const T now = get_context().get_time();
  const Busy busy(this, "Initialize");
  is_initialized_ = false;
  context_->SetTime(now);  // Refuses a part of another Context.
  integrator_->Initialize();
  AllocateCollections();
  ResetStatistics();
  SimulatorStatus status(Number(now));

  if (!params.suppress_initialization_events) {
    system_.GetInitializationEvents(*context_, initialization_events_.get());
  }
  Note(HandleUnrestrictedUpdate(
           initialization_events_->get_unrestricted_update_events()),
       &status);
  Note(HandleDiscreteUpdate(
           initialization_events_->get_discrete_update_events()),
       &status);

  FindEventsDueAtStart();
  // The place has its memory from here on, so that the first boundary that
  // bends a step allocates nothing.
  if (context_->num_continuous_states() > 0) integrator_->SavePlace(&place_);
  is_place_kept_ = false;
  progress_.Restart();
  pace_.Restart();
  witnesses_->Restart();
  is_stiffness_told_ = false;
  NoteMoment();
  is_initialized_ = true;  // For those who save it now.
  if (!status.succeeded()) return status;
  try {
    WarnOfDifficulties();
    HandlePublishes(/* initializing = */ true, &status);
    CallMonitor(&status);
    RequireTimeUnmoved(Number(now), "an event handler or the monitor");
  } catch (...) {
    is_initialized_ = false;
    throw;
  }
  return status;
}

template <typename T>
void Simulator<T>::WarnOfDifficulties() const {
  if (!warning_handler_) return;
  const std::string difficulties = system_.DescribeDifficulties(*context_);
  if (difficulties.empty()) return;
  warning_handler_(fmt::format("Simulator: '{}' starts with a difficulty. {}",
                               system_.GetSystemPathname(), difficulties));
}

template <typename T>
void Simulator<T>::AllocateCollections() {
  discrete_updates_ = system_.AllocateDiscreteVariables();
  unrestricted_updates_ = context_->CloneState();
  state_at_entry_.setZero(context_->num_continuous_states());
  initialization_events_ = system_.AllocateCompositeEventCollection();
  per_step_events_ = system_.AllocateCompositeEventCollection();
  timed_events_ = system_.AllocateCompositeEventCollection();
  witnessed_events_ = system_.AllocateCompositeEventCollection();
  merged_events_ = system_.AllocateCompositeEventCollection();
}

template <typename T>
void Simulator<T>::FindEventsDueAtStart() {
  system_.GetPerStepEvents(*context_, per_step_events_.get());

  // A System says what comes after the Context's time. To hear of what is due
  // at that time, let it be a hair earlier.
  const T now = context_->get_time();
  context_->PerturbTime(T(std::nextafter(Number(now), -kInf)), now);
  const T next = system_.CalcNextUpdateTime(*context_, timed_events_.get());
  context_->SetTime(now);
  timed_events_are_due_ = AreSameMoment(Number(next), Number(now));
  witnessed_events_are_due_ = false;
  per_step_updates_are_due_ = true;
  are_unrestricted_updates_done_ = false;
}

// --- AdvanceTo() -----------------------------------------------------------

template <typename T>
SimulatorStatus Simulator<T>::AdvancePendingEvents() {
  return AdvanceTo(get_context().get_time());
}

template <typename T>
void Simulator<T>::RequireBoundary(const T& boundary_time) const {
  const T& now = context_->get_time();
  if (now != stopped_at_) {
    throw std::logic_error(fmt::format(
        "Simulator::AdvanceTo(): the Context's time is {}, but the simulation "
        "had reached {}; call Initialize() after setting the time.",
        Number(now), Number(stopped_at_)));
  }
  if (!(boundary_time >= now)) {
    throw std::logic_error(fmt::format(
        "Simulator::AdvanceTo(): the boundary time {} is before the time {}.",
        Number(boundary_time), Number(now)));
  }
}

template <typename T>
SimulatorStatus Simulator<T>::AdvanceTo(const T& boundary_time) {
  RequireIdle("AdvanceTo");
  if (!is_initialized_) {
    SimulatorStatus status = Initialize();
    if (!status.succeeded()) return status;
  }
  const Busy busy(this, "AdvanceTo");
  RequireBoundary(boundary_time);
  Resume(boundary_time);

  SimulatorStatus status(Number(boundary_time));
  try {
    AdvanceUntil(boundary_time, &status);
  } catch (...) {
    StopAfterFailure();
    throw;
  }
  StopAt(boundary_time);
  return status;
}

template <typename T>
void Simulator<T>::StopAfterFailure() {
  // Between a kept place and where AdvanceTo() began there are no events.
  if (context_->get_time() < time_at_entry_) {
    context_->SetTimeAndGetMutableContinuousStateVector(time_at_entry_)
        .SetFromVector(state_at_entry_);
  }
  is_place_kept_ = false;
  NoteMoment();
}

// Undoes what AdvanceTo() did for the sake of its boundary alone.
template <typename T>
void Simulator<T>::Resume(const T& boundary_time) {
  published_until_ = -kInf;
  time_at_entry_ = stopped_at_;
  if (context_->num_changes() != changes_when_stopped_) is_place_kept_ = false;
  if (is_place_kept_) {
    if (IsAt(boundary_time)) return;
    ReturnToPlace();
  } else if (exact_time_ != stopped_at_) {
    context_->SetTime(exact_time_);
    time_at_entry_ = exact_time_;
  }
  NoteMoment();
}

// Goes back from a moment within a step, at which nothing but publishing was
// done, to where the step began.
template <typename T>
void Simulator<T>::ReturnToPlace() {
  time_at_entry_ = stopped_at_;
  published_until_ =
      std::max({published_until_, Number(stopped_at_), Number(exact_time_)});
  context_->get_continuous_state_vector().CopyToPreSizedVector(
      &state_at_entry_);
  integrator_->ReturnTo(place_);
  is_place_kept_ = false;
}

template <typename T>
void Simulator<T>::AdvanceUntil(const T& boundary_time,
                                SimulatorStatus* status) {
  internal::ProgressLine progress(Number(context_->get_time()),
                                  Number(boundary_time));
  const bool integrates = context_->num_continuous_states() > 0;
  double now = Number(context_->get_time());
  double mark = now;
  const auto note_pace = [&](int count) {
    pace_.NoteSteps(*context_, count, mark, Number(boundary_time),
                    integrates ? Number(integrator_->StepSizeLimit()) : kInf);
  };
  for (int steps = 1;; ++steps) {
    HandleUpdates(status);
    RequireTimeUnmoved(now, "an event handler");
    if (!status->succeeded()) return;
    if (!IsAt(boundary_time)) {
      is_stepping_ = true;
      StepTowards(boundary_time);
    }
    ++num_steps_taken_;
    now = Number(context_->get_time());
    if (now > published_until_) {
      HandlePublishes(/* initializing = */ false, status);
      CallMonitor(status);
      RequireTimeUnmoved(now, "an event handler or the monitor");
    }
    if (exact_time_ != stopped_at_) {
      published_until_ = std::max(published_until_, now);
      context_->SetTime(exact_time_);
      NoteMoment();
      now = Number(exact_time_);
    }
    if (!status->succeeded() || IsAt(boundary_time)) {
      note_pace(steps);
      return;
    }
    progress.Update(now);
    if (steps == kStallSteps) {
      RequireProgress(mark);
      note_pace(steps);
      mark = now;
      steps = 0;
    }
  }
}

// Handlers and monitors can get at a Context whose time they must leave alone.
template <typename T>
void Simulator<T>::RequireTimeUnmoved(double expected,
                                      const char* culprit) const {
  const double now = Number(context_->get_time());
  if (now == expected) return;
  throw std::logic_error(
      fmt::format("Simulator: {} changed the time of '{}' from {} to {}; while "
                  "it advances, only the Simulator may.",
                  culprit, system_.GetSystemPathname(), expected, now));
}

// After kStallSteps steps from time `since`.
template <typename T>
void Simulator<T>::RequireProgress(double since) const {
  const double now = Number(context_->get_time());
  if (now - since > kStallSteps * RoundingOf(now)) return;
  throw std::runtime_error(fmt::format(
      "Simulator::AdvanceTo(): '{}' stands still at time {}: the last {} steps "
      "took {} s in all. {}",
      system_.GetSystemPathname(), now, kStallSteps, now - since,
      DescribeStall()));
}

template <typename T>
void Simulator<T>::WatchSteps(double boundary_time) {
  if (integrator_->get_fixed_step_mode()) return;
  const double now = Number(context_->get_time());
  if (!is_stiffness_told_ && integrator_->IsStiffForLong()) {
    is_stiffness_told_ = true;
    if (warning_handler_) {
      warning_handler_(fmt::format(
          "Simulator: most steps of '{}' before time {} are small, some {:.2g} "
          "s, for the sake of stability alone. {}",
          system_.GetSystemPathname(), now,
          Number(integrator_->get_ideal_next_step_size()),
          integrator_->DescribeSmallSteps()));
    }
  }
  const auto crawl = progress_.NoteStep(
      now, integrator_->get_num_derivative_evaluations(), boundary_time,
      Number(integrator_->StepSizeLimit()), [this] {
        return system_.DescribeDifficulties(*context_, Difficulty::kSevere);
      });
  if (!crawl.has_value()) return;
  std::string remedy = integrator_->DescribeSmallSteps();
  if (crawl->difficulties.empty()) {
    remedy += fmt::format(
        " If steps this small are what you want, give a maximum step size "
        "below {:.3g}.",
        5 * crawl->way);
  }
  throw std::runtime_error(fmt::format(
      "Simulator::AdvanceTo(): '{}' crawls at time {}: the last {} steps took "
      "{:.3g} s in all, and the boundary {} is {:.3g} s away. {}",
      system_.GetSystemPathname(), now, crawl->steps, crawl->way, boundary_time,
      boundary_time - now, remedy));
}

template <typename T>
std::string Simulator<T>::DescribeStall() const {
  std::string names;
  for (const internal::SoonStop& stop : internal::FindSoonStops(
           system_, *context_, RoundingOf(Number(context_->get_time())))) {
    names += (names.empty() ? "" : ", ") + stop.name;
  }
  if (!names.empty()) {
    return fmt::format(
        "These Systems ask for their next update now, time and again: {}. "
        "Let DoCalcNextUpdateTime() give a later time once its events are "
        "handled.",
        names);
  }
  return fmt::format(
      "{}. Look for updates that call for another update at once, and for "
      "steps that are too small (maximum step {}).",
      witnessed_events_are_due_ ? "Witness functions trigger without end"
                                : "No System asks for an update now",
      Number(integrator_->StepSizeLimit()));
}

// Finds the next timed events, and their time. On the way back from a kept
// place, publish events until published_until_ have been handled.
template <typename T>
T Simulator<T>::FindNextEvents() {
  const T next = system_.CalcNextUpdateTime(*context_, timed_events_.get());
  if (Number(next) > published_until_ ||
      timed_events_->HasDiscreteUpdateEvents() ||
      timed_events_->HasUnrestrictedUpdateEvents()) {
    return next;
  }
  const T now = context_->get_time();
  context_->SetTime(T(published_until_));
  const T later = system_.CalcNextUpdateTime(*context_, timed_events_.get());
  context_->SetTime(now);
  return later;
}

// Moves time on to the next moment at which something happens, if only the end
// of an integration step.
template <typename T>
void Simulator<T>::StepTowards(const T& boundary_time) {
  if (context_->num_changes() != changes_when_stopped_) is_place_kept_ = false;
  const T next = FindNextEvents();
  const bool publish = timed_events_->HasPublishEvents();
  const bool update = timed_events_->HasDiscreteUpdateEvents() ||
                      timed_events_->HasUnrestrictedUpdateEvents();
  // An event at the boundary, give or take rounding, keeps its own time.
  const T boundary =
      AreSameMoment(Number(next), Number(boundary_time)) ? next : boundary_time;
  if (std::isinf(Number(boundary)) && std::isinf(Number(next)) &&
      context_->num_continuous_states() == 0) {
    throw std::logic_error(
        "Simulator::AdvanceTo(): the boundary time is infinite, and the System "
        "has neither continuous state nor timed events to step through.");
  }

  if (is_place_kept_ && is_at_publish_) ReturnToPlace();
  const bool watching = witnesses_->Start(*context_);
  T publish_time = publish ? next : T(kInf);
  T last = boundary;
  if (watching) {
    const T limit = context_->get_time() + T(witnesses_->resolution().limit);
    if (limit < last) last = limit;
  } else {
    KeepPlace(update ? next : T(kInf), &publish_time, &last);
  }
  const T start = context_->get_time();
  const auto reached = integrator_->IntegrateNoFurtherThanTime(
      publish_time, update ? next : T(kInf), last);
  if (reached == IntegratorBase<T>::kTimeHasAdvanced &&
      !integrator_->is_at_break()) {
    WatchSteps(Number(boundary_time));
  } else {
    progress_.NoteEvent();
  }
  witnessed_events_->Clear();
  witnessed_events_are_due_ =
      watching && witnesses_->Catch(GetCurrentWitnessTimeIsolation(),
                                    context_.get(), witnessed_events_.get());
  const T end = context_->get_time();
  const T before = end - T(0.5 * internal::SameTimeTolerance(Number(end)));
  if (!witnessed_events_are_due_ && integrator_->is_at_break() &&
      before > start && before < end) {
    // A System may ask for an update that notes a value from before the break.
    context_->SetTime(before);
    if (system_.CalcNextUpdateTime(*context_, witnessed_events_.get()) ==
            before &&
        witnessed_events_->HasDiscreteUpdateEvents()) {
      HandleDiscreteUpdate(witnessed_events_->get_discrete_update_events());
    }
    witnessed_events_->Clear();
    context_->SetTime(end);
  }
  NoteMoment();
  is_at_publish_ = context_->get_time() == publish_time;
  // A publish event that did not bend the step has its own time all the same.
  if (publish_time != next && !update && IsAt(next)) ShowTime(next);
  timed_events_are_due_ = context_->get_time() == next;
  per_step_updates_are_due_ = true;
  pacer_.WaitFor(Number(context_->get_time()));
}

// If a boundary or a publish event before the next update is about to bend the
// integrator's step, keeps the place from which to take the straight one later.
// A moment at the end of that step, give or take rounding, does not bend it and
// becomes infinite.
template <typename T>
void Simulator<T>::KeepPlace(const T& update_time, T* publish_time,
                             T* boundary_time) {
  const bool steps_matter = per_step_events_->HasDiscreteUpdateEvents() ||
                            per_step_events_->HasUnrestrictedUpdateEvents();
  T* stop = *publish_time <= *boundary_time ? publish_time : boundary_time;
  if (steps_matter || is_place_kept_ || !(*stop < update_time) ||
      context_->num_continuous_states() == 0) {
    return;
  }
  const auto [end, longest] = integrator_->PlanFreeStep();
  if (AreSameMoment(Number(end), Number(*stop))) {
    *boundary_time = T(kInf);
    *publish_time = T(kInf);
  } else if (*stop - context_->get_time() <= longest) {
    integrator_->SavePlace(&place_);
    is_place_kept_ = true;
  }
}

template <typename T>
bool Simulator<T>::IsAt(const T& time) const {
  return AreSameMoment(Number(context_->get_time()), Number(time));
}

// The Context is at a moment, from which the simulation can be saved.
template <typename T>
void Simulator<T>::NoteMoment() {
  stopped_at_ = exact_time_ = context_->get_time();
  changes_when_stopped_ = context_->num_changes();
  is_stepping_ = false;
}

// Gives the Context the time that was asked for, and remembers the exact one.
template <typename T>
void Simulator<T>::StopAt(const T& boundary_time) {
  NoteMoment();
  if (IsAt(boundary_time)) ShowTime(boundary_time);
}

// Gives the Context a time that differs from the exact one by rounding.
template <typename T>
void Simulator<T>::ShowTime(const T& time) {
  if (exact_time_ == time) return;
  context_->SetTime(time);
  stopped_at_ = time;
  changes_when_stopped_ = context_->num_changes();
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Simulator);
