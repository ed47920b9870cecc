// The corners of the overlap of two rectangles, found by all crossings of their
// edges and all corners of one in the other instead of clipping.
#include "wyvern/geometry/proximity/face_manifold.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/proximity/test_shapes.h"
#include "tests/support/near.h"

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using math::RigidTransformd;
using math::RotationMatrixd;

struct Rectangle {
  Vector2d half;
  Vector2d centre{0, 0};
  double yaw{0};
  Vector2d Corner(int k) const {
    const Vector2d local(k == 1 || k == 2 ? -half[0] : half[0],
                         k >= 2 ? -half[1] : half[1]);
    return centre + Eigen::Rotation2Dd(yaw) * local;
  }
  bool Has(const Vector2d& x) const {
    const Vector2d local = Eigen::Rotation2Dd(-yaw) * (x - centre);
    return std::abs(local[0]) <= half[0] && std::abs(local[1]) <= half[1];
  }
};

std::vector<Vector2d> CornersOfOverlap(const Rectangle& A, const Rectangle& B) {
  std::vector<Vector2d> corners;
  for (int i = 0; i < 4; ++i) {
    if (B.Has(A.Corner(i))) corners.push_back(A.Corner(i));
    if (A.Has(B.Corner(i))) corners.push_back(B.Corner(i));
    for (int j = 0; j < 4; ++j) {
      Eigen::Matrix2d edges;
      edges << A.Corner((i + 1) % 4) - A.Corner(i),
          B.Corner(j) - B.Corner((j + 1) % 4);
      const Vector2d st = edges.inverse() * (B.Corner(j) - A.Corner(i));
      if (st.minCoeff() > 0 && st.maxCoeff() < 1) {
        corners.push_back(A.Corner(i) + st[0] * edges.col(0));
      }
    }
  }
  return corners;
}

CollisionShape BoxOver(const Rectangle& face) {
  return MakeCollisionShape(Box(2 * face.half[0], 2 * face.half[1], 1.0));
}

// A, half a metre high, lies `depth` deep in B, whose top is z = 0.
bool CalcStack(const Rectangle& a, const Rectangle& b, double depth,
               ContactManifold<double>* manifold) {
  const auto pose = [](const Rectangle& r, double z) {
    return RigidTransformd(RotationMatrixd::MakeZRotation(r.yaw),
                           Vector3d(r.centre[0], r.centre[1], z));
  };
  return CalcFaceManifold(BoxOver(a), pose(a, 0.5 - depth), BoxOver(b),
                          pose(b, -0.5), Vector3d::UnitZ(), depth, manifold);
}

TEST(FaceManifold, HasTheCornersOfTheOverlapOfRectangles) {
  test::RandomPose random;
  int with_more_than_four = 0;
  for (int i = 0; i < 500; ++i) {
    const Rectangle a{{random.Scalar(0.3, 1), random.Scalar(0.3, 1)},
                      random.Vector3(0.4).head<2>(),
                      random.Scalar(-3, 3)};
    const Rectangle b{{random.Scalar(0.3, 1), random.Scalar(0.3, 1)},
                      random.Vector3(0.4).head<2>(),
                      random.Scalar(-3, 3)};
    const std::vector<Vector2d> corners = CornersOfOverlap(a, b);
    ASSERT_GE(corners.size(), 3u);
    ContactManifold<double> manifold;
    ASSERT_TRUE(CalcStack(a, b, 0.01, &manifold));
    ASSERT_EQ(manifold.size, static_cast<int>(corners.size()));
    with_more_than_four += manifold.size > 4;
    for (const Vector2d& corner : corners) {
      double nearest = 1;
      for (int k = 0; k < manifold.size; ++k) {
        const auto& point = manifold.points[k];
        nearest = std::min(nearest, (point.p_WCa.head<2>() - corner).norm());
      }
      EXPECT_LT(nearest, 1e-13);
    }
  }
  EXPECT_GT(with_more_than_four, 100);
}

TEST(FaceManifold, PointsAreAsDeepAsTheBoxes) {
  ContactManifold<double> manifold;
  ASSERT_TRUE(
      CalcStack({{0.5, 0.4}, {0.2, 0.1}, 0.3}, {{1, 1}}, 0.02, &manifold));
  ASSERT_EQ(manifold.size, 4);
  for (int k = 0; k < 4; ++k) {
    const auto& point = manifold.points[k];
    EXPECT_NEAR(point.distance, -0.02, 1e-15);
    EXPECT_NEAR(point.p_WCa[2], -0.02, 1e-15);
    EXPECT_NEAR(point.p_WCb[2], 0, 1e-15);
    EXPECT_EQ(point.nhat_BA_W, Vector3d::UnitZ());
  }
}

TEST(FaceManifold, EdgesAcrossEachOtherAreNone) {
  const CollisionShape box = MakeCollisionShape(Box(1, 1, 1));
  const double diagonal = std::sqrt(0.5);
  const RigidTransformd X_WA(RotationMatrixd::MakeXRotation(M_PI / 4),
                             Vector3d(0, 0, 2 * diagonal - 0.01));
  const RigidTransformd X_WB(RotationMatrixd::MakeYRotation(M_PI / 4),
                             Vector3d::Zero());
  ContactManifold<double> manifold;
  EXPECT_FALSE(CalcFaceManifold(box, X_WA, box, X_WB, Vector3d::UnitZ(), 0.01,
                                &manifold));
}

}  // namespace
}  // namespace wyvern::geometry::internal
