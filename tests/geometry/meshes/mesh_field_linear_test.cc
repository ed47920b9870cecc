#include "wyvern/geometry/meshes/mesh_field_linear.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/geometry/meshes/test_meshes.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::geometry {
namespace {

using Eigen::Vector3d;
using test::MakeRandomBall;
using test::MakeRandomOctahedron;
using wyvern::test::Near;
using wyvern::test::RandomPose;
template <class Mesh>
using Field = MeshFieldLinear<double, Mesh>;
using Triangles = TriangleSurfaceMesh<double>;
using Polygons = PolygonSurfaceMesh<double>;

// A linear function of position, and its values at the vertices of a mesh.
struct Linear {
  double operator()(const Vector3d& p) const { return c + g.dot(p); }
  template <class Mesh>
  std::vector<double> At(const Mesh& mesh) const {
    std::vector<double> values;
    for (const Vector3d& p : mesh.vertices()) values.push_back((*this)(p));
    return values;
  }
  double c;
  Vector3d g;
};

// A pentagon, whose vertices 0, 1 and 2 are on a line, and a triangle on it.
Polygons MakePentagon(const math::RigidTransform<double>& X) {
  std::vector<Vector3d> points = {{0, 0, 0}, {1, 0, 0},   {2, 0, 0},
                                  {2, 1, 0}, {0, 1.5, 0}, {1, 0, 2}};
  for (Vector3d& p : points) p = X * p;
  return {{5, 0, 1, 2, 3, 4, 3, 0, 2, 5}, points};
}

TEST(MeshFieldLinear, VolumeReproducesALinearFunctionExactly) {
  RandomPose random;
  const VolumeMesh<double> mesh = MakeRandomBall(&random);
  const Linear f{3, random.Vector3(5)};
  const Field<VolumeMesh<double>> field(f.At(mesh), &mesh);
  for (int e = 0; e < mesh.num_elements(); ++e) {
    const Vector3d p = random.Vector3();
    EXPECT_TRUE(Near(field.EvaluateGradient(e), f.g, 1e-13));
    EXPECT_NEAR(field.EvaluateCartesian(e, p), f(p), 1e-13);
    EXPECT_NEAR(field.Evaluate(e, mesh.CalcBarycentric(p, e)), f(p), 1e-13);
    EXPECT_NEAR(field.EvaluateAtMo(e), 3, 1e-13);
  }
  EXPECT_EQ(field.EvaluateAtVertex(2), f(mesh.vertex(2)));
}

TEST(MeshFieldLinear, SurfacesReproduceItInTheirPlanes) {
  RandomPose random;
  const Triangles triangles = MakeRandomOctahedron(&random);
  const Polygons polygons = MakePentagon(random.Pose());
  const Linear f{3, random.Vector3(5)};
  const auto check = [&f, &random](const auto& mesh, const auto& field) {
    for (int e = 0; e < mesh.num_elements(); ++e) {
      const Vector3d n = mesh.face_normal(e);
      const Vector3d p = mesh.element_centroid(e) + random.Vector3().cross(n);
      EXPECT_TRUE(Near(field.EvaluateGradient(e), f.g - f.g.dot(n) * n, 1e-13));
      EXPECT_NEAR(field.EvaluateCartesian(e, p), f(p), 1e-13);
      EXPECT_NEAR(field.EvaluateCartesian(e, Vector3d(p + n)), f(p), 1e-13);
    }
  };
  check(triangles, Field<Triangles>(f.At(triangles), &triangles));
  check(polygons, Field<Polygons>(f.At(polygons), &polygons));
}

TEST(MeshFieldLinear, ConstantHasNoGradientAtAll) {
  RandomPose random;
  const VolumeMesh<double> mesh = MakeRandomBall(&random);
  const Polygons polygons = MakePentagon(random.Pose());
  const Field<VolumeMesh<double>> a(Linear{0.1, {0, 0, 0}}.At(mesh), &mesh);
  const Field<Polygons> b(Linear{0.1, {0, 0, 0}}.At(polygons), &polygons);
  EXPECT_TRUE(Near(a.EvaluateGradient(3), Vector3d::Zero()));
  EXPECT_TRUE(Near(b.EvaluateGradient(0), Vector3d::Zero()));
}

TEST(MeshFieldLinear, MovesWithItsMesh) {
  RandomPose random;
  const Triangles before = MakeRandomOctahedron(&random);
  const Linear f{3, random.Vector3(5)};
  const Field<Triangles> field(f.At(before), &before);
  const math::RigidTransform<double> X = random.Pose();
  Triangles after = before;
  after.TransformVertices(X);
  const auto moved = field.CloneAndSetMesh(&after);
  moved->Transform(X);
  EXPECT_EQ(&moved->mesh(), &after);
  EXPECT_FALSE(moved->Equal(field));
  for (int e = 0; e < 8; ++e) {
    const Vector3d p = random.Vector3();
    EXPECT_NEAR(moved->EvaluateCartesian(e, Vector3d(X * p)),
                field.EvaluateCartesian(e, p), 1e-13);
  }
  EXPECT_TRUE(field.CloneAndSetMesh(&before)->Equal(field));
}

TEST(MeshFieldLinear, FarFromTheOriginNoDigitsAreLost) {
  const Vector3d far(1e9, 0, 0);
  const VolumeMesh<double> mesh(
      {{0, 1, 2, 3}}, {far, far + Vector3d::UnitX(), far + Vector3d::UnitY(),
                       far + Vector3d::UnitZ()});
  const Field<VolumeMesh<double>> field({0, 1.1, 0.3, 0.7}, &mesh);
  EXPECT_DOUBLE_EQ(field.EvaluateCartesian(0, Vector3d(1e9 + 0.5, 0, 0)), 0.55);
}

TEST(MeshFieldLinear, FlatElementThrowsOrMarksTheField) {
  const Triangles mesh({{0, 1, 2}, {0, 1, 3}},
                       {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}});
  const std::vector<double> values = {1, 2, 3, 4};
  EXPECT_THROWS_MESSAGE(Field<Triangles>(values, &mesh), std::runtime_error,
                        "element 1 is too flat to have a gradient");
  const Field<Triangles> marked(values, &mesh,
                                MeshGradientMode::kOkOrMarkDegenerate);
  EXPECT_TRUE(marked.is_gradient_field_degenerate());
  EXPECT_THROWS_MESSAGE(marked.EvaluateGradient(0), std::runtime_error,
                        "too flat to have one");
  // A triangle with an area still has values.
  EXPECT_DOUBLE_EQ(marked.EvaluateCartesian(0, Vector3d(0.5, 0.25, 0)), 2);
  EXPECT_THROWS_MESSAGE(marked.EvaluateCartesian(1, Vector3d(0.5, 0.25, 0)),
                        std::runtime_error, "triangle 1 has no area");
  const Field<Triangles> none(values, &mesh, MeshGradientMode::kNone);
  EXPECT_FALSE(none.is_gradient_field_degenerate());
  EXPECT_THROWS_MESSAGE(none.EvaluateGradient(0), std::runtime_error,
                        "made without gradients");
}

TEST(MeshFieldLinear, BadValuesAreRefused) {
  RandomPose random;
  const Triangles mesh = MakeRandomOctahedron(&random);
  std::vector<double> values(6, 1.0);
  EXPECT_THROWS_MESSAGE(Field<Triangles>(values, nullptr), std::logic_error,
                        "the mesh is null");
  EXPECT_THROWS_MESSAGE(Field<Triangles>({1, 2}, &mesh), std::logic_error,
                        "2 values were given for 6 vertices");
  EXPECT_THROWS_MESSAGE(
      Field<Triangles>(values, &mesh, std::vector<Vector3d>(2)),
      std::logic_error, "2 gradients were given for 8 elements");
  values[4] = std::nan("");
  EXPECT_THROWS_MESSAGE(Field<Triangles>(values, &mesh), std::logic_error,
                        "the value at vertex 4 is nan");
  const Field<Triangles> good(std::vector<double>(6, 1.0), &mesh);
  EXPECT_THROWS_MESSAGE(good.CloneAndSetMesh(nullptr), std::logic_error,
                        "the new mesh is null");
  EXPECT_THROW(good.EvaluateAtVertex(6), std::out_of_range);
  EXPECT_THROW(good.EvaluateGradient(8), std::out_of_range);
}

TEST(MeshFieldLinear, DerivativesGoThroughValuesAndPositions) {
  // On a polygon of AutoDiffXd, stretched by s: f = x / s, of gradient 1 / s.
  const AutoDiffXd s(2.0, 1, 0);
  const PolygonSurfaceMesh<AutoDiffXd> mesh(
      {4, 0, 1, 2, 3}, {{0, 0, 0}, {s, 0, 0}, {s, 1, 0}, {0, 1, 0}});
  const MeshFieldLinear<AutoDiffXd, PolygonSurfaceMesh<AutoDiffXd>> field(
      {0, 1, 1, 0}, &mesh);
  const AutoDiffXd slope = field.EvaluateGradient(0)[0];
  EXPECT_DOUBLE_EQ(slope.value(), 0.5);
  EXPECT_DOUBLE_EQ(slope.derivatives()[0], -0.25);
}

}  // namespace
}  // namespace wyvern::geometry
