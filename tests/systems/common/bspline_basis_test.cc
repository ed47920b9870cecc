#include "wyvern/systems/common/math/bspline_basis.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/common/autodiff.h"

namespace wyvern::math {
namespace {

using Basis = BsplineBasis<double>;
using std::vector;

// Cubic, with a double knot inside.
Basis Cubic() {
  return Basis(4, {0.0, 0.0, 0.0, 0.0, 1.0, 2.5, 2.5, 3.0, 4.0, 4.0, 4.0, 4.0});
}

TEST(BsplineBasis, ClampedUniformKnotsRepeatAtTheEnds) {
  EXPECT_EQ(Basis(3, 5).knots(),
            (vector<double>{0, 0, 0, 1 / 3.0, 2 / 3.0, 1, 1, 1}));
}

TEST(BsplineBasis, UniformKnotsGoOnOutsideTheDomain) {
  const Basis basis(3, 4, KnotVectorType::kUniform, 2.0, 4.0);
  EXPECT_EQ(basis.knots(), (vector<double>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(basis.initial_parameter_value(), 2.0);
  EXPECT_EQ(basis.final_parameter_value(), 4.0);
  EXPECT_EQ(basis.degree(), 2);
  EXPECT_EQ(basis.num_basis_functions(), 4);
}

TEST(BsplineBasis, FunctionsSumToOne) {
  const Basis basis = Cubic();
  for (double u : {0.0, 0.4, 1.0, 2.4, 2.5, 3.7, 4.0}) {
    double sum = 0;
    for (int i = 0; i < basis.num_basis_functions(); ++i) {
      const double value = basis.EvaluateBasisFunctionI(i, u);
      EXPECT_GE(value, 0.0);
      sum += value;
    }
    EXPECT_NEAR(sum, 1.0, 1e-15);
  }
}

// The Cox-de Boor recursion, downwards, as the definition has it.
double CoxDeBoor(const vector<double>& t, int i, int order, double u) {
  if (order == 1) return t[i] <= u && u < t[i + 1] ? 1.0 : 0.0;
  double value = 0;
  if (t[i + order - 1] > t[i]) {
    value +=
        (u - t[i]) / (t[i + order - 1] - t[i]) * CoxDeBoor(t, i, order - 1, u);
  }
  if (t[i + order] > t[i + 1]) {
    value += (t[i + order] - u) / (t[i + order] - t[i + 1]) *
             CoxDeBoor(t, i + 1, order - 1, u);
  }
  return value;
}

TEST(BsplineBasis, FunctionsAreThoseOfTheDefinition) {
  const Basis basis = Cubic();
  for (int i = 0; i < basis.num_basis_functions(); ++i) {
    for (double u = 0.0; u < 4.0; u += 0.17) {
      EXPECT_NEAR(basis.EvaluateBasisFunctionI(i, u),
                  CoxDeBoor(basis.knots(), i, 4, u), 1e-14);
    }
  }
}

TEST(BsplineBasis, FindsIntervalsAndActiveFunctions) {
  const Basis basis = Cubic();
  EXPECT_EQ(basis.FindContainingInterval(0.0), 3);
  EXPECT_EQ(basis.FindContainingInterval(1.0), 4);
  EXPECT_EQ(basis.FindContainingInterval(2.5), 6);
  EXPECT_EQ(basis.FindContainingInterval(4.0), 7);
  EXPECT_EQ(basis.ComputeActiveBasisFunctionIndices(2.6),
            (vector<int>{3, 4, 5, 6}));
  EXPECT_EQ(basis.ComputeActiveBasisFunctionIndices({0.5, 1.5}),
            (vector<int>{0, 1, 2, 3, 4}));
}

TEST(BsplineBasis, CurveHasAutoDiffDerivatives) {
  // Bernstein polynomials: x(u) = 2 u (1 - u) + 3 u^2.
  const BsplineBasis<AutoDiffXd> basis{Basis(3, 3)};
  const vector<AutoDiffXd> points{0.0, 1.0, 3.0};
  const AutoDiffXd x = basis.EvaluateCurve(points, AutoDiffXd(0.3, 1, 0));
  EXPECT_NEAR(x.value(), 2 * 0.3 * 0.7 + 3 * 0.09, 1e-15);
  EXPECT_NEAR(x.derivatives()[0], 2 - 4 * 0.3 + 6 * 0.3, 1e-14);
}

TEST(BsplineBasis, EqualMeansSameOrderAndKnots) {
  EXPECT_TRUE(Basis(3, 5) == Basis(3, 5));
  EXPECT_TRUE(Basis(3, 5) != Basis(3, 6));
  EXPECT_TRUE(Basis(2, {0, 0, 1, 1}) != Basis(1, {0, 0, 1, 1}));
}

TEST(BsplineBasis, RefusesMalformedKnots) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROWS_MESSAGE(Basis(0, {0.0, 1.0}), std::logic_error, "order 0");
  EXPECT_THROWS_MESSAGE(Basis(2, {0.0, 1.0, 2.0}), std::logic_error,
                        "order 2 with 3 knots");
  EXPECT_THROWS_MESSAGE(Basis(1, {0.0, 1.0, 0.5}), std::logic_error,
                        "knot 2 is 0.5");
  EXPECT_THROWS_MESSAGE(Basis(1, {0.0, kNan}), std::logic_error,
                        "knots[1] is nan; it must be finite");
  EXPECT_THROWS_MESSAGE(Basis(2, {0.0, 1.0, 1.0, 2.0}), std::logic_error,
                        "no domain");
  EXPECT_THROWS_MESSAGE(Basis(3, 2), std::logic_error, "with 2 functions");
  EXPECT_THROWS_MESSAGE(Basis(2, 3, KnotVectorType::kUniform, 1.0, 1.0),
                        std::logic_error, "on [1, 1]");
}

TEST(BsplineBasis, RefusesToEvaluateNonsense) {
  const Basis basis = Cubic();
  EXPECT_THROWS_MESSAGE(basis.FindContainingInterval(4.1), std::logic_error,
                        "4.1 is outside the domain [0, 4]");
  EXPECT_THROWS_MESSAGE(basis.EvaluateBasisFunctionI(8, 1.0), std::out_of_range,
                        "i is 8; it must be from 0 to 7");
  EXPECT_THROWS_MESSAGE(basis.EvaluateCurve(vector<double>{1.0}, 1.0),
                        std::logic_error, "1 control points");
  EXPECT_THROWS_MESSAGE(basis.ComputeActiveBasisFunctionIndices({2.0, 1.0}),
                        std::logic_error, "[2, 1]");
  EXPECT_THROWS_MESSAGE(Basis().initial_parameter_value(), std::logic_error,
                        "without knots");
}

}  // namespace
}  // namespace wyvern::math
