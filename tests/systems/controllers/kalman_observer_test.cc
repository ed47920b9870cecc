#include "wyvern/systems/controllers/kalman_observer.h"

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::systems::controllers {
namespace kalman_observer_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using ::wyvern::test::Near;

MatrixXd One(double x) { return MatrixXd::Constant(1, 1, x); }

// x' = a x + w, y = c x + v: p solves c^2 p^2 / v - 2 a p - w = 0.
TEST(KalmanGain, ContinuousHasTheScalarSolution) {
  const double a = -0.7, c = 2, w = 3, v = 0.4;
  const LinearSystem<double> system(One(a), One(1), One(c), One(0));
  const auto [L, P] = CalcKalmanGain(system, One(w), One(v));
  const double p = v / (c * c) * (a + std::sqrt(a * a + c * c * w / v));
  EXPECT_NEAR(P(0, 0), p, 1e-12);
  EXPECT_NEAR(L(0, 0), p * c / v, 1e-12);
}

// A random walk, x[n+1] = x + w, y = x + v: p = w / 2 + sqrt(w^2 / 4 + w v).
TEST(KalmanGain, DiscreteHasTheScalarSolution) {
  const double w = 0.3, v = 2;
  const LinearSystem<double> system(One(1), One(1), One(1), One(0), 0.1);
  const auto [L, P] = CalcKalmanGain(system, One(w), One(v));
  const double p = w / 2 + std::sqrt(w * w / 4 + w * v);
  EXPECT_NEAR(P(0, 0), p, 1e-12);
  EXPECT_NEAR(L(0, 0), p / (p + v), 1e-12);
}

// The covariance that the recursion of the filter reaches from any start.
TEST(KalmanGain, DiscreteIsTheLimitOfTheRecursion) {
  const MatrixXd A{{0.9, 0.2, 0}, {-0.1, 1.05, 0.3}, {0, 0.1, 0.5}};
  const MatrixXd C{{1, 0, 0.5}, {0, 1, -1}};
  const MatrixXd W{{0.2, 0.05, 0}, {0.05, 0.1, 0}, {0, 0, 0.3}};
  const MatrixXd V{{0.5, 0.1}, {0.1, 0.4}};
  const LinearSystem<double> system(A, MatrixXd::Ones(3, 1), C,
                                    MatrixXd::Zero(2, 1), 0.1);
  const auto [L, P] = CalcKalmanGain(system, W, V);
  MatrixXd S = MatrixXd::Identity(3, 3);
  for (int i = 0; i < 500; ++i) {
    const MatrixXd K =
        A * S * C.transpose() * (C * S * C.transpose() + V).inverse();
    S = A * S * A.transpose() + W - K * C * S * A.transpose();
  }
  EXPECT_TRUE(Near(P, S, 1e-10));
  EXPECT_TRUE(Near(
      L, A * S * C.transpose() * (C * S * C.transpose() + V).inverse(), 1e-10));
}

// The error of the estimate moves as A - L C, whatever the input.
TEST(Observer, ErrorMovesByItself) {
  const MatrixXd A{{0, 1}, {-2, -0.3}};
  const MatrixXd B{{0.5}, {1}};
  const MatrixXd C{{1, 0.2}};
  const MatrixXd D{{0.7}};
  const MatrixXd L{{3}, {-1}};
  for (const double period : {0.0, 0.1}) {
    const LinearSystem<double> system(A, B, C, D, period);
    const auto observer = MakeObserver(system, L);
    EXPECT_EQ(observer->time_period(), period);
    const VectorXd x{{0.3, -0.8}}, z{{1.1, 0.6}}, u{{2.5}};
    VectorXd input(2);
    input << u, C * x + D * u;
    const VectorXd change = observer->A() * z + observer->B() * input;
    EXPECT_TRUE(Near(A * x + B * u - change, (A - L * C) * (x - z), 1e-14));
    EXPECT_TRUE(Near(observer->C(), MatrixXd::Identity(2, 2)));
    EXPECT_FALSE(observer->HasDirectFeedthrough(0, 0));
  }
}

TEST(KalmanGain, RefusesShapesAndWhatCannotBeSeen) {
  const LinearSystem<double> system(
      MatrixXd::Identity(2, 2), MatrixXd::Ones(2, 1), MatrixXd{{1, 0}}, One(0));
  const MatrixXd W = MatrixXd::Identity(2, 2);
  EXPECT_THROWS_MESSAGE(CalcKalmanGain(system, One(1), One(1)),
                        std::logic_error, "W is 1 x 1; it must be 2 x 2");
  EXPECT_THROWS_MESSAGE(CalcKalmanGain(system, W, W), std::logic_error,
                        "V is 2 x 2; it must be 1 x 1");
  EXPECT_THROW(CalcKalmanGain(system, W, One(-1)), std::logic_error);
  EXPECT_THROW(CalcKalmanGain(system, W, One(1)), std::runtime_error);
  EXPECT_THROWS_MESSAGE(MakeObserver(system, W), std::logic_error,
                        "L is 2 x 2; it must be 2 x 1");
  EXPECT_THROW(MakeObserver(system, MatrixXd::Constant(2, 1, NAN)),
               std::logic_error);
}

}  // namespace kalman_observer_test
}  // namespace wyvern::systems::controllers
