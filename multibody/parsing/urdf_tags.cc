#include "wyvern/multibody/parsing/urdf_tags.h"

#include <fmt/format.h>

#include "wyvern/multibody/parsing/parse_number.h"

namespace wyvern::multibody::internal {

ExtensionTags UrdfTags(const XmlElement& element) {
  std::vector<ExtensionTags::Tag> tags;
  for (const XmlElement& child : element.children()) {
    if (child.num_attributes() > 1) {
      child.Throw(
          fmt::format("<{}> has more than one attribute.", child.name()));
    }
    tags.push_back({std::string(child.unprefixed_name()),
                    std::string(Trim(child.any_attribute())), child.place()});
  }
  return ExtensionTags(std::string(element.unprefixed_name()), element.place(),
                       std::move(tags));
}

}  // namespace wyvern::multibody::internal
