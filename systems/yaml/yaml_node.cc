#include "wyvern/systems/yaml/yaml_node.h"

#include <algorithm>

#include <fmt/format.h>
#include <yaml-cpp/emitter.h>

/* Trees of YAML nodes: comparison, differences, text, and names that are nearly
right. WithoutEntriesOf() removes the entries that equal those of another tree,
so that a saved file has what differs from the defaults. FindNearest() counts
slips by the optimal string alignment distance (Damerau 1964): letters changed,
left out, put in or swapped; a name is near within a third of its letters.
yaml-cpp writes the text. Equal trees differ by nothing. */

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

// How many letters must be changed, left out, put in or swapped with the next.
int CountSlips(const std::string& a, const std::string& b) {
  const int n = static_cast<int>(b.size());
  std::vector<int> before(n + 1), last(n + 1), row(n + 1);
  for (int j = 0; j <= n; ++j) last[j] = j;
  for (int i = 1; i <= static_cast<int>(a.size()); ++i) {
    row[0] = i;
    for (int j = 1; j <= n; ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1,
                         last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(last);
    last.swap(row);
  }
  return last[n];
}

}  // namespace

std::string ToString(const Spot& spot) {
  return spot.line == 0 ? "(added)"
                        : fmt::format("{}:{}", spot.line, spot.column);
}

std::string FindNearest(const std::string& name,
                        const std::vector<std::string>& names) {
  constexpr std::size_t kLongest = 100;  // Of a name that a person types.
  if (name.size() > kLongest) return "";
  std::string nearest;
  int fewest = 1 + std::max(1, static_cast<int>(name.size()) / 3);
  for (const std::string& other : names) {
    if (other.size() > kLongest) continue;
    const int slips = CountSlips(name, other);
    if (slips >= fewest) continue;
    fewest = slips;
    nearest = other;
  }
  return nearest;
}

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
