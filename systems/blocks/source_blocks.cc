#include "wyvern/systems/blocks/source_blocks.h"

#include <utility>

#include "wyvern/systems/blocks/block_fields.h"
#include "wyvern/systems/blocks/block_registry.h"
#include "wyvern/systems/blocks/standard_blocks.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/waveform_source.h"

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

}  // namespace blocks

void internal::AddSourceBlocks(BlockRegistry* registry) {
  registry->Add<blocks::ConstantVectorSource>();
  registry->Add<blocks::Sine>();
  registry->Add<blocks::WaveformSource>();
}

}  // namespace wyvern::systems
