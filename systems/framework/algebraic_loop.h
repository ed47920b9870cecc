#pragma once

#include <optional>
#include <vector>

namespace wyvern::systems::internal {

/** A cycle in the directed graph with edges i -> successors[i][...], as a list
of nodes in order, or nothing if there is none. Depth-first search, O(V + E). */
std::optional<std::vector<int>> FindCycle(
    const std::vector<std::vector<int>>& successors);

}  // namespace wyvern::systems::internal
