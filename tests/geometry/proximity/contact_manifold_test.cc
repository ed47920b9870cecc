#include "wyvern/geometry/proximity/contact_manifold.h"

#include <numbers>

#include <gtest/gtest.h>

#include "tests/geometry/proximity/test_shapes.h"
#include "tests/support/near.h"
#include "wyvern/geometry/proximity/point_distance.h"

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;
using math::RigidTransformd;
using math::RotationMatrixd;
using test::Near;

using Manifold = ContactManifold<double>;

Manifold Calc(const CollisionShape& A, const RigidTransformd& X_WA,
              const CollisionShape& B, const RigidTransformd& X_WB) {
  Manifold result;
  CalcContactManifold(A, X_WA, B, X_WB, &result);
  return result;
}

// Says whether the manifold has exactly these points of A, in any order.
testing::AssertionResult HasPointsOfA(const Manifold& manifold,
                                      std::vector<Vector3d> expected,
                                      double tolerance = 1e-12) {
  for (int k = 0; k < manifold.size; ++k) {
    const auto found =
        std::find_if(expected.begin(), expected.end(), [&](const Vector3d& x) {
          return (x - manifold.points[k].p_WCa).norm() <= tolerance;
        });
    if (found == expected.end()) {
      return testing::AssertionFailure()
             << "(" << manifold.points[k].p_WCa.transpose()
             << ") was not expected";
    }
    expected.erase(found);
  }
  if (!expected.empty()) {
    return testing::AssertionFailure()
           << "(" << expected[0].transpose() << ") is missing";
  }
  return testing::AssertionSuccess();
}

const double kDeep = 1e-3;

TEST(ContactManifold, BoxOnAPlaneRestsOnItsFourCorners) {
  const auto box = MakeCollisionShape(Box(0.4, 0.6, 0.2));
  const auto plane = MakeCollisionShape(HalfSpace());
  const auto manifold = Calc(box, RigidTransformd(Vector3d(1, 2, 0.1 - kDeep)),
                             plane, RigidTransformd());
  EXPECT_TRUE(HasPointsOfA(manifold, {{0.8, 1.7, -kDeep},
                                      {0.8, 2.3, -kDeep},
                                      {1.2, 1.7, -kDeep},
                                      {1.2, 2.3, -kDeep}}));
  for (int k = 0; k < manifold.size; ++k) {
    EXPECT_NEAR(manifold.points[k].distance, -kDeep, 1e-15);
    EXPECT_TRUE(Near(manifold.points[k].nhat_BA_W, Vector3d::UnitZ()));
  }
}

TEST(ContactManifold, BoxOnABoxRestsOnTheFacesOverlap) {
  const auto small = MakeCollisionShape(Box(0.4, 0.6, 0.2));
  const auto large = MakeCollisionShape(Box(1, 1, 1));
  // Hanging over the edge x = 0.5.
  const RigidTransformd X(Vector3d(0.5, 0, 0.6 - kDeep));
  EXPECT_TRUE(HasPointsOfA(Calc(small, X, large, RigidTransformd()),
                           {{0.3, -0.3, 0.5 - kDeep},
                            {0.3, 0.3, 0.5 - kDeep},
                            {0.5, 0.3, 0.5 - kDeep},
                            {0.5, -0.3, 0.5 - kDeep}}));
}

TEST(ContactManifold, TurnedBoxOnABoxHasTheOctagonsCorners) {
  const auto box = MakeCollisionShape(Box(1, 1, 1));
  const RigidTransformd X(RotationMatrixd::MakeZRotation(std::numbers::pi / 4),
                          Vector3d(0, 0, 1 - kDeep));
  const auto manifold = Calc(box, X, box, RigidTransformd());
  EXPECT_EQ(manifold.size, 8);
  for (int k = 0; k < manifold.size; ++k) {
    const Vector3d& p = manifold.points[k].p_WCa;
    EXPECT_NEAR(p.head<2>().norm(), 0.5 / std::cos(std::numbers::pi / 8),
                1e-12);
    EXPECT_NEAR(manifold.points[k].distance, -kDeep, 1e-12);
  }
}

TEST(ContactManifold, TiltedBoxTouchesWithAnEdgeOfTwoCorners) {
  const auto box = MakeCollisionShape(Box(1, 1, 1));
  const auto table = MakeCollisionShape(Box(4, 4, 1));
  const RotationMatrixd R = RotationMatrixd::MakeYRotation(0.3);
  const Vector3d lowest = R * Vector3d(0.5, 0, -0.5);
  const RigidTransformd X(R, Vector3d(0, 0, 0.5 - kDeep - lowest[2]));
  EXPECT_TRUE(HasPointsOfA(
      Calc(box, X, table, RigidTransformd()),
      {{lowest[0], 0.5, 0.5 - kDeep}, {lowest[0], -0.5, 0.5 - kDeep}}));
}

TEST(ContactManifold, CrossedEdgesTouchInOnePoint) {
  const auto box = MakeCollisionShape(Box(1, 1, 1));
  const double quarter = std::numbers::pi / 4;
  const double reach = std::sqrt(0.5);
  // An edge along y under an edge along x.
  const RigidTransformd X_WA(RotationMatrixd::MakeXRotation(quarter),
                             Vector3d(0, 0, 2 * reach - kDeep));
  const RigidTransformd X_WB(RotationMatrixd::MakeYRotation(quarter));
  EXPECT_TRUE(
      HasPointsOfA(Calc(box, X_WA, box, X_WB), {{0, 0, reach - kDeep}}));
}

TEST(ContactManifold, CylinderStandsOnFourPointsAndLiesOnTwo) {
  const auto cylinder = MakeCollisionShape(Cylinder(0.3, 1));
  const auto plane = MakeCollisionShape(HalfSpace());
  const auto table = MakeCollisionShape(Box(4, 4, 1));
  const RigidTransformd X_WT(Vector3d(0, 0, -0.5));
  const RigidTransformd standing(Vector3d(0, 0, 0.5 - kDeep));
  const RigidTransformd lying(
      RotationMatrixd::MakeYRotation(std::numbers::pi / 2),
      Vector3d(0, 0, 0.3 - kDeep));
  const std::vector<Vector3d> rim = {
      {0.3, 0, -kDeep}, {-0.3, 0, -kDeep}, {0, 0.3, -kDeep}, {0, -0.3, -kDeep}};
  const std::vector<Vector3d> line = {{0.5, 0, -kDeep}, {-0.5, 0, -kDeep}};
  EXPECT_TRUE(
      HasPointsOfA(Calc(cylinder, standing, plane, RigidTransformd()), rim));
  EXPECT_TRUE(
      HasPointsOfA(Calc(cylinder, lying, plane, RigidTransformd()), line));
  EXPECT_TRUE(HasPointsOfA(Calc(cylinder, lying, table, X_WT), line, 1e-6));
  EXPECT_EQ(Calc(cylinder, standing, table, X_WT).size, 8);
}

TEST(ContactManifold, CapsulesLieOnTheirTwoEnds) {
  const auto capsule = MakeCollisionShape(Capsule(0.3, 1));
  const auto other = MakeCollisionShape(Capsule(0.2, 0.6));
  const auto plane = MakeCollisionShape(HalfSpace());
  const auto table = MakeCollisionShape(Box(4, 4, 1));
  const RotationMatrixd R =
      RotationMatrixd::MakeYRotation(std::numbers::pi / 2);
  const RigidTransformd lying(R, Vector3d(0, 0, 0.3 - kDeep));
  const std::vector<Vector3d> ends = {{0.5, 0, -kDeep}, {-0.5, 0, -kDeep}};
  EXPECT_TRUE(
      HasPointsOfA(Calc(capsule, lying, plane, RigidTransformd()), ends));
  EXPECT_TRUE(HasPointsOfA(
      Calc(capsule, lying, table, RigidTransformd(Vector3d(0, 0, -0.5))),
      ends));
  const RigidTransformd below(R, Vector3d(0.4, 0, -0.2));
  EXPECT_TRUE(HasPointsOfA(Calc(capsule, lying, other, below),
                           {{0.1, 0, -kDeep}, {0.5, 0, -kDeep}}));
}

TEST(ContactManifold, HullRestsOnItsBase) {
  const auto pyramid = BoundedShapes().back();
  const auto table = MakeCollisionShape(Box(4, 4, 1));
  const RigidTransformd X(Vector3d(0, 0, 0.3 - kDeep));
  const std::vector<Vector3d> base = {{0.6, 0.5, -kDeep},
                                      {-0.6, 0.5, -kDeep},
                                      {-0.6, -0.5, -kDeep},
                                      {0.6, -0.5, -kDeep}};
  EXPECT_TRUE(HasPointsOfA(
      Calc(pyramid, X, table, RigidTransformd(Vector3d(0, 0, -0.5))), base));
  EXPECT_TRUE(HasPointsOfA(
      Calc(pyramid, X, MakeCollisionShape(HalfSpace()), RigidTransformd()),
      base));
}

// The laws, on random overlapping pairs of all kinds.
TEST(ContactManifold, PointsAreDeepAndOnTheSurfaces) {
  test::RandomPose random;
  const auto shapes = AllShapes();
  for (size_t a = 0; a < shapes.size(); ++a) {
    for (size_t b = 0; b + 1 < shapes.size(); ++b) {
      for (int i = 0; i < 40; ++i) {
        const RigidTransformd X_WA = random.Pose(), X_WB = random.Pose();
        const auto& A = shapes[a];
        const auto& B = shapes[b];
        const auto manifold = Calc(A, X_WA, B, X_WB);
        const auto deepest = CalcShapeDistance(A, X_WA, B, X_WB);
        EXPECT_EQ(manifold.size > 0, deepest.distance < 0)
            << A.name << " and " << B.name;
        for (int k = 0; k < manifold.size; ++k) {
          const auto& p = manifold.points[k];
          EXPECT_LT(p.distance, 0);
          // A face within two degrees of the normal lends its own normal, and
          // is deeper by up to 1/cos of that.
          EXPECT_TRUE(Near(p.p_WCa - p.p_WCb, p.distance * p.nhat_BA_W, 1e-12));
          EXPECT_GT(p.nhat_BA_W.dot(deepest.nhat_BA_W), 0.99)
              << A.name << " and " << B.name;
          // Inside of or on both.
          EXPECT_LT(
              CalcPointDistance<double>(A, X_WA.inverse() * p.p_WCa).distance,
              1e-9)
              << A.name << " and " << B.name;
          EXPECT_LT(
              CalcPointDistance<double>(B, X_WB.inverse() * p.p_WCb).distance,
              1e-9)
              << A.name << " and " << B.name;
        }
      }
    }
  }
}

TEST(ContactManifold, SwappingTheShapesSwapsThePoints) {
  const auto small = MakeCollisionShape(Box(0.4, 0.6, 0.2));
  const auto large = MakeCollisionShape(Box(1, 1, 1));
  const RigidTransformd X(RotationMatrixd::MakeZRotation(0.2),
                          Vector3d(0.4, 0, 0.6 - kDeep));
  const auto ab = Calc(small, X, large, RigidTransformd());
  auto ba = Calc(large, RigidTransformd(), small, X);
  std::vector<Vector3d> points;
  for (int k = 0; k < ab.size; ++k) points.push_back(ab.points[k].p_WCa);
  for (int k = 0; k < ba.size; ++k) ba.points[k].Swap();
  EXPECT_TRUE(HasPointsOfA(ba, points));
}

}  // namespace
}  // namespace wyvern::geometry::internal
