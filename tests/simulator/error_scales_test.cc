#include "wyvern/simulator/integrators/error_scales.h"

#include <memory>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/expect_throws.h"
#include "wyvern/systems/framework/diagram_builder.h"

// The bounds of errors, from the formulas of the header.

namespace wyvern::systems::internal {
namespace error_scales_test {

using Eigen::VectorXd;

constexpr double kAccuracy = 1e-4;

/** A state of two q, one v and two z. */
class Mixed final : public LeafSystem<double> {
 public:
  Mixed() { DeclareContinuousState(2, 1, 2); }
};

/** Two such states: q has elements 0 to 3, v has 4 and 5, z has 6 to 9. */
class ErrorScalesTest : public ::testing::Test {
 protected:
  ErrorScalesTest() {
    DiagramBuilder<double> builder;
    a_ = builder.AddNamedSystem<Mixed>("a");
    b_ = builder.AddNamedSystem<Mixed>("b");
    diagram_ = builder.Build();
    context_ = diagram_->CreateDefaultContext();
  }
  // From all q, v and z to the state's vector, where one leaf follows another.
  static VectorXd ByLeaf(const VectorXd& x) {
    const std::vector<int> order{0, 1, 4, 6, 7, 2, 3, 5, 8, 9};
    return x(order);
  }
  // Starts a step from x0 at rest, and ends it at x1.
  void Step(const VectorXd& x0, const VectorXd& x1) {
    scales_.StartStep(kAccuracy, ByLeaf(x0), VectorXd::Zero(10), 0.1, 0.1);
    scales_.ReachEnd(ByLeaf(x1));
  }
  void StartFrom(const VectorXd& x) {
    context_->SetContinuousState(ByLeaf(x));
    scales_.Initialize(*diagram_, *context_);
  }
  const Mixed* a_{};
  const Mixed* b_{};
  std::unique_ptr<Diagram<double>> diagram_;
  std::unique_ptr<Context<double>> context_;
  ErrorScales<double> scales_;
};

TEST_F(ErrorScalesTest, AreAbsoluteForOrdinaryStatesAndRelativeForSmallOnes) {
  VectorXd x(10);
  x << 1e-9, 5e-9, 0.1, 7, 1e-4, 0, 0.03, 2, -1e-6, 1e-3;
  StartFrom(x);
  Step(x, x);
  // q of one System is a group, each z is one. The last but one is raised to
  // 1e-2 of the last.
  const double expected[] = {5e-10, 5e-10, 1, 1, 1e-5, 1, 0.09, 1, 1e-6, 1e-4};
  for (int i = 0; i < 10; ++i) {
    EXPECT_NEAR(scales_.CalcUnit(i, 1) / expected[i], 1, 1e-14) << i;
  }
  EXPECT_NEAR(scales_.CalcPositionUnit(0, 1), 5e-10, 1e-24);
  EXPECT_EQ(scales_.CalcPositionUnit(1, 1), 1);
}

TEST_F(ErrorScalesTest, AreNeverBelowRoundingOfTheWholeState) {
  VectorXd x = VectorXd::Zero(10);
  StartFrom(x);
  Step(x, x);
  EXPECT_EQ(scales_.CalcUnit(9, 1), 1e-15 / kAccuracy);
  x[0] = 1e5;
  Step(x, x);
  EXPECT_EQ(scales_.CalcUnit(9, 1), 1e-10 / kAccuracy);
  x[0] = 1e15;
  Step(x, x);
  EXPECT_EQ(scales_.CalcUnit(9, 1), 1);
}

TEST_F(ErrorScalesTest, AreAtMostATenthOfTheScaleHoweverLooseTheAccuracy) {
  const VectorXd x = VectorXd::Constant(10, 0.5);
  StartFrom(x);
  scales_.StartStep(0.1, x, VectorXd::Zero(10), 0.1, 0.1);
  EXPECT_NEAR(scales_.CalcUnit(6, 1) * 0.1, 0.05, 1e-16);
}

TEST_F(ErrorScalesTest, RememberTheLargestMagnitude) {
  VectorXd x = VectorXd::Constant(10, 1e-5);
  StartFrom(x);
  Step(x, 10 * x);
  scales_.AcceptStep();
  Step(x, x);
  EXPECT_NEAR(scales_.CalcUnit(6, 1), 1e-5, 1e-19);
  // A step that is not accepted leaves nothing.
  Step(x, 100 * x);
  Step(x, x);
  EXPECT_NEAR(scales_.CalcUnit(6, 1), 1e-5, 1e-19);
  EXPECT_EQ(scales_.largest()[6], 1e-4);
}

TEST_F(ErrorScalesTest, AllowMoreWhileAStateGrows) {
  const VectorXd x = VectorXd::Constant(10, 1e-6);
  StartFrom(x);
  Step(x, 3 * x);
  EXPECT_NEAR(scales_.CalcUnit(6, 1), 0.1 * 3e-6 + 100 * 2e-6, 1e-18);
  Step(x, 1e6 * x);
  EXPECT_EQ(scales_.CalcUnit(6, 1), 1);
}

TEST_F(ErrorScalesTest, TakeTheComingChangeForTheScaleOfZeros) {
  StartFrom(VectorXd::Zero(10));
  VectorXd xdot = VectorXd::Zero(10);
  xdot[6] = -1e-7;
  scales_.StartStep(kAccuracy, VectorXd::Zero(10), ByLeaf(xdot), 0.1, 0.1);
  EXPECT_NEAR(scales_.CalcUnit(6, 1), 100 * 1e-8 + 0.1 * 1e-8, 1e-20);
}

TEST_F(ErrorScalesTest, AreAbsoluteInStepsBelowAShareOfTheLongest) {
  using Kind = ErrorScales<double>::Kind;
  scales_.AddTolerance(Kind::kAbsolute, b_, VectorXd::Constant(1, 1e-8));
  const VectorXd x = VectorXd::Constant(10, 1e-6);
  StartFrom(x);
  const auto calc_unit = [&](double h, int i) {
    scales_.StartStep(kAccuracy, ByLeaf(x), VectorXd::Zero(10), h, 0.1);
    scales_.ReachEnd(ByLeaf(x));
    return scales_.CalcUnit(i, 1);
  };
  EXPECT_NEAR(calc_unit(1.001e-8, 6), 1e-7, 1e-21);
  EXPECT_EQ(calc_unit(0.999e-8, 6), 1);
  EXPECT_EQ(scales_.CalcPositionUnit(0, 1), 1);
  // Tolerances of an element hold in steps of any size.
  EXPECT_NEAR(calc_unit(0.999e-8, 8), 1e-4, 1e-18);
}

TEST_F(ErrorScalesTest, LetLargeWeightsMagnifyASmallState) {
  const VectorXd x = VectorXd::Constant(10, 1e-6);
  StartFrom(x);
  Step(x, x);
  EXPECT_NEAR(scales_.CalcUnit(6, 0.5), 1e-7, 1e-21);
  EXPECT_NEAR(scales_.CalcUnit(6, 1e3), 1e-4, 1e-18);
  EXPECT_EQ(scales_.CalcUnit(6, 1e9), 1);
}

TEST_F(ErrorScalesTest, FollowTolerancesOfElementsSystemsAndTheWhole) {
  using Kind = ErrorScales<double>::Kind;
  const VectorXd x = VectorXd::LinSpaced(10, 1, 10);
  scales_.AddTolerance(Kind::kRelative, nullptr, VectorXd::Constant(1, 1e-6));
  scales_.AddTolerance(Kind::kAbsolute, a_, VectorXd::Constant(1, 1e-8));
  scales_.AddTolerance(Kind::kRelative, b_,
                       (VectorXd(5) << 1, 2, 3, 4, 5).finished());
  StartFrom(x);
  Step(x, 2 * x);
  EXPECT_NEAR(scales_.CalcUnit(0, 1) * kAccuracy, 1e-8 + 1e-6 * 2, 1e-20);
  EXPECT_NEAR(scales_.CalcUnit(6, 1) * kAccuracy, 1e-8 + 1e-6 * 14, 1e-20);
  // b's elements in the whole state: q 2 and 3, v 5, z 8 and 9.
  const int elements[] = {2, 3, 5, 8, 9};
  for (int k = 0; k < 5; ++k) {
    const int i = elements[k];
    EXPECT_NEAR(scales_.CalcUnit(i, 1) * kAccuracy,
                1.001 * (k + 1) * 2 * (i + 1), 1e-12);
  }
  EXPECT_TRUE(scales_.is_measured_alone(0));
  EXPECT_FALSE(scales_.measures_by_velocity());
}

TEST_F(ErrorScalesTest, SayHowSmallAnElementMayBeInDifferences) {
  using Kind = ErrorScales<double>::Kind;
  scales_.AddTolerance(Kind::kRelative, a_, VectorXd::Constant(1, 1e-6));
  scales_.AddTolerance(
      Kind::kAbsolute, nullptr,
      (VectorXd(10) << 1, 1, 1, 1, 1, 1, 1e-14, 1e-3, 1e-8, 1).finished());
  StartFrom(VectorXd::Ones(10));
  Step(VectorXd::Ones(10), VectorXd::Ones(10));
  // The state's vector has q, v, z of a and then those of b.
  EXPECT_NEAR(scales_.CalcLeastSize(3), 1e-8, 1e-22);
  EXPECT_EQ(scales_.CalcLeastSize(4), 1);
  EXPECT_NEAR(scales_.CalcLeastSize(8), 1e-8 / kAccuracy, 1e-18);
  scales_.ClearTolerances();
  scales_.Resolve(*diagram_, *context_);
  EXPECT_EQ(scales_.CalcLeastSize(3), 1);
}

TEST_F(ErrorScalesTest, LeaveOtherSystemsToTheAccuracy) {
  using Kind = ErrorScales<double>::Kind;
  scales_.AddTolerance(Kind::kAbsolute, b_, VectorXd::Constant(1, 1e-8));
  StartFrom(VectorXd::Ones(10));
  Step(VectorXd::Ones(10), VectorXd::Ones(10));
  EXPECT_EQ(scales_.CalcUnit(6, 1), 1);
  EXPECT_NEAR(scales_.CalcUnit(8, 1), 1e-4, 1e-18);
  EXPECT_TRUE(scales_.is_measured_by_velocity(0));
  EXPECT_FALSE(scales_.is_measured_by_velocity(1));
  EXPECT_FALSE(scales_.is_measured_alone(0));
  EXPECT_TRUE(scales_.is_measured_alone(2));
}

TEST_F(ErrorScalesTest, RefuseTolerancesThatAllowNothing) {
  using Kind = ErrorScales<double>::Kind;
  scales_.AddTolerance(Kind::kRelative, b_, VectorXd::Zero(1));
  EXPECT_THROWS_MESSAGE(scales_.Initialize(*diagram_, *context_),
                        std::logic_error, "allow no error");
  scales_.AddTolerance(Kind::kAbsolute, b_, VectorXd::Constant(1, 1e-3));
  scales_.Initialize(*diagram_, *context_);
}

}  // namespace error_scales_test
}  // namespace wyvern::systems::internal
