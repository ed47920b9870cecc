#include "wyvern/app/scenario_io.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/app/random_values.h"
#include "wyvern/app/yaml_text.h"
#include "wyvern/systems/yaml/yaml_io.h"
#include "wyvern/systems/yaml/yaml_parse.h"
#include "wyvern/systems/yaml/yaml_scalars.h"

/* A scenario is read in three stages: the text becomes a tree of YAML nodes,
each setting path=value replaces one node of a copy of that tree, and the
archive reads the fields of a Scenario from the result. Nodes beside the path
are shared, so a setting costs the length of its path. A setting may add a key;
if the key is close to a neighbour's name, the error of the archive shows that
name. Without settings the tree is the file's. Paths are as deep as files may be
(kMaxNesting). */

namespace wyvern::app {

namespace {

using yaml::internal::Node;
using yaml::internal::NodePtr;

[[noreturn]] void ThrowBadSetting(const std::string& setting,
                                  const std::string& what) {
  constexpr std::size_t kLongest = 200;
  throw std::runtime_error(
      fmt::format("--set {}{}: {}; give path=value, as in "
                  "plant_config.time_step=0.002 or logs[0].period=0.1.",
                  setting.substr(0, kLongest),
                  setting.size() > kLongest ? "..." : "", what));
}

// Values are visited by recursion, so their nesting has the same limit as in a
// file.
void RequireShortPath(std::string_view path, const std::string& setting) {
  const auto count = 1 + std::ranges::count_if(
                             path, [](char c) { return c == '.' || c == '['; });
  if (count <= yaml::internal::kMaxNesting) return;
  ThrowBadSetting(setting, fmt::format("the path has {} parts, and {} at most "
                                       "are possible",
                                       count, yaml::internal::kMaxNesting));
}

// The value with another at a path in it; what is not on the path is shared.
NodePtr WithValueAt(const NodePtr& around, std::string_view path,
                    const NodePtr& value, const std::string& setting) {
  if (path.empty()) return value;
  auto result = around == nullptr ? std::make_shared<Node>()
                                  : std::make_shared<Node>(*around);
  if (path[0] == '[') {
    const std::size_t end = path.find(']');
    std::size_t index{};
    const char* const last = path.data() + std::min(end, path.size());
    const auto [parsed_to, error] =
        std::from_chars(path.data() + 1, last, index);
    if (end == path.npos || error != std::errc() || parsed_to != last) {
      ThrowBadSetting(setting, fmt::format("'{}' is no index", path));
    }
    if (result->kind != Node::Kind::kSequence ||
        index >= result->items.size()) {
      ThrowBadSetting(setting, fmt::format("there is no item {}, but {}", index,
                                           Describe(*result)));
    }
    path.remove_prefix(end + 1);
    if (path.starts_with('.')) path.remove_prefix(1);
    result->items[index] =
        WithValueAt(result->items[index], path, value, setting);
    return result;
  }
  const std::size_t end = std::min(path.find_first_of(".["), path.size());
  const std::string key(path.substr(0, end));
  path.remove_prefix(end);
  if (path.starts_with('.')) path.remove_prefix(1);
  if (result->kind == Node::Kind::kNull) result->kind = Node::Kind::kMapping;
  if (result->kind != Node::Kind::kMapping || key.empty()) {
    ThrowBadSetting(setting, fmt::format("there is no key '{}' in {}", key,
                                         Describe(*result)));
  }
  for (auto& [name, entry] : result->entries) {
    if (name != key) continue;
    entry = WithValueAt(entry, path, value, setting);
    return result;
  }
  result->entries.emplace_back(key, WithValueAt(nullptr, path, value, setting));
  result->key_spots.emplace_back();
  return result;
}

// Takes the first key off a path: "name" or "[index]".
std::string TakeKey(std::string_view* path) {
  const std::size_t end = std::min(path->find_first_of(".[", 1), path->size());
  std::string key(path->substr(0, end));
  path->remove_prefix(end);
  if (path->starts_with('.')) path->remove_prefix(1);
  return key;
}

// Returns the part of a node that TakeKey() names, or null.
const Node* FindPart(const Node& node, const std::string& key) {
  if (!key.starts_with('[')) return node.Find(key);
  std::size_t index{};
  std::from_chars(key.data() + 1, key.data() + key.size(), index);
  return index < node.items.size() ? node.items[index].get() : nullptr;
}

// Returns where a setting adds a key that is nearly one of its neighbours, as
// "model_drivers has no key 'amr'; did you mean 'arm'?"; empty if nowhere.
std::string FindAddedNearMiss(const Node& root, const std::string& setting) {
  std::string_view path(setting);
  path = path.substr(0, path.find('='));
  const Node* at = &root;
  std::string parents;
  while (!path.empty() && at != nullptr) {
    const std::string key = TakeKey(&path);
    const Node* next = FindPart(*at, key);
    if (next == nullptr && !key.starts_with('[')) {
      std::vector<std::string> names;
      for (const auto& [name, entry] : at->entries) names.push_back(name);
      const std::string nearest = yaml::internal::FindNearest(key, names);
      return nearest.empty()
                 ? ""
                 : fmt::format("{} has no key '{}'; did you mean '{}'?",
                               parents.empty() ? "the scenario" : parents, key,
                               nearest);
    }
    if (!key.starts_with('[')) parents += (parents.empty() ? "" : ".") + key;
    at = next;
  }
  return {};
}

NodePtr ApplySetting(const NodePtr& root, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == setting.npos || equals == 0) {
    ThrowBadSetting(setting, "there is no path and value");
  }
  RequireShortPath(std::string_view(setting).substr(0, equals), setting);
  NodePtr value;
  try {
    value = yaml::internal::Parse(setting.substr(equals + 1), "value");
  } catch (const std::runtime_error& error) {
    ThrowBadSetting(setting, error.what());
  }
  return WithValueAt(root, setting.substr(0, equals), value, setting);
}

// Returns the value at a path, or null.
const Node* FindValueAt(const Node& root, std::string_view path) {
  const Node* at = &root;
  while (!path.empty() && at != nullptr) at = FindPart(*at, TakeKey(&path));
  return at;
}

/** The text of a document in which the texts of numbers are replaced. */
class TextEditor {
 public:
  TextEditor(const std::string& text, std::string source)
      : text_(text), source_(std::move(source)) {
    starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') starts_.push_back(i + 1);
    }
  }

  // Replaces the scalar at `node`, which is at `path`.
  void Replace(const std::string& path, const Node& node, std::string number) {
    const auto line = static_cast<std::size_t>(node.spot.line);
    std::size_t at = std::string::npos;
    if (node.spot.line > 0 && line <= starts_.size()) {
      at = starts_[line - 1] + static_cast<std::size_t>(node.spot.column - 1);
    }
    if (node.kind != Node::Kind::kScalar || node.is_quoted ||
        at > text_.size() || text_.compare(at, node.text.size(), node.text)) {
      Throw(path, "it is not written as a plain number");
    }
    edits_[at] = {node.text.size(), std::move(number)};
  }

  // From the end, so that places before it stay.
  std::string TakeText() {
    for (auto it = edits_.rbegin(); it != edits_.rend(); ++it) {
      text_.replace(it->first, it->second.first, it->second.second);
    }
    return std::move(text_);
  }

  [[noreturn]] void Throw(const std::string& path,
                          const std::string& what) const {
    throw std::runtime_error(
        fmt::format("{}: '{}' cannot be saved: {}; write the number at that "
                    "path into the file.",
                    source_, path, what));
  }

 private:
  std::string text_;
  const std::string source_;
  std::vector<std::size_t> starts_;  // Of lines.
  // By place: the length of the old text, and the new one.
  std::map<std::size_t, std::pair<std::size_t, std::string>> edits_;
};

// An optional field that is empty is not written; where its default is not
// empty, only a null says so.
NodePtr WithNullsBesides(const Node& defaults, const NodePtr& node) {
  if (node->kind != Node::Kind::kMapping) return node;
  auto result = std::make_shared<Node>(*node);
  result->entries.clear();
  for (const auto& [key, value] : defaults.entries) {
    NodePtr entry = std::make_shared<Node>();
    for (const auto& [name, given] : node->entries) {
      if (name == key) entry = WithNullsBesides(*value, given);
    }
    result->entries.emplace_back(key, entry);
  }
  for (const auto& [name, given] : node->entries) {
    if (defaults.Find(name) == nullptr) {
      result->entries.emplace_back(name, given);
    }
  }
  result->key_spots.assign(result->entries.size(), {});
  return result;
}

// Returns the texts of a number, or of a list of them.
std::vector<std::string> TextsOf(const Node& value) {
  if (value.kind == Node::Kind::kScalar) return {value.text};
  std::vector<std::string> texts;
  for (const NodePtr& item : value.items) texts.push_back(item->text);
  return texts;
}

}  // namespace

Scenario LoadScenarioFromString(const std::string& text,
                                const std::vector<std::string>& settings,
                                const std::string& source) {
  NodePtr root = yaml::internal::Parse(text, source);
  std::string near_misses;
  for (const std::string& setting : settings) {
    const std::string near_miss = FindAddedNearMiss(*root, setting);
    root = ApplySetting(root, setting);
    if (near_miss.empty()) continue;
    near_misses +=
        fmt::format(" --set {}: {}", setting.substr(0, 200), near_miss);
  }
  const yaml::LoadYamlOptions options{.allow_cpp_with_no_yaml = true};
  const yaml::internal::Place place(&source, &options);
  Scenario scenario;
  if (const Node* seed = root->Find("random_seed")) {
    yaml::internal::Read(yaml::internal::Place(place, "random_seed"), *seed,
                         &scenario.random_seed);
  }
  root = WithDrawnNumbers(root, scenario.random_seed, source);
  try {
    yaml::internal::Read(place, *root, &scenario);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(error.what() + near_misses);
  }
  return scenario;
}

Scenario LoadScenario(const std::string& filename,
                      const std::vector<std::string>& settings) {
  return LoadScenarioFromString(yaml::internal::ReadFile(filename), settings,
                                filename);
}

double GetScenarioNumber(const Scenario& scenario, const std::string& path) {
  const NodePtr root =
      yaml::internal::Parse(SaveScenario(scenario), "scenario");
  const Node* const node = FindValueAt(*root, path);
  const auto number = node == nullptr || node->kind != Node::Kind::kScalar
                          ? std::nullopt
                          : yaml::internal::ToDouble(node->text);
  if (number.has_value()) return *number;
  throw std::runtime_error(
      fmt::format("the scenario has no number at '{}'; give a path as in "
                  "disturbances[0].force[2] or plant_config.time_step.",
                  path));
}

std::string EditScenarioText(const std::string& text,
                             const std::vector<std::string>& settings,
                             const std::string& source) {
  const NodePtr root = yaml::internal::Parse(text, source);
  NodePtr wanted = root;
  TextEditor editor(text, source);
  std::vector<std::string> added;
  for (const std::string& setting : settings) {
    const std::string path = setting.substr(0, setting.find('='));
    const Node* const old = FindValueAt(*root, path);
    if (old == nullptr &&
        (path == "gravity" || path.starts_with("model_parameters."))) {
      added.push_back(setting);
      continue;
    }
    if (old == nullptr) editor.Throw(path, "the file does not have it");
    wanted = ApplySetting(wanted, setting);
    const Node* const value = FindValueAt(*wanted, path);
    const std::vector<std::string> texts = TextsOf(*value);
    if (old->kind != Node::Kind::kSequence) {
      editor.Replace(path, *old, texts.size() == 1 ? texts[0] : "");
    } else if (old->items.size() == texts.size()) {
      for (std::size_t i = 0; i < texts.size(); ++i) {
        if (old->items[i]->text == texts[i]) continue;
        editor.Replace(path, *old->items[i], texts[i]);
      }
    } else if (old->items.size() == 1) {
      editor.Replace(path, *old->items[0],
                     fmt::format("{}", fmt::join(texts, ", ")));
    } else {
      editor.Throw(path, fmt::format("it has {} numbers, not {}",
                                     old->items.size(), texts.size()));
    }
  }
  std::string edited = editor.TakeText();
  if (!AreEqual(*yaml::internal::Parse(edited, source), *wanted)) {
    editor.Throw(settings[0].substr(0, settings[0].find('=')),
                 "another value would change with it");
  }
  if (added.empty()) return edited;
  YamlText longer(std::move(edited), source);
  for (const std::string& setting : added) {
    const std::size_t equals = setting.find('=');
    std::string_view path(setting);
    path = path.substr(0, equals);
    YamlKeys keys;
    while (!path.empty()) keys.push_back(TakeKey(&path));
    longer.AddEntry(keys,
                    yaml::internal::Parse(setting.substr(equals + 1), "value"));
  }
  return longer.text();
}

std::string SaveScenario(const Scenario& scenario) {
  Scenario with_all_keys;
  with_all_keys.floor.emplace();
  const NodePtr defaults =
      yaml::internal::Parse(yaml::SaveYamlString(with_all_keys), "defaults");
  const NodePtr saved =
      yaml::internal::Parse(yaml::SaveYamlString(scenario), "scenario");
  return WriteYaml(*WithNullsBesides(*defaults, saved));
}

}  // namespace wyvern::app
