#include "wyvern/systems/primitives/transport_delay.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

/* The discrete state is a ring of samples behind three numbers: how many there
are, which is the oldest, and when the first was taken.

Steps end at t_0 + j delay / 16, so a step never reaches beyond the last
sample plus the delay, and the history is dense enough for its interpolation:
with the distance h of samples, the error of degree 5 is at most h^6 u^(6) /
200 in the middle of six samples. In a loop such as y' = -y(t - delay),
derivatives jump at multiples of the delay; samples there are marked as
kinks.

A jump at an event is seen, as the input after the updates differs from the
sample that was taken with them: another update at the same time takes the
new value. A jump at a break of a source is seen only at its later side. A
sample whose difference from the one before is ten times as large as those
before is taken for such a jump. If the next difference continues with a like
slope, it was a kink at the sample before instead. */

namespace wyvern::systems {

namespace {

enum HistoryHeader { kNumSamples, kOldest, kStartTime, kRing };
enum SamplePart { kSampleTime, kSampleMark, kSampleValues };
constexpr int kBreaksADelay = 16;
constexpr int kSamplesABreak = 4;
constexpr int kCapacity = 512;
constexpr int kMostPoints = 6;
constexpr int kMostPointsBeyond = 3;
// A difference that is so many times the largest of the last ones stands out.
constexpr double kJumpRatio = 10;
constexpr int kDifferences = 3;

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
bool TransportDelay<T>::HasJustJumped(const Context<T>& context) const {
  const VectorX<T>& state = context.get_discrete_state(0).value();
  const int count = IntegerIn(state[kNumSamples]);
  if (count == 0) return false;
  const double t = ExtractDoubleOrThrow(context.get_time());
  const VectorX<T>& u = this->get_input_port(0).Eval(context);
  if (SampleTime(state, count - 1) != t) return Judge(state, t, u) == kJump;
  const int newest = Place(state, count - 1) + kSampleValues;
  for (int i = 0; i < u.size(); ++i) {
    if (u[i] != state[newest + i]) return true;
  }
  return false;
}

template <typename T>
auto TransportDelay<T>::Judge(const History& state, double t,
                              const VectorX<T>& u) const -> Mark {
  const int count = IntegerIn(state[kNumSamples]);
  const double start = wyvern::internal::NumberIn(state[kStartTime]);
  if (count == 0) return kJump;
  if (SampleTime(state, count - 1) == t) return kJump;
  const double k = std::round((t - start) / delay_);
  if (t == start + k * delay_) return kKink;
  // Look back over smooth samples.
  int first = count - 1;
  while (first > 0 && count - 1 - first < kDifferences &&
         SampleMark(state, first) == kSmooth) {
    --first;
  }
  if (count - 1 - first < 2) return kSmooth;
  for (int i = 0; i < u.size(); ++i) {
    const auto value = [&](int sample) {
      return wyvern::internal::NumberIn(
          state[Place(state, sample) + kSampleValues + i]);
    };
    double steepest = 0;
    for (int j = first + 1; j < count; ++j) {
      steepest = std::max(
          steepest, std::abs(value(j) - value(j - 1)) /
                        (SampleTime(state, j) - SampleTime(state, j - 1)));
    }
    const double newest = value(count - 1);
    const double change = std::abs(wyvern::internal::NumberIn(u[i]) - newest);
    const double noise = 1e-12 * std::abs(newest);
    const double dt = t - SampleTime(state, count - 1);
    if (change > kJumpRatio * (steepest * dt + noise)) return kJump;
  }
  return kSmooth;
}

template <typename T>
void TransportDelay<T>::Append(const Context<T>& context, Mark mark,
                               Eigen::Ref<VectorX<T>> state) const {
  const double t = ExtractDoubleOrThrow(context.get_time());
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

  // Was the sample before a jump, or does it go on with the same slope?
  if (count < 2 || SampleMark(state, count - 1) != kJump) return;
  const double h = t - SampleTime(state, count - 1);
  const double h_before =
      SampleTime(state, count - 1) - SampleTime(state, count - 2);
  if (h_before <= 0 || h <= 0) return;
  const auto row = [&](int i) {
    return state.segment(Place(state, i) + kSampleValues, u.size());
  };
  double difference = 0;
  double largest = 0;
  for (int i = 0; i < u.size(); ++i) {
    const double slope =
        wyvern::internal::NumberIn(T(row(count)[i] - row(count - 1)[i])) / h;
    const double slope_before =
        wyvern::internal::NumberIn(T(row(count - 1)[i] - row(count - 2)[i])) /
        h_before;
    difference = std::max(difference, std::abs(slope - slope_before));
    largest = std::max(largest, std::abs(slope));
  }
  if (difference > 0.5 * largest) return;
  state[Place(state, count - 1) + kSampleMark] = T(static_cast<int>(kSmooth));
  T& before = state[Place(state, count - 2) + kSampleMark];
  if (before == static_cast<int>(kSmooth)) before = T(static_cast<int>(kKink));
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
        ExtractDoubleOrThrow(context.get_time()) - SampleTime(known, count - 1);
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
  const VectorX<T>& state = context.get_discrete_state(0).value();
  const double t = ExtractDoubleOrThrow(context.get_time());
  const int count = IntegerIn(state[kNumSamples]);
  const bool is_known = count > 0 && SampleTime(state, count - 1) >= t;
  if (is_known && !HasJustJumped(context)) return EventStatus::DidNothing();
  const Mark mark = Judge(state, t, this->get_input_port(0).Eval(context));
  // Soon after a jump each step is kept, so that the next jump stands out.
  bool has_slopes = count > kDifferences;
  for (int i = count - kDifferences; has_slopes && i < count; ++i) {
    has_slopes = SampleMark(state, i) == kSmooth;
  }
  if (mark == kSmooth && has_slopes) {
    // Leave out steps that are much shorter than interpolation needs.
    const double interval = delay_ / kBreaksADelay;
    const double start = wyvern::internal::NumberIn(state[kStartTime]);
    const bool is_break =
        t == start + std::round((t - start) / interval) * interval;
    if (!is_break &&
        t - SampleTime(state, count - 1) < interval / kSamplesABreak) {
      return EventStatus::DidNothing();
    }
  }
  Append(context, mark, next->get_mutable_value());
  return EventStatus::Succeeded();
}

template <typename T>
void TransportDelay<T>::CalcOutput(const Context<T>& context,
                                   BasicVector<T>* y) const {
  const VectorX<T>& state = context.get_discrete_state(0).value();
  const int count = IntegerIn(state[kNumSamples]);
  const int passed =
      CountPassed(state, ExtractDoubleOrThrow(context.get_time()));
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
    if (low > 0 && SampleMark(state, low) == kSmooth) {
      --low;
      grows = true;
    }
    if (!is_beyond && high - low + 1 < most && high + 1 < count &&
        SampleMark(state, high) == kSmooth &&
        SampleMark(state, high + 1) != kJump) {
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
  if (!HasJustJumped(context)) return;
  *time = context.get_time();
  events->get_mutable_discrete_update_events().AddEventReference(&note_jump_);
}

template <typename T>
void TransportDelay<T>::DoCalcNextBreakTime(const Context<T>& context,
                                            const T& after, T* time) const {
  const VectorX<T>& state = context.get_discrete_state(0).value();
  const double t = ExtractDoubleOrThrow(after);
  const double start = wyvern::internal::NumberIn(state[kStartTime]);
  const double interval = delay_ / kBreaksADelay;
  double k = std::floor((t - start) / interval);
  while (start + k * interval > t) --k;
  // Rounding can make breaks equal: then take the next.
  double next = start + (k + 1) * interval;
  for (int i = 2; !(next > t) && i < 8; ++i) next = start + (k + i) * interval;
  if (!(next > t)) next = std::numeric_limits<double>::infinity();
  const int count = IntegerIn(state[kNumSamples]);
  for (int i = CountPassed(state, t); i < count; ++i) {
    if (SampleTime(state, i) + delay_ >= next) break;
    if (SampleMark(state, i) == kSmooth) continue;
    next = SampleTime(state, i) + delay_;
    break;
  }
  *time = T(next);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::TransportDelay);
