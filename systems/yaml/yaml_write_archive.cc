#include "wyvern/systems/yaml/yaml_write_archive.h"

#include <utility>

#include <yaml-cpp/binary.h>

#include "wyvern/systems/yaml/yaml_scalars.h"

namespace wyvern::yaml::internal {

std::shared_ptr<Node> YamlWriteArchive::MakeNode(Node::Kind kind) {
  return WriteEmpty(kind);
}

std::shared_ptr<Node> WriteEmpty(Node::Kind kind) {
  auto node = std::make_shared<Node>();
  node->kind = kind;
  return node;
}

std::shared_ptr<Node> WritePlain(std::string text) {
  auto node = WriteEmpty(Node::Kind::kScalar);
  node->text = std::move(text);
  return node;
}

std::shared_ptr<Node> WriteDouble(double value) {
  return WritePlain(FromDouble(value));
}

std::shared_ptr<Node> WriteString(const std::string& value) {
  auto node = WritePlain(value);
  node->is_quoted = NeedsQuotes(value);
  return node;
}

std::shared_ptr<Node> WriteBytes(const std::vector<std::byte>& value) {
  auto node = WritePlain(YAML::EncodeBase64(
      reinterpret_cast<const unsigned char*>(value.data()), value.size()));
  node->tag = kBinaryTag;
  // Without quotes an empty text would be null.
  node->is_quoted = value.empty();
  return node;
}

}  // namespace wyvern::yaml::internal
