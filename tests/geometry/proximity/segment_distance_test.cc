#include "wyvern/geometry/proximity/segment_distance.h"

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/support/near.h"

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;
using test::Near;

struct Segment {
  Vector3d middle;
  Vector3d unit;
  double half;
  Vector3d At(double s) const { return middle + s * unit; }
};

SegmentPair<double> Closest(const Segment& A, const Segment& B) {
  return CalcClosestPoints<double>(A.middle, A.unit, A.half, B.middle, B.unit,
                                   B.half);
}

double DistanceOfPoint(const Vector3d& x, const Segment& A) {
  const double s = A.unit.dot(x - A.middle);
  return (A.At(std::min(std::max(s, -A.half), A.half)) - x).norm();
}

// The least over the four ends and, where it falls within both segments, the
// common perpendicular of the lines.
double DistanceByCases(const Segment& A, const Segment& B) {
  double least = std::min(
      {DistanceOfPoint(A.At(-A.half), B), DistanceOfPoint(A.At(A.half), B),
       DistanceOfPoint(B.At(-B.half), A), DistanceOfPoint(B.At(B.half), A)});
  const Vector3d n = A.unit.cross(B.unit);
  if (n.norm() < 1e-12) return least;
  Eigen::Matrix3d lines;
  lines << A.unit, -B.unit, n;
  const Vector3d st = lines.inverse() * (B.middle - A.middle);
  if (std::abs(st[0]) <= A.half && std::abs(st[1]) <= B.half) {
    least = std::min(least, (A.At(st[0]) - B.At(st[1])).norm());
  }
  return least;
}

TEST(SegmentDistance, IsTheLeastOfEndsAndCommonPerpendicular) {
  test::RandomPose random;
  for (int i = 0; i < 5000; ++i) {
    const Segment A{random.Vector3(), random.UnitVector3(),
                    random.Scalar(0, 1)};
    const Segment B{random.Vector3(), random.UnitVector3(),
                    random.Scalar(0, 1)};
    const auto pair = Closest(A, B);
    EXPECT_NEAR((pair.p - pair.q).norm(), DistanceByCases(A, B), 1e-13);
    EXPECT_LT(DistanceOfPoint(pair.p, A), 1e-14);
    EXPECT_LT(DistanceOfPoint(pair.q, B), 1e-14);
  }
}

TEST(SegmentDistance, OfNearlyParallelSegmentsIsAsExact) {
  test::RandomPose random(2);
  for (int i = 0; i < 5000; ++i) {
    const Segment A{random.Vector3(), random.UnitVector3(), 0.8};
    const double turn = std::pow(10, random.Scalar(-12, -2));
    const Segment B{random.Vector3(),
                    (A.unit + turn * random.UnitVector3()).normalized(), 0.5};
    const auto pair = Closest(A, B);
    // At an angle below 1e-13 all of the stretch that they share is as near.
    EXPECT_NEAR((pair.p - pair.q).norm(), DistanceByCases(A, B), 2e-13);
  }
}

TEST(SegmentDistance, ParallelOnesGiveTheMiddleOfWhatTheyShare) {
  const Segment A{Vector3d::Zero(), Vector3d::UnitZ(), 1.0};
  for (const double sign : {1.0, -1.0}) {
    // Side by side from z = -0.3 to 1.
    const auto pair =
        Closest(A, {Vector3d(0.5, 0, 0.7), sign * Vector3d::UnitZ(), 1.0});
    EXPECT_TRUE(Near(pair.p, Vector3d(0, 0, 0.35), 1e-15));
    EXPECT_TRUE(Near(pair.q, Vector3d(0.5, 0, 0.35), 1e-15));
    const auto apart =
        Closest(A, {Vector3d(0.5, 0, 3), sign * Vector3d::UnitZ(), 1.0});
    EXPECT_TRUE(Near(apart.p, Vector3d(0, 0, 1), 1e-15));
    EXPECT_TRUE(Near(apart.q, Vector3d(0.5, 0, 2), 1e-15));
  }
}

TEST(SegmentDistance, OfNoLengthArePoints) {
  const Vector3d x(1, 2, 3), y(-1, 0, 2);
  const auto pair =
      Closest({x, Vector3d::UnitX(), 0}, {y, Vector3d::UnitY(), 0});
  EXPECT_EQ(pair.p, x);
  EXPECT_EQ(pair.q, y);
}

}  // namespace
}  // namespace wyvern::geometry::internal
