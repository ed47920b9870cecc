#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "wyvern/systems/yaml/yaml_node.h"

namespace wyvern::app {

/** Keys of mappings, from the document down: {"blocks", "gain"}. */
using YamlKeys = std::vector<std::string>;

/** The text of a YAML document to which entries and items are added, and from
which they are removed. Comments and the layout of all other values stay.

Each edit is verified: the new text is parsed and compared with the document
that the edit should give. Otherwise, and if the edit is not possible, the edit
throws std::runtime_error and the text stays as it was. Work is linear in the
length of the text. */
class YamlText {
 public:
  /** @param source names the text in messages.
  @throws std::runtime_error if the text is not a YAML mapping. */
  YamlText(std::string text, std::string source);

  /** Returns the text after all edits. */
  const std::string& text() const { return text_; }
  /** Returns the document. */
  const yaml::internal::NodePtr& root() const { return root_; }

  /** Adds an entry to a mapping, and the mappings around it that are missing.
  The entry is the last one. */
  void AddEntry(const YamlKeys& keys, const yaml::internal::NodePtr& value);
  /** Replaces the value of an entry. Comments inside the old value go. */
  void ReplaceEntry(const YamlKeys& keys, const yaml::internal::NodePtr& value);
  /** Removes an entry, and mappings that become empty. */
  void RemoveEntry(YamlKeys keys);
  /** Adds a last item to the sequence of a key of the document, which is made
  if it is missing. */
  void AddItem(const std::string& key, const yaml::internal::NodePtr& value);
  /** Removes an item from such a sequence, and the sequence if it becomes
  empty. */
  void RemoveItem(const std::string& key, std::size_t index);

 private:
  using Node = yaml::internal::Node;
  using NodePtr = yaml::internal::NodePtr;

  // A collection in brackets: places of the brackets, of the commas between its
  // items, and behind its last item or comma.
  struct Flow {
    std::size_t open{};
    std::size_t close{};
    std::size_t last{};
    std::vector<std::size_t> commas;
  };
  // Numbers of lines: the first one, the one behind the last line with a value,
  // and behind the last line that is indented as a part.
  struct Lines {
    std::size_t first{};
    std::size_t end{};
    std::size_t insert{};
  };

  void Read();
  std::size_t OffsetOf(const yaml::internal::Spot& spot) const;
  std::string LineText(std::size_t line) const;
  bool IsFlow(const Node& node, std::size_t* open) const;
  Flow ScanFlow(std::size_t open) const;
  Lines FindLines(const yaml::internal::Spot& start, std::size_t column,
                  const Node& value, bool is_item) const;
  Lines FindEntry(const Node& mapping, std::size_t index) const;
  Lines FindItem(const Node& sequence, std::size_t index) const;
  std::string InsertLines(std::size_t line, const std::string& lines) const;
  std::string EraseLines(const Lines& lines) const;
  std::string InsertIntoFlow(std::size_t open, const std::string& item) const;
  std::string EraseFromFlow(std::size_t open, std::size_t index) const;
  std::string IndentEntry(const std::string& key, const Node& value,
                          std::size_t column) const;
  const Node& FindMapping(const YamlKeys& keys, std::size_t count) const;
  void Commit(const std::string& path, std::string text, const NodePtr& wanted);
  [[noreturn]] void Throw(const std::string& path,
                          const std::string& what) const;

  std::string text_;
  std::string source_;
  std::string newline_;
  NodePtr root_;
  std::vector<std::size_t> starts_;  // Of lines.
};

/** Returns a value on one line, as YAML has it within brackets: `!Gain {k:
[2]}`. @throws std::runtime_error if a tag is not a word. */
std::string WriteFlowYaml(const yaml::internal::Node& node);

}  // namespace wyvern::app
