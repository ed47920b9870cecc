#include "wyvern/systems/common/polynomial.h"

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/autodiff.h"

namespace wyvern {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// 1 + 2 x + 3 x^2.
const Polynomial<double> kQuadratic(VectorXd{{1.0, 2.0, 3.0}});

TEST(Polynomial, IsTheSumOfItsPowers) {
  EXPECT_EQ(kQuadratic.EvaluateUnivariate(2.0), 17.0);
  EXPECT_EQ(kQuadratic.GetDegree(), 2);
  EXPECT_EQ(Polynomial<double>().EvaluateUnivariate(5.0), 0.0);
  EXPECT_EQ(Polynomial<double>(4.0).EvaluateUnivariate(5.0), 4.0);
  EXPECT_EQ(Polynomial<double>(VectorXd()).GetDegree(), 0);
}

TEST(Polynomial, DerivativesOfEachFormAgree) {
  for (const int order : {0, 1, 2, 3}) {
    EXPECT_EQ(kQuadratic.EvaluateUnivariate(2.0, order),
              kQuadratic.Derivative(order).EvaluateUnivariate(2.0));
  }
  EXPECT_EQ(kQuadratic.EvaluateUnivariate(2.0, 1), 14.0);
  EXPECT_EQ(kQuadratic.EvaluateUnivariate(2.0, 2), 6.0);
}

TEST(Polynomial, IntegralUndoesDerivative) {
  const Polynomial<double> p = kQuadratic.Derivative().Integral(1.0);
  EXPECT_TRUE(test::Near(p.GetCoefficients(), Vector3d(1, 2, 3)));
}

TEST(Polynomial, ArithmeticIsThatOfTheValues) {
  const Polynomial<double> line(VectorXd{{-1.0, 0.5}});
  const double x = 3.0;
  const double a = kQuadratic.EvaluateUnivariate(x);
  const double b = line.EvaluateUnivariate(x);
  EXPECT_EQ((kQuadratic + line).EvaluateUnivariate(x), a + b);
  EXPECT_EQ((line - kQuadratic).EvaluateUnivariate(x), b - a);
  EXPECT_EQ((kQuadratic * line).EvaluateUnivariate(x), a * b);
  EXPECT_EQ((-line).EvaluateUnivariate(x), -b);
}

TEST(Polynomial, PassesDerivativesOfItsVariable) {
  const Polynomial<AutoDiffXd> p(
      VectorX<AutoDiffXd>(kQuadratic.GetCoefficients().cast<AutoDiffXd>()));
  const AutoDiffXd y = p.EvaluateUnivariate(AutoDiffXd(2.0, 1, 0));
  EXPECT_EQ(y.derivatives()[0], kQuadratic.EvaluateUnivariate(2.0, 1));
}

TEST(Polynomial, RefusesANegativeOrder) {
  EXPECT_THROWS_MESSAGE(kQuadratic.Derivative(-1), std::logic_error,
                        "Polynomial::Derivative(): derivative_order is -1");
  EXPECT_THROWS_MESSAGE(kQuadratic.EvaluateUnivariate(0.0, -2),
                        std::logic_error,
                        "derivative_order is -2; it must be at least 0");
}

TEST(Polynomial, EvaluationAllocatesNothing) {
  const test::AllocationGuard guard;
  const double y = kQuadratic.EvaluateUnivariate(2.0, 1);
  EXPECT_EQ(guard.count(), 0);
  EXPECT_EQ(y, 14.0);
}

}  // namespace
}  // namespace wyvern
