#include "wyvern/simulator/witness_watch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* A step from a to b has a crossing if some witness w has signs at its ends
that its direction asks for. The search keeps a bracket [a, b] with no crossing
up to a and one up to b, and probes in between by stepping from a anew: at the
secant a + (b - a) w_a / (w_a - w_b), a little late, then a little early, then
at the middle. So a bracket shrinks at least to half in three probes, whatever w
is, and to the window in 3 log2(h / window) at most; for a line in two. Events
get the bracket as [t0, tf] (Shampine, Gladwell, Brankin, ACM TOMS 17, 1991, on
why events are sought by sign).

The signs at its ends do not show an even number of crossings within a step. So
some steps are checked: w at three points within must be near the cubic
polynomial through four others, or the step is shortened to a quarter. The
steps number 1, 2, 4, 8, ... are checked, those that are longer than all before,
and all from one that was too long until they have its length again.

A witness that is zero at the start, as the height of a ball that an event has
just put on the ground, takes its sign from one window later. If an event moved
it to zero and it is back within the window, that is a crossing too. Many such
crossings in a row are infinitely many events in a finite time, an error. */

namespace wyvern::systems::internal {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// Where a step is checked, as shares of its length. They are no simple
// fractions, lest periods of a witness divide them. A polynomial through the
// values at some of them predicts the others.
constexpr std::array kShares{0.0, 0.1093, 0.2137, 0.4591, 0.7823, 0.9012, 1.0};
constexpr std::array kNodes{0, 2, 4, 6};
constexpr std::array kTests{1, 3, 5};
constexpr int kNumInner = 5;
using Values = std::array<double, kShares.size()>;
// Shares of the range of values: a step with a larger error of the polynomial
// is too long, and one with a smaller error may be doubled.
constexpr double kTooRough = 0.1;
constexpr double kSmooth = 0.01;
// Values that differ by less than this share of the range, but for one jump,
// show all that there is; shorter steps would not resolve the jump.
constexpr double kFlat = 0.02;
// A witness with many jumps is rough at any length, so the search ends.
constexpr int kMostShortenings = 15;
// Crossings of one witness in a row, each within so many windows of the one
// before, that are taken as infinitely many.
constexpr int kMostAtOnce = 100;
constexpr double kWindowsAtOnce = 4;

// Returns whether the values before some point are equal, and those after it,
// but for a small share of their range.
bool IsOneJump(const Values& w, double range) {
  for (std::size_t i = 1; i < w.size(); ++i) {
    const bool is_flat = std::all_of(w.begin(), w.end(), [&](const double& x) {
      const bool is_before = &x < &w[i];
      return std::abs(x - (is_before ? w.front() : w.back())) <= kFlat * range;
    });
    if (is_flat) return true;
  }
  return false;
}

// Returns how far the tested values are from the cubic polynomial through the
// others, as a share of the range of the values; 0 if the values are constant
// but for one jump.
double CalcRoughness(const Values& w) {
  const auto [low, high] = std::minmax_element(w.begin(), w.end());
  // Rounding is not rough.
  const double rounding = 1e-9 * std::max(std::abs(*low), std::abs(*high));
  const double range = std::max(*high - *low, rounding);
  if (range == 0 || IsOneJump(w, range)) return 0;
  double worst = 0;
  for (const int k : kTests) {
    double predicted = 0;
    for (const int i : kNodes) {
      double weight = 1;
      for (const int j : kNodes) {
        if (j != i)
          weight *= (kShares[k] - kShares[j]) / (kShares[i] - kShares[j]);
      }
      predicted += weight * w[i];
    }
    worst = std::max(worst, std::abs(w[k] - predicted) / range);
  }
  return worst;
}

}  // namespace

template <typename T>
void WitnessWatch<T>::Restart() {
  resolution_ = {};
  crossings_.clear();
  witnesses_.clear();
  triggered_.clear();
}

template <typename T>
WitnessWatch<T>::WitnessWatch(const System<T>& system,
                              IntegratorBase<T>* integrator)
    : system_(system), integrator_(integrator) {}

template <typename T>
bool WitnessWatch<T>::Start(const Context<T>& context) {
  NoteCrossings();
  witnesses_.clear();
  triggered_.clear();
  system_.GetWitnessFunctions(context, &witnesses_);
  if (witnesses_.empty()) return false;
  const int n = num_witnesses();
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
  for (int i = 0; i < num_witnesses(); ++i) {
    now_[i] = system_.CalcWitnessValue(context, *witnesses_[i]);
    if (std::isnan(ToDouble(now_[i]))) {
      throw std::runtime_error(fmt::format(
          "Simulator: witness function '{}' of '{}' is nan at time {}.",
          witnesses_[i]->description(),
          witnesses_[i]->get_system().GetSystemPathname(),
          ToDouble(context.get_time())));
    }
  }
  CompareWithStart(now_);
  return !triggered_.empty();
}

template <typename T>
void WitnessWatch<T>::CompareWithStart(const VectorX<T>& values) {
  triggered_.clear();
  for (int i = 0; i < num_witnesses(); ++i) {
    if (witnesses_[i]->should_trigger(start_[i], values[i])) {
      triggered_.push_back(i);
    }
  }
}

template <typename T>
bool WitnessWatch<T>::Catch(const std::optional<T>& window, Context<T>* context,
                            CompositeEventCollection<T>* events) {
  try {
    FindTriggers(*context);
    if (window.has_value()) {
      SettleZeros(*window, context);
      Check(*window, context);
    }
    if (triggered_.empty()) return false;
    a_ = start_time_;
    state_a_ = start_state_;
    if (window.has_value()) {
      Isolate(*window, context);
      RequireFewAtOnce(*window, context->get_time());
    }
  } catch (...) {
    integrator_->TakeBackStep(start_time_, start_state_);
    throw;
  }
  AddEvents(*context, events);
  return !triggered_.empty();
}

template <typename T>
void WitnessWatch<T>::NoteCrossings() {
  for (auto& [witness, crossing] : crossings_) crossing.value = 0;
  for (const int i : triggered_) {
    crossings_[witnesses_[i]].value = ToDouble(now_[i]);
  }
}

template <typename T>
void WitnessWatch<T>::SettleZeros(const T& window, Context<T>* context) {
  const T end = context->get_time();
  const auto is_open = [this](int i, const T& later) {
    return start_[i] == 0 && witnesses_[i]->should_trigger(-later, later);
  };
  bool any = false;
  for (int i = 0; i < num_witnesses(); ++i) any = any || is_open(i, now_[i]);
  if (!any) return;
  at_b_ = now_;
  if (end - start_time_ > window) MoveTo(start_time_ + window, context);
  for (int i = 0; i < num_witnesses(); ++i) {
    if (!is_open(i, at_b_[i])) continue;
    if (witnesses_[i]->should_trigger(now_[i], at_b_[i])) {
      start_[i] = now_[i];
    } else if (const auto last = crossings_.find(witnesses_[i]);
               last != crossings_.end() && last->second.value != 0) {
      start_[i] = -at_b_[i];
    }
  }
  MoveTo(end, context);
}

template <typename T>
void WitnessWatch<T>::Check(const T& window, Context<T>* context) {
  Resolution& r = resolution_;
  const T end = context->get_time();
  const double whole = ToDouble(end - start_time_);
  ++r.num_steps;
  const bool is_due = (r.num_steps & (r.num_steps - 1)) == 0 ||
                      whole > 1.5 * r.longest || r.limit < kInf;
  if (!is_due) return;
  double length = whole;
  double roughness = CheckStep(context);
  const double shortest = 4 * ToDouble(window);
  for (int i = 0;
       roughness > kTooRough && length > shortest && i < kMostShortenings;
       ++i) {
    length /= 4;
    MoveTo(start_time_ + T(length), context);
    roughness = CheckStep(context);
  }
  if (roughness > kTooRough) {
    // Shorter steps do not help.
    MoveTo(end, context);
    length = whole;
    r.limit = kInf;
  } else if (length < whole) {
    if (r.limit == kInf) r.too_long = whole;
    r.limit = length;
  } else if (roughness < kSmooth) {
    r.limit *= 2;
    if (r.limit >= r.too_long) r.limit = kInf;
  }
  r.longest = std::max(r.longest, length);
  if (context->get_time() != end) integrator_->AmendDenseOutput();
}

template <typename T>
double WitnessWatch<T>::CheckStep(Context<T>* context) {
  const T end = context->get_time();
  inner_[kNumInner] = now_;
  T first_trigger = triggered_.empty() ? T(kInf) : end;
  for (int k = kNumInner - 1; k >= 0; --k) {
    const T probe = start_time_ + T(kShares[k + 1]) * (end - start_time_);
    MoveTo(probe, context);
    inner_[k] = now_;
    if (!triggered_.empty()) first_trigger = probe;
  }
  double worst = 0;
  for (int i = 0; i < num_witnesses(); ++i) {
    Values w{ToDouble(start_[i])};
    for (int k = 0; k <= kNumInner; ++k) {
      w[k + 1] = ToDouble(inner_[k][i]);
    }
    worst = std::max(worst, CalcRoughness(w));
  }
  // A step that is short enough ends where a sign was seen to have changed.
  const bool is_within = worst <= kTooRough && first_trigger < end;
  MoveTo(is_within ? first_trigger : end, context);
  return worst;
}

template <typename T>
void WitnessWatch<T>::MoveTo(const T& time, Context<T>* context) {
  integrator_->Redo(start_time_, start_state_, time);
  FindTriggers(*context);
}

template <typename T>
void WitnessWatch<T>::RequireFewAtOnce(const T& window, const T& time) {
  const double now = ToDouble(time);
  for (const int i : triggered_) {
    Crossing& crossing = crossings_[witnesses_[i]];
    const double interval = now - crossing.time;
    crossing.time = now;
    const bool is_at_once = interval <= kWindowsAtOnce * ToDouble(window);
    crossing.num_at_once = is_at_once ? crossing.num_at_once + 1 : 0;
    if (crossing.num_at_once < kMostAtOnce) continue;
    throw std::runtime_error(fmt::format(
        "Simulator: witness function '{}' of '{}' triggers without end at time "
        "{}: {} times in a row, the last time after {:.3g} s. Let its event "
        "bring the System to rest, or into a state in which the witness "
        "function is not active, before it triggers infinitely often.",
        witnesses_[i]->description(),
        witnesses_[i]->get_system().GetSystemPathname(), now, kMostAtOnce,
        interval));
  }
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
    const bool is_there = i >= 0 && i < num_witnesses();
    if (!is_there || NameOf(i) != found.names[k]) return false;
  }
  start_time_ = found.start_time;
  start_state_ = found.start_state;
  a_ = found.before;
  state_a_ = found.state_before;
  start_.setZero(num_witnesses());
  now_.resize(num_witnesses());
  FindTriggers(*context);
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
