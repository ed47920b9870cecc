#include "wyvern/multibody/math/unit_inertia.h"

#include <functional>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/cross_product.h"

namespace wyvern::multibody {
namespace unit_inertia_test {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::RotationMatrixd;
using test::Near;
using test::RandomPose;
using Unit = UnitInertia<double>;

constexpr double kTolerance = 1e-14;

// The mean of (r·r 1 - r rᵀ) over the part of the box [-size, size] where
// `inside` holds, on a grid of n³ midpoints.
Matrix3d Integrate(const Vector3d& size,
                   const std::function<bool(const Vector3d&)>& inside,
                   int n = 120) {
  Matrix3d sum = Matrix3d::Zero();
  int count = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        const Vector3d unit(2 * (i + 0.5) / n - 1, 2 * (j + 0.5) / n - 1,
                            2 * (k + 0.5) / n - 1);
        const Vector3d r = size.cwiseProduct(unit);
        if (!inside(r)) continue;
        ++count;
        sum += r.squaredNorm() * Matrix3d::Identity() - r * r.transpose();
      }
    }
  }
  return sum / count;
}

// A grid of 120 points a side: errors of the surface are within 0.2 %.
constexpr double kGridTolerance = 2e-3;

TEST(UnitInertia, BoxIsTheIntegralOverABox) {
  const Matrix3d grid =
      Integrate(Vector3d(0.5, 1, 1.5), [](const Vector3d&) { return true; });
  EXPECT_TRUE(
      Near(Unit::SolidBox(1, 2, 3).CopyToFullMatrix3(), grid, kGridTolerance));
  EXPECT_TRUE(Near(Unit::SolidCube(2).CopyToFullMatrix3(),
                   Unit::SolidBox(2, 2, 2).CopyToFullMatrix3()));
}

TEST(UnitInertia, EllipsoidAndSphereAreTheirIntegrals) {
  const Vector3d s(0.5, 1, 0.8);
  const Matrix3d grid = Integrate(s, [&s](const Vector3d& r) {
    return r.cwiseQuotient(s).squaredNorm() < 1;
  });
  EXPECT_TRUE(Near(Unit::SolidEllipsoid(s(0), s(1), s(2)).CopyToFullMatrix3(),
                   grid, kGridTolerance));
  EXPECT_TRUE(Near(Unit::SolidSphere(2).CopyToFullMatrix3(),
                   Unit::SolidEllipsoid(2, 2, 2).CopyToFullMatrix3(),
                   kTolerance));
}

TEST(UnitInertia, HollowSphereIsTheThinLimitOfAShell) {
  // I(ρ = 1) of a ball goes as r⁵, mass as r³.
  const double r = 2, in = r - 1e-6;
  const double shell = 0.4 * (std::pow(r, 5) - std::pow(in, 5)) /
                       (std::pow(r, 3) - std::pow(in, 3));
  EXPECT_NEAR(Unit::HollowSphere(r)(0, 0), shell, 1e-5);
}

TEST(UnitInertia, CylinderIsTheIntegralOverACylinder) {
  const double r = 0.6, l = 1.8;
  const Matrix3d grid = Integrate(Vector3d(r, r, l / 2), [&](Vector3d p) {
    return p.head<2>().norm() < r;
  });
  EXPECT_TRUE(
      Near(Unit::SolidCylinder(r, l, Vector3d::UnitZ()).CopyToFullMatrix3(),
           grid, kGridTolerance));
}

TEST(UnitInertia, CapsuleIsTheIntegralOverACapsule) {
  const double r = 0.5, l = 1;
  const Matrix3d grid = Integrate(Vector3d(r, r, l / 2 + r), [&](Vector3d p) {
    p.z() -= std::clamp(p.z(), -l / 2, l / 2);
    return p.norm() < r;
  });
  EXPECT_TRUE(
      Near(Unit::SolidCapsule(r, l, Vector3d::UnitZ()).CopyToFullMatrix3(),
           grid, kGridTolerance));
}

TEST(UnitInertia, CapsuleHasTheLimitsSphereAndRod) {
  const Vector3d u = RandomPose().UnitVector3();
  EXPECT_TRUE(Near(Unit::SolidCapsule(2, 0, u).CopyToFullMatrix3(),
                   Unit::SolidSphere(2).CopyToFullMatrix3(), kTolerance));
  EXPECT_TRUE(Near(Unit::SolidCapsule(0, 2, u).CopyToFullMatrix3(),
                   Unit::ThinRod(2, u).CopyToFullMatrix3(), kTolerance));
  EXPECT_TRUE(Unit::SolidCapsule(0, 0, u).IsZero());
}

TEST(UnitInertia, AxisMayPointAnywhere) {
  RandomPose random;
  const RotationMatrixd R = random.Rotation();
  const Vector3d z = Vector3d::UnitZ(), u = R * z;
  EXPECT_TRUE(
      Near(Unit::SolidCylinder(1, 3, u).CopyToFullMatrix3(),
           Unit::SolidCylinder(1, 3, z).ReExpress(R).CopyToFullMatrix3(),
           kTolerance));
}

TEST(UnitInertia, CylinderAboutEndIsShiftedByHalfItsLength) {
  const Vector3d u = RandomPose().UnitVector3();
  EXPECT_TRUE(Near(Unit::SolidCylinderAboutEnd(1, 3, u).CopyToFullMatrix3(),
                   Unit::SolidCylinder(1, 3, u)
                       .ShiftFromCenterOfMass(1.5 * u)
                       .CopyToFullMatrix3(),
                   kTolerance));
}

TEST(UnitInertia, LinesHaveNoMomentAboutThemselves) {
  const Vector3d u = RandomPose().UnitVector3();
  EXPECT_TRUE(Near(Unit::StraightLine(3, u) * u, Vector3d::Zero(), kTolerance));
  const Vector3d v = u.unitOrthogonal();
  EXPECT_TRUE(Near(Unit::StraightLine(3, u) * v, 3 * v, kTolerance));
  EXPECT_TRUE(Near(Unit::ThinRod(6, u) * v, 3 * v, kTolerance));
}

TEST(UnitInertia, PointMassIsTheSquareOfTheCrossProduct) {
  const Vector3d p = RandomPose().Vector3();
  const Matrix3d S = math::VectorToSkewSymmetric(p);
  EXPECT_TRUE(Near(Unit::PointMass(p).CopyToFullMatrix3(), -S * S, kTolerance));
}

TEST(UnitInertia, TetrahedraFillACube) {
  // A unit cube at the origin's corner is six congruent tetrahedra along its
  // diagonal, of equal volume: the mean of theirs is the cube's inertia.
  Matrix3d mean = Matrix3d::Zero();
  const Vector3d e[] = {Vector3d::UnitX(), Vector3d::UnitY(),
                        Vector3d::UnitZ()};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (i == j) continue;
      const Unit G = Unit::SolidTetrahedronAboutVertex(e[i], e[i] + e[j],
                                                       Vector3d::Ones());
      mean += G.CopyToFullMatrix3() / 6;
    }
  }
  const Unit cube =
      Unit::SolidCube(1).ShiftFromCenterOfMass(Vector3d::Constant(0.5));
  EXPECT_TRUE(Near(mean, cube.CopyToFullMatrix3(), kTolerance));
}

TEST(UnitInertia, TetrahedronAboutAPointIsShiftedFromItsCenter) {
  RandomPose random;
  const Vector3d p[] = {random.Vector3(), random.Vector3(), random.Vector3(),
                        random.Vector3()};
  const Vector3d a = random.Vector3(), cm = (p[0] + p[1] + p[2] + p[3]) / 4;
  const Unit about_origin =
      Unit::SolidTetrahedronAboutPoint(p[0], p[1], p[2], p[3]);
  const Unit about_a =
      Unit::SolidTetrahedronAboutPoint(p[0] - a, p[1] - a, p[2] - a, p[3] - a);
  EXPECT_TRUE(Near(about_origin.ShiftToCenterOfMass(cm)
                       .ShiftFromCenterOfMass(cm - a)
                       .CopyToFullMatrix3(),
                   about_a.CopyToFullMatrix3(), kTolerance));
}

TEST(UnitInertia, EquivalentShapesHaveTheInertiaTheyCameFrom) {
  RandomPose random;
  const RotationMatrixd R_EA = random.Rotation();
  const Unit G_E = Unit::SolidBox(6, 4, 2).ReExpress(R_EA);
  const auto [half, axes] =
      G_E.CalcPrincipalHalfLengthsAndAxesForEquivalentShape(1.0 / 3);
  EXPECT_TRUE(Near(half, Vector3d(3, 2, 1), 1e-14));
  EXPECT_TRUE(Near(Unit::SolidBox(6, 4, 2).ReExpress(axes).CopyToFullMatrix3(),
                   G_E.CopyToFullMatrix3(), 1e-13));
  const auto ellipsoid =
      Unit::SolidEllipsoid(1, 2, 3)
          .CalcPrincipalHalfLengthsAndAxesForEquivalentShape(1.0 / 5);
  EXPECT_TRUE(Near(ellipsoid.first, Vector3d(3, 2, 1), 1e-14));
  const auto rod =
      Unit::ThinRod(2, Vector3d::UnitY())
          .CalcPrincipalHalfLengthsAndAxesForEquivalentShape(1.0 / 3);
  EXPECT_TRUE(Near(rod.first, Vector3d(1, 0, 0), 1e-14));
}

TEST(UnitInertia, EquivalentShapeNeedsAFactorAndABody) {
  const Unit G = Unit::SolidSphere(1);
  EXPECT_THROWS_MESSAGE(G.CalcPrincipalHalfLengthsAndAxesForEquivalentShape(0),
                        std::logic_error, "inertia_shape_factor is 0");
  EXPECT_THROWS_MESSAGE(
      G.CalcPrincipalHalfLengthsAndAxesForEquivalentShape(1.1),
      std::logic_error, "inertia_shape_factor is 1.1");
  EXPECT_THROWS_MESSAGE(
      Unit().CalcPrincipalHalfLengthsAndAxesForEquivalentShape(1),
      std::logic_error, "not finite");
}

TEST(UnitInertia, DivisionByMassIsChecked) {
  Unit G;
  G.SetFromRotationalInertia(RotationalInertia<double>(2, 4, 6), 2);
  EXPECT_EQ(G.get_moments(), Vector3d(1, 2, 3));
  EXPECT_THROWS_MESSAGE(
      G.SetFromRotationalInertia(RotationalInertia<double>(2, 4, 6), 0),
      std::logic_error, "mass is 0; it must be positive");
}

TEST(UnitInertia, ImpossibleLengthsAreRefusedByName) {
  const Vector3d z = Vector3d::UnitZ();
  EXPECT_THROWS_MESSAGE(Unit::SolidBox(1, -1, 1), std::logic_error,
                        "y-length is -1");
  EXPECT_THROWS_MESSAGE(Unit::SolidSphere(-1), std::logic_error, "radius");
  EXPECT_THROWS_MESSAGE(Unit::HollowSphere(INFINITY), std::logic_error,
                        "radius is inf");
  EXPECT_THROWS_MESSAGE(Unit::SolidEllipsoid(1, 1, -2), std::logic_error,
                        "semi-axis c is -2");
  EXPECT_THROWS_MESSAGE(Unit::SolidCylinder(1, -1, z), std::logic_error,
                        "SolidCylinder(): length is -1");
  EXPECT_THROWS_MESSAGE(Unit::SolidCylinderAboutEnd(-1, 1, z), std::logic_error,
                        "radius is -1");
  EXPECT_THROWS_MESSAGE(Unit::SolidCapsule(1, -1, z), std::logic_error,
                        "SolidCapsule(): length is -1");
  EXPECT_THROWS_MESSAGE(Unit::ThinRod(0, z), std::logic_error, "length is 0");
  EXPECT_THROWS_MESSAGE(Unit::StraightLine(0, z), std::logic_error,
                        "moment_perpendicular is 0");
  EXPECT_THROWS_MESSAGE(
      Unit::SolidTetrahedronAboutVertex(z, z, Vector3d(0, NAN, 0)),
      std::logic_error, "vertex[1] is nan; it must be finite");
}

TEST(UnitInertia, ImpossibleAxesAreRefusedByName) {
  const Vector3d z = Vector3d::UnitZ();
  EXPECT_THROWS_MESSAGE(Unit::SolidCylinder(1, 1, 2 * z), std::logic_error,
                        "SolidCylinder(): the vector (0, 0, 2)");
  EXPECT_THROWS_MESSAGE(Unit::AxiallySymmetric(3, 1, z), std::logic_error,
                        "triangle inequality");
  EXPECT_NO_THROW(Unit::AxiallySymmetric(2, 1, z));
  EXPECT_THROWS_MESSAGE(Unit(1, 1, 3), std::logic_error, "triangle inequality");
}

TEST(UnitInertia, CastKeepsTheElements) {
  const Unit G(5, 6, 7, 0.1, 0.2, 0.3);
  EXPECT_EQ(G.cast<AutoDiffXd>().cast<double>().CopyToFullMatrix3(),
            G.CopyToFullMatrix3());
}

}  // namespace unit_inertia_test
}  // namespace wyvern::multibody
