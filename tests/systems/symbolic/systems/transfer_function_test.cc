#include "wyvern/systems/symbolic/systems/transfer_function.h"

#include <cmath>
#include <complex>
#include <limits>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "tests/support/expect_throws.h"

namespace wyvern::systems {
namespace {

using Eigen::MatrixXd;
using symbolic::Environment;
using symbolic::RationalFunction;

// H at a real point of its variable.
MatrixXd ValueOf(const TransferFunction& f, double x) {
  MatrixXd result(f.H().rows(), f.H().cols());
  const Environment at{{f.time_step() > 0 ? TransferFunction::z_var()
                                          : TransferFunction::s_var(),
                        x}};
  for (int i = 0; i < result.rows(); ++i) {
    for (int j = 0; j < result.cols(); ++j) {
      result(i, j) = f.H()(i, j).Evaluate(at);
    }
  }
  return result;
}

MatrixXd ValueOf(const LinearSystem<double>& system, double x) {
  const auto n = system.A().rows();
  return system.C() * (x * MatrixXd::Identity(n, n) - system.A())
                          .lu()
                          .solve(system.B()) +
         system.D();
}

MatrixXd Some(int rows, int cols, double seed) {
  MatrixXd result(rows, cols);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j)
      result(i, j) = std::sin(seed + 3 * i + 7 * j);
  }
  return result;
}

TEST(TransferFunction, IsWhatItWasGiven) {
  const RationalFunction s = TransferFunction::s();
  const TransferFunction f(1.0 / (s * s + 3.0 * s + 2.0));
  EXPECT_EQ(f.time_step(), 0);
  EXPECT_EQ(f.H().size(), 1);
  EXPECT_NEAR(ValueOf(f, 2)(0, 0), 1.0 / 12, 1e-15);
  EXPECT_TRUE(TransferFunction::s_var().equal_to(TransferFunction::s_var()));
  EXPECT_FALSE(TransferFunction::s_var().equal_to(TransferFunction::z_var()));
  EXPECT_EQ(ValueOf(TransferFunction(), 5)(0, 0), 0);
  EXPECT_EQ(ValueOf(TransferFunction(TransferFunction::z(), 0.1), 5)(0, 0), 5);
}

// The double integrator: 1 / s^2, in closed form.
TEST(TransferFunction, OfADoubleIntegrator) {
  const LinearSystem<double> system(MatrixXd{{0, 1}, {0, 0}},
                                    MatrixXd{{0}, {1}}, MatrixXd{{1, 0}},
                                    MatrixXd{{0}});
  const TransferFunction f = MakeTransferFunction(system);
  EXPECT_EQ(f.H()(0, 0).to_string(),
            (1.0 / pow(TransferFunction::s(), 2)).to_string());
}

TEST(TransferFunction, OfASystemIsThatOfItsMatrices) {
  for (const double time_period : {0.0, 0.01}) {
    const LinearSystem<double> system(Some(4, 4, 1), Some(4, 2, 2),
                                      Some(3, 4, 3), Some(3, 2, 4),
                                      time_period);
    const TransferFunction f = MakeTransferFunction(system);
    EXPECT_EQ(f.time_step(), time_period);
    for (const double x : {-4.0, 3.5, 10.0}) {
      EXPECT_LT((ValueOf(f, x) - ValueOf(system, x)).norm(), 1e-12);
    }
    // And back, with other states.
    const auto twin = MakeLinearSystem(f);
    EXPECT_EQ(twin->time_period(), time_period);
    EXPECT_EQ(twin->A().rows(), 8);  // One chain for each input.
    for (const double x : {-4.0, 3.5, 10.0}) {
      EXPECT_LT((ValueOf(*twin, x) - ValueOf(system, x)).norm(), 1e-11);
    }
  }
}

TEST(TransferFunction, DenominatorsThatDifferAreMultiplied) {
  const RationalFunction s = TransferFunction::s();
  MatrixX<RationalFunction> H(2, 2);
  H(0, 0) = (2.0 * s + 1.0) / (s + 3.0);
  H(1, 0) = 1.0 / (4.0 * s * s + 8.0);
  H(0, 1) = RationalFunction(7.0);
  H(1, 1) = RationalFunction(0.0);
  const TransferFunction f(H);
  const auto system = MakeLinearSystem(f);
  EXPECT_EQ(system->A().rows(), 3);  // 1 + 2, and none for a constant.
  EXPECT_EQ(system->D(), (MatrixXd{{2, 7}, {0, 0}}));
  for (const double x : {-4.0, 0.5, 10.0}) {
    EXPECT_LT((ValueOf(*system, x) - ValueOf(f, x)).norm(), 1e-13);
  }
}

TEST(TransferFunction, ASystemWithoutStatesIsItsConstants) {
  const MatrixXd D{{1, 2}};
  const LinearSystem<double> system(MatrixXd(0, 0), MatrixXd(0, 2),
                                    MatrixXd(1, 0), D);
  const TransferFunction f = MakeTransferFunction(system);
  EXPECT_EQ(ValueOf(f, 3), D);
  EXPECT_EQ(MakeLinearSystem(f)->D(), D);
}

TEST(TransferFunction, RefusesWhatIsNone) {
  const RationalFunction s = TransferFunction::s(), z = TransferFunction::z();
  EXPECT_THROWS_MESSAGE(TransferFunction{z}, std::logic_error,
                        "the variable z; it may have s alone");
  EXPECT_THROWS_MESSAGE(TransferFunction(s, 0.1), std::logic_error,
                        "the variable s; it may have z alone");
  EXPECT_THROWS_MESSAGE(TransferFunction(s, -0.1), std::logic_error,
                        "time_step is -0.1");
  EXPECT_THROWS_MESSAGE(
      TransferFunction(s, std::numeric_limits<double>::quiet_NaN()),
      std::logic_error, "time_step is nan");
  EXPECT_THROWS_MESSAGE(TransferFunction(MatrixX<RationalFunction>(0, 1)),
                        std::logic_error, "the number of outputs is 0");
  EXPECT_THROWS_MESSAGE(MakeLinearSystem(TransferFunction(s)), std::logic_error,
                        "H(0, 0) has the degree 1 and its denominator 0");
}

}  // namespace
}  // namespace wyvern::systems
