#include "wyvern/multibody/math/spatial_vector.h"

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/cross_product.h"
#include "wyvern/multibody/math/spatial_algebra.h"

namespace wyvern::multibody {
namespace spatial_vector_test {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::RigidTransform;
using math::RotationMatrix;
using math::RotationMatrixd;
using test::Near;
using test::RandomPose;
using Vector6d = Vector6<double>;

constexpr double kTolerance = 16 * std::numeric_limits<double>::epsilon();

// Laws of every spatial vector.
template <typename Quantity>
class SpatialVectorTest : public ::testing::Test {
 protected:
  Quantity Random() { return Quantity(random_.Vector6()); }
  RandomPose random_;
};
using Quantities =
    ::testing::Types<SpatialVelocity<double>, SpatialAcceleration<double>,
                     SpatialForce<double>, SpatialMomentum<double>>;
TYPED_TEST_SUITE(SpatialVectorTest, Quantities);

TYPED_TEST(SpatialVectorTest, RotationalElementsComeFirst) {
  const TypeParam V(Vector3d(1, 2, 3), Vector3d(4, 5, 6));
  EXPECT_EQ(V.size(), 6);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(V[i], i + 1);
    EXPECT_EQ(V.data()[i], i + 1);
    EXPECT_EQ(V.get_coeffs()(i), i + 1);
  }
  EXPECT_EQ(V.rotational(), Vector3d(1, 2, 3));
  EXPECT_EQ(V.translational(), Vector3d(4, 5, 6));
}

TYPED_TEST(SpatialVectorTest, EveryMutableAccessWritesTheSameElements) {
  TypeParam V = TypeParam::Zero();
  V.rotational() = Vector3d(1, 2, 3);
  V.translational() = Vector3d(4, 5, 6);
  V[0] = 7;
  V.mutable_data()[1] = 8;
  V.get_coeffs()(5) = 9;
  Vector6d expected;
  expected << 7, 8, 3, 4, 5, 9;
  EXPECT_EQ(V.get_coeffs(), expected);
}

TYPED_TEST(SpatialVectorTest, ArithmeticIsThatOfSixNumbers) {
  const TypeParam a = this->Random(), b = this->Random();
  const Vector6d x = a.get_coeffs(), y = b.get_coeffs();
  EXPECT_EQ((a + b).get_coeffs(), x + y);
  EXPECT_EQ((a - b).get_coeffs(), x - y);
  EXPECT_EQ((-a).get_coeffs(), -x);
  EXPECT_EQ((2 * a).get_coeffs(), 2 * x);
  EXPECT_EQ((a * 2).get_coeffs(), 2 * x);
  TypeParam c = a;
  c += b;
  EXPECT_EQ(c.get_coeffs(), x + y);
  c -= b;
  c *= 3;
  EXPECT_TRUE(Near(c.get_coeffs(), 3 * x, kTolerance));
}

TYPED_TEST(SpatialVectorTest, RotationTurnsBothParts) {
  const TypeParam a = this->Random();
  const RotationMatrixd R = this->random_.Rotation();
  const TypeParam b = R * a;
  EXPECT_TRUE(Near(b.rotational(), R * a.rotational(), kTolerance));
  EXPECT_TRUE(Near(b.translational(), R * a.translational(), kTolerance));
}

TYPED_TEST(SpatialVectorTest, DifferencesAreKeptApart) {
  const TypeParam a(Vector3d(1, 2, 3), Vector3d(4, 5, 6));
  const TypeParam b(Vector3d(1, 2.25, 3), Vector3d(4, 5, 5.5));
  const auto [rotational, translational] = a.GetMaximumAbsoluteDifferences(b);
  EXPECT_EQ(rotational, 0.25);
  EXPECT_EQ(translational, 0.5);
  EXPECT_TRUE(a.IsNearlyEqualWithinAbsoluteTolerance(b, 0.25, 0.5));
  EXPECT_FALSE(a.IsNearlyEqualWithinAbsoluteTolerance(b, 0.24, 0.5));
  EXPECT_FALSE(a.IsNearlyEqualWithinAbsoluteTolerance(b, 0.25, 0.49));
  EXPECT_TRUE(a.IsApprox(b, 0.5));
  EXPECT_FALSE(a.IsApprox(b));
}

TYPED_TEST(SpatialVectorTest, NanIsNearNothing) {
  TypeParam nan = TypeParam::Zero();
  nan.SetNaN();
  EXPECT_TRUE(nan.get_coeffs().array().isNaN().all());
  EXPECT_FALSE(nan.IsApprox(nan, 1));
  EXPECT_TRUE(nan.SetZero().IsApprox(TypeParam::Zero(), 0));
}

TYPED_TEST(SpatialVectorTest, PrintsSixElements) {
  std::ostringstream out;
  out << TypeParam(Vector3d(1, 2, 3), Vector3d(4, 5, -6.5));
  EXPECT_EQ(out.str(), "[1, 2, 3, 4, 5, -6.5]ᵀ");
}

#ifndef NDEBUG
TYPED_TEST(SpatialVectorTest, UnsetElementsAreNanWhereAssertionsAreOn) {
  EXPECT_TRUE(TypeParam().get_coeffs().array().isNaN().all());
}
#endif

TYPED_TEST(SpatialVectorTest, NothingAllocates) {
  const TypeParam a = this->Random(), b = this->Random();
  const RotationMatrixd R = this->random_.Rotation();
  test::AllocationGuard guard;
  const TypeParam c = R * (2 * a - b);
  EXPECT_EQ(guard.count(), 0);
  EXPECT_TRUE(c.get_coeffs().allFinite());
}

TEST(SpatialForce, ShiftKeepsTheMomentAboutEveryPoint) {
  RandomPose random;
  const SpatialForce<double> F_P(random.Vector6());
  const Vector3d p_PQ = random.Vector3();
  const SpatialForce<double> F_Q = F_P.Shift(p_PQ);
  EXPECT_EQ(F_Q.translational(), F_P.translational());
  // The moment about P: that at Q plus the force's arm.
  EXPECT_TRUE(Near(F_Q.rotational() + p_PQ.cross(Vector3d(F_Q.translational())),
                   F_P.rotational(), kTolerance));
  SpatialForce<double> shifted = F_P;
  EXPECT_EQ(&shifted.ShiftInPlace(p_PQ), &shifted);
  EXPECT_TRUE(shifted.IsApprox(F_Q, kTolerance));
}

TEST(SpatialForce, EachColumnShiftsAsOneForce) {
  RandomPose random;
  const Eigen::Matrix<double, 6, Eigen::Dynamic> F =
      Eigen::MatrixXd::Random(6, 4);
  Matrix6X<double> shifted(6, 4);
  const Vector3d p = random.Vector3();
  SpatialForce<double>::Shift(F, p, &shifted);
  for (int j = 0; j < 4; ++j) {
    const SpatialForce<double> F_j(F.col(j));
    EXPECT_TRUE(Near(shifted.col(j), F_j.Shift(p).get_coeffs(), kTolerance));
  }
  SpatialForce<double>::ShiftInPlace(&shifted, -p);
  EXPECT_TRUE(Near(shifted, F, kTolerance));
}

TEST(SpatialForce, ColumnsOfAnotherNumberAreRefused) {
  const Matrix6X<double> F = Matrix6X<double>::Zero(6, 4);
  Matrix6X<double> shifted(6, 3);
  const Vector3d p = Vector3d::Zero();
  EXPECT_THROWS_MESSAGE(SpatialForce<double>::Shift(F, p, &shifted),
                        std::logic_error,
                        "shifted_forces is 6 x 3; it must be 6 x 4");
  EXPECT_THROWS_MESSAGE(SpatialForce<double>::Shift(F, p, nullptr),
                        std::logic_error, "is null");
  EXPECT_THROWS_MESSAGE(SpatialForce<double>::ShiftInPlace(nullptr, p),
                        std::logic_error, "is null");
}

TEST(SpatialForce, PowerIsTheSameAtEveryPointAndInEveryFrame) {
  RandomPose random;
  const SpatialForce<double> F(random.Vector6());
  const SpatialVelocity<double> V(random.Vector6());
  const Vector3d p = random.Vector3();
  const RotationMatrixd R = random.Rotation();
  const double power = F.rotational().dot(V.rotational()) +
                       F.translational().dot(V.translational());
  EXPECT_NEAR(F.dot(V), power, kTolerance);
  EXPECT_NEAR(V.dot(F), power, kTolerance);
  EXPECT_NEAR(F.Shift(p).dot(V.Shift(p)), power, kTolerance);
  EXPECT_NEAR((R * F).dot(R * V), power, kTolerance);
}

TEST(SpatialMomentum, ShiftKeepsTheEnergyOfARigidBody) {
  RandomPose random;
  const SpatialMomentum<double> L(random.Vector6());
  const SpatialVelocity<double> V(random.Vector6());
  const Vector3d p = random.Vector3();
  EXPECT_NEAR(L.Shift(p).dot(V.Shift(p)), L.dot(V), kTolerance);
  EXPECT_NEAR(V.dot(L), L.dot(V), kTolerance);
  SpatialMomentum<double> shifted = L;
  shifted.ShiftInPlace(p);
  EXPECT_TRUE(shifted.IsApprox(L.Shift(p), kTolerance));
}

// A motion whose position in time is known: a pose with its first two
// derivatives, by nesting AutoDiff in finite steps of a screw-like motion.
struct Motion {
  Vector3d u;           // Axis of turning, fixed in the parent.
  Vector3d c0, c1, c2;  // p(t) = c0 + c1 t + c2 t².
  double a1, a2;        // angle(t) = a1 t + a2 t².

  template <typename S>
  RigidTransform<S> Pose(const S& t) const {
    const S angle = a1 * t + a2 * t * t;
    const Vector3<S> p = c0.cast<S>() + c1.cast<S>() * t + c2.cast<S>() * t * t;
    return RigidTransform<S>(Eigen::AngleAxis<S>(angle, u.cast<S>()), p);
  }
  SpatialVelocity<double> Velocity(double t) const {
    return SpatialVelocity<double>((a1 + 2 * a2 * t) * u, c1 + 2 * c2 * t);
  }
  SpatialAcceleration<double> Acceleration() const {
    return SpatialAcceleration<double>(2 * a2 * u, 2 * c2);
  }
};

Motion RandomMotion(RandomPose* random) {
  return Motion{random->UnitVector3(), random->Vector3(), random->Vector3(),
                random->Vector3(),     random->Scalar(),  random->Scalar()};
}

// V_WC(t) of the composition of B moving in W and C moving in B, by the rules
// under test.
SpatialVelocity<double> ComposedVelocity(const Motion& WB, const Motion& BC,
                                         double t) {
  const RotationMatrixd R_WB = WB.Pose(t).rotation();
  return WB.Velocity(t).ComposeWithMovingFrameVelocity(
      R_WB * BC.Pose(t).translation(), R_WB * BC.Velocity(t));
}

TEST(SpatialVelocity, ShiftOfASpinIsTangential) {
  // At 3 rad/s about z a point at x = 2 m moves at 6 m/s along y.
  SpatialVelocity<double> V(Vector3d(0, 0, 3), Vector3d(1, 0, 0));
  const SpatialVelocity<double> shifted = V.Shift(Vector3d(2, 0, 0));
  EXPECT_EQ(shifted.translational(), Vector3d(1, 6, 0));
  V.ShiftInPlace(Vector3d(2, 0, 0));
  EXPECT_TRUE(V.IsApprox(shifted, 0));
}

TEST(SpatialVelocity, CompositionIsTheDerivativeOfTheComposedPose) {
  RandomPose random;
  const Motion WB = RandomMotion(&random), BC = RandomMotion(&random);
  const double t = 0.3;
  const AutoDiffXd t_ad(t, 1, 0);
  const RigidTransform<AutoDiffXd> X_WC = WB.Pose(t_ad) * BC.Pose(t_ad);
  const auto derivative = [](const AutoDiffXd& x) {
    return x.derivatives()(0);
  };
  const Vector3d v = X_WC.translation().unaryExpr(derivative);
  const Matrix3d RDt = X_WC.rotation().matrix().unaryExpr(derivative);
  const Matrix3d R = math::internal::ValuesOf(X_WC.rotation().matrix());
  const SpatialVelocity<double> V_WC = ComposedVelocity(WB, BC, t);
  EXPECT_TRUE(Near(V_WC.translational(), v, 1e-14));
  EXPECT_TRUE(Near(math::VectorToSkewSymmetric(V_WC.rotational()),
                   RDt * R.transpose(), 1e-14));
}

TEST(SpatialAcceleration, CompositionIsTheDerivativeOfTheVelocity) {
  RandomPose random;
  const Motion WB = RandomMotion(&random), BC = RandomMotion(&random);
  const double t = 0.3, h = 1e-5;
  const RotationMatrixd R_WB = WB.Pose(t).rotation();
  const SpatialAcceleration<double> A_WC =
      WB.Acceleration().ComposeWithMovingFrameAcceleration(
          R_WB * BC.Pose(t).translation(), WB.Velocity(t).rotational(),
          R_WB * BC.Velocity(t), R_WB * BC.Acceleration());
  const Vector6d difference =
      (ComposedVelocity(WB, BC, t + h) - ComposedVelocity(WB, BC, t - h))
          .get_coeffs() /
      (2 * h);
  // Central differences: h² of truncation, epsilon/h of rounding.
  EXPECT_TRUE(Near(A_WC.get_coeffs(), difference, 1e-8));
}

TEST(SpatialAcceleration, ShiftIsCompositionWithAFixedFrame) {
  RandomPose random;
  const SpatialAcceleration<double> A(random.Vector6());
  const Vector3d p = random.Vector3(), w = random.Vector3();
  const auto composed = A.ComposeWithMovingFrameAcceleration(
      p, w, SpatialVelocity<double>::Zero(),
      SpatialAcceleration<double>::Zero());
  const SpatialAcceleration<double> shifted = A.Shift(p, w);
  EXPECT_TRUE(shifted.IsApprox(composed, kTolerance));
  SpatialAcceleration<double> in_place = A;
  in_place.ShiftInPlace(p, w);
  EXPECT_TRUE(shifted.IsApprox(in_place, kTolerance));
  EXPECT_TRUE(A.ShiftWithZeroAngularVelocity(p).IsApprox(
      A.Shift(p, Vector3d::Zero()), kTolerance));
}

TEST(SpatialAcceleration, ShiftOfASpinIsCentripetal) {
  // At 3 rad/s about z a point at x = 2 m accelerates at -18 m/s² along x.
  const SpatialAcceleration<double> A = SpatialAcceleration<double>::Zero();
  EXPECT_EQ(A.Shift(Vector3d(2, 0, 0), Vector3d(0, 0, 3)).translational(),
            Vector3d(-18, 0, 0));
}

TEST(SpatialVelocity, ShiftCarriesDerivatives) {
  // v + w x p with w = (0, 0, t): the y element's derivative is p_x.
  const AutoDiffXd t(0.5, 1, 0);
  SpatialVelocity<AutoDiffXd> V = SpatialVelocity<AutoDiffXd>::Zero();
  V.rotational()(2) = t;
  const auto shifted = V.Shift(Vector3<AutoDiffXd>(2, 3, 4));
  EXPECT_EQ(shifted[4].value(), 1);
  EXPECT_EQ(shifted[4].derivatives()(0), 2);
  EXPECT_TRUE(shifted.IsApprox(shifted));
}

TEST(SpatialVectorElements, OutOfRangeAreRefused) {
  SpatialForce<double> F = SpatialForce<double>::Zero();
  F[5] = 2;
  EXPECT_EQ(std::as_const(F)[5], 2);
  for (const int i : {-1, 6, 1000000}) {
    EXPECT_THROW(F[i] = 1, std::out_of_range);
    EXPECT_THROW(std::as_const(F)[i], std::out_of_range);
  }
}

}  // namespace spatial_vector_test
}  // namespace wyvern::multibody
