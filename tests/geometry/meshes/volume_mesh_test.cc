#include "wyvern/geometry/meshes/volume_mesh.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/geometry/meshes/test_meshes.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::geometry {
namespace {

using Eigen::Vector3d;
using Tetrahedra = VolumeMesh<double>;
using test::MakeRandomBall;
using wyvern::test::Near;
using wyvern::test::RandomPose;

TEST(VolumeMesh, MeasuresTheCornerOfACube) {
  const Tetrahedra mesh({{0, 1, 2, 3}},
                        {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}});
  EXPECT_EQ(mesh.num_elements(), 1);
  EXPECT_EQ(mesh.num_vertices(), 4);
  EXPECT_DOUBLE_EQ(mesh.CalcTetrahedronVolume(0), 8.0 / 6);
  EXPECT_DOUBLE_EQ(mesh.CalcVolume(), 8.0 / 6);
  const double s = 1 / std::sqrt(3.0);
  EXPECT_TRUE(Near(mesh.inward_normal(0, 0), Vector3d(-s, -s, -s), 1e-16 * 2));
  EXPECT_TRUE(Near(mesh.inward_normal(0, 1), Vector3d::UnitX()));
  EXPECT_TRUE(Near(mesh.inward_normal(0, 3), Vector3d::UnitZ()));
  EXPECT_TRUE(Near(mesh.edge_vector(0, 1, 3), Vector3d(-2, 0, 2)));
  EXPECT_TRUE(Near(mesh.CalcBarycentric(Vector3d(0.5, 0.2, 0.3), 0),
                   Vector4<double>(0.5, 0.25, 0.1, 0.15), 1e-16));
}

TEST(VolumeMesh, BarycentricCoordinatesAndGradientsReproduceLinearFields) {
  RandomPose random;
  for (int k = 0; k < 20; ++k) {
    const Tetrahedra mesh = MakeRandomBall(&random);
    const Vector3d g = random.Vector3(5);
    for (int e = 0; e < mesh.num_elements(); ++e) {
      const Vector3d p = random.Vector3();
      const Vector4<double> b = mesh.CalcBarycentric(p, e);
      EXPECT_NEAR(b.sum(), 1, 1e-14);
      Vector3d sum = Vector3d::Zero();
      std::array<double, 4> values{};
      for (int i = 0; i < 4; ++i) {
        const Vector3d& v = mesh.vertex(mesh.element(e).vertex(i));
        sum += b[i] * v;
        values[i] = 3 + g.dot(v);
      }
      EXPECT_TRUE(Near(sum, p, 1e-13));
      EXPECT_TRUE(
          Near(mesh.CalcGradientVectorOfLinearField(values, e), g, 1e-12));
    }
  }
}

TEST(VolumeMesh, InwardNormalsAreAcrossTheirFacesAndTowardsTheVertex) {
  RandomPose random;
  const Tetrahedra mesh = MakeRandomBall(&random);
  for (int e = 0; e < mesh.num_elements(); ++e) {
    for (int f = 0; f < 4; ++f) {
      const Vector3d n = mesh.inward_normal(e, f);
      const int a = (f + 1) % 4, b = (f + 2) % 4, c = (f + 3) % 4;
      EXPECT_NEAR(n.norm(), 1, 1e-15);
      EXPECT_NEAR(n.dot(mesh.edge_vector(e, a, b)), 0, 1e-15);
      EXPECT_NEAR(n.dot(mesh.edge_vector(e, a, c)), 0, 1e-15);
      EXPECT_GT(n.dot(mesh.edge_vector(e, a, f)), 0);
    }
  }
}

TEST(VolumeMesh, MovesWithItsVolumeAndGradients) {
  RandomPose random;
  const Tetrahedra before = MakeRandomBall(&random);
  const math::RigidTransform<double> X = random.Pose();
  Tetrahedra after = before;
  after.TransformVertices(X);
  EXPECT_FALSE(after.Equal(before, 1e-3));
  EXPECT_NEAR(after.CalcVolume(), before.CalcVolume(), 1e-14);
  EXPECT_TRUE(Near(after.inward_normal(2, 0),
                   X.rotation() * before.inward_normal(2, 0), 1e-15));
  const Vector3d p = random.Vector3();
  EXPECT_TRUE(Near(after.CalcBarycentric(Vector3d(X * p), 3),
                   before.CalcBarycentric(p, 3), 1e-14));
  after.TransformVertices(X.inverse());
  EXPECT_TRUE(after.Equal(before, 1e-14));
  EXPECT_FALSE(after.Equal(before, -1));
}

TEST(VolumeMesh, FlatOrInvertedElementsAreRefusedByNumber) {
  const std::vector<Vector3d> points = {
      {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}};
  EXPECT_THROWS_MESSAGE(Tetrahedra({{0, 1, 2, 3}, {1, 0, 2, 3}}, points),
                        std::logic_error,
                        "element 1 of the vertices 1, 0, 2, 3 has a volume of "
                        "-0.16");
  EXPECT_THROWS_MESSAGE(Tetrahedra({{0, 1, 2, 4}}, points), std::logic_error,
                        "has a volume of 0 m³; it must be positive, and");
  std::vector<Vector3d> sliver = points;
  sliver[3] = Vector3d(0.3, 0.3, 1e-17);
  EXPECT_THROWS_MESSAGE(Tetrahedra({{0, 1, 2, 3}}, sliver), std::logic_error,
                        "it must be positive");
  // Small is not flat.
  std::vector<Vector3d> small = points;
  for (Vector3d& p : small) p *= 1e-12;
  EXPECT_GT(Tetrahedra({{0, 1, 2, 3}}, small).CalcVolume(), 0);
}

TEST(VolumeMesh, BadElementsAndPositionsAreRefused) {
  const std::vector<Vector3d> points = {
      {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_THROWS_MESSAGE(Tetrahedra({}, points), std::logic_error,
                        "4 vertices and no elements");
  EXPECT_THROWS_MESSAGE(Tetrahedra({{0, 1, 2, 4}}, points), std::logic_error,
                        "element 0 has vertex 4; there are 4");
  EXPECT_THROWS_MESSAGE(Tetrahedra({{0, 1, 2, 2}}, points), std::logic_error,
                        "element 0 has vertex 2 twice");
  std::vector<Vector3d> bad = points;
  bad[1][0] = std::nan("");
  EXPECT_THROWS_MESSAGE(Tetrahedra({{0, 1, 2, 3}}, bad), std::logic_error,
                        "vertex 1 is at (nan, 0, 0)");
  const Tetrahedra mesh({{0, 1, 2, 3}}, points);
  EXPECT_THROWS_MESSAGE(mesh.element(1), std::out_of_range,
                        "element 1 was asked for; there are 1");
  EXPECT_THROW(mesh.inward_normal(0, 4), std::out_of_range);
  EXPECT_THROW(mesh.edge_vector(0, 0, -1), std::out_of_range);
  EXPECT_THROW(mesh.CalcBarycentric(points[0], 7), std::out_of_range);
}

TEST(VolumeMesh, CoordinatesOfAMovingPointCarryItsDerivatives) {
  // A mesh of double met by a point of AutoDiffXd.
  const Tetrahedra mesh({{0, 1, 2, 3}},
                        {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}});
  const Vector3<AutoDiffXd> p(AutoDiffXd(0.5, 1, 0), 0.2, 0.3);
  const Vector4<AutoDiffXd> b = mesh.CalcBarycentric(p, 0);
  EXPECT_DOUBLE_EQ(b[1].value(), 0.25);
  EXPECT_DOUBLE_EQ(b[1].derivatives()[0], 0.5);
  EXPECT_DOUBLE_EQ(b[0].derivatives()[0], -0.5);
}

}  // namespace
}  // namespace wyvern::geometry
