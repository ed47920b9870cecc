#include "wyvern/geometry/proximity/convex_polytope.h"

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/shapes/convex_hull.h"

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;

TEST(ConvexPolytope, WalkAlongEdgesEndsAtAFarthestVertex) {
  test::RandomPose random;
  std::vector<Vector3d> points(300);
  for (Vector3d& p : points) p = random.UnitVector3();
  const auto hull = MakeConvexHull(points, "ball");
  const ConvexPolytope polytope(hull.vertices(), hull.face_data());
  for (int i = 0; i < 300; ++i) {
    const Vector3d u = random.UnitVector3();
    double most = -1;
    for (const Vector3d& p : points) most = std::max(most, u.dot(p));
    EXPECT_EQ(u.dot(polytope.vertex(polytope.SupportVertex(u))), most);
  }
}

TEST(ConvexPolytope, BoxHasItsFacesOutside) {
  const auto box = ConvexPolytope::MakeBox({1, 2, 3});
  EXPECT_EQ(box.num_faces(), 6);
  for (int axis = 0; axis < 3; ++axis) {
    const int f = box.FaceAlong(-Vector3d::Unit(axis));
    EXPECT_TRUE(test::Near(box.normal(f), -Vector3d::Unit(axis)));
    EXPECT_EQ(box.offset(f), axis + 1);
  }
  EXPECT_TRUE(test::Near(box.upper(), Vector3d(1, 2, 3)));
}

TEST(ConvexPolytope, BadFacesAreRefused) {
  const std::vector<Vector3d> corners = {
      {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_THROWS_MESSAGE(ConvexPolytope(corners, {3, 0, 2, 1}), std::logic_error,
                        "was given 1 faces");
  EXPECT_THROWS_MESSAGE(ConvexPolytope(corners, {3, 0, 1, 1}), std::logic_error,
                        "and no area");
  EXPECT_THROWS_MESSAGE(ConvexPolytope(corners, {3, 0, 1, 2}), std::logic_error,
                        "in front of face 0");
}

// Each face of a ball of many corners sees the one vertex that is beyond it,
// and none that is as far behind.
TEST(ConvexPolytope, AVertexInFrontOfAnyFaceIsRefused) {
  test::RandomPose random;
  std::vector<Vector3d> points(400);
  for (Vector3d& p : points) p = Vector3d(5, -3, 2) + random.UnitVector3();
  const auto hull = MakeConvexHull(points, "ball");
  const std::vector<int>& faces = hull.face_data();
  const ConvexPolytope ball(hull.vertices(), faces);
  const double size = (ball.upper() - ball.lower()).norm();
  for (int f = 0; f < ball.num_faces(); f += 7) {
    Vector3d middle = Vector3d::Zero();
    for (const int v : ball.face(f)) {
      middle += ball.vertex(v) / double(ball.face(f).size());
    }
    // A millionth of the size is let through.
    for (const double beyond : {-1e-2, 0.9e-6, 1.1e-6, 1e-2}) {
      std::vector<Vector3d> vertices = hull.vertices();
      vertices.push_back(middle + beyond * size * ball.normal(f));
      if (beyond < 1e-6) {
        EXPECT_NO_THROW(ConvexPolytope(vertices, faces)) << f;
      } else {
        EXPECT_THROW(ConvexPolytope(vertices, faces), std::logic_error) << f;
      }
    }
  }
}

}  // namespace
}  // namespace wyvern::geometry::internal
