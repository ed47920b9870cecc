#include "wyvern/multibody/parsing/conversion/shape_pairs.h"

#include <map>
#include <vector>

#include "wyvern/multibody/parsing/filter_groups.h"

namespace wyvern::multibody::internal {

namespace {

/** The shapes of a model by link, and what a plant parts by itself. */
class ShapeIndex {
 public:
  explicit ShapeIndex(const ParsedModel& model) {
    for (const ParsedLink& link : model.links) Add(link);
    Add(model.world);
    for (const ParsedJoint& joint : model.joints) {
      if (joint.type == ParsedJointType::kFixed) {
        root_[RootOf(joint.child)] = RootOf(joint.parent);
      }
      neighbours_.insert(std::minmax(joint.parent, joint.child));
    }
  }

  const std::vector<std::string>& ShapesOf(const std::string& link) const {
    static const std::vector<std::string> kNone;
    const auto found = shapes_.find(link);
    return found == shapes_.end() ? kNone : found->second;
  }

  bool CanTouch(const std::string& a, const std::string& b) const {
    if (a == b || RootOf(a) == RootOf(b)) return false;
    return a == kWorldName || b == kWorldName ||
           !neighbours_.contains(std::minmax(a, b));
  }

 private:
  void Add(const ParsedLink& link) {
    for (const auto& shape : link.collisions) {
      shapes_[link.name].push_back(shape.name());
    }
  }

  std::string RootOf(std::string link) const {
    for (auto next = root_.find(link);
         next != root_.end() && next->second != link; next = root_.find(link)) {
      link = next->second;
    }
    return link;
  }

  std::map<std::string, std::vector<std::string>> shapes_;
  std::map<std::string, std::string> root_;
  std::set<std::pair<std::string, std::string>> neighbours_;
};

}  // namespace

std::set<std::pair<ShapeName, ShapeName>> FindUntouchingPairs(
    const ParsedModel& model) {
  const ShapeIndex index(model);
  std::set<std::pair<ShapeName, ShapeName>> result;
  const auto add = [&](const ShapeName& a, const ShapeName& b) {
    if (index.CanTouch(a.first, b.first)) result.insert(std::minmax(a, b));
  };
  for (const FilteredPair& pair : FindFilteredPairs(model.filter_groups)) {
    for (const std::string& a : pair.members.first) {
      for (const std::string& b : pair.members.second) {
        for (const std::string& x : index.ShapesOf(a)) {
          for (const std::string& y : index.ShapesOf(b)) add({a, x}, {b, y});
        }
      }
    }
  }
  for (const ParsedExclusion& exclusion : model.exclusions) {
    for (const ShapeName& a : exclusion.first) {
      for (const ShapeName& b : exclusion.second) add(a, b);
    }
  }
  return result;
}

void MakeGroupsOfExclusions(ParsedModel* model) {
  if (model->exclusions.empty()) return;
  const ShapeIndex index(*model);
  std::map<std::pair<std::string, std::string>, std::size_t> count;
  for (const auto& [a, b] : FindUntouchingPairs(*model)) {
    ++count[{a.first, b.first}];
  }
  std::map<std::string, ParsedFilterGroup> groups;
  const auto group_of = [&](const std::string& link) -> ParsedFilterGroup& {
    ParsedFilterGroup& group = groups[link];
    group.name = "links_of_" + link;
    group.members = {link};
    return group;
  };
  for (const auto& [links, number] : count) {
    const auto& [a, b] = links;
    if (number != index.ShapesOf(a).size() * index.ShapesOf(b).size()) continue;
    group_of(a).ignored_groups.push_back(group_of(b).name);
  }
  model->exclusions.clear();
  for (const auto& [link, group] : groups) {
    model->filter_groups.push_back(group);
  }
}

}  // namespace wyvern::multibody::internal
