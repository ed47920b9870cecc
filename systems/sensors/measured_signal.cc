#include "wyvern/systems/sensors/measured_signal.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/diagram_additions.h"
#include "wyvern/systems/primitives/seeded_generator.h"
#include "wyvern/systems/sensors/quantize.h"

/* Samples are taken and shown in unrestricted updates. These see the state
before any update of the same moment, and may write to the random generator,
an abstract state. Without delay, a sample taken is shown at once. With one,
it goes through a ring: samples are taken at offset + k period and shown at
offset + k period + delay, each an event of its own, so that the delay need
not be a multiple of the period. If it is one, rounding would set the two
events apart by no time worth a step, and so taking a sample shows an older
one. Two counts say how many were taken and shown; modulo the ring's length
they are places in it.

State: discrete group 0 is what is shown; 1 the ring, a sample after another;
2 the counts. Abstract 0 is the generator. Each is there only if needed. */

namespace wyvern::systems::sensors {

namespace {

constexpr char kMeasuredSignal[] = "MeasuredSignal";

// Discrete groups; and elements of the last.
constexpr int kShownGroup = 0;
constexpr int kRingGroup = 1;
constexpr int kCountGroup = 2;
constexpr int kTaken = 0;
constexpr int kShown = 1;

// One for each element of the signal.
Eigen::VectorXd Spread(const char* what, const Eigen::VectorXd& given,
                       int size) {
  if (given.size() == 0) return Eigen::VectorXd::Zero(size);
  if (given.size() == 1) return Eigen::VectorXd::Constant(size, given[0]);
  wyvern::internal::RequireSize(kMeasuredSignal, what, given.size(), size,
                                "give one for each element, or one for all");
  return given;
}

MeasurementErrors RequireSoundErrors(int size, MeasurementErrors errors) {
  using wyvern::internal::RequireFinite;
  using wyvern::internal::RequireNonNegative;
  wyvern::internal::RequireAtLeast(kMeasuredSignal, "size", size, 1);
  RequireNonNegative(kMeasuredSignal, "period", errors.period);
  RequireNonNegative(kMeasuredSignal, "offset", errors.offset);
  RequireNonNegative(kMeasuredSignal, "delay", errors.delay);
  RequireFinite(kMeasuredSignal, "bias", errors.bias);
  RequireNonNegative(kMeasuredSignal, "noise", errors.noise);
  RequireNonNegative(kMeasuredSignal, "quantum", errors.quantum);
  errors.bias = Spread("bias", errors.bias, size);
  errors.noise = Spread("noise", errors.noise, size);
  errors.quantum = Spread("quantum", errors.quantum, size);
  if (errors.period == 0 &&
      (errors.offset != 0 || errors.delay != 0 || !errors.noise.isZero(0))) {
    throw std::logic_error(fmt::format(
        "{}: noise, offset or delay is not 0 though the period is; noise is of "
        "samples, so give the seconds between them.",
        kMeasuredSignal));
  }
  return errors;
}

// The delay in periods if that is a whole number, up to rounding; or 0.
int64_t WholeDelay(const MeasurementErrors& errors) {
  if (errors.delay == 0) return 0;
  const double periods = errors.delay / errors.period;
  const double nearest = std::round(periods);
  return std::abs(periods - nearest) < 1e-9 * nearest
             ? static_cast<int64_t>(nearest)
             : 0;
}

// How many samples may have been taken and not shown, with the newest: those of
// the times t - delay <= t_k <= t.
int CountOnTheirWay(const MeasurementErrors& errors, int size) {
  if (errors.delay == 0) return 0;
  const double count = std::floor(errors.delay / errors.period) + 2;
  wyvern::internal::RequireInRange(
      kMeasuredSignal,
      "the number of samples within the delay, times their size", count * size,
      1, 1e8, "give a shorter delay or a longer period");
  return static_cast<int>(count);
}

}  // namespace

template <typename T>
MeasuredSignal<T>::MeasuredSignal(int size, const MeasurementErrors& errors)
    : MeasuredSignal(size, errors, SeededGenerator::NextInstanceSeed()) {}

template <typename T>
MeasuredSignal<T>::MeasuredSignal(int size, const MeasurementErrors& errors,
                                  Seed seed)
    : LeafSystem<T>(SystemTypeTag<MeasuredSignal>{}),
      errors_(RequireSoundErrors(size, errors)),
      instance_seed_(seed),
      capacity_(CountOnTheirWay(errors_, size)),
      whole_delay_(WholeDelay(errors_)) {
  this->DeclareVectorInputPort("u", size);
  this->DeclareNumericParameter(BasicVector<T>(errors_.bias.cast<T>().eval()));
  if (errors_.period == 0) {
    this->DeclareVectorOutputPort(
        "y", size, &MeasuredSignal<T>::CalcOutput,
        {this->all_input_ports_ticket(), this->all_parameters_ticket()});
    return;
  }
  const DiscreteStateIndex shown = this->DeclareDiscreteState(size);
  this->DeclarePeriodicUnrestrictedUpdateEvent(errors_.period, errors_.offset,
                                               &MeasuredSignal<T>::Take);
  if (capacity_ > 0) {
    this->DeclareDiscreteState(capacity_ * size);
    this->DeclareDiscreteState(2);
    if (whole_delay_ == 0) {
      this->DeclarePeriodicUnrestrictedUpdateEvent(
          errors_.period, errors_.offset + errors_.delay,
          &MeasuredSignal<T>::Show);
    }
  }
  if (has_noise()) {
    SeededGenerator::RegisterSerialization();
    this->DeclareAbstractState(Value<SeededGenerator>());
  }
  this->DeclareStateOutputPort("y", shown);
}

template <typename T>
const VectorX<T>& MeasuredSignal<T>::get_bias(const Context<T>& context) const {
  this->ValidateContext(context);
  return context.get_numeric_parameter(0).value();
}

template <typename T>
void MeasuredSignal<T>::set_bias(
    Context<T>* context, const Eigen::Ref<const VectorX<T>>& bias) const {
  const wyvern::internal::Caller who(kMeasuredSignal, "set_bias");
  wyvern::internal::RequireNotNull(who, "context", context);
  this->ValidateContext(*context);
  wyvern::internal::RequireSize(who, "bias", bias.size(), size());
  wyvern::internal::RequireFinite(who, "bias", bias);
  context->get_mutable_numeric_parameter(0).SetFromVector(bias);
}

template <typename T>
typename MeasuredSignal<T>::Seed MeasuredSignal<T>::get_seed(
    const Context<T>& context) const {
  this->ValidateContext(context);
  if (!has_noise()) {
    throw std::logic_error(fmt::format(
        "{}::get_seed(): '{}' has no noise; give its standard deviation.",
        kMeasuredSignal, this->get_name()));
  }
  return context.template get_abstract_state<SeededGenerator>(0).seed;
}

template <typename T>
T MeasuredSignal<T>::Element(const VectorX<T>& u, const VectorX<T>& bias, int i,
                             double noise) const {
  const T value = u[i] + bias[i] + noise;
  const double quantum = errors_.quantum[i];
  if (quantum == 0) return value;
  return internal::FloorToStep(T(value + quantum / 2), quantum);
}

template <typename T>
void MeasuredSignal<T>::CalcOutput(const Context<T>& context,
                                   BasicVector<T>* y) const {
  const VectorX<T>& u = this->get_input_port().Eval(context);
  const VectorX<T>& bias = context.get_numeric_parameter(0).value();
  for (int i = 0; i < size(); ++i) (*y)[i] = Element(u, bias, i, 0);
}

template <typename T>
EventStatus MeasuredSignal<T>::Take(const Context<T>& context,
                                    State<T>* next) const {
  const VectorX<T>& u = this->get_input_port().Eval(context);
  const VectorX<T>& bias = context.get_numeric_parameter(0).value();
  SeededGenerator* const generator =
      has_noise()
          ? &next->template get_mutable_abstract_state<SeededGenerator>(0)
          : nullptr;
  DiscreteValues<T>& values = next->get_mutable_discrete_state();
  const int64_t taken = capacity_ > 0 ? Count(context, kTaken) : 0;
  auto sample = capacity_ == 0
                    ? values.get_mutable_value(kShownGroup).head(size())
                    : values.get_mutable_value(kRingGroup)
                          .segment(taken % capacity_ * size(), size());
  for (int i = 0; i < size(); ++i) {
    const double noise =
        generator == nullptr
            ? 0
            : errors_.noise[i] * generator->Draw(RandomDistribution::kGaussian);
    sample[i] = Element(u, bias, i, noise);
  }
  if (capacity_ == 0) return EventStatus::Succeeded();
  values.get_mutable_value(kCountGroup)[kTaken] = taken + 1;
  return whole_delay_ > 0 && taken >= whole_delay_ ? Show(context, next)
                                                   : EventStatus::Succeeded();
}

template <typename T>
EventStatus MeasuredSignal<T>::Show(const Context<T>& context,
                                    State<T>* next) const {
  const int64_t shown = Count(context, kShown);
  DiscreteValues<T>& values = next->get_mutable_discrete_state();
  values.get_mutable_value(kShownGroup) =
      context.get_discrete_state(kRingGroup)
          .value()
          .segment(shown % capacity_ * size(), size());
  values.get_mutable_value(kCountGroup)[kShown] = shown + 1;
  return EventStatus::Succeeded();
}

template <typename T>
int64_t MeasuredSignal<T>::Count(const Context<T>& context, int which) const {
  return static_cast<int64_t>(wyvern::internal::NumberIn(
      context.get_discrete_state(kCountGroup).value()[which]));
}

template <typename T>
void MeasuredSignal<T>::SetDefaultState(const Context<T>& context,
                                        State<T>* state) const {
  LeafSystem<T>::SetDefaultState(context, state);
  if (has_noise()) Start(errors_.seed.value_or(instance_seed_), state);
}

// Draws a seed even if a fixed one is used, so that what other Systems draw
// does not depend on that.
template <typename T>
void MeasuredSignal<T>::SetRandomState(const Context<T>& context,
                                       State<T>* state,
                                       RandomGenerator* generator) const {
  LeafSystem<T>::SetDefaultState(context, state);
  if (!has_noise()) return;
  const Seed drawn = (*generator)();
  Start(errors_.seed.value_or(drawn), state);
}

template <typename T>
void MeasuredSignal<T>::Start(Seed seed, State<T>* state) const {
  state->template get_mutable_abstract_state<SeededGenerator>(0) =
      SeededGenerator(seed);
}

template <typename T>
MeasuredSignal<T>* AddMeasuredSignal(const OutputPort<T>& src,
                                     const MeasurementErrors& errors,
                                     DiagramBuilder<T>* builder) {
  systems::internal::DiagramAdditions<T> additions("AddMeasuredSignal",
                                                   builder);
  auto* result =
      additions.Add(std::make_unique<MeasuredSignal<T>>(src.size(), errors));
  builder->Connect(src, result->get_input_port());
  additions.Keep();
  return result;
}

#define WYVERN_INSTANTIATE_ADD_MEASURED_SIGNAL(T) \
  template MeasuredSignal<T>* AddMeasuredSignal(  \
      const OutputPort<T>&, const MeasurementErrors&, DiagramBuilder<T>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_ADD_MEASURED_SIGNAL)
#undef WYVERN_INSTANTIATE_ADD_MEASURED_SIGNAL

}  // namespace wyvern::systems::sensors

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::sensors::MeasuredSignal);
