#include "wyvern/geometry/proximity/proximity_engine.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::geometry {
namespace {

using Eigen::Vector3d;
using math::RigidTransformd;

// Many shapes of all kinds in a heap on the ground, poses drawn at random.
class Heap {
 public:
  explicit Heap(int n) {
    for (int i = 0; i < n; ++i) {
      const GeometryId id = GeometryId::get_new_id();
      engine.AddGeometry(id, *MakeShape(i), FrameId::get_new_id());
      X_WGs.push_back(random_.Pose());
      X_WGs.back().set_translation(random_.Vector3(0.8));
    }
    engine.AddGeometry(GeometryId::get_new_id(), HalfSpace(),
                       FrameId::get_new_id(), RigidTransformd());
    X_WGs.push_back(RigidTransformd());
  }
  static std::unique_ptr<Shape> MakeShape(int i) {
    switch (i % 5) {
      case 0:
        return std::make_unique<Sphere>(0.1);
      case 1:
        return std::make_unique<Box>(0.1, 0.2, 0.3);
      case 2:
        return std::make_unique<Capsule>(0.05, 0.2);
      case 3:
        return std::make_unique<Cylinder>(0.1, 0.2);
      default:
        return std::make_unique<Ellipsoid>(0.05, 0.1, 0.15);
    }
  }
  void Move(double by = 0.05) {
    for (size_t i = 0; i + 1 < X_WGs.size(); ++i) {
      X_WGs[i].set_translation(X_WGs[i].translation() + random_.Vector3(by));
    }
  }

  ProximityEngine engine;
  std::vector<RigidTransformd> X_WGs;
  ProximityScratch scratch;

 private:
  test::RandomPose random_;
};

TEST(ProximityEngine, BoxesOfExtremeProportionsAreRefusedByTheirSizes) {
  ProximityEngine engine;
  const auto add = [&engine](const Vector3d& size) {
    engine.AddGeometry(GeometryId::get_new_id(), Box(size),
                       FrameId::get_new_id());
  };
  EXPECT_THROWS_MESSAGE(add({1e-12, 1e-12, 1}), std::logic_error,
                        "Box(width=1e-12, depth=1e-12, height=1) is too thin");
  EXPECT_THROWS_MESSAGE(add({1e200, 1e200, 1e200}), std::logic_error,
                        "Box(width=1e+200");
  EXPECT_THROWS_MESSAGE(add({1e-110, 1e-110, 1e-110}), std::logic_error,
                        "Box(width=1e-110");
  for (const Vector3d& size :
       {Vector3d(1e-9, 1e-9, 1), Vector3d(1e-12, 1, 1),
        Vector3d(1e-60, 1e-60, 1e-60), Vector3d(1e70, 1e70, 1e70)}) {
    add(size);
  }
}

TEST(ProximityEngine, ResultsAreSortedAndTheSameWhateverCameBefore) {
  Heap heap(60);
  std::vector<PenetrationAsPointPair<double>> points, fresh;
  for (int step = 0; step < 5; ++step) {
    heap.engine.CalcContactManifolds(heap.X_WGs, &heap.scratch, &points);
    ProximityScratch scratch;
    heap.engine.CalcContactManifolds(heap.X_WGs, &scratch, &fresh);
    ASSERT_EQ(points.size(), fresh.size());
    ASSERT_GT(points.size(), 20u);
    for (size_t k = 0; k < points.size(); ++k) {
      EXPECT_EQ(points[k].p_WCa, fresh[k].p_WCa);
      EXPECT_EQ(points[k].depth, fresh[k].depth);
      EXPECT_LT(points[k].id_A, points[k].id_B);
      if (k > 0) {
        EXPECT_FALSE(std::pair(points[k].id_A, points[k].id_B) <
                     std::pair(points[k - 1].id_A, points[k - 1].id_B));
      }
    }
    heap.Move();
  }
}

// Directions that have parted pairs are kept from query to query. What is near
// changes, pairs come together and part; results are those of a fresh start.
TEST(ProximityEngine, KnownGapsChangeNoResult) {
  for (const double reach : {0.0, 0.02}) {
    Heap heap(60);
    std::vector<PenetrationAsPointPair<double>> points, fresh, single;
    for (int step = 0; step < 60; ++step) {
      heap.engine.CalcContactManifolds(heap.X_WGs, &heap.scratch, &points,
                                       reach);
      // Another query in between, and a copy, as of a Context.
      if (step % 7 == 3) {
        heap.engine.CalcPenetrations(heap.X_WGs, &heap.scratch, &single);
      }
      if (step % 10 == 5) heap.scratch = ProximityScratch(heap.scratch);
      ProximityScratch scratch;
      heap.engine.CalcContactManifolds(heap.X_WGs, &scratch, &fresh, reach);
      ASSERT_EQ(points.size(), fresh.size()) << step;
      for (size_t k = 0; k < points.size(); ++k) {
        EXPECT_EQ(points[k].id_A, fresh[k].id_A);
        EXPECT_EQ(points[k].id_B, fresh[k].id_B);
        EXPECT_EQ(points[k].p_WCa, fresh[k].p_WCa);
        EXPECT_EQ(points[k].p_WCb, fresh[k].p_WCb);
        EXPECT_EQ(points[k].nhat_BA_W, fresh[k].nhat_BA_W);
        EXPECT_EQ(points[k].depth, fresh[k].depth);
      }
      heap.Move(step % 20 == 19 ? 0.2 : 0.004);
    }
  }
}

TEST(ProximityEngine, QueriesAgreeOnWhichPairsOverlap) {
  Heap heap(60);
  std::vector<PenetrationAsPointPair<double>> pairs, points;
  std::vector<SignedDistancePair<double>> distances;
  heap.engine.CalcPenetrations(heap.X_WGs, &heap.scratch, &pairs);
  heap.engine.CalcContactManifolds(heap.X_WGs, &heap.scratch, &points);
  const double all = std::numeric_limits<double>::infinity();
  heap.engine.CalcSignedDistances(heap.X_WGs, all, &heap.scratch, &distances);
  EXPECT_EQ(distances.size(), 61u * 60 / 2);
  size_t p = 0, m = 0;
  for (const auto& d : distances) {
    const bool here =
        p < pairs.size() && pairs[p].id_A == d.id_A && pairs[p].id_B == d.id_B;
    EXPECT_EQ(here, d.distance <= 0);
    if (!here) continue;
    EXPECT_EQ(pairs[p].depth, -d.distance);
    ASSERT_LT(m, points.size());
    EXPECT_EQ(points[m].id_B, d.id_B);
    while (m < points.size() && points[m].id_A == d.id_A &&
           points[m].id_B == d.id_B) {
      ++m;
    }
    ++p;
  }
  EXPECT_EQ(m, points.size());
  EXPECT_TRUE(heap.engine.HasCollisions(heap.X_WGs, &heap.scratch));
}

TEST(ProximityEngine, MaximumDistanceSelectsPairs) {
  Heap heap(40);
  std::vector<SignedDistancePair<double>> all, some;
  heap.engine.CalcSignedDistances(heap.X_WGs, 1e9, &heap.scratch, &all);
  for (const double limit : {0.0, 0.1, 0.5}) {
    heap.engine.CalcSignedDistances(heap.X_WGs, limit, &heap.scratch, &some);
    const auto expected =
        std::count_if(all.begin(), all.end(),
                      [&](const auto& pair) { return pair.distance <= limit; });
    EXPECT_EQ(static_cast<int64_t>(some.size()), expected) << limit;
  }
}

TEST(ProximityEngine, ManifoldsAllocateNothingAfterTheFirstCall) {
  Heap heap(80);
  std::vector<PenetrationAsPointPair<double>> points;
  heap.engine.CalcContactManifolds(heap.X_WGs, &heap.scratch, &points);
  points.reserve(4000);
  heap.Move();
  heap.engine.CalcContactManifolds(heap.X_WGs, &heap.scratch, &points);
  test::AllocationGuard guard;
  heap.engine.CalcContactManifolds(heap.X_WGs, &heap.scratch, &points);
  EXPECT_EQ(guard.count(), 0);
}

// A heap that moves together and apart again, twice: buffers only grow.
TEST(ProximityEngine, ASecondRunOfTheSameMotionAllocatesNothing) {
  Heap heap(80);
  const std::vector<RigidTransformd> first = heap.X_WGs;
  std::vector<PenetrationAsPointPair<double>> points;
  size_t most = 0, least = 100000;
  const auto run = [&] {
    for (int step = 0; step <= 40; ++step) {
      const double share = 1 - 0.6 * std::sin(0.157 * step);
      for (size_t i = 0; i + 1 < first.size(); ++i) {
        heap.X_WGs[i].set_translation(share * first[i].translation());
      }
      heap.engine.CalcContactManifolds(heap.X_WGs, &heap.scratch, &points);
      most = std::max(most, points.size());
      least = std::min(least, points.size());
    }
  };
  run();
  EXPECT_GT(most, 2 * least);
  test::AllocationGuard guard;
  run();
  EXPECT_EQ(guard.count(), 0);
}

TEST(ProximityEngine, PointsToAllGeometriesWithinAThreshold) {
  Heap heap(20);
  std::vector<SignedDistanceToPoint<double>> distances;
  const Vector3d p_WQ(0.1, 0.2, 0.3);
  heap.engine.CalcSignedDistancesToPoint(
      heap.X_WGs, p_WQ, std::numeric_limits<double>::infinity(), &distances);
  ASSERT_EQ(distances.size(), 21u);
  for (size_t i = 0; i < distances.size(); ++i) {
    const auto& d = distances[i];
    EXPECT_EQ(d.id_G, heap.engine.ids()[i]);
    EXPECT_TRUE(test::Near(p_WQ, heap.X_WGs[i] * d.p_GN + d.distance * d.grad_W,
                           1e-13));
  }
  EXPECT_NEAR(distances.back().distance, 0.3, 1e-15);
}

TEST(ProximityEngine, RemovedGeometriesTakeTheirFiltersWithThem) {
  ProximityEngine engine;
  const GeometryId a = GeometryId::get_new_id(), b = GeometryId::get_new_id();
  engine.AddGeometry(b, Sphere(1), FrameId::get_new_id());
  engine.AddGeometry(a, Sphere(1), FrameId::get_new_id());
  EXPECT_EQ(engine.ids(), (std::vector<GeometryId>{a, b}));
  engine.collision_filter().Apply({{true, {a}, {b}}});
  EXPECT_TRUE(engine.IsExcluded(a, b));
  engine.RemoveGeometry(a);
  engine.AddGeometry(a, Sphere(1), FrameId::get_new_id());
  EXPECT_FALSE(engine.IsExcluded(a, b));
}

TEST(ProximityEngine, MisuseIsExplained) {
  ProximityEngine engine;
  const GeometryId id = GeometryId::get_new_id();
  engine.AddGeometry(id, Sphere(1), FrameId::get_new_id());
  EXPECT_THROWS_MESSAGE(
      engine.AddGeometry(id, Sphere(1), FrameId::get_new_id()),
      std::logic_error, "is there already");
  EXPECT_THROWS_MESSAGE(engine.RemoveGeometry(GeometryId::get_new_id()),
                        std::logic_error, "with the proximity role");
  ProximityScratch scratch;
  std::vector<PenetrationAsPointPair<double>> pairs;
  EXPECT_THROWS_MESSAGE(engine.CalcPenetrations<double>({}, &scratch, &pairs),
                        std::logic_error, "0 poses for 1 geometries");
  std::vector<SignedDistancePair<double>> distances;
  EXPECT_THROWS_MESSAGE(engine.CalcSignedDistances<double>(
                            {RigidTransformd()}, -1, &scratch, &distances),
                        std::logic_error, "must not be negative");
}

}  // namespace
}  // namespace wyvern::geometry
