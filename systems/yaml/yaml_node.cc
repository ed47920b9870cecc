#include "wyvern/systems/yaml/yaml_node.h"

#include <algorithm>

#include <fmt/format.h>
#include <yaml-cpp/emitter.h>

namespace wyvern::yaml::internal {
namespace {

bool IsFlat(const Node& node) {
  return std::all_of(
      node.items.begin(), node.items.end(), [](const NodePtr& item) {
        return item->kind == Node::Kind::kScalar && item->tag.empty();
      });
}

void EmitTag(const std::string& tag, YAML::Emitter* out) {
  if (tag.starts_with("!!")) {
    *out << YAML::SecondaryTag(tag.substr(2));
  } else if (!tag.empty()) {
    *out << YAML::LocalTag(tag.substr(1));
  }
}

void Emit(const Node& node, YAML::Emitter* out) {
  EmitTag(node.tag, out);
  switch (node.kind) {
    case Node::Kind::kNull:
      *out << YAML::Null;
      break;
    case Node::Kind::kScalar:
      if (node.is_quoted) *out << YAML::DoubleQuoted;
      *out << node.text;
      break;
    case Node::Kind::kSequence:
      *out << (IsFlat(node) ? YAML::Flow : YAML::Block) << YAML::BeginSeq;
      for (const NodePtr& item : node.items) Emit(*item, out);
      *out << YAML::EndSeq;
      break;
    case Node::Kind::kMapping:
      *out << YAML::Block << YAML::BeginMap;
      for (const auto& [key, value] : node.entries) {
        *out << YAML::Key << key << YAML::Value;
        Emit(*value, out);
      }
      *out << YAML::EndMap;
      break;
  }
}

}  // namespace

const Node* Node::Find(const std::string& key) const {
  for (const auto& [name, value] : entries) {
    if (name == key) return value.get();
  }
  return nullptr;
}

std::string Describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kNull:
      return "null";
    case Node::Kind::kScalar:
      return fmt::format("the scalar '{}'", node.text);
    case Node::Kind::kSequence:
      return fmt::format("a sequence of {}", node.items.size());
    case Node::Kind::kMapping:
      break;
  }
  return "a mapping";
}

bool AreEqual(const Node& a, const Node& b) {
  const auto same_item = [](const NodePtr& x, const NodePtr& y) {
    return AreEqual(*x, *y);
  };
  const auto same_entry = [](const auto& x, const auto& y) {
    return x.first == y.first && AreEqual(*x.second, *y.second);
  };
  return a.kind == b.kind && a.tag == b.tag && a.text == b.text &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(),
                    b.items.end(), same_item) &&
         std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(),
                    b.entries.end(), same_entry);
}

NodePtr WithoutEntriesOf(const Node& other, const Node& node) {
  auto result = std::make_shared<Node>(node);
  if (node.kind != Node::Kind::kMapping || node.tag != other.tag) return result;
  result->entries.clear();
  for (const auto& [key, value] : node.entries) {
    const Node* same_key = other.Find(key);
    if (same_key == nullptr) {
      result->entries.emplace_back(key, value);
    } else if (!AreEqual(*same_key, *value)) {
      result->entries.emplace_back(key, WithoutEntriesOf(*same_key, *value));
    }
  }
  return result;
}

std::string WriteYaml(const Node& node) {
  YAML::Emitter out;
  Emit(node, &out);
  return std::string(out.c_str(), out.size()) + "\n";
}

}  // namespace wyvern::yaml::internal
