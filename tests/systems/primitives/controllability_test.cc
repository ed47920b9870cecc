#include "wyvern/systems/primitives/linear/controllability.h"

#include <memory>

#include <gtest/gtest.h>

#include "tests/support/near.h"
#include "wyvern/systems/primitives/linear/linear_system.h"

namespace wyvern::systems {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;

std::unique_ptr<LinearSystem<double>> DoubleIntegrator(const Vector2d& B,
                                                       const Vector2d& C) {
  return std::make_unique<LinearSystem<double>>(MatrixXd{{0, 1}, {0, 0}}, B,
                                                C.transpose());
}

// Modes e1 with eigenvalue a, driven by b1 and seen through c1; e2 likewise.
std::unique_ptr<LinearSystem<double>> TwoModes(double a1, double a2, double b1,
                                               double b2, double period) {
  return std::make_unique<LinearSystem<double>>(
      Vector2d(a1, a2).asDiagonal().toDenseMatrix(), Vector2d(b1, b2),
      Vector2d(b1, b2).transpose(), MatrixXd(), period);
}

TEST(ControllabilityMatrix, HasThePowersOfATimesB) {
  const MatrixXd A{{1, 2, 0}, {0, 3, 4}, {5, 0, 6}};
  const MatrixXd B{{1, 0}, {0, 1}, {2, 0}};
  const LinearSystem<double> system(A, B, B.transpose());
  MatrixXd wanted(3, 6);
  wanted << B, A * B, A * A * B;
  EXPECT_TRUE(
      ::wyvern::test::Near(ControllabilityMatrix(system), wanted, 1e-12));
  MatrixXd observability(6, 3);
  observability << B.transpose(), B.transpose() * A, B.transpose() * A * A;
  EXPECT_TRUE(
      ::wyvern::test::Near(ObservabilityMatrix(system), observability, 1e-12));
}

TEST(IsControllable, ForceMovesAMassButAVelocityInputAloneDoesNot) {
  EXPECT_TRUE(IsControllable(*DoubleIntegrator({0, 1}, {1, 0})));
  EXPECT_FALSE(IsControllable(*DoubleIntegrator({1, 0}, {1, 0})));
}

TEST(IsObservable, PositionsShowTheVelocityButNotTheReverse) {
  EXPECT_TRUE(IsObservable(*DoubleIntegrator({0, 1}, {1, 0})));
  EXPECT_FALSE(IsObservable(*DoubleIntegrator({0, 1}, {0, 1})));
}

TEST(IsControllable, TakesAThreshold) {
  const auto system = TwoModes(1, 2, 1, 1e-6, 0);
  EXPECT_TRUE(IsControllable(*system));
  EXPECT_FALSE(IsControllable(*system, 1e-3));
  EXPECT_FALSE(IsObservable(*system, 1e-3));
}

TEST(IsStabilizable, NeedsControlOnlyOfUnstableModes) {
  // The second mode cannot be controlled; continuous time.
  EXPECT_TRUE(IsStabilizable(*TwoModes(1, -1, 1, 0, 0)));
  EXPECT_FALSE(IsStabilizable(*TwoModes(1, 1, 1, 0, 0)));
  EXPECT_FALSE(IsStabilizable(*TwoModes(1, 0, 1, 0, 0)));
  // Discrete time: stable inside the unit circle.
  EXPECT_TRUE(IsStabilizable(*TwoModes(2, 0.5, 1, 0, 0.1)));
  EXPECT_TRUE(IsStabilizable(*TwoModes(2, -0.5, 1, 0, 0.1)));
  EXPECT_FALSE(IsStabilizable(*TwoModes(2, -1.5, 1, 0, 0.1)));
}

TEST(IsDetectable, NeedsSightOnlyOfUnstableModes) {
  EXPECT_TRUE(IsDetectable(*TwoModes(1, -1, 1, 0, 0)));
  EXPECT_FALSE(IsDetectable(*TwoModes(1, 1, 1, 0, 0)));
  EXPECT_TRUE(IsDetectable(*TwoModes(2, 0.5, 1, 0, 0.1)));
  EXPECT_FALSE(IsDetectable(*TwoModes(2, 1.5, 1, 0, 0.1)));
}

TEST(IsStabilizable, HoldsForOscillatorsAndForNoState) {
  const MatrixXd oscillator{{0, 1}, {-1, 0}};
  EXPECT_TRUE(IsStabilizable(LinearSystem<double>(oscillator, Vector2d(0, 1))));
  EXPECT_FALSE(
      IsStabilizable(LinearSystem<double>(oscillator, Vector2d(0, 0))));
  EXPECT_TRUE(IsStabilizable(LinearSystem<double>()));
  EXPECT_TRUE(IsControllable(LinearSystem<double>()));
}

}  // namespace
}  // namespace wyvern::systems
