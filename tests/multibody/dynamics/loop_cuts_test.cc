#include "wyvern/multibody/dynamics/topology/loop_cuts.h"

#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/multibody/dynamics/topology/spanning_forest.h"

namespace wyvern::multibody::dynamics {
namespace {

// 0 - 1 - 2 - 3 - 0.
LinkJointGraph MakeRing() {
  LinkJointGraph graph;
  for (int i = 0; i < 3; ++i) graph.AddLink();
  graph.AddJoint(0, 1);
  graph.AddJoint(1, 2);
  graph.AddJoint(2, 3);
  graph.AddJoint(3, 0);
  return graph;
}

TEST(LoopCuts, HangTheChildsShadowOnTheJoint) {
  const CutGraph cut = CutAtJoints(MakeRing(), {2});
  EXPECT_EQ(cut.graph.num_links(), 5);
  EXPECT_EQ(cut.graph.num_joints(), 4);
  ASSERT_EQ(cut.shadows.size(), 1u);
  EXPECT_EQ(cut.shadows[0].link, 4);
  EXPECT_EQ(cut.shadows[0].primary_link, 3);
  EXPECT_EQ(cut.shadows[0].joint, 2);
  EXPECT_EQ(cut.graph.joints()[2].parent_link, 2);
  EXPECT_EQ(cut.graph.joints()[2].child_link, 4);
}

TEST(LoopCuts, SplitTheParentOfAJointToTheWorld) {
  const CutGraph cut = CutAtJoints(MakeRing(), {3});
  EXPECT_EQ(cut.shadows[0].primary_link, 3);
  EXPECT_EQ(cut.graph.joints()[3].parent_link, 4);
  EXPECT_EQ(cut.graph.joints()[3].child_link, 0);
}

TEST(LoopCuts, OfAllLoopJointsLeaveAForest) {
  std::mt19937 random(7);
  for (int n = 2; n < 20; ++n) {
    LinkJointGraph graph;
    for (int i = 1; i < n; ++i) graph.AddLink();
    for (int j = 0; j < 2 * n; ++j) {
      const int a = static_cast<int>(random() % n);
      const int b = static_cast<int>(random() % n);
      if (a != b) graph.AddJoint(a, b);
    }
    const SpanningForest before(graph);
    const CutGraph cut = CutAtJoints(graph, before.loop_joints());
    const SpanningForest after(cut.graph);
    EXPECT_TRUE(after.loop_joints().empty());
    EXPECT_EQ(after.floating_base_links().size(),
              before.floating_base_links().size());
    for (int base : after.floating_base_links()) {
      EXPECT_LT(base, graph.num_links());  // No shadow.
    }
  }
}

TEST(LoopCuts, RefuseAJointThatIsNotThere) {
  EXPECT_THROWS_MESSAGE(CutAtJoints(MakeRing(), {4}), std::out_of_range,
                        "there is no joint 4; joints are in [0, 4)");
}

}  // namespace
}  // namespace wyvern::multibody::dynamics
