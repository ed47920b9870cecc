#include "wyvern/systems/primitives/linear/discrete_time_approximation.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::systems {
namespace discrete_time_approximation_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

constexpr double h = 0.3;

TEST(DiscreteTimeApproximation, OfADoubleIntegratorIsTheTextbookResult) {
  const LinearSystem<double> mass(MatrixXd{{0, 1}, {0, 0}}, Vector2d(0, 1),
                                  MatrixXd{{1, 0}}, MatrixXd{{2}});
  const auto discrete = DiscreteTimeApproximation(mass, h);
  EXPECT_TRUE(
      ::wyvern::test::Near(discrete->A(), MatrixXd{{1, h}, {0, 1}}, 1e-15));
  EXPECT_TRUE(
      ::wyvern::test::Near(discrete->B(), Vector2d(h * h / 2, h), 1e-15));
  EXPECT_EQ(discrete->C(), mass.C());
  EXPECT_EQ(discrete->D(), mass.D());
  EXPECT_EQ(discrete->time_period(), h);
}

// x' = a x + b u + f: x(h) = e^(a h) x + (e^(a h) - 1) / a (b u + f).
TEST(DiscreteTimeApproximation, OfAScalarAffineSystemIsItsSolution) {
  const double a = -2;
  const AffineSystem<AutoDiffXd> decay(MatrixXd{{a}}, MatrixXd{{3}},
                                       VectorXd::Constant(1, 4), MatrixXd{{1}},
                                       MatrixXd(), VectorXd::Constant(1, 5));
  const auto discrete = DiscreteTimeApproximation(decay, h);
  const double growth = std::exp(a * h);
  EXPECT_NEAR(discrete->A()(0, 0), growth, 1e-15);
  EXPECT_NEAR(discrete->B()(0, 0), (growth - 1) / a * 3, 1e-15);
  EXPECT_NEAR(discrete->f0()[0], (growth - 1) / a * 4, 1e-15);
  EXPECT_EQ(discrete->y0()[0], 5);
}

TEST(DiscreteTimeApproximation, OfTwoStepsIsThatOfTheDoubleStep) {
  const LinearSystem<double> system(MatrixXd{{0, 1}, {-5, -1}}, Vector2d(0, 1));
  const auto one = DiscreteTimeApproximation(system, h);
  const auto two = DiscreteTimeApproximation(system, 2 * h);
  EXPECT_TRUE(::wyvern::test::Near(one->A() * one->A(), two->A(), 1e-14));
  EXPECT_TRUE(
      ::wyvern::test::Near(one->A() * one->B() + one->B(), two->B(), 1e-14));
}

TEST(DiscreteTimeApproximation, RefusesADiscreteSystemAndBadPeriods) {
  const LinearSystem<double> discrete(MatrixXd{{1}}, MatrixXd(), MatrixXd(),
                                      MatrixXd(), 0.1);
  EXPECT_THROWS_MESSAGE(DiscreteTimeApproximation(discrete, h),
                        std::logic_error, "is discrete already");
  const LinearSystem<double> system(MatrixXd{{1}});
  EXPECT_THROWS_MESSAGE(DiscreteTimeApproximation(system, 0), std::logic_error,
                        "time_period is 0");
}

}  // namespace discrete_time_approximation_test
}  // namespace wyvern::systems
