#pragma once

#include <cstdint>
#include <vector>

#include "wyvern/systems/framework/framework_common.h"

namespace wyvern::systems::internal {

/** Node of one ticket of a System: the tickets it directly depends on and, if
it stands for a cache entry, that entry's index. */
struct TicketNode {
  std::vector<DependencyTicket> prerequisites;
  int cache_index{-1};
};

/** For every ticket of a leaf System, the set of its cache entries that a
change makes stale, as bit masks; compiled once from the ticket graph.

The wiring inside a System is fixed before its first Context is made, so the
transitive closure is taken here, once, and a change at run time costs one OR
per 64 entries. Bulk changes (time and the whole continuous state together, say)
have masks of their own. */
class DependencyMasks {
 public:
  /** Changes that touch several tickets at once. */
  enum Bulk : int {
    kTime,
    kAccuracy,
    kContinuousState,
    kTimeAndContinuousState,
    kTimeAndQ,
    kVz,
    kDiscreteState,
    kAbstractState,
    kState,
    kNumericParameters,
    kAbstractParameters,
    kParameters,
    kEverything,
    kNumBulk
  };

  /** @param tickets the graph, indexed by ticket.
  @param group_tickets tickets of all discrete groups, abstract states, numeric
  and abstract parameters, which their totals stand for in bulk changes. */
  struct GroupTickets {
    std::vector<DependencyTicket> discrete, abstract, numeric_parameter,
        abstract_parameter;
  };
  DependencyMasks(const std::vector<TicketNode>& tickets,
                  const GroupTickets& groups, int num_cache_entries);

  int num_words() const { return num_words_; }
  const GroupTickets& groups() const { return groups_; }
  const uint64_t* ticket(int t) const { return &tickets_[t * num_words_]; }
  const uint64_t* bulk(Bulk b) const { return &bulk_[b * num_words_]; }

 private:
  int num_words_;
  GroupTickets groups_;
  std::vector<uint64_t> tickets_;
  std::vector<uint64_t> bulk_;
};

}  // namespace wyvern::systems::internal
