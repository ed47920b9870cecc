#include "wyvern/systems/blocks/conditional_blocks.h"

#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/blocks/block_fields.h"
#include "wyvern/systems/blocks/block_registry.h"
#include "wyvern/systems/blocks/standard_blocks.h"
#include "wyvern/systems/primitives/case_subsystem.h"
#include "wyvern/systems/primitives/enabled_subsystem.h"
#include "wyvern/systems/primitives/if_else_subsystem.h"
#include "wyvern/systems/primitives/triggered_subsystem.h"

/* A block inside another one is made at the same site, so it counts as a block
of the file, and a diagram that includes itself through it is found. The Systems
are named by their places. */

namespace wyvern::systems {

namespace blocks {

namespace {

const internal::EnumNames<WhenInactive> kWhenInactive{
    {"hold", WhenInactive::kHold}, {"reset", WhenInactive::kReset}};
const internal::EnumNames<TriggerEdge> kEdges{
    {"rising", TriggerEdge::kRising},
    {"falling", TriggerEdge::kFalling},
    {"either", TriggerEdge::kEither}};

template <typename Spec>
ActivationOptions MakeOptions(const char* who, const Spec& spec) {
  return {
      .outputs =
          internal::FindEnum(who, "outputs", spec.outputs, kWhenInactive),
      .states = internal::FindEnum(who, "states", spec.states, kWhenInactive),
      .initial_outputs = spec.initial_outputs};
}

template <typename Spec>
void DescribeOptions(const ActivationOptions& options, Spec* spec) {
  spec->outputs = internal::NameOf(options.outputs, kWhenInactive);
  spec->states = internal::NameOf(options.states, kWhenInactive);
  spec->initial_outputs = options.initial_outputs;
}

std::shared_ptr<System<double>> MakeInner(const Block& block,
                                          const BlockSite& site, int index) {
  site.CountBlocks(1);
  std::shared_ptr<System<double>> system = block.Make(site);
  system->set_name(fmt::format("system{}", index));
  return system;
}

std::vector<std::shared_ptr<System<double>>> MakeInners(
    const std::vector<Block>& blocks, const BlockSite& site) {
  std::vector<std::shared_ptr<System<double>>> result;
  for (const Block& block : blocks) {
    result.push_back(MakeInner(block, site, static_cast<int>(result.size())));
  }
  return result;
}

std::vector<Block> DescribeInners(
    const internal::ConditionalDiagram<double>& diagram) {
  std::vector<Block> result;
  for (int i = 0; i < diagram.num_systems(); ++i) {
    result.push_back(BlockRegistry::Get().Describe(diagram.get_system(i)));
  }
  return result;
}

}  // namespace

std::unique_ptr<System<double>> EnabledSubsystem::Make(
    const BlockSite& site) const {
  return std::make_unique<systems::EnabledSubsystem<double>>(
      MakeInner(block, site, 0), MakeOptions("EnabledSubsystem", *this));
}

std::optional<EnabledSubsystem> EnabledSubsystem::From(
    const System<double>& system) {
  const auto* diagram =
      dynamic_cast<const systems::EnabledSubsystem<double>*>(&system);
  if (diagram == nullptr) return {};
  EnabledSubsystem result;
  result.block = DescribeInners(*diagram)[0];
  DescribeOptions(diagram->options(), &result);
  return result;
}

std::unique_ptr<System<double>> TriggeredSubsystem::Make(
    const BlockSite& site) const {
  const TriggerEdge wanted =
      internal::FindEnum("TriggeredSubsystem", "edge", edge, kEdges);
  return std::make_unique<systems::TriggeredSubsystem<double>>(
      MakeInner(block, site, 0), wanted, initial_outputs);
}

std::optional<TriggeredSubsystem> TriggeredSubsystem::From(
    const System<double>& system) {
  const auto* diagram =
      dynamic_cast<const systems::TriggeredSubsystem<double>*>(&system);
  if (diagram == nullptr) return {};
  TriggeredSubsystem result;
  result.block = DescribeInners(*diagram)[0];
  result.edge = internal::NameOf(diagram->edge(), kEdges);
  result.initial_outputs = diagram->options().initial_outputs;
  return result;
}

std::unique_ptr<System<double>> IfElseSubsystem::Make(
    const BlockSite& site) const {
  internal::CheckSize("IfElseSubsystem", "num_conditions", num_conditions);
  return std::make_unique<systems::IfElseSubsystem<double>>(
      num_conditions, MakeInners(blocks, site),
      MakeOptions("IfElseSubsystem", *this));
}

std::optional<IfElseSubsystem> IfElseSubsystem::From(
    const System<double>& system) {
  const auto* diagram =
      dynamic_cast<const systems::IfElseSubsystem<double>*>(&system);
  if (diagram == nullptr) return {};
  IfElseSubsystem result;
  result.num_conditions = diagram->num_conditions();
  result.blocks = DescribeInners(*diagram);
  DescribeOptions(diagram->options(), &result);
  return result;
}

std::unique_ptr<System<double>> CaseSubsystem::Make(
    const BlockSite& site) const {
  return std::make_unique<systems::CaseSubsystem<double>>(
      cases, MakeInners(blocks, site), MakeOptions("CaseSubsystem", *this));
}

std::optional<CaseSubsystem> CaseSubsystem::From(const System<double>& system) {
  const auto* diagram =
      dynamic_cast<const systems::CaseSubsystem<double>*>(&system);
  if (diagram == nullptr) return {};
  CaseSubsystem result;
  result.cases = diagram->cases();
  result.blocks = DescribeInners(*diagram);
  DescribeOptions(diagram->options(), &result);
  return result;
}

}  // namespace blocks

void internal::AddConditionalBlocks(BlockRegistry* registry) {
  registry->Add<blocks::EnabledSubsystem>();
  registry->Add<blocks::TriggeredSubsystem>();
  registry->Add<blocks::IfElseSubsystem>();
  registry->Add<blocks::CaseSubsystem>();
}

}  // namespace wyvern::systems
