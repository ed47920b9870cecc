#pragma once

#include <string>
#include <unordered_map>
#include <vector>

namespace wyvern::geometry::internal {

/** Finds elements by their owner and name, without looking at others. Elements
of one owner may share a name. */
template <typename OwnerId, typename Id>
class NameIndex {
 public:
  /** Adds an element. */
  void Add(OwnerId owner, const std::string& name, Id id) {
    ids_[owner].emplace(name, id);
  }
  /** Removes an element that was added with this owner and name. */
  void Remove(OwnerId owner, const std::string& name, Id id) {
    auto& of_owner = ids_.at(owner);
    auto [first, last] = of_owner.equal_range(name);
    while (first != last && !(first->second == id)) ++first;
    if (first != last) of_owner.erase(first);
  }
  /** Removes all elements. */
  void Clear() { ids_.clear(); }
  /** Returns the elements of this owner and name, in no order. */
  std::vector<Id> Find(OwnerId owner, const std::string& name) const {
    std::vector<Id> result;
    const auto of_owner = ids_.find(owner);
    if (of_owner == ids_.end()) return result;
    const auto [first, last] = of_owner->second.equal_range(name);
    for (auto it = first; it != last; ++it) result.push_back(it->second);
    return result;
  }

 private:
  std::unordered_map<OwnerId, std::unordered_multimap<std::string, Id>> ids_;
};

}  // namespace wyvern::geometry::internal
