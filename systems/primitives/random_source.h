#pragma once

#include <optional>

#include "wyvern/systems/common/random.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Independent random numbers, drawn anew every `sampling_interval_sec` and
held in between.

Output port `output`. The numbers and the generator are in the Context, so a
Context that is copied goes on with the same numbers. Each source has a seed of
its own, in the order in which a program constructs them, so that a program's
results repeat; set_fixed_seed() overrides it. The seed takes effect when a
Context gets its default state; a random Context draws its seed from the
generator that is given. */
template <typename T>
class RandomSource final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(RandomSource);

  /** The type of seeds. */
  using Seed = RandomGenerator::result_type;

  /** Draws `num_outputs` numbers from the distribution each
  `sampling_interval_sec` seconds.
  @throws std::logic_error if `num_outputs` is below 1 or the interval is
  not positive and finite. */
  RandomSource(RandomDistribution distribution, int num_outputs,
               double sampling_interval_sec);

  /** Scalar-converting copy constructor: keeps the seed. */
  template <typename U>
  explicit RandomSource(const RandomSource<U>& other)
      : RandomSource(other.distribution_, other.get_output_port(0).size(),
                     other.sampling_interval_sec_, other.instance_seed_,
                     other.fixed_seed_) {}

  /** The distribution of each number. */
  RandomDistribution get_distribution() const { return distribution_; }

  /** Time between samples [s]. */
  double sampling_interval_sec() const { return sampling_interval_sec_; }

  /** The seed that the numbers in `context` started from. */
  Seed get_seed(const Context<double>& context) const;

  /** The seed that was set, if any. */
  std::optional<Seed> get_fixed_seed() const { return fixed_seed_; }
  /** The seed of a Context with the default state. */
  Seed get_default_seed() const { return fixed_seed_.value_or(instance_seed_); }
  /** Sets the seed of Contexts to be made; nullopt for the source's own. */
  void set_fixed_seed(const std::optional<Seed>& seed) { fixed_seed_ = seed; }

 private:
  template <typename U>
  friend class RandomSource;

  RandomSource(RandomDistribution distribution, int num_outputs,
               double sampling_interval_sec, Seed instance_seed,
               const std::optional<Seed>& fixed_seed);

  void SetDefaultState(const Context<T>& context,
                       State<T>* state) const override;
  void SetRandomState(const Context<T>& context, State<T>* state,
                      RandomGenerator* generator) const override;
  void Start(Seed seed, State<T>* state) const;
  void Draw(State<T>* state) const;
  EventStatus UpdateSamples(const Context<T>& context, State<T>* next) const;

  const RandomDistribution distribution_;
  const double sampling_interval_sec_;
  const Seed instance_seed_;
  std::optional<Seed> fixed_seed_;
};

/** Feeds every input port in `builder` that was declared with a random type and
is not connected from a new RandomSource.
@returns the number of sources added. */
template <typename T>
int AddRandomInputs(double sampling_interval_sec, DiagramBuilder<T>* builder);

}  // namespace wyvern::systems
