#include "wyvern/systems/blocks/diagram_data.h"

namespace wyvern::systems {

using yaml::internal::Node;
using yaml::internal::Place;

void PortName::ReadYaml(const Place& place, const Node& node) {
  yaml::internal::ReadString(place, node, &name);
  where = internal::DescribePlace(place, node);
}

std::shared_ptr<Node> PortName::WriteYaml() const {
  return yaml::internal::WriteString(name);
}

std::string PortName::MakeSchema() {
  return R"({"type": "string", "pattern": "^.+/[^/]+$"})";
}

}  // namespace wyvern::systems
