#include "wyvern/geometry/shapes/polygon_surface_mesh.h"

#include <cmath>
#include <limits>

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

// A triangle and a rectangle, oblique to each other.
PolygonSurfaceMesh<double> MakeRoof() {
  return {{3, 0, 1, 2, 4, 1, 0, 3, 4},
          {{0, 0, 0}, {2, 0, 0}, {1, 1, 1}, {0, -1, 1}, {2, -1, 1}}};
}

TEST(PolygonSurfaceMesh, MovedToAnotherFrameItIsTheMeshMadeThere) {
  const math::RigidTransformd X_NM(math::RotationMatrixd::MakeXRotation(0.3) *
                                       math::RotationMatrixd::MakeZRotation(-1),
                                   Vector3d(1, -2, 3));
  PolygonSurfaceMesh<double> moved = MakeRoof();
  std::vector<Vector3d> vertices = moved.vertices();
  for (Vector3d& p : vertices) p = X_NM * p;
  const PolygonSurfaceMesh<double> made(moved.face_data(), vertices);
  moved.TransformVertices(X_NM);
  EXPECT_TRUE(moved.Equal(made));
  EXPECT_FALSE(moved.Equal(MakeRoof()));
  EXPECT_TRUE(test::Near(moved.centroid(), made.centroid(), 1e-14));
  for (int f = 0; f < 2; ++f) {
    EXPECT_TRUE(test::Near(moved.face_normal(f), made.face_normal(f), 1e-14));
    EXPECT_TRUE(
        test::Near(moved.element_centroid(f), made.element_centroid(f), 1e-14));
  }
}

TEST(PolygonSurfaceMesh, TurnedOverItsNormalsPointTheOtherWay) {
  PolygonSurfaceMesh<double> mesh = MakeRoof();
  mesh.ReverseFaceWinding();
  const PolygonSurfaceMesh<double> made(mesh.face_data(), mesh.vertices());
  for (int f = 0; f < 2; ++f) {
    EXPECT_TRUE(
        test::Near(mesh.face_normal(f), -MakeRoof().face_normal(f), 1e-15));
    EXPECT_TRUE(test::Near(mesh.face_normal(f), made.face_normal(f), 1e-15));
  }
  EXPECT_EQ(mesh.element(1).num_vertices(), 4);
}

TEST(PolygonSurfaceMesh, BoundingBoxHoldsAllVertices) {
  const auto [centre, size] = MakeRoof().CalcBoundingBox();
  EXPECT_TRUE(test::Near(centre, Vector3d(1, 0, 0.5)));
  EXPECT_TRUE(test::Near(size, Vector3d(2, 2, 1)));
  EXPECT_THROWS_MESSAGE(PolygonSurfaceMesh<double>().CalcBoundingBox(),
                        std::logic_error, "without vertices");
}

TEST(PolygonSurfaceMesh, AssignIsTheConstructorAgain) {
  PolygonSurfaceMesh<double> mesh({3, 0, 1, 2},
                                  {{0, 0, 0}, {9, 0, 0}, {0, 9, 0}});
  const PolygonSurfaceMesh<double> roof = MakeRoof();
  mesh.Assign(roof.face_data(), roof.vertices());
  EXPECT_TRUE(mesh.Equal(roof));
  EXPECT_EQ(mesh.total_area(), roof.total_area());
  EXPECT_TRUE(test::Near(mesh.centroid(), roof.centroid()));
}

TEST(PolygonSurfaceMesh, AnIndexOfNothingIsOutOfRange) {
  const PolygonSurfaceMesh<double> mesh = MakeRoof();
  EXPECT_THROWS_MESSAGE(mesh.area(2), std::out_of_range, "face 2");
  EXPECT_THROWS_MESSAGE(mesh.face_normal(-1), std::out_of_range, "face -1");
  EXPECT_THROWS_MESSAGE(mesh.element(2), std::out_of_range, "face 2");
  EXPECT_THROWS_MESSAGE(mesh.vertex(5), std::out_of_range, "vertex 5");
  EXPECT_THROWS_MESSAGE(mesh.element(0).vertex(3), std::out_of_range,
                        "vertex 3");
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
  EXPECT_THROWS_MESSAGE(Mesh({std::numeric_limits<int>::max(), 0, 1}, points),
                        std::logic_error, "of 2 numbers left");
  EXPECT_THROWS_MESSAGE(
      Mesh({3, 0, 1, 2}, {{0, 0, 0}, {0, std::nan(""), 0}, {0, 1, 0}}),
      std::logic_error, "vertex 1 is at (0, nan, 0)");
}

}  // namespace
}  // namespace wyvern::geometry
