#include "wyvern/geometry/shapes/polygon_surface_mesh.h"

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::geometry {
namespace {

using Eigen::Vector3d;

TEST(PolygonSurfaceMesh, MeasuresAnLShapeOfTwoRectangles) {
  // 2 x 1 m at the origin and 1 x 1 m above its left half.
  const PolygonSurfaceMesh<double> mesh({4, 0, 1, 2, 3, 4, 3, 4, 5, 6},
                                        {{0, 0, 0},
                                         {2, 0, 0},
                                         {2, 1, 0},
                                         {0, 1, 0},
                                         {1, 1, 0},
                                         {1, 2, 0},
                                         {0, 2, 0}});
  EXPECT_EQ(mesh.num_faces(), 2);
  EXPECT_EQ(mesh.element(1).vertex(3), 6);
  EXPECT_DOUBLE_EQ(mesh.area(0), 2);
  EXPECT_DOUBLE_EQ(mesh.total_area(), 3);
  EXPECT_TRUE(test::Near(mesh.face_normal(1), Vector3d::UnitZ()));
  EXPECT_TRUE(
      test::Near(mesh.centroid(), Vector3d(2.5 / 3, 2.5 / 3, 0), 1e-15));
}

TEST(PolygonSurfaceMesh, BadFacesAreRefused) {
  using Mesh = PolygonSurfaceMesh<double>;
  const std::vector<Vector3d> points(3, Vector3d::Zero());
  EXPECT_THROWS_MESSAGE(Mesh({2, 0, 1}, points), std::logic_error,
                        "face 0 is to have 2 vertices");
  EXPECT_THROWS_MESSAGE(Mesh({4, 0, 1, 2}, points), std::logic_error,
                        "of 3 numbers left");
  EXPECT_THROWS_MESSAGE(Mesh({3, 0, 1, 3}, points), std::logic_error,
                        "face 0 has vertex 3");
}

}  // namespace
}  // namespace wyvern::geometry
