#include "wyvern/geometry/proximity/aabb_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/support/allocation_guard.h"

// Trees of boxes in frames of their own, against trying all pairs.

namespace wyvern::geometry::internal {
namespace aabb_tree_test {

using Eigen::Vector3d;
using math::RigidTransformd;

struct Boxes {
  Boxes(int n, unsigned seed) {
    wyvern::test::RandomPose random(seed);
    for (int i = 0; i < n; ++i) {
      const Vector3d centre = random.Vector3(1);
      const Vector3d half = random.Vector3(0.1).cwiseAbs();
      boxes.push_back({centre - half, centre + half});
    }
    std::vector<int> items(n);
    std::iota(items.begin(), items.end(), 0);
    tree.Build(items, boxes);
  }
  std::vector<Aabb> boxes;
  AabbTree tree;
};

Vector3d Corner(const Aabb& box, int k) {
  return {k & 1 ? box.upper[0] : box.lower[0],
          k & 2 ? box.upper[1] : box.lower[1],
          k & 4 ? box.upper[2] : box.lower[2]};
}

// True if no plane across one of the six axes separates them by `slack`.
bool AreNear(const Aabb& a, const Aabb& b, const RigidTransformd& X_AB,
             double slack) {
  for (int i = 0; i < 3; ++i) {
    double low_a = 1e9, high_a = -1e9, low_b = 1e9, high_b = -1e9;
    for (int k = 0; k < 8; ++k) {
      const double in_a = (X_AB * Corner(b, k))[i];
      low_a = std::min(low_a, in_a);
      high_a = std::max(high_a, in_a);
      const double in_b = (X_AB.inverse() * Corner(a, k))[i];
      low_b = std::min(low_b, in_b);
      high_b = std::max(high_b, in_b);
    }
    if (low_a > a.upper[i] + slack || high_a < a.lower[i] - slack ||
        low_b > b.upper[i] + slack || high_b < b.lower[i] - slack) {
      return false;
    }
  }
  return true;
}

TEST(AabbTree, PosedTreesFindWhatTryingAllPairsFinds) {
  wyvern::test::RandomPose random;
  for (const int n : {1, 2, 7, 60}) {
    const Boxes A(n, 1), B(40, 2);
    const RigidTransformd X_AB = random.Pose();
    std::vector<IndexPair> found;
    A.tree.AddPosedOverlaps(B.tree, X_AB, &found);
    std::ranges::sort(found);
    EXPECT_EQ(std::ranges::adjacent_find(found), found.end());
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < 40; ++b) {
        const bool has = std::ranges::binary_search(found, IndexPair{a, b});
        if (AreNear(A.boxes[a], B.boxes[b], X_AB, 0)) {
          EXPECT_TRUE(has) << a << " " << b;
        } else if (!AreNear(A.boxes[a], B.boxes[b], X_AB, 1e-9)) {
          EXPECT_FALSE(has) << a << " " << b;
        }
      }
    }
  }
}

TEST(AabbTree, TreesAlongTheSameAxesFindAllPairsThatOverlap) {
  for (const int n : {1, 2, 7, 60}) {
    const Boxes A(n, 1), B(40, 2);
    std::vector<IndexPair> found, expected;
    A.tree.AddOverlaps(B.tree, &found);
    std::ranges::sort(found);
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < 40; ++b) {
        if (Overlap(A.boxes[a], B.boxes[b])) expected.push_back({a, b});
      }
    }
    EXPECT_EQ(found, expected);
    AabbTree empty;
    A.tree.AddOverlaps(empty, &found);
    empty.AddOverlaps(A.tree, &found);
    EXPECT_EQ(found, expected);
  }
}

TEST(AabbTree, BetweenTwoPlanesAreTheBoxesThatReachThere) {
  wyvern::test::RandomPose random;
  const Boxes A(200, 3);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [low, high] :
       {std::pair(0.1, 0.1), {-infinity, 0.2}, {-0.1, 0.3}, {9.0, 10.0}}) {
    const Vector3d normal = random.UnitVector3();
    std::vector<IndexPair> found;
    A.tree.AddBetween(normal, low, high, &found);
    std::ranges::sort(found);
    std::vector<IndexPair> wanted;
    for (int i = 0; i < 200; ++i) {
      double least = 1e9, most = -1e9;
      for (int k = 0; k < 8; ++k) {
        const double x = normal.dot(Corner(A.boxes[i], k));
        least = std::min(least, x);
        most = std::max(most, x);
      }
      if (least <= high && most >= low) wanted.push_back({i, 0});
    }
    EXPECT_EQ(found, wanted);
  }
}

TEST(AabbTree, TheReachIsThatOfTheFarthestItem) {
  wyvern::test::RandomPose random(3);
  const Boxes A(200, 1);
  for (int k = 0; k < 50; ++k) {
    const Vector3d normal = random.UnitVector3();
    // Items are the centres of their boxes: less than those.
    const auto height = [&](int i) { return normal.dot(A.boxes[i].centre()); };
    double most = -1e9, most_of_boxes = -1e9;
    for (int i = 0; i < 200; ++i) {
      most = std::max(most, height(i));
      double corner = -1e9;
      for (int c = 0; c < 8; ++c) {
        corner = std::max(corner, normal.dot(Corner(A.boxes[i], c)));
      }
      EXPECT_NEAR(A.boxes[i].CalcReach(normal), corner, 1e-15);
      most_of_boxes = std::max(most_of_boxes, corner);
    }
    EXPECT_EQ(A.tree.CalcReach(normal, height), most);
    EXPECT_LT(most, most_of_boxes);
  }
}

TEST(AabbTree, OneBuiltInOrderFindsTheSame) {
  const Boxes A(200, 1), B(200, 2);
  std::vector<int> items;
  A.tree.ForEachNear([](const Aabb&) { return true; },
                     [&](int item) { items.push_back(item); });
  ASSERT_EQ(items.size(), 200u);
  AabbTree in_order;
  in_order.BuildInOrder(items, A.boxes);
  // It is the tree whose order it was given.
  EXPECT_EQ(in_order.cost(), A.tree.cost());
  std::vector<IndexPair> found, wanted;
  in_order.AddPosedOverlaps(B.tree, {}, &found);
  A.tree.AddPosedOverlaps(B.tree, {}, &wanted);
  EXPECT_EQ(found, wanted);
  // In any order it finds them all.
  std::ranges::sort(items);
  in_order.BuildInOrder(items, A.boxes);
  EXPECT_GT(in_order.cost(), A.tree.cost());
  found.clear();
  in_order.AddPosedOverlaps(B.tree, {}, &found);
  std::ranges::sort(found);
  std::ranges::sort(wanted);
  // Trees of other shapes tell apart other pairs that are only near.
  for (int i = 0; i < 200; ++i) {
    for (int j = 0; j < 200; ++j) {
      if (!Overlap(A.boxes[i], B.boxes[j])) continue;
      EXPECT_TRUE(std::ranges::binary_search(found, IndexPair{i, j}));
    }
  }
}

TEST(AabbTree, AnEmptyTreeMeetsNothing) {
  const Boxes none(0, 1), some(3, 1);
  std::vector<IndexPair> found;
  none.tree.AddPosedOverlaps(some.tree, {}, &found);
  some.tree.AddPosedOverlaps(none.tree, {}, &found);
  none.tree.AddBetween(Vector3d::UnitX(), -1, 1, &found);
  EXPECT_TRUE(found.empty());
  EXPECT_EQ(none.tree.CalcReach(Vector3d::UnitX(), [](int) { return 0.0; }),
            -std::numeric_limits<double>::infinity());
}

TEST(AabbTree, QueriesAllocateNothingButTheirResult) {
  const Boxes A(500, 1), B(500, 2);
  std::vector<IndexPair> found;
  A.tree.AddPosedOverlaps(B.tree, {}, &found);
  found.clear();
  const wyvern::test::AllocationGuard guard;
  A.tree.AddPosedOverlaps(B.tree, {}, &found);
  EXPECT_EQ(guard.count(), 0);
  EXPECT_GT(found.size(), 100u);
}

}  // namespace aabb_tree_test
}  // namespace wyvern::geometry::internal
