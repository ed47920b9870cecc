#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/evenly_distributed_pts_on_sphere.h"
#include "wyvern/geometry/math/hopf_coordinate.h"
#include "wyvern/geometry/math/random_rotation.h"

namespace wyvern::math {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using test::Near;

TEST(HopfCoordinate, GivesTheQuaternionBack) {
  RandomGenerator generator;
  for (int k = 0; k < 100; ++k) {
    Quaterniond q = UniformlyRandomQuaternion<double>(&generator);
    const Vector3d hopf = QuaternionToHopfCoordinate(q);
    EXPECT_TRUE(hopf[0] >= 0 && hopf[0] <= M_PI);
    EXPECT_TRUE(hopf[1] >= 0 && hopf[1] < 2 * M_PI);
    EXPECT_TRUE(hopf[2] >= -M_PI && hopf[2] <= M_PI);
    if (q.w() < 0) q.coeffs() *= -1;
    EXPECT_TRUE(
        Near(HopfCoordinateToQuaternion(hopf[0], hopf[1], hopf[2]).coeffs(),
             q.coeffs(), 1e-14));
  }
}

TEST(HopfCoordinate, IsATurnAboutADirectionAcrossXThenOneAboutX) {
  const double theta = 0.4, phi = 1.1, psi = -0.7;
  const Vector3d direction(0, std::cos(phi), std::sin(phi));
  EXPECT_TRUE(Near(HopfCoordinateToQuaternion(theta, phi, psi).matrix(),
                   (Eigen::AngleAxisd(psi, Vector3d::UnitX()) *
                    Eigen::AngleAxisd(theta, direction))
                       .toRotationMatrix(),
                   1e-15));
}

TEST(PointsOnSphere, AreOnItAndSpreadEvenly) {
  const Eigen::Matrix3Xd points = UniformPtsOnSphereFibonacci(1000);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_NEAR(points.col(i).norm(), 1.0, 1e-15);
  }
  // Second moments of the uniform distribution: I / 3.
  EXPECT_TRUE(Near(points * points.transpose() / 1000,
                   Eigen::Matrix3d(Eigen::Matrix3d::Identity() / 3), 1e-3));
  // A hexagonal packing would have sqrt(8 pi / (sqrt(3) n)) between neighbours.
  double nearest = 2.0;
  for (int i = 1; i < 1000; ++i) {
    nearest = std::min(nearest, (points.leftCols(i).colwise() - points.col(i))
                                    .colwise()
                                    .norm()
                                    .minCoeff());
  }
  EXPECT_GT(nearest, 0.7 * std::sqrt(8 * M_PI / (std::sqrt(3.0) * 1000)));
}

TEST(PointsOnSphere, AreAtLeastOne) {
  EXPECT_EQ(UniformPtsOnSphereFibonacci(1).cols(), 1);
  EXPECT_THROWS_MESSAGE(UniformPtsOnSphereFibonacci(0), std::logic_error,
                        "0 points");
}

}  // namespace
}  // namespace wyvern::math
