#pragma once

#include <vector>

namespace wyvern::systems {

/** A scalar function of time for a WaveformSource: steps, ramps, pulses,
periodic signals, chirps. Each is made by the function of its name; amplitudes
and values have the unit of the signal, times are in s, frequencies in Hz. At an
edge the new value holds. All functions throw std::logic_error if an argument is
not finite or out of the range that they state. */
class Waveform {
 public:
  /** `initial` before `time`, `final` from then on. */
  static Waveform Step(double time, double initial, double final);
  /** `initial` before `time`, then it rises by `slope` per second. */
  static Waveform Ramp(double time, double slope, double initial = 0);
  /** The time itself, y = t. */
  static Waveform Clock();
  /** `base`, but `high` from `time` on for `width` > 0. */
  static Waveform Pulse(double time, double width, double high,
                        double base = 0);
  /** `high` for `width` at the start of each `period`, then `base`, for all
  times; one of the periods starts at `time`. Requires 0 <= width <= period. */
  static Waveform PulseTrain(double period, double width, double high,
                             double base = 0, double time = 0);
  /** `amplitude` for the share `duty` of each period, then -`amplitude`; a
  period starts at time 0. Requires frequency > 0 and 0 <= duty <= 1. */
  static Waveform Square(double amplitude, double frequency, double duty = 0.5);
  /** Rises from -`amplitude` at time 0 to `amplitude` within each period, and
  jumps back. */
  static Waveform Sawtooth(double amplitude, double frequency);
  /** Rises from -`amplitude` at time 0 to `amplitude` in half a period, and
  falls back in the other half. */
  static Waveform Triangle(double amplitude, double frequency);
  /** Straight lines through (times[i], values[i]), repeated without end in both
  directions with the period times.back() - times.front(). If the last value is
  not the first, the signal jumps. Requires two points or more and times that
  rise. */
  static Waveform RepeatingSequence(const std::vector<double>& times,
                                    const std::vector<double>& values);
  /** `amplitude` times the sine of an angle that is 0 at time 0 and whose
  frequency goes from `start_frequency` at time 0 to `end_frequency` at
  `duration`: linearly, or, if `is_exponential`, by the same factor in equal
  times. Zero before time 0; after `duration` the sine keeps its last frequency.
  Requires duration > 0 and frequencies >= 0 (> 0 if exponential). */
  static Waveform Chirp(double amplitude, double start_frequency,
                        double end_frequency, double duration,
                        bool is_exponential = false);

  /** From `time` after the start of a period on, the value is
  value + slope (t - time). */
  struct Piece {
    /** Start of the piece after the start of a period, s. */
    double time{};
    /** Value at `time`. */
    double value{};
    /** Slope, per second. */
    double slope{};
  };

  /** The arguments of Chirp(). */
  struct ChirpData {
    /** Amplitude of the sine. */
    double amplitude{};
    /** Frequency at the start, Hz. */
    double start_frequency{};
    /** Frequency at `duration`, Hz. */
    double end_frequency{};
    /** Duration of the change of frequency, s. */
    double duration{};
    /** True if the frequency grows by equal ratios in equal times. */
    bool is_exponential{};
  };

  /** Straight pieces: once, after `initial`, if `period` is 0; otherwise in
  each period, one of which starts at `start`. Piece times count from `start`.
  Requires piece times that do not fall and, in periods, a first one of 0.
  Pieces that begin after the period, or where the next one does, are left
  out. */
  static Waveform PiecewiseLinear(double initial, double start, double period,
                                  const std::vector<Piece>& pieces);

  /** @name The arguments of PiecewiseLinear() for all but clocks and chirps
  @{ */
  /** Value before the first piece. */
  double initial() const { return before_; }
  /** Time from which piece times count, s. */
  double start() const { return start_; }
  /** Period, s; 0: the pieces occur once. */
  double period() const { return period_; }
  /** The straight pieces, in order of time. */
  const std::vector<Piece>& pieces() const { return pieces_; }
  /** @} */
  /** Returns true if the value is the time. */
  bool is_clock() const { return is_clock_; }
  /** Null unless this is a chirp. */
  const ChirpData* chirp() const { return is_chirp_ ? &chirp_ : nullptr; }

  /** Returns the value at time `t` [s], for double and AutoDiffXd.
  @throws std::runtime_error if the period is too short to be told apart at that
  time. */
  template <typename T>
  T Calc(const T& t) const;
  /** Returns the first edge, kink or other break later than `after` [s];
  infinity if there is none. @throws std::runtime_error as Calc(). */
  double CalcNextBreak(double after) const;

 private:
  Waveform() = default;
  double CalcPeriod(double t) const;
  double CalcEdge(double k, int i) const;
  template <typename T>
  T CalcChirp(const T& t) const;

  // Value before the first piece, unless the waveform is periodic.
  double before_{};
  double start_{};
  double period_{};  // 0: not periodic
  std::vector<Piece> pieces_;
  bool is_clock_{false};
  bool is_chirp_{false};
  ChirpData chirp_;
};

}  // namespace wyvern::systems
