#include "wyvern/multibody/tree/geometry_spatial_inertia.h"

#include <initializer_list>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::multibody {
namespace {

using Eigen::Vector3d;
using geometry::SurfaceTriangle;
using wyvern::test::Near;
using Inertia = SpatialInertia<double>;

// Returns a box from the origin to (a, b, c): twelve triangles seen from
// outside.
geometry::TriangleSurfaceMesh<double> BoxSurface(double a, double b, double c) {
  std::vector<Vector3d> v;
  for (int i = 0; i < 8; ++i) {
    v.emplace_back((i & 1) ? a : 0, (i & 2) ? b : 0, (i & 4) ? c : 0);
  }
  const int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                           {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  std::vector<SurfaceTriangle> triangles;
  for (const auto& q : quads) {
    triangles.emplace_back(q[0], q[1], q[2]);
    triangles.emplace_back(q[0], q[2], q[3]);
  }
  return {std::move(triangles), std::move(v)};
}

TEST(GeometrySpatialInertia, OfAClosedSurfaceIsThatOfTheSolid) {
  const double density = 700;
  const Inertia wanted = Inertia::SolidBoxWithDensity(density, 0.2, 0.3, 0.5)
                             .Shift(Vector3d(-0.1, -0.15, -0.25));
  const Inertia found = CalcSpatialInertia(BoxSurface(0.2, 0.3, 0.5), density);
  EXPECT_TRUE(Near(found.CopyToFullMatrix6(), wanted.CopyToFullMatrix6(),
                   1e-12 * wanted.get_mass()));
}

TEST(GeometrySpatialInertia, OfShapesHasTheirVolumeAndPrincipalMoments) {
  const geometry::Box box(0.2, 0.3, 0.5);
  EXPECT_EQ(CalcSpatialInertia(box, 2).CopyToFullMatrix6(),
            Inertia::SolidBoxWithDensity(2, 0.2, 0.3, 0.5).CopyToFullMatrix6());
  const geometry::Sphere sphere(0.3);
  const geometry::Capsule capsule(0.1, 0.4);
  const geometry::Cylinder cylinder(0.1, 0.4);
  const geometry::Ellipsoid ellipsoid(0.1, 0.2, 0.3);
  for (const geometry::Shape* shape :
       std::initializer_list<const geometry::Shape*>{&sphere, &capsule,
                                                     &cylinder, &ellipsoid}) {
    const Inertia M = CalcSpatialInertia(*shape, 3);
    EXPECT_NEAR(M.get_mass(), 3 * geometry::CalcVolume(*shape), 1e-13);
    EXPECT_EQ(M.get_com(), Vector3d::Zero());
  }
}

TEST(GeometrySpatialInertia, OfAHullIsThatOfTheBoxItIs) {
  Eigen::Matrix3Xd points(3, 8);
  for (int i = 0; i < 8; ++i) {
    points.col(i) << ((i & 1) ? 0.2 : 0), ((i & 2) ? 0.3 : 0),
        ((i & 4) ? 0.5 : 0);
  }
  const Inertia wanted = CalcSpatialInertia(BoxSurface(0.2, 0.3, 0.5), 5);
  const Inertia found = CalcSpatialInertia(geometry::Convex(points, "box"), 5);
  EXPECT_TRUE(
      Near(found.CopyToFullMatrix6(), wanted.CopyToFullMatrix6(), 1e-12));
}

TEST(GeometrySpatialInertia, WhatHasNoneIsAnError) {
  EXPECT_THROWS_MESSAGE(CalcSpatialInertia(geometry::HalfSpace(), 1),
                        std::logic_error, "a HalfSpace has no inertia");
  EXPECT_THROWS_MESSAGE(CalcSpatialInertia(geometry::Sphere(1), -1),
                        std::logic_error, "density");
  EXPECT_THROWS_MESSAGE(CalcSpatialInertia(geometry::Mesh("/no/file.obj"), 1),
                        std::runtime_error, "/no/file.obj");
  EXPECT_THROWS_MESSAGE(CalcSpatialInertia(BoxSurface(-0.2, 0.3, 0.5), 1),
                        std::logic_error, "enclosed volume");
}

}  // namespace
}  // namespace wyvern::multibody
