#include "wyvern/systems/primitives/linear/affine_system.h"

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "tests/systems/primitives/periodic_update.h"
#include "wyvern/systems/primitives/linear/linear_system.h"

namespace wyvern::systems {
namespace affine_system_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

const MatrixXd A{{0, 1}, {-2, -3}};
const MatrixXd B{{0}, {4}};
const Vector2d f0(5, 6);
const MatrixXd C{{1, 1}};
const MatrixXd D{{7}};
const VectorXd y0 = VectorXd::Constant(1, 8);
const Vector2d x(1, -1);
constexpr double kInput = 10;

template <typename S>
std::unique_ptr<Context<double>> MakeContext(const S& system) {
  auto context = system.CreateDefaultContext();
  system.get_input_port().FixValue(context.get(), kInput);
  return context;
}

TEST(AffineSystem, ContinuousObeysItsEquations) {
  const AffineSystem<double> system(A, B, f0, C, D, y0);
  auto context = MakeContext(system);
  context->SetContinuousState(x);
  EXPECT_EQ(system.EvalTimeDerivatives(*context).CopyToVector(),
            A * x + B * kInput + f0);
  EXPECT_EQ(system.get_output_port().Eval(*context), C * x + D * kInput + y0);
}

TEST(AffineSystem, DiscreteObeysItsEquations) {
  const AffineSystem<double> system(A, B, f0, C, D, y0, 0.1);
  auto context = MakeContext(system);
  context->SetDiscreteState(x);
  EXPECT_EQ(system.get_output_port().Eval(*context), C * x + D * kInput + y0);
  test::DoPeriodicUpdates(system, context.get());
  EXPECT_EQ(context->get_discrete_state(0).value(), A * x + B * kInput + f0);
  double period = 0;
  EXPECT_TRUE(system.IsDifferenceEquationSystem(&period));
  EXPECT_EQ(period, 0.1);
}

TEST(AffineSystem, TakesEmptyCoefficientsForZero) {
  const AffineSystem<double> system(A, MatrixXd(), VectorXd(), MatrixXd(), D);
  EXPECT_EQ(system.B(), MatrixXd::Zero(2, 1));
  EXPECT_EQ(system.f0(), VectorXd::Zero(2));
  EXPECT_EQ(system.C(), MatrixXd::Zero(1, 2));
  EXPECT_EQ(system.y0(), VectorXd::Zero(1));
  const AffineSystem<double> nothing;
  EXPECT_EQ(nothing.num_states() + nothing.num_inputs() + nothing.num_outputs(),
            0);
}

TEST(AffineSystem, FeedsThroughOnlyThroughD) {
  EXPECT_TRUE(
      AffineSystem<double>(A, B, f0, C, D, y0).HasAnyDirectFeedthrough());
  EXPECT_FALSE(
      AffineSystem<double>(A, B, f0, C, 0 * D, y0).HasAnyDirectFeedthrough());
}

TEST(AffineSystem, StartsAtTheConfiguredState) {
  for (double period : {0.0, 0.1}) {
    AffineSystem<double> system(A, B, f0, C, D, y0, period);
    system.configure_default_state(x);
    EXPECT_EQ(system.get_default_state(), x);
    const auto context = MakeContext(system);
    EXPECT_EQ(period > 0
                  ? context->get_discrete_state(0).value()
                  : context->get_continuous_state_vector().CopyToVector(),
              x);
  }
}

// Mean and covariance of many draws; with N draws each entry of the estimates
// is off by about (its standard deviation) / sqrt(N): 5 sigma is allowed.
TEST(AffineSystem, RandomStatesHaveTheConfiguredDistribution) {
  AffineSystem<double> system(A, B, f0, C, D, y0);
  const MatrixXd covariance{{2, 1}, {1, 3}};
  system.configure_default_state(x);
  system.configure_random_state(covariance);
  EXPECT_TRUE(::wyvern::test::Near(system.get_random_state_covariance(),
                                   covariance, 1e-14));
  constexpr int kDraws = 10000;
  auto context = system.CreateDefaultContext();
  RandomGenerator generator;
  Vector2d mean = Vector2d::Zero();
  MatrixXd second_moment = MatrixXd::Zero(2, 2);
  for (int i = 0; i < kDraws; ++i) {
    system.SetRandomContext(context.get(), &generator);
    const Vector2d offset =
        context->get_continuous_state_vector().CopyToVector() - x;
    mean += offset / kDraws;
    second_moment += offset * offset.transpose() / kDraws;
  }
  EXPECT_TRUE(::wyvern::test::Near(mean, Vector2d::Zero(),
                                   5 * std::sqrt(3.0 / kDraws)));
  EXPECT_TRUE(::wyvern::test::Near(second_moment, covariance,
                                   5 * std::sqrt(2.0) * 3 / std::sqrt(kDraws)));
}

TEST(AffineSystem, ScalarConversionKeepsTheDefaultState) {
  AffineSystem<double> system(A, B, f0, C, D, y0);
  system.configure_default_state(x);
  system.configure_random_state(MatrixXd::Identity(2, 2));
  const auto converted = System<double>::ToAutoDiffXd(system);
  EXPECT_EQ(converted->get_default_state()[0].value(), x[0]);
  EXPECT_EQ(converted->get_random_state_covariance(), MatrixXd::Identity(2, 2));
}

TEST(AffineSystem, TheCoefficientsCanBeReplaced) {
  AffineSystem<double> system(A, B, f0, C, D, y0);
  system.UpdateCoefficients(2 * A, B, f0, C, D, 3 * y0);
  auto context = MakeContext(system);
  context->SetContinuousState(x);
  EXPECT_EQ(system.EvalTimeDerivatives(*context).CopyToVector(),
            2 * A * x + B * kInput + f0);
  EXPECT_EQ(system.get_output_port().Eval(*context),
            C * x + D * kInput + 3 * y0);
}

TEST(AffineSystem, ReplacingCoefficientsMayNotAddDependence) {
  AffineSystem<double> system(A, B, f0, C, 0 * D, y0);
  EXPECT_THROWS_MESSAGE(system.UpdateCoefficients(A, B, f0, C, D, y0),
                        std::logic_error, "D was zero");
  EXPECT_THROWS_MESSAGE(
      system.UpdateCoefficients(A, MatrixXd::Zero(2, 2), f0, C, D, y0),
      std::logic_error, "B is 2 x 2; it must be 2 x 1.");
}

TEST(AffineSystem, RefusesCoefficientsThatDoNotFit) {
  EXPECT_THROWS_MESSAGE(AffineSystem<double>(MatrixXd::Zero(2, 3)),
                        std::logic_error, "A is 2 x 3; it must be 3 x 3.");
  EXPECT_THROWS_MESSAGE(AffineSystem<double>(A, MatrixXd::Zero(3, 1)),
                        std::logic_error, "A is 2 x 2; it must be 3 x 3.");
  EXPECT_THROWS_MESSAGE(AffineSystem<double>(A, B, f0, C, MatrixXd::Zero(2, 1)),
                        std::logic_error, "C is 1 x 2; it must be 2 x 2.");
  EXPECT_THROWS_MESSAGE(AffineSystem<double>(A * NAN), std::logic_error,
                        "A(0, 0) is nan");
  EXPECT_THROWS_MESSAGE(AffineSystem<double>(A, B, f0, C, D, y0, -0.1),
                        std::logic_error, "time_period is -0.1");
}

TEST(AffineSystem, RefusesBadStates) {
  AffineSystem<double> system(A, B, f0, C, D, y0);
  EXPECT_THROWS_MESSAGE(system.configure_default_state(Vector3d::Zero()),
                        std::logic_error, "x0 has size 3");
  EXPECT_THROWS_MESSAGE(system.configure_default_state(Vector2d(0, NAN)),
                        std::logic_error, "x0[1] is nan");
  EXPECT_THROWS_MESSAGE(system.configure_random_state(MatrixXd::Zero(3, 3)),
                        std::logic_error, "3 x 3; it must be 2 x 2.");
  EXPECT_THROWS_MESSAGE(
      system.configure_random_state(MatrixXd{{1, 0.5}, {0, 1}}),
      std::logic_error, "must be symmetric");
  EXPECT_THROWS_MESSAGE(system.configure_random_state(MatrixXd{{1, 2}, {2, 1}}),
                        std::logic_error, "must be positive semidefinite");
}

TEST(LinearSystem, IsAffineWithoutConstants) {
  const LinearSystem<double> system(A, B, C, D, 0.1);
  EXPECT_EQ(system.A(), A);
  EXPECT_EQ(system.f0(), Vector2d::Zero());
  EXPECT_EQ(system.y0(), VectorXd::Zero(1));
  EXPECT_EQ(system.time_period(), 0.1);
}

// x' = t x + u, y = 2 t x.
template <typename T>
class GrowthSystem final : public TimeVaryingLinearSystem<T> {
 public:
  explicit GrowthSystem(double period, int rows_of_B = 1)
      : TimeVaryingLinearSystem<T>(SystemTypeTag<GrowthSystem>{}, 1, 1, 1,
                                   period),
        rows_of_B_(rows_of_B) {}
  template <typename U>
  explicit GrowthSystem(const GrowthSystem<U>& other)
      : GrowthSystem(other.time_period()) {}

  MatrixX<T> A(const T& t) const final { return Vector<T, 1>(t); }
  MatrixX<T> B(const T&) const final { return MatrixX<T>::Ones(rows_of_B_, 1); }
  MatrixX<T> C(const T& t) const final { return Vector<T, 1>(2 * t); }
  MatrixX<T> D(const T&) const final { return MatrixX<T>::Zero(1, 1); }

 private:
  const int rows_of_B_;
};

TEST(TimeVaryingLinearSystem, UsesTheCoefficientsOfTheContextsTime) {
  const GrowthSystem<double> system(0.0);
  auto context = MakeContext(system);
  context->SetTime(3);
  context->SetContinuousState(Vector<double, 1>(5));
  EXPECT_EQ(system.EvalTimeDerivatives(*context)[0], 3 * 5 + kInput);
  EXPECT_EQ(system.get_output_port().Eval(*context)[0], 2 * 3 * 5);
  context->SetTime(4);
  EXPECT_EQ(system.EvalTimeDerivatives(*context)[0], 4 * 5 + kInput);
  EXPECT_EQ(system.get_output_port().Eval(*context)[0], 2 * 4 * 5);
}

TEST(TimeVaryingLinearSystem, UpdatesADiscreteState) {
  const GrowthSystem<double> system(0.5);
  auto context = MakeContext(system);
  context->SetTime(3);
  context->SetDiscreteState(Vector<double, 1>(5));
  test::DoPeriodicUpdates(system, context.get());
  EXPECT_EQ(context->get_discrete_state(0)[0], 3 * 5 + kInput);
}

TEST(TimeVaryingLinearSystem, NamesACoefficientOfAWrongShape) {
  const GrowthSystem<double> system(0.0, 2);
  auto context = MakeContext(system);
  EXPECT_THROWS_MESSAGE(system.EvalTimeDerivatives(*context), std::logic_error,
                        "returned B(t) with shape 2 x 1; it must be 1 x 1.");
}

}  // namespace affine_system_test
}  // namespace wyvern::systems
