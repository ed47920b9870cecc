#include "wyvern/geometry/meshes/triangle_surface_mesh.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/geometry/meshes/test_meshes.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/autodiff.h"
#include "wyvern/geometry/math/autodiff_gradient.h"

namespace wyvern::geometry {
namespace {

using Eigen::Vector3d;
using Triangles = TriangleSurfaceMesh<double>;
using test::MakeRandomOctahedron;
using wyvern::test::Near;
using wyvern::test::RandomPose;

TEST(TriangleSurfaceMesh, MeasuresAHouse) {
  // The unit square in the xy-plane, and a vertical triangle on its edge.
  const Triangles mesh({{0, 1, 2}, {0, 2, 3}, {0, 1, 4}},
                       {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 4}});
  EXPECT_EQ(mesh.num_vertices(), 5);
  EXPECT_EQ(mesh.num_triangles(), 3);
  EXPECT_EQ(mesh.num_elements(), 3);
  EXPECT_EQ(mesh.element(1).vertex(2), 3);
  EXPECT_DOUBLE_EQ(mesh.area(2), 2);
  EXPECT_DOUBLE_EQ(mesh.total_area(), 3);
  EXPECT_TRUE(Near(mesh.face_normal(1), Vector3d::UnitZ()));
  EXPECT_TRUE(Near(mesh.face_normal(2), -Vector3d::UnitY()));
  // (1 * (1/2, 1/2, 0) + 2 * (1/3, 0, 4/3)) / 3.
  EXPECT_TRUE(Near(mesh.centroid(), Vector3d(7, 3, 16) / 18, 1e-15));
  EXPECT_TRUE(Near(mesh.CalcBoundingBox().first, Vector3d(0.5, 0.5, 2)));
  EXPECT_TRUE(Near(mesh.CalcBoundingBox().second, Vector3d(1, 1, 4)));
}

TEST(TriangleSurfaceMesh, AreaVectorsOfAClosedSurfaceAddUpToNothing) {
  RandomPose random;
  for (int k = 0; k < 20; ++k) {
    const Triangles mesh = MakeRandomOctahedron(&random);
    EXPECT_TRUE(test::IsBall(mesh));
    EXPECT_GT(test::CalcEnclosedVolume(mesh), 0) << "normals point inwards";
    Vector3d sum = Vector3d::Zero();
    for (int t = 0; t < 8; ++t) sum += mesh.area(t) * mesh.face_normal(t);
    EXPECT_TRUE(Near(sum, Vector3d::Zero(), 1e-15 * 8));
  }
}

TEST(TriangleSurfaceMesh, BarycentricCoordinatesInvertPositions) {
  RandomPose random;
  const Triangles mesh = MakeRandomOctahedron(&random);
  for (int t = 0; t < 8; ++t) {
    Vector3d b = random.Vector3();
    b[0] = 1 - b[1] - b[2];
    const Vector3d p = mesh.CalcCartesianFromBarycentric(t, b);
    // A point off the plane is projected onto it.
    const Vector3d q = p + 0.7 * mesh.face_normal(t);
    EXPECT_TRUE(Near(mesh.CalcBarycentric(p, t), b, 1e-14));
    EXPECT_TRUE(Near(mesh.CalcBarycentric(q, t), b, 1e-14));
    EXPECT_NEAR(mesh.CalcBarycentric(q, t).sum(), 1, 1e-15);
  }
}

TEST(TriangleSurfaceMesh, GradientOfALinearFieldIsItsPartInThePlane) {
  RandomPose random;
  const Triangles mesh = MakeRandomOctahedron(&random);
  const Vector3d g = random.Vector3(5);
  for (int t = 0; t < 8; ++t) {
    std::array<double, 3> values{};
    for (int i = 0; i < 3; ++i) {
      values[i] = 3 + g.dot(mesh.vertex(mesh.element(t).vertex(i)));
    }
    const Vector3d n = mesh.face_normal(t);
    EXPECT_TRUE(Near(mesh.CalcGradientVectorOfLinearField(values, t),
                     g - g.dot(n) * n, 1e-13));
  }
}

TEST(TriangleSurfaceMesh, MovesAndTurnsOver) {
  RandomPose random;
  const Triangles before = MakeRandomOctahedron(&random);
  const math::RigidTransform<double> X = random.Pose();
  Triangles after = before;
  EXPECT_TRUE(after.Equal(before));
  after.TransformVertices(X);
  after.ReverseFaceWinding();
  EXPECT_FALSE(after.Equal(before));
  // Cached measures equal those of a new mesh.
  const Triangles fresh(after.triangles(), after.vertices());
  EXPECT_TRUE(Near(after.centroid(), X * before.centroid(), 1e-15));
  EXPECT_TRUE(Near(after.centroid(), fresh.centroid(), 1e-15));
  for (int t = 0; t < 8; ++t) {
    EXPECT_NEAR(after.area(t), fresh.area(t), 1e-15);
    EXPECT_TRUE(Near(after.face_normal(t), fresh.face_normal(t), 1e-15));
    EXPECT_TRUE(Near(after.face_normal(t),
                     -(X.rotation() * before.face_normal(t)), 1e-15));
  }
}

TEST(TriangleSurfaceMesh, TriangleWithoutAreaHasNeitherNormalNorGradient) {
  const Triangles mesh({{0, 1, 2}, {0, 1, 3}},
                       {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {0, 1, 0}});
  EXPECT_EQ(mesh.area(0), 0);
  EXPECT_TRUE(Near(mesh.face_normal(0), Vector3d::Zero()));
  EXPECT_THROWS_MESSAGE(mesh.CalcBarycentric(Vector3d(Vector3d::Zero()), 0),
                        std::runtime_error, "triangle 0 has no area");
  const std::array<double, 3> values{1, 2, 3};
  EXPECT_THROWS_MESSAGE(mesh.CalcGradientVectorOfLinearField(values, 0),
                        std::runtime_error, "triangle 0 has no area");
  EXPECT_FALSE(mesh.MaybeCalcGradientVectorOfLinearField(values, 0));
  EXPECT_TRUE(mesh.MaybeCalcGradientVectorOfLinearField(values, 1));
}

TEST(TriangleSurfaceMesh, BadTrianglesAndPositionsAreRefused) {
  const std::vector<Vector3d> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_THROWS_MESSAGE(Triangles({}, points), std::logic_error,
                        "3 vertices and no triangles");
  EXPECT_THROWS_MESSAGE(Triangles({{0, 1, 2}, {0, 1, 3}}, points),
                        std::logic_error,
                        "element 1 has vertex 3; there are 3");
  EXPECT_THROWS_MESSAGE(Triangles({{0, -1, 2}}, points), std::logic_error,
                        "element 0 has vertex -1");
  EXPECT_THROWS_MESSAGE(Triangles({{0, 1, 1}}, points), std::logic_error,
                        "element 0 has vertex 1 twice");
  for (const double bad : {std::nan(""), HUGE_VAL, 1e200}) {
    std::vector<Vector3d> moved = points;
    moved[2][1] = bad;
    EXPECT_THROWS_MESSAGE(Triangles({{0, 1, 2}}, moved), std::logic_error,
                          "vertex 2 is at (0, ");
    Triangles mesh({{0, 1, 2}}, points);
    EXPECT_THROWS_MESSAGE(
        mesh.TransformVertices(math::RigidTransform<double>(moved[2])),
        std::logic_error, "vertex 0 is at (0, ");
    EXPECT_TRUE(Near(mesh.vertex(2), points[2])) << "a refused motion is none";
  }
}

TEST(TriangleSurfaceMesh, BadIndicesAreOutOfRange) {
  RandomPose random;
  const Triangles mesh = MakeRandomOctahedron(&random);
  EXPECT_THROWS_MESSAGE(mesh.area(8), std::out_of_range,
                        "triangle 8 was asked for; there are 8");
  EXPECT_THROW(mesh.face_normal(-1), std::out_of_range);
  EXPECT_THROW(mesh.vertex(6), std::out_of_range);
  EXPECT_THROW(mesh.element_centroid(8), std::out_of_range);
  EXPECT_THROW(mesh.element(0).vertex(3), std::out_of_range);
}

TEST(TriangleSurfaceMesh, DerivativesOfAreaMatchDifferences) {
  // The height of a triangle on a base of 2 m: dA/dh = 1.
  const AutoDiffXd h(3.0, 1, 0);
  const TriangleSurfaceMesh<AutoDiffXd> mesh(
      {{0, 1, 2}, {0, 1, 3}}, {{0, 0, 0}, {2, 0, 0}, {0, h, 0}, {1, 0, 0}});
  EXPECT_DOUBLE_EQ(mesh.area(0).value(), 3);
  EXPECT_DOUBLE_EQ(mesh.area(0).derivatives()[0], 1);
  EXPECT_DOUBLE_EQ(mesh.total_area().derivatives()[0], 1);
  EXPECT_EQ(mesh.area(1).value(), 0) << "the root of 0 has no derivative";
  // b_2 = y / h.
  const Vector3<AutoDiffXd> b = mesh.CalcBarycentric(Vector3d(0, 1.5, 0), 0);
  EXPECT_DOUBLE_EQ(b[2].value(), 0.5);
  EXPECT_DOUBLE_EQ(b[2].derivatives()[0], -1.5 / 9);
}

}  // namespace
}  // namespace wyvern::geometry
