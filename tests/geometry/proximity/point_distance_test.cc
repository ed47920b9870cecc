#include "wyvern/geometry/proximity/point_distance.h"

#include <gtest/gtest.h>

#include "tests/geometry/proximity/test_shapes.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;
using test::Near;

// Rounding of quantities of about a meter, a few operations each; the
// ellipsoid's root adds some.
constexpr double kTolerance = 1e-13;

TEST(PointDistance, NearestPointIsOnTheSurface) {
  test::RandomPose random;
  for (const CollisionShape& shape : AllShapes()) {
    for (int i = 0; i < 200; ++i) {
      const Vector3d q = random.Vector3(1.5);
      const auto r = CalcPointDistance<double>(shape, q);
      EXPECT_NEAR(r.grad_G.norm(), 1, kTolerance) << shape.name;
      EXPECT_TRUE(Near(q, r.p_GN + r.distance * r.grad_G, kTolerance))
          << shape.name;
      const auto at_N = CalcPointDistance<double>(shape, r.p_GN);
      EXPECT_NEAR(at_N.distance, 0, kTolerance) << shape.name;
    }
  }
}

TEST(PointDistance, NoPointOfTheSurfaceIsNearer) {
  test::RandomPose random;
  for (const CollisionShape& shape : BoundedShapes()) {
    for (int i = 0; i < 20; ++i) {
      const Vector3d q = random.Vector3(1.5);
      const auto r = CalcPointDistance<double>(shape, q);
      for (int k = 0; k < 200; ++k) {
        // Surface points near a random place: the nearest to it.
        const Vector3d x =
            CalcPointDistance<double>(shape, random.Vector3(1)).p_GN;
        EXPECT_GE((x - q).norm(), std::abs(r.distance) - kTolerance)
            << shape.name;
      }
    }
  }
}

TEST(PointDistance, SignTellsInsideFromOutside) {
  test::RandomPose random;
  for (const CollisionShape& shape : BoundedShapes()) {
    for (int i = 0; i < 100; ++i) {
      const Vector3d u = random.UnitVector3();
      const Vector3d x = CalcSupportPoint<double>(shape, u);
      EXPECT_LT(CalcPointDistance<double>(shape, 0.5 * x).distance, 0);
      const auto beyond = CalcPointDistance<double>(shape, x + 0.3 * u);
      EXPECT_NEAR(beyond.distance, 0.3, kTolerance) << shape.name;
      EXPECT_TRUE(Near(beyond.grad_G, u, 1e-12)) << shape.name;
    }
  }
}

TEST(PointDistance, CentresGiveFiniteAnswers) {
  const double expected[] = {-0.6, -0.3, -0.45, -0.4, -0.4};
  const auto shapes = BoundedShapes();
  for (int i = 0; i < 5; ++i) {
    const auto r = CalcPointDistance<double>(shapes[i], Vector3d::Zero());
    EXPECT_NEAR(r.distance, expected[i], kTolerance) << shapes[i].name;
    EXPECT_NEAR(r.grad_G.norm(), 1, kTolerance) << shapes[i].name;
  }
}

TEST(PointDistance, BallEllipsoidIsASphere) {
  test::RandomPose random;
  const auto ellipsoid = MakeCollisionShape(Ellipsoid(0.7, 0.7, 0.7));
  for (int i = 0; i < 100; ++i) {
    const Vector3d q = random.Vector3(1.5);
    EXPECT_NEAR(CalcPointDistance<double>(ellipsoid, q).distance,
                q.norm() - 0.7, kTolerance);
  }
}

TEST(PointDistance, DerivativesAreThoseOfTheResult) {
  test::RandomPose random;
  const double h = 1e-6;
  for (const CollisionShape& shape : AllShapes()) {
    for (int i = 0; i < 30; ++i) {
      const Vector3d q = random.Vector3(1.5);
      Vector3<AutoDiffXd> q_ad;
      for (int k = 0; k < 3; ++k) q_ad[k] = AutoDiffXd(q[k], 3, k);
      const auto r = CalcPointDistance<AutoDiffXd>(shape, q_ad);
      const auto at = [&](const Vector3d& x) {
        return CalcPointDistance<double>(shape, x);
      };
      // The gradient of the distance is what it says it is.
      EXPECT_TRUE(Near(r.distance.derivatives(), at(q).grad_G, 1e-12))
          << shape.name;
      for (int k = 0; k < 3; ++k) {
        const Vector3d step = h * Vector3d::Unit(k);
        const Vector3d dN = (at(q + step).p_GN - at(q - step).p_GN) / (2 * h);
        for (int m = 0; m < 3; ++m) {
          const double exact = r.p_GN[m].derivatives().size() == 0
                                   ? 0
                                   : r.p_GN[m].derivatives()[k];
          // Differences: truncation 1e-12 times third derivatives.
          EXPECT_NEAR(exact, dN[m], 1e-6) << shape.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace wyvern::geometry::internal
