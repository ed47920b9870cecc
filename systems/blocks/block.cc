#include "wyvern/systems/blocks/block.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/blocks/block_registry.h"
#include "wyvern/systems/common/file_paths.h"

namespace wyvern::systems {

using yaml::internal::Node;
using yaml::internal::Place;

namespace internal {

BlockSpec::~BlockSpec() = default;

std::string DescribePlace(const Place& place, const Node& node) {
  return fmt::format("{}:{}: '{}'", *place.source, ToString(node.spot),
                     ToString(place));
}

}  // namespace internal

BlockSite::BlockSite(const BlockSite& around, const std::filesystem::path& file)
    : around_(&around),
      file_(wyvern::internal::MakeCanonical("DiagramFile", file)),
      folder_(file_.parent_path()),
      count_(around.count_) {
  CountBlocks(kBlocksAFile);
  int depth = 0;
  for (const BlockSite* site = around_; site != nullptr; site = site->around_) {
    if (site->file_ == file_) {
      throw std::runtime_error(fmt::format(
          "the file '{}' includes itself; let no file include one that it is "
          "included by.",
          file.string()));
    }
    ++depth;
  }
  if (depth > kMaxFiles) {
    throw std::runtime_error(fmt::format(
        "the file '{}' is within {} others, and {} at most are possible; "
        "include fewer files in each other.",
        file.string(), depth, kMaxFiles));
  }
}

void BlockSite::CountBlocks(std::int64_t count) const {
  *count_ += count;
  if (*count_ <= kMaxBlocks) return;
  throw std::runtime_error(fmt::format(
      "there are more than {} blocks; use blocks of vectors, or fewer files.",
      kMaxBlocks));
}

std::unique_ptr<System<double>> Block::Make(const BlockSite& site) const {
  if (spec_ == nullptr) {
    throw std::logic_error(
        "Block::Make(): there is no block; give the parameters of one.");
  }
  return spec_->Make(site);
}

void Block::ReadYaml(const Place& place, const Node& node) {
  const BlockRegistry& registry = BlockRegistry::Get();
  if (node.tag.empty()) {
    Fail(place, node,
         "has no tag that names a block; give one, as in `!Gain {k: [2]}`");
  }
  const BlockType* type = registry.Find(node.tag.substr(1));
  if (type == nullptr) {
    Fail(place, node,
         fmt::format("has the tag {}, which is no block; {}", node.tag,
                     registry.SuggestFor(node.tag.substr(1))));
  }
  type_ = type->name;
  where_ = internal::DescribePlace(place, node);
  const auto spec = type->make_default();
  // A tag alone, as in `x: !Integrator`, is a block with its defaults.
  if (node.kind == Node::Kind::kNull ||
      (node.kind == Node::Kind::kScalar && node.text.empty())) {
    Node empty;
    empty.kind = Node::Kind::kMapping;
    empty.spot = node.spot;
    spec->Read(place, empty);
  } else {
    spec->Read(place, node);
  }
  spec_ = spec;
}

std::shared_ptr<Node> Block::WriteYaml() const {
  auto node = spec_ == nullptr ? std::make_shared<Node>() : spec_->Write();
  if (!type_.empty()) node->tag = "!" + type_;
  return node;
}

std::string Block::MakeSchema() { return R"({"$ref": "#/$defs/block"})"; }

}  // namespace wyvern::systems
