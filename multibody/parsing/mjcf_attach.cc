#include "wyvern/multibody/parsing/mjcf_attach.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/mjcf_defaults.h"
#include "wyvern/multibody/parsing/parsed_model.h"

/* Expansion of <attach>. A model in <asset> is a document of its own, with its
own classes of defaults, units, folders and attachments. The attached part is
copied, its names made different by the prefix; it keeps its model's defaults
by the classes that it is given here, and its model's <compiler> by the text
that it is from. As in MuJoCo, an element outside of the bodies is copied if
all that it refers to is, assets are always copied, and options are not. The
positions of the model's key go with its joints. */

namespace wyvern::multibody::internal {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostAdded = 100'000;

// Attributes that name something, and of what kind it is.
constexpr std::pair<std::string_view, std::string_view> kReferences[] = {
    {"joint", "joint"},    {"jointinparent", "joint"}, {"joint1", "joint"},
    {"joint2", "joint"},   {"site", "site"},           {"site1", "site"},
    {"site2", "site"},     {"refsite", "site"},        {"slidersite", "site"},
    {"cranksite", "site"}, {"sidesite", "site"},       {"body", "body"},
    {"body1", "body"},     {"body2", "body"},          {"geom", "geom"},
    {"geom1", "geom"},     {"geom2", "geom"},          {"tendon", "tendon"},
    {"tendon1", "tendon"}, {"tendon2", "tendon"}};

// These are renamed, too, in what is of another model.
constexpr std::string_view kAssets[] = {"name", "mesh", "hfield", "material",
                                        "texture"};

int CalcDepth(const MjcfNode& node) {
  int most = 0;
  for (const MjcfNode& child : node.children) {
    most = std::max(most, CalcDepth(child));
  }
  return 1 + most;
}

std::string KindOf(const XmlElement& element) {
  return std::string(element.IsNamed("freejoint") ? "joint" : element.name());
}

void CollectNames(const MjcfNode& node, MjcfNamesByKind* names) {
  const auto name = node.element.Attribute("name");
  if (name.has_value()) {
    (*names)[KindOf(node.element)].emplace(*name);
  }
  for (const MjcfNode& child : node.children) CollectNames(child, names);
}

// Whether all that it and its children refer to is among the names; `count` is
// of references.
bool RefersOnlyTo(const MjcfNode& node, const MjcfNamesByKind& names,
                  int* count) {
  for (const auto& [attribute, kind] : kReferences) {
    const auto value = node.element.Attribute(attribute);
    if (!value.has_value() || *value == kWorldName) continue;
    const auto found = names.find(std::string(kind));
    if (found == names.end() || !found->second.contains(std::string(*value))) {
      return false;
    }
    ++*count;
  }
  return std::ranges::all_of(node.children, [&](const MjcfNode& child) {
    return RefersOnlyTo(child, names, count);
  });
}

bool ComesAlong(const MjcfNode& node, const MjcfNamesByKind& names) {
  int count = 0;
  return RefersOnlyTo(node, names, &count) && count > 0;
}

void Rename(const MjcfAttachment& attachment, MjcfNode* node) {
  node->element = RenameAttached(node->element, attachment);
  for (MjcfNode& child : node->children) Rename(attachment, &child);
}

// Renames a part that is attached to its own document: classes and assets, and
// names outside of the part, are kept.
void RenameOwn(MjcfNode* node, const std::string& prefix,
               const MjcfNamesByKind& names) {
  XmlElement& element = node->element;
  const auto rename = [&](std::string_view attribute) {
    element = element.With(std::string(attribute),
                           prefix + std::string(*element.Attribute(attribute)));
  };
  if (element.Attribute("name").has_value()) rename("name");
  for (const auto& [attribute, kind] : kReferences) {
    const auto value = element.Attribute(attribute);
    const auto found = names.find(std::string(kind));
    if (value.has_value() && found != names.end() &&
        found->second.contains(std::string(*value))) {
      rename(attribute);
    }
  }
  for (MjcfNode& child : node->children) RenameOwn(&child, prefix, names);
}

// Sections with copies, renamed, of what comes along with the names, which get
// those of tendons.
void CopyReferences(const MjcfDocument& document, MjcfNamesByKind* names,
                    const std::function<void(MjcfNode*)>& rename,
                    std::vector<MjcfNode>* result) {
  for (const char* const name : {"tendon", "equality", "contact", "actuator"}) {
    for (const MjcfNode* const section : document.Sections(name)) {
      MjcfNode added{section->element};
      for (const MjcfNode& node : section->children) {
        if (!ComesAlong(node, *names)) continue;
        const auto own = node.element.Attribute("name");
        if (section->IsNamed("tendon") && own.has_value()) {
          (*names)["tendon"].emplace(*own);
        }
        rename(&added.children.emplace_back(node));
      }
      result->push_back(std::move(added));
    }
  }
}

bool HoldsElements(const XmlElement& element) {
  return element.IsNamed("body") || element.IsNamed("frame") ||
         element.IsNamed("replicate");
}

void SetClass(const std::string& name, MjcfNode* node) {
  const char* const attribute =
      HoldsElements(node->element) ? "childclass" : "class";
  if (node->element.Attribute(attribute).has_value()) return;
  node->element = node->element.With(attribute, name);
}

}  // namespace

XmlElement RenameAttached(const XmlElement& element,
                          const MjcfAttachment& attachment) {
  XmlElement result = element;
  const auto rename = [&](std::string_view attribute) {
    const auto value = result.Attribute(attribute);
    if (!value.has_value() || value->empty() || *value == kWorldName) return;
    result = result.With(std::string(attribute),
                         attachment.prefix + std::string(*value));
  };
  for (const std::string_view attribute : kAssets) rename(attribute);
  for (const auto& [attribute, kind] : kReferences) rename(attribute);
  for (const char* const attribute : {"class", "childclass"}) {
    const auto value = result.Attribute(attribute);
    if (!value.has_value()) continue;
    result = result.With(attribute, attachment.ClassName(std::string(*value)));
  }
  return result;
}

void MjcfAttacher::Attach() {
  FindModels();
  Walk(&document_.root_, 0);
  AddOwnSections();
}

// A <model> without name has that of its <mujoco>, for which it is read.
void MjcfAttacher::FindModels() {
  for (const MjcfNode* const node : document_.Contents("asset")) {
    const XmlElement& element = node->element;
    if (!element.IsNamed("model")) continue;
    std::string name(element.Attribute("name").value_or(""));
    MjcfDocument* read{};
    if (name.empty()) {
      read = document_.ReadModel(element);
      name = read->root().element.Attribute("model").value_or("");
    }
    if (!models_.try_emplace(name, element, read).second) {
      element.Throw(fmt::format(
          "there is a model '{}' already; names must be unique.", name));
    }
  }
}

MjcfDocument& MjcfAttacher::Model(const XmlElement& attach) {
  const std::string name(attach.RequiredAttribute("model"));
  const auto found = models_.find(name);
  if (found == models_.end()) {
    attach.Throw(fmt::format(
        "there is no <model> '{}' in <asset>; <attach> wants one.", name));
  }
  auto& [element, model] = found->second;
  if (model == nullptr) model = document_.ReadModel(element);
  for (const char* const section : {"deformable", "extension"}) {
    if (model->Sections(section).empty()) continue;
    attach.Throw(fmt::format(
        "the model '{}' has a <{}>, which is not modelled.", name, section));
  }
  return *model;
}

// The children come back one by one, so that an <attach> finds what is above
// it, and no more.
void MjcfAttacher::Walk(MjcfNode* node, int depth) {
  std::vector<MjcfNode> pending = std::move(node->children);
  node->children.clear();
  for (MjcfNode& child : pending) {
    if (!child.IsNamed("attach")) {
      node->children.push_back(std::move(child));
      Walk(&node->children.back(), depth + 1);
      continue;
    }
    for (MjcfNode& taken : Take(child.element)) {
      num_added_ += CountMjcfNodes(taken);
      if (num_added_ > kMostAdded ||
          depth + CalcDepth(taken) > MjcfDocument::kMostDepth) {
        child.element.Throw(fmt::format(
            "<attach> makes more than {} elements, or elements nested more "
            "than {} deep.",
            kMostAdded, MjcfDocument::kMostDepth));
      }
      node->children.push_back(std::move(taken));
    }
  }
}

std::vector<MjcfNode> MjcfAttacher::Take(const XmlElement& attach) {
  const std::string prefix(attach.RequiredAttribute("prefix"));
  if (attach.Attribute("body").has_value() &&
      attach.Attribute("frame").has_value()) {
    attach.Throw("<attach> has body and frame; give one of them.");
  }
  return attach.Attribute("model").has_value() ? TakeOfModel(attach, prefix)
                                               : TakeOfItself(attach, prefix);
}

MjcfAttacher::FoundElement MjcfAttacher::Find(const XmlElement& attach,
                                              const MjcfDocument& document,
                                              std::string_view whose) {
  const bool is_frame = attach.Attribute("frame").has_value();
  const std::string kind = is_frame ? "frame" : "body";
  const std::string name(attach.RequiredAttribute(kind));
  const auto search = [&](const auto& self, const MjcfNode& node,
                          const std::string& inherited) -> FoundElement {
    const std::string childclass(
        node.element.Attribute("childclass").value_or(inherited));
    for (const MjcfNode& child : node.children) {
      if (child.IsNamed(kind) && child.element.Attribute("name") == name) {
        return {&child, childclass};
      }
      const FoundElement found = self(self, child, childclass);
      if (found.node != nullptr) return found;
    }
    return {};
  };
  for (const MjcfNode* const world : document.Sections("worldbody")) {
    const FoundElement found = search(search, *world, {});
    if (found.node != nullptr) return found;
  }
  attach.Throw(fmt::format("there is no {} '{}' in {}.", kind, name, whose));
}

std::vector<MjcfNode> MjcfAttacher::TakeOfModel(const XmlElement& attach,
                                                const std::string& prefix) {
  const MjcfDocument& model = Model(attach);
  const MjcfAttachment attachment = AddModel(model, prefix);
  std::vector<MjcfNode> result;
  if (attach.Attribute("body").has_value() ||
      attach.Attribute("frame").has_value()) {
    const FoundElement found =
        Find(attach, model,
             fmt::format("the model '{}'", *attach.Attribute("model")));
    result.push_back(*found.node);
    if (!found.childclass.empty()) SetClass(found.childclass, &result[0]);
  } else {
    for (const MjcfNode* const node : model.Contents("worldbody")) {
      result.push_back(*node);
    }
  }
  MjcfNamesByKind names;
  for (MjcfNode& node : result) {
    CollectNames(node, &names);
    Rename(attachment, &node);
    SetClass(attachment.main_class, &node);
  }
  AddSections(attachment, names);
  return result;
}

// Once for all that is attached of a model with a prefix.
const MjcfAttachment& MjcfAttacher::AddModel(const MjcfDocument& model,
                                             const std::string& prefix) {
  for (const MjcfAttachment& there : document_.attachments_) {
    if (there.model == &model && there.prefix == prefix) return there;
  }
  MjcfAttachment& added = document_.attachments_.emplace_back();
  added.model = &model;
  added.prefix = prefix;
  added.main_class = added.ClassName(MjcfDefaults(model).main());
  AddAssets(added);
  return added;
}

void MjcfAttacher::AddAssets(const MjcfAttachment& attachment) {
  for (const MjcfNode* const section : attachment.model->Sections("asset")) {
    MjcfNode added{section->element};
    for (const MjcfNode& node : section->children) {
      if (node.IsNamed("model")) continue;
      MjcfNode& copy = added.children.emplace_back(node);
      const XmlElement& element = node.element;
      if (!element.Attribute("name").has_value()) {
        const fs::path file(element.Attribute("file").value_or(""));
        copy.element = element.With("name", file.stem().string());
      }
      Rename(attachment, &copy);
      SetClass(attachment.main_class, &copy);
    }
    document_.added_.push_back(std::move(added));
  }
}

void MjcfAttacher::AddSections(const MjcfAttachment& attachment,
                               const MjcfNamesByKind& attached) {
  MjcfNamesByKind names = attached;
  CopyReferences(
      *attachment.model, &names,
      [&](MjcfNode* copy) {
        Rename(attachment, copy);
        if (!copy->IsNamed("exclude")) SetClass(attachment.main_class, copy);
      },
      &document_.added_);
}

std::vector<MjcfNode> MjcfAttacher::TakeOfItself(const XmlElement& attach,
                                                 const std::string& prefix) {
  if (prefix.empty()) {
    attach.Throw("what is attached to its own model wants a prefix.");
  }
  const FoundElement found = Find(attach, document_, "this file above it");
  MjcfNode copy = *found.node;
  if (!found.childclass.empty()) SetClass(found.childclass, &copy);
  MjcfNamesByKind names;
  CollectNames(copy, &names);
  RenameOwn(&copy, prefix, names);
  own_.emplace_back(prefix, std::move(names));
  std::vector<MjcfNode> result;
  result.push_back(std::move(copy));
  return result;
}

void MjcfAttacher::AddOwnSections() {
  std::ranges::move(document_.added_,
                    std::back_inserter(document_.root_.children));
  document_.added_.clear();
  for (auto& [prefix, names] : own_) {
    CopyReferences(
        document_, &names,
        [&](MjcfNode* copy) { RenameOwn(copy, prefix, names); },
        &document_.added_);
  }
}

}  // namespace wyvern::multibody::internal
