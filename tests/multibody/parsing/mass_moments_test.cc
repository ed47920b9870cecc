#include "wyvern/multibody/parsing/mass_moments.h"

#include <array>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "wyvern/multibody/math/spatial_inertia.h"

namespace wyvern::multibody::internal {
namespace mass_moments_test {

using math::RigidTransform;
using std::numbers::pi;

constexpr double kTolerance = 1e-14;

void ExpectInertia(const MassMoments& ours,
                   const SpatialInertia<double>& wanted) {
  EXPECT_NEAR(ours.mass, wanted.get_mass(), kTolerance);
  EXPECT_TRUE(ours.CentralInertia().isApprox(
      wanted.CalcRotationalInertia().CopyToFullMatrix3(), kTolerance));
}

TEST(MassMoments, OfSolidsAreTheirClosedForms) {
  using Inertia = SpatialInertia<double>;
  ExpectInertia(SolidBox({0.1, 0.2, 0.3}),
                Inertia::SolidBoxWithDensity(1, 0.2, 0.4, 0.6));
  ExpectInertia(SolidEllipsoid({0.1, 0.2, 0.3}),
                Inertia::SolidEllipsoidWithDensity(1, 0.1, 0.2, 0.3));
  const Vector3<double> z = Vector3<double>::UnitZ();
  ExpectInertia(SolidCylinder(0.2, 0.5),
                Inertia::SolidCylinderWithDensity(1, 0.2, 1.0, z));
  ExpectInertia(SolidCapsule(0.2, 0.5),
                Inertia::SolidCapsuleWithDensity(1, 0.2, 1.0, z));
  ExpectInertia(HollowSphere(0.3), Inertia::HollowSphereWithDensity(1, 0.3));
}

// A thin shell is what two solids differ by: to first order in its thickness,
// its moments are the derivatives of the solid's when all faces move out.
TEST(MassMoments, OfHollowShapesAreDerivativesOfSolids) {
  const double h = 1e-5;
  const auto expect = [&](const MassMoments& hollow, MassMoments outer,
                          const MassMoments& inner) {
    outer += inner.Times(-1);
    EXPECT_NEAR(hollow.mass, outer.mass / (2 * h), 1e-8);
    EXPECT_TRUE(hollow.second.isApprox(outer.second / (2 * h), 1e-8));
  };
  expect(HollowBox({0.1, 0.2, 0.3}), SolidBox({0.1 + h, 0.2 + h, 0.3 + h}),
         SolidBox({0.1 - h, 0.2 - h, 0.3 - h}));
  expect(HollowCylinder(0.2, 0.5), SolidCylinder(0.2 + h, 0.5 + h),
         SolidCylinder(0.2 - h, 0.5 - h));
  expect(HollowCapsule(0.2, 0.5), SolidCapsule(0.2 + h, 0.5),
         SolidCapsule(0.2 - h, 0.5));
}

TEST(MassMoments, MoveWithTheirFrame) {
  const RigidTransform<double> X(
      math::RotationMatrix<double>::MakeXRotation(0.3),
      Vector3<double>(1, -2, 3));
  const MassMoments moved = SolidBox({0.1, 0.2, 0.3}).In(X);
  EXPECT_TRUE(moved.center().isApprox(X.translation(), kTolerance));
  const Matrix3<double>& R = X.rotation().matrix();
  // Moments of 10 are subtracted.
  EXPECT_TRUE(moved.CentralInertia().isApprox(
      R * SolidBox({0.1, 0.2, 0.3}).CentralInertia() * R.transpose(), 1e-12));
}

// The box (0, 2) x (0, 3) x (0, 5).
struct BoxOfTriangles {
  std::vector<Vector3<double>> vertices;
  std::vector<std::array<int, 3>> triangles{
      {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

  BoxOfTriangles() {
    for (int i = 0; i < 8; ++i) {
      vertices.emplace_back(2.0 * (i & 1), 1.5 * (i & 2), 1.25 * (i & 4));
    }
  }
};

TEST(MassMoments, OfTrianglesAreThoseOfTheShape) {
  const BoxOfTriangles box;
  const Vector3<double> half(1, 1.5, 2.5);
  const RigidTransform<double> X(half);
  for (const Inward inward : {Inward::kNegative, Inward::kPositive}) {
    const MassMoments solid =
        SolidOfTriangles(box.vertices, box.triangles, inward);
    EXPECT_NEAR(solid.mass, 30, 1e-13);
    EXPECT_TRUE(solid.second.isApprox(SolidBox(half).In(X).second, kTolerance));
  }
  const MassMoments hollow = HollowOfTriangles(box.vertices, box.triangles);
  EXPECT_NEAR(hollow.mass, 62, 1e-13);
  EXPECT_TRUE(hollow.center().isApprox(half, kTolerance));
  EXPECT_TRUE(hollow.second.isApprox(HollowBox(half).In(X).second, kTolerance));
}

TEST(MassMoments, OfTrianglesThatLookInwardCountAsAsked) {
  BoxOfTriangles box;
  for (auto& t : box.triangles) std::swap(t[1], t[2]);
  const auto mass = [&](Inward inward) {
    return SolidOfTriangles(box.vertices, box.triangles, inward).mass;
  };
  EXPECT_NEAR(mass(Inward::kNegative), -30, 1e-13);
  EXPECT_NEAR(mass(Inward::kPositive), 30, 1e-13);
}

TEST(MassMoments, OfNothingHaveNoInertia) {
  const MassMoments none = SolidOfTriangles({}, {}, Inward::kPositive);
  EXPECT_EQ(none.mass, 0);
  EXPECT_TRUE(none.CentralInertia().isZero(0));
}

}  // namespace mass_moments_test
}  // namespace wyvern::multibody::internal
