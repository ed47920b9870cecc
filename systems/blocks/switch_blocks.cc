#include "wyvern/systems/blocks/switch_blocks.h"

#include <utility>

#include "wyvern/systems/blocks/block_fields.h"
#include "wyvern/systems/blocks/block_registry.h"
#include "wyvern/systems/blocks/standard_blocks.h"
#include "wyvern/systems/primitives/demultiplexer.h"
#include "wyvern/systems/primitives/manual_switch.h"
#include "wyvern/systems/primitives/multiplexer.h"
#include "wyvern/systems/primitives/pass_through.h"
#include "wyvern/systems/primitives/relay.h"
#include "wyvern/systems/primitives/saturation.h"
#include "wyvern/systems/primitives/selector.h"
#include "wyvern/systems/primitives/threshold_switch.h"

/* Each struct passes its numbers to the constructor, which checks them; sizes
have a limit of their own. From() reads them back from the block. */

namespace wyvern::systems {

namespace blocks {

std::unique_ptr<System<double>> Saturation::Make() const {
  return std::make_unique<systems::Saturation<double>>(min_value, max_value);
}

std::optional<Saturation> Saturation::From(const System<double>& system) {
  const auto* block = dynamic_cast<const systems::Saturation<double>*>(&system);
  if (block == nullptr || block->has_limit_ports()) return {};
  return Saturation{.min_value = block->min_value(),
                    .max_value = block->max_value()};
}

std::unique_ptr<System<double>> ManualSwitch::Make() const {
  return std::make_unique<systems::ManualSwitch<double>>(
      internal::CheckSize("ManualSwitch", "num_inputs", num_inputs, 1),
      internal::CheckSize("ManualSwitch", "size", size, 1), selected);
}

std::optional<ManualSwitch> ManualSwitch::From(const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::ManualSwitch<double>*>(&system);
  if (block == nullptr) return {};
  return ManualSwitch{.num_inputs = block->num_input_ports(),
                      .size = block->get_input_port(0).size(),
                      .selected = block->selected()};
}

std::unique_ptr<System<double>> ThresholdSwitch::Make() const {
  return std::make_unique<systems::ThresholdSwitch<double>>(
      threshold, hysteresis,
      internal::CheckSize("ThresholdSwitch", "size", size, 1), control_size);
}

std::optional<ThresholdSwitch> ThresholdSwitch::From(
    const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::ThresholdSwitch<double>*>(&system);
  if (block == nullptr) return {};
  return ThresholdSwitch{.threshold = block->threshold(),
                         .hysteresis = block->hysteresis(),
                         .size = block->get_input_port(0).size(),
                         .control_size = block->get_input_port(1).size()};
}

std::unique_ptr<System<double>> Relay::Make() const {
  return std::make_unique<systems::Relay<double>>(
      on_point, off_point, on_value, off_value,
      internal::CheckSize("Relay", "size", size, 1));
}

std::optional<Relay> Relay::From(const System<double>& system) {
  const auto* block = dynamic_cast<const systems::Relay<double>*>(&system);
  if (block == nullptr) return {};
  return Relay{.on_point = block->on_point(),
               .off_point = block->off_point(),
               .on_value = block->on_value(),
               .off_value = block->off_value(),
               .size = block->get_input_port(0).size()};
}

std::unique_ptr<System<double>> Multiplexer::Make() const {
  for (const int size : input_sizes)
    internal::CheckSize("Multiplexer", "input_sizes", size, 0);
  return std::make_unique<systems::Multiplexer<double>>(input_sizes);
}

std::optional<Multiplexer> Multiplexer::From(const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::Multiplexer<double>*>(&system);
  if (block == nullptr) return {};
  return Multiplexer{.input_sizes = block->input_sizes()};
}

std::unique_ptr<System<double>> Demultiplexer::Make() const {
  for (const int size : output_ports_sizes)
    internal::CheckSize("Demultiplexer", "output_ports_sizes", size);
  return std::make_unique<systems::Demultiplexer<double>>(output_ports_sizes);
}

std::optional<Demultiplexer> Demultiplexer::From(const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::Demultiplexer<double>*>(&system);
  if (block == nullptr) return {};
  return Demultiplexer{.output_ports_sizes = block->get_output_ports_sizes()};
}

std::unique_ptr<System<double>> PassThrough::Make() const {
  return std::make_unique<systems::PassThrough<double>>(value);
}

std::optional<PassThrough> PassThrough::From(const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::PassThrough<double>*>(&system);
  if (block == nullptr || block->is_abstract()) return {};
  return PassThrough{.value = block->default_value()};
}

std::unique_ptr<System<double>> Selector::Make() const {
  SelectorParams params;
  for (const SelectorInput& input : inputs) {
    internal::CheckSize("Selector", "inputs[i].size", input.size, 0);
    params.inputs.push_back({input.name, input.size});
  }
  for (const SelectorOutput& output : outputs) {
    params.outputs.push_back({output.name, {}});
    for (const auto& [port, element] : output.selections) {
      params.outputs.back().selections.push_back({port, element});
    }
  }
  return std::make_unique<systems::Selector<double>>(std::move(params));
}

std::optional<Selector> Selector::From(const System<double>& system) {
  const auto* block = dynamic_cast<const systems::Selector<double>*>(&system);
  if (block == nullptr) return {};
  Selector result{.inputs = {}, .outputs = {}};
  for (const auto& input : block->params().inputs) {
    result.inputs.push_back({.name = input.name, .size = input.size});
  }
  for (const auto& output : block->params().outputs) {
    result.outputs.push_back({.name = output.name, .selections = {}});
    for (const auto& [port, element] : output.selections) {
      result.outputs.back().selections.push_back({port, element});
    }
  }
  return result;
}

}  // namespace blocks

void internal::AddSwitchBlocks(BlockRegistry* registry) {
  registry->Add<blocks::Saturation>();
  registry->Add<blocks::ManualSwitch>();
  registry->Add<blocks::ThresholdSwitch>();
  registry->Add<blocks::Relay>();
  registry->Add<blocks::Multiplexer>();
  registry->Add<blocks::Demultiplexer>();
  registry->Add<blocks::PassThrough>();
  registry->Add<blocks::Selector>();
}

}  // namespace wyvern::systems
