#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "wyvern/systems/blocks/block.h"
#include "wyvern/systems/common/described_value.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/framework/system.h"

/** @file
Sources as data. Each struct has the name of its block, whose header says more.
*/

namespace wyvern::systems::blocks {

struct ConstantVectorSource {
  static constexpr char kSummary[] = "A constant vector. Output y0.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(value, "The vector."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<ConstantVectorSource> From(const System<double>& system);

  VectorX<double> value{VectorX<double>::Zero(1)};
};

struct Sine {
  static constexpr char kSummary[] =
      "amplitude sin(frequency t + phase), with its derivatives. Outputs y0, "
      "y1, y2.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(amplitude, "Amplitude of each element."));
    a->Visit(WYVERN_DNVP(frequency, "Frequency of each element, rad/s."));
    a->Visit(WYVERN_DNVP(phase, "Phase of each element, rad."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<Sine> From(const System<double>& system);

  VectorX<double> amplitude{VectorX<double>::Ones(1)};
  VectorX<double> frequency{VectorX<double>::Ones(1)};
  VectorX<double> phase{VectorX<double>::Zero(1)};
};

/** @name Signals of a WaveformSource, as the functions of Waveform
@{ */
struct Step {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(time, "Time of the step, s."));
    a->Visit(WYVERN_DNVP(initial, "Value before the step."));
    a->Visit(WYVERN_DNVP(final, "Value from the step on."));
  }
  double time{0};
  double initial{0};
  double final{1};
};
struct Ramp {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(time, "Time at which the ramp starts, s."));
    a->Visit(WYVERN_DNVP(slope, "Rise per second."));
    a->Visit(WYVERN_DNVP(initial, "Value before the ramp."));
  }
  double time{0};
  double slope{1};
  double initial{0};
};
struct Pulse {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(time, "Time at which the pulse starts, s."));
    a->Visit(WYVERN_DNVP(width, "Duration of the pulse, s."));
    a->Visit(WYVERN_DNVP(high, "Value during the pulse."));
    a->Visit(WYVERN_DNVP(base, "Value before and after the pulse."));
  }
  double time{0};
  double width{1};
  double high{1};
  double base{0};
};
struct PulseTrain {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(period, "Time between pulses, s."));
    a->Visit(WYVERN_DNVP(width, "Duration of each pulse, s."));
    a->Visit(WYVERN_DNVP(high, "Value during a pulse."));
    a->Visit(WYVERN_DNVP(base, "Value between pulses."));
    a->Visit(WYVERN_DNVP(time, "Time at which one of the pulses starts, s."));
  }
  double period{1};
  double width{0.5};
  double high{1};
  double base{0};
  double time{0};
};
struct Square {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(amplitude,
                         "Value in the first part of each period; "
                         "its negative in the second part."));
    a->Visit(WYVERN_DNVP(frequency, "Frequency, Hz."));
    a->Visit(WYVERN_DNVP(duty, "Share of the first part, from 0 to 1."));
  }
  double amplitude{1};
  double frequency{1};
  double duty{0.5};
};
struct Sawtooth {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(amplitude, "Largest value of the signal."));
    a->Visit(WYVERN_DNVP(frequency, "Frequency, Hz."));
  }
  double amplitude{1};
  double frequency{1};
};
struct Triangle {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(amplitude, "Largest value of the signal."));
    a->Visit(WYVERN_DNVP(frequency, "Frequency, Hz."));
  }
  double amplitude{1};
  double frequency{1};
};
struct RepeatingSequence {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(times,
                         "Rising times of the points, s. The last time "
                         "ends a period."));
    a->Visit(WYVERN_DNVP(values, "Value at each time."));
  }
  std::vector<double> times{0, 1};
  std::vector<double> values{0, 1};
};
struct Chirp {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(amplitude, "Amplitude of the sine."));
    a->Visit(WYVERN_DNVP(start_frequency, "Frequency at time 0, Hz."));
    a->Visit(WYVERN_DNVP(end_frequency, "Frequency at `duration`, Hz."));
    a->Visit(WYVERN_DNVP(duration, "Duration of the change, s."));
    a->Visit(WYVERN_DNVP(is_exponential,
                         "Whether the frequency grows by the same factor in "
                         "equal times (default: linearly)."));
  }
  double amplitude{1};
  double start_frequency{0.1};
  double end_frequency{1};
  double duration{10};
  bool is_exponential{false};
};
struct Clock {
  template <typename Archive>
  void Serialize(Archive*) {}
};
struct PiecewiseLinear {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(initial,
                         "Value before the first piece; unused in "
                         "periodic signals."));
    a->Visit(WYVERN_DNVP(start, "Time from which the pieces count, s."));
    a->Visit(WYVERN_DNVP(period, "Period, s; 0: the pieces come once."));
    a->Visit(WYVERN_DNVP(times, "Rising start times of the pieces, s."));
    a->Visit(WYVERN_DNVP(values, "Value at the start of each piece."));
    a->Visit(WYVERN_DNVP(slopes, "Rise per second in each piece."));
  }
  double initial{0};
  double start{0};
  double period{0};
  std::vector<double> times{0};
  std::vector<double> values{0};
  std::vector<double> slopes{0};
};
using Signal =
    std::variant<Step, Ramp, Pulse, PulseTrain, Square, Sawtooth, Triangle,
                 RepeatingSequence, Chirp, Clock, PiecewiseLinear>;
/** @} */

struct WaveformSource {
  static constexpr char kSummary[] =
      "Steps, ramps, pulses, periodic signals, chirps or the time. The "
      "integrator's steps end at their edges. Output y.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(signals, "A signal for each element of y."));
  }
  std::unique_ptr<System<double>> Make() const;
  /** Signals other than clocks and chirps become PiecewiseLinear ones, with the
  same bits. */
  static std::optional<WaveformSource> From(const System<double>& system);

  std::vector<Signal> signals;
};

struct CsvSource {
  static constexpr char kSummary[] =
      "The columns of a CSV file over time. The first column is the time, s. "
      "The integrator's steps end at its rows. Output y.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(file,
                         "Path of the CSV file, from the folder of the file "
                         "that names it."));
    a->Visit(WYVERN_DNVP(columns,
                         "Names of the columns for the elements of y "
                         "(default: all columns but the first)."));
    a->Visit(WYVERN_DNVP(interpolation,
                         "linear: lines between rows; hold: each row until "
                         "the next one."));
    a->Visit(WYVERN_DNVP(extrapolation,
                         "After the last row: hold its values, go on along "
                         "the last line (linear), or repeat all rows. The "
                         "first row holds before its time, unless rows "
                         "repeat."));
  }
  /** Makes a WaveformSource, and SaveDiagram() writes it as one, with all
  numbers.
  @throws std::runtime_error naming the file, and the line or row, if it cannot
  be read, a column has no name or is not there, or times do not rise. */
  std::unique_ptr<System<double>> Make(const BlockSite& site) const;

  std::string file;
  std::vector<std::string> columns;
  std::string interpolation{"linear"};
  std::string extrapolation{"hold"};
};

struct RandomSource {
  static constexpr char kSummary[] =
      "Independent random numbers, drawn anew at each sample. Output output.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(distribution,
                         "uniform on [0, 1), gaussian with variance 1, or "
                         "exponential with mean 1."));
    a->Visit(WYVERN_DNVP(num_outputs, "Size of output."));
    a->Visit(WYVERN_DNVP(sampling_interval_sec, "Time between samples, s."));
    a->Visit(WYVERN_DNVP(seed,
                         "Seed, from 0 to 4294967295 (default: one for each "
                         "source, or drawn from the scenario's seed)."));
  }
  std::unique_ptr<System<double>> Make() const;
  /** The seed is that of the default state, so a Diagram that is read back
  draws the same numbers. */
  static std::optional<RandomSource> From(const System<double>& system);

  std::string distribution{"gaussian"};
  int num_outputs{1};
  double sampling_interval_sec{0.01};
  std::optional<std::int64_t> seed;
};

}  // namespace wyvern::systems::blocks
