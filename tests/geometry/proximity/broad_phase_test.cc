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
  std::vector<IndexPair> BruteForce() const {
    std::vector<IndexPair> result;
    const auto is_moving = [&](int i) { return i % 17 != 16 && i % 3 != 2; };
    const auto is_unbounded = [&](int i) { return i % 17 == 16; };
    const int n = static_cast<int>(boxes.size());
    for (int a = 0; a < n; ++a) {
      for (int b = a + 1; b < n; ++b) {
        const bool asked =
            is_moving(a) || is_moving(b) || is_unbounded(a) || is_unbounded(b);
        if (asked && Overlap(boxes[a], boxes[b])) result.push_back({a, b});
      }
    }
    return result;
  }

  BroadPhaseModel model;
  std::vector<Aabb> boxes;

 private:
  test::RandomPose random_;
};

TEST(BroadPhase, FindsWhatTryingAllPairsFinds) {
  for (const int n : {1, 2, 3, 10, 100, 400}) {
    Scene scene(n, 0.15);
    BroadPhase broad_phase;
    std::vector<IndexPair> pairs;
    broad_phase.FindPairs(scene.model, scene.boxes, &pairs);
    EXPECT_EQ(pairs, scene.BruteForce()) << n;
  }
}

TEST(BroadPhase, MovingBoxesDoNotChangeTheResultsOrder) {
  Scene scene(200, 0.15);
  BroadPhase old;
  for (int step = 0; step < 20; ++step) {
    for (const int i : scene.model.moving) scene.Place(i, 0.01 * step);
    std::vector<IndexPair> pairs, fresh;
    old.FindPairs(scene.model, scene.boxes, &pairs);
    BroadPhase().FindPairs(scene.model, scene.boxes, &fresh);
    EXPECT_EQ(pairs, fresh);
    EXPECT_EQ(pairs, scene.BruteForce());
  }
}

TEST(BroadPhase, AllocatesNothingOnceGrown) {
  Scene scene(300, 0.15);
  BroadPhase broad_phase;
  std::vector<IndexPair> pairs;
  broad_phase.FindPairs(scene.model, scene.boxes, &pairs);
  pairs.reserve(10000);
  test::AllocationGuard guard;
  for (int step = 0; step < 10; ++step) {
    for (const int i : scene.model.moving) scene.Place(i, 0.15);
    broad_phase.FindPairs(scene.model, scene.boxes, &pairs);
  }
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace
}  // namespace wyvern::geometry::internal
