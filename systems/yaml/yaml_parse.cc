#include "wyvern/systems/yaml/yaml_parse.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <yaml-cpp/anchor.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

/* yaml-cpp tells what it reads as events, and the Builder makes a graph of
nodes of them, with a stack of the sequences and mappings that are open. An
alias is the node that it names once more, not a copy, but is counted as if
written out: a short document can stand for billions of values and must be
refused while it is read. An anchor is known from the end of its value on, so
that no value can contain itself. Merge keys take effect when their mapping
ends, because its own entries, also those that come later, win over merged
ones. */

namespace wyvern::yaml::internal {
namespace {

[[noreturn]] void Fail(const std::string& source, const Spot& at,
                       const std::string& what) {
  throw std::runtime_error(
      fmt::format("LoadYaml(): {}:{}: {}", source, ToString(at), what));
}

Spot SpotOf(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

// yaml-cpp tells "no tag" by "" or "?", "quoted without tag" by "!".
std::string ShortTag(const std::string& tag) {
  const std::string standard = "tag:yaml.org,2002:";
  if (tag == "?" || tag == "!") return "";
  if (tag.starts_with(standard)) return "!!" + tag.substr(standard.size());
  return tag;
}

// Builds the graph from the parser's events. Throwing from an event is what
// keeps the parser, which recurses from value to value, from going too deep.
class Builder final : public YAML::EventHandler {
 public:
  explicit Builder(const std::string& source) : source_(source) {}

  NodePtr root() const { return root_; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    AddLeaf(mark, {}, anchor, Node::Kind::kNull, "");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag,
                YAML::anchor_t anchor, const std::string& text) override {
    AddLeaf(mark, tag, anchor, Node::Kind::kScalar, text);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      Fail(source_, SpotOf(mark),
           "an alias stands within the value that it stands for; a value can "
           "not contain itself");
    }
    Add(found->second, SpotOf(mark));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    Open(mark, tag, anchor, Node::Kind::kSequence);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag,
                  YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    Open(mark, tag, anchor, Node::Kind::kMapping);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapEnd() override { Close(); }

 private:
  // A value with what bounds the work of those who walk over it.
  struct Sized {
    NodePtr node;
    int nodes{1};
    int height{0};
  };
  // A sequence or mapping that has not ended.
  struct OpenValue {
    std::shared_ptr<Node> node;
    YAML::anchor_t anchor{};
    int nodes{1};
    int height{0};
    bool has_key{false};
    bool is_merge{false};
    std::string key;
    Spot key_spot;
    std::unordered_set<std::string> keys;
    std::vector<Sized> merged;
  };

  void AddLeaf(const YAML::Mark& mark, const std::string& tag,
               YAML::anchor_t anchor, Node::Kind kind,
               const std::string& text) {
    auto node = std::make_shared<Node>();
    node->kind = kind;
    node->tag = ShortTag(tag);
    node->text = text;
    node->is_quoted = tag == "!";
    node->spot = SpotOf(mark);
    Remember(anchor, {node});
    Add({node}, node->spot);
  }

  void Open(const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor, Node::Kind kind) {
    if (static_cast<int>(open_.size()) >= kMaxNesting) {
      FailNesting(SpotOf(mark));
    }
    OpenValue open;
    open.node = std::make_shared<Node>();
    open.node->kind = kind;
    open.node->tag = ShortTag(tag);
    open.node->spot = SpotOf(mark);
    open.anchor = anchor;
    open_.push_back(std::move(open));
  }

  void Close() {
    OpenValue closed = std::move(open_.back());
    open_.pop_back();
    for (const Sized& merged : closed.merged) Merge(merged, &closed);
    const Sized sized{closed.node, closed.nodes, closed.height};
    Remember(closed.anchor, sized);
    Add(sized, closed.node->spot);
  }

  // Hands a value to the sequence or mapping that it stands in.
  void Add(const Sized& value, const Spot& at) {
    if (open_.empty()) {
      root_ = value.node;
      return;
    }
    OpenValue& open = open_.back();
    if (open.node->kind == Node::Kind::kSequence) {
      Count(value, at, &open);
      open.node->items.push_back(value.node);
    } else if (!open.has_key) {
      TakeKey(*value.node, at, &open);
    } else {
      open.has_key = false;
      if (open.is_merge) {
        open.merged.push_back(value);
      } else {
        Count(value, at, &open);
        open.node->entries.emplace_back(open.key, value.node);
        open.node->key_spots.push_back(open.key_spot);
      }
    }
  }

  void TakeKey(const Node& node, const Spot& at, OpenValue* open) {
    if (node.kind != Node::Kind::kScalar) {
      Fail(source_, at,
           fmt::format("a key is {}; give a scalar", Describe(node)));
    }
    open->key = node.text;
    open->key_spot = node.spot;
    open->has_key = true;
    open->is_merge = node.text == "<<" && !node.is_quoted;
    if (!open->keys.insert(node.text).second) {
      Fail(source_, at,
           fmt::format("the key '{}' is there twice in the mapping that begins "
                       "in line {}; remove one",
                       node.text, open->node->spot.line));
    }
  }

  // A merge key brings the entries of a mapping, or of several, the first of
  // which to have a key wins; those of the mapping itself come before all.
  void Merge(const Sized& value, OpenValue* into) {
    const Spot at = into->node->spot;
    Count(value, at, into);
    std::vector<NodePtr> sources{value.node};
    if (value.node->kind == Node::Kind::kSequence) sources = value.node->items;
    for (const NodePtr& source : sources) {
      if (source->kind != Node::Kind::kMapping) {
        Fail(source_, at,
             fmt::format("the merge key '<<' of the mapping is given {}; give "
                         "a mapping or a sequence of mappings",
                         Describe(*source)));
      }
      for (std::size_t i = 0; i < source->entries.size(); ++i) {
        if (into->keys.insert(source->entries[i].first).second) {
          into->node->entries.push_back(source->entries[i]);
          into->node->key_spots.push_back(source->key_spots[i]);
        }
      }
    }
  }

  void Count(const Sized& value, const Spot& at, OpenValue* open) {
    if (value.nodes > kMaxNodes - open->nodes) {
      Fail(source_, at,
           fmt::format("with its aliases written out the document has more "
                       "than {} values; make it smaller",
                       kMaxNodes));
    }
    open->nodes += value.nodes;
    open->height = std::max(open->height, value.height + 1);
    if (open->height > kMaxNesting) FailNesting(at);
  }

  void Remember(YAML::anchor_t anchor, const Sized& value) {
    if (anchor != YAML::NullAnchor) anchors_[anchor] = value;
  }

  [[noreturn]] void FailNesting(const Spot& at) const {
    Fail(source_, at,
         fmt::format("values are nested more than {} deep; make the document "
                     "flatter",
                     kMaxNesting));
  }

  const std::string& source_;
  std::vector<OpenValue> open_;
  std::unordered_map<YAML::anchor_t, Sized> anchors_;
  NodePtr root_;
};

}  // namespace

NodePtr ParseYaml(const std::string& text, const std::string& source) {
  if (text.size() > static_cast<std::size_t>(kMaxBytes)) {
    Fail(source, {1, 1},
         fmt::format("the text has {} bytes; {} is the limit", text.size(),
                     kMaxBytes));
  }
  std::istringstream stream(text);
  Builder builder(source);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder) || builder.root() == nullptr) {
      Fail(source, {1, 1}, "there is no document; give one");
    }
    Builder second(source);
    if (parser.HandleNextDocument(second) && second.root() != nullptr) {
      Fail(source, second.root()->spot,
           "a second document begins; give one document alone");
    }
  } catch (const YAML::Exception& error) {
    Fail(source, SpotOf(error.mark),
         fmt::format("this is no YAML ({})", error.msg));
  }
  return builder.root();
}

}  // namespace wyvern::yaml::internal
