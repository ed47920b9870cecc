#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

/** Two groups of bodies that do not collide; within one, if they are the same.
 */
struct FilteredPair {
  std::pair<std::string, std::string> names;
  std::pair<std::set<std::string>, std::set<std::string>> members;
};

/** The groups that those of `model` may name: its own, and those of models
nested in it as "model::group", with the members that they have, but without
what they do not collide with. */
std::vector<ParsedFilterGroup> FindVisibleGroups(const ParsedModel& model);

/** The members of the group `name` and of its member groups. */
std::set<std::string> FindMembers(const std::string& name,
                                  const std::vector<ParsedFilterGroup>& groups);

/** The pairs that `groups` say, with the members of their member groups, and of
those in turn; groups may contain each other. Each pair once. Groups that are
not there are passed over. */
std::vector<FilteredPair> FindFilteredPairs(
    const std::vector<ParsedFilterGroup>& groups);

}  // namespace wyvern::multibody::internal
