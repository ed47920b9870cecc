#include "wyvern/multibody/parsing/mjcf_document.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/mjcf_attach.h"
#include "wyvern/multibody/parsing/mjcf_element.h"
#include "wyvern/multibody/parsing/mjcf_keyframe.h"

/* A document is read once into nodes, in which an <include> is what is in its
file, an <attach> what it stands for, and a <replicate> its copies, names
with a suffix each. What refers to such a name from the actuators, equalities
or contact's lists is copied too, to the end of its section. */

namespace wyvern::multibody::internal {

namespace fs = std::filesystem;

namespace {

// Models that are attached, and those that are attached to them.
constexpr int kMostModelsDeep = 16;
constexpr int kMostModels = 1000;
// Elements that a <replicate> makes.
constexpr double kMostCopies = 1e5;

fs::path Canonical(const fs::path& file) {
  std::error_code error;
  const fs::path result = fs::weakly_canonical(file, error);
  return error ? file : result;
}

void ForEachBelow(MjcfNode* node, const std::function<void(MjcfNode*)>& take) {
  for (MjcfNode& child : node->children) {
    take(&child);
    ForEachBelow(&child, take);
  }
}

bool HasName(const MjcfNode& node) {
  return !node.element.Attribute("name").value_or("").empty();
}

}  // namespace

std::size_t CountMjcfNodes(const MjcfNode& node) {
  std::size_t count = 1;
  for (const MjcfNode& child : node.children) count += CountMjcfNodes(child);
  return count;
}

std::string MjcfAttachment::ClassName(const std::string& name) const {
  return fmt::format("{}{} of {}", prefix, name, model->source());
}

MjcfDocument::MjcfDocument(const XmlDocument& main, FileRecord* record)
    : MjcfDocument(main, Nesting{.record = record}) {}

MjcfDocument::MjcfDocument(const XmlDocument& main, const Nesting& nesting)
    : nesting_(nesting),
      source_(main.source()),
      main_folder_(main.folder()),
      root_{main.root()} {
  if (!root_.IsNamed("mujoco")) {
    root_.element.Throw(
        fmt::format("the document is a <{}>; an MJCF document is a <mujoco>.",
                    root_.element.name()));
  }
  if (main_folder_.has_value()) {
    files_.push_back(
        Canonical(*main_folder_ / fs::path(main.source()).filename()));
  }
  Expand(&root_, main_folder_.value_or(fs::path()), 0);
  MjcfAttacher(this).Attach();
  std::ranges::move(added_, std::back_inserter(root_.children));
  added_.clear();
  ReplicateAll(&root_);
  for (MjcfNode& section : root_.children) {
    if (section.IsNamed("actuator") || section.IsNamed("contact") ||
        section.IsNamed("equality")) {
      ReplicateReferences(&section);
    }
  }
}

void MjcfDocument::Expand(MjcfNode* node, const fs::path& folder, int depth) {
  if (depth > kMostDepth) {
    node->element.Throw(fmt::format(
        "with what is included, elements are nested more than {} deep.",
        kMostDepth));
  }
  for (const XmlElement& child : node->element.children()) {
    if (child.IsNamed("include")) {
      Include(child, folder, depth, &node->children);
    } else {
      MjcfNode& added = node->children.emplace_back(MjcfNode{child});
      Expand(&added, folder, depth + 1);
    }
  }
}

void MjcfDocument::ReplicateAll(MjcfNode* node) {
  for (MjcfNode& child : node->children) {
    ReplicateAll(&child);
    if (child.IsNamed("replicate")) Replicate(&child);
  }
}

// Suffixes are numbers from 0, as long as the count is, behind `sep`.
void MjcfDocument::Replicate(MjcfNode* node) {
  const std::vector<double> given = ReadMjcfNumbers(node->element, "count", 1);
  const double count = given.empty() ? 0 : given[0];
  if (!(count >= 1) || count != std::floor(count)) {
    node->element.Throw(
        "<replicate> wants a whole number 'count', of 1 or more.");
  }
  if (count * static_cast<double>(CountMjcfNodes(*node)) > kMostCopies) {
    node->element.Throw(fmt::format(
        "a <replicate> that makes more than {:.0f} elements is too large.",
        kMostCopies));
  }
  const std::string separator(node->element.Attribute("sep").value_or(""));
  const std::size_t width = fmt::format("{}", count).size();
  Replica replica;
  ForEachBelow(node, [&replica](MjcfNode* below) {
    if (!HasName(*below)) return;
    replica.names.emplace(*below->element.Attribute("name"));
  });
  const std::vector<MjcfNode> content = std::move(node->children);
  node->children.clear();
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const std::string suffix = fmt::format("{}{:0{}}", separator, i, width);
    MjcfNode& copy = node->children.emplace_back(MjcfNode{node->element});
    copy.children = content;
    ForEachBelow(&copy, [&suffix](MjcfNode* below) {
      if (!HasName(*below)) return;
      below->element = below->element.With(
          "name", std::string(*below->element.Attribute("name")) + suffix);
    });
    replica.suffixes.push_back(suffix);
  }
  replicas_.push_back(std::move(replica));
}

void MjcfDocument::ReplicateReferences(MjcfNode* section) const {
  static constexpr std::string_view kReferences[] = {
      "joint", "jointinparent", "joint1", "joint2", "site",  "site1",
      "site2", "body",          "body1",  "body2",  "geom1", "geom2"};
  for (const Replica& replica : replicas_) {
    const auto refers = [&replica](const XmlElement& element,
                                   std::string_view attribute) {
      const auto value = element.Attribute(attribute);
      return value.has_value() && replica.names.contains(*value);
    };
    const auto is_copied = [&refers](const MjcfNode& node) {
      return std::ranges::any_of(kReferences, [&](std::string_view attribute) {
        return refers(node.element, attribute);
      });
    };
    std::vector<MjcfNode> originals;
    std::ranges::copy_if(section->children, std::back_inserter(originals),
                         is_copied);
    std::erase_if(section->children, is_copied);
    for (const std::string& suffix : replica.suffixes) {
      for (MjcfNode copy : originals) {
        XmlElement& element = copy.element;
        const auto append = [&element, &suffix](std::string_view attribute) {
          element =
              element.With(std::string(attribute),
                           std::string(*element.Attribute(attribute)) + suffix);
        };
        if (HasName(copy)) append("name");
        for (const std::string_view attribute : kReferences) {
          if (refers(element, attribute)) append(attribute);
        }
        section->children.push_back(std::move(copy));
      }
    }
  }
}

// Paths are relative to the main file or, if nothing is there, to the file that
// the element is in.
fs::path MjcfDocument::FindFile(const XmlElement& element,
                                const fs::path& folder,
                                const char* what) const {
  const std::string name(element.RequiredAttribute("file"));
  if (!main_folder_.has_value() && fs::path(name).is_relative()) {
    element.Throw(fmt::format(
        "the file '{}' is relative to that of the model, but the model is in a "
        "string; give an absolute path.",
        name));
  }
  const auto find = [this, &name](const fs::path& start) {
    const fs::path path = start / name;
    return nesting_.record == nullptr ? path : nesting_.record->Use(path);
  };
  std::error_code error;
  fs::path file = find(main_folder_.value_or(fs::path()));
  if (!fs::exists(file, error)) file = find(folder);
  if (!fs::exists(file, error)) {
    element.Throw(fmt::format("there is no file '{}' to {}, which is '{}'.",
                              name, what, file.lexically_normal().string()));
  }
  return file;
}

MjcfDocument* MjcfDocument::ReadModel(const XmlElement& model) {
  if (nesting_.depth >= kMostModelsDeep ||
      ++*nesting_.num_models > kMostModels) {
    model.Throw(fmt::format(
        "models to attach are nested more than {} deep, or more than {}.",
        kMostModelsDeep, kMostModels));
  }
  const fs::path file =
      FindFile(model, main_folder_.value_or(fs::path()), "attach");
  model_texts_.push_back(
      std::make_unique<XmlDocument>(XmlDocument::FromFile(file)));
  // The constructor is not for others.
  models_.push_back(std::unique_ptr<MjcfDocument>(new MjcfDocument(
      *model_texts_.back(),
      {nesting_.depth + 1, nesting_.num_models, nesting_.record})));
  SetMjcfKeyOfJoints(*models_.back(), &models_.back()->root_);
  return models_.back().get();
}

bool MjcfDocument::Wrote(const XmlElement& element) const {
  return element.IsOf(root_.element) ||
         std::ranges::any_of(included_, [&element](const auto& document) {
           return element.IsOf(document->root());
         });
}

void MjcfDocument::Include(const XmlElement& include, const fs::path& folder,
                           int depth, std::vector<MjcfNode>* result) {
  const std::string name(include.RequiredAttribute("file"));
  const fs::path file = FindFile(include, folder, "include");
  if (std::ranges::find(files_, Canonical(file)) != files_.end()) {
    include.Throw(fmt::format(
        "'{}' is included a second time; a file may be there once.", name));
  }
  files_.push_back(Canonical(file));
  included_.push_back(
      std::make_unique<XmlDocument>(XmlDocument::FromFile(file)));
  MjcfNode top{included_.back()->root()};
  Expand(&top, file.parent_path(), depth);
  for (MjcfNode& child : top.children) result->push_back(std::move(child));
}

std::vector<const MjcfNode*> MjcfDocument::Sections(
    std::string_view section) const {
  std::vector<const MjcfNode*> result;
  for (const MjcfNode& child : root_.children) {
    if (child.IsNamed(section)) result.push_back(&child);
  }
  return result;
}

std::vector<const MjcfNode*> MjcfDocument::Contents(
    std::string_view section) const {
  std::vector<const MjcfNode*> result;
  for (const MjcfNode* const part : Sections(section)) {
    for (const MjcfNode& child : part->children) result.push_back(&child);
  }
  return result;
}

}  // namespace wyvern::multibody::internal
