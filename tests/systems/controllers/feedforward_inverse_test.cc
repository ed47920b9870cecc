#include "wyvern/systems/controllers/feedforward_inverse.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/linear/filters.h"
#include "wyvern/systems/primitives/trajectory_source.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"

namespace wyvern::systems::controllers {
namespace feedforward_inverse_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using trajectories::PiecewisePolynomial;

// A smooth way from 0 to 1 with three derivatives that are zero at its ends.
PiecewisePolynomial<double> SmoothStep() {
  Eigen::VectorXd coefficients = VectorXd::Zero(8);
  coefficients.tail(4) << 35, -84, 70, -20;
  return PiecewisePolynomial<double>(
      std::vector<Polynomial<double>>{Polynomial<double>(coefficients)},
      {0, 1});
}

// Drives the plant by its inverse and returns the largest error of its output.
double FollowSmoothStep(const LinearSystem<double>& plant) {
  FeedforwardInverse inverse = MakeFeedforwardInverse(plant);
  DiagramBuilder<double> builder;
  auto* wanted = builder.AddSystem<TrajectorySource<double>>(
      SmoothStep(), inverse.relative_degree);
  auto* block = builder.AddSystem(std::move(inverse.system));
  auto* driven = builder.AddSystem(System<double>::Clone(plant));
  builder.Connect(wanted->get_output_port(), block->get_input_port());
  builder.Connect(block->get_output_port(), driven->get_input_port());
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  simulator.get_mutable_integrator().set_target_accuracy(1e-10);
  double error = 0;
  for (double t = 0.1; t < 1.3; t += 0.1) {
    simulator.AdvanceTo(t);
    const double y = driven->get_output_port().Eval(
        driven->GetMyContextFromRoot(simulator.get_context()))[0];
    const double y_d = wanted->get_output_port().Eval(
        wanted->GetMyContextFromRoot(simulator.get_context()))[0];
    error = std::max(error, std::abs(y - y_d));
  }
  return error;
}

TEST(FeedforwardInverse, MakesThePlantFollowExactly) {
  // Relative degrees 3, 2, 1 and 0; zeros none, -2, -3 +- i, and -1, -5.
  struct Case {
    VectorXd numerator, denominator;
    int relative_degree;
  };
  const Eigen::Vector4d cubic(1, 2, 3, 4);
  for (const auto& [numerator, denominator, degree] :
       {Case{VectorXd::Constant(1, 2), cubic, 3},
        Case{Eigen::Vector2d(1, 2), cubic, 2},
        Case{Eigen::Vector3d(1, 6, 10), cubic, 1},
        Case{Eigen::Vector3d(2, 12, 10), Eigen::Vector3d(1, -0.5, 3), 0}}) {
    const auto plant = MakeTransferFunctionBlock(numerator, denominator);
    EXPECT_EQ(MakeFeedforwardInverse(*plant).relative_degree, degree);
    EXPECT_LT(FollowSmoothStep(*plant), 1e-8) << degree;
  }
}

// Discrete: y[k + r] stands for the derivative of order r. Starts anywhere, by
// the map T.
TEST(FeedforwardInverse, OfADiscretePlantNeedsTheNextValues) {
  const auto plant = MakeTransferFunctionBlock(
      Eigen::Vector2d(1, 0.5), Eigen::Vector4d(1, -0.3, 0.2, 0.1), 0.1);
  const FeedforwardInverse inverse = MakeFeedforwardInverse(*plant);
  ASSERT_EQ(inverse.relative_degree, 2);
  VectorXd x = Eigen::Vector3d(0.3, -0.7, 0.2);
  VectorXd eta = inverse.T * x;
  // The plant decides on y[0] and y[1]; the rest is wanted.
  std::vector<double> y{(plant->C() * x)[0], (plant->C() * plant->A() * x)[0]};
  for (int k = 2; k < 22; ++k) y.push_back(std::sin(k));
  for (int k = 0; k < 20; ++k) {
    const Eigen::Vector3d ahead(y[k], y[k + 1], y[k + 2]);
    const VectorXd u = inverse.system->C() * eta + inverse.system->D() * ahead;
    EXPECT_NEAR((plant->C() * x)[0], y[k], 1e-12);
    eta = (inverse.system->A() * eta + inverse.system->B() * ahead).eval();
    x = (plant->A() * x + plant->B() * u).eval();
  }
  EXPECT_EQ(inverse.system->time_period(), 0.1);
}

// The eigenvalues of the inverse are the zeros of the plant.
TEST(FeedforwardInverse, HasTheZerosOfThePlantAsPoles) {
  const auto plant = MakeTransferFunctionBlock(Eigen::Vector3d(1, 6, 10),
                                               Eigen::Vector4d(1, 2, 3, 4));
  const auto inverse = MakeFeedforwardInverse(*plant);
  const MatrixXd& A = inverse.system->A();
  EXPECT_NEAR(A.trace(), -6, 1e-12);
  EXPECT_NEAR(A.determinant(), 10, 1e-12);
}

// The unit circle decides for a discrete plant, the imaginary axis for a
// continuous one. Zeros on them do not settle.
TEST(FeedforwardInverse, SettlesIfTheZerosOfThePlantDo) {
  const auto make = [](double zero, double period) {
    const Eigen::Vector3d denominator =
        period > 0 ? Eigen::Vector3d(1, -0.3, 0.02) : Eigen::Vector3d(1, 3, 2);
    return MakeFeedforwardInverse(*MakeTransferFunctionBlock(
        Eigen::Vector2d(1, -zero), denominator, period));
  };
  for (const double zero : {-0.9, -0.5, 0.5, 0.9}) {
    EXPECT_NEAR(make(zero, 0.1).system->A()(0, 0), zero, 1e-12);
  }
  for (const double zero : {-2.0, -1.1, 1.1, 2.0}) {
    EXPECT_THROWS_MESSAGE(make(zero, 0.1), std::runtime_error,
                          "the plant has the zero ");
  }
  for (const double zero : {-5.0, -0.5}) {
    EXPECT_NEAR(make(zero, 0).system->A()(0, 0), zero, 1e-12);
  }
  for (const double zero : {0.0, 0.5, 5.0}) {
    EXPECT_THROWS_MESSAGE(make(zero, 0), std::runtime_error,
                          "the plant has the zero ");
  }
}

TEST(FeedforwardInverse, RefusesWhatItCannotInvert) {
  const auto unstable = MakeTransferFunctionBlock(Eigen::Vector2d(1, -2),
                                                  Eigen::Vector3d(1, 3, 2));
  EXPECT_THROWS_MESSAGE(MakeFeedforwardInverse(*unstable), std::runtime_error,
                        "the plant has the zero 2 +0 i");
  const LinearSystem<double> cut(MatrixXd{{-1, 0}, {0, -2}},
                                 Eigen::Vector2d(1, 0), MatrixXd{{0, 1}});
  EXPECT_THROWS_MESSAGE(MakeFeedforwardInverse(cut), std::runtime_error,
                        "the input of the plant does not reach its output");
  const LinearSystem<double> wide(MatrixXd::Identity(2, 2),
                                  MatrixXd::Identity(2, 2), MatrixXd{{0, 1}});
  EXPECT_THROWS_MESSAGE(MakeFeedforwardInverse(wide), std::logic_error,
                        "the input of the plant has size 2");
  const LinearSystem<double> tall(MatrixXd::Identity(2, 2),
                                  Eigen::Vector2d(1, 0),
                                  MatrixXd::Identity(2, 2));
  EXPECT_THROWS_MESSAGE(MakeFeedforwardInverse(tall), std::logic_error,
                        "the output of the plant has size 2");
}

}  // namespace feedforward_inverse_test
}  // namespace wyvern::systems::controllers
