#include "wyvern/multibody/parsing/mjcf_defaults.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/mjcf_attach.h"

namespace wyvern::multibody::internal {

MjcfDefaults::MjcfDefaults(const MjcfDocument& document) : main_("main") {
  const auto sections = document.Sections("default");
  if (!sections.empty()) {
    main_ = sections[0]->element.Attribute("class").value_or("main");
  }
  classes_[main_];
  for (const MjcfNode* const section : sections) Read(*section, {}, true);
  for (const MjcfAttachment& attachment : document.attachments()) {
    ReadAttached(attachment);
  }
}

// The document itself may name them by the prefix, unless it has such a class.
void MjcfDefaults::ReadAttached(const MjcfAttachment& attachment) {
  const MjcfDefaults model(*attachment.model);
  for (const auto& [name, read] : model.classes_) {
    Class added;
    if (!read.parent.empty()) {
      added.parent = attachment.ClassName(read.parent);
    }
    for (const XmlElement& element : read.elements) {
      added.elements.push_back(RenameAttached(element, attachment));
    }
    classes_.try_emplace(attachment.prefix + name, added);
    classes_.insert_or_assign(attachment.ClassName(name), std::move(added));
  }
}

void MjcfDefaults::Read(const MjcfNode& node, const std::string& parent,
                        bool is_top) {
  const XmlElement& element = node.element;
  const std::string name =
      is_top ? std::string(element.Attribute("class").value_or(main_))
             : std::string(element.RequiredAttribute("class"));
  const bool is_main = is_top && name == main_;
  if (!is_main && classes_.contains(name)) {
    element.Throw(fmt::format(
        "the default class '{}' is there already; names must be unique.",
        name));
  }
  Class& own = classes_[name];
  if (!is_main) own.parent = is_top ? main_ : parent;
  for (const MjcfNode& child : node.children) {
    if (!child.IsNamed("default")) own.elements.push_back(child.element);
  }
  for (const MjcfNode& child : node.children) {
    if (child.IsNamed("default")) Read(child, name, false);
  }
}

void MjcfDefaults::RequireClass(const XmlElement& element,
                                const std::string& name) const {
  if (classes_.contains(name)) return;
  element.Throw(
      fmt::format("there is no default class '{}' in this file.", name));
}

MjcfElement MjcfDefaults::Apply(
    const XmlElement& element, const std::string& childclass,
    const std::vector<std::string_view>& tags) const {
  std::string name(element.Attribute("class").value_or(childclass));
  if (name.empty()) name = main_;
  RequireClass(element, name);
  std::vector<XmlElement> layers;
  for (; !name.empty(); name = classes_.at(name).parent) {
    const std::vector<XmlElement>& all = classes_.at(name).elements;
    for (auto layer = all.rbegin(); layer != all.rend(); ++layer) {
      if (std::ranges::find(tags, layer->name()) != tags.end()) {
        layers.push_back(*layer);
      }
    }
  }
  return MjcfElement(element, std::move(layers));
}

std::string MjcfDefaults::ChildClass(const XmlElement& element,
                                     const std::string& inherited) const {
  const auto given = element.Attribute("childclass");
  if (!given.has_value()) return inherited;
  std::string name(*given);
  RequireClass(element, name);
  return name;
}

}  // namespace wyvern::multibody::internal
