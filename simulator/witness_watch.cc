#include "wyvern/simulator/witness_watch.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

/* A step from a to b has a crossing if some witness w has signs at its ends
that its direction asks for. The search keeps a bracket [a, b] with no crossing
up to a and one up to b, and probes in between by stepping from a anew: at the
secant a + (b - a) w_a / (w_a - w_b), a little late, then a little early, then
at the middle. So a bracket shrinks at least to half in three probes, whatever w
is, and to the window in 3 log2(h / window) at most; for a line in two. Events
get the bracket as [t0, tf] (Shampine, Gladwell, Brankin, ACM TOMS 17, 1991, on
why events are sought by sign). */

namespace wyvern::systems::internal {

template <typename T>
WitnessWatch<T>::WitnessWatch(const System<T>& system,
                              IntegratorBase<T>* integrator)
    : system_(system), integrator_(integrator) {}

template <typename T>
bool WitnessWatch<T>::Start(const Context<T>& context) {
  witnesses_.clear();
  system_.GetWitnessFunctions(context, &witnesses_);
  if (witnesses_.empty()) return false;
  const int n = static_cast<int>(witnesses_.size());
  start_.setZero(n);
  now_.resize(n);
  FindTriggers(context);
  start_ = now_;
  start_time_ = context.get_time();
  start_state_.resize(context.num_continuous_states());
  context.get_continuous_state_vector().CopyToPreSizedVector(&start_state_);
  return true;
}

template <typename T>
bool WitnessWatch<T>::FindTriggers(const Context<T>& context) {
  for (int i = 0; i < static_cast<int>(witnesses_.size()); ++i) {
    now_[i] = system_.CalcWitnessValue(context, *witnesses_[i]);
    if (std::isnan(ExtractDoubleOrThrow(now_[i]))) {
      throw std::runtime_error(fmt::format(
          "Simulator: witness function '{}' of '{}' is nan at time {}.",
          witnesses_[i]->description(),
          witnesses_[i]->get_system().GetSystemPathname(),
          ExtractDoubleOrThrow(context.get_time())));
    }
  }
  CompareWithStart(now_);
  return !triggered_.empty();
}

template <typename T>
void WitnessWatch<T>::CompareWithStart(const VectorX<T>& values) {
  triggered_.clear();
  for (int i = 0; i < static_cast<int>(witnesses_.size()); ++i) {
    if (witnesses_[i]->should_trigger(start_[i], values[i])) {
      triggered_.push_back(i);
    }
  }
}

template <typename T>
bool WitnessWatch<T>::Catch(const std::optional<T>& window, Context<T>* context,
                            CompositeEventCollection<T>* events) {
  try {
    if (!FindTriggers(*context)) return false;
    a_ = start_time_;
    state_a_ = start_state_;
    if (window.has_value()) Isolate(*window, context);
  } catch (...) {
    integrator_->TakeBackStep(start_time_, start_state_);
    throw;
  }
  AddEvents(*context, events);
  return !triggered_.empty();
}

template <typename T>
T WitnessWatch<T>::EstimateCrossing(const T& a, const T& b) const {
  T first = b;
  for (const int i : triggered_) {
    const T slope = at_a_[i] - at_b_[i];
    // A witness that only touches zero has nothing to aim at.
    if (slope == 0) continue;
    const T crossing = a + (b - a) * (at_a_[i] / slope);
    if (crossing < first) first = crossing;
  }
  return first;
}

template <typename T>
T WitnessWatch<T>::ChooseProbe(const T& a, const T& b, const T& window,
                               int iteration) const {
  const T middle = a + T(0.5) * (b - a);
  T probe = middle;
  // First a little late, so that the crossing is caught from above; then a
  // little early, so that it is caught from below.
  if (iteration % 3 == 0) probe = EstimateCrossing(a, b) + T(0.4) * window;
  if (iteration % 3 == 1) probe = EstimateCrossing(a, b) - T(0.4) * window;
  return probe > a && probe < b ? probe : middle;
}

template <typename T>
void WitnessWatch<T>::Isolate(const T& window, Context<T>* context) {
  T b = context->get_time();
  at_a_ = start_;
  at_b_ = now_;
  for (int iteration = 0; b - a_ > window; ++iteration) {
    const T probe = ChooseProbe(a_, b, window, iteration);
    if (!(probe > a_ && probe < b)) break;  // Rounding ends the search.
    integrator_->Redo(a_, state_a_, probe);
    if (FindTriggers(*context)) {
      b = probe;
      at_b_ = now_;
    } else {
      a_ = probe;
      at_a_ = now_;
      context->get_continuous_state_vector().CopyToPreSizedVector(&state_a_);
      CompareWithStart(at_b_);
    }
  }
  if (context->get_time() != b) integrator_->Redo(a_, state_a_, b);
  FindTriggers(*context);
  integrator_->AmendDenseOutput();
}

template <typename T>
std::string WitnessWatch<T>::NameOf(int witness) const {
  return fmt::format("{} of {}", witnesses_[witness]->description(),
                     witnesses_[witness]->get_system().GetSystemPathname());
}

template <typename T>
auto WitnessWatch<T>::GetFound() const -> Found {
  Found result{start_time_, start_state_, a_, state_a_, triggered_, {}};
  for (const int i : triggered_) result.names.push_back(NameOf(i));
  return result;
}

template <typename T>
bool WitnessWatch<T>::Repeat(const Found& found, Context<T>* context,
                             CompositeEventCollection<T>* events) {
  const T now = context->get_time();
  const VectorX<T> state =
      context->get_continuous_state_vector().CopyToVector();
  context->SetTimeAndGetMutableContinuousStateVector(found.start_time)
      .SetFromVector(found.start_state);
  witnesses_.clear();
  system_.GetWitnessFunctions(*context, &witnesses_);
  context->SetTimeAndGetMutableContinuousStateVector(now).SetFromVector(state);
  for (size_t k = 0; k < found.triggered.size(); ++k) {
    const int i = found.triggered[k];
    const bool is_there = i >= 0 && i < static_cast<int>(witnesses_.size());
    if (!is_there || NameOf(i) != found.names[k]) return false;
  }
  start_time_ = found.start_time;
  start_state_ = found.start_state;
  a_ = found.before;
  state_a_ = found.state_before;
  triggered_ = found.triggered;
  AddEvents(*context, events);
  return true;
}

template <typename T>
void WitnessWatch<T>::AddEvents(const Context<T>& context,
                                CompositeEventCollection<T>* events) {
  if (xc_a_ == nullptr) xc_a_ = system_.AllocateTimeDerivatives();
  xc_a_->SetFromVector(state_a_);
  WitnessTriggeredEventData<T> data;
  data.set_t0(a_);
  data.set_tf(context.get_time());
  data.set_xc0(xc_a_.get());
  data.set_xcf(&context.get_continuous_state());
  for (const int i : triggered_) {
    const WitnessFunction<T>& witness = *witnesses_[i];
    if (witness.get_event() == nullptr) continue;
    std::unique_ptr<Event<T>>& event = events_[&witness];
    if (event == nullptr) event = witness.get_event()->Clone();
    data.set_triggered_witness(&witness);
    event->set_event_data(data);
    system_.AddTriggeredWitnessFunctionToCompositeEventCollection(event.get(),
                                                                  events);
  }
}

}  // namespace wyvern::systems::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::internal::WitnessWatch);
