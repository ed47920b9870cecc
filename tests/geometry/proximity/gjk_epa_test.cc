// GJK and EPA against what they do not use: all corners of two boxes, their
// fifteen separating axes, and closed forms of a point and a box.
#include <array>
#include <limits>

#include <gtest/gtest.h>

#include "tests/geometry/proximity/test_shapes.h"
#include "tests/support/near.h"
#include "wyvern/geometry/proximity/epa.h"
#include "wyvern/geometry/proximity/gjk.h"
#include "wyvern/geometry/proximity/minkowski_difference.h"

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;
using math::RigidTransformd;
using test::Near;

CollisionShape MakeBox(const Vector3d& half) {
  return MakeCollisionShape(Box(2 * half[0], 2 * half[1], 2 * half[2]));
}

std::array<Vector3d, 8> Corners(const Vector3d& half,
                                const RigidTransformd& X) {
  std::array<Vector3d, 8> corners;
  for (int k = 0; k < 8; ++k) {
    const Vector3d sign(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    corners[k] = X * Vector3d(sign.cwiseProduct(half));
  }
  return corners;
}

struct BoxPair {
  Vector3d half_A;
  Vector3d half_B;
  RigidTransformd X_AB;
  CollisionShape A{MakeBox(half_A)};
  CollisionShape B{MakeBox(half_B)};
  MinkowskiDifference Difference() const {
    return {A, RigidTransformd(), B, X_AB};
  }
};

BoxPair RandomBoxes(test::RandomPose* random) {
  const auto half = [random] {
    return Vector3d(random->Scalar(0.2, 1), random->Scalar(0.2, 1),
                    random->Scalar(0.2, 1));
  };
  return {half(), half(),
          RigidTransformd(random->Rotation(), random->Vector3(1.5))};
}

// The largest signed gap over the fifteen axes of two boxes: positive if they
// are apart, else the negative of the least translation that separates them.
double LargestGap(const BoxPair& boxes) {
  const Eigen::Matrix3d R = boxes.X_AB.rotation().matrix();
  std::vector<Vector3d> axes;
  for (int i = 0; i < 3; ++i) {
    axes.push_back(Vector3d::Unit(i));
    axes.push_back(R.col(i));
    for (int j = 0; j < 3; ++j) {
      const Vector3d axis = Vector3d::Unit(i).cross(R.col(j));
      if (axis.norm() > 1e-9) axes.push_back(axis.normalized());
    }
  }
  double largest = -std::numeric_limits<double>::infinity();
  for (const Vector3d& axis : axes) {
    const double reach = boxes.half_A.dot(axis.cwiseAbs()) +
                         boxes.half_B.dot((R.transpose() * axis).cwiseAbs());
    largest =
        std::max(largest, std::abs(axis.dot(boxes.X_AB.translation())) - reach);
  }
  return largest;
}

TEST(MinkowskiDifference, SupportIsTheFarthestDifferenceOfCorners) {
  test::RandomPose random;
  for (int i = 0; i < 300; ++i) {
    const BoxPair boxes = RandomBoxes(&random);
    const Vector3d direction = random.Vector3();
    double farthest = -std::numeric_limits<double>::infinity();
    for (const Vector3d& a : Corners(boxes.half_A, RigidTransformd())) {
      for (const Vector3d& b : Corners(boxes.half_B, boxes.X_AB)) {
        farthest = std::max(farthest, direction.dot(a - b));
      }
    }
    const auto point = boxes.Difference().Support(direction);
    EXPECT_NEAR(direction.dot(point.w), farthest, 1e-14);
    EXPECT_EQ(point.w, point.a - point.b);
  }
}

TEST(MinkowskiDifference, CoresOfRoundShapesArePointsAndSegments) {
  const CollisionShape ball = MakeCollisionShape(Sphere(0.3));
  const CollisionShape capsule = MakeCollisionShape(Capsule(0.2, 1.0));
  const RigidTransformd X_WB(Vector3d(1, 2, 3));
  const MinkowskiDifference difference(ball, RigidTransformd(), capsule, X_WB);
  EXPECT_EQ(difference.Support({1, 0, 1}).w, Vector3d(-1, -2, -2.5));
  EXPECT_EQ(difference.Support({1, 0, -1}).w, Vector3d(-1, -2, -3.5));
  EXPECT_EQ(MinkowskiDifference::RoundingRadius(ball), 0.3);
  EXPECT_EQ(MinkowskiDifference::RoundingRadius(capsule), 0.2);
  EXPECT_EQ(MinkowskiDifference::RoundingRadius(MakeBox({1, 1, 1})), 0);
}

TEST(Gjk, OverlapsWhereNoneOfFifteenAxesSeparates) {
  test::RandomPose random;
  int apart = 0, overlapping = 0;
  for (int i = 0; i < 3000; ++i) {
    const BoxPair boxes = RandomBoxes(&random);
    const GjkResult gjk = CalcNearestPoint(boxes.Difference());
    const bool separate = LargestGap(boxes) > 0;
    EXPECT_EQ(gjk.overlap, !separate) << LargestGap(boxes);
    ++(separate ? apart : overlapping);
  }
  EXPECT_GT(apart, 500);
  EXPECT_GT(overlapping, 500);
}

// Where all of a convex set is beyond the plane through one of its points v and
// across it, v is the nearest point to the origin.
TEST(Gjk, NearestPointHasAllCornersBeyondItsPlane) {
  test::RandomPose random(3);
  for (int i = 0; i < 1000; ++i) {
    const BoxPair boxes = RandomBoxes(&random);
    const GjkResult gjk = CalcNearestPoint(boxes.Difference());
    if (gjk.overlap) continue;
    Vector3d v = Vector3d::Zero();
    double sum = 0;
    for (int k = 0; k < gjk.size; ++k) {
      EXPECT_GE(gjk.weights[k], 0);
      sum += gjk.weights[k];
      v += gjk.weights[k] * gjk.points[k].w;
    }
    EXPECT_NEAR(sum, 1, 1e-14);
    EXPECT_TRUE(Near(v, gjk.v, 1e-13));
    const Vector3d n = gjk.v.normalized();
    for (const Vector3d& a : Corners(boxes.half_A, RigidTransformd())) {
      for (const Vector3d& b : Corners(boxes.half_B, boxes.X_AB)) {
        EXPECT_GE(n.dot(a - b), gjk.v.norm() - 1e-12);
      }
    }
  }
}

TEST(Gjk, DistanceOfAPointFromABoxIsThatOfItsClampedCoordinates) {
  test::RandomPose random(4);
  const Vector3d half(0.3, 0.5, 0.7);
  const CollisionShape box = MakeBox(half);
  const CollisionShape point = MakeCollisionShape(Sphere(0.1));
  for (int i = 0; i < 1000; ++i) {
    const Vector3d x = random.Vector3(2);
    const GjkResult gjk = CalcNearestPoint(
        MinkowskiDifference(point, RigidTransformd(x), box, {}));
    const Vector3d nearest = x.cwiseMax(-half).cwiseMin(half);
    EXPECT_EQ(gjk.overlap, nearest == x);
    if (gjk.overlap) continue;
    EXPECT_TRUE(Near(gjk.v, Vector3d(x - nearest), 1e-14));
  }
}

EpaResult Penetration(const MinkowskiDifference& difference) {
  return CalcPenetrationDepth(difference, CalcNearestPoint(difference));
}

TEST(Epa, DepthOfBoxesIsTheLeastOverlapOnFifteenAxes) {
  test::RandomPose random(5);
  int overlapping = 0;
  for (int i = 0; i < 2000; ++i) {
    const BoxPair boxes = RandomBoxes(&random);
    const double gap = LargestGap(boxes);
    if (gap > -1e-6) continue;
    ++overlapping;
    const EpaResult epa = Penetration(boxes.Difference());
    EXPECT_NEAR(epa.depth, -gap, 1e-12);
    EXPECT_NEAR(epa.normal.norm(), 1, 1e-14);
    EXPECT_TRUE(Near(epa.a - epa.b, Vector3d(epa.depth * epa.normal), 1e-12));
    const Vector3d b_B = boxes.X_AB.inverse() * epa.b;
    EXPECT_LE((epa.a.cwiseAbs() - boxes.half_A).maxCoeff(), 1e-12);
    EXPECT_LE((b_B.cwiseAbs() - boxes.half_B).maxCoeff(), 1e-12);
  }
  EXPECT_GT(overlapping, 500);
}

TEST(Epa, DepthOfAPointInABoxIsThatOfTheNearestFace) {
  test::RandomPose random(6);
  const Vector3d half(0.3, 0.5, 0.7);
  const CollisionShape box = MakeBox(half);
  const CollisionShape point = MakeCollisionShape(Sphere(0.1));
  for (int i = 0; i < 1000; ++i) {
    const Vector3d x = random.Vector3().cwiseProduct(half);
    int k = 0;
    const double depth = (half - x.cwiseAbs()).minCoeff(&k);
    const EpaResult epa =
        Penetration(MinkowskiDifference(point, RigidTransformd(x), box, {}));
    EXPECT_NEAR(epa.depth, depth, 1e-14);
    // The difference point - box has its face where the box leaves the point.
    EXPECT_TRUE(Near(epa.normal,
                     Vector3d(-std::copysign(1.0, x[k]) * Vector3d::Unit(k)),
                     1e-13));
  }
}

TEST(Epa, DepthOfConcentricBoxesIsTheLeastSumOfHalves) {
  const BoxPair boxes{{0.3, 0.5, 0.7}, {0.2, 0.6, 0.1}, RigidTransformd()};
  EXPECT_NEAR(Penetration(boxes.Difference()).depth, 0.5, 1e-14);
}

}  // namespace
}  // namespace wyvern::geometry::internal
