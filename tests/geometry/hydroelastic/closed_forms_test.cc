#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>

#include "tests/geometry/hydroelastic/pairs.h"
#include "tests/support/near.h"

// Surfaces whose area, force and centre of pressure can be written down.

namespace wyvern::geometry {
namespace closed_forms_test {

using Eigen::Vector3d;
using math::RigidTransformd;
using math::RotationMatrixd;
using std::numbers::pi;
using test::CalcSurface;
using test::Integrate;
using test::MakeCompliant;
using test::MakeCompliantHalfSpace;
using test::MakeRigid;
using wyvern::test::Near;

// Where the ground z < 0 is, and a body whose centre is at height z.
const RigidTransformd kGround;
RigidTransformd At(double z) { return RigidTransformd(Vector3d(0, 0, z)); }

constexpr double kModulus = 1e5;

TEST(ClosedForms, BoxPressedFlatHasPressureTimesArea) {
  // 1 x 2 x 3 m, its least half size 0.5 m, 0.1 m deep: p = 0.2 E. Less than
  // 0.1 m from the rim a side is nearer, and the pressure falls to 0 there. The
  // force is the volume under the pressure: of layers whose areas are of second
  // order in their height, for which Simpson's rule is exact.
  const auto box = MakeCompliant(Box(1, 2, 3), 1, kModulus);
  const double p = kModulus * 0.2;
  const double force = p / 6 * (2 + 4 * 0.9 * 1.9 + 0.8 * 1.8);
  for (const auto& wall : {MakeRigid(HalfSpace()), MakeRigid(Box(9, 9, 9))}) {
    const auto surface = CalcSurface(box, At(1.4), wall,
                                     wall.is_half_space ? kGround : At(-4.5));
    const auto sum = Integrate(surface);
    EXPECT_NEAR(sum.area, 2, 1e-12);
    EXPECT_NEAR(sum.largest_pressure, p, 1e-8);
    EXPECT_TRUE(Near(sum.force, Vector3d(0, 0, force), 1e-8));
    EXPECT_TRUE(Near(sum.torque, Vector3d(0, 0, 0), 1e-8));
  }
}

TEST(ClosedForms,
     RigidBoxOnACompliantSlabHasExactlyModulusDepthAreaByThickness) {
  const auto slab = MakeCompliantHalfSpace(0.5, kModulus);
  const auto sum =
      Integrate(CalcSurface(MakeRigid(Box(1, 2, 3)), At(1.4), slab, kGround));
  // The sides are vertical: across the gradient, they count as faces, and push
  // each other away.
  EXPECT_NEAR(sum.force[2], kModulus * 0.1 / 0.5 * 2, 1e-9);
  EXPECT_TRUE(Near(sum.force.head<2>(), Eigen::Vector2d::Zero(), 1e-9));
  EXPECT_NEAR(sum.area, 2 + 0.1 * 6, 1e-12);
}

TEST(ClosedForms, TwoEqualBoxesHaveTheSamePressureAtTwiceTheApproach) {
  // Shifted along each other, so that sides do not coincide.
  const auto cube = MakeCompliant(Box(1, 1, 1), 1, kModulus);
  const RigidTransformd shifted(Vector3d(0.3, 0.2, -0.4));
  const auto surface = CalcSurface(cube, At(0.4), cube, shifted);
  const auto& mesh = surface.at(0).poly_mesh_W();
  double flat = 0, force = 0;
  for (int f = 0; f < mesh.num_faces(); ++f) {
    if (mesh.face_normal(f)[2] < 1 - 1e-12) continue;
    flat += mesh.area(f);
    force += mesh.area(f) * surface[0].poly_e_MN().EvaluateCartesian(
                                f, mesh.element_centroid(f));
    EXPECT_NEAR(mesh.element_centroid(f)[2], 0, 1e-15);
  }
  // Each is 0.1 m deep where no side is nearer than that; there p = 0.2 E, as
  // on a wall at half the approach.
  const double area = (1 - 0.3 - 0.2) * (1 - 0.2 - 0.2);
  EXPECT_NEAR(flat, area, 1e-12);
  EXPECT_NEAR(force, 0.2 * kModulus * area, 1e-8);
  const auto wall =
      Integrate(CalcSurface(cube, At(0.4), MakeRigid(HalfSpace()), kGround));
  EXPECT_NEAR(wall.largest_pressure, Integrate(surface).largest_pressure, 1e-8);
}

TEST(ClosedForms, TwoSlabsInSeriesShareTheDepthByTheirStiffness) {
  // A cube of half size 0.5 m and modulus E_1 on a slab of thickness t and
  // modulus E_2, 0.1 m in each other: p = 0.1 / (0.5 / E_1 + t / E_2).
  const double t = 0.3, E_2 = 4e4;
  const auto surface =
      CalcSurface(MakeCompliant(Box(1, 1, 1), 1, kModulus), At(0.4),
                  MakeCompliantHalfSpace(t, E_2), kGround);
  const double p = 0.1 / (0.5 / kModulus + t / E_2);
  const auto sum = Integrate(surface);
  EXPECT_NEAR(sum.largest_pressure, p, 1e-8);
  const auto& mesh = surface[0].poly_mesh_W();
  double flat = 0;  // The part where the cube's depth is that below its bottom.
  for (int f = 0; f < mesh.num_faces(); ++f) {
    if (mesh.face_normal(f)[2] < 1 - 1e-12) continue;
    flat += mesh.area(f);
    EXPECT_NEAR(mesh.element_centroid(f)[2], -p * t / E_2, 1e-12);
  }
  const double side = 1 - 2 * p * 0.5 / kModulus;
  EXPECT_NEAR(flat, side * side, 1e-12);
}

TEST(ClosedForms, SphereOnARigidHalfSpaceConvergesAtSecondOrder) {
  // e = 1 - r/R on a disc at height c = R - h:
  // F = E int (1 - sqrt(c² + s²)/R) 2 pi s ds = E pi (a² - 2/3 (R³ - c³)/R).
  const double R = 0.5, h = 0.1, c = R - h, a2 = R * R - c * c;
  const double force =
      kModulus * pi * (a2 - 2.0 / 3 * (R * R * R - c * c * c) / R);
  double last_force = 0, last_area = 0;
  for (const double hint : {0.2, 0.1, 0.05, 0.025}) {
    const auto sum =
        Integrate(CalcSurface(MakeCompliant(Sphere(R), hint, kModulus), At(c),
                              MakeRigid(HalfSpace()), kGround));
    const double force_error = std::abs(sum.force[2] / force - 1);
    const double area_error = std::abs(sum.area / (pi * a2) - 1);
    // A flat face is below its sphere by the square of its size, hint² / 8 R.
    EXPECT_LT(force_error, 8 * hint * hint / (R * R));
    EXPECT_LT(area_error, 4 * hint * hint / (R * R));
    if (last_force > 0) {
      EXPECT_LT(force_error, last_force / 2.8) << hint;
      EXPECT_LT(area_error, last_area / 2.8) << hint;
    }
    last_force = force_error;
    last_area = area_error;
    EXPECT_TRUE(Near(sum.force.head<2>(), Eigen::Vector2d::Zero(), 1e-8));
  }
}

TEST(ClosedForms, RigidSphereInASlabIsPushedByTheFluidItDisplaces) {
  // The slab's pressure is a fluid's: the force is the volume below the plane
  // times the gradient (Archimedes), for the sphere that the mesh is.
  const double R = 0.5, h = 0.3, gradient = kModulus / 0.7;
  const double cap = pi * h * h * (3 * R - h) / 3;
  const auto slab = MakeCompliantHalfSpace(0.7, kModulus);
  for (const double hint : {0.1, 0.05}) {
    const auto sum = Integrate(
        CalcSurface(MakeRigid(Sphere(R), hint), At(R - h), slab, kGround));
    EXPECT_NEAR(sum.force[2], gradient * cap,
                4 * hint * hint / (R * R) * gradient * cap);
    EXPECT_TRUE(Near(sum.force.head<2>(), Eigen::Vector2d::Zero(), 1e-8));
  }
}

TEST(ClosedForms, TiltedBoxHasATiltedPlaneOfPressure) {
  // A cube on its edge zone: its bottom is tilted by an angle in the slab; the
  // pressure on a rigid bottom is gradient times depth, so that the centre of
  // pressure is that of a triangle.
  const double angle = 0.3;
  const auto slab = MakeCompliantHalfSpace(0.5, kModulus);
  const RotationMatrixd R = RotationMatrixd::MakeYRotation(angle);
  // The lower corner of the cube is `depth` below the plane.
  const double depth = 0.1;
  const Vector3d corner = R * Vector3d(0.5, 0, -0.5);
  const RigidTransformd X_WB(R, Vector3d(0, 0, -depth - corner[2]));
  const auto surface =
      CalcSurface(MakeRigid(Box(1, 1, 1)), X_WB, slab, kGround);
  // Archimedes again: the wedge below the plane is 1 m wide.
  const double wedge =
      0.5 * (depth / std::sin(angle)) * (depth / std::cos(angle));
  const auto sum = Integrate(surface);
  EXPECT_TRUE(Near(sum.force, Vector3d(0, 0, kModulus / 0.5 * wedge), 1e-8));
  // The centre of pressure is above the centroid of the wedge: the mean of its
  // three corners.
  const double x_low = corner[0];
  const double x =
      x_low + (depth * std::tan(angle) - depth / std::tan(angle)) / 3;
  EXPECT_NEAR(sum.torque[1] / -sum.force[2], x, 1e-12);
  const auto& field = surface[0].poly_e_MN();
  for (int v = 0; v < surface[0].num_vertices(); ++v) {
    EXPECT_NEAR(field.EvaluateAtVertex(v),
                -kModulus / 0.5 * surface[0].poly_mesh_W().vertex(v)[2], 1e-9);
  }
}

TEST(ClosedForms, WithinAMarginThePressureIsNegative) {
  const double margin = 0.02;
  const auto wall = MakeRigid(HalfSpace());
  const auto rigid_box = MakeRigid(Box(1, 1, 1));
  for (const auto& [body, ground, half] :
       {std::tuple(MakeCompliant(Box(1, 1, 1), 1, kModulus, margin), wall, 0.5),
        std::tuple(MakeCompliant(Sphere(0.5), 0.1, kModulus, margin), wall,
                   0.5),
        std::tuple(MakeCompliant(Capsule(0.5, 1), 0.1, kModulus, margin), wall,
                   1.0),
        std::tuple(MakeCompliant(Cylinder(0.5, 1), 0.1, kModulus, margin), wall,
                   0.5),
        std::tuple(
            MakeCompliant(Ellipsoid(0.6, 0.7, 0.5), 0.1, kModulus, margin),
            wall, 0.5),
        std::tuple(rigid_box, MakeCompliantHalfSpace(0.5, kModulus, margin),
                   0.5)}) {
    const auto above = CalcSurface(body, At(half + 0.01), ground, kGround);
    ASSERT_EQ(above.size(), 1u);
    // 0.01 m above the ground: p = -E 0.01 / 0.5 at the lowest point.
    double most = -1e9;
    for (const double p : above[0].poly_e_MN().values()) {
      most = std::max(most, p);
      EXPECT_GE(p, -kModulus * margin / 0.5 - 1e-6);
    }
    EXPECT_NEAR(most, -kModulus * 0.01 / 0.5, 1e-6);
    EXPECT_TRUE(CalcSurface(body, At(half + 0.021), ground, kGround).empty());
  }
}

TEST(ClosedForms, WhatOnlyTouchesHasNoSurface) {
  const auto cube = MakeCompliant(Box(1, 1, 1), 1, kModulus);
  const auto rigid = MakeRigid(Box(1, 1, 1));
  EXPECT_TRUE(CalcSurface(cube, At(0.5), cube, At(-0.5)).empty());
  EXPECT_TRUE(CalcSurface(cube, At(0.5), rigid, At(-0.5)).empty());
  EXPECT_TRUE(CalcSurface(cube, At(-0.5), rigid, At(0.5)).empty());
  EXPECT_TRUE(
      CalcSurface(cube, At(0.5), MakeRigid(HalfSpace()), kGround).empty());
  const auto slab = MakeCompliantHalfSpace(0.5, kModulus);
  EXPECT_TRUE(CalcSurface(cube, At(0.5), slab, kGround).empty());
  EXPECT_TRUE(CalcSurface(rigid, At(0.5), slab, kGround).empty());
}

TEST(ClosedForms, AFaceInThePlaneBetweenElementsCountsOnce) {
  // The rigid plate's face is in planes of the cube's elements: its medial
  // plane, and for the cube of two bricks, a plane across.
  const auto plate = MakeRigid(Box(4, 4, 1));
  const auto cube = MakeCompliant(Box(1, 1, 1), 1, kModulus);
  const auto middle = Integrate(CalcSurface(cube, At(0), plate, At(-0.5)));
  EXPECT_NEAR(middle.area, 1, 1e-12);
  // Volume of the pyramid of pressures: E A / 3.
  EXPECT_NEAR(middle.force[2], kModulus / 3, 1e-8);
  const auto slab = MakeCompliant(Box(1, 1, 0.5), 1, kModulus);
  EXPECT_NEAR(Integrate(CalcSurface(slab, At(0), plate, At(-0.5))).area, 1,
              1e-12);
  EXPECT_NEAR(
      Integrate(CalcSurface(slab, At(0), MakeRigid(HalfSpace()), kGround)).area,
      1, 1e-12);
  // The ball's elements on both sides of the plane have gradients across it.
  const auto ball = MakeCompliant(Sphere(0.5), 0.1, kModulus);
  const double disc = pi * 0.25;
  for (const auto& wall : {MakeRigid(HalfSpace()), plate}) {
    const auto sum = Integrate(CalcSurface(
        ball, At(0), wall, wall.is_half_space ? kGround : At(-0.5)));
    EXPECT_NEAR(sum.area, disc, 0.02 * disc);
    EXPECT_LT(sum.area, disc);
    // A cone of pressures.
    EXPECT_NEAR(sum.force[2], kModulus * sum.area / 3, 1e-8);
  }
}

TEST(ClosedForms, OfABodyFullyInsideTheFacesAlongTheGradientCount) {
  // The rigid cube is at a height where the pressure falls upward: its upper
  // face is against the gradient. What is left is the pressure on the lower
  // one, at z = 0.95 m, 1.05 m below the surface.
  const auto large = MakeCompliant(Box(4, 4, 4), 1, kModulus);
  const auto small = MakeRigid(Box(0.5, 0.5, 0.5));
  const auto sum = Integrate(CalcSurface(large, At(0), small, At(1.2)));
  EXPECT_NEAR(sum.area, 5 * 0.25, 1e-12);
  EXPECT_TRUE(
      Near(sum.force, Vector3d(0, 0, -kModulus * 1.05 / 2 * 0.25), 1e-7));
  const auto soft = MakeCompliant(Box(0.5, 0.5, 0.5), 1, kModulus);
  EXPECT_TRUE(
      Integrate(CalcSurface(large, At(0), soft, At(1.2))).force.allFinite());
  EXPECT_TRUE(
      Integrate(CalcSurface(large, At(0), large, At(0))).force.allFinite());
}

TEST(ClosedForms, ExtremeModuliGiveFiniteForces) {
  for (const double a : {1e-30, 1e-9, 1.0, 1e30}) {
    for (const double b : {1e-30, 1.0, 1e30}) {
      const auto sum =
          Integrate(CalcSurface(MakeCompliant(Box(1, 1, 1), 1, a), At(0.4),
                                MakeCompliant(Sphere(0.5), 0.3, b), At(-0.4)));
      EXPECT_TRUE(sum.force.allFinite()) << a << " " << b;
      EXPECT_TRUE(std::isfinite(sum.area));
    }
  }
}

}  // namespace closed_forms_test
}  // namespace wyvern::geometry
