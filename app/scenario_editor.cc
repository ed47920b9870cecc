#include "wyvern/app/scenario_editor.h"

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/app/scenario_io.h"
#include "wyvern/systems/blocks/block_registry.h"
#include "wyvern/systems/common/file_paths.h"
#include "wyvern/systems/common/json_text.h"
#include "wyvern/systems/common/output_file.h"
#include "wyvern/systems/yaml/yaml_io.h"

/* A page says {"type": "edit", "path": ACTION, "paths": TEXTS}. The server's
thread puts that into a short queue; the simulation's thread takes one request
at a time:
  add NAME TYPE FIELDS | change NAME TYPE FIELDS | remove NAME
  wire FROM TO | unwire FROM TO | undo | discard | run | save
An edit is made in a copy of the draft, which must still be a scenario whose
blocks can be made; ports and wires are checked by a run of one step, before the
draft replaces the scenario that runs and before it is saved. Pages see two
items: the types of blocks, once, and the draft with its blocks, ports, wires
and the last error. */

namespace wyvern::app {

using internal::JsonString;
using systems::BlockRegistry;
using yaml::internal::Node;
using yaml::internal::NodePtr;

namespace {

constexpr std::size_t kMostRequests = 32;
constexpr std::size_t kLongestName = 64;
constexpr std::size_t kLongestPort = 256;
constexpr std::size_t kLongestFields = 32768;
constexpr std::size_t kLongestDraft = 1 << 20;
constexpr std::size_t kMostDrafts = 100;
constexpr const char* kReadsFile = "DiagramFile";

struct Action {
  const char* name;
  std::size_t num_texts;
};
constexpr std::array kActions{
    Action{"add", 3},     Action{"change", 3}, Action{"remove", 1},
    Action{"wire", 2},    Action{"unwire", 2}, Action{"undo", 0},
    Action{"discard", 0}, Action{"run", 0},    Action{"save", 0}};

void RequireName(const std::string& name) {
  const auto is_good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_';
  };
  if (!name.empty() && name.size() <= kLongestName &&
      std::ranges::all_of(name, is_good) &&
      !(name[0] >= '0' && name[0] <= '9')) {
    return;
  }
  throw std::runtime_error(fmt::format(
      "The name '{}' is not valid for a block; give 1 to {} letters, digits "
      "and '_', not beginning with a digit.",
      name.substr(0, kLongestName), kLongestName));
}

void RequirePort(const std::string& port) {
  const bool prints = std::ranges::none_of(
      port, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  if (prints && port.size() <= kLongestPort &&
      port.find('/') != std::string::npos) {
    return;
  }
  throw std::runtime_error(
      fmt::format("The port '{}' is not valid; give it as block/port.",
                  prints ? port.substr(0, kLongestPort) : ""));
}

bool HasTag(const Node& node, const std::string& tag) {
  return node.tag == tag ||
         std::ranges::any_of(
             node.items,
             [&](const NodePtr& item) { return HasTag(*item, tag); }) ||
         std::ranges::any_of(node.entries, [&](const auto& entry) {
           return HasTag(*entry.second, tag);
         });
}

NodePtr MakeScalar(const std::string& text) {
  auto node = std::make_shared<Node>();
  node->kind = Node::Kind::kScalar;
  node->text = text;
  return node;
}

// The text of a key of a wire; empty if the file has something else there.
std::string TextAt(const Node& wire, const char* key) {
  const Node* const node = wire.Find(key);
  return node == nullptr ? "" : node->text;
}

const std::vector<NodePtr>& WiresOf(const Node& root) {
  static const std::vector<NodePtr> kNone;
  const Node* const wires = root.Find("connections");
  return wires == nullptr ? kNone : wires->items;
}

std::string JsonTexts(const std::vector<std::string>& texts) {
  std::vector<std::string> parts;
  for (const std::string& text : texts) parts.push_back(JsonString(text));
  return fmt::format("[{}]", fmt::join(parts, ","));
}

template <typename GetPort>
std::vector<std::string> PortNames(int count, const GetPort& get_port) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(get_port(i).get_name());
  return names;
}

std::vector<std::string> InputNames(const systems::System<double>& system) {
  return PortNames(system.num_input_ports(), [&](int i) -> decltype(auto) {
    return system.get_input_port(i);
  });
}

std::vector<std::string> OutputNames(const systems::System<double>& system) {
  return PortNames(system.num_output_ports(), [&](int i) -> decltype(auto) {
    return system.get_output_port(i);
  });
}

}  // namespace

ScenarioEditor::ScenarioEditor(std::shared_ptr<geometry::Viewer> viewer,
                               std::string file, Check check, std::ostream* out)
    : viewer_(std::move(viewer)),
      file_(std::move(file)),
      check_(std::move(check)),
      out_(*out),
      saved_(yaml::internal::ReadFile(file_)),
      draft_(saved_),
      link_(viewer_.get(), "edit",
            [this](const geometry::internal::PageMessage& message) {
              Receive(message);
            }) {
  ShowTypes();
}

ScenarioEditor::~ScenarioEditor() {
  link_.state().DeleteItem("block_types", "");
  link_.state().DeleteItem("editor", "");
}

void ScenarioEditor::Begin(const Scenario& scenario,
                           const ScenarioSimulation& simulation) {
  wants_run_ = false;
  if (draft_ == saved_) {
    running_.reset();
    history_.clear();
    saved_ = draft_ = yaml::internal::ReadFile(file_);
  }
  run_text_ = running_.value_or(saved_);
  blocks_ = FindBlocks(draft_);
  others_.clear();
  std::vector<std::string> names{"plant"};
  for (const auto& [name, sensor] : scenario.sensors) names.push_back(name);
  for (const std::string& name : names) {
    const auto& system = simulation.diagram().GetSubsystemByName(name);
    others_.push_back({.name = name,
                       .type = "",
                       .fields = "",
                       .inputs = InputNames(system),
                       .outputs = OutputNames(system)});
  }
  Show();
}

// On the server's thread.
void ScenarioEditor::Receive(const geometry::internal::PageMessage& message) {
  const auto action = std::ranges::find_if(
      kActions, [&](const Action& one) { return message.path == one.name; });
  if (action == kActions.end() || message.paths.size() != action->num_texts) {
    return;
  }
  const std::lock_guard lock(mutex_);
  if (requests_.size() >= kMostRequests) return;
  requests_.push_back({message.path, message.paths});
}

void ScenarioEditor::Update() {
  Request request;
  {
    const std::lock_guard lock(mutex_);
    if (requests_.empty()) return;
    request = std::move(requests_.front());
    requests_.pop_front();
  }
  error_.clear();
  refused_.clear();
  note_.clear();
  try {
    Do(request);
  } catch (const std::exception& error) {
    error_ = error.what();
  }
  Show();
}

void ScenarioEditor::Do(const Request& request) {
  if (request.action == "undo") {
    if (history_.empty()) throw std::runtime_error("There is no edit to undo.");
    std::string before = std::move(history_.back());
    history_.pop_back();
    blocks_ = FindBlocks(before);
    draft_ = std::move(before);
  } else if (request.action == "discard") {
    saved_ = yaml::internal::ReadFile(file_);
    blocks_ = FindBlocks(saved_);
    draft_ = saved_;
    history_.clear();
    running_.reset();
    note_ = "The edits are discarded.";
  } else if (request.action == "run") {
    check_(draft_);
    running_ = draft_;
    wants_run_ = true;
    note_ = "The run starts again with the edits.";
  } else if (request.action == "save") {
    Save();
  } else {
    YamlText text(draft_, file_);
    Edit(request, &text);
    refused_ = text.text();
    Accept(text.text());
    refused_.clear();
  }
}

// Makes an edit in a text; does not check whether that is still a scenario.
void ScenarioEditor::Edit(const Request& request, YamlText* text) const {
  const auto& texts = request.texts;
  if (request.action == "add" || request.action == "change") {
    const NodePtr block = MakeBlock(texts[0], texts[1], texts[2]);
    const Node* const blocks = text->root()->Find("blocks");
    const bool is_there = blocks != nullptr && blocks->Find(texts[0]);
    if (is_there == (request.action == "add")) {
      throw std::runtime_error(
          is_there
              ? fmt::format("There is a block '{}' already; give another name.",
                            texts[0])
              : fmt::format("There is no block '{}'; add it first.", texts[0]));
    }
    if (is_there) {
      text->ReplaceEntry({"blocks", texts[0]}, block);
    } else {
      text->AddEntry({"blocks", texts[0]}, block);
    }
    return;
  }
  if (request.action == "remove") {
    const Node* const blocks = text->root()->Find("blocks");
    if (blocks == nullptr || blocks->Find(texts[0]) == nullptr) {
      throw std::runtime_error(fmt::format("There is no block '{}'.",
                                           texts[0].substr(0, kLongestName)));
    }
    text->RemoveEntry({"blocks", texts[0]});
    for (std::size_t i = WiresOf(*text->root()).size(); i-- > 0;) {
      const Node& wire = *WiresOf(*text->root())[i];
      if (TextAt(wire, "from").starts_with(texts[0] + "/") ||
          TextAt(wire, "to").starts_with(texts[0] + "/")) {
        text->RemoveItem("connections", i);
      }
    }
    return;
  }
  RequirePort(texts[0]);
  RequirePort(texts[1]);
  const auto& wires = WiresOf(*text->root());
  const auto at = std::ranges::find_if(wires, [&](const NodePtr& wire) {
    return TextAt(*wire, "to") == texts[1];
  });
  if (request.action == "unwire") {
    if (at == wires.end() || TextAt(**at, "from") != texts[0]) {
      throw std::runtime_error(fmt::format(
          "There is no wire from '{}' to '{}'.", texts[0], texts[1]));
    }
    text->RemoveItem("connections",
                     static_cast<std::size_t>(at - wires.begin()));
    return;
  }
  if (at != wires.end()) {
    throw std::runtime_error(fmt::format(
        "The input port '{}' has a wire from '{}'; remove that wire first.",
        texts[1], TextAt(**at, "from")));
  }
  auto wire = std::make_shared<Node>();
  wire->kind = Node::Kind::kMapping;
  wire->entries = {{"from", MakeScalar(texts[0])},
                   {"to", MakeScalar(texts[1])}};
  wire->key_spots.resize(2);
  text->AddItem("connections", wire);
}

NodePtr ScenarioEditor::MakeBlock(const std::string& name,
                                  const std::string& type,
                                  const std::string& fields) const {
  RequireName(name);
  const BlockRegistry& registry = BlockRegistry::Get();
  if (registry.Find(type) == nullptr) {
    throw std::runtime_error(fmt::format(
        "There is no type of blocks '{}'; {}", type.substr(0, kLongestName),
        registry.SuggestFor(type.substr(0, kLongestName))));
  }
  if (fields.size() > kLongestFields) {
    throw std::runtime_error(fmt::format(
        "The fields have {} bytes; {} is the limit. Write longer ones into "
        "the file.",
        fields.size(), kLongestFields));
  }
  auto block = std::make_shared<Node>();
  block->kind = Node::Kind::kMapping;
  if (fields.find_first_not_of(" \t\r\n") != std::string::npos) {
    const NodePtr read =
        yaml::internal::Parse(fields, fmt::format("fields of '{}'", name));
    if (read->kind != Node::Kind::kMapping || !read->tag.empty()) {
      throw std::runtime_error(
          fmt::format("The fields of '{}' are {}; give them as in `k: [2]`.",
                      name, Describe(*read)));
    }
    *block = *read;
  }
  block->tag = "!" + type;
  if (HasTag(*block, fmt::format("!{}", kReadsFile))) {
    throw std::runtime_error(fmt::format(
        "The block '{}' would read a file, which a page may not ask for; "
        "write it into {} with a text editor.",
        name, file_));
  }
  return block;
}

// The blocks of a scenario's text, with their ports.
std::vector<ScenarioEditor::Ports> ScenarioEditor::FindBlocks(
    const std::string& text) const {
  const Scenario scenario = LoadScenarioFromString(text, {}, file_);
  const NodePtr root = yaml::internal::Parse(text, file_);
  const Node* const nodes = root->Find("blocks");
  const systems::BlockSite site(
      internal::MakeAbsolute("The editor", file_).parent_path());
  std::vector<Ports> result;
  for (const auto& [name, block] : scenario.blocks.items) {
    Ports& ports = result.emplace_back();
    ports.name = name;
    ports.type = block.type();
    const Node* const node = nodes == nullptr ? nullptr : nodes->Find(name);
    if (node != nullptr && node->kind == Node::Kind::kMapping) {
      Node untagged = *node;
      untagged.tag.clear();
      ports.fields = untagged.entries.empty() ? "" : WriteYaml(untagged);
    }
    try {
      site.CountBlocks(1);
      const auto system = block.Make(site);
      ports.inputs = InputNames(*system);
      ports.outputs = OutputNames(*system);
    } catch (const std::exception& error) {
      throw std::runtime_error(
          fmt::format("{}: {}", block.where(), error.what()));
    }
  }
  return result;
}

// Makes a text the draft, if it is a scenario.
void ScenarioEditor::Accept(std::string text) {
  if (text.size() > kLongestDraft) {
    throw std::runtime_error(fmt::format(
        "The scenario would have {} bytes; pages edit scenarios of at most {}.",
        text.size(), kLongestDraft));
  }
  blocks_ = FindBlocks(text);
  if (history_.size() == kMostDrafts) history_.erase(history_.begin());
  history_.push_back(std::exchange(draft_, std::move(text)));
}

void ScenarioEditor::Save() {
  if (draft_ == saved_) {
    throw std::runtime_error("There are no edits to save.");
  }
  if (yaml::internal::ReadFile(file_) != saved_) {
    throw std::runtime_error(fmt::format(
        "{} has changed since the edits began, so it is not written; discard "
        "the edits and make them again.",
        file_));
  }
  check_(draft_);
  internal::WriteWholeFile("ScenarioEditor", file_, draft_);
  saved_ = draft_;
  note_ = fmt::format("{} is saved.", file_);
  out_ << fmt::format("{}: saved with edits of its blocks\n", file_)
       << std::flush;
}

void ScenarioEditor::NoteSavedNumbers(
    const std::string& before, const std::string& after,
    const std::vector<std::string>& settings) {
  if (draft_ == saved_) {
    draft_ = saved_ = after;
    history_.clear();
  } else if (before == saved_) {
    draft_ = EditScenarioText(draft_, settings, file_);
    saved_ = after;
  }
  Show();
}

void ScenarioEditor::ShowTypes() {
  std::vector<std::string> types;
  const BlockRegistry& registry = BlockRegistry::Get();
  for (const std::string& name : registry.names()) {
    if (name == kReadsFile) continue;
    const systems::BlockType& type = *registry.Find(name);
    Node defaults = *type.make_default()->Write();
    defaults.tag.clear();
    types.push_back(fmt::format(
        R"({{"name":{},"summary":{},"defaults":{},"schema":{}}})",
        JsonString(name), JsonString(type.summary),
        JsonString(defaults.entries.empty() ? "" : WriteYaml(defaults)),
        type.schema));
  }
  link_.state().Set("block_types", "",
                    fmt::format(R"({{"type":"block_types","list":[{}]}})",
                                fmt::join(types, ",\n")));
}

void ScenarioEditor::Show() {
  const auto list = [](const std::vector<Ports>& all) {
    std::vector<std::string> texts;
    for (const Ports& one : all) {
      texts.push_back(fmt::format(
          R"({{"name":{},"type":{},"fields":{},"in":{},"out":{}}})",
          JsonString(one.name), JsonString(one.type), JsonString(one.fields),
          JsonTexts(one.inputs), JsonTexts(one.outputs)));
    }
    return fmt::format("[{}]", fmt::join(texts, ","));
  };
  std::vector<std::string> wires;
  const NodePtr root = yaml::internal::Parse(draft_, file_);
  for (const NodePtr& wire : WiresOf(*root)) {
    wires.push_back(JsonTexts({TextAt(*wire, "from"), TextAt(*wire, "to")}));
  }
  link_.state().Set(
      "editor", "",
      fmt::format(
          R"({{"type":"editor","file":{},"text":{},"refused":{},"error":{},)"
          R"("note":{},"undo":{},"unsaved":{},"unrun":{},"blocks":{},)"
          R"("others":{},"wires":[{}]}})",
          JsonString(file_), JsonString(draft_), JsonString(refused_),
          JsonString(error_), JsonString(note_), history_.size(),
          draft_ != saved_, draft_ != run_text_, list(blocks_), list(others_),
          fmt::join(wires, ",")));
}

}  // namespace wyvern::app
