#include "wyvern/systems/primitives/transport_delay.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/leaf_events.h"

/* The discrete state is a ring of samples behind three numbers: how many there
are, which is the oldest, and when the first was taken.

Steps end at t_0 + j c delay with c slightly above 1/16, so a step never
reaches beyond the last sample plus the delay, and the history is dense
enough for its interpolation: with the distance h of samples, the error of
degree 5 is at most h^6 u^(6) / 200 in the middle of six samples. In a loop
such as y' = -y(t - delay), derivatives jump at multiples of the delay;
samples there are marked as kinks.

A jump is seen from both of its sides. At an event, the input after the
updates differs from the sample that was taken with them: another update at
the same time takes the new value. At a break, the Simulator asks for updates
once more just before: there the sample has the left limit, and the sample at
the break is compared with it. If u is continuous there, the second sample
takes the place of the first, and the slopes on both sides tell whether it is
a kink. */

namespace wyvern::systems {

namespace {

enum HistoryHeader { kNumSamples, kOldest, kStartTime, kRing };
enum SamplePart { kSampleTime, kSampleMark, kSampleValues };
// An irrational share, so that regular times seldom meet breaks of sources.
constexpr double kShareOfDelay = 0.0618033988749895;
constexpr int kSamplesAShare = 4;
constexpr int kCapacity = 512;
constexpr int kMostPoints = 6;
constexpr int kMostPointsBeyond = 3;
// A smaller jump, relative to the last samples, is rounding.
constexpr double kLeastJump = 1e-9;
// A change of slope that is smaller, relative to the slopes, is smooth.
constexpr double kLeastKink = 0.1;

template <typename T>
int IntegerIn(const T& x) {
  return static_cast<int>(wyvern::internal::NumberIn(x));
}

}  // namespace

template <typename T>
TransportDelay<T>::TransportDelay(double delay, int size, double initial_output)
    : LeafSystem<T>(SystemTypeTag<TransportDelay>{}),
      delay_(delay),
      initial_output_(initial_output),
      note_jump_(
          TriggerType::kTimed,
          [this](const Context<T>& context, const DiscreteUpdateEvent<T>&,
                 DiscreteValues<T>* next) { return Remember(context, next); }) {
  wyvern::internal::RequirePositive("TransportDelay", "delay", delay);
  wyvern::internal::RequireAtLeast("TransportDelay", "size", size, 1);
  wyvern::internal::RequireFinite("TransportDelay", "initial_output",
                                  initial_output);
  this->DeclareVectorInputPort("u", size);
  this->DeclareDiscreteState(kRing + kCapacity * (kSampleValues + size));
  this->DeclareVectorOutputPort("y", size, &TransportDelay<T>::CalcOutput,
                                {this->xd_ticket(), this->time_ticket()});
  this->DeclareInitializationDiscreteUpdateEvent(&TransportDelay<T>::Start);
  this->DeclarePerStepDiscreteUpdateEvent(&TransportDelay<T>::Remember);
  this->DeclareBreakTimes();
}

template <typename T>
int TransportDelay<T>::Place(const History& state, int i) const {
  const int slot = (IntegerIn(state[kOldest]) + i) % kCapacity;
  return kRing + slot * (kSampleValues + size());
}

template <typename T>
double TransportDelay<T>::SampleTime(const History& state, int i) const {
  return wyvern::internal::NumberIn(state[Place(state, i) + kSampleTime]);
}

template <typename T>
auto TransportDelay<T>::SampleMark(const History& state, int i) const -> Mark {
  return static_cast<Mark>(IntegerIn(state[Place(state, i) + kSampleMark]));
}

template <typename T>
int TransportDelay<T>::CountPassed(const History& state, double t) const {
  int low = 0;
  int high = IntegerIn(state[kNumSamples]);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (SampleTime(state, middle) + delay_ <= t) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

template <typename T>
bool TransportDelay<T>::IsSmooth(const History& state, int i) const {
  const Mark mark = SampleMark(state, i);
  return mark == kSmooth || mark == kBreak;
}

template <typename T>
bool TransportDelay<T>::HasJustJumped(const Context<T>& context) const {
  const VectorX<T>& state = context.get_discrete_state(0).value();
  const int count = IntegerIn(state[kNumSamples]);
  const double t = ToDouble(context.get_time());
  if (count == 0) return false;
  const double age = t - SampleTime(state, count - 1);
  if (!(age >= 0 && age <= 2 * internal::SameTimeTolerance(t))) return false;
  const VectorX<T>& u = this->get_input_port(0).Eval(context);
  // The sample may be of a break that only rounding separates from this moment.
  if (age > 0) return IsJump(state, u);
  const int newest = Place(state, count - 1) + kSampleValues;
  for (int i = 0; i < u.size(); ++i) {
    if (u[i] != state[newest + i]) return true;
  }
  return false;
}

template <typename T>
bool TransportDelay<T>::IsJump(const History& state,
                               const VectorX<T>& u) const {
  constexpr int kSamplesOfScale = 3;
  const int count = IntegerIn(state[kNumSamples]);
  for (int i = 0; i < u.size(); ++i) {
    const auto value = [&](int sample) {
      return wyvern::internal::NumberIn(
          state[Place(state, sample) + kSampleValues + i]);
    };
    const double now = wyvern::internal::NumberIn(u[i]);
    double scale = std::abs(now);
    for (int j = count - 1; j >= std::max(0, count - kSamplesOfScale); --j) {
      scale = std::max(scale, std::abs(value(j)));
    }
    if (std::abs(now - value(count - 1)) > kLeastJump * scale) return true;
  }
  return false;
}

template <typename T>
bool TransportDelay<T>::IsRegular(const History& state, double t) const {
  const double start = wyvern::internal::NumberIn(state[kStartTime]);
  const double interval = kShareOfDelay * delay_;
  return t == start + std::round((t - start) / interval) * interval;
}

// With the slope s before the break and the one before that, a parabola through
// three samples predicts the slope after it.
template <typename T>
bool TransportDelay<T>::IsKink(const History& state, int i) const {
  const double h = SampleTime(state, i + 1) - SampleTime(state, i);
  if (i == 0 || !(h > 0)) return true;
  const double h1 = SampleTime(state, i) - SampleTime(state, i - 1);
  if (!(h1 > 0)) return true;
  const bool has_two = i > 1 && IsSmooth(state, i - 1) &&
                       SampleTime(state, i - 1) > SampleTime(state, i - 2);
  const double h2 =
      has_two ? SampleTime(state, i - 1) - SampleTime(state, i - 2) : h1;
  for (int k = 0; k < size(); ++k) {
    const auto slope = [&](int from, double length) {
      const T difference = state[Place(state, from + 1) + kSampleValues + k] -
                           state[Place(state, from) + kSampleValues + k];
      return wyvern::internal::NumberIn(difference) / length;
    };
    const double after = slope(i, h);
    const double before = slope(i - 1, h1);
    const double earlier = has_two ? slope(i - 2, h2) : before;
    const double predicted = before + (before - earlier) / (h1 + h2) * (h1 + h);
    const double scale =
        std::max({std::abs(after), std::abs(before), std::abs(earlier)});
    if (std::abs(after - predicted) > kLeastKink * scale) return true;
  }
  return false;
}

template <typename T>
void TransportDelay<T>::Append(const Context<T>& context, Mark mark,
                               Eigen::Ref<VectorX<T>> state) const {
  const double t = ToDouble(context.get_time());
  int count = IntegerIn(state[kNumSamples]);
  if (count == kCapacity) {
    if (SampleTime(state, 1) + delay_ > t) {
      throw std::runtime_error(fmt::format(
          "TransportDelay: '{}' needs more than {} samples of its input within "
          "its delay of {} s at time {} s; let the input jump less often, or "
          "use a DiscreteTimeDelay.",
          this->GetSystemPathname(), kCapacity, delay_, t));
    }
    state[kOldest] = T((IntegerIn(state[kOldest]) + 1) % kCapacity);
    --count;
  }
  const VectorX<T>& u = this->get_input_port(0).Eval(context);
  // Several jumps at one moment are one.
  if (count > 1 && SampleTime(state, count - 2) == t) --count;
  const int place = Place(state, count);
  state[place + kSampleTime] = context.get_time();
  state[place + kSampleMark] = T(static_cast<int>(mark));
  state.segment(place + kSampleValues, u.size()) = u;
  state[kNumSamples] = T(count + 1);

  // Now the sample before shows whether it is a kink.
  if (count < 1 || SampleMark(state, count - 1) != kBreak) return;
  state[Place(state, count - 1) + kSampleMark] =
      T(static_cast<int>(IsKink(state, count - 1) ? kKink : kSmooth));
}

template <typename T>
EventStatus TransportDelay<T>::Start(const Context<T>& context,
                                     DiscreteValues<T>* next) const {
  // A Context may be initialized again in the middle of a run: then keep the
  // history, unless it ends in the future or more than a delay ago.
  const VectorX<T>& known = context.get_discrete_state(0).value();
  const int count = IntegerIn(known[kNumSamples]);
  if (count > 0) {
    const double age =
        ToDouble(context.get_time()) - SampleTime(known, count - 1);
    if (age >= 0 && age <= delay_) return EventStatus::DidNothing();
  }
  Eigen::VectorBlock<VectorX<T>> state = next->get_mutable_value();
  state[kNumSamples] = T(0);
  state[kStartTime] = context.get_time();
  Append(context, kJump, state);
  return EventStatus::Succeeded();
}

template <typename T>
EventStatus TransportDelay<T>::Remember(const Context<T>& context,
                                        DiscreteValues<T>* next) const {
  const VectorX<T>& known = context.get_discrete_state(0).value();
  const double t = ToDouble(context.get_time());
  const int count = IntegerIn(known[kNumSamples]);
  const double last = count > 0 ? SampleTime(known, count - 1) : t;
  if (count > 0 && last >= t && !HasJustJumped(context)) {
    return EventStatus::DidNothing();
  }
  Eigen::VectorBlock<VectorX<T>> state = next->get_mutable_value();
  if (count == 0 || last >= t) {
    Append(context, kJump, state);
    return EventStatus::Succeeded();
  }
  const double start = wyvern::internal::NumberIn(known[kStartTime]);
  const double multiple = start + std::round((t - start) / delay_) * delay_;
  const double rounding = 2 * internal::SameTimeTolerance(t);
  Mark mark = std::abs(t - multiple) <= rounding ? kKink : kSmooth;
  const VectorX<T>& u = this->get_input_port(0).Eval(context);
  if (t - last <= rounding) {
    // The last sample was taken just before a break.
    if (IsJump(known, u)) {
      mark = kJump;
    } else if (SampleMark(known, count - 1) != kSmooth) {
      // Breaks that only rounding separates are one.
      return EventStatus::DidNothing();
    } else {
      state[kNumSamples] = T(count - 1);
      if (mark == kSmooth && !IsRegular(known, t)) mark = kBreak;
    }
  } else if (count > 2 && SampleMark(known, count - 1) == kSmooth &&
             !IsRegular(known, last) &&
             last - SampleTime(known, count - 2) <
                 kShareOfDelay * delay_ / kSamplesAShare) {
    // Leave out samples that are much closer than interpolation needs.
    state[kNumSamples] = T(count - 1);
  }
  Append(context, mark, state);
  return EventStatus::Succeeded();
}

template <typename T>
void TransportDelay<T>::CalcOutput(const Context<T>& context,
                                   BasicVector<T>* y) const {
  const VectorX<T>& state = context.get_discrete_state(0).value();
  const int count = IntegerIn(state[kNumSamples]);
  const int passed = CountPassed(state, ToDouble(context.get_time()));
  auto result = y->get_mutable_value();
  if (passed == 0) {
    result.setConstant(T(initial_output_));
    return;
  }
  // Samples from `low` to `high` take part. They do not cross a mark.
  int low = passed - 1;
  int high = passed;
  const bool is_beyond = high >= count || SampleMark(state, high) == kJump;
  const int most = is_beyond ? kMostPointsBeyond : kMostPoints;
  if (is_beyond) high = low;
  bool grows = true;
  while (grows && high - low + 1 < most) {
    grows = false;
    if (low > 0 && IsSmooth(state, low)) {
      --low;
      grows = true;
    }
    if (!is_beyond && high - low + 1 < most && high + 1 < count &&
        IsSmooth(state, high) && SampleMark(state, high + 1) != kJump) {
      ++high;
      grows = true;
    }
  }
  // Lagrange's polynomial.
  const T s = context.get_time() - delay_;
  result.setZero();
  for (int i = low; i <= high; ++i) {
    T weight(1);
    const double t_i = SampleTime(state, i);
    for (int j = low; j <= high; ++j) {
      if (j == i) continue;
      const double t_j = SampleTime(state, j);
      weight *= (s - t_j) / (t_i - t_j);
    }
    result +=
        weight * state.segment(Place(state, i) + kSampleValues, y->size());
  }
}

template <typename T>
void TransportDelay<T>::DoCalcNextUpdateTime(
    const Context<T>& context, CompositeEventCollection<T>* events,
    T* time) const {
  *time = T(std::numeric_limits<double>::infinity());
  const VectorX<T>& state = context.get_discrete_state(0).value();
  const int count = IntegerIn(state[kNumSamples]);
  // A time that a search moved is no moment of the run.
  if (count == 0 || context.get_true_time().has_value()) return;
  // The sample of this moment is there, unless this is just before a break.
  const double t = ToDouble(context.get_time());
  const bool is_before_break =
      t - SampleTime(state, count - 1) > 2 * internal::SameTimeTolerance(t);
  if (!is_before_break && !HasJustJumped(context)) return;
  *time = context.get_time();
  events->get_mutable_discrete_update_events().AddEventReference(&note_jump_);
}

template <typename T>
void TransportDelay<T>::DoCalcNextBreakTime(const Context<T>& context,
                                            const T& after, T* time) const {
  const VectorX<T>& state = context.get_discrete_state(0).value();
  const double t = ToDouble(after);
  const double start = wyvern::internal::NumberIn(state[kStartTime]);
  const double interval = kShareOfDelay * delay_;
  double k = std::floor((t - start) / interval);
  while (start + k * interval > t) --k;
  // Rounding can make breaks equal: then take the next.
  double next = start + (k + 1) * interval;
  for (int i = 2; !(next > t) && i < 8; ++i) next = start + (k + i) * interval;
  if (!(next > t)) next = std::numeric_limits<double>::infinity();
  const int count = IntegerIn(state[kNumSamples]);
  for (int i = CountPassed(state, t); i < count; ++i) {
    if (SampleTime(state, i) + delay_ >= next) break;
    if (IsSmooth(state, i)) continue;
    next = SampleTime(state, i) + delay_;
    break;
  }
  *time = T(next);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::TransportDelay);
