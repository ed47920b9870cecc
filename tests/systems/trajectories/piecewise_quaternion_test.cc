#include "wyvern/systems/trajectories/piecewise_quaternion.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/autodiff.h"

namespace wyvern::trajectories {
namespace piecewise_quaternion_test {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::Vector4d;
using test::Near;
using Slerp = PiecewiseQuaternionSlerp<double>;

constexpr double kTolerance = 1e-14;  // A few roundings of numbers below 3.

Slerp Example() {
  return Slerp({0.0, 0.5, 2.0},
               std::vector{Quaterniond(1, 0, 0, 0), Quaterniond(0.8, 0.6, 0, 0),
                           Quaterniond(-0.5, 0.5, -0.5, 0.5)});
}

// Has what it takes to be given in place of a math::RotationMatrix.
struct Rotation {
  Quaterniond ToQuaternion() const { return q; }
  Quaterniond q;
};

TEST(PiecewiseQuaternionSlerp, AgreesWithAnotherImplementation) {
  // From tests/oracles/trajectories.py.
  const Slerp q = Example();
  EXPECT_TRUE(Near(q.value(0.2),
                   Vector4d(0.9670550075150736, 0.25456750075377116, 0.0, 0.0),
                   kTolerance));
  EXPECT_TRUE(Near(q.value(1.1),
                   Vector4d(0.8997649321194972, 0.18683370902551838,
                            0.2788514228937739, -0.2788514228937739),
                   kTolerance));
  EXPECT_TRUE(Near(q.value(2.0), Vector4d(0.5, -0.5, 0.5, -0.5), kTolerance));
  EXPECT_TRUE(Near(q.angular_velocity(0.2),
                   Vector3d(2.5740044351731375, 0.0, 0.0), kTolerance));
  EXPECT_TRUE(Near(
      q.angular_velocity(1.1),
      Vector3d(-1.3795018182164565, 1.3795018182164565, -0.1970716883166367),
      kTolerance));
}

TEST(PiecewiseQuaternionSlerp, QuaternionHasUnitLengthAtAllTimes) {
  const Slerp q = Example();
  for (double t = -0.1; t < 2.2; t += 0.1) {
    EXPECT_NEAR(q.orientation(t).norm(), 1.0, kTolerance);
  }
}

// dR/dt = w x R.
TEST(PiecewiseQuaternionSlerp, AngularVelocityIsThatOfTheRotation) {
  const Slerp q = Example();
  const double h = 1e-5;
  for (const double t : {0.2, 1.1}) {
    const Matrix3d R = q.orientation(t).toRotationMatrix();
    const Matrix3d dR = (q.orientation(t + h).toRotationMatrix() -
                         q.orientation(t - h).toRotationMatrix()) /
                        (2 * h);
    const Matrix3d W = dR * R.transpose();
    // Truncation h^2 |w|^3/6.
    EXPECT_TRUE(
        Near(Vector3d(W(2, 1), W(0, 2), W(1, 0)), q.angular_velocity(t), 1e-8));
  }
}

TEST(PiecewiseQuaternionSlerp, DerivativesAreThoseOfTheRotation) {
  const Slerp q = Example();
  EXPECT_EQ(q.EvalDerivative(1.1), q.angular_velocity(1.1));
  EXPECT_EQ(q.EvalDerivative(1.1, 2), Vector3d::Zero());
  EXPECT_EQ(q.angular_acceleration(1.1), Vector3d::Zero());
  EXPECT_EQ(q.MakeDerivative()->value(1.1), q.angular_velocity(1.1));
  EXPECT_EQ(q.MakeDerivative()->rows(), 3);
  EXPECT_EQ(q.MakeDerivative(2)->value(0.1), Vector3d::Zero());
}

TEST(PiecewiseQuaternionSlerp, HoldsTheNearerEndOutOfRange) {
  const Slerp q = Example();
  EXPECT_EQ(q.value(-1.0), q.value(0.0));
  EXPECT_EQ(q.value(5.0), q.value(2.0));
}

TEST(PiecewiseQuaternionSlerp, GoesTheShortWayRound) {
  const Quaterniond a(AngleAxisd(0.2, Vector3d::UnitX()));
  Quaterniond b(AngleAxisd(0.4, Vector3d::UnitX()));
  b.coeffs() *= -2.0;  // The same rotation, not normalized.
  const Slerp q({0.0, 1.0}, std::vector{a, b});
  EXPECT_TRUE(
      Near(q.angular_velocity(0.5), Vector3d(0.2, 0.0, 0.0), kTolerance));
  EXPECT_NEAR(q.get_quaternion_samples()[1].w(), std::cos(0.2), kTolerance);
}

TEST(PiecewiseQuaternionSlerp, TinyTurnsAreExact) {
  for (const double angle : {0.0, 1e-300, 1e-9, 1e-4, 3e-4}) {
    const Slerp q({0.0, 2.0},
                  std::vector{AngleAxisd(0.0, Vector3d::UnitZ()),
                              AngleAxisd(angle, Vector3d::UnitZ())});
    EXPECT_NEAR(q.angular_velocity(1.0)[2], angle / 2, 1e-16 + 1e-14 * angle);
    EXPECT_NEAR(q.value(1.0)(3, 0), std::sin(angle / 4), 1e-14 * angle);
  }
}

TEST(PiecewiseQuaternionSlerp, AllFormsOfARotationAgree) {
  const AngleAxisd turn(0.7, Vector3d(1, 2, 2) / 3);
  const std::vector<double> breaks{0.0, 1.0};
  const Slerp expected(breaks,
                       std::vector{Quaterniond::Identity(), Quaterniond(turn)});
  const Matrix3d I = Matrix3d::Identity();
  const Slerp from_matrices(breaks,
                            std::vector<Matrix3d>{I, turn.toRotationMatrix()});
  const Slerp from_rotations(breaks,
                             std::vector{Rotation{Quaterniond::Identity()},
                                         Rotation{Quaterniond(turn)}});
  Slerp appended;
  appended.Append(0.0, AngleAxisd::Identity());
  appended.Append(1.0, Rotation{Quaterniond(turn)});
  EXPECT_TRUE(from_matrices.is_approx(expected, kTolerance));
  EXPECT_TRUE(from_rotations.is_approx(expected, kTolerance));
  EXPECT_TRUE(appended.is_approx(expected, kTolerance));
  EXPECT_TRUE(Near(appended.value(0.3), expected.value(0.3), kTolerance));
  EXPECT_FALSE(Example().is_approx(expected, 1e-3));
}

TEST(PiecewiseQuaternionSlerp, IsApproxToAnAngle) {
  const auto turned_by = [](double angle) {
    return Slerp({0.0, 1.0},
                 std::vector{Quaterniond::Identity(),
                             Quaterniond(AngleAxisd(
                                 1 + angle, Eigen::Vector3d(1, 2, 2) / 3))});
  };
  for (const double angle : {1e-12, 1e-9, 1e-3, 0.5}) {
    EXPECT_TRUE(turned_by(angle).is_approx(turned_by(0), 1.001 * angle));
    EXPECT_FALSE(turned_by(angle).is_approx(turned_by(0), 0.999 * angle));
  }
  EXPECT_TRUE(turned_by(0).is_approx(turned_by(0), 0));
}

TEST(PiecewiseQuaternionSlerp, PassesDerivativesOfTimeEvenWithoutTurning) {
  using T = AutoDiffXd;
  const std::vector<Quaternion<T>> samples(2, Quaternion<T>(1, 0, 0, 0));
  const PiecewiseQuaternionSlerp<T> q({T(0.0), T(1.0)}, samples);
  const MatrixX<T> value = q.value(T(0.5, 1, 0));
  EXPECT_EQ(value(0, 0).value(), 1.0);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(value(i, 0).derivatives().norm(), 0.0);
  }
}

TEST(PiecewiseQuaternionSlerp, RefusesWhatIsNoRotation) {
  const std::vector<double> breaks{0.0, 1.0};
  const Quaterniond unit = Quaterniond::Identity();
  EXPECT_THROWS_MESSAGE(
      Slerp(breaks, std::vector{unit, Quaterniond(0, 0, 0, 0)}),
      std::logic_error, "sample 1 has the norm 0");
  EXPECT_THROWS_MESSAGE(
      Slerp(breaks, std::vector{Quaterniond(NAN, 0, 0, 0), unit}),
      std::logic_error, "a quaternion[3] is nan; it must be finite");
  const Matrix3d I = Matrix3d::Identity();
  EXPECT_THROWS_MESSAGE(Slerp(breaks, std::vector<Matrix3d>{I, -I}),
                        std::logic_error, "matrix 1 is no rotation");
  EXPECT_THROWS_MESSAGE(Slerp(breaks, std::vector<Matrix3d>{1.1 * I, I}),
                        std::logic_error, "matrix 0 is no rotation");
}

TEST(PiecewiseQuaternionSlerp, RefusesBreaksThatDoNotFit) {
  const Quaterniond unit = Quaterniond::Identity();
  EXPECT_THROWS_MESSAGE(Slerp({0.0, 1.0}, std::vector{unit}), std::logic_error,
                        "2 breaks and 1 samples");
  EXPECT_THROWS_MESSAGE(Slerp({0.0, 0.0}, std::vector{unit, unit}),
                        std::logic_error, "break 1 is 0");
  EXPECT_THROWS_MESSAGE(Slerp({NAN}, std::vector{unit}), std::logic_error,
                        "is nan; it must be finite");
  Slerp one;
  EXPECT_THROWS_MESSAGE(one.value(0.0), std::logic_error, "0 segments");
  one.Append(0.0, unit);
  EXPECT_THROWS_MESSAGE(one.value(0.0), std::logic_error,
                        "there is one sample only");
  EXPECT_THROWS_MESSAGE(one.angular_velocity(0.0), std::logic_error,
                        "there is one sample only");
}

}  // namespace piecewise_quaternion_test
}  // namespace wyvern::trajectories
