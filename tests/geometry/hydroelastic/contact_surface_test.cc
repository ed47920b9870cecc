#include "wyvern/geometry/hydroelastic/contact_surface.h"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::geometry {
namespace contact_surface_test {

using Eigen::Vector3d;
using wyvern::test::Near;
using Gradients = std::vector<Vector3d>;

const std::vector<Vector3d> kCorners = {
    {0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}};
const std::vector<double> kPressures = {0, 2, 3, 1};

// A rectangle of 2 x 1 m at z = 0, its pressure x + y.
ContactSurface<double> MakePolygon(GeometryId m, GeometryId n,
                                   bool with_gradient = true) {
  auto mesh = std::make_unique<PolygonSurfaceMesh<double>>(
      std::vector<int>{4, 0, 1, 2, 3}, kCorners);
  auto field = std::make_unique<ContactSurface<double>::PolygonField>(
      kPressures, mesh.get());
  auto gradient = std::make_unique<Gradients>(1, Vector3d(1, 1, 5));
  return {m, n, std::move(mesh), std::move(field),
          with_gradient ? std::move(gradient) : nullptr};
}

ContactSurface<double> MakeTriangles(GeometryId m, GeometryId n) {
  auto mesh = std::make_unique<TriangleSurfaceMesh<double>>(
      std::vector<SurfaceTriangle>{{0, 1, 2}, {0, 2, 3}}, kCorners);
  auto field = std::make_unique<ContactSurface<double>::TriangleField>(
      kPressures, mesh.get());
  return {m, n, std::move(mesh), std::move(field)};
}

struct Ids {
  GeometryId a{GeometryId::get_new_id()}, b{GeometryId::get_new_id()};
};

TEST(ContactSurface, TellsItsGeometriesItsMeshAndItsPressure) {
  const auto [a, b] = Ids();
  const auto surface = MakePolygon(a, b);
  EXPECT_EQ(surface.id_M(), a);
  EXPECT_EQ(surface.id_N(), b);
  EXPECT_FALSE(surface.is_triangle());
  EXPECT_EQ(surface.num_faces(), 1);
  EXPECT_EQ(surface.num_vertices(), 4);
  EXPECT_EQ(surface.total_area(), 2);
  EXPECT_TRUE(Near(surface.face_normal(0), Vector3d::UnitZ()));
  EXPECT_TRUE(Near(surface.centroid(0), Vector3d(1, 0.5, 0), 1e-15));
  EXPECT_NEAR(surface.poly_e_MN().EvaluateCartesian(0, surface.centroid()), 1.5,
              1e-15);
  EXPECT_TRUE(Near(surface.EvaluateGradE_M_W(0), Vector3d(1, 1, 5)));
  EXPECT_FALSE(surface.HasGradE_N());
}

TEST(ContactSurface, WithIdsInTheOtherOrderNormalsAndGradientsChangePlaces) {
  const auto [a, b] = Ids();
  const auto surface = MakePolygon(b, a);
  EXPECT_EQ(surface.id_M(), a);
  EXPECT_TRUE(Near(surface.face_normal(0), -Vector3d::UnitZ()));
  EXPECT_FALSE(surface.HasGradE_M());
  EXPECT_TRUE(Near(surface.EvaluateGradE_N_W(0), Vector3d(1, 1, 5)));
  EXPECT_EQ(surface.poly_e_MN().EvaluateAtVertex(2), 3);
  EXPECT_TRUE(Near(MakeTriangles(b, a).face_normal(1), -Vector3d::UnitZ()));
}

TEST(ContactSurface, CopiesOwnTheirMeshAndAreEqual) {
  const auto [a, b] = Ids();
  for (const auto& surface : {MakePolygon(a, b), MakeTriangles(a, b)}) {
    auto copy = surface;
    EXPECT_TRUE(copy.Equal(surface));
    const ContactSurface<double> moved = std::move(copy);
    EXPECT_TRUE(moved.Equal(surface));
    if (moved.is_triangle()) {
      EXPECT_EQ(&moved.tri_e_MN().mesh(), &moved.tri_mesh_W());
      EXPECT_NE(&moved.tri_mesh_W(), &surface.tri_mesh_W());
    } else {
      EXPECT_EQ(&moved.poly_e_MN().mesh(), &moved.poly_mesh_W());
    }
  }
  EXPECT_FALSE(MakePolygon(a, b).Equal(MakeTriangles(a, b)));
  EXPECT_FALSE(MakePolygon(a, b).Equal(MakePolygon(a, b, false)));
  EXPECT_FALSE(MakePolygon(a, b).Equal(MakePolygon(b, a)));
}

// A regular polygon of n corners on the unit circle at (3, 0, 1), with the
// pressure 2 + x.
ContactSurface<double> MakeDisc(int n, GeometryId m, GeometryId other) {
  std::vector<int> face{n};
  std::vector<Vector3d> corners;
  std::vector<double> pressures;
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * M_PI * i / n;
    face.push_back(i);
    corners.emplace_back(3 + std::cos(angle), std::sin(angle), 1);
    pressures.push_back(2 + std::cos(angle));
  }
  using Mesh = PolygonSurfaceMesh<double>;
  auto mesh = std::make_unique<Mesh>(std::move(face), std::move(corners));
  auto field = std::make_unique<ContactSurface<double>::PolygonField>(
      std::move(pressures), mesh.get());
  return {m, other, std::move(mesh), std::move(field)};
}

// The sums of p A n and of x cross p A n over the patches, about the origin.
std::pair<Vector3d, Vector3d> SumPatches(const ContactSurface<double>& s) {
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  for (const auto& patch : s.patches()) {
    const auto q = patch.CalcCentre();
    const Vector3d f = q.pressure * q.area * patch.normal();
    force += f;
    moment += q.p_WQ.cross(f);
  }
  return {force, moment};
}

// The integral of x + y over the rectangle is 3, of x (x + y) 11/3, and of
// y (x + y) 5/3.
TEST(ContactSurface, MadeByHandHasPatchesWithItsForceAndItsMoment) {
  const auto [a, b] = Ids();
  for (const auto& s : {MakePolygon(a, b), MakePolygon(a, b, false),
                        MakeTriangles(a, b), MakeTriangles(b, a)}) {
    EXPECT_EQ(static_cast<int>(s.patches().size()), s.num_faces());
    const double sign = s.face_normal(0)[2];
    const auto [force, moment] = SumPatches(s);
    EXPECT_TRUE(Near(force, Vector3d(0, 0, 3 * sign), 1e-14));
    EXPECT_TRUE(Near(moment, sign * Vector3d(5. / 3, -11. / 3, 0), 1e-14));
  }
}

// The second moment of a regular polygon's area A about an axis in its plane is
// A (2 + cos(2 pi / n)) / 12.
TEST(ContactSurface, MadeByHandMayHaveFacesOfManyCorners) {
  const auto [a, b] = Ids();
  for (const int n : {3, 8, 19, 20, 21, 22, 38, 39, 100}) {
    const auto surface = MakeDisc(n, a, b);
    const double area = surface.total_area();
    const auto [force, moment] = SumPatches(surface);
    EXPECT_NEAR(force[2], 2 * area, 1e-13) << n;
    const double spread = area * (2 + std::cos(2 * M_PI / n)) / 12;
    EXPECT_NEAR(moment[1], -(3 * 2 * area + spread), 1e-12) << n;
    EXPECT_NEAR(moment[0], 0, 1e-13) << n;
  }
}

TEST(ContactSurface, WhatItDoesNotHaveIsAnErrorThatSaysWhereElse) {
  const auto [a, b] = Ids();
  const auto polygon = MakePolygon(a, b);
  EXPECT_THROWS_MESSAGE(polygon.tri_mesh_W(), std::logic_error,
                        "use poly_mesh_W() and poly_e_MN()");
  EXPECT_THROWS_MESSAGE(MakeTriangles(a, b).poly_e_MN(), std::logic_error,
                        "use tri_mesh_W() and tri_e_MN()");
  EXPECT_THROWS_MESSAGE(polygon.EvaluateGradE_N_W(0), std::runtime_error,
                        "ask HasGradE_N() first");
  EXPECT_THROWS_MESSAGE(polygon.EvaluateGradE_M_W(1), std::out_of_range,
                        "face 1 was asked for");
  EXPECT_THROWS_MESSAGE(polygon.area(1), std::out_of_range, "face 1");
}

TEST(ContactSurface, BadInputIsRefused) {
  const auto [a, b] = Ids();
  using Polygons = PolygonSurfaceMesh<double>;
  const auto make = [](GeometryId m, GeometryId n, bool own_mesh, int size) {
    static const Polygons other({4, 0, 1, 2, 3}, kCorners);
    auto mesh = std::make_unique<Polygons>(other);
    auto field = std::make_unique<ContactSurface<double>::PolygonField>(
        kPressures, own_mesh ? mesh.get() : &other);
    return ContactSurface<double>(m, n, std::move(mesh), std::move(field),
                                  std::make_unique<Gradients>(size));
  };
  EXPECT_THROWS_MESSAGE(make(a, b, false, 1), std::logic_error,
                        "no pressure on its mesh");
  EXPECT_THROWS_MESSAGE(make(a, b, true, 2), std::logic_error,
                        "2 gradients were given for 1 faces");
  EXPECT_THROWS_MESSAGE(make(a, a, true, 1), std::logic_error, "that differ");
  EXPECT_THROWS_MESSAGE(make(a, GeometryId(), true, 1), std::logic_error,
                        "valid ids");
  EXPECT_THROWS_MESSAGE(
      ContactSurface<double>(a, b, std::unique_ptr<Polygons>(), nullptr),
      std::logic_error, "no mesh");
}

}  // namespace contact_surface_test
}  // namespace wyvern::geometry
