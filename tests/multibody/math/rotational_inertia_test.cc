#include "wyvern/multibody/math/rotational_inertia.h"

#include <sstream>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/cross_product.h"

namespace wyvern::multibody {
namespace rotational_inertia_test {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Inertia = RotationalInertia<double>;
using math::RotationMatrixd;
using math::internal::ValuesOf;
using test::Near;
using test::RandomPose;

constexpr double kTolerance = 5e-14;  // Sums of ten products of size 10.

// Some particles: every law is checked against sums over them.
struct Particles {
  explicit Particles(RandomPose* random, int n = 6) {
    for (int i = 0; i < n; ++i) {
      masses.push_back(random->Scalar(0.1, 1));
      positions.push_back(random->Vector3());
      mass += masses[i];
      center += masses[i] * positions[i];
    }
    center /= mass;
  }
  // -Σ m [r]x [r]x about the point at p.
  Matrix3d About(const Vector3d& p) const {
    Matrix3d I = Matrix3d::Zero();
    for (size_t i = 0; i < masses.size(); ++i) {
      const Matrix3d r = math::VectorToSkewSymmetric(positions[i] - p);
      I -= masses[i] * r * r;
    }
    return I;
  }
  Inertia InertiaAbout(const Vector3d& p) const {
    Inertia I;
    I.SetZero();
    for (size_t i = 0; i < masses.size(); ++i) {
      I += Inertia(masses[i], Vector3d(positions[i] - p));
    }
    return I;
  }
  std::vector<double> masses;
  std::vector<Vector3d> positions;
  double mass{0};
  Vector3d center{0, 0, 0};
};

TEST(RotationalInertia, IsTheSumOverParticles) {
  RandomPose random;
  const Particles particles(&random);
  const Vector3d p = random.Vector3();
  EXPECT_TRUE(Near(particles.InertiaAbout(p).CopyToFullMatrix3(),
                   particles.About(p), kTolerance));
}

TEST(RotationalInertia, ShiftsFollowTheParallelAxisTheorem) {
  RandomPose random;
  const Particles body(&random);
  const Vector3d p = random.Vector3(), q = random.Vector3();
  const Vector3d cm = body.center;
  const Inertia I_p = body.InertiaAbout(p);
  const Inertia I_cm = I_p.ShiftToCenterOfMass(body.mass, cm - p);
  EXPECT_TRUE(Near(I_cm.CopyToFullMatrix3(), body.About(cm), kTolerance));
  const Inertia I_q = I_cm.ShiftFromCenterOfMass(body.mass, q - cm);
  EXPECT_TRUE(Near(I_q.CopyToFullMatrix3(), body.About(q), kTolerance));
  const Inertia direct =
      I_p.ShiftToThenAwayFromCenterOfMass(body.mass, cm - p, cm - q);
  EXPECT_TRUE(Near(direct.CopyToFullMatrix3(), body.About(q), kTolerance));
}

TEST(RotationalInertia, ReExpressionKeepsEnergyAndSymmetry) {
  RandomPose random;
  const Inertia I_E = Particles(&random).InertiaAbout(Vector3d::Zero());
  const RotationMatrixd R_AE = random.Rotation();
  const Inertia I_A = I_E.ReExpress(R_AE);
  const Vector3d w_E = random.Vector3(), w_A = R_AE * w_E;
  EXPECT_TRUE(Near(I_A * w_A, R_AE * (I_E * w_E), kTolerance));
  const Matrix3d m = I_A.CopyToFullMatrix3();
  EXPECT_EQ(m, m.transpose());
}

TEST(RotationalInertia, PrincipalAxesDiagonalizeIt) {
  RandomPose random;
  for (int i = 0; i < 50; ++i) {
    const Inertia I_E = Particles(&random).InertiaAbout(random.Vector3());
    const auto [moments, R_EA] = I_E.CalcPrincipalMomentsAndAxesOfInertia();
    EXPECT_LE(moments(0), moments(1));
    EXPECT_LE(moments(1), moments(2));
    EXPECT_TRUE(R_EA.IsValid());
    EXPECT_TRUE(Near(I_E.ReExpress(R_EA.inverse()).CopyToFullMatrix3(),
                     Matrix3d(moments.asDiagonal()), kTolerance));
    EXPECT_TRUE(Near(I_E.CalcPrincipalMomentsOfInertia(), moments, kTolerance));
  }
}

TEST(RotationalInertia, PrincipalAxesOfADiagonalAreCoordinateAxes) {
  const auto [moments, R] =
      Inertia(4, 2, 3).CalcPrincipalMomentsAndAxesOfInertia();
  EXPECT_EQ(moments, Vector3d(2, 3, 4));
  Matrix3d expected;  // y, z, x.
  expected << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  EXPECT_EQ(R.matrix(), expected);
  const auto triaxial =
      Inertia::TriaxiallySymmetric(2).CalcPrincipalMomentsAndAxesOfInertia();
  EXPECT_TRUE(triaxial.second.IsExactlyIdentity());
}

TEST(RotationalInertia, ElementsAreWhereTheirNamesSay) {
  const Inertia I(5, 6, 7, 0.1, 0.2, 0.3);
  EXPECT_EQ(I.get_moments(), Vector3d(5, 6, 7));
  EXPECT_EQ(I.get_products(), Vector3d(0.1, 0.2, 0.3));
  EXPECT_EQ(I(0, 1), 0.1);
  EXPECT_EQ(I(2, 0), 0.2);
  EXPECT_EQ(I(1, 2), 0.3);
  EXPECT_EQ(I.Trace(), 18);
  EXPECT_EQ(I.CalcMaximumPossibleMomentOfInertia(), 9);
  EXPECT_EQ(I.rows(), 3);
  EXPECT_EQ(I.cols(), 3);
}

TEST(RotationalInertia, ArithmeticIsThatOfMatrices) {
  const Inertia a(5, 6, 7, 0.1, 0.2, 0.3), b(2, 2, 2);
  const Matrix3d A = a.CopyToFullMatrix3(), B = b.CopyToFullMatrix3();
  EXPECT_EQ((a + b).CopyToFullMatrix3(), A + B);
  EXPECT_EQ((a - b).CopyToFullMatrix3(), A - B);
  EXPECT_EQ((a * 2).CopyToFullMatrix3(), 2 * A);
  EXPECT_EQ((2 * a).CopyToFullMatrix3(), 2 * A);
  EXPECT_EQ((a / 2).CopyToFullMatrix3(), A / 2);
  EXPECT_EQ(a.MultiplyByScalarSkipValidityCheck(-2).CopyToFullMatrix3(),
            -2 * A);
}

TEST(RotationalInertia, NearnessIsRelativeToTheSmallerOne) {
  const Inertia a(1, 1, 1), b(1, 1, 1.01);
  EXPECT_TRUE(a.IsNearlyEqualTo(b, 0.0067));  // 0.01 of 1.5.
  EXPECT_FALSE(a.IsNearlyEqualTo(b, 0.0066));
}

TEST(RotationalInertia, NanAndZeroAreKnown) {
  Inertia I;
  EXPECT_TRUE(I.IsNaN());
  EXPECT_FALSE(I.CouldBePhysicallyValid());
  EXPECT_THROWS_MESSAGE(I.CalcPrincipalMomentsOfInertia(), std::logic_error,
                        "I(0, 0) is nan; it must be finite");
  I.SetZero();
  EXPECT_TRUE(I.IsZero());
  EXPECT_FALSE(I.IsNaN());
  EXPECT_TRUE(I.CouldBePhysicallyValid());
  I.SetToNaN();
  EXPECT_TRUE(I.IsNaN());
}

TEST(RotationalInertia, ImpossibleNumbersAreRefusedByName) {
  EXPECT_THROWS_MESSAGE(Inertia(1, 1, 2.01), std::logic_error,
                        "triangle inequality");
  EXPECT_THROWS_MESSAGE(Inertia(-1, 1, 1), std::logic_error,
                        "negative principal moment -1");
  EXPECT_THROWS_MESSAGE(Inertia(1, 1, std::nan("")), std::logic_error,
                        "not finite");
  // The diagonal alone would pass.
  EXPECT_THROWS_MESSAGE(Inertia(1, 1, 1, 0.9, 0, 0), std::logic_error,
                        "triangle inequality");
  EXPECT_THROWS_MESSAGE(Inertia(-1, Vector3d(1, 0, 0)), std::logic_error,
                        "mass is -1");
  EXPECT_THROWS_MESSAGE(Inertia(1, Vector3d(INFINITY, 0, 0)), std::logic_error,
                        "p_PQ_E[0] is inf; it must be finite");
  const Inertia skipped =
      Inertia::MakeFromMomentsAndProductsOfInertia(1, 1, 9, 0, 0, 0, true);
  EXPECT_FALSE(skipped.CouldBePhysicallyValid());
}

TEST(RotationalInertia, ToleranceIsRelativeToSize) {
  for (const double size : {1e-12, 1.0, 1e12}) {
    EXPECT_NO_THROW(Inertia(size, size, size * (2 + 1e-13)));
    EXPECT_THROW(Inertia(size, size, size * (2 + 1e-11)), std::logic_error);
  }
}

TEST(RotationalInertia, OperatorsRefuseWhatLeavesNoBody) {
  Inertia I(1, 1, 1);
  EXPECT_THROWS_MESSAGE(I - Inertia(2, 2, 2), std::logic_error,
                        "negative principal moment");
  EXPECT_THROWS_MESSAGE(I *= -1, std::logic_error, "the scalar is -1");
  EXPECT_THROWS_MESSAGE(I /= 0, std::logic_error, "the scalar is 0");
  EXPECT_THROWS_MESSAGE(I.ShiftToCenterOfMass(1, Vector3d(2, 0, 0)),
                        std::logic_error, "ShiftToCenterOfMass()");
  EXPECT_EQ(I.get_moments(), Vector3d(1, 1, 1));
}

TEST(RotationalInertia, DerivativesComeThrough) {
  // A particle at (x, 0, 0) has Iyy = m x²: dIyy/dx = 2 m x.
  const AutoDiffXd x(3.0, 1, 0);
  const RotationalInertia<AutoDiffXd> I(AutoDiffXd(2),
                                        Vector3<AutoDiffXd>(x, 0, 0));
  EXPECT_EQ(I(1, 1).value(), 18);
  EXPECT_EQ(I(1, 1).derivatives()(0), 12);
  EXPECT_TRUE(I.CouldBePhysicallyValid());
  EXPECT_TRUE(Near(I.cast<double>().CopyToFullMatrix3(),
                   ValuesOf(I.CopyToFullMatrix3())));
}

TEST(RotationalInertia, NothingAllocates) {
  RandomPose random;
  const Inertia I = Particles(&random).InertiaAbout(Vector3d::Zero());
  const RotationMatrixd R = random.Rotation();
  const Vector3d p = random.Vector3();
  test::AllocationGuard guard;
  const Inertia J = I.ReExpress(R).ShiftFromCenterOfMass(2, p) + I;
  const bool valid = J.CouldBePhysicallyValid();
  EXPECT_EQ(guard.count(), 0);
  EXPECT_TRUE(valid);
}

TEST(RotationalInertia, PrintsItsRows) {
  std::ostringstream out;
  out << Inertia(1, 2, 3);
  EXPECT_EQ(out.str(), "1 0 0\n0 2 0\n0 0 3");
}

TEST(RotationalInertiaElements, OutOfRangeAreRefused) {
  const RotationalInertia<double> I(1, 1.5, 2);
  EXPECT_EQ(I(1, 1), 1.5);
  EXPECT_THROW(I(3, 0), std::out_of_range);
  EXPECT_THROW(I(0, -1), std::out_of_range);
}

}  // namespace rotational_inertia_test
}  // namespace wyvern::multibody
