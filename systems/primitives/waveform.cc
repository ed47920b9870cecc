#include "wyvern/systems/primitives/waveform.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* A waveform is a list of straight pieces, for once or in each period, or a
chirp. The edge i of period k is at

  t(k, i) = start + k period + time_i,

computed by this expression alone: the value at a time and the next break
compare with the same number, so a step of an integrator that ends at a break
starts the next one with the new value. The number k of the period follows
from a division and is then corrected by such comparisons, since the division
rounds.

A chirp with frequencies f0 and f1 over the duration D has the angle

  linear        2 pi (f0 t + (f1 - f0) t^2 / (2 D))
  exponential   2 pi f0 D (r^(t/D) - 1) / ln r,   r = f1 / f0,

whose derivative is 2 pi times the frequency; r = 1 is the limit f0 t. */

namespace wyvern::systems {

using wyvern::internal::RequireFinite;
using wyvern::internal::RequireInRange;
using wyvern::internal::RequireNonNegative;
using wyvern::internal::RequirePositive;

Waveform Waveform::Step(double time, double initial, double final) {
  RequireFinite("Waveform::Step", "time", time);
  RequireFinite("Waveform::Step", "initial", initial);
  RequireFinite("Waveform::Step", "final", final);
  Waveform result;
  result.before_ = initial;
  result.pieces_ = {{time, final, 0}};
  return result;
}

Waveform Waveform::Ramp(double time, double slope, double initial) {
  RequireFinite("Waveform::Ramp", "time", time);
  RequireFinite("Waveform::Ramp", "slope", slope);
  RequireFinite("Waveform::Ramp", "initial", initial);
  Waveform result;
  result.before_ = initial;
  result.pieces_ = {{time, initial, slope}};
  return result;
}

Waveform Waveform::Clock() {
  Waveform result;
  result.is_clock_ = true;
  return result;
}

Waveform Waveform::Pulse(double time, double width, double high, double base) {
  RequireFinite("Waveform::Pulse", "time", time);
  RequirePositive("Waveform::Pulse", "width", width);
  RequireFinite("Waveform::Pulse", "high", high);
  RequireFinite("Waveform::Pulse", "base", base);
  Waveform result;
  result.before_ = base;
  result.pieces_ = {{time, high, 0}, {time + width, base, 0}};
  return result;
}

Waveform Waveform::PulseTrain(double period, double width, double high,
                              double base, double time) {
  RequirePositive("Waveform::PulseTrain", "period", period);
  RequireInRange("Waveform::PulseTrain", "width", width, 0, period);
  RequireFinite("Waveform::PulseTrain", "high", high);
  RequireFinite("Waveform::PulseTrain", "base", base);
  RequireFinite("Waveform::PulseTrain", "time", time);
  return PiecewiseLinear(0, time, period, {{0, high, 0}, {width, base, 0}});
}

Waveform Waveform::Square(double amplitude, double frequency, double duty) {
  RequireFinite("Waveform::Square", "amplitude", amplitude);
  RequirePositive("Waveform::Square", "frequency", frequency);
  RequireInRange("Waveform::Square", "duty", duty, 0, 1);
  return PiecewiseLinear(
      0, 0, 1 / frequency,
      {{0, amplitude, 0}, {duty / frequency, -amplitude, 0}});
}

Waveform Waveform::Sawtooth(double amplitude, double frequency) {
  RequireFinite("Waveform::Sawtooth", "amplitude", amplitude);
  RequirePositive("Waveform::Sawtooth", "frequency", frequency);
  return PiecewiseLinear(0, 0, 1 / frequency,
                         {{0, -amplitude, 2 * amplitude * frequency}});
}

Waveform Waveform::Triangle(double amplitude, double frequency) {
  RequireFinite("Waveform::Triangle", "amplitude", amplitude);
  RequirePositive("Waveform::Triangle", "frequency", frequency);
  const double slope = 4 * amplitude * frequency;
  return PiecewiseLinear(
      0, 0, 1 / frequency,
      {{0, -amplitude, slope}, {0.5 / frequency, amplitude, -slope}});
}

Waveform Waveform::RepeatingSequence(const std::vector<double>& times,
                                     const std::vector<double>& values) {
  const char* const who = "Waveform::RepeatingSequence";
  wyvern::internal::RequireAtLeast(who, "the number of times",
                                   std::ssize(times), 2);
  wyvern::internal::RequireSize(who, "values", std::ssize(values),
                                std::ssize(times));
  RequireFinite(who, "times", times);
  RequireFinite(who, "values", values);
  std::vector<Piece> pieces;
  for (size_t i = 0; i + 1 < times.size(); ++i) {
    if (!(times[i] < times[i + 1])) {
      throw std::logic_error(fmt::format(
          "{}(): times[{}] = {} is not before times[{}] = {}; give times that "
          "rise.",
          who, i, times[i], i + 1, times[i + 1]));
    }
    pieces.push_back({times[i] - times[0], values[i],
                      (values[i + 1] - values[i]) / (times[i + 1] - times[i])});
  }
  return PiecewiseLinear(0, times[0], times.back() - times[0], pieces);
}

Waveform Waveform::Chirp(double amplitude, double start_frequency,
                         double end_frequency, double duration,
                         bool is_exponential) {
  const char* const who = "Waveform::Chirp";
  RequireFinite(who, "amplitude", amplitude);
  RequirePositive(who, "duration", duration);
  for (const auto& [what, f] : {std::pair("start_frequency", start_frequency),
                                std::pair("end_frequency", end_frequency)}) {
    if (is_exponential) {
      RequirePositive(who, what, f);
    } else {
      RequireNonNegative(who, what, f);
    }
  }
  Waveform result;
  result.is_chirp_ = true;
  result.chirp_ = {amplitude, start_frequency, end_frequency, duration,
                   is_exponential};
  // Their times are the breaks.
  result.pieces_ = {{0, 0, 0}, {duration, 0, 0}};
  return result;
}

Waveform Waveform::PiecewiseLinear(double initial, double start, double period,
                                   const std::vector<Piece>& pieces) {
  const char* const who = "Waveform::PiecewiseLinear";
  RequireFinite(who, "initial", initial);
  RequireFinite(who, "start", start);
  RequireNonNegative(who, "period", period);
  if (period > 0 && (pieces.empty() || pieces[0].time != 0)) {
    throw std::logic_error(fmt::format(
        "{}(): no piece starts at time 0 of the period; give one.", who));
  }
  Waveform result;
  result.before_ = initial;
  result.start_ = start;
  result.period_ = period;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    RequireFinite(who, "a time", piece.time);
    RequireFinite(who, "a value", piece.value);
    RequireFinite(who, "a slope", piece.slope);
    if (i > 0 && piece.time < pieces[i - 1].time) {
      throw std::logic_error(fmt::format(
          "{}(): pieces[{}] starts at {} s, before the piece in front of it at "
          "{} s; sort the pieces by time.",
          who, i, piece.time, pieces[i - 1].time));
    }
    if (period > 0 && !(piece.time < period)) continue;
    // A piece that ends where it starts has no width.
    if (!result.pieces_.empty() && result.pieces_.back().time == piece.time) {
      result.pieces_.pop_back();
    }
    result.pieces_.push_back(piece);
  }
  return result;
}

double Waveform::CalcEdge(double k, int i) const {
  return start_ + k * period_ + pieces_[i].time;
}

// The number k of the last period with CalcEdge(k, 0) <= t.
double Waveform::CalcPeriod(double t) const {
  double k = std::floor((t - start_) / period_);
  const double scale = std::max(std::abs(t), std::abs(start_));
  if (!(period_ > 8 * std::numeric_limits<double>::epsilon() * scale)) {
    throw std::runtime_error(fmt::format(
        "Waveform: the period {} s is too short to be told apart at time {} s; "
        "use a longer period.",
        period_, t));
  }
  while (CalcEdge(k, 0) > t) --k;
  while (CalcEdge(k + 1, 0) <= t) ++k;
  return k;
}

template <typename T>
T Waveform::Calc(const T& t) const {
  if (is_clock_) return t;
  if (is_chirp_) return CalcChirp(t);
  const double now = ToDouble(t);
  const double k = period_ > 0 ? CalcPeriod(now) : 0;
  // The last piece that starts at `now` or earlier.
  int low = -1;
  int high = static_cast<int>(pieces_.size());
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (CalcEdge(k, middle) <= now ? low : high) = middle;
  }
  if (low < 0) return T(before_);
  const Piece& piece = pieces_[low];
  if (piece.slope == 0) return T(piece.value);
  return piece.value + piece.slope * (t - CalcEdge(k, low));
}

template <typename T>
T Waveform::CalcChirp(const T& t) const {
  using std::exp;
  using std::sin;
  if (t < 0) return T(0);
  const auto& [amplitude, f0, f1, duration, is_exponential] = chirp_;
  const bool is_over = t > duration;
  const T s = is_over ? T(duration) : t;
  T turns;
  const double log_ratio = is_exponential ? std::log(f1 / f0) : 0;
  if (log_ratio != 0) {
    turns = f0 * duration / log_ratio * (exp(log_ratio / duration * s) - 1);
  } else {
    const double slope = is_exponential ? 0 : (f1 - f0) / duration;
    turns = s * (f0 + 0.5 * slope * s);
  }
  if (is_over) turns += f1 * (t - duration);
  return amplitude * sin(2 * std::numbers::pi * turns);
}

double Waveform::CalcNextBreak(double after) const {
  double k = period_ > 0 ? CalcPeriod(after) : 0;
  const int size = static_cast<int>(pieces_.size());
  if (period_ > 0 && CalcEdge(k, size - 1) <= after) ++k;
  // The first edge of this period that is later.
  int low = -1;
  int high = size;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (CalcEdge(k, middle) <= after ? low : high) = middle;
  }
  if (high < size) return CalcEdge(k, high);
  return std::numeric_limits<double>::infinity();
}

#define WYVERN_INSTANTIATE_WAVEFORM(T) \
  template T Waveform::Calc<T>(const T&) const;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_WAVEFORM)
#undef WYVERN_INSTANTIATE_WAVEFORM

}  // namespace wyvern::systems
