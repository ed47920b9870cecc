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

TEST(AabbTree, AnEmptyTreeMeetsNothing) {
  const Boxes none(0, 1), some(3, 1);
  std::vector<IndexPair> found;
  none.tree.AddPosedOverlaps(some.tree, {}, &found);
  some.tree.AddPosedOverlaps(none.tree, {}, &found);
  none.tree.AddBetween(Vector3d::UnitX(), -1, 1, &found);
  EXPECT_TRUE(found.empty());
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
