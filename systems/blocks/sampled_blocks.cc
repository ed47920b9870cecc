#include "wyvern/systems/blocks/sampled_blocks.h"

#include <utility>

#include "wyvern/systems/blocks/block_fields.h"
#include "wyvern/systems/blocks/block_registry.h"
#include "wyvern/systems/blocks/standard_blocks.h"
#include "wyvern/systems/primitives/counter.h"
#include "wyvern/systems/primitives/discrete_derivative.h"
#include "wyvern/systems/primitives/discrete_time_delay.h"
#include "wyvern/systems/primitives/discrete_time_integrator.h"
#include "wyvern/systems/primitives/first_order_hold.h"
#include "wyvern/systems/primitives/zero_order_hold.h"

namespace wyvern::systems {

namespace blocks {

std::unique_ptr<System<double>> ZeroOrderHold::Make() const {
  return std::make_unique<systems::ZeroOrderHold<double>>(
      period, internal::CheckSize("ZeroOrderHold", "size", size, 0), offset);
}

std::optional<ZeroOrderHold> ZeroOrderHold::From(const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::ZeroOrderHold<double>*>(&system);
  if (block == nullptr ||
      block->get_input_port(0).get_data_type() != kVectorValued)
    return {};
  return ZeroOrderHold{.period = block->period(),
                       .size = block->get_input_port(0).size(),
                       .offset = block->offset()};
}

std::unique_ptr<System<double>> FirstOrderHold::Make() const {
  return std::make_unique<systems::FirstOrderHold<double>>(
      period, internal::CheckSize("FirstOrderHold", "size", size, 1));
}

std::optional<FirstOrderHold> FirstOrderHold::From(
    const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::FirstOrderHold<double>*>(&system);
  if (block == nullptr) return {};
  return FirstOrderHold{.period = block->period(),
                        .size = block->get_input_port(0).size()};
}

std::unique_ptr<System<double>> DiscreteTimeDelay::Make() const {
  internal::CheckSize("DiscreteTimeDelay", "delay_time_steps", delay_time_steps,
                      0);
  return std::make_unique<systems::DiscreteTimeDelay<double>>(
      update_sec, delay_time_steps,
      internal::CheckSize("DiscreteTimeDelay", "vector_size", vector_size, 1));
}

std::optional<DiscreteTimeDelay> DiscreteTimeDelay::From(
    const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::DiscreteTimeDelay<double>*>(&system);
  if (block == nullptr ||
      block->get_input_port(0).get_data_type() != kVectorValued)
    return {};
  return DiscreteTimeDelay{.update_sec = block->update_sec(),
                           .delay_time_steps = block->delay_time_steps(),
                           .vector_size = block->get_input_port(0).size()};
}

std::unique_ptr<System<double>> DiscreteTimeIntegrator::Make() const {
  return std::make_unique<systems::DiscreteTimeIntegrator<double>>(
      internal::CheckSize("DiscreteTimeIntegrator", "size", size, 1),
      time_step);
}

std::optional<DiscreteTimeIntegrator> DiscreteTimeIntegrator::From(
    const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::DiscreteTimeIntegrator<double>*>(&system);
  if (block == nullptr) return {};
  return DiscreteTimeIntegrator{.size = block->get_input_port(0).size(),
                                .time_step = block->time_step()};
}

std::unique_ptr<System<double>> DiscreteDerivative::Make() const {
  return std::make_unique<systems::DiscreteDerivative<double>>(
      internal::CheckSize("DiscreteDerivative", "num_inputs", num_inputs, 1),
      time_step, suppress_initial_transient);
}

std::optional<DiscreteDerivative> DiscreteDerivative::From(
    const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::DiscreteDerivative<double>*>(&system);
  if (block == nullptr) return {};
  return DiscreteDerivative{
      .num_inputs = block->get_input_port(0).size(),
      .time_step = block->time_step(),
      .suppress_initial_transient = block->suppress_initial_transient()};
}

namespace {
const internal::EnumNames<CounterLimit> kCounterLimits{
    {"wrap", CounterLimit::kWrap}, {"stop", CounterLimit::kStop}};
}  // namespace

std::unique_ptr<System<double>> Counter::Make() const {
  return std::make_unique<systems::Counter<double>>(CounterSettings{
      .period = period,
      .step = step,
      .initial = initial,
      .lower = lower,
      .upper = upper,
      .at_limit =
          internal::FindEnum("Counter", "at_limit", at_limit, kCounterLimits),
      .has_down_port = has_down_port,
      .has_reset_port = has_reset_port});
}

std::optional<Counter> Counter::From(const System<double>& system) {
  const auto* block = dynamic_cast<const systems::Counter<double>*>(&system);
  if (block == nullptr) return {};
  const CounterSettings& s = block->settings();
  return Counter{.period = s.period,
                 .step = s.step,
                 .initial = s.initial,
                 .lower = s.lower,
                 .upper = s.upper,
                 .at_limit = internal::NameOf(s.at_limit, kCounterLimits),
                 .has_down_port = s.has_down_port,
                 .has_reset_port = s.has_reset_port};
}

}  // namespace blocks

void internal::AddSampledBlocks(BlockRegistry* registry) {
  registry->Add<blocks::ZeroOrderHold>();
  registry->Add<blocks::FirstOrderHold>();
  registry->Add<blocks::DiscreteTimeDelay>();
  registry->Add<blocks::DiscreteTimeIntegrator>();
  registry->Add<blocks::DiscreteDerivative>();
  registry->Add<blocks::Counter>();
}

}  // namespace wyvern::systems
