#pragma once

#include <cstdint>
#include <optional>

#include "wyvern/systems/common/random.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {
template <typename T>
class DiagramBuilder;
}  // namespace wyvern::systems

namespace wyvern::systems::sensors {

/** Errors of a measurement. A vector has an element for each of the
signal, or one for all, or none, which stands for zeros. */
struct MeasurementErrors {
  /** Seconds between samples; 0: measured at every moment, which takes neither
  noise nor delay. */
  double period{0};
  /** Time of the first sample, s. */
  double offset{0};
  /** Seconds from the moment that is measured to the one at which it is seen.
   */
  double delay{0};
  /** Bias that is added, in units of the signal. */
  Eigen::VectorXd bias{};
  /** Standard deviation of the white, Gaussian noise of each sample. */
  Eigen::VectorXd noise{};
  /** The measurement is the nearest multiple; 0: not quantized. */
  Eigen::VectorXd quantum{};
  /** Seed of the noise; if none, a number of the block's own, or one that
  System::SetRandomContext() draws. */
  std::optional<RandomGenerator::result_type> seed{};
};

/** Turns a true signal into what an instrument shows: every `period` seconds,

    y = round((u(t - delay) + bias + noise w) / quantum) quantum,

with w from a normal distribution, held in between. Before the first sample is
seen, y is 0. A sample at t is of the state before any change at t, so that of a
discrete plant it is of time t (docs/sampling.md).

Input port `u`, output port `y`, direct feedthrough if the period is 0. The bias
is a numeric parameter; samples on their way and the random generator are state,
so that a Context that is saved goes on with the same bits. Derivatives of what
is quantized are zero. */
template <typename T>
class MeasuredSignal final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(MeasuredSignal);

  /** The type of seeds. */
  using Seed = RandomGenerator::result_type;

  /** Measures a signal of `size` elements with the given errors.
  @throws std::logic_error if the size is below 1; a time, a standard
  deviation or a quantum is negative; one of these or the bias is not finite; a
  vector has another size than 0, 1 and `size`; or there is noise, offset or
  delay without a period. */
  MeasuredSignal(int size, const MeasurementErrors& errors);
  /** Scalar-converting copy constructor: keeps the seed. */
  template <typename U>
  explicit MeasuredSignal(const MeasuredSignal<U>& other)
      : MeasuredSignal(other.get_input_port().size(), other.errors_,
                       other.instance_seed_) {}

  /** Returns the given errors, with vectors as long as the signal. */
  const MeasurementErrors& errors() const { return errors_; }
  /** The bias in `context`, an element for each of the signal. */
  const VectorX<T>& get_bias(const Context<T>& context) const;
  /** Sets the bias in `context`, an element for each of the signal.
  @throws std::logic_error on a wrong size, or if it is not finite. */
  void set_bias(Context<T>* context,
                const Eigen::Ref<const VectorX<T>>& bias) const;
  /** The seed that the noise in `context` started from.
  @throws std::logic_error if there is no noise. */
  Seed get_seed(const Context<T>& context) const;

 private:
  template <typename U>
  friend class MeasuredSignal;

  MeasuredSignal(int size, const MeasurementErrors& errors, Seed seed);

  bool has_noise() const { return !errors_.noise.isZero(0); }
  int size() const { return static_cast<int>(errors_.bias.size()); }
  // Element i of the measurement.
  T Element(const VectorX<T>& u, const VectorX<T>& bias, int i,
            double noise) const;
  int64_t Count(const Context<T>& context, int which) const;
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;
  EventStatus Take(const Context<T>& context, State<T>* next) const;
  EventStatus Show(const Context<T>& context, State<T>* next) const;
  void SetDefaultState(const Context<T>& context,
                       State<T>* state) const override;
  void SetRandomState(const Context<T>& context, State<T>* state,
                      RandomGenerator* generator) const override;
  void Start(Seed seed, State<T>* state) const;

  const MeasurementErrors errors_;
  const Seed instance_seed_;
  // Samples that can be on their way; 0 without delay.
  const int capacity_;
  // Periods; 0 if the delay is not a whole number of them.
  const int64_t whole_delay_;
};

/** Adds a MeasuredSignal to `builder`, connected to `src`.
@throws as its constructor, and if `src` is not a vector port. */
template <typename T>
MeasuredSignal<T>* AddMeasuredSignal(const OutputPort<T>& src,
                                     const MeasurementErrors& errors,
                                     DiagramBuilder<T>* builder);

}  // namespace wyvern::systems::sensors
