#include "wyvern/systems/blocks/nested_blocks.h"

#include <filesystem>
#include <map>
#include <typeinfo>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/systems/blocks/block_registry.h"
#include "wyvern/systems/blocks/make_diagram.h"
#include "wyvern/systems/blocks/standard_blocks.h"
#include "wyvern/systems/yaml/yaml_io.h"
#include "wyvern/systems/yaml/yaml_parse.h"

/* A file with parameters is a template: before it is read as a DiagramData,
each scalar `$name` is replaced by the value of the parameter. A value that
came from another file gets the place of the scalar, so that messages point
into the file that they name. The values together are no larger than a
document may be, and files within files are counted by their BlockSite, so
work is bounded whatever files include each other. */

namespace wyvern::systems {

namespace internal {

using yaml::internal::Node;
using yaml::internal::NodePtr;
using yaml::internal::Place;

void YamlValue::ReadYaml(const Place&, const Node& node) {
  value = std::make_shared<Node>(node);
}

std::shared_ptr<Node> YamlValue::WriteYaml() const {
  return value == nullptr ? std::make_shared<Node>()
                          : std::make_shared<Node>(*value);
}

namespace {

constexpr char kParameters[] = "parameters";

// Puts values in place of `$name`.
class Substitution {
 public:
  Substitution(const Place& document, const Node& root,
               const NamedList<YamlValue>& given) {
    if (const Node* defaults = root.Find(kParameters)) {
      const Place place(document, kParameters);
      yaml::internal::RequireMapping(place, *defaults);
      for (const auto& [name, value] : defaults->entries) {
        values_[name] = value;
      }
    }
    for (const auto& [name, value] : given.items) {
      RequireKnown(Place(document, kParameters), root.spot, name);
      values_[name] = value.value;
    }
  }

  NodePtr Apply(const Place& place, const NodePtr& node) {
    RequireSize(place, *node);
    if (node->kind == Node::Kind::kScalar && !node->is_quoted &&
        node->text.starts_with('$')) {
      const std::string name = node->text.substr(1);
      RequireKnown(place, node->spot, name);
      return CopyTo(*node, place, *values_.at(name));
    }
    if (node->items.empty() && node->entries.empty()) return node;
    auto result = std::make_shared<Node>(*node);
    for (std::size_t i = 0; i < node->items.size(); ++i) {
      result->items[i] =
          Apply(Place(place, static_cast<int>(i)), node->items[i]);
    }
    for (std::size_t i = 0; i < node->entries.size(); ++i) {
      const auto& [key, value] = node->entries[i];
      result->entries[i].second = Apply(Place(place, key.c_str()), value);
    }
    return result;
  }

 private:
  void RequireKnown(const Place& place, const yaml::internal::Spot& spot,
                    const std::string& name) const {
    if (values_.contains(name)) return;
    std::vector<std::string> names;
    for (const auto& [known, value] : values_) names.push_back(known);
    const std::string nearest = yaml::internal::FindNearest(name, names);
    Fail(place, spot,
         fmt::format("needs a parameter '{}', but the file's are [{}]; {}",
                     name, fmt::join(names, ", "),
                     nearest.empty() ? "add it to the key 'parameters'"
                                     : "is '" + nearest + "' meant?"));
  }

  void RequireSize(const Place& place, const Node& node) {
    if (++count_ <= yaml::internal::kMaxNodes) return;
    Fail(place, node,
         fmt::format("makes a document of more than {} values; use smaller "
                     "parameters",
                     yaml::internal::kMaxNodes));
  }

  // Returns a copy of a parameter's value whose place is that of `target`.
  NodePtr CopyTo(const Node& target, const Place& place, const Node& value) {
    RequireSize(place, target);
    auto result = std::make_shared<Node>(value);
    result->spot = target.spot;
    for (auto& spot : result->key_spots) spot = target.spot;
    for (NodePtr& item : result->items) item = CopyTo(target, place, *item);
    for (auto& [key, entry] : result->entries) {
      entry = CopyTo(target, place, *entry);
    }
    return result;
  }

  std::map<std::string, NodePtr> values_;
  int count_{0};
};

}  // namespace

DiagramData ReadDiagramFile(const std::string& filename,
                            const NamedList<YamlValue>& given) {
  NodePtr root =
      yaml::internal::Parse(yaml::internal::ReadFile(filename), filename);
  const yaml::LoadYamlOptions options{.allow_cpp_with_no_yaml = true};
  const Place document(&filename, &options);
  yaml::internal::RequireMapping(document, *root);
  Substitution substitution(document, *root, given);
  auto rest = std::make_shared<Node>(*root);
  for (std::size_t i = 0; i < rest->entries.size(); ++i) {
    if (rest->entries[i].first != kParameters) continue;
    rest->entries.erase(rest->entries.begin() + i);
    rest->key_spots.erase(rest->key_spots.begin() + i);
    break;
  }
  root = substitution.Apply(document, rest);
  DiagramData result;
  yaml::internal::Read(document, *root, &result);
  return result;
}

}  // namespace internal

namespace blocks {

std::unique_ptr<System<double>> Diagram::Make(const BlockSite& site) const {
  return MakeDiagram(*this, site);
}

std::optional<Diagram> Diagram::From(const System<double>& system) {
  if (typeid(system) != typeid(systems::Diagram<double>)) return {};
  return Diagram{
      DescribeDiagram(static_cast<const systems::Diagram<double>&>(system))};
}

std::unique_ptr<System<double>> DiagramFile::Make(const BlockSite& site) const {
  const std::filesystem::path path = site.folder() / file;
  const BlockSite inner(site, path);
  return MakeDiagram(internal::ReadDiagramFile(path.string(), parameters),
                     inner);
}

}  // namespace blocks

void internal::AddNestedBlocks(BlockRegistry* registry) {
  registry->Add<blocks::Diagram>();
  registry->Add<blocks::DiagramFile>();
}

}  // namespace wyvern::systems
