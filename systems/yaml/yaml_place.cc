#include "wyvern/systems/yaml/yaml_place.h"

#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::yaml::internal {

std::string ToString(const Place& place) {
  if (place.parent == nullptr) return "";
  const std::string around = ToString(*place.parent);
  if (place.key == nullptr) return fmt::format("{}[{}]", around, place.index);
  return around.empty() ? place.key : around + "." + place.key;
}

void Fail(const Place& place, const Node& node, const std::string& what) {
  Fail(place, node.spot, what);
}

void Fail(const Place& place, const Spot& spot, const std::string& what) {
  const std::string path = ToString(place);
  throw std::runtime_error(
      fmt::format("LoadYaml(): {}:{}: {} {}", *place.source, ToString(spot),
                  path.empty() ? "the document" : "'" + path + "'", what));
}

void FailKind(const Place& place, const Node& node, const std::string& wanted) {
  Fail(place, node, fmt::format("is {}; give {}", Describe(node), wanted));
}

}  // namespace wyvern::yaml::internal
