#include "wyvern/systems/blocks/source_blocks.h"

#include <filesystem>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/systems/blocks/block_fields.h"
#include "wyvern/systems/blocks/block_registry.h"
#include "wyvern/systems/blocks/standard_blocks.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/csv_table.h"
#include "wyvern/systems/primitives/random_source.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/waveform_source.h"
#include "wyvern/systems/yaml/yaml_node.h"

/* Most structs pass their numbers to the constructors, which check them. A
table of a file becomes waveforms of straight pieces, a piece a row: their edges
are the breaks, and a Diagram that is written has the numbers in it. */

namespace wyvern::systems {

namespace blocks {

std::unique_ptr<System<double>> ConstantVectorSource::Make() const {
  return std::make_unique<systems::ConstantVectorSource<double>>(value);
}

std::optional<ConstantVectorSource> ConstantVectorSource::From(
    const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::ConstantVectorSource<double>*>(&system);
  if (block == nullptr) return {};
  return ConstantVectorSource{.value = block->default_value()};
}

std::unique_ptr<System<double>> Sine::Make() const {
  return std::make_unique<systems::Sine<double>>(amplitude, frequency, phase);
}

std::optional<Sine> Sine::From(const System<double>& system) {
  const auto* block = dynamic_cast<const systems::Sine<double>*>(&system);
  if (block == nullptr || !block->is_time_based()) return {};
  return Sine{.amplitude = block->amplitude_vector(),
              .frequency = block->frequency_vector(),
              .phase = block->phase_vector()};
}

namespace {

struct MakeWaveform {
  Waveform operator()(const Step& s) const {
    return Waveform::Step(s.time, s.initial, s.final);
  }
  Waveform operator()(const Ramp& s) const {
    return Waveform::Ramp(s.time, s.slope, s.initial);
  }
  Waveform operator()(const Pulse& s) const {
    return Waveform::Pulse(s.time, s.width, s.high, s.base);
  }
  Waveform operator()(const PulseTrain& s) const {
    return Waveform::PulseTrain(s.period, s.width, s.high, s.base, s.time);
  }
  Waveform operator()(const Square& s) const {
    return Waveform::Square(s.amplitude, s.frequency, s.duty);
  }
  Waveform operator()(const Sawtooth& s) const {
    return Waveform::Sawtooth(s.amplitude, s.frequency);
  }
  Waveform operator()(const Triangle& s) const {
    return Waveform::Triangle(s.amplitude, s.frequency);
  }
  Waveform operator()(const RepeatingSequence& s) const {
    return Waveform::RepeatingSequence(s.times, s.values);
  }
  Waveform operator()(const Chirp& s) const {
    return Waveform::Chirp(s.amplitude, s.start_frequency, s.end_frequency,
                           s.duration, s.is_exponential);
  }
  Waveform operator()(const Clock&) const { return Waveform::Clock(); }
  Waveform operator()(const PiecewiseLinear& s) const {
    const char* const who = "PiecewiseLinear";
    wyvern::internal::RequireSize(who, "values", std::ssize(s.values),
                                  std::ssize(s.times));
    wyvern::internal::RequireSize(who, "slopes", std::ssize(s.slopes),
                                  std::ssize(s.times));
    std::vector<Waveform::Piece> pieces;
    for (std::size_t i = 0; i < s.times.size(); ++i) {
      pieces.push_back({s.times[i], s.values[i], s.slopes[i]});
    }
    return Waveform::PiecewiseLinear(s.initial, s.start, s.period,
                                     std::move(pieces));
  }
};

Signal DescribeWaveform(const Waveform& waveform) {
  if (waveform.is_clock()) return Clock{};
  if (const Waveform::ChirpData* chirp = waveform.chirp()) {
    return Chirp{.amplitude = chirp->amplitude,
                 .start_frequency = chirp->start_frequency,
                 .end_frequency = chirp->end_frequency,
                 .duration = chirp->duration,
                 .is_exponential = chirp->is_exponential};
  }
  PiecewiseLinear result{.initial = waveform.initial(),
                         .start = waveform.start(),
                         .period = waveform.period(),
                         .times = {},
                         .values = {},
                         .slopes = {}};
  for (const Waveform::Piece& piece : waveform.pieces()) {
    result.times.push_back(piece.time);
    result.values.push_back(piece.value);
    result.slopes.push_back(piece.slope);
  }
  return result;
}

}  // namespace

std::unique_ptr<System<double>> WaveformSource::Make() const {
  std::vector<Waveform> waveforms;
  for (const Signal& signal : signals) {
    waveforms.push_back(std::visit(MakeWaveform{}, signal));
  }
  return std::make_unique<systems::WaveformSource<double>>(
      std::move(waveforms));
}

std::optional<WaveformSource> WaveformSource::From(
    const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::WaveformSource<double>*>(&system);
  if (block == nullptr) return {};
  WaveformSource result;
  for (const Waveform& waveform : block->waveforms()) {
    result.signals.push_back(DescribeWaveform(waveform));
  }
  return result;
}

namespace {

enum class AfterTable { kHold, kLinear, kRepeat };

const internal::EnumNames<bool> kLinearByName{{"linear", true},
                                              {"hold", false}};
const internal::EnumNames<AfterTable> kAfterTable{
    {"hold", AfterTable::kHold},
    {"linear", AfterTable::kLinear},
    {"repeat", AfterTable::kRepeat}};
const internal::EnumNames<RandomDistribution> kDistributions{
    {"uniform", RandomDistribution::kUniform},
    {"gaussian", RandomDistribution::kGaussian},
    {"exponential", RandomDistribution::kExponential}};

// Returns the index of a column among those behind the times.
int FindColumn(const CsvTable& table, const std::string& file,
               const std::string& column) {
  for (std::size_t i = 1; i < table.names.size(); ++i) {
    if (table.names[i] == column) return static_cast<int>(i) - 1;
  }
  const std::vector<std::string> names(table.names.begin() + 1,
                                       table.names.end());
  const std::string nearest = yaml::internal::FindNearest(column, names);
  throw std::runtime_error(fmt::format(
      "CsvSource: {}: there is no column '{}'; {}.", file, column,
      nearest.empty() ? fmt::format("give some of [{}]", fmt::join(names, ", "))
                      : fmt::format("is '{}' meant?", nearest)));
}

CsvTable ReadRisingTable(const std::string& file) {
  CsvTable table = ReadCsvTable(file);
  if (std::ssize(table.names) != table.values.cols() + 1) {
    throw std::runtime_error(fmt::format(
        "CsvSource: {}: there are {} names for {} columns; give each column a "
        "name.",
        file, table.names.size(), table.values.cols() + 1));
  }
  for (int i = 1; i < table.times.size(); ++i) {
    if (table.times[i - 1] < table.times[i]) continue;
    throw std::runtime_error(fmt::format(
        "CsvSource: {}: row {} has the time {} s, which is not after that of "
        "row {}, {} s; sort the rows by time.",
        file, i + 1, table.times[i], i, table.times[i - 1]));
  }
  return table;
}

Waveform MakeColumn(const CsvTable& table, int column, bool is_linear,
                    AfterTable after) {
  const VectorX<double>& times = table.times;
  const auto values = table.values.col(column);
  const auto last = static_cast<int>(times.size()) - 1;
  std::vector<Waveform::Piece> pieces;
  double slope = 0;
  for (int i = 0; i <= last; ++i) {
    if (is_linear && i < last) {
      slope = (values[i + 1] - values[i]) / (times[i + 1] - times[i]);
    }
    if (i == last && after != AfterTable::kLinear) slope = 0;
    pieces.push_back({times[i] - times[0], values[i], slope});
  }
  const bool repeats = after == AfterTable::kRepeat;
  return Waveform::PiecewiseLinear(values[0], times[0],
                                   repeats ? pieces[last].time : 0, pieces);
}

}  // namespace

std::unique_ptr<System<double>> CsvSource::Make(const BlockSite& site) const {
  const bool is_linear = internal::FindEnum("CsvSource", "interpolation",
                                            interpolation, kLinearByName);
  const AfterTable after = internal::FindEnum("CsvSource", "extrapolation",
                                              extrapolation, kAfterTable);
  const std::string path = (site.folder() / file).string();
  const CsvTable table = ReadRisingTable(path);
  if (after != AfterTable::kHold && table.times.size() < 2) {
    throw std::runtime_error(fmt::format(
        "CsvSource: {}: there is 1 row, and extrapolation is '{}'; add rows, "
        "or give 'hold'.",
        path, extrapolation));
  }
  std::vector<Waveform> waveforms;
  const auto add = [&](int column) {
    internal::CheckSize("CsvSource", "the number of columns",
                        static_cast<int>(waveforms.size()) + 1);
    waveforms.push_back(MakeColumn(table, column, is_linear, after));
  };
  for (const std::string& column : columns) {
    add(FindColumn(table, path, column));
  }
  if (columns.empty()) {
    for (int i = 0; i < table.values.cols(); ++i) add(i);
  }
  return std::make_unique<systems::WaveformSource<double>>(
      std::move(waveforms));
}

std::unique_ptr<System<double>> RandomSource::Make() const {
  auto block = std::make_unique<systems::RandomSource<double>>(
      internal::FindEnum("RandomSource", "distribution", distribution,
                         kDistributions),
      internal::CheckSize("RandomSource", "num_outputs", num_outputs),
      sampling_interval_sec);
  if (seed.has_value()) {
    using Seed = systems::RandomSource<double>::Seed;
    constexpr std::int64_t kLargest = std::numeric_limits<std::uint32_t>::max();
    wyvern::internal::RequireInRange("RandomSource", "seed",
                                     static_cast<double>(*seed), 0, kLargest);
    block->set_fixed_seed(static_cast<Seed>(*seed));
  }
  return block;
}

std::optional<RandomSource> RandomSource::From(const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::RandomSource<double>*>(&system);
  if (block == nullptr) return {};
  return RandomSource{
      .distribution =
          internal::NameOf(block->get_distribution(), kDistributions),
      .num_outputs = block->get_output_port(0).size(),
      .sampling_interval_sec = block->sampling_interval_sec(),
      .seed = static_cast<std::int64_t>(block->get_default_seed())};
}

}  // namespace blocks

void internal::AddSourceBlocks(BlockRegistry* registry) {
  registry->Add<blocks::ConstantVectorSource>();
  registry->Add<blocks::Sine>();
  registry->Add<blocks::WaveformSource>();
  registry->Add<blocks::CsvSource>();
  registry->Add<blocks::RandomSource>();
}

}  // namespace wyvern::systems
