#include "wyvern/multibody/parsing/urdf_tags.h"

#include <fmt/format.h>

#include "wyvern/multibody/parsing/parse_number.h"

namespace wyvern::multibody::internal {

std::string_view UrdfValueAttribute(std::string_view tag) {
  if (tag == "member") return "link";
  if (tag == "rigid_hydroelastic" || tag == "compliant_hydroelastic" ||
      tag == "soft_hydroelastic") {
    return "";
  }
  const bool is_name = tag == "member_group" ||
                       tag == "ignored_collision_filter_group" ||
                       tag.starts_with("bushing_frame") ||
                       tag.ends_with("_body_A") || tag.ends_with("_body_B");
  return is_name ? "name" : "value";
}

ExtensionTags UrdfTags(const XmlElement& element, WarningLog* log) {
  std::vector<ExtensionTags::Tag> tags;
  for (const XmlElement& child : element.children()) {
    const std::string_view attribute =
        UrdfValueAttribute(child.unprefixed_name());
    std::string_view value;
    if (attribute.empty()) {
      child.ExpectLeaf({}, log);
    } else {
      child.ExpectLeaf({attribute}, log);
      const auto given = child.Attribute(attribute);
      if (!given.has_value()) {
        log->Add(child.place(),
                 fmt::format("<{}> has no attribute '{}', and is left out.",
                             child.name(), attribute));
        continue;
      }
      value = Trim(*given);
    }
    tags.push_back({std::string(child.unprefixed_name()), std::string(value),
                    child.place()});
  }
  return ExtensionTags(std::string(element.unprefixed_name()), element.place(),
                       std::move(tags));
}

}  // namespace wyvern::multibody::internal
