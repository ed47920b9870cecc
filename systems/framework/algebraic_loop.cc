#include "wyvern/systems/framework/algebraic_loop.h"

#include <algorithm>
#include <utility>

namespace wyvern::systems::internal {

std::optional<std::vector<int>> FindCycle(
    const std::vector<std::vector<int>>& successors) {
  enum Color { kNew, kOnPath, kDone };
  const int n = static_cast<int>(successors.size());
  std::vector<Color> color(n, kNew);
  // The path from the root of the search: each node with the number of its
  // successors that were visited.
  std::vector<std::pair<int, size_t>> path;
  for (int root = 0; root < n; ++root) {
    if (color[root] != kNew) continue;
    path.assign(1, {root, 0});
    color[root] = kOnPath;
    while (!path.empty()) {
      const int node = path.back().first;
      if (path.back().second == successors[node].size()) {
        color[node] = kDone;
        path.pop_back();
        continue;
      }
      const int next = successors[node][path.back().second++];
      if (color[next] == kOnPath) {
        const auto start = std::find_if(
            path.begin(), path.end(),
            [next](const auto& step) { return step.first == next; });
        std::vector<int> cycle;
        for (auto it = start; it != path.end(); ++it)
          cycle.push_back(it->first);
        return cycle;
      }
      if (color[next] == kNew) {
        color[next] = kOnPath;
        path.emplace_back(next, 0);
      }
    }
  }
  return std::nullopt;
}

}  // namespace wyvern::systems::internal
