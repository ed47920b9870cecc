/* The JSON text is gone through once, as brackets, strings, colons, commas and
numbers, with a stack of what is open. On the way, the children of nodes are
noted: of "nodes": [{"children": [1, 2]}, ...] in glTF 2, and of "nodes": {"a":
{"children": ["b"]}} in glTF 1. Nodes are then taken from the leaves up, each
after its children, so that nothing recurs here; nodes of a circle never come
up. Any other structure is Assimp's to judge. */

#include "wyvern/geometry/shapes/gltf_outline.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/geometry/shapes/mesh_text.h"

namespace wyvern::geometry::internal {

namespace {

constexpr std::size_t kDeepestJson = 100;
constexpr int kDeepestNodes = 200;
constexpr std::int64_t kMostNodes = 1'000'000;

// Returns the first chunk of a .glb file. Chunks begin at byte 12, each with
// its size and its kind, of 32 bits. Assimp allocates the size that a chunk
// states.
std::string_view FindJson(std::string_view bytes, const std::string& file) {
  constexpr std::size_t kFirst = 12, kHead = 8;
  if (!bytes.starts_with("glTF")) return bytes;
  std::size_t at = kFirst;
  while (bytes.size() >= at + kHead) {
    std::uint32_t size;
    std::memcpy(&size, bytes.data() + at, sizeof(size));
    at += kHead;
    if (size > bytes.size() - at) {
      ThrowOfMesh(file, fmt::format("cannot be read: it ends {} bytes into a "
                                    "chunk that is to have {}.",
                                    bytes.size() - at, size));
    }
    at += size;
  }
  std::uint32_t size = 0;
  if (bytes.size() < kFirst + kHead) return {};
  std::memcpy(&size, bytes.data() + kFirst, sizeof(size));
  return bytes.substr(kFirst + kHead, size);
}

class NodeFinder {
 public:
  NodeFinder(std::string_view json, const std::string& file)
      : json_(json), file_(file) {}

  // Each node's children, by names; those of glTF 2 are numbers.
  std::map<std::string, std::vector<std::string>> Find() {
    while (at_ < json_.size()) Step();
    return std::move(children_);
  }

 private:
  // An open object or array. Of an object, the key of the present value, of an
  // array, the number of the present element.
  struct Level {
    bool is_object{};
    std::string_view key;
    int element{0};
  };

  void Step() {
    const char c = json_[at_];
    if (c == '"') {
      text_ = ReadText();
      NoteChild(text_);
      return;
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
      const std::size_t end = std::min(
          json_.find_first_not_of("+-.0123456789eE", at_), json_.size());
      NoteChild(json_.substr(at_, end - at_));
      at_ = end;
      return;
    }
    ++at_;
    if (c == '{' || c == '[') Open(c == '{');
    if (open_.empty()) return;
    Level& level = open_.back();
    if (c == ':' && level.is_object) {
      RequirePlain(text_);
      level.key = text_;
    }
    if (c == ',') ++level.element;
    if (c == '}' || c == ']') open_.pop_back();
  }

  void Open(bool is_object) {
    if (open_.size() >= kDeepestJson) {
      ThrowOfMesh(file_, fmt::format("cannot be read: its JSON is nested more "
                                     "than {} deep; glTF needs less.",
                                     kDeepestJson));
    }
    open_.push_back({is_object, {}, 0});
  }

  // Reads the text between quotes and keeps escapes as they are written.
  std::string_view ReadText() {
    const std::size_t begin = ++at_;
    while (at_ < json_.size() && json_[at_] != '"') {
      at_ += json_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_, json_.size());
    const std::string_view text = json_.substr(begin, at_ - begin);
    at_ = std::min(at_ + 1, json_.size());
    return text;
  }

  // Keys that mean the same are to be written alike.
  void RequirePlain(std::string_view key) const {
    if (open_.size() > 3 || key.find('\\') == key.npos) return;
    ThrowOfMesh(file_, fmt::format("cannot be read: its key \"{}\" has an "
                                   "escape; write it without.",
                                   key));
  }

  void NoteChild(std::string_view child) {
    if (open_.size() != 4 || open_[0].key != "nodes" ||
        open_[2].key != "children") {
      return;
    }
    RequirePlainChild(child);
    const Level& nodes = open_[1];
    std::string node = nodes.is_object ? std::string(nodes.key)
                                       : std::to_string(nodes.element);
    children_[std::move(node)].emplace_back(child);
  }

  void RequirePlainChild(std::string_view child) const {
    if (child.find('\\') == child.npos) return;
    ThrowOfMesh(file_, fmt::format("cannot be read: the child \"{}\" of a node "
                                   "has an escape; write it without.",
                                   child));
  }

  const std::string_view json_;
  const std::string& file_;
  std::size_t at_{0};
  std::string_view text_;  // The last one.
  std::vector<Level> open_;
  std::map<std::string, std::vector<std::string>> children_;
};

// Content of a node's subtree, the node included.
struct Below {
  int depth{1};
  std::int64_t count{1};
};

}  // namespace

void RequireShallowGltf(std::string_view bytes, const std::string& file) {
  const auto children = NodeFinder(FindJson(bytes, file), file).Find();
  std::map<std::string, std::vector<std::string>> parents;
  std::map<std::string, std::size_t> num_left;
  for (const auto& [node, list] : children) {
    num_left[node] += list.size();
    for (const std::string& child : list) {
      num_left[child];
      parents[child].push_back(node);
    }
  }
  std::map<std::string, Below> below;
  std::vector<std::string> ready;
  for (const auto& [node, count] : num_left) {
    if (count == 0) ready.push_back(node);
  }
  std::size_t num_done = 0;
  for (; !ready.empty(); ++num_done) {
    const std::string node = std::move(ready.back());
    ready.pop_back();
    const Below its = below[node];
    if (its.depth > kDeepestNodes || its.count > kMostNodes) {
      ThrowOfMesh(file,
                  fmt::format("cannot be read: its nodes are more than {} in "
                              "each other, or more than {} in one.",
                              kDeepestNodes, kMostNodes));
    }
    for (const std::string& parent : parents[node]) {
      Below& sum = below[parent];
      sum.depth = std::max(sum.depth, its.depth + 1);
      sum.count += its.count;
      if (--num_left[parent] == 0) ready.push_back(parent);
    }
  }
  if (num_done < num_left.size()) {
    ThrowOfMesh(file, "cannot be read: one of its nodes is in itself.");
  }
}

}  // namespace wyvern::geometry::internal
