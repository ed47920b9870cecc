#include "wyvern/geometry/meshes/pressure_field.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/geometry/meshes/test_meshes.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/meshes/refine_volume_mesh.h"
#include "wyvern/geometry/meshes/shape_meshes.h"
#include "wyvern/geometry/meshes/volume_to_surface_mesh.h"

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;
using Tetrahedra = VolumeMesh<double>;
constexpr double kModulus = 1e7;

// Zero at the vertices of the surface, the modulus at all others.
void ExpectZeroOutsideModulusInside(const PressureField& field) {
  std::vector<bool> is_on_surface(field.mesh().num_vertices(), false);
  for (const auto& face : FindBoundaryFaces(field.mesh().tetrahedra())) {
    for (const int v : face) is_on_surface[v] = true;
  }
  for (int v = 0; v < field.mesh().num_vertices(); ++v) {
    EXPECT_EQ(field.EvaluateAtVertex(v), is_on_surface[v] ? 0 : kModulus) << v;
  }
}

std::vector<std::array<int, 3>> SortedFaces(const Tetrahedra& mesh) {
  auto faces = FindBoundaryFaces(mesh.tetrahedra());
  for (auto& face : faces) {
    std::rotate(face.begin(), std::ranges::min_element(face), face.end());
  }
  std::ranges::sort(faces);
  return faces;
}

// Everywhere in the elements, at random.
void ExpectPressure(const PressureField& field,
                    const std::function<double(const Vector3d&)>& exact) {
  wyvern::test::RandomPose random;
  const Tetrahedra& mesh = field.mesh();
  for (int e = 0; e < mesh.num_elements(); ++e) {
    for (int k = 0; k < 5; ++k) {
      Vector4<double> b;
      for (double& x : b) x = random.Scalar(0, 1);
      b /= b.sum();
      Vector3d p = Vector3d::Zero();
      for (int i = 0; i < 4; ++i)
        p += b[i] * mesh.vertex(mesh.element(e).vertex(i));
      EXPECT_NEAR(field.EvaluateCartesian(e, p), exact(p), 1e-12 * kModulus);
    }
  }
}

TEST(PressureField, OfABoxIsExactEverywhere) {
  for (const Vector3d& size : {Vector3d(2, 2, 2),
                               {2, 2, 3},
                               {3, 2, 2},
                               {1, 2, 3},
                               {3, 2, 1},
                               {2, 1, 2}}) {
    const Box box(size);
    const Tetrahedra mesh = MakeBoxVolumeMeshWithMa(box);
    const PressureField field = MakeBoxPressureField(box, &mesh, kModulus);
    ExpectZeroOutsideModulusInside(field);
    ExpectPressure(field, [&size](const Vector3d& p) {
      return kModulus * (size / 2 - p.cwiseAbs()).minCoeff() * 2 /
             size.minCoeff();
    });
  }
}

TEST(PressureField, OfACylinderIsExactInItsPrism) {
  constexpr int n = 9;
  for (const auto& [radius, length] :
       {std::pair(0.5, 3.0), {2.0, 1.0}, {1.0, 2.0}}) {
    const Cylinder cylinder(radius, length);
    const Tetrahedra mesh = MakeCylinderVolumeMeshWithMa(
        cylinder, 2 * std::numbers::pi * radius / (n - 0.5));
    const PressureField field =
        MakeCylinderPressureField(cylinder, &mesh, kModulus);
    ExpectZeroOutsideModulusInside(field);
    // A point is as deep as its polygon's ring, which has its vertices on a
    // circle: depth below a side, over the cosine of half a sector.
    const double half = std::numbers::pi / n;
    ExpectPressure(field, [&, r = radius, h = length / 2](const Vector3d& p) {
      double ring = 0;
      for (int k = 0; k < n; ++k) {
        const double angle = (2 * k + 1) * half;
        ring =
            std::max(ring, (p[0] * std::cos(angle) + p[1] * std::sin(angle)) /
                               std::cos(half));
      }
      return kModulus * std::min(r - ring, h - std::abs(p[2])) / std::min(r, h);
    });
  }
}

TEST(PressureField, OfRoundShapesIsZeroOutsideAndTheModulusInside) {
  const Tetrahedra ball = MakeSphereVolumeMesh(Sphere(0.1), 0.02);
  ExpectZeroOutsideModulusInside(
      MakeSpherePressureField(Sphere(0.1), &ball, kModulus));
  const Ellipsoid ellipsoid(0.1, 0.2, 0.7);
  const Tetrahedra egg = MakeEllipsoidVolumeMesh(ellipsoid, 0.1);
  ExpectZeroOutsideModulusInside(
      MakeEllipsoidPressureField(ellipsoid, &egg, kModulus));
  const Capsule capsule(0.1, 0.3);
  const Tetrahedra pill = MakeCapsuleVolumeMesh(capsule, 0.03);
  ExpectZeroOutsideModulusInside(
      MakeCapsulePressureField(capsule, &pill, kModulus));
}

TEST(PressureField, OfASphereConvergesWithTheSquareOfTheHint) {
  const Sphere sphere(1);
  const auto worst = [&sphere](double hint) {
    const Tetrahedra mesh = MakeSphereVolumeMesh(sphere, hint);
    const PressureField field = MakeSpherePressureField(sphere, &mesh, 1);
    double result = 0;
    for (int e = 0; e < mesh.num_elements(); ++e) {
      // In the middle of the face outside, where it should be 0.5 r deep.
      Vector3d p = Vector3d::Zero();
      for (int i = 0; i < 3; ++i)
        p += mesh.vertex(mesh.element(e).vertex(i)) / 6;
      result = std::max(
          result, std::abs(field.EvaluateCartesian(e, p) - (1 - p.norm())));
    }
    return result;
  };
  // Hints that divide the sphere's arcs in ten and in twenty.
  const double hint = (1 + 1e-9) * 4 / std::numbers::sqrt3 / 10;
  EXPECT_NEAR(std::log2(worst(hint) / worst(hint / 2)), 2, 0.05);
}

TEST(PressureField, OfABoxAsAMeshIsThatOfTheBox) {
  const Box box(1, 2, 3);
  const Tetrahedra mesh = MakeBoxVolumeMeshWithMa(box);
  const PressureField a = MakeBoxPressureField(box, &mesh, kModulus);
  const PressureField b = MakeVolumeMeshPressureField(&mesh, kModulus);
  for (int v = 0; v < mesh.num_vertices(); ++v) {
    EXPECT_NEAR(a.EvaluateAtVertex(v), b.EvaluateAtVertex(v), 1e-9);
  }
  // In the grid, by the distance from the nearest face.
  const Tetrahedra grid = MakeBoxVolumeMesh(box, 0.25);
  const PressureField c = MakeVolumeMeshPressureField(&grid, kModulus);
  for (int v = 0; v < grid.num_vertices(); ++v) {
    const double depth =
        (box.size() / 2 - grid.vertex(v).cwiseAbs()).minCoeff();
    EXPECT_NEAR(c.EvaluateAtVertex(v), kModulus * depth / 0.5, 1e-8);
  }
}

TEST(PressureField, AVertexThatNoElementUsesHasNoSay) {
  const Tetrahedra mesh = MakeBoxVolumeMesh(Box(1, 2, 3), 0.25);
  const PressureField field = MakeVolumeMeshPressureField(&mesh, kModulus);
  // Points far away, and inside.
  for (const Vector3d& stray : {Vector3d(100, 0, 0), Vector3d(0.01, 0, 0)}) {
    std::vector<Vector3d> vertices = mesh.vertices();
    vertices.push_back(stray);
    const Tetrahedra more(mesh.tetrahedra(), vertices);
    const PressureField same = MakeVolumeMeshPressureField(&more, kModulus);
    for (int v = 0; v < mesh.num_vertices(); ++v) {
      EXPECT_EQ(same.EvaluateAtVertex(v), field.EvaluateAtVertex(v));
    }
    EXPECT_EQ(same.EvaluateAtVertex(mesh.num_vertices()), 0);
  }
  // A point inside makes no pressure if all others are on the surface.
  const Tetrahedra lump = MakeBoxVolumeMesh(Box(1, 2, 3), HUGE_VAL);
  std::vector<Vector3d> vertices = lump.vertices();
  vertices.push_back(Vector3d(0.01, 0, 0));
  const Tetrahedra more(lump.tetrahedra(), vertices);
  EXPECT_THROWS_MESSAGE(MakeVolumeMeshPressureField(&more, 1), std::logic_error,
                        "pass it through RefineVolumeMesh()");
}

TEST(PressureField, BadModulusOrMeshIsRefused) {
  const Box box(1, 2, 3);
  const Tetrahedra mesh = MakeBoxVolumeMeshWithMa(box);
  for (const double bad : {0.0, -1.0, HUGE_VAL, std::nan("")}) {
    EXPECT_THROWS_MESSAGE(MakeBoxPressureField(box, &mesh, bad),
                          std::logic_error,
                          "the hydroelastic modulus [Pa] is ");
  }
  EXPECT_THROWS_MESSAGE(MakeBoxPressureField(box, nullptr, 1), std::logic_error,
                        "the mesh is null");
  EXPECT_THROWS_MESSAGE(MakeVolumeMeshPressureField(nullptr, 1),
                        std::logic_error, "the mesh is null");
  EXPECT_THROWS_MESSAGE(MakeBoxPressureField(Box(1, 1, 1), &mesh, 1),
                        std::logic_error, "outside of it");
  const Tetrahedra lump = MakeBoxVolumeMesh(box, HUGE_VAL);
  EXPECT_THROWS_MESSAGE(MakeVolumeMeshPressureField(&lump, 1), std::logic_error,
                        "pass it through RefineVolumeMesh()");
}

TEST(RefineVolumeMesh, LetsThePressureRiseInEveryElement) {
  const Tetrahedra lump = MakeBoxVolumeMesh(Box(1, 2, 3), HUGE_VAL);
  const Tetrahedra corner({{0, 1, 2, 3}},
                          {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}});
  // Two tetrahedra whose common face has all its vertices on the surface.
  const Tetrahedra two(
      {{0, 1, 2, 3}, {0, 2, 1, 4}},
      {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {0, 0, -1}});
  for (const Tetrahedra& mesh :
       {lump, corner, two, MakeBoxVolumeMesh(Box(1, 2, 3), 1)}) {
    const Tetrahedra fine = RefineVolumeMesh(mesh);
    EXPECT_GT(fine.num_elements(), mesh.num_elements());
    EXPECT_NEAR(fine.CalcVolume(), mesh.CalcVolume(), 1e-14);
    // Nothing is new on the surface; its faces may come in another order.
    EXPECT_EQ(SortedFaces(fine), SortedFaces(mesh));
    EXPECT_TRUE(geometry::test::IsBall(ConvertVolumeToSurfaceMesh(fine)));
    EXPECT_NEAR(ConvertVolumeToSurfaceMesh(fine).total_area(),
                ConvertVolumeToSurfaceMesh(mesh).total_area(), 1e-14);
    const PressureField field = MakeVolumeMeshPressureField(&fine, kModulus);
    for (int e = 0; e < fine.num_elements(); ++e) {
      EXPECT_GT(field.EvaluateGradient(e).norm(), 0) << e;
    }
    // Once is enough.
    EXPECT_TRUE(RefineVolumeMesh(fine).Equal(fine));
  }
  EXPECT_EQ(RefineVolumeMesh(corner).num_elements(), 4);
  EXPECT_EQ(RefineVolumeMesh(two).num_elements(), 6);
}

TEST(ConvertVolumeToSurfaceMesh, FaceOfThreeElementsIsNamed) {
  const Tetrahedra mesh(
      {{0, 1, 2, 3}, {0, 1, 2, 4}, {0, 2, 1, 5}},
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {0, 0, -1}});
  EXPECT_THROWS_MESSAGE(ConvertVolumeToSurfaceMesh(mesh), std::runtime_error,
                        "3 elements have the face of the vertices 0, 1 and 2");
  EXPECT_THROW(RefineVolumeMesh(mesh), std::runtime_error);
}

}  // namespace
}  // namespace wyvern::geometry::internal
