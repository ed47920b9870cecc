#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace wyvern::systems::internal {

/** Counts the Systems of a DiagramBuilder by name. A System reports each change
of its name. */
class NameIndex {
 public:
  void Add(const std::string& name) { ++counts_[name]; }
  void Remove(const std::string& name) {
    const auto found = counts_.find(name);
    if (found != counts_.end() && --found->second == 0) counts_.erase(found);
  }
  bool Has(const std::string& name) const { return counts_.contains(name); }

 private:
  std::unordered_map<std::string, int> counts_;
};

}  // namespace wyvern::systems::internal
