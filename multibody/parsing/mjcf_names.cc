#include "wyvern/multibody/parsing/mjcf_names.h"

#include <fmt/format.h>

#include "wyvern/multibody/parsing/parse_number.h"

namespace wyvern::multibody::internal {

MjcfNames::MjcfNames(const MjcfNode& node, std::set<std::string_view> tags) {
  Collect(node, tags);
}

void MjcfNames::Collect(const MjcfNode& node,
                        const std::set<std::string_view>& tags) {
  if (tags.contains(node.element.name())) {
    given_.emplace(node.element.Attribute("name").value_or(""));
  }
  for (const MjcfNode& child : node.children) Collect(child, tags);
}

std::string MjcfNames::Take(const XmlElement& element,
                            const std::string& made) {
  if (Trim(element.Attribute("name").value_or("")).empty()) return Make(made);
  std::string name = element.RequiredName("name");
  if (!taken_.insert(name).second) {
    element.Throw(fmt::format(
        "there is a {} '{}' already; names must be unique.",
        element.IsNamed("freejoint") ? "joint" : element.name(), name));
  }
  return name;
}

std::string MjcfNames::Make(const std::string& made) {
  std::string result = made;
  while (contains(result)) {
    result = fmt::format("{}_{}", made, ++last_number_[made]);
  }
  taken_.insert(result);
  return result;
}

}  // namespace wyvern::multibody::internal
