#include "wyvern/multibody/math/spatial_inertia.h"

#include <sstream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/systems/common/math/symmetric_eigen.h"

namespace wyvern::multibody {
namespace spatial_inertia_test {

using Eigen::Vector3d;
using math::RotationMatrixd;
using math::internal::ValuesOf;
using test::Near;
using test::RandomPose;
using Spatial = SpatialInertia<double>;
using Unit = UnitInertia<double>;

constexpr double kTolerance = 2e-14;  // Sums of ten products of size 2.

// A box at a random pose from P.
Spatial RandomBody(RandomPose* random) {
  return Spatial::SolidBoxWithMass(
             random->Scalar(0.5, 2), random->Scalar(0.2, 1),
             random->Scalar(0.2, 1), random->Scalar(0.2, 1))
      .ReExpress(random->Rotation())
      .Shift(random->Vector3());
}

TEST(SpatialInertia, MatrixIsPositiveDefiniteAndTimesVelocityIsMomentum) {
  RandomPose random;
  const Spatial M = RandomBody(&random);
  const Matrix6<double> full = M.CopyToFullMatrix6();
  EXPECT_EQ(full, full.transpose());
  EXPECT_GT(math::internal::CalcSymmetricEigenvalues(full).minCoeff(), 0);
  const Vector6<double> v = random.Vector6();
  EXPECT_TRUE(Near((M * SpatialVelocity<double>(v)).get_coeffs(), full * v,
                   kTolerance));
  EXPECT_TRUE(Near((M * SpatialAcceleration<double>(v)).get_coeffs(), full * v,
                   kTolerance));
}

TEST(SpatialInertia, MatrixOnTheRightIsMultipliedByColumn) {
  RandomPose random;
  const Spatial M = RandomBody(&random);
  const Eigen::MatrixXd A = Eigen::MatrixXd::Random(6, 4);
  EXPECT_TRUE(Near(M * A, M.CopyToFullMatrix6() * A, kTolerance));
  EXPECT_THROWS_MESSAGE(M * Eigen::MatrixXd(5, 2), std::logic_error, "5 rows");
}

TEST(SpatialInertia, MomentumAndEnergyAreThoseOfTheCenterOfMass) {
  // l = m v_cm, h_P = I_cm w + p x l, 2 KE = m v_cm² + w I_cm w.
  RandomPose random;
  const Spatial M = RandomBody(&random);
  const SpatialVelocity<double> V(random.Vector6());
  const Vector3d p = M.get_com(), w = V.rotational();
  const Vector3d v_cm = V.Shift(p).translational();
  const Vector3d l = M.get_mass() * v_cm;
  const RotationalInertia<double> I_cm =
      M.CalcRotationalInertia().ShiftToCenterOfMass(M.get_mass(), p);
  const SpatialMomentum<double> L = M * V;
  EXPECT_TRUE(Near(L.translational(), l, kTolerance));
  EXPECT_TRUE(Near(L.rotational(), I_cm * w + p.cross(l), kTolerance));
  EXPECT_NEAR(L.dot(V), v_cm.dot(l) + w.dot(I_cm * w), kTolerance);
}

TEST(SpatialInertia, ShiftKeepsTheMomentumItGives) {
  RandomPose random;
  const Spatial M_P = RandomBody(&random);
  const SpatialVelocity<double> V_P(random.Vector6());
  const Vector3d p_PQ = random.Vector3();
  const Spatial M_Q = M_P.Shift(p_PQ);
  EXPECT_TRUE(Near((M_Q * V_P.Shift(p_PQ)).get_coeffs(),
                   (M_P * V_P).Shift(p_PQ).get_coeffs(), 2 * kTolerance));
  EXPECT_TRUE(Near(M_Q.get_com(), M_P.get_com() - p_PQ, kTolerance));
}

TEST(SpatialInertia, ReExpressionTurnsTheMomentum) {
  RandomPose random;
  const Spatial M = RandomBody(&random);
  const SpatialVelocity<double> V(random.Vector6());
  const RotationMatrixd R = random.Rotation();
  EXPECT_TRUE(Near((M.ReExpress(R) * (R * V)).get_coeffs(),
                   (R * (M * V)).get_coeffs(), kTolerance));
}

TEST(SpatialInertia, BodiesAddAsTheirMatricesDo) {
  RandomPose random;
  const Spatial A = RandomBody(&random), B = RandomBody(&random);
  Spatial sum = A;
  sum += B;
  EXPECT_TRUE(Near(sum.CopyToFullMatrix6(),
                   A.CopyToFullMatrix6() + B.CopyToFullMatrix6(), kTolerance));
  EXPECT_TRUE(sum.IsPhysicallyValid());
  EXPECT_TRUE(Near(sum.CalcComMoment(), A.CalcComMoment() + B.CalcComMoment(),
                   kTolerance));
}

TEST(SpatialInertia, MasslessBodiesAddToAMasslessBody) {
  Spatial M = Spatial::Zero();
  M += Spatial::Zero();
  EXPECT_TRUE(M.IsZero());
  M += Spatial::SolidSphereWithMass(2, 1);
  EXPECT_EQ(M.get_mass(), 2);
  EXPECT_TRUE(M.IsPhysicallyValid());
}

TEST(SpatialInertia, CentralInertiaIsShiftedOut) {
  const RotationalInertia<double> I_cm(2, 3, 4);
  const Vector3d p(1, 2, 3);
  const Spatial M = Spatial::MakeFromCentralInertia(2, p, I_cm);
  EXPECT_TRUE(Near(M.Shift(p).CalcRotationalInertia().CopyToFullMatrix3(),
                   I_cm.CopyToFullMatrix3(), kTolerance));
  EXPECT_EQ(M.get_com(), p);
  EXPECT_THROWS_MESSAGE(Spatial::MakeFromCentralInertia(0, p, I_cm),
                        std::logic_error, "mass is 0; it must be positive");
}

TEST(SpatialInertia, DensityTimesVolumeIsTheMass) {
  const Vector3d z = Vector3d::UnitZ();
  const double r = 0.5, l = 2, ball = 4 * M_PI / 3 * r * r * r;
  const auto mass = [](const Spatial& M) { return M.get_mass(); };
  EXPECT_NEAR(mass(Spatial::SolidBoxWithDensity(10, 1, 2, 3)), 60, 1e-13);
  EXPECT_NEAR(mass(Spatial::SolidCubeWithDensity(10, 2)), 80, 1e-13);
  EXPECT_NEAR(mass(Spatial::SolidSphereWithDensity(10, r)), 10 * ball, 1e-13);
  EXPECT_NEAR(mass(Spatial::HollowSphereWithDensity(10, r)), 40 * M_PI * r * r,
              1e-13);
  EXPECT_NEAR(mass(Spatial::SolidEllipsoidWithDensity(10, r, 2 * r, 3 * r)),
              60 * ball, 1e-13);
  const double cylinder = M_PI * r * r * l;
  EXPECT_NEAR(mass(Spatial::SolidCylinderWithDensity(10, r, l, z)),
              10 * cylinder, 1e-13);
  EXPECT_NEAR(mass(Spatial::SolidCylinderWithDensityAboutEnd(10, r, l, z)),
              10 * cylinder, 1e-13);
  EXPECT_NEAR(mass(Spatial::SolidCapsuleWithDensity(10, r, l, z)),
              10 * (cylinder + ball), 1e-13);
}

TEST(SpatialInertia, ShapesHaveTheirUnitInertiaAboutTheirCenter) {
  const Vector3d u = RandomPose().UnitVector3();
  const auto check = [](const Spatial& M, const Unit& G) {
    EXPECT_TRUE(
        Near(M.get_unit_inertia().CopyToFullMatrix3(), G.CopyToFullMatrix3()));
    EXPECT_EQ(M.get_com(), Vector3d::Zero());
    EXPECT_EQ(M.get_mass(), 7);
  };
  check(Spatial::SolidBoxWithMass(7, 1, 2, 3), Unit::SolidBox(1, 2, 3));
  check(Spatial::SolidCubeWithMass(7, 2), Unit::SolidCube(2));
  check(Spatial::SolidSphereWithMass(7, 2), Unit::SolidSphere(2));
  check(Spatial::HollowSphereWithMass(7, 2), Unit::HollowSphere(2));
  check(Spatial::SolidEllipsoidWithMass(7, 1, 2, 3),
        Unit::SolidEllipsoid(1, 2, 3));
  check(Spatial::SolidCylinderWithMass(7, 1, 2, u),
        Unit::SolidCylinder(1, 2, u));
  check(Spatial::SolidCapsuleWithMass(7, 1, 2, u), Unit::SolidCapsule(1, 2, u));
  check(Spatial::ThinRodWithMass(7, 2, u), Unit::ThinRod(2, u));
}

TEST(SpatialInertia, AboutAnEndTheCenterIsHalfTheLengthAway) {
  const Vector3d u = RandomPose().UnitVector3();
  const Spatial cylinder = Spatial::SolidCylinderWithMassAboutEnd(7, 1, 2, u);
  EXPECT_TRUE(Near(cylinder.get_com(), u, kTolerance));
  EXPECT_TRUE(Near(cylinder.get_unit_inertia().CopyToFullMatrix3(),
                   Unit::SolidCylinderAboutEnd(1, 2, u).CopyToFullMatrix3(),
                   kTolerance));
  const Spatial rod = Spatial::ThinRodWithMassAboutEnd(7, 2, u);
  EXPECT_TRUE(Near(rod.get_com(), u, kTolerance));
  // m l²/3 about the end.
  EXPECT_TRUE(Near(rod.CalcRotationalInertia() * u.unitOrthogonal(),
                   7 * 4.0 / 3 * u.unitOrthogonal(), kTolerance));
}

TEST(SpatialInertia, TetrahedronHasItsVolumeAndCenter) {
  const Vector3d x = 2 * Vector3d::UnitX(), y = 3 * Vector3d::UnitY(),
                 z = 4 * Vector3d::UnitZ(), a(1, 1, 1);
  const Spatial M =
      Spatial::SolidTetrahedronAboutVertexWithDensity(10, x, y, z);
  EXPECT_NEAR(M.get_mass(), 40, 1e-13);  // 10 * 24/6.
  EXPECT_TRUE(Near(M.get_com(), Vector3d(0.5, 0.75, 1), kTolerance));
  EXPECT_TRUE(M.IsPhysicallyValid());
  const Spatial about_a = Spatial::SolidTetrahedronAboutPointWithDensity(
      10, -a, x - a, z - a, y - a);  // The other orientation.
  EXPECT_TRUE(
      Near(about_a.CopyToFullMatrix6(), M.Shift(a).CopyToFullMatrix6(), 1e-12));
  EXPECT_THROWS_MESSAGE(
      Spatial::SolidTetrahedronAboutVertexWithDensity(10, x, y, x + y),
      std::logic_error, "volume between the vertices is 0");
}

TEST(SpatialInertia, PointMassIsAtItsPosition) {
  const Vector3d p(1, 2, 3);
  const Spatial M = Spatial::PointMass(2, p);
  EXPECT_EQ(M.get_com(), p);
  EXPECT_TRUE(M.IsPhysicallyValid());
  EXPECT_TRUE(M.Shift(p).get_unit_inertia().IsZero());
  EXPECT_TRUE(Spatial::PointMass(0, p).IsPhysicallyValid());
  EXPECT_THROWS_MESSAGE(Spatial::PointMass(-1, p), std::logic_error,
                        "mass is -1");
}

TEST(SpatialInertia, ImpossibleBodiesAreRefusedByName) {
  const Vector3d o = Vector3d::Zero();
  const Unit G = Unit::SolidSphere(1);
  EXPECT_THROWS_MESSAGE(Spatial(-1, o, G), std::logic_error,
                        "the mass is -1 kg");
  EXPECT_THROWS_MESSAGE(Spatial(NAN, o, G), std::logic_error,
                        "the mass is nan kg");
  EXPECT_THROWS_MESSAGE(Spatial(1, Vector3d(0, NAN, 0), G), std::logic_error,
                        "the center of mass is (0, nan, 0) m");
  EXPECT_THROWS_MESSAGE(Spatial(1, o, Unit()), std::logic_error, "not finite");
  // Possible about P, not with a center of mass that far.
  EXPECT_THROWS_MESSAGE(Spatial(1, Vector3d(1, 0, 0), G), std::logic_error,
                        "about the center of mass [0.4, 0, 0; 0, -0.6, 0; 0, "
                        "0, -0.6] has the negative principal moment -0.6");
  // About the center of mass (0.5, 0.11, 0.21) m².
  EXPECT_THROWS_MESSAGE(Spatial(1, Vector3d(0.7, 0, 0), Unit(0.5, 0.6, 0.7)),
                        std::logic_error, "triangle inequality");
}

TEST(SpatialInertia, CriticismIsEmptyForAPossibleBody) {
  EXPECT_EQ(Spatial::MakeUnitary().CriticizeNotPhysicallyValid(), "");
  const Spatial bad(-1, Vector3d::Zero(), Unit::SolidSphere(1), true);
  EXPECT_FALSE(bad.IsPhysicallyValid());
  EXPECT_NE(bad.CriticizeNotPhysicallyValid(), "");
}

TEST(SpatialInertia, ToleranceIsRelativeToTheInertiaAboutP) {
  // A ball of 1 cm 1 km away: rounding of 1e6 m² is 1e-10 m², as large as the
  // unit inertia of the ball itself, 4e-5 m², times 1e-6.
  const Spatial far =
      Spatial::SolidSphereWithMass(1, 0.01).Shift(Vector3d(600, 700, 300));
  EXPECT_TRUE(far.IsPhysicallyValid());
  EXPECT_NO_THROW(Spatial(1, far.get_com(), far.get_unit_inertia()));
}

TEST(SpatialInertia, ShapesRefuseWhatIsNotPositive) {
  const Vector3d z = Vector3d::UnitZ();
  EXPECT_THROWS_MESSAGE(Spatial::SolidBoxWithMass(0, 1, 1, 1), std::logic_error,
                        "mass is 0");
  EXPECT_THROWS_MESSAGE(Spatial::SolidBoxWithDensity(1, 1, 0, 1),
                        std::logic_error, "the second length is 0");
  EXPECT_THROWS_MESSAGE(Spatial::SolidCubeWithDensity(-1, 1), std::logic_error,
                        "density is -1");
  EXPECT_THROWS_MESSAGE(Spatial::SolidCubeWithMass(1, 0), std::logic_error,
                        "length is 0");
  EXPECT_THROWS_MESSAGE(Spatial::SolidSphereWithMass(1, INFINITY),
                        std::logic_error, "radius is inf");
  EXPECT_THROWS_MESSAGE(Spatial::HollowSphereWithDensity(0, 1),
                        std::logic_error, "area_density is 0");
  EXPECT_THROWS_MESSAGE(Spatial::SolidEllipsoidWithMass(1, 1, 1, 0),
                        std::logic_error, "the third semi-axis is 0");
  EXPECT_THROWS_MESSAGE(Spatial::SolidCylinderWithMass(1, 0, 1, z),
                        std::logic_error, "radius is 0");
  EXPECT_THROWS_MESSAGE(Spatial::SolidCapsuleWithMass(1, 1, 0, z),
                        std::logic_error, "length is 0");
  EXPECT_THROWS_MESSAGE(Spatial::SolidCapsuleWithMass(1, 1, 1, 2 * z),
                        std::logic_error, "has the length 2");
  EXPECT_THROWS_MESSAGE(Spatial::ThinRodWithMass(1, 0, z), std::logic_error,
                        "length is 0");
}

TEST(SpatialInertia, EquivalentShapesHaveTheSameInertia) {
  RandomPose random;
  for (int i = 0; i < 20; ++i) {
    const Spatial M = RandomBody(&random);
    const auto [half, X_PA] = M.CalcPrincipalHalfLengthsAndPoseForSolidBox();
    const Spatial box = Spatial::SolidBoxWithMass(M.get_mass(), 2 * half(0),
                                                  2 * half(1), 2 * half(2));
    EXPECT_TRUE(Near(box.ReExpress(X_PA.rotation())
                         .Shift(-X_PA.translation())
                         .CopyToFullMatrix6(),
                     M.CopyToFullMatrix6(), 1e-13));
    const auto [semi, X_PB] =
        M.CalcPrincipalSemiDiametersAndPoseForSolidEllipsoid();
    EXPECT_GE(semi(0), semi(1));
    const Spatial ball = Spatial::SolidEllipsoidWithMass(M.get_mass(), semi(0),
                                                         semi(1), semi(2));
    EXPECT_TRUE(Near(ball.ReExpress(X_PB.rotation())
                         .Shift(-X_PB.translation())
                         .CopyToFullMatrix6(),
                     M.CopyToFullMatrix6(), 1e-13));
  }
}

TEST(SpatialInertia, MinimumBoundingBoxHasTheMassAtItsCorners) {
  Spatial corners = Spatial::Zero();
  for (const double x : {-3, 3}) {
    for (const double y : {-2, 2}) {
      for (const double z : {-1, 1}) {
        corners += Spatial::PointMass(0.5, Vector3d(x, y, z));
      }
    }
  }
  const auto [half, X_PA] =
      corners.CalcPrincipalHalfLengthsAndPoseForMinimumBoundingBox();
  EXPECT_TRUE(Near(half, Vector3d(3, 2, 1), kTolerance));
  EXPECT_THROWS_MESSAGE(
      Spatial::Zero().CalcPrincipalHalfLengthsAndPoseForMinimumBoundingBox(),
      std::logic_error, "mass is 0");
}

// Robots have such links for sensors. Half lengths are roots of rounding.
TEST(SpatialInertia, APointMassHasAnEllipsoidOfNoSize) {
  RandomPose random;
  for (int i = 0; i < 100; ++i) {
    const Vector3d p = random.Vector3();
    const auto [semi, X_PB] =
        Spatial::PointMass(0.1, p)
            .CalcPrincipalSemiDiametersAndPoseForSolidEllipsoid();
    EXPECT_LE(semi.maxCoeff(), 1e-7 * (1 + p.norm()));
    EXPECT_EQ(X_PB.translation(), p);
  }
}

TEST(SpatialInertia, NoBodyIsShorterThanTheMinimumLength) {
  // Equality: four equal particles at the vertices of a regular tetrahedron.
  const Vector3d v[] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  Spatial M = Spatial::Zero();
  for (const Vector3d& p : v) M += Spatial::PointMass(1, p);
  EXPECT_NEAR(M.CalcMinimumPhysicalLength(), std::sqrt(8), kTolerance);
  EXPECT_LT(Spatial::SolidSphereWithMass(1, 1).CalcMinimumPhysicalLength(), 2);
  EXPECT_EQ(Spatial::PointMass(1, v[0]).CalcMinimumPhysicalLength(), 0);
}

TEST(SpatialInertia, NanAndZeroAreKnown) {
  Spatial M = Spatial::NaN();
  EXPECT_TRUE(M.IsNaN());
  EXPECT_TRUE(Spatial().IsNaN());
  M = Spatial::Zero();
  EXPECT_TRUE(M.IsZero());
  EXPECT_TRUE(M.IsPhysicallyValid());
  M.SetNaN();
  EXPECT_TRUE(M.IsNaN());
  EXPECT_FALSE(Spatial::MakeUnitary().IsZero());
}

TEST(SpatialInertia, DerivativesComeThrough) {
  // About the end of a rod of length l, m l²/3: the derivative is 2 m l/3.
  const AutoDiffXd l(3.0, 1, 0);
  const auto M = SpatialInertia<AutoDiffXd>::ThinRodWithMassAboutEnd(
      2.0, l, Vector3<AutoDiffXd>::UnitX());
  const auto I = M.CalcRotationalInertia();
  EXPECT_NEAR(I(1, 1).value(), 6, kTolerance);
  EXPECT_NEAR(I(1, 1).derivatives()(0), 4, kTolerance);
  EXPECT_TRUE(M.IsPhysicallyValid());
  EXPECT_TRUE(Near(M.cast<double>().CopyToFullMatrix6(),
                   ValuesOf(M.CopyToFullMatrix6())));
}

TEST(SpatialInertia, NothingAllocates) {
  RandomPose random;
  const Spatial A = RandomBody(&random), B = RandomBody(&random);
  const RotationMatrixd R = random.Rotation();
  const SpatialVelocity<double> V(random.Vector6());
  const Vector3d p = random.Vector3();
  test::AllocationGuard guard;
  Spatial M = A.ReExpress(R).Shift(p);
  M += B;
  const SpatialMomentum<double> L = M * V;
  const Spatial checked(M.get_mass(), M.get_com(), M.get_unit_inertia());
  EXPECT_EQ(guard.count(), 0);
  EXPECT_TRUE(L.IsApprox(checked * V, kTolerance));
}

TEST(SpatialInertia, PrintsItsNumbers) {
  std::ostringstream out;
  out << Spatial::PointMass(2, Vector3d(1, 0, 0));
  EXPECT_EQ(out.str(),
            "mass = 2\ncenter of mass = [1, 0, 0]\ninertia =\n0 0 0\n0 2 0\n"
            "0 0 2");
}

}  // namespace spatial_inertia_test
}  // namespace wyvern::multibody
