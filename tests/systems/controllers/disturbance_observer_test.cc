#include "wyvern/systems/controllers/disturbance_observer.h"

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/controllers/kalman_observer.h"

namespace wyvern::systems::controllers {
namespace disturbance_observer_test {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using ::wyvern::test::Near;

MatrixXd One(double x) { return MatrixXd::Constant(1, 1, x); }

// x' = -a x + u + d, y = x. With L = (l1, l2) the error has the characteristic
// polynomial s^2 + (a + l1) s + l2, here (s + 2)(s + 5).
TEST(DisturbanceObserver, ErrorOfTheDisturbanceDecaysByItsPoles) {
  const double a = 0.5;
  const LinearSystem<double> plant(One(-a), One(1), One(1), One(0));
  const auto observer = MakeDisturbanceObserver(plant, Vector2d(7 - a, 10));
  EXPECT_NEAR(observer->A().trace(), -7, 1e-14);
  EXPECT_NEAR(observer->A().determinant(), 10, 1e-14);
  // The error (x - z, d - e) moves by A of the observer, whatever u is.
  const double x = 0.3, d = -0.8, u = 1.7;
  const Vector2d z(1.1, 0.6);
  const Vector2d input(u, x);
  const VectorXd rates = observer->A() * z + observer->B() * input;
  const Vector2d plant_rates(-a * x + u + d, 0);
  EXPECT_TRUE(
      Near(plant_rates - rates, observer->A() * (Vector2d(x, d) - z), 1e-14));
}

// Deadbeat: poles at 0 find a constant disturbance in two steps.
TEST(DisturbanceObserver, DiscreteFindsAConstantDisturbance) {
  const double a = 0.9, b = 2;
  const LinearSystem<double> plant(One(a), One(b), One(1), One(0), 0.1);
  // A - L C = [a - l1, b; -l2, 1] with trace 0 and determinant 0.
  const double l1 = a + 1, l2 = 1 / b;
  const auto observer = MakeDisturbanceObserver(plant, Vector2d(l1, l2));
  EXPECT_EQ(observer->time_period(), 0.1);
  VectorXd z = Vector2d::Zero();
  double x = 3;
  const double d = -0.4, u = 0.7;
  for (int k = 0; k < 2; ++k) {
    z = (observer->A() * z + observer->B() * Vector2d(u, x)).eval();
    x = a * x + b * (u + d);
  }
  EXPECT_TRUE(Near(z, Vector2d(x, d), 1e-14));
}

TEST(DisturbanceObserver, TakesTheGainOfASteadyStateKalmanFilter) {
  const LinearSystem<double> plant(Matrix2d{{0, 1}, {0, -0.1}}, Vector2d(0, 1),
                                   MatrixXd{{1, 0}}, One(0));
  const auto model = MakeDisturbanceModel(plant);
  const MatrixXd L =
      CalcKalmanGain(*model, MatrixXd::Identity(3, 3), One(0.01)).L;
  const auto observer = MakeDisturbanceObserver(plant, L);
  EXPECT_TRUE(Near(observer->A(), model->A() - L * model->C(), 1e-14));
  for (const auto& pole : VectorXd(observer->A().eigenvalues().real())) {
    EXPECT_LT(pole, 0);
  }
}

TEST(DisturbanceModel, TakesDisturbancesThatEnterElsewhere) {
  const LinearSystem<double> plant(One(-1), One(1), One(2), One(3));
  const auto at_input = MakeDisturbanceModel(plant);
  EXPECT_EQ(at_input->A(), (Matrix2d{{-1, 1}, {0, 0}}));
  EXPECT_EQ(at_input->C(), (MatrixXd{{2, 3}}));
  const auto elsewhere =
      MakeDisturbanceModel(plant, MatrixXd{{0, 4}}, MatrixXd{{1, 0}});
  EXPECT_EQ(elsewhere->A(), (MatrixXd{{-1, 0, 4}, {0, 0, 0}, {0, 0, 0}}));
  EXPECT_EQ(elsewhere->C(), (MatrixXd{{2, 1, 0}}));
  EXPECT_EQ(MakeDisturbanceModel(plant, One(4))->C(), (MatrixXd{{2, 0}}));
}

TEST(DisturbanceObserver, RefusesShapesThatDoNotFit) {
  const LinearSystem<double> plant(One(-1), One(1), One(1), One(0));
  EXPECT_THROWS_MESSAGE(MakeDisturbanceObserver(plant, One(1)),
                        std::logic_error, "L is 1 x 1; it must be 2 x 1");
  EXPECT_THROWS_MESSAGE(MakeDisturbanceObserver(plant, Vector2d(1, NAN)),
                        std::logic_error, "is nan");
  EXPECT_THROWS_MESSAGE(MakeDisturbanceModel(plant, Vector2d(1, 1)),
                        std::logic_error, "Bd is 2 x 1; it must be 1 x 1");
  EXPECT_THROWS_MESSAGE(MakeDisturbanceModel(plant, One(1), Vector2d(1, 1)),
                        std::logic_error, "Dd is 2 x 1; it must be 1 x 1");
  const LinearSystem<double> without_input(One(-1), MatrixXd(), One(1));
  EXPECT_THROWS_MESSAGE(MakeDisturbanceModel(without_input), std::logic_error,
                        "the number of disturbances is 0");
}

}  // namespace disturbance_observer_test
}  // namespace wyvern::systems::controllers
