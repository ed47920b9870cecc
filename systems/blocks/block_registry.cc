#include "wyvern/systems/blocks/block_registry.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/systems/blocks/standard_blocks.h"

namespace wyvern::systems {

BlockRegistry& BlockRegistry::GetMutable() {
  static BlockRegistry registry = [] {
    BlockRegistry result;
    internal::AddStandardBlocks(&result);
    return result;
  }();
  return registry;
}

void BlockRegistry::Add(BlockType type) {
  const std::string name = type.name;
  if (types_.emplace(name, std::move(type)).second) return;
  throw std::logic_error(fmt::format(
      "BlockRegistry::Add(): there is a block '{}' already; give the struct "
      "another name.",
      name));
}

const BlockType* BlockRegistry::Find(const std::string& name) const {
  const auto found = types_.find(name);
  return found == types_.end() ? nullptr : &found->second;
}

std::vector<std::string> BlockRegistry::names() const {
  std::vector<std::string> result;
  for (const auto& [name, type] : types_) result.push_back(name);
  return result;
}

std::string BlockRegistry::SuggestFor(const std::string& name) const {
  const std::string nearest = yaml::internal::FindNearest(name, names());
  return nearest.empty()
             ? fmt::format("give one of [!{}]", fmt::join(names(), ", !"))
             : fmt::format("is '!{}' meant?", nearest);
}

Block BlockRegistry::Describe(const System<double>& system) const {
  for (const auto& [name, type] : types_) {
    if (auto spec = type.describe(system)) return Block(name, std::move(spec));
  }
  throw std::logic_error(fmt::format(
      "BlockRegistry::Describe(): the block '{}' is a {}, which no registered "
      "type describes; add a type whose From() does.",
      system.GetSystemPathname(), system.GetSystemType()));
}

std::string BlockRegistry::MakeSchema() const {
  std::string all;
  for (const auto& [name, type] : types_) {
    std::string schema = type.schema;
    yaml::internal::AddToSchema("description", type.summary, &schema);
    yaml::internal::AddToSchema("title", "!" + name, &schema);
    all += (all.empty() ? "" : ",\n") + schema;
  }
  return fmt::format(R"({{"anyOf": [{}]}})", all);
}

}  // namespace wyvern::systems
