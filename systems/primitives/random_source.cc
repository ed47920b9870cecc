// To draw changes the generator, and so both the numbers and the generator are
// state, drawn anew by an unrestricted update, which may write to both. Setting
// a default or random state seeds the generator and draws the first numbers. A
// random state takes a seed from the caller's generator even if a fixed one is
// used instead, so that what other Systems draw does not depend on that.

#include "wyvern/systems/primitives/random_source.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/primitives/seeded_generator.h"

namespace wyvern::systems {

template <typename T>
RandomSource<T>::RandomSource(RandomDistribution distribution, int num_outputs,
                              double sampling_interval_sec)
    : RandomSource(distribution, num_outputs, sampling_interval_sec,
                   SeededGenerator::NextInstanceSeed(), std::nullopt) {}

template <typename T>
RandomSource<T>::RandomSource(RandomDistribution distribution, int num_outputs,
                              double sampling_interval_sec, Seed instance_seed,
                              const std::optional<Seed>& fixed_seed)
    : LeafSystem<T>(SystemTypeTag<RandomSource>{}),
      distribution_(distribution),
      sampling_interval_sec_(sampling_interval_sec),
      instance_seed_(instance_seed),
      fixed_seed_(fixed_seed) {
  wyvern::internal::RequireAtLeast("RandomSource", "num_outputs", num_outputs,
                                   1);
  wyvern::internal::RequirePositive("RandomSource", "sampling_interval_sec",
                                    sampling_interval_sec);
  SeededGenerator::RegisterSerialization();
  const DiscreteStateIndex state = this->DeclareDiscreteState(num_outputs);
  this->DeclareAbstractState(Value<SeededGenerator>());
  this->DeclarePeriodicUnrestrictedUpdateEvent(sampling_interval_sec, 0.0,
                                               &RandomSource<T>::UpdateSamples);
  this->DeclareStateOutputPort("output", state);
}

template <typename T>
typename RandomSource<T>::Seed RandomSource<T>::get_seed(
    const Context<double>& context) const {
  this->ValidateContext(context);
  return context.template get_abstract_state<SeededGenerator>(0).seed;
}

template <typename T>
void RandomSource<T>::SetDefaultState(const Context<T>& context,
                                      State<T>* state) const {
  this->ValidateContext(context);
  Start(get_default_seed(), state);
}

template <typename T>
void RandomSource<T>::SetRandomState(const Context<T>& context, State<T>* state,
                                     RandomGenerator* generator) const {
  this->ValidateContext(context);
  const Seed drawn = (*generator)();
  Start(fixed_seed_.value_or(drawn), state);
}

template <typename T>
void RandomSource<T>::Start(Seed seed, State<T>* state) const {
  state->template get_mutable_abstract_state<SeededGenerator>(0) =
      SeededGenerator(seed);
  Draw(state);
}

template <typename T>
void RandomSource<T>::Draw(State<T>* state) const {
  auto& source = state->template get_mutable_abstract_state<SeededGenerator>(0);
  BasicVector<T>& samples =
      state->get_mutable_discrete_state().get_mutable_vector(0);
  for (int i = 0; i < samples.size(); ++i) {
    samples[i] = source.Draw(distribution_);
  }
}

template <typename T>
EventStatus RandomSource<T>::UpdateSamples(const Context<T>&,
                                           State<T>* next) const {
  Draw(next);
  return EventStatus::Succeeded();
}

template <typename T>
int AddRandomInputs(double sampling_interval_sec, DiagramBuilder<T>* builder) {
  wyvern::internal::RequireNotNull("AddRandomInputs", "builder", builder);
  int count = 0;
  for (const System<T>* system : builder->GetSystems()) {
    for (int i = 0; i < system->num_input_ports(); ++i) {
      const InputPort<T>& port = system->get_input_port(i);
      if (!port.is_random() || builder->IsConnectedOrExported(port)) continue;
      const auto* source = builder->template AddSystem<RandomSource<T>>(
          *port.get_random_type(), port.size(), sampling_interval_sec);
      builder->Connect(source->get_output_port(0), port);
      ++count;
    }
  }
  return count;
}

#define WYVERN_INSTANTIATE_ADD_RANDOM_INPUTS(T) \
  template int AddRandomInputs(double, DiagramBuilder<T>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_ADD_RANDOM_INPUTS)
#undef WYVERN_INSTANTIATE_ADD_RANDOM_INPUTS

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::RandomSource);
