#include "wyvern/systems/framework/dependency_masks.h"

#include <initializer_list>

#include "wyvern/systems/framework/known_tickets.h"

namespace wyvern::systems::internal {
namespace {

// Sets in `mask` the bits of all cache entries downstream of `ticket`.
void CollectDownstream(int ticket,
                       const std::vector<std::vector<int>>& subscribers,
                       const std::vector<TicketNode>& tickets, uint64_t* mask) {
  std::vector<bool> seen(tickets.size(), false);
  std::vector<int> todo{ticket};
  while (!todo.empty()) {
    const int t = todo.back();
    todo.pop_back();
    if (seen[t]) continue;
    seen[t] = true;
    // The changed ticket's own entry is fresh; those computed from it are not.
    const int entry = tickets[t].cache_index;
    if (entry >= 0 && t != ticket)
      mask[entry / 64] |= uint64_t{1} << entry % 64;
    for (int s : subscribers[t]) todo.push_back(s);
  }
}

}  // namespace

DependencyMasks::DependencyMasks(const std::vector<TicketNode>& tickets,
                                 const GroupTickets& groups,
                                 int num_cache_entries)
    : num_words_((num_cache_entries + 63) / 64), groups_(groups) {
  const int num_tickets = static_cast<int>(tickets.size());
  std::vector<std::vector<int>> subscribers(num_tickets);
  for (int t = 0; t < num_tickets; ++t) {
    for (DependencyTicket p : tickets[t].prerequisites) {
      subscribers[p].push_back(t);
    }
  }
  tickets_.resize(num_tickets * num_words_, 0);
  for (int t = 0; t < num_tickets; ++t) {
    CollectDownstream(t, subscribers, tickets,
                      tickets_.data() + t * num_words_);
  }

  bulk_.resize(kNumBulk * num_words_, 0);
  const auto add_tickets = [this](Bulk b, auto list) {
    for (int t : list) {
      for (int w = 0; w < num_words_; ++w) {
        bulk_[b * num_words_ + w] |= tickets_[t * num_words_ + w];
      }
    }
  };
  const auto add_bulk = [this](Bulk b, std::initializer_list<Bulk> list) {
    for (Bulk from : list) {
      for (int w = 0; w < num_words_; ++w) {
        bulk_[b * num_words_ + w] |= bulk_[from * num_words_ + w];
      }
    }
  };
  using List = std::initializer_list<int>;
  add_tickets(kTime, List{kTimeTicket});
  add_tickets(kAccuracy, List{kAccuracyTicket});
  add_tickets(kContinuousState, List{kQTicket, kVTicket, kZTicket});
  add_tickets(kTimeAndQ, List{kTimeTicket, kQTicket});
  add_tickets(kVz, List{kVTicket, kZTicket});
  add_tickets(kDiscreteState, List{kXdTicket});
  add_tickets(kDiscreteState, groups.discrete);
  add_tickets(kAbstractState, List{kXaTicket});
  add_tickets(kAbstractState, groups.abstract);
  add_tickets(kNumericParameters, List{kPnTicket});
  add_tickets(kNumericParameters, groups.numeric_parameter);
  add_tickets(kAbstractParameters, List{kPaTicket});
  add_tickets(kAbstractParameters, groups.abstract_parameter);
  add_bulk(kTimeAndContinuousState, {kTime, kContinuousState});
  add_bulk(kState, {kContinuousState, kDiscreteState, kAbstractState});
  add_bulk(kParameters, {kNumericParameters, kAbstractParameters});
  for (int entry = 0; entry < num_cache_entries; ++entry) {
    bulk_[kEverything * num_words_ + entry / 64] |= uint64_t{1} << entry % 64;
  }
}

}  // namespace wyvern::systems::internal
