// Entries that a change makes stale, on random graphs, against reachability
// found node by node: in one Context (DependencyMasks), and across ports
// (ContextTree).
#include "wyvern/systems/framework/dependency_masks.h"

#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "wyvern/systems/framework/context_tree.h"
#include "wyvern/systems/framework/known_tickets.h"

namespace wyvern::systems::internal {
namespace dependency_masks_test {

using Bulk = DependencyMasks::Bulk;
using Entries = std::set<int>;

constexpr int kNumTickets = kNextAvailableTicket + 100;
constexpr int kNumEntries = 75;  // In two words.

// A graph without loops: sources first, then groups and cache entries, each
// with a few prerequisites before it.
struct RandomGraph {
  explicit RandomGraph(unsigned seed) : tickets(kNumTickets) {
    std::mt19937 random(seed);
    const auto below = [&random](int n) {
      return std::uniform_int_distribution<int>(0, n - 1)(random);
    };
    for (int t = kNextAvailableTicket; t < kNumTickets; ++t) {
      for (int p = below(4); p > 0; --p) {
        tickets[t].prerequisites.push_back(DependencyTicket(below(t)));
      }
      const int entry = t - (kNumTickets - kNumEntries);
      if (entry >= 0) tickets[t].cache_index = entry;
    }
    groups.discrete = {DependencyTicket(kNextAvailableTicket)};
    groups.abstract = {DependencyTicket(kNextAvailableTicket + 1)};
    groups.numeric_parameter = {DependencyTicket(kNextAvailableTicket + 2)};
    groups.abstract_parameter = {DependencyTicket(kNextAvailableTicket + 3)};
  }
  // Whether t depends on `on`, by its prerequisites.
  bool Depends(int t, int on) const {
    for (const int p : tickets[t].prerequisites) {
      if (p == on || Depends(p, on)) return true;
    }
    return false;
  }
  Entries DownstreamOf(std::vector<int> changed) const {
    Entries result;
    for (int t = 0; t < kNumTickets; ++t) {
      for (const int on : changed) {
        if (tickets[t].cache_index >= 0 && Depends(t, on)) {
          result.insert(tickets[t].cache_index);
        }
      }
    }
    return result;
  }
  std::vector<TicketNode> tickets;
  DependencyMasks::GroupTickets groups;
};

Entries ToEntries(const uint64_t* words, int num_words) {
  Entries result;
  for (int e = 0; e < 64 * num_words; ++e) {
    if (words[e / 64] >> e % 64 & 1) result.insert(e);
  }
  return result;
}

class Masks : public testing::TestWithParam<unsigned> {
 protected:
  Entries OfBulk(Bulk bulk) const {
    return ToEntries(masks_.bulk(bulk), masks_.num_words());
  }
  RandomGraph graph_{GetParam()};
  DependencyMasks masks_{graph_.tickets, graph_.groups, kNumEntries};
};

TEST_P(Masks, OfATicketHaveTheEntriesThatDependOnIt) {
  ASSERT_EQ(masks_.num_words(), 2);
  int count = 0;
  for (int t = 0; t < kNumTickets; ++t) {
    const Entries expected = graph_.DownstreamOf({t});
    EXPECT_EQ(ToEntries(masks_.ticket(t), 2), expected) << t;
    count += static_cast<int>(expected.size());
  }
  EXPECT_GT(count, 100);
}

TEST_P(Masks, OfABulkChangeAreThoseOfItsTickets) {
  constexpr int kOwn = kNextAvailableTicket;  // The first group's ticket.
  const std::vector<std::pair<Bulk, std::vector<int>>> cases = {
      {Bulk::kTime, {kTimeTicket}},
      {Bulk::kAccuracy, {kAccuracyTicket}},
      {Bulk::kContinuousState, {kQTicket, kVTicket, kZTicket}},
      {Bulk::kTimeAndContinuousState,
       {kTimeTicket, kQTicket, kVTicket, kZTicket}},
      {Bulk::kTimeAndQ, {kTimeTicket, kQTicket}},
      {Bulk::kVz, {kVTicket, kZTicket}},
      {Bulk::kDiscreteState, {kXdTicket, kOwn}},
      {Bulk::kAbstractState, {kXaTicket, kOwn + 1}},
      {Bulk::kState,
       {kQTicket, kVTicket, kZTicket, kXdTicket, kXaTicket, kOwn, kOwn + 1}},
      {Bulk::kNumericParameters, {kPnTicket, kOwn + 2}},
      {Bulk::kAbstractParameters, {kPaTicket, kOwn + 3}},
      {Bulk::kParameters, {kPnTicket, kPaTicket, kOwn + 2, kOwn + 3}},
  };
  for (const auto& [bulk, tickets] : cases) {
    EXPECT_EQ(OfBulk(bulk), graph_.DownstreamOf(tickets)) << bulk;
  }
  EXPECT_EQ(OfBulk(Bulk::kEverything).size(), size_t{kNumEntries});
}

INSTANTIATE_TEST_SUITE_P(Graphs, Masks, testing::Range(0u, 5u));

// Three Contexts, some of whose entries are read by input ports (sources that
// have no prerequisite of their own) of later ones.
class Tree : public testing::TestWithParam<unsigned> {
 protected:
  struct Wire {
    int from, entry, to, ticket;
  };
  Tree() {
    for (int c = 0; c < 3; ++c) {
      graphs_.emplace_back(10 * GetParam() + c);
      masks_.push_back(std::make_unique<DependencyMasks>(
          graphs_[c].tickets, graphs_[c].groups, kNumEntries));
      EXPECT_EQ(tree_.AddWords(*masks_[c]), 2 * c);
    }
    tree_.FinishWords();
    std::mt19937 random(GetParam());
    const auto below = [&random](int n) {
      return std::uniform_int_distribution<int>(0, n - 1)(random);
    };
    tree_.ClearReaders();
    for (int i = 0; i < 12; ++i) {
      const int from = below(2);
      const int to = from + 1 + below(2 - from);
      wires_.push_back(
          {from, below(kNumEntries), to, 1 + below(kNextAvailableTicket - 1)});
      const Wire& wire = wires_.back();
      tree_.AddReader(2 * wire.from, wire.entry, Place(wire.to, wire.ticket));
    }
    tree_.FinishReaders();
  }
  InputReader Place(int c, int ticket) const {
    return {2 * c, 2, masks_[c]->ticket(ticket)};
  }
  Entries Stale(int c) {
    const uint64_t words[] = {tree_.flags(2 * c)->stale,
                              tree_.flags(2 * c + 1)->stale};
    return ToEntries(words, 2);
  }
  // Adds the entries, by Context, that changes of `tickets` in Context c make
  // stale.
  void AddStale(int c, const std::vector<int>& tickets,
                std::vector<Entries>* stale) const {
    for (const int entry : graphs_[c].DownstreamOf(tickets)) {
      (*stale)[c].insert(entry);
      for (const Wire& wire : wires_) {
        if (wire.from != c || wire.entry != entry) continue;
        AddStale(wire.to, {wire.ticket}, stale);
      }
    }
  }
  void Refresh() {
    for (int w = 0; w < 6; ++w) tree_.flags(w)->stale = 0;
  }
  std::vector<RandomGraph> graphs_;
  std::vector<std::unique_ptr<DependencyMasks>> masks_;
  std::vector<Wire> wires_;
  ContextTree tree_;
};

TEST_P(Tree, AChangeMakesStaleAllThatDependsOnItAcrossPorts) {
  int passed_on = 0;
  for (int t = 0; t < kNumTickets; ++t) {
    Refresh();
    std::vector<Entries> expected(3);
    AddStale(0, {t}, &expected);
    tree_.Note(Place(0, t));
    for (int c = 0; c < 3; ++c) EXPECT_EQ(Stale(c), expected[c]) << t;
    passed_on += !expected[1].empty() || !expected[2].empty();
  }
  EXPECT_GT(passed_on, 5);
}

TEST_P(Tree, ABulkChangeReachesTheContextsOfItsWordsAndTheirReaders) {
  Refresh();
  std::vector<Entries> expected(3);
  AddStale(0, {kQTicket, kVTicket, kZTicket}, &expected);
  AddStale(1, {kQTicket, kVTicket, kZTicket}, &expected);
  tree_.NoteBulk(Bulk::kContinuousState, 0, 4);
  for (int c = 0; c < 3; ++c) EXPECT_EQ(Stale(c), expected[c]) << c;
}

TEST_P(Tree, WhatWasStaleTellsNobody) {
  Refresh();
  // All of the first Context is stale, so that nothing in it is news.
  for (int w = 0; w < 2; ++w) tree_.flags(w)->stale = ~uint64_t{0};
  for (int t = 0; t < kNumTickets; ++t) tree_.Note(Place(0, t));
  EXPECT_TRUE(Stale(1).empty());
  EXPECT_TRUE(Stale(2).empty());
}

INSTANTIATE_TEST_SUITE_P(Graphs, Tree, testing::Range(0u, 5u));

}  // namespace dependency_masks_test
}  // namespace wyvern::systems::internal
