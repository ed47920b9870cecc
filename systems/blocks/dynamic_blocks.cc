#include "wyvern/systems/blocks/dynamic_blocks.h"

#include <typeinfo>
#include <utility>

#include "wyvern/systems/blocks/block_fields.h"
#include "wyvern/systems/blocks/block_registry.h"
#include "wyvern/systems/blocks/standard_blocks.h"
#include "wyvern/systems/primitives/backlash.h"
#include "wyvern/systems/primitives/first_order_low_pass_filter.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/limited_integrator.h"
#include "wyvern/systems/primitives/linear/affine_system.h"
#include "wyvern/systems/primitives/linear/linear_system.h"
#include "wyvern/systems/primitives/rate_limiter.h"
#include "wyvern/systems/primitives/transport_delay.h"

/* Make() passes the fields to the constructor, which checks them. From() reads
them back. A MatrixGain is a LinearSystem, and that an AffineSystem, so From()
compares the exact type of these.
*/

namespace wyvern::systems {

namespace blocks {

std::unique_ptr<System<double>> Integrator::Make() const {
  return std::make_unique<systems::Integrator<double>>(
      internal::CheckSize("Integrator", "size", size, 0));
}

std::optional<Integrator> Integrator::From(const System<double>& system) {
  const auto* block = dynamic_cast<const systems::Integrator<double>*>(&system);
  if (block == nullptr) return {};
  return Integrator{.size = block->get_input_port(0).size()};
}

std::unique_ptr<System<double>> LimitedIntegrator::Make() const {
  const LimitedIntegratorOptions options{
      .lower = lower,
      .upper = upper,
      .initial_value = initial_value,
      .has_reset_port = has_reset_port,
      .has_initial_value_port = has_initial_value_port};
  return std::make_unique<systems::LimitedIntegrator<double>>(
      options, internal::CheckSize("LimitedIntegrator", "size", size, 1));
}

std::optional<LimitedIntegrator> LimitedIntegrator::From(
    const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::LimitedIntegrator<double>*>(&system);
  if (block == nullptr) return {};
  return LimitedIntegrator{
      .lower = block->options().lower,
      .upper = block->options().upper,
      .initial_value = block->options().initial_value,
      .has_reset_port = block->options().has_reset_port,
      .has_initial_value_port = block->options().has_initial_value_port,
      .size = block->get_input_port(0).size()};
}

std::unique_ptr<System<double>> RateLimiter::Make() const {
  return std::make_unique<systems::RateLimiter<double>>(
      rising, falling, lag,
      internal::CheckSize("RateLimiter", "size", size, 1));
}

std::optional<RateLimiter> RateLimiter::From(const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::RateLimiter<double>*>(&system);
  if (block == nullptr) return {};
  return RateLimiter{.rising = block->rising(),
                     .falling = block->falling(),
                     .lag = block->lag(),
                     .size = block->get_input_port(0).size()};
}

std::unique_ptr<System<double>> Backlash::Make() const {
  return std::make_unique<systems::Backlash<double>>(
      width, initial_output, internal::CheckSize("Backlash", "size", size, 1));
}

std::optional<Backlash> Backlash::From(const System<double>& system) {
  const auto* block = dynamic_cast<const systems::Backlash<double>*>(&system);
  if (block == nullptr) return {};
  return Backlash{.width = block->width(),
                  .initial_output = block->initial_output(),
                  .size = block->get_input_port(0).size()};
}

std::unique_ptr<System<double>> TransportDelay::Make() const {
  return std::make_unique<systems::TransportDelay<double>>(
      delay, internal::CheckSize("TransportDelay", "size", size, 1),
      initial_output);
}

std::optional<TransportDelay> TransportDelay::From(
    const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::TransportDelay<double>*>(&system);
  if (block == nullptr) return {};
  return TransportDelay{.delay = block->delay(),
                        .size = block->get_input_port(0).size(),
                        .initial_output = block->initial_output()};
}

std::unique_ptr<System<double>> FirstOrderLowPassFilter::Make() const {
  return std::make_unique<systems::FirstOrderLowPassFilter<double>>(
      time_constants);
}

std::optional<FirstOrderLowPassFilter> FirstOrderLowPassFilter::From(
    const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::FirstOrderLowPassFilter<double>*>(&system);
  if (block == nullptr) return {};
  return FirstOrderLowPassFilter{.time_constants =
                                     block->get_time_constants_vector()};
}

std::unique_ptr<System<double>> AffineSystem::Make() const {
  auto block = std::make_unique<systems::AffineSystem<double>>(A, B, f0, C, D,
                                                               y0, time_period);
  if (initial_state.size() > 0) block->configure_default_state(initial_state);
  return block;
}

std::optional<AffineSystem> AffineSystem::From(const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::AffineSystem<double>*>(&system);
  if (block == nullptr ||
      typeid(system) != typeid(systems::AffineSystem<double>))
    return {};
  return AffineSystem{.A = block->A(),
                      .B = block->B(),
                      .f0 = block->f0(),
                      .C = block->C(),
                      .D = block->D(),
                      .y0 = block->y0(),
                      .time_period = block->time_period(),
                      .initial_state = block->get_default_state()};
}

std::unique_ptr<System<double>> LinearSystem::Make() const {
  auto block =
      std::make_unique<systems::LinearSystem<double>>(A, B, C, D, time_period);
  if (initial_state.size() > 0) block->configure_default_state(initial_state);
  return block;
}

std::optional<LinearSystem> LinearSystem::From(const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::LinearSystem<double>*>(&system);
  if (block == nullptr ||
      typeid(system) != typeid(systems::LinearSystem<double>))
    return {};
  return LinearSystem{.A = block->A(),
                      .B = block->B(),
                      .C = block->C(),
                      .D = block->D(),
                      .time_period = block->time_period(),
                      .initial_state = block->get_default_state()};
}

}  // namespace blocks

void internal::AddDynamicBlocks(BlockRegistry* registry) {
  registry->Add<blocks::Integrator>();
  registry->Add<blocks::LimitedIntegrator>();
  registry->Add<blocks::RateLimiter>();
  registry->Add<blocks::Backlash>();
  registry->Add<blocks::TransportDelay>();
  registry->Add<blocks::FirstOrderLowPassFilter>();
  registry->Add<blocks::AffineSystem>();
  registry->Add<blocks::LinearSystem>();
}

}  // namespace wyvern::systems
