#include "wyvern/app/yaml_text.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/systems/common/json_text.h"
#include "wyvern/systems/yaml/yaml_io.h"

/* An edit is made twice: on the tree of nodes, and on the text. The nodes tell
where values begin, not where they end. In a block, an entry ends before the
first line that is not indented further than its key; lines of comments belong
to whatever follows. In brackets, an item ends before the next comma outside of
inner brackets, quotes and comments. Both rules fail for unusual layouts, such
as merge keys, so the new text is parsed and compared with the edited tree.
An edit of which text and tree disagree is refused. */

namespace wyvern::app {

using yaml::internal::AreEqual;
using yaml::internal::Node;
using yaml::internal::NodePtr;
using yaml::internal::Spot;

namespace {

constexpr std::size_t kLongestLine = 100;

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::size_t IndentOf(const std::string& line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

bool IsBlank(const std::string& line) {
  return std::ranges::all_of(line, IsSpace);
}

bool IsComment(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first != line.npos && line[first] == '#';
}

// Whether a text can stand without quotes everywhere.
bool IsPlain(const std::string& text) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_';
  };
  return std::ranges::any_of(text, is_word) &&
         std::ranges::all_of(text,
                             [&](char c) {
                               return is_word(c) || c == '.' || c == '+' ||
                                      c == '-' || c == '/' || c == '$';
                             }) &&
         !text.starts_with("---");
}

std::string WriteKey(const std::string& key) {
  const bool is_null = key == "null" || key == "Null" || key == "NULL";
  return IsPlain(key) && !is_null ? key : internal::JsonString(key);
}

NodePtr MakeMapping(const std::string& key, const NodePtr& value) {
  auto mapping = std::make_shared<Node>();
  mapping->kind = Node::Kind::kMapping;
  mapping->entries.emplace_back(key, value);
  mapping->key_spots.emplace_back();
  return mapping;
}

// The value of keys[begin] and, around it, one mapping for each later key.
NodePtr Nest(const YamlKeys& keys, std::size_t begin, NodePtr value) {
  for (std::size_t i = keys.size(); i > begin + 1; --i) {
    value = MakeMapping(keys[i - 1], value);
  }
  return value;
}

// The mapping with another value at keys[i...]; null: without that entry.
NodePtr WithEntry(const Node* around, const YamlKeys& keys, std::size_t i,
                  const NodePtr& value) {
  auto result = around == nullptr ? std::make_shared<Node>()
                                  : std::make_shared<Node>(*around);
  if (result->kind == Node::Kind::kNull) result->kind = Node::Kind::kMapping;
  const auto at = std::ranges::find_if(result->entries, [&](const auto& entry) {
    return entry.first == keys[i];
  });
  const bool is_last = i + 1 == keys.size();
  if (value == nullptr && is_last) {
    const auto index = at - result->entries.begin();
    result->entries.erase(at);
    result->key_spots.erase(result->key_spots.begin() + index);
    return result;
  }
  const Node* const old =
      at == result->entries.end() ? nullptr : at->second.get();
  const NodePtr part = is_last ? value : WithEntry(old, keys, i + 1, value);
  if (at != result->entries.end()) {
    at->second = part;
  } else {
    result->entries.emplace_back(keys[i], part);
    result->key_spots.emplace_back();
  }
  return result;
}

}  // namespace

std::string WriteFlowYaml(const Node& node) {
  std::string text;
  if (!node.tag.empty()) {
    const std::size_t name = node.tag.starts_with("!!") ? 2 : 1;
    if (node.tag[0] != '!' || !IsPlain(node.tag.substr(name))) {
      throw std::runtime_error(fmt::format(
          "the tag '{}' is not a word; give one as in !Gain.", node.tag));
    }
    text = node.tag + " ";
  }
  std::vector<std::string> parts;
  switch (node.kind) {
    case Node::Kind::kNull:
      return text + "null";
    case Node::Kind::kScalar:
      return text + (node.is_quoted || !IsPlain(node.text)
                         ? internal::JsonString(node.text)
                         : node.text);
    case Node::Kind::kSequence:
      for (const NodePtr& item : node.items) {
        parts.push_back(WriteFlowYaml(*item));
      }
      return text + fmt::format("[{}]", fmt::join(parts, ", "));
    case Node::Kind::kMapping:
      break;
  }
  for (const auto& [key, value] : node.entries) {
    parts.push_back(WriteKey(key) + ": " + WriteFlowYaml(*value));
  }
  return text + fmt::format("{{{}}}", fmt::join(parts, ", "));
}

YamlText::YamlText(std::string text, std::string source)
    : text_(std::move(text)),
      source_(std::move(source)),
      newline_(text_.find("\r\n") == std::string::npos ? "\n" : "\r\n") {
  Read();
  if (root_->kind == Node::Kind::kMapping) return;
  throw std::runtime_error(fmt::format(
      "{}: the document is {}; give a mapping.", source_, Describe(*root_)));
}

void YamlText::Read() {
  root_ = yaml::internal::Parse(text_, source_);
  starts_.assign(1, 0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n' && i + 1 < text_.size()) starts_.push_back(i + 1);
  }
}

void YamlText::Throw(const std::string& path, const std::string& what) const {
  throw std::runtime_error(
      fmt::format("{}: '{}' cannot be edited here: {}; edit the file with a "
                  "text editor.",
                  source_, path, what));
}

void YamlText::Commit(const std::string& path, std::string text,
                      const NodePtr& wanted) {
  NodePtr parsed;
  try {
    parsed = yaml::internal::Parse(text, source_);
  } catch (const std::runtime_error&) {
    Throw(path, "the layout of the text around it is unusual");
  }
  if (!AreEqual(*parsed, *wanted)) {
    Throw(path, "another value would change with it");
  }
  text_ = std::move(text);
  Read();
}

std::size_t YamlText::OffsetOf(const Spot& spot) const {
  const auto line = static_cast<std::size_t>(spot.line);
  if (spot.line < 1 || line > starts_.size()) return text_.size();
  return std::min(starts_[line - 1] + static_cast<std::size_t>(spot.column - 1),
                  text_.size());
}

std::string YamlText::LineText(std::size_t line) const {
  const std::size_t end =
      std::min(text_.find('\n', starts_[line]), text_.size());
  return text_.substr(starts_[line], end - starts_[line]);
}

// Whether a collection is in brackets, the first of which is at `open`.
bool YamlText::IsFlow(const Node& node, std::size_t* open) const {
  if (node.kind != Node::Kind::kMapping && node.kind != Node::Kind::kSequence) {
    return false;
  }
  std::size_t at = OffsetOf(node.spot);
  while (at < text_.size() && (text_[at] == '!' || text_[at] == '&')) {
    at = std::min(text_.find_first_of(" \t\r\n", at), text_.size());
    at = std::min(text_.find_first_not_of(" \t\r\n", at), text_.size());
  }
  *open = at;
  return at < text_.size() &&
         text_[at] == (node.kind == Node::Kind::kMapping ? '{' : '[');
}

YamlText::Flow YamlText::ScanFlow(std::size_t open) const {
  Flow flow{
      .open = open, .close = text_.size(), .last = open + 1, .commas = {}};
  int depth = 0;
  for (std::size_t i = open; i < text_.size(); ++i) {
    const char c = text_[i];
    const char before = i == 0 ? ' ' : text_[i - 1];
    const bool is_apart = IsSpace(before) || before == '\n';
    if (c == '#' && is_apart) {
      i = std::min(text_.find('\n', i), text_.size());
      continue;
    }
    if (IsSpace(c) || c == '\n') continue;
    if ((c == '\'' || c == '"') &&
        (is_apart ||
         std::string_view("[{,:").find(before) != std::string::npos)) {
      for (++i; i < text_.size() && text_[i] != c; ++i) {
        if (c == '"' && text_[i] == '\\') ++i;
      }
    } else if (c == '[' || c == '{') {
      ++depth;
      if (depth == 1) continue;
    } else if (c == ']' || c == '}') {
      if (--depth == 0) {
        flow.close = i;
        return flow;
      }
    } else if (c == ',' && depth == 1) {
      flow.commas.push_back(i);
    }
    flow.last = i + 1;
  }
  return flow;
}

// The lines of an entry or item that begins at `start`, whose key or dash is in
// `column`, from 0 on.
YamlText::Lines YamlText::FindLines(const Spot& start, std::size_t column,
                                    const Node& value, bool is_item) const {
  const auto first = static_cast<std::size_t>(start.line) - 1;
  Lines lines{.first = first, .end = first + 1, .insert = first + 1};
  std::size_t open{};
  if (IsFlow(value, &open)) {
    const std::size_t close = ScanFlow(open).close;
    while (lines.end < starts_.size() && starts_[lines.end] <= close) {
      ++lines.end;
    }
    lines.insert = lines.end;
  }
  for (std::size_t i = lines.end; i < starts_.size(); ++i) {
    const std::string line = LineText(i);
    if (IsBlank(line)) continue;
    const std::size_t indent = IndentOf(line);
    const bool is_comment = IsComment(line);
    const bool is_own_item = !is_item && indent == column &&
                             value.kind == Node::Kind::kSequence &&
                             line[indent] == '-';
    if (indent > column || (is_own_item && !is_comment)) {
      lines.insert = i + 1;
      if (!is_comment) lines.end = i + 1;
    } else if (!is_comment) {
      break;
    }
  }
  return lines;
}

// The lines of an entry of a mapping that is no flow.
YamlText::Lines YamlText::FindEntry(const Node& mapping,
                                    std::size_t index) const {
  const auto& [key, value] = mapping.entries[index];
  const Spot spot = mapping.key_spots[index];
  const std::size_t column = static_cast<std::size_t>(spot.column) - 1;
  const auto line = static_cast<std::size_t>(spot.line) - 1;
  if (spot.line < 1 || line >= starts_.size() ||
      IndentOf(LineText(line)) != column) {
    Throw(key, "it does not begin a line");
  }
  return FindLines(spot, column, *value, /* is_item= */ false);
}

YamlText::Lines YamlText::FindItem(const Node& sequence,
                                   std::size_t index) const {
  const Spot spot = sequence.items[index]->spot;
  const auto line = static_cast<std::size_t>(spot.line) - 1;
  if (spot.line < 1 || line >= starts_.size()) {
    Throw(fmt::format("[{}]", index), "it is not in the text");
  }
  const std::string text = LineText(line);
  const std::size_t column = IndentOf(text);
  if (column >= text.size() || text[column] != '-') {
    Throw(fmt::format("[{}]", index), "its line does not begin with '-'");
  }
  return FindLines(spot, column, *sequence.items[index], /* is_item= */ true);
}

// The text with whole lines in front of a line.
std::string YamlText::InsertLines(std::size_t line,
                                  const std::string& lines) const {
  std::string text = text_;
  if (line < starts_.size()) {
    text.insert(starts_[line], lines);
  } else {
    if (!text.empty() && text.back() != '\n') text += newline_;
    text += lines;
  }
  return text;
}

std::string YamlText::EraseLines(const Lines& lines) const {
  const std::size_t begin = starts_[lines.first];
  const std::size_t end =
      lines.end < starts_.size() ? starts_[lines.end] : text_.size();
  return text_.substr(0, begin) + text_.substr(end);
}

std::string YamlText::InsertIntoFlow(std::size_t open,
                                     const std::string& item) const {
  const Flow flow = ScanFlow(open);
  std::string text = text_;
  const bool is_empty = flow.last == flow.open + 1;
  const bool has_comma = text[flow.last - 1] == ',';
  text.insert(flow.last, (is_empty ? "" : has_comma ? " " : ", ") + item);
  return text;
}

std::string YamlText::EraseFromFlow(std::size_t open, std::size_t index) const {
  const Flow flow = ScanFlow(open);
  const auto& commas = flow.commas;
  std::size_t begin = index == 0 ? open + 1 : commas.at(index - 1) + 1;
  std::size_t end = flow.last;
  if (index < commas.size()) {
    end = commas[index] + 1;
    while (index == 0 && end < text_.size() && text_[end] == ' ') ++end;
  } else if (index > 0) {
    begin = commas[index - 1];
  }
  return text_.substr(0, begin) + text_.substr(end);
}

// Lines of an entry, the key of which is in a column.
std::string YamlText::IndentEntry(const std::string& key, const Node& value,
                                  std::size_t column) const {
  const std::string indent(column, ' ');
  std::string line = indent + WriteKey(key) + ": " + WriteFlowYaml(value);
  if (line.size() <= kLongestLine) return line + newline_;
  const std::string block = yaml::internal::WriteYaml(
      *MakeMapping(key, std::make_shared<Node>(value)));
  std::string result;
  for (std::size_t begin = 0; begin < block.size();) {
    const std::size_t end = std::min(block.find('\n', begin), block.size());
    result += indent + block.substr(begin, end - begin) + newline_;
    begin = end + 1;
  }
  return result;
}

// The mapping at the first `count` keys.
const Node& YamlText::FindMapping(const YamlKeys& keys,
                                  std::size_t count) const {
  const Node* node = root_.get();
  for (std::size_t i = 0; i < count; ++i) {
    node = node->Find(keys[i]);
    if (node == nullptr || node->kind != Node::Kind::kMapping) {
      Throw(fmt::format("{}", fmt::join(keys, ".")),
            fmt::format("there is no mapping '{}'", keys[i]));
    }
  }
  return *node;
}

void YamlText::AddEntry(const YamlKeys& keys, const NodePtr& value) {
  const std::string path = fmt::format("{}", fmt::join(keys, "."));
  const Node* mapping = root_.get();
  std::size_t i = 0;
  for (; i + 1 < keys.size(); ++i) {
    const Node* const part = mapping->Find(keys[i]);
    if (part == nullptr || part->kind != Node::Kind::kMapping) break;
    mapping = part;
  }
  const NodePtr wanted = WithEntry(root_.get(), keys, 0, value);
  const auto& entries = mapping->entries;
  std::size_t open{};
  const auto at = std::ranges::find_if(
      entries, [&](const auto& entry) { return entry.first == keys[i]; });
  if (at != entries.end()) {
    // `blocks:` without a value gets its first entry.
    if (i + 1 == keys.size()) Throw(path, "it is there already");
    if (at->second->kind != Node::Kind::kNull || IsFlow(*mapping, &open)) {
      Throw(path, fmt::format("'{}' is {}", keys[i], Describe(*at->second)));
    }
    const auto index = static_cast<std::size_t>(at - entries.begin());
    const Lines lines = FindEntry(*mapping, index);
    const auto column =
        static_cast<std::size_t>(mapping->key_spots[index].column) - 1;
    const NodePtr inner = Nest(keys, i + 1, value);
    return Commit(
        path,
        InsertLines(lines.end, IndentEntry(keys[i + 1], *inner, column + 2)),
        wanted);
  }
  const NodePtr inner = Nest(keys, i, value);
  if (IsFlow(*mapping, &open)) {
    return Commit(
        path,
        InsertIntoFlow(open, WriteKey(keys[i]) + ": " + WriteFlowYaml(*inner)),
        wanted);
  }
  if (entries.empty()) Throw(path, "the mapping around it is empty");
  const std::size_t last = entries.size() - 1;
  const auto column =
      static_cast<std::size_t>(mapping->key_spots[last].column) - 1;
  Commit(path,
         InsertLines(FindEntry(*mapping, last).insert,
                     IndentEntry(keys[i], *inner, column)),
         wanted);
}

void YamlText::ReplaceEntry(const YamlKeys& keys, const NodePtr& value) {
  const std::string path = fmt::format("{}", fmt::join(keys, "."));
  const Node& mapping = FindMapping(keys, keys.size() - 1);
  const auto at = std::ranges::find_if(mapping.entries, [&](const auto& entry) {
    return entry.first == keys.back();
  });
  if (at == mapping.entries.end()) Throw(path, "there is no such entry");
  const auto index = static_cast<std::size_t>(at - mapping.entries.begin());
  const NodePtr wanted = WithEntry(root_.get(), keys, 0, value);
  const Spot spot = mapping.key_spots[index];
  const std::string line = WriteKey(keys.back()) + ": " + WriteFlowYaml(*value);
  std::size_t open{};
  // A value in brackets leaves what is behind it on its line, such as a remark.
  if (IsFlow(*at->second, &open)) {
    const std::size_t begin = OffsetOf(spot);
    return Commit(
        path,
        text_.substr(0, begin) + line +
            text_.substr(std::min(ScanFlow(open).close + 1, text_.size())),
        wanted);
  }
  if (IsFlow(mapping, &open)) Throw(path, "it is not in brackets");
  const Lines lines = FindEntry(mapping, index);
  const std::string rest = EraseLines(lines);
  const auto column = static_cast<std::size_t>(spot.column) - 1;
  Commit(path,
         rest.substr(0, starts_[lines.first]) +
             IndentEntry(keys.back(), *value, column) +
             rest.substr(starts_[lines.first]),
         wanted);
}

void YamlText::RemoveEntry(YamlKeys keys) {
  while (keys.size() > 1 &&
         FindMapping(keys, keys.size() - 1).entries.size() == 1) {
    keys.pop_back();
  }
  const std::string path = fmt::format("{}", fmt::join(keys, "."));
  const Node& mapping = FindMapping(keys, keys.size() - 1);
  const auto at = std::ranges::find_if(mapping.entries, [&](const auto& entry) {
    return entry.first == keys.back();
  });
  if (at == mapping.entries.end()) Throw(path, "there is no such entry");
  const auto index = static_cast<std::size_t>(at - mapping.entries.begin());
  const NodePtr wanted = WithEntry(root_.get(), keys, 0, nullptr);
  std::size_t open{};
  Commit(path,
         IsFlow(mapping, &open) ? EraseFromFlow(open, index)
                                : EraseLines(FindEntry(mapping, index)),
         wanted);
}

void YamlText::AddItem(const std::string& key, const NodePtr& value) {
  const Node* const sequence = root_->Find(key);
  auto items = sequence != nullptr && sequence->kind == Node::Kind::kSequence
                   ? std::make_shared<Node>(*sequence)
                   : std::make_shared<Node>();
  items->kind = Node::Kind::kSequence;
  items->items.push_back(value);
  const NodePtr wanted = WithEntry(root_.get(), {key}, 0, items);
  const std::string item = WriteFlowYaml(*value);
  std::size_t open{};
  if (sequence == nullptr) {
    if (IsFlow(*root_, &open)) {
      return Commit(key,
                    InsertIntoFlow(open, WriteKey(key) + ": [" + item + "]"),
                    wanted);
    }
    const std::size_t line =
        FindEntry(*root_, root_->entries.size() - 1).insert;
    return Commit(key,
                  InsertLines(line, WriteKey(key) + ":" + newline_ + "- " +
                                        item + newline_),
                  wanted);
  }
  if (sequence->kind == Node::Kind::kNull) {
    const auto at = std::ranges::find_if(
        root_->entries, [&](const auto& entry) { return entry.first == key; });
    const Lines lines = FindEntry(
        *root_, static_cast<std::size_t>(at - root_->entries.begin()));
    return Commit(key, InsertLines(lines.end, "- " + item + newline_), wanted);
  }
  if (sequence->kind != Node::Kind::kSequence) {
    Throw(key, fmt::format("it is {}", Describe(*sequence)));
  }
  if (IsFlow(*sequence, &open)) {
    return Commit(key, InsertIntoFlow(open, item), wanted);
  }
  const Lines lines = FindItem(*sequence, sequence->items.size() - 1);
  const std::string indent(IndentOf(LineText(lines.first)), ' ');
  Commit(key, InsertLines(lines.insert, indent + "- " + item + newline_),
         wanted);
}

void YamlText::RemoveItem(const std::string& key, std::size_t index) {
  const Node* const sequence = root_->Find(key);
  if (sequence == nullptr || index >= sequence->items.size()) {
    Throw(key, fmt::format("there is no item {}", index));
  }
  if (sequence->items.size() == 1) return RemoveEntry({key});
  auto items = std::make_shared<Node>(*sequence);
  items->items.erase(items->items.begin() + static_cast<std::ptrdiff_t>(index));
  const NodePtr wanted = WithEntry(root_.get(), {key}, 0, items);
  std::size_t open{};
  Commit(key,
         IsFlow(*sequence, &open) ? EraseFromFlow(open, index)
                                  : EraseLines(FindItem(*sequence, index)),
         wanted);
}

}  // namespace wyvern::app
