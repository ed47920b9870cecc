#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "wyvern/systems/blocks/block.h"
#include "wyvern/systems/common/described_value.h"
#include "wyvern/systems/yaml/yaml_schema.h"

namespace wyvern::systems {

/** A type of blocks. */
struct BlockType {
  /** "Gain" */
  std::string name;
  /** A sentence for users. */
  std::string summary;
  /** JSON schema of the parameters. */
  std::string schema;
  std::shared_ptr<internal::BlockSpec> (*make_default)(){};
  /** Returns the parameters of a System, or null if it is of another type. */
  std::shared_ptr<const internal::BlockSpec> (*describe)(
      const System<double>& system){};
};

/** The types of blocks that a scenario can name. A type is a struct:
@code
struct Wobble {
  static constexpr char kSummary[] = "y = u + amplitude sin(t).";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(amplitude, "Amplitude, in the unit of u."));
  }
  std::unique_ptr<System<double>> Make() const;   // or Make(const BlockSite&)
  double amplitude{1};
};
@endcode
After `BlockRegistry::GetMutable().Add<Wobble>()` it is `!Wobble {amplitude: 2}`
in YAML. With a function `static std::optional<Wobble> From(const
System<double>&)`, which is empty for a System of another type, SaveDiagram()
can write such blocks. The struct's Make() checks the parameters, as a rule by
the block's constructor.

The blocks of this library are there from the start. Types are added before
other threads read the registry. */
class BlockRegistry {
 public:
  /** Returns the only registry, to find types. */
  static const BlockRegistry& Get() { return GetMutable(); }
  /** Returns the only registry, to add types. */
  static BlockRegistry& GetMutable();

  /** Adds a type. @throws std::logic_error if there is one of its name. */
  template <typename Spec>
  void Add() {
    BlockType type;
    type.name = yaml::internal::TagOf<Spec>().substr(1);
    type.summary = Spec::kSummary;
    type.schema = yaml::SchemaOf(Spec{});
    type.make_default = []() -> std::shared_ptr<internal::BlockSpec> {
      return std::make_shared<internal::BlockSpecOf<Spec>>();
    };
    type.describe = [](const System<double>& system)
        -> std::shared_ptr<const internal::BlockSpec> {
      if constexpr (requires { Spec::From(system); }) {
        if (auto spec = Spec::From(system)) {
          return std::make_shared<internal::BlockSpecOf<Spec>>(*spec);
        }
      }
      return nullptr;
    };
    Add(std::move(type));
  }
  void Add(BlockType type);

  /** Returns the type of a name, or null. */
  const BlockType* Find(const std::string& name) const;
  /** Returns the names of all types, sorted. */
  std::vector<std::string> names() const;
  /** Returns "is 'Gain' meant?", or a list of all names. */
  std::string SuggestFor(const std::string& name) const;

  /** Returns the parameters of a System as a Block.
  @throws std::logic_error if no registered type describes it. */
  Block Describe(const System<double>& system) const;

  /** The JSON schema of a block, of any type; see yaml_schema.h. */
  std::string MakeSchema() const;

 private:
  std::map<std::string, BlockType> types_;
};

}  // namespace wyvern::systems
