#pragma once

#include <optional>
#include <utility>
#include <vector>

namespace wyvern::systems::internal {

/** A directed graph: the edges i -> graph[i][...]. */
using DirectedGraph = std::vector<std::vector<int>>;

/** A cycle in the graph, as a list of nodes in order, or nothing if there is
none. Depth-first search, O(V + E). */
std::optional<std::vector<int>> FindCycle(const DirectedGraph& graph);

/** Cycles that share nodes: a strongly connected part of a graph. */
struct Loop {
  /** One of the shortest cycles, as a list of nodes in order; in parts of more
  than 200 nodes the shortest of those through the first 200. */
  std::vector<int> cycle;
  /** Edges without which the part has no cycle. A single one, if there is such
  an edge among the first 64 of a cycle; otherwise chosen greedily, at most 64.
  */
  std::vector<std::pair<int, int>> cuts;
};

/** Returns all loops, ordered by their smallest nodes. Only edges from the
nodes in `can_cut` are cut; each cycle has such an edge. */
std::vector<Loop> FindLoops(const DirectedGraph& graph,
                            const std::vector<bool>& can_cut);

/** Base of Systems that solve the algebraic loops through their connections, so
that these are no error. */
class SolvesLoop {
 public:
  virtual ~SolvesLoop() = default;
};

}  // namespace wyvern::systems::internal
