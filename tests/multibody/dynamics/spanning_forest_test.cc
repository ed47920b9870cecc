#include "wyvern/multibody/dynamics/topology/spanning_forest.h"

#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::multibody::dynamics {
namespace {

// A graph with links 1..n and the given joints (parent, child).
LinkJointGraph MakeGraph(int links,
                         const std::vector<std::pair<int, int>>& joints) {
  LinkJointGraph graph;
  for (int i = 0; i < links; ++i) graph.AddLink();
  for (const auto& [parent, child] : joints) graph.AddJoint(parent, child);
  return graph;
}

std::vector<int> LinksInOrder(const SpanningForest& forest) {
  std::vector<int> links;
  for (const auto& mobod : forest.mobods()) links.push_back(mobod.link);
  return links;
}

// For comparison.
template <class Index>
std::vector<int> Integers(const std::vector<Index>& indexes) {
  return {indexes.begin(), indexes.end()};
}

TEST(LinkJointGraph, RefusesAJointToALinkThatIsNotThere) {
  LinkJointGraph graph;
  EXPECT_THROWS_MESSAGE(graph.AddJoint(0, 1), std::out_of_range,
                        "there is no link 1; links are in [0, 1)");
}

TEST(LinkJointGraph, RefusesAJointFromALinkToItself) {
  LinkJointGraph graph = MakeGraph(1, {});
  EXPECT_THROWS_MESSAGE(graph.AddJoint(1, 1), std::logic_error,
                        "would join link 1 to itself");
}

TEST(SpanningForest, OfNothingIsTheWorld) {
  const SpanningForest forest{LinkJointGraph{}};
  EXPECT_EQ(forest.num_mobods(), 1);
  EXPECT_EQ(forest.mobod(0).parent, -1);
  EXPECT_EQ(forest.mobod(0).subtree_end, 1);
}

//      0 - 2 - 1        Depth first, children in joint order.
//       \   \ - 4
//        \- 3
TEST(SpanningForest, NumbersDepthFirst) {
  const SpanningForest forest(MakeGraph(4, {{0, 2}, {2, 1}, {0, 3}, {2, 4}}));
  EXPECT_EQ(LinksInOrder(forest), (std::vector<int>{0, 2, 1, 4, 3}));
  EXPECT_EQ(forest.mobod(1).subtree_end, 4);
  EXPECT_EQ(forest.mobod(3).level, 2);
  EXPECT_EQ(forest.mobod_of_link(3), 4);
  EXPECT_EQ(forest.mobod_of_joint(1), 2);
}

TEST(SpanningForest, TurnsAJointRoundWhoseChildIsInboard) {
  const SpanningForest forest(MakeGraph(2, {{0, 1}, {2, 1}}));
  EXPECT_FALSE(forest.mobod(1).is_reversed);
  EXPECT_TRUE(forest.mobod(2).is_reversed);
}

TEST(SpanningForest, LetsUnjointedLinksFloat) {
  const SpanningForest forest(MakeGraph(3, {{3, 2}}));
  EXPECT_EQ(Integers(forest.floating_base_links()), (std::vector<int>{1, 3}));
  EXPECT_EQ(LinksInOrder(forest), (std::vector<int>{0, 1, 3, 2}));
  EXPECT_EQ(forest.mobod(2).joint, -1);
  EXPECT_EQ(forest.mobod(2).parent, 0);
}

// 0 - 1 - 2 - 3, and 3 - 0 again: the fourth joint would close the loop; growth
// by levels reaches 3 by it and cuts 2 - 3.
TEST(SpanningForest, CutsALoopFarFromTheWorld) {
  const SpanningForest forest(MakeGraph(3, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}));
  EXPECT_EQ(forest.loop_joints(), std::vector<int>{2});
  EXPECT_EQ(forest.mobod_of_joint(2), -1);
  EXPECT_EQ(Integers(forest.LoopLinks(2)), (std::vector<int>{2, 1, 0, 3}));
  EXPECT_THROWS_MESSAGE(forest.LoopLinks(0), std::logic_error,
                        "joint 0 closes no loop");
}

TEST(SpanningForest, AnchorsAFreeCycleAtItsFirstLink) {
  const SpanningForest forest(MakeGraph(3, {{1, 2}, {2, 3}, {3, 1}}));
  EXPECT_EQ(Integers(forest.floating_base_links()), std::vector<int>{1});
  EXPECT_EQ(forest.loop_joints(), std::vector<int>{1});
}

TEST(SpanningForest, PathGoesFromTheWorldToTheMobod) {
  const SpanningForest forest(MakeGraph(4, {{0, 2}, {2, 1}, {0, 3}, {2, 4}}));
  EXPECT_EQ(Integers(forest.PathFromWorld(3)), (std::vector<int>{0, 1, 3}));
}

TEST(SpanningForest, SubtreesAreRangesWhateverTheGraph) {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    LinkJointGraph graph = MakeGraph(20, {});
    for (int j = 0; j < 22; ++j) {
      const int a = random() % 21;
      const int b = random() % 21;
      if (a != b) graph.AddJoint(a, b);
    }
    const SpanningForest forest(graph);
    ASSERT_EQ(forest.num_mobods(), 21);
    for (int i = 1; i < 21; ++i) {
      const auto& mobod = forest.mobod(i);
      const auto& parent = forest.mobod(mobod.parent);
      EXPECT_LT(mobod.parent, i);
      EXPECT_GE(parent.subtree_end, mobod.subtree_end);
      EXPECT_EQ(forest.mobod_of_link(mobod.link), i);
    }
    const int tree_joints =
        20 - static_cast<int>(forest.floating_base_links().size());
    EXPECT_EQ(graph.num_joints(),
              tree_joints + static_cast<int>(forest.loop_joints().size()));
  }
}

TEST(SpanningForest, TakesALongChain) {
  LinkJointGraph graph;
  for (int i = 0; i < 100000; ++i) graph.AddJoint(i, graph.AddLink());
  const SpanningForest forest(graph);
  EXPECT_EQ(forest.mobod(100000).level, 100000);
}

}  // namespace
}  // namespace wyvern::multibody::dynamics
