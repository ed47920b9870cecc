#include "wyvern/systems/controllers/linear_quadratic_regulator.h"

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "tests/support/spectrum.h"
#include "wyvern/systems/primitives/linear/discrete_time_approximation.h"

namespace wyvern::systems::controllers {
namespace linear_quadratic_regulator_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

const MatrixXd A{{0, 1}, {0, 0}};
const MatrixXd B{{0}, {1}};
const MatrixXd I = MatrixXd::Identity(2, 2);
const MatrixXd R{{1}};

// The solution for a unit mass with unit costs is K = [1, sqrt(3)] and
// S = [sqrt(3), 1; 1, sqrt(3)].
TEST(LinearQuadraticRegulator, OfADoubleIntegratorIsTheTextbookResult) {
  const double root = std::sqrt(3.0);
  const auto result = LinearQuadraticRegulator(A, B, I, R);
  EXPECT_TRUE(test::Near(result.K, MatrixXd{{1, root}}, 1e-13));
  EXPECT_TRUE(test::Near(result.S, MatrixXd{{root, 1}, {1, root}}, 1e-13));
}

// x'Qx + u'Ru + 2 x'Nu = x'(Q - N R^-1 N')x + w'Rw with w = u + R^-1 N'x.
TEST(LinearQuadraticRegulator, TheMixedCostIsAShiftOfTheInput) {
  const MatrixXd N{{0.3}, {0.2}};
  const auto result = LinearQuadraticRegulator(A, B, I, R, N);
  const auto shifted = LinearQuadraticRegulator(A - B * N.transpose(), B,
                                                I - N * N.transpose(), R);
  EXPECT_TRUE(test::Near(result.S, shifted.S, 1e-13));
  EXPECT_TRUE(test::Near(result.K, shifted.K + N.transpose(), 1e-13));
}

// Two copies of one coordinate, as (x, x, v): F says that the first two agree.
TEST(LinearQuadraticRegulator, WithAConstraintIsTheReducedProblem) {
  const MatrixXd A3{{0, 0, 1}, {0, 0, 1}, {0, 0, 0}};
  const MatrixXd B3{{0}, {0}, {1}};
  const MatrixXd F{{1, -1, 0}};
  const MatrixXd Q = Eigen::Vector3d(0.5, 0.5, 1).asDiagonal();
  const auto result = LinearQuadraticRegulator(A3, B3, Q, R, MatrixXd(), F);
  const auto reduced = LinearQuadraticRegulator(A, B, I, R);
  const MatrixXd expand{{1, 0}, {1, 0}, {0, 1}};
  EXPECT_TRUE(test::Near(result.K * expand, reduced.K, 1e-13));
  EXPECT_TRUE(
      test::Near(expand.transpose() * result.S * expand, reduced.S, 1e-13));
  EXPECT_TRUE(test::Near(result.S * F.transpose(), VectorXd::Zero(3), 1e-13));
}

// Bellman's equation: S = Q + K'RK + (A - BK)'S(A - BK) + mixed terms.
TEST(DiscreteTimeLinearQuadraticRegulator, ObeysBellmansEquation) {
  const MatrixXd A_d{{1, 0.1}, {0.2, 0.9}};
  const MatrixXd B_d{{0}, {0.1}};
  for (const MatrixXd& N : {MatrixXd(0, 0), MatrixXd{{0.3}, {0.2}}}) {
    const auto [K, S] = DiscreteTimeLinearQuadraticRegulator(A_d, B_d, I, R, N);
    const MatrixXd closed = A_d - B_d * K;
    MatrixXd cost = I + K.transpose() * R * K + closed.transpose() * S * closed;
    if (N.size() > 0) cost -= N * K + K.transpose() * N.transpose();
    EXPECT_TRUE(test::Near(cost, S, 1e-11 * S.norm()));
    EXPECT_LT(::wyvern::test::Spectrum(closed).cwiseAbs().maxCoeff(), 1);
  }
}

// With a short period h the discrete regulator, with costs per time times h,
// tends to the continuous one; the error is of order h.
TEST(DiscreteTimeLinearQuadraticRegulator, TendsToTheContinuousOne) {
  const double h = 1e-5;
  const LinearSystem<double> mass(A, B);
  const auto discrete = DiscreteTimeApproximation(mass, h);
  const auto result = DiscreteTimeLinearQuadraticRegulator(
      discrete->A(), discrete->B(), h * I, h * R);
  EXPECT_TRUE(
      test::Near(result.K, LinearQuadraticRegulator(A, B, I, R).K, 10 * h));
}

TEST(LinearQuadraticRegulator, OfALinearSystemIsABlock) {
  const MatrixXd K = LinearQuadraticRegulator(A, B, I, R).K;
  const auto block = LinearQuadraticRegulator(LinearSystem<double>(A, B), I, R);
  EXPECT_EQ(block->D(), -K);
  EXPECT_EQ(block->num_states(), 0);
  const LinearSystem<double> discrete(0.5 * I, B, I, MatrixXd(), 0.1);
  const auto discrete_block = LinearQuadraticRegulator(discrete, I, R);
  EXPECT_EQ(discrete_block->D(),
            -DiscreteTimeLinearQuadraticRegulator(0.5 * I, B, I, R).K);
  EXPECT_EQ(discrete_block->time_period(), 0.1);
}

// At the operating point the regulator gives the nominal input, and away from
// it the feedback of the linearisation.
TEST(LinearQuadraticRegulator, OfASystemActsAroundTheOperatingPoint) {
  const Vector2d f0(0, -3);
  const AffineSystem<double> falling(A, B, f0, I);
  auto context = falling.CreateDefaultContext();
  const Vector2d x0(5, 0);
  context->SetContinuousState(x0);
  falling.get_input_port().FixValue(context.get(), 3.0);
  const auto block = LinearQuadraticRegulator(falling, *context, I, R);
  const MatrixXd K = LinearQuadraticRegulator(A, B, I, R).K;
  const Vector2d x(6, 7);
  auto block_context = block->CreateDefaultContext();
  block->get_input_port().FixValue(block_context.get(), x);
  EXPECT_NEAR(block->get_output_port().Eval(*block_context)[0],
              3 - (K * (x - x0))[0], 1e-12);
}

TEST(LinearQuadraticRegulator, RefusesProblemsThatDoNotFit) {
  EXPECT_THROWS_MESSAGE(LinearQuadraticRegulator(B, B, I, R), std::logic_error,
                        "A is 2 x 1; it must be 2 x 2.");
  EXPECT_THROWS_MESSAGE(LinearQuadraticRegulator(A, R, I, R), std::logic_error,
                        "B is 1 x 1; it must be 2 x 1.");
  EXPECT_THROWS_MESSAGE(LinearQuadraticRegulator(A, B, R, R), std::logic_error,
                        "Q is 1 x 1; it must be 2 x 2.");
  EXPECT_THROWS_MESSAGE(LinearQuadraticRegulator(A, B, I, I), std::logic_error,
                        "R is 2 x 2; it must be 1 x 1.");
  EXPECT_THROWS_MESSAGE(LinearQuadraticRegulator(A, B, I, R, R),
                        std::logic_error, "N is 1 x 1; it must be 2 x 1.");
  EXPECT_THROWS_MESSAGE(LinearQuadraticRegulator(A, B, NAN * I, R),
                        std::logic_error, "Q(0, 0) is nan");
  EXPECT_THROWS_MESSAGE(
      LinearQuadraticRegulator(A, B, I, R, MatrixXd(), MatrixXd::Ones(2, 2)),
      std::logic_error, "F has 2 rows and rank 1");
}

// x' = -x + u with the cost q x^2 + u^2: s^2 + 2 s - q = 0, and the closed loop
// decays at sqrt(1 + q) as long as q > -1.
TEST(LinearQuadraticRegulator, OfAnIndefiniteCostIsFoundWhereThereIsOne) {
  const MatrixXd one{{1}};
  for (const double q : {-0.9, -0.5, -0.1, 2.0}) {
    const auto result = LinearQuadraticRegulator(-one, one, q * one, one);
    EXPECT_NEAR(result.S(0, 0), std::sqrt(1 + q) - 1, 1e-13);
    EXPECT_NEAR(result.K(0, 0), std::sqrt(1 + q) - 1, 1e-13);
  }
  EXPECT_THROWS_MESSAGE(LinearQuadraticRegulator(-one, one, -1.1 * one, one),
                        std::runtime_error, "no stabilizing solution");
  // A mixed cost alone: q = 0, and 2 n x u. K = s + n with s^2 + 2 (1 + n) s +
  // n^2 = 0.
  const double n = 0.4;
  const auto mixed = LinearQuadraticRegulator(-one, one, 0 * one, one, n * one);
  const double s = std::sqrt(1 + 2 * n) - (1 + n);
  EXPECT_NEAR(mixed.S(0, 0), s, 1e-13);
  EXPECT_NEAR(mixed.K(0, 0), s + n, 1e-13);
}

// x+ = a x + u: s^2 + (1 - q - a^2) s - q = 0.
TEST(DiscreteTimeLinearQuadraticRegulator, FindsTheLeastOfAnIndefiniteCost) {
  const MatrixXd one{{1}};
  const double a = 0.5;
  for (const double q : {-0.2, -0.1, 0.3}) {
    const auto result =
        DiscreteTimeLinearQuadraticRegulator(a * one, one, q * one, one);
    const double p = 1 - q - a * a;
    const double s = (std::sqrt(p * p + 4 * q) - p) / 2;
    EXPECT_NEAR(result.S(0, 0), s, 1e-13);
    EXPECT_NEAR(result.K(0, 0), a * s / (1 + s), 1e-13);
  }
  EXPECT_THROWS_MESSAGE(
      DiscreteTimeLinearQuadraticRegulator(a * one, one, -one, one),
      std::runtime_error, "no stabilizing solution");
}

TEST(LinearQuadraticRegulator, RefusesCostsThatAreNot) {
  EXPECT_THROW(LinearQuadraticRegulator(A, B, -I, R), std::runtime_error);
  EXPECT_THROWS_MESSAGE(LinearQuadraticRegulator(A, B, I, 0 * R),
                        std::logic_error, "R");
  EXPECT_THROWS_MESSAGE(LinearQuadraticRegulator(A, B, A, R), std::logic_error,
                        "Q is not symmetric");
}

TEST(LinearQuadraticRegulator, ThrowsIfNothingStabilises) {
  EXPECT_THROW(LinearQuadraticRegulator(I, 0 * B, I, R), std::runtime_error);
  EXPECT_THROW(DiscreteTimeLinearQuadraticRegulator(2 * I, 0 * B, I, R),
               std::runtime_error);
}

}  // namespace linear_quadratic_regulator_test
}  // namespace wyvern::systems::controllers
