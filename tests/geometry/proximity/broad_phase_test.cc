#include "wyvern/geometry/proximity/broad_phase.h"

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/support/allocation_guard.h"

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;

// Moving, anchored and unbounded boxes in turn.
class Scene {
 public:
  Scene(int n, double size) : boxes(n), random_(n) {
    model.version = n;
    for (int i = 0; i < n; ++i) {
      if (i % 17 == 16) {
        model.unbounded.push_back(i);
        // One fills all, the others are half spaces.
        bounds.push_back({});
        if (bounds.size() > 1) {
          bounds.back() = {random_.Vector3(1).normalized(), -0.3};
        }
      } else if (i % 3 == 2) {
        model.anchored.push_back(i);
      } else {
        model.moving.push_back(i);
      }
      Place(i, size);
    }
  }
  void Place(int i, double size) {
    const Vector3d centre = random_.Vector3(1);
    const Vector3d half = random_.Vector3(size).cwiseAbs();
    boxes[i] = {centre - half, centre + half};
    if (i % 17 == 16) {
      const Vector3d all = Vector3d::Constant(1e300);
      boxes[i] = {-all, all};
    }
  }
  static bool HasCornerIn(const HalfSpaceBound& bound, const Aabb& box) {
    for (int k = 0; k < 8; ++k) {
      const Vector3d corner(k & 1 ? box.upper[0] : box.lower[0],
                            k & 2 ? box.upper[1] : box.lower[1],
                            k & 4 ? box.upper[2] : box.lower[2]);
      if (bound.normal.dot(corner) <= bound.offset) return true;
    }
    return false;
  }
  std::vector<IndexPair> BruteForce() const {
    std::vector<IndexPair> result;
    const auto is_moving = [&](int i) { return i % 17 != 16 && i % 3 != 2; };
    const auto is_unbounded = [&](int i) { return i % 17 == 16; };
    const int n = static_cast<int>(boxes.size());
    for (int a = 0; a < n; ++a) {
      for (int b = a + 1; b < n; ++b) {
        const bool asked =
            is_moving(a) || is_moving(b) || is_unbounded(a) || is_unbounded(b);
        if (!asked || !Overlap(boxes[a], boxes[b])) continue;
        if (is_unbounded(a) != is_unbounded(b)) {
          const int u = is_unbounded(a) ? a : b;
          if (!HasCornerIn(bounds[u / 17], boxes[a + b - u])) continue;
        }
        result.push_back({a, b});
      }
    }
    return result;
  }

  BroadPhaseModel model;
  std::vector<Aabb> boxes;
  std::vector<HalfSpaceBound> bounds;

 private:
  test::RandomPose random_;
};

TEST(BroadPhase, FindsWhatTryingAllPairsFinds) {
  BroadPhase broad_phase;
  for (const int n : {1, 2, 3, 10, 37, 38, 39, 40, 41, 100, 400, 39, 10}) {
    // Make a few shapes large, so that more of them overlap.
    Scene scene(n, n < 100 ? 0.6 : 0.15);
    std::vector<IndexPair> pairs;
    broad_phase.FindPairs(scene.model, scene.boxes, scene.bounds, &pairs);
    EXPECT_EQ(pairs, scene.BruteForce()) << n;
  }
}

TEST(BroadPhase, MovingBoxesDoNotChangeTheResultsOrder) {
  Scene scene(200, 0.15);
  BroadPhase old;
  for (int step = 0; step < 20; ++step) {
    for (const int i : scene.model.moving) scene.Place(i, 0.01 * step);
    std::vector<IndexPair> pairs, fresh;
    old.FindPairs(scene.model, scene.boxes, scene.bounds, &pairs);
    BroadPhase().FindPairs(scene.model, scene.boxes, scene.bounds, &fresh);
    EXPECT_EQ(pairs, fresh);
    EXPECT_EQ(pairs, scene.BruteForce());
  }
}

TEST(BroadPhase, ABoxThatTouchesAHalfSpaceMeetsItWhereverItIs) {
  test::RandomPose random(3);
  for (int i = 0; i < 1000; ++i) {
    HalfSpaceBound ground{random.Vector3(1).normalized(), 0};
    const Vector3d half = random.Vector3(1).cwiseAbs();
    const Vector3d centre = random.Vector3(1e3);
    const Aabb box{centre - half, centre + half};
    const double lowest =
        ground.normal.dot(centre) - ground.normal.cwiseAbs().dot(half);
    ground.offset = lowest;
    EXPECT_TRUE(ground.MayMeet(box));
    ground.offset = lowest - 1e-9;
    EXPECT_FALSE(ground.MayMeet(box));
  }
}

TEST(BroadPhase, AllocatesNothingOnceGrown) {
  Scene scene(300, 0.15);
  BroadPhase broad_phase;
  std::vector<IndexPair> pairs;
  broad_phase.FindPairs(scene.model, scene.boxes, scene.bounds, &pairs);
  pairs.reserve(10000);
  test::AllocationGuard guard;
  for (int step = 0; step < 10; ++step) {
    for (const int i : scene.model.moving) scene.Place(i, 0.15);
    broad_phase.FindPairs(scene.model, scene.boxes, scene.bounds, &pairs);
  }
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace
}  // namespace wyvern::geometry::internal
