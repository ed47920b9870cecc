#include "wyvern/systems/framework/algebraic_loop.h"

#include <algorithm>
#include <utility>

/* Searches in graphs: depth-first for a cycle, Tarjan's algorithm for the
strongly connected parts (SIAM Journal on Computing 1, 1972, p. 146), and
breadth first for a shortest cycle. All keep lists instead of recursing, because
a loop may be as long as a Diagram. If a single edge breaks all cycles of a
part, it is on each of them, so it is enough to try the edges of one cycle. The
smallest set of edges is NP-hard to find; without a single edge, cycles are
broken one by one.
*/

namespace wyvern::systems::internal {

std::optional<std::vector<int>> FindCycle(const DirectedGraph& successors) {
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

namespace {

// Returns the strongly connected parts with more than one node, each sorted.
std::vector<std::vector<int>> FindConnectedParts(const DirectedGraph& graph) {
  const int n = static_cast<int>(graph.size());
  std::vector<int> order(n, -1), low(n, 0);
  std::vector<bool> is_open(n, false);
  std::vector<int> open;
  std::vector<std::pair<int, std::size_t>> path;
  std::vector<std::vector<int>> parts;
  int count = 0;
  for (int root = 0; root < n; ++root) {
    if (order[root] >= 0) continue;
    path.assign(1, {root, 0});
    while (!path.empty()) {
      const int node = path.back().first;
      if (path.back().second == 0 && order[node] < 0) {
        order[node] = low[node] = count++;
        open.push_back(node);
        is_open[node] = true;
      }
      if (path.back().second < graph[node].size()) {
        const int next = graph[node][path.back().second++];
        if (order[next] < 0) {
          path.emplace_back(next, 0);
        } else if (is_open[next]) {
          low[node] = std::min(low[node], order[next]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) {
        int& parent = low[path.back().first];
        parent = std::min(parent, low[node]);
      }
      if (low[node] != order[node]) continue;
      std::vector<int> part;
      int member = -1;
      while (member != node) {
        member = open.back();
        open.pop_back();
        is_open[member] = false;
        part.push_back(member);
      }
      if (part.size() < 2) continue;
      std::ranges::sort(part);
      parts.push_back(std::move(part));
    }
  }
  std::ranges::sort(parts);
  return parts;
}

// Returns the edges within a part, with nodes numbered as in `part`.
DirectedGraph TakePart(const DirectedGraph& graph,
                       const std::vector<int>& part) {
  DirectedGraph result(part.size());
  for (std::size_t i = 0; i < part.size(); ++i) {
    for (const int to : graph[part[i]]) {
      const auto found = std::ranges::lower_bound(part, to);
      if (found == part.end() || *found != to) continue;
      result[i].push_back(static_cast<int>(found - part.begin()));
    }
  }
  return result;
}

// Returns a shortest cycle through `start`, which begins there.
std::vector<int> FindShortestCycle(const DirectedGraph& graph, int start) {
  std::vector<int> from(graph.size(), -1);
  std::vector<int> to_do{start};
  for (std::size_t i = 0; i < to_do.size(); ++i) {
    for (const int next : graph[to_do[i]]) {
      if (next == start) {
        std::vector<int> cycle;
        for (int node = to_do[i]; node != start; node = from[node]) {
          cycle.push_back(node);
        }
        cycle.push_back(start);
        std::ranges::reverse(cycle);
        return cycle;
      }
      if (from[next] >= 0) continue;
      from[next] = to_do[i];
      to_do.push_back(next);
    }
  }
  return {};
}

DirectedGraph Without(DirectedGraph graph, std::pair<int, int> edge) {
  std::erase(graph[edge.first], edge.second);
  return graph;
}

std::vector<std::pair<int, int>> FindCuts(DirectedGraph graph,
                                          const std::vector<bool>& can_cut) {
  constexpr std::size_t kMost = 64;
  std::vector<std::pair<int, int>> cuts;
  while (cuts.size() < kMost) {
    const auto cycle = FindCycle(graph);
    if (!cycle.has_value()) break;
    std::vector<std::pair<int, int>> edges;
    for (std::size_t i = 0; i < cycle->size(); ++i) {
      const int node = (*cycle)[i];
      if (can_cut[node]) {
        edges.emplace_back(node, (*cycle)[(i + 1) % cycle->size()]);
      }
    }
    if (edges.empty()) break;
    const std::size_t num_tried = std::min(edges.size(), kMost);
    for (std::size_t i = 0; i < num_tried; ++i) {
      if (FindCycle(Without(graph, edges[i])).has_value()) continue;
      cuts.push_back(edges[i]);
      return cuts;
    }
    cuts.push_back(edges.back());
    graph = Without(std::move(graph), edges.back());
  }
  return cuts;
}

}  // namespace

std::vector<Loop> FindLoops(const DirectedGraph& graph,
                            const std::vector<bool>& can_cut) {
  constexpr std::size_t kMostStarts = 200;
  std::vector<Loop> loops;
  for (const std::vector<int>& part : FindConnectedParts(graph)) {
    const DirectedGraph edges = TakePart(graph, part);
    Loop loop;
    for (std::size_t i = 0; i < std::min(part.size(), kMostStarts); ++i) {
      std::vector<int> cycle = FindShortestCycle(edges, static_cast<int>(i));
      if (loop.cycle.empty() || cycle.size() < loop.cycle.size()) {
        loop.cycle = std::move(cycle);
      }
    }
    std::vector<bool> can_cut_part(part.size());
    for (std::size_t i = 0; i < part.size(); ++i) {
      can_cut_part[i] = can_cut[part[i]];
    }
    loop.cuts = FindCuts(edges, can_cut_part);
    for (int& node : loop.cycle) node = part[node];
    for (auto& [from, to] : loop.cuts) {
      from = part[from];
      to = part[to];
    }
    loops.push_back(std::move(loop));
  }
  return loops;
}

}  // namespace wyvern::systems::internal
