#include "wyvern/geometry/meshes/shape_meshes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/geometry/meshes/test_meshes.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/meshes/volume_to_surface_mesh.h"

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;
using geometry::test::CalcEnclosedVolume;
using geometry::test::IsBall;
using std::numbers::pi;
using wyvern::test::Near;
using Triangles = TriangleSurfaceMesh<double>;
using Tetrahedra = VolumeMesh<double>;

double LongestEdge(const Triangles& mesh) {
  double result = 0;
  for (const SurfaceTriangle& t : mesh.triangles()) {
    for (int i = 0; i < 3; ++i) {
      result = std::max(result, (mesh.vertex(t.vertex(i)) -
                                 mesh.vertex(t.vertex((i + 1) % 3)))
                                    .norm());
    }
  }
  return result;
}

// A volume whose surface is closed, outward, and has that volume inside.
void ExpectSound(const Tetrahedra& mesh) {
  const Triangles surface = ConvertVolumeToSurfaceMesh(mesh);
  EXPECT_TRUE(IsBall(surface));
  const double volume = mesh.CalcVolume();
  EXPECT_NEAR(CalcEnclosedVolume(surface), volume, 1e-13 * volume);
}

// The error of a measure at hints that halve falls by four.
template <typename Measure>
void ExpectSecondOrder(const Measure& measure, double exact, double hint) {
  const double coarse = exact - measure(hint);
  const double fine = exact - measure(hint / 2);
  EXPECT_GT(fine, 0) << "an inscribed body is smaller";
  EXPECT_LT(fine, 0.01 * exact);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.02);
}

TEST(ShapeMeshes, BoxSurfaceIsAGridOfItsHint) {
  const Box box(1, 2, 3);
  const Triangles coarse = MakeBoxSurfaceMesh(box, HUGE_VAL);
  EXPECT_EQ(coarse.num_triangles(), 12);
  EXPECT_EQ(coarse.num_vertices(), 8);
  const Triangles mesh = MakeBoxSurfaceMesh(box, 0.5);
  EXPECT_EQ(mesh.num_triangles(), 4 * (2 * 4 + 4 * 6 + 6 * 2));
  for (const Triangles& m : {coarse, mesh}) {
    EXPECT_TRUE(IsBall(m));
    EXPECT_NEAR(m.total_area(), 22, 1e-13);
    EXPECT_NEAR(CalcEnclosedVolume(m), 6, 1e-14);
    EXPECT_TRUE(Near(m.CalcBoundingBox().second, box.size()));
  }
  EXPECT_DOUBLE_EQ(LongestEdge(mesh), 0.5 * std::sqrt(2.0));
}

TEST(ShapeMeshes, BoxVolumeIsAGridOfItsHint) {
  const Tetrahedra mesh = MakeBoxVolumeMesh(Box(1, 2, 3), 0.5);
  EXPECT_EQ(mesh.num_elements(), 6 * 2 * 4 * 6);
  // 288 terms, each rounded to the sum's last digit.
  EXPECT_NEAR(mesh.CalcVolume(), 6, 288 * 4.4e-16);
  ExpectSound(mesh);
}

TEST(ShapeMeshes, BoxConformsToARectangleASegmentOrAPoint) {
  const auto expect = [](const Box& box, int vertices, int elements) {
    const Tetrahedra mesh = MakeBoxVolumeMeshWithMa(box);
    EXPECT_EQ(mesh.num_vertices(), vertices) << box.to_string();
    EXPECT_EQ(mesh.num_elements(), elements) << box.to_string();
    const double volume = box.size().prod();
    EXPECT_NEAR(mesh.CalcVolume(), volume, 1e-15 * 8 * volume);
    ExpectSound(mesh);
  };
  // Corners, the middles of the faces, and the medial axis. From the middle of
  // a face to a point there are four elements, to a segment six, to a rectangle
  // ten.
  expect(Box(2, 2, 2), 8 + 6 + 1, 6 * 4);
  expect(Box(2, 2, 3), 8 + 6 + 2, 4 * 6 + 2 * 4);
  expect(Box(3, 2, 2), 8 + 6 + 2, 4 * 6 + 2 * 4);
  expect(Box(2, 3, 2), 8 + 6 + 2, 4 * 6 + 2 * 4);
  expect(Box(1, 2, 3), 8 + 6 + 4, 2 * 10 + 4 * 6);
  expect(Box(3, 1, 2), 8 + 6 + 4, 2 * 10 + 4 * 6);
  expect(Box(2, 3, 1), 8 + 6 + 4, 2 * 10 + 4 * 6);
  expect(Box(2, 3, 3), 8 + 6 + 4, 2 * 10 + 4 * 6);
  // Nearly a cube is one.
  expect(Box(2, 2, 2 * (1 + 1e-15)), 8 + 6 + 1, 24);
  expect(Box(2, 2, 2 * (1 + 1e-9)), 8 + 6 + 2, 32);
  expect(Box(1e-6, 1e-6, 1e3), 8 + 6 + 2, 32);
}

TEST(ShapeMeshes, SphereIsAnOctahedronOfItsHint) {
  const Triangles coarse = MakeSphereSurfaceMesh(Sphere(2), HUGE_VAL);
  EXPECT_EQ(coarse.num_triangles(), 8);
  EXPECT_EQ(coarse.num_vertices(), 6);
  for (const double hint : {1.5, 0.9, 0.5, 0.2, 0.1}) {
    const Triangles mesh = MakeSphereSurfaceMesh(Sphere(2), hint);
    EXPECT_TRUE(IsBall(mesh));
    EXPECT_LE(LongestEdge(mesh), hint);
    EXPECT_GE(LongestEdge(mesh), 0.5 * hint);
    for (const Vector3d& p : mesh.vertices()) EXPECT_NEAR(p.norm(), 2, 1e-15);
  }
  ExpectSound(MakeSphereVolumeMesh(Sphere(2), 0.7));
}

// One that divides the arcs of a ball in ten, and half of it, in twenty.
double BallHint(double radius) {
  return (1 + 1e-9) * 4 / std::numbers::sqrt3 * radius / 10;
}

TEST(ShapeMeshes, SphereConvergesWithTheSquareOfItsHint) {
  const Sphere sphere(2);
  ExpectSecondOrder(
      [&](double hint) {
        return MakeSphereSurfaceMesh(sphere, hint).total_area();
      },
      16 * pi, BallHint(2));
  ExpectSecondOrder(
      [&](double hint) {
        return MakeSphereVolumeMesh(sphere, hint).CalcVolume();
      },
      32 * pi / 3, BallHint(2));
}

TEST(ShapeMeshes, EllipsoidIsAStretchedSphere) {
  const Ellipsoid ellipsoid(0.5, 1, 2);
  const Triangles mesh = MakeEllipsoidSurfaceMesh(ellipsoid, 0.3);
  EXPECT_TRUE(IsBall(mesh));
  EXPECT_LE(LongestEdge(mesh), 0.3);
  for (const Vector3d& p : mesh.vertices()) {
    EXPECT_NEAR(p.cwiseQuotient(Vector3d(0.5, 1, 2)).norm(), 1, 1e-15);
  }
  ExpectSound(MakeEllipsoidVolumeMesh(ellipsoid, 0.3));
  ExpectSecondOrder(
      [&](double hint) {
        return MakeEllipsoidVolumeMesh(ellipsoid, hint).CalcVolume();
      },
      4 * pi / 3, BallHint(2));
}

TEST(ShapeMeshes, CylinderConformsToASegmentADiscOrAPoint) {
  const auto expect = [](const Cylinder& cylinder, int vertices, int a_side) {
    const int n = 7;
    const double hint = 2 * pi * cylinder.radius() / 6.5;
    const Tetrahedra mesh = MakeCylinderVolumeMeshWithMa(cylinder, hint);
    EXPECT_EQ(mesh.num_vertices(), vertices) << cylinder.to_string();
    EXPECT_EQ(mesh.num_elements(), a_side * n) << cylinder.to_string();
    // A prism on a polygon.
    const double r = cylinder.radius();
    const double volume =
        cylinder.length() * n * r * r / 2 * std::sin(2 * pi / n);
    EXPECT_NEAR(mesh.CalcVolume(), volume, 1e-14 * volume);
    ExpectSound(mesh);
    EXPECT_TRUE(IsBall(MakeCylinderSurfaceMesh(cylinder, hint)));
  };
  // A side of each: outside 3, 3 or 2; on either end 1, 3 or 1.
  expect(Cylinder(0.5, 3), 2 * 7 + 2 + 2, 3 + 2);
  expect(Cylinder(2, 1), 2 * 7 + 2 + 1 + 7, 3 + 6);
  expect(Cylinder(1, 2), 2 * 7 + 2 + 1, 2 + 2);
  expect(Cylinder(1, 2 * (1 + 1e-15)), 2 * 7 + 2 + 1, 2 + 2);
  expect(Cylinder(1, 2 * (1 - 1e-15)), 2 * 7 + 2 + 1, 2 + 2);
}

TEST(ShapeMeshes, CylinderAndCapsuleConvergeWithTheSquareOfTheirHint) {
  // Divides circles in 32, and half of it, in 64.
  const double hint = (1 + 1e-9) * 2 * pi / 32;
  const Cylinder cylinder(1, 3);
  ExpectSecondOrder(
      [&](double h) {
        return MakeCylinderVolumeMeshWithMa(cylinder, h).CalcVolume();
      },
      3 * pi, hint);
  ExpectSecondOrder(
      [&](double h) {
        return MakeCylinderSurfaceMesh(cylinder, h).total_area();
      },
      2 * pi * 3 + 2 * pi, hint);
  const Capsule capsule(1, 3);
  ExpectSecondOrder(
      [&](double h) { return MakeCapsuleVolumeMesh(capsule, h).CalcVolume(); },
      3 * pi + 4 * pi / 3, hint);
  ExpectSecondOrder(
      [&](double h) { return MakeCapsuleSurfaceMesh(capsule, h).total_area(); },
      2 * pi * 3 + 4 * pi, hint);
}

TEST(ShapeMeshes, CapsuleVerticesAreOnItsSurfaceAndItsSegment) {
  const Tetrahedra mesh = MakeCapsuleVolumeMesh(Capsule(0.5, 2), 0.2);
  ExpectSound(mesh);
  for (int v = 2; v < mesh.num_vertices(); ++v) {
    const Vector3d& p = mesh.vertex(v);
    const Vector3d foot(0, 0, std::clamp(p[2], -1.0, 1.0));
    EXPECT_NEAR((p - foot).norm(), 0.5, 1e-15);
  }
  EXPECT_TRUE(Near(mesh.vertex(0), Vector3d(0, 0, -1)));
  EXPECT_TRUE(Near(mesh.vertex(1), Vector3d(0, 0, 1)));
  ExpectSound(MakeCapsuleVolumeMesh(Capsule(0.5, 2), HUGE_VAL));
}

TEST(ShapeMeshes, ConvexIsFilledFromItsCentroid) {
  // A pyramid on the square [0, 2]^2 with a height of 4 m.
  Eigen::Matrix3Xd points(3, 5);
  points << 0, 2, 2, 0, 1, 0, 0, 2, 2, 1, 0, 0, 0, 0, 4;
  const Convex pyramid(points, "pyramid");
  const Tetrahedra mesh = MakeConvexVolumeMesh(pyramid.GetConvexHull());
  EXPECT_EQ(mesh.num_elements(), 6);
  EXPECT_NEAR(mesh.CalcVolume(), 16.0 / 3, 1e-14);
  EXPECT_TRUE(Near(mesh.vertex(5), Vector3d(1, 1, 1), 1e-15));
  ExpectSound(mesh);
  EXPECT_TRUE(IsBall(MakeConvexSurfaceMesh(pyramid.GetConvexHull())));
}

TEST(ShapeMeshes, HintsThatMakeTooManyElementsSaySo) {
  const double tiny = 1e-4;
  const auto expect = [tiny](auto&& make, const auto& shape) {
    EXPECT_THROWS_MESSAGE(make(shape, tiny), std::logic_error,
                          "with a resolution hint of 0.0001 m its mesh would "
                          "have ");
    EXPECT_THROWS_MESSAGE(make(shape, 0), std::logic_error,
                          "the resolution hint is 0 m; it must be positive");
    EXPECT_THROW(make(shape, std::nan("")), std::logic_error);
    EXPECT_THROW(make(shape, 1e-320), std::logic_error);
  };
  expect(MakeBoxSurfaceMesh, Box(1, 1, 1));
  expect(MakeBoxVolumeMesh, Box(1, 1, 1));
  expect(MakeSphereVolumeMesh, Sphere(1));
  expect(MakeEllipsoidVolumeMesh, Ellipsoid(1, 1, 1));
  expect(MakeCylinderVolumeMeshWithMa, Cylinder(20, 1));
  expect(MakeCapsuleVolumeMesh, Capsule(1, 1));
  EXPECT_THROWS_MESSAGE(MakeBoxVolumeMesh(Box(1, 1, 1), 1e-3), std::logic_error,
                        "6e+09 elements; the most is 1e+06");
}

}  // namespace
}  // namespace wyvern::geometry::internal
