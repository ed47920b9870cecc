// yaml-cpp tells what it reads as events, and the Builder makes a graph of
// nodes of them, with a stack of the sequences and mappings that are open. An
// alias is the node that it names once more, not a copy, but is counted as if
// written out: a short document can stand for billions of values and must be
// refused while it is read. An anchor is known from the end of its value on, so
// that no value can contain itself. Merge keys take effect when their mapping
// ends, because its own entries, also those that come later, win over merged
// ones.

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

namespace wyvern::yaml::internal {
namespace {

[[noreturn]] void Fail(const std::string& source, int line,
                       const std::string& what) {
  throw std::runtime_error(
      fmt::format("LoadYaml(): {}:{}: {}", source, line, what));
}

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
      Fail(source_, mark.line + 1,
           "an alias stands within the value that it stands for; a value can "
           "not contain itself");
    }
    Add(found->second, mark.line + 1);
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
    node->line = mark.line + 1;
    Remember(anchor, {node});
    Add({node}, node->line);
  }

  void Open(const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor, Node::Kind kind) {
    if (static_cast<int>(open_.size()) >= kMaxNesting) {
      FailNesting(mark.line + 1);
    }
    OpenValue open;
    open.node = std::make_shared<Node>();
    open.node->kind = kind;
    open.node->tag = ShortTag(tag);
    open.node->line = mark.line + 1;
    open.anchor = anchor;
    open_.push_back(std::move(open));
  }

  void Close() {
    OpenValue closed = std::move(open_.back());
    open_.pop_back();
    for (const Sized& merged : closed.merged) Merge(merged, &closed);
    const Sized sized{closed.node, closed.nodes, closed.height};
    Remember(closed.anchor, sized);
    Add(sized, closed.node->line);
  }

  // Hands a value to the sequence or mapping that it stands in.
  void Add(const Sized& value, int line) {
    if (open_.empty()) {
      root_ = value.node;
      return;
    }
    OpenValue& open = open_.back();
    if (open.node->kind == Node::Kind::kSequence) {
      Count(value, line, &open);
      open.node->items.push_back(value.node);
    } else if (!open.has_key) {
      TakeKey(*value.node, line, &open);
    } else {
      open.has_key = false;
      if (open.is_merge) {
        open.merged.push_back(value);
      } else {
        Count(value, line, &open);
        open.node->entries.emplace_back(open.key, value.node);
      }
    }
  }

  void TakeKey(const Node& node, int line, OpenValue* open) {
    if (node.kind != Node::Kind::kScalar) {
      Fail(source_, line,
           fmt::format("a key is {}; give a scalar", Describe(node)));
    }
    open->key = node.text;
    open->has_key = true;
    open->is_merge = node.text == "<<" && !node.is_quoted;
    if (!open->keys.insert(node.text).second) {
      Fail(source_, line,
           fmt::format("the key '{}' is there twice in the mapping that begins "
                       "in line {}; remove one",
                       node.text, open->node->line));
    }
  }

  // A merge key brings the entries of a mapping, or of several, the first of
  // which to have a key wins; those of the mapping itself come before all.
  void Merge(const Sized& value, OpenValue* into) {
    const int line = into->node->line;
    Count(value, line, into);
    std::vector<NodePtr> sources{value.node};
    if (value.node->kind == Node::Kind::kSequence) sources = value.node->items;
    for (const NodePtr& source : sources) {
      if (source->kind != Node::Kind::kMapping) {
        Fail(source_, line,
             fmt::format("the merge key '<<' of the mapping is given {}; give "
                         "a mapping or a sequence of mappings",
                         Describe(*source)));
      }
      for (const auto& entry : source->entries) {
        if (into->keys.insert(entry.first).second) {
          into->node->entries.push_back(entry);
        }
      }
    }
  }

  void Count(const Sized& value, int line, OpenValue* open) {
    if (value.nodes > kMaxNodes - open->nodes) {
      Fail(source_, line,
           fmt::format("with its aliases written out the document has more "
                       "than {} values; make it smaller",
                       kMaxNodes));
    }
    open->nodes += value.nodes;
    open->height = std::max(open->height, value.height + 1);
    if (open->height > kMaxNesting) FailNesting(line);
  }

  void Remember(YAML::anchor_t anchor, const Sized& value) {
    if (anchor != YAML::NullAnchor) anchors_[anchor] = value;
  }

  [[noreturn]] void FailNesting(int line) const {
    Fail(source_, line,
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
    Fail(source, 1,
         fmt::format("the text has {} bytes; {} is the limit", text.size(),
                     kMaxBytes));
  }
  std::istringstream stream(text);
  Builder builder(source);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder) || builder.root() == nullptr) {
      Fail(source, 1, "there is no document; give one");
    }
    Builder second(source);
    if (parser.HandleNextDocument(second) && second.root() != nullptr) {
      Fail(source, second.root()->line,
           "a second document begins; give one document alone");
    }
  } catch (const YAML::Exception& error) {
    Fail(source, error.mark.line + 1,
         fmt::format("this is no YAML ({})", error.msg));
  }
  return builder.root();
}

}  // namespace wyvern::yaml::internal
