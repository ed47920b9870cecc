#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace wyvern::yaml::internal {

struct Node;
using NodePtr = std::shared_ptr<const Node>;

/** Where in a document something is: from 1 on; 0 if it was not read from one.
 */
struct Spot {
  int line{0};
  int column{0};
};

/** One value of a YAML document. Anchored values are shared, so that a document
is a directed graph without cycles. */
struct Node {
  enum class Kind { kNull, kScalar, kSequence, kMapping };

  Kind kind{Kind::kNull};
  /** As written: "!Name", "!!int"; empty if there is none. */
  std::string tag;
  /** Text of a scalar, without quotes. */
  std::string text;
  /** Whether a scalar's text is a string, whatever it looks like. */
  bool is_quoted{false};
  std::vector<NodePtr> items;
  /** In the order of the document; no key occurs twice. */
  std::vector<std::pair<std::string, NodePtr>> entries;
  /** Where the keys begin, if they were read from a document. */
  std::vector<Spot> key_spots;
  /** Where the value begins. */
  Spot spot{};

  /** The value of a key, or null. */
  const Node* Find(const std::string& key) const;
};

/** "line:column", or "(added)" to what was read. */
std::string ToString(const Spot& spot);

/** Returns the name in `names` that is a slip of the pen away from `name`, so
that a message can suggest it; "" if there is none. */
std::string FindNearest(const std::string& name,
                        const std::vector<std::string>& names);

/** "a mapping", "the scalar '3'" and so on, for messages. */
std::string Describe(const Node& node);

/** Whether two values are the same, but for where they were read. */
bool AreEqual(const Node& a, const Node& b);

/** Takes from a mapping, and from the mappings in it, the entries that `other`
has with the same value. */
NodePtr WithoutEntriesOf(const Node& other, const Node& node);

/** The document of this value. Sequences of scalars go on one line. */
std::string WriteYaml(const Node& node);

}  // namespace wyvern::yaml::internal
