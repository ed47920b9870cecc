#include "wyvern/multibody/parsing/filter_groups.h"

#include <algorithm>
#include <map>
#include <utility>

namespace wyvern::multibody::internal {

namespace {

using Groups = std::map<std::string, const ParsedFilterGroup*>;

std::set<std::string> MembersOf(const std::string& name, const Groups& groups) {
  std::set<std::string> members;
  std::set<std::string> seen{name};
  std::vector<std::string> to_do{name};
  while (!to_do.empty()) {
    const auto found = groups.find(to_do.back());
    to_do.pop_back();
    if (found == groups.end()) continue;
    const ParsedFilterGroup& group = *found->second;
    members.insert(group.members.begin(), group.members.end());
    for (const std::string& inner : group.member_groups) {
      if (seen.insert(inner).second) to_do.push_back(inner);
    }
  }
  return members;
}

Groups ByName(const std::vector<ParsedFilterGroup>& groups) {
  Groups by_name;
  for (const ParsedFilterGroup& group : groups) by_name[group.name] = &group;
  return by_name;
}

void Prefix(const std::string& scope, std::vector<std::string>* names) {
  for (std::string& name : *names) {
    if (name != kWorldName) name = scope + name;
  }
}

}  // namespace

std::vector<ParsedFilterGroup> FindVisibleGroups(const ParsedModel& model) {
  std::vector<ParsedFilterGroup> result = model.filter_groups;
  for (const ParsedModel& inner : model.nested) {
    const std::string scope = inner.name + "::";
    for (ParsedFilterGroup& group : FindVisibleGroups(inner)) {
      group.name = scope + group.name;
      Prefix(scope, &group.members);
      Prefix(scope, &group.member_groups);
      group.ignored_groups.clear();
      result.push_back(std::move(group));
    }
  }
  return result;
}

std::set<std::string> FindMembers(
    const std::string& name, const std::vector<ParsedFilterGroup>& groups) {
  return MembersOf(name, ByName(groups));
}

std::vector<FilteredPair> FindFilteredPairs(
    const std::vector<ParsedFilterGroup>& groups) {
  const Groups by_name = ByName(groups);
  std::set<std::pair<std::string, std::string>> pairs;
  for (const ParsedFilterGroup& group : groups) {
    for (const std::string& other : group.ignored_groups) {
      pairs.insert(std::minmax(group.name, other));
    }
  }
  std::vector<FilteredPair> result;
  for (const auto& names : pairs) {
    result.push_back(
        {names,
         {MembersOf(names.first, by_name), MembersOf(names.second, by_name)}});
  }
  return result;
}

}  // namespace wyvern::multibody::internal
