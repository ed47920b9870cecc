#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/common/math/binomial_coefficient.h"
#include "wyvern/systems/common/math/compute_numerical_gradient.h"
#include "wyvern/systems/common/math/gray_code.h"
#include "wyvern/systems/common/math/soft_min_max.h"

namespace wyvern::math {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::VectorXi;
using std::vector;
using test::Near;

TEST(BinomialCoefficient, FollowsPascalsTriangle) {
  EXPECT_EQ(BinomialCoefficient(0, 0), 1);
  for (int n = 1; n < 30; ++n) {
    for (int k = 0; k <= n; ++k) {
      EXPECT_EQ(
          BinomialCoefficient(n, k),
          BinomialCoefficient(n - 1, k) + BinomialCoefficient(n - 1, k - 1));
    }
  }
}

TEST(BinomialCoefficient, RefusesWhatIsNoNumberOrTooLarge) {
  EXPECT_EQ(BinomialCoefficient(3, -1), 0);
  EXPECT_EQ(BinomialCoefficient(3, 4), 0);
  EXPECT_EQ(BinomialCoefficient(33, 16), 1166803110);
  EXPECT_THROWS_MESSAGE(BinomialCoefficient(-1, 0), std::logic_error, "-1");
  EXPECT_THROWS_MESSAGE(BinomialCoefficient(40, 20), std::runtime_error,
                        "40 over 20");
}

TEST(GrayCode, NeighboursDifferInOneDigit) {
  const Eigen::Matrix<int, 8, 3> codes = CalculateReflectedGrayCodes<3>();
  EXPECT_TRUE(codes.row(0).isZero());
  for (int i = 1; i < 8; ++i) {
    EXPECT_EQ((codes.row(i) - codes.row(i - 1)).cwiseAbs().sum(), 1);
  }
  EXPECT_EQ(codes.row(3), Eigen::RowVector3i(0, 1, 0));
}

TEST(GrayCode, GivesItsNumberBack) {
  const Eigen::MatrixXi codes = CalculateReflectedGrayCodes(5);
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(GrayCodeToInteger(codes.row(i).transpose()), i);
  }
  EXPECT_EQ(CalculateReflectedGrayCodes(0).size(), 0);
}

TEST(GrayCode, RefusesNonsense) {
  EXPECT_THROWS_MESSAGE(CalculateReflectedGrayCodes(31), std::logic_error,
                        "num_digits is 31; it must be from 0 to 30");
  EXPECT_THROWS_MESSAGE(GrayCodeToInteger(VectorXi{{0, 2}}), std::logic_error,
                        "digit 1 is 2");
}

TEST(SoftMinMax, BracketTheExtremes) {
  const vector<double> x{-1.0, 2.0, 1.9, 0.3};
  for (double alpha : {1.0, 10.0, 1000.0}) {
    const double bound = std::log(4.0) / alpha;
    EXPECT_GE(SoftOverMax(x, alpha), 2.0);
    EXPECT_LE(SoftOverMax(x, alpha), 2.0 + bound);
    EXPECT_LE(SoftUnderMax(x, alpha), 2.0);
    EXPECT_GE(SoftOverMin(x, alpha), -1.0);
    EXPECT_LE(SoftUnderMin(x, alpha), -1.0);
    EXPECT_GE(SoftUnderMin(x, alpha), -1.0 - bound);
  }
}

TEST(SoftMinMax, AreTheirFormulas) {
  const vector<double> x{0.2, -0.5};
  const double a = std::exp(3 * 0.2), b = std::exp(-3 * 0.5);
  EXPECT_NEAR(SoftOverMax(x, 3.0), std::log(a + b) / 3, 1e-15);
  EXPECT_NEAR(SoftUnderMax(x, 3.0), (0.2 * a - 0.5 * b) / (a + b), 1e-15);
  EXPECT_NEAR(SoftUnderMin(x, 3.0), -std::log(1 / a + 1 / b) / 3, 1e-15);
  EXPECT_NEAR(SoftOverMin(x, 3.0), (0.2 / a - 0.5 / b) / (1 / a + 1 / b),
              1e-15);
}

TEST(SoftMinMax, HaveSoftmaxWeightsAsDerivatives) {
  const vector<AutoDiffXd> x{AutoDiffXd(0.2, 2, 0), AutoDiffXd(-0.5, 2, 1)};
  const double w = 1 / (1 + std::exp(-0.7));
  EXPECT_TRUE(Near(SoftOverMax(x).derivatives(), Vector2d(w, 1 - w), 1e-15));
}

TEST(SoftMinMax, RefuseNonsense) {
  EXPECT_THROWS_MESSAGE(SoftOverMax(vector<double>{}), std::logic_error,
                        "SoftOverMax(): x is empty");
  EXPECT_THROWS_MESSAGE(SoftUnderMax(vector<double>{1.0}, 0.0),
                        std::logic_error, "alpha is 0; it must be positive");
  EXPECT_THROWS_MESSAGE(SoftOverMin(vector<double>{1.0}, -1.0),
                        std::logic_error, "alpha is -1");
  EXPECT_THROWS_MESSAGE(SoftUnderMin(vector<double>{1.0}, INFINITY),
                        std::logic_error, "alpha is inf");
}

TEST(NumericalGradient, IsNearTheDerivative) {
  const std::function<void(const Vector2d&, Vector2d*)> f =
      [](const Vector2d& x, Vector2d* y) {
        *y << std::sin(x[0]) * x[1], x[0] * x[0];
      };
  const Vector2d x(0.4, 30.0);
  const Matrix2d expected{{std::cos(0.4) * 30, std::sin(0.4)}, {0.8, 0}};
  // Truncation: f'' h / 2 with h near 3e-8, and f''' h^2 / 6 with 1e-5.
  EXPECT_TRUE(Near(ComputeNumericalGradient(f, x), expected, 1e-6));
  EXPECT_TRUE(Near(
      ComputeNumericalGradient(
          f, x, NumericalGradientOption(NumericalGradientMethod::kBackward)),
      expected, 1e-6));
  EXPECT_TRUE(Near(
      ComputeNumericalGradient(
          f, x, NumericalGradientOption(NumericalGradientMethod::kCentral)),
      expected, 1e-8));
}

TEST(NumericalGradient, StepFollowsTheAccuracyOfTheFunction) {
  using Option = NumericalGradientOption;
  using Method = NumericalGradientMethod;
  EXPECT_NEAR(Option(Method::kForward, 1e-8).perturbation_size(), 1e-4, 1e-18);
  EXPECT_NEAR(Option(Method::kCentral, 1e-9).perturbation_size(), 1e-3, 1e-17);
  EXPECT_EQ(Option(Method::kCentral).method(), Method::kCentral);
  EXPECT_THROWS_MESSAGE(Option(Method::kForward, 0.0), std::logic_error,
                        "function_accuracy is 0");
}

}  // namespace
}  // namespace wyvern::math
