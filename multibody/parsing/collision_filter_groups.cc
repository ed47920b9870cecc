#include "wyvern/multibody/parsing/collision_filter_groups.h"

#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::multibody {

CollisionFilterGroups::CollisionFilterGroups() = default;
CollisionFilterGroups::~CollisionFilterGroups() = default;

void CollisionFilterGroups::AddGroup(const std::string& name,
                                     const std::set<std::string>& members) {
  if (groups_.try_emplace(name, members).second) return;
  throw std::logic_error(
      fmt::format("CollisionFilterGroups::AddGroup(): there is already a group "
                  "'{}'; give another name.",
                  name));
}

void CollisionFilterGroups::AddExclusionPair(
    const SortedPair<std::string>& pair) {
  exclusion_pairs_.insert(pair);
}

std::string CollisionFilterGroups::to_string() const {
  std::string result = "\nCollision filter groups:\n";
  for (const auto& [name, members] : groups_) {
    result += fmt::format("    {}\n", name);
    for (const std::string& member : members) {
      result += fmt::format("        {}\n", member);
    }
  }
  result += "Collision filter exclusion pairs:\n";
  for (const auto& pair : exclusion_pairs_) {
    result += fmt::format("    {}, {}\n", pair.first(), pair.second());
  }
  return result;
}

std::ostream& operator<<(std::ostream& out, const CollisionFilterGroups& g) {
  return out << g.to_string();
}

}  // namespace wyvern::multibody
