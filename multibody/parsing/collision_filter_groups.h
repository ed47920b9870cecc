#pragma once

#include <map>
#include <ostream>
#include <set>
#include <string>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/sorted_pair.h"
#include "wyvern/systems/common/stream_formatter.h"

namespace wyvern::multibody {

/** Groups of bodies by name, and which of them do not collide. Names are scoped
in the plant: "arm::left" is the group `left` of the model instance `arm`, and
"arm::hand" its body `hand`. */
class CollisionFilterGroups {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(CollisionFilterGroups);
  /** Makes an object without groups and pairs. */
  CollisionFilterGroups();
  ~CollisionFilterGroups();

  bool operator==(const CollisionFilterGroups&) const = default;

  /** Adds a group by the names of its members.
  @throws std::logic_error if there is a group of that name. */
  void AddGroup(const std::string& name, const std::set<std::string>& members);
  /** Excludes collisions between two groups, or within one group if both are
  the same. Adding a pair again has no effect. */
  void AddExclusionPair(const SortedPair<std::string>& pair);

  /** True if there are neither groups nor pairs. */
  bool empty() const { return groups_.empty() && exclusion_pairs_.empty(); }
  /** The names of bodies by the names of groups. */
  const std::map<std::string, std::set<std::string>>& groups() const {
    return groups_;
  }
  /** Pairs of names of groups. */
  const std::set<SortedPair<std::string>>& exclusion_pairs() const {
    return exclusion_pairs_;
  }

  /** A block of lines for groups, with their members, and one for pairs; as
  Drake prints them. */
  std::string to_string() const;

 private:
  std::map<std::string, std::set<std::string>> groups_;
  std::set<SortedPair<std::string>> exclusion_pairs_;
};

/** Prints to_string(). */
std::ostream& operator<<(std::ostream& out, const CollisionFilterGroups& g);

}  // namespace wyvern::multibody

/// @cond  Doxygen does not see what it specializes.
template <>
struct fmt::formatter<wyvern::multibody::CollisionFilterGroups>
    : wyvern::StreamFormatter {};
/// @endcond
