#include "wyvern/systems/common/autodiff.h"

#include <functional>
#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern {
namespace {

using Eigen::Vector2d;
using test::Near;
using MatrixXA = Eigen::Matrix<AutoDiffXd, Eigen::Dynamic, Eigen::Dynamic>;
using Matrix3A = Eigen::Matrix<AutoDiffXd, 3, 3>;

struct Function {
  const char* name;
  std::function<AutoDiffXd(AutoDiffXd)> on_autodiff;
  std::function<double(double)> on_double;
  double at;
};

// One function, by overload, for both types.
#define F(expression, point)                                             \
  Function {                                                             \
#expression, [](AutoDiffXd x) -> AutoDiffXd { return expression; },    \
        [](double x) -> double { return expression; }, point \
  }

using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos,
    std::cosh, std::exp, std::log, std::max, std::min, std::pow, std::sin,
    std::sinh, std::sqrt, std::tan, std::tanh, std::copysign;

TEST(AutoDiffXd, EveryFunctionHasTheDerivativeOfItsDoubleTwin) {
  const Function functions[] = {F(x + 2, 0.3),
                                F(2 + x, 0.3),
                                F(x - 2, 0.3),
                                F(2 - x, 0.3),
                                F(x * 2, 0.3),
                                F(2 * x, 0.3),
                                F(x / 2, 0.3),
                                F(2 / x, 0.3),
                                F(x + x, 0.3),
                                F(x - 3 * x, 0.3),
                                F(x * x, 0.3),
                                F(x / (x + 1), 0.3),
                                F((x + 1) * (x + 2), 0.3),
                                F((x + 1) - (2 * x), 0.3),
                                F(-x, 0.3),
                                F(-(x * x), 0.3),
                                F(x * (x + 1), 0.3),
                                F(x - (x * x), 0.3),
                                F(sqrt(x), 0.3),
                                F(exp(x), 0.3),
                                F(log(x), 0.3),
                                F(sin(x), 0.3),
                                F(cos(x), 0.3),
                                F(tan(x), 0.3),
                                F(asin(x), 0.3),
                                F(acos(x), 0.3),
                                F(atan(x), 0.3),
                                F(sinh(x), 0.3),
                                F(cosh(x), 0.3),
                                F(tanh(x), 0.3),
                                F(abs(x), 0.3),
                                F(abs(x), -0.3),
                                F(atan2(x, 2 * x - 1), 0.3),
                                F(atan2(x, 0.2), 0.3),
                                F(atan2(0.2, x), -0.3),
                                F(pow(x, 2.5), 0.3),
                                F(pow(x, x), 0.3),
                                F(pow(2.0, x), 0.3),
                                F(min(x, 2 * x), 0.3),
                                F(max(x, 2 * x), 0.3),
                                F(copysign(x, -x), 0.3)};
  for (const Function& f : functions) {
    const AutoDiffXd y = f.on_autodiff(AutoDiffXd(f.at, 1, 0));
    const double h = 1e-6;
    const double slope =
        (f.on_double(f.at + h) - f.on_double(f.at - h)) / (2 * h);
    EXPECT_NEAR(y.value(), f.on_double(f.at), 1e-15) << f.name;
    ASSERT_EQ(y.derivatives().size(), 1) << f.name;
    // Central differences: h² of truncation, epsilon/h of rounding.
    EXPECT_NEAR(y.derivatives()(0), slope, 1e-8) << f.name;
    // A constant stays one.
    EXPECT_EQ(f.on_autodiff(f.at).derivatives().size(), 0) << f.name;
  }
}

TEST(AutoDiffXd, CompoundAssignmentIsTheOperation) {
  const AutoDiffXd x(0.5, Vector2d(1, 2)), y(3, Vector2d(-1, 4));
  AutoDiffXd z = x;
  z += y;
  z -= x;
  z *= y;
  z /= y;
  z += 1;
  z -= 2;
  z *= 4;
  z /= 2;
  EXPECT_NEAR(z.value(), 2 * (3 - 1), 1e-15);
  EXPECT_TRUE(Near(z.derivatives(), Vector2d(-2, 8), 1e-15));
  z = x;
  z *= z;
  EXPECT_TRUE(Near(z.derivatives(), Vector2d(1, 2), 1e-15));
}

TEST(AutoDiffXd, ConstantsMixWithVariablesInAnyOrder) {
  const AutoDiffXd c(2), x(0.5, Vector2d(1, 2));
  EXPECT_TRUE(Near((c * c - x).derivatives(), Vector2d(-1, -2)));
  EXPECT_TRUE(Near((x - c * c).derivatives(), Vector2d(1, 2)));
  EXPECT_TRUE(Near((c * x + c * c).derivatives(), Vector2d(2, 4)));
  EXPECT_TRUE(Near((c / x).derivatives(), Vector2d(-8, -16)));
}

TEST(AutoDiffXd, UnaryPlusIsTheNumberItself) {
  const AutoDiffXd a(2, Eigen::Vector2d(3, 4));
  const AutoDiffXd b = +a;
  EXPECT_EQ(b.value(), 2);
  EXPECT_EQ(b.derivatives(), Eigen::Vector2d(3, 4));
}

TEST(AutoDiffXd, NumbersOfOtherVariablesAreRefused) {
  const AutoDiffXd x(0.5, 2, 0), y(0.5, 3, 0);
  EXPECT_THROWS_MESSAGE(x + y, std::logic_error,
                        "derivatives by 2 variables was combined with one by "
                        "3");
  EXPECT_THROWS_MESSAGE(x * y, std::logic_error, "variables");
  EXPECT_THROWS_MESSAGE(atan2(x, y), std::logic_error, "variables");
}

TEST(AutoDiffXd, ComparisonsAreOfValues) {
  const AutoDiffXd x(0.5, 2, 0), y(0.5, 2, 1), z(1);
  EXPECT_TRUE(x == y && x < z && z > x && x <= y && x >= y && x != z);
  EXPECT_TRUE(x == 0.5 && 0.5 == x && x < 1 && 1 > x && 0 < x && x != 0);
  const AutoDiffXd nan(std::nan(""));
  EXPECT_FALSE(nan == nan || nan < x || nan >= x);
  EXPECT_TRUE(isnan(nan) && isfinite(x) && isinf(AutoDiffXd(INFINITY)));
}

TEST(AutoDiffXd, MinAndMaxKeepTheirOwnDerivatives) {
  const AutoDiffXd x(1, Vector2d(1, 2)), y(2, Vector2d(3, 4));
  EXPECT_EQ(min(x, y).derivatives(), Vector2d(1, 2));
  EXPECT_EQ(max(x, y).derivatives(), Vector2d(3, 4));
  EXPECT_EQ(max(x, AutoDiffXd(5)).derivatives().size(), 0);
}

TEST(AutoDiffXd, MinAndMaxOfEqualValuesTakeTheOneThatHasDerivatives) {
  const AutoDiffXd x(2, Vector2d(1, 2)), y(2, Vector2d(3, 4)), number(2);
  for (const auto& f : {+[](const AutoDiffXd&a, const AutoDiffXd&b) {
                          return AutoDiffXd(min(a, b));
                        },
                        +[](const AutoDiffXd&a, const AutoDiffXd&b) {
                          return AutoDiffXd(max(a, b));
                        }}) {
    EXPECT_EQ(f(x, number).derivatives(), Vector2d(1, 2));
    EXPECT_EQ(f(number, x).derivatives(), Vector2d(1, 2));
    EXPECT_EQ(f(x, y).derivatives(), Vector2d(1, 2));
    EXPECT_EQ(f(number, number).derivatives().size(), 0);
  }
}

TEST(AutoDiffXd, StepsHaveNoDerivatives) {
  const AutoDiffXd x(1.5, 2, 0);
  EXPECT_EQ(floor(x), 1);
  EXPECT_EQ(ceil(x), 2);
  EXPECT_EQ(round(x), 2);
}

TEST(AutoDiffXd, RootOfZeroKeepsZeroDerivatives) {
  const AutoDiffXd y = sqrt(AutoDiffXd(0, Vector2d(0, 1)));
  EXPECT_EQ(y.derivatives()(0), 0);
  EXPECT_EQ(y.derivatives()(1), INFINITY);
}

TEST(AutoDiffXd, EigenSolvesAndItsDerivativeIsThatOfTheInverse) {
  // d(A⁻¹) = -A⁻¹ dA A⁻¹.
  const Eigen::Matrix3d A =
      Eigen::Vector3d(3, 4, 5).asDiagonal() * Eigen::Matrix3d::Identity() +
      Eigen::Matrix3d::Ones();
  Eigen::Matrix3d dA = Eigen::Matrix3d::Zero();
  dA(0, 1) = dA(1, 0) = 1;
  Matrix3A M = A.cast<AutoDiffXd>();
  M(0, 1) = M(1, 0) = AutoDiffXd(1, 1, 0);
  const Eigen::Matrix3d expected = -A.inverse() * dA * A.inverse();
  const auto check = [&expected](const MatrixXA& inverse) {
    const Eigen::MatrixXd derivative = inverse.unaryExpr(
        [](const AutoDiffXd& x) { return x.derivatives()(0); });
    EXPECT_TRUE(Near(derivative, expected, 1e-15));
  };
  const MatrixXA I = MatrixXA::Identity(3, 3), D = M;
  check(M.inverse());
  check(M.llt().solve(I));
  check(D.ldlt().solve(I));
  check(D.partialPivLu().solve(I));
  check(D.colPivHouseholderQr().solve(I));
}

TEST(AutoDiffXd, MatricesOfItMixWithDoubles) {
  Eigen::Matrix<AutoDiffXd, 2, 1> x(AutoDiffXd(1, 2, 0), AutoDiffXd(2, 2, 1));
  const Eigen::Matrix<AutoDiffXd, 2, 1> y = 2.0 * x + x * 3.0;
  EXPECT_EQ(y(1).value(), 10);
  EXPECT_EQ(y(1).derivatives(), Vector2d(0, 5));
  const AutoDiffXd norm = x.norm();
  EXPECT_TRUE(Near(norm.derivatives(), Vector2d(1, 2) / std::sqrt(5.0), 1e-15));
  EXPECT_EQ(x.dot(Vector2d(3, 4).cast<AutoDiffXd>()).derivatives(),
            Vector2d(3, 4));
}

TEST(AutoDiffXd, ChainsOfTemporariesKeepOneVector) {
  const AutoDiffXd x(0.5, Vector2d(1, 2)), y(2, Vector2d(3, 4));
  test::AllocationGuard guard;
  const AutoDiffXd z = sin((x * 2 + 1) / y) - 4;
  EXPECT_LE(guard.count(), 1);
  EXPECT_EQ(z.derivatives().size(), 2);
}

TEST(AutoDiffXd, PrintsTheValue) {
  std::ostringstream out;
  out << AutoDiffXd(1.5, 2, 0);
  EXPECT_EQ(out.str(), "1.5");
}

#undef F

}  // namespace
}  // namespace wyvern
