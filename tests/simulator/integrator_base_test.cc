#include "wyvern/simulator/integrators/integrator_base.h"

#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/integrators/bogacki_shampine3_integrator.h"
#include "wyvern/simulator/integrators/explicit_euler_integrator.h"
#include "wyvern/simulator/integrators/runge_kutta2_integrator.h"
#include "wyvern/simulator/integrators/runge_kutta3_integrator.h"
#include "wyvern/simulator/integrators/runge_kutta5_integrator.h"
#include "wyvern/simulator/integrators/semi_explicit_euler_integrator.h"
#include "wyvern/simulator/odeint/dormand_prince5_integrator.h"
#include "wyvern/simulator/odeint/fehlberg78_integrator.h"

namespace wyvern::systems {
namespace integrator_base_test {

using test::Ode;
using test::Oscillator;
constexpr double kInf = std::numeric_limits<double>::infinity();

// xdot = f(t, x), of one element.
Ode<double> Scalar(double x0, std::function<double(double, double)> f) {
  return Ode<double>(
      Eigen::VectorXd::Constant(1, x0),
      [f](double t, const Eigen::VectorXd& x) -> Eigen::VectorXd {
        return Eigen::VectorXd::Constant(1, f(t, x[0]));
      });
}

template <typename Integrator>
std::unique_ptr<IntegratorBase<double>> Make(const System<double>& system,
                                             double max_step_size,
                                             Context<double>* context) {
  if constexpr (std::is_constructible_v<Integrator, const System<double>&,
                                        double, Context<double>*>) {
    return std::make_unique<Integrator>(system, max_step_size, context);
  } else {
    auto result = std::make_unique<Integrator>(system, context);
    result->set_maximum_step_size(max_step_size);
    return result;
  }
}

class IntegratorBaseTest : public ::testing::Test {
 protected:
  IntegratorBaseTest() : context_(system_.CreateDefaultContext()) {
    rk3_.set_maximum_step_size(0.1);
  }
  const Oscillator<double> system_;
  std::unique_ptr<Context<double>> context_;
  RungeKutta3Integrator<double> rk3_{system_, context_.get()};
  ExplicitEulerIntegrator<double> euler_{system_, 0.1, context_.get()};
};

TEST_F(IntegratorBaseTest, WantsInitializeFirst) {
  EXPECT_THROWS_MESSAGE(rk3_.IntegrateNoFurtherThanTime(1, 1, 1),
                        std::logic_error, "call Initialize() first");
  EXPECT_THROWS_MESSAGE(rk3_.IntegrateWithMultipleStepsToTime(1),
                        std::logic_error, "call Initialize() first");
  EXPECT_THROWS_MESSAGE(rk3_.StartDenseIntegration(), std::logic_error,
                        "call Initialize() first");
}

TEST_F(IntegratorBaseTest, InitializeWantsAContextAndAMaximumStep) {
  RungeKutta3Integrator<double> integrator(system_);
  EXPECT_THROWS_MESSAGE(integrator.get_context(), std::logic_error,
                        "no Context");
  EXPECT_THROWS_MESSAGE(integrator.Initialize(), std::logic_error,
                        "no Context");
  integrator.reset_context(context_.get());
  EXPECT_THROWS_MESSAGE(integrator.Initialize(), std::logic_error,
                        "no maximum step size");
  integrator.set_maximum_step_size(1);
  integrator.Initialize();
  EXPECT_TRUE(integrator.is_initialized());
  integrator.Reset();
  EXPECT_FALSE(integrator.is_initialized());
}

TEST_F(IntegratorBaseTest, RefusesBadSettings) {
  for (const double bad : {-1.0, 0.0, std::nan("")}) {
    EXPECT_THROW(rk3_.set_maximum_step_size(bad), std::logic_error);
    EXPECT_THROW(rk3_.set_target_accuracy(bad), std::logic_error);
    EXPECT_THROW(rk3_.request_initial_step_size_target(bad), std::logic_error);
  }
  EXPECT_THROW(rk3_.set_requested_minimum_step_size(-1), std::logic_error);
  EXPECT_THROWS_MESSAGE(euler_.set_target_accuracy(1e-3), std::logic_error,
                        "does not estimate errors");
  EXPECT_THROWS_MESSAGE(euler_.request_initial_step_size_target(1e-3),
                        std::logic_error, "does not estimate errors");
  EXPECT_THROWS_MESSAGE(euler_.set_fixed_step_mode(false), std::logic_error,
                        "does not estimate errors");
  EXPECT_TRUE(euler_.get_fixed_step_mode());
}

TEST_F(IntegratorBaseTest, RefusesContradictorySettings) {
  rk3_.set_requested_minimum_step_size(1);
  EXPECT_THROWS_MESSAGE(rk3_.Initialize(), std::logic_error,
                        "larger than the maximum");
  rk3_.set_requested_minimum_step_size(1e-3);
  rk3_.request_initial_step_size_target(1);
  EXPECT_THROWS_MESSAGE(rk3_.Initialize(), std::logic_error,
                        "initial step size 1 is not between");
  rk3_.request_initial_step_size_target(1e-4);
  EXPECT_THROWS_MESSAGE(rk3_.Initialize(), std::logic_error,
                        "initial step size 0.0001 is not between");
}

TEST_F(IntegratorBaseTest, CapsTheAccuracyAtATenth) {
  rk3_.set_target_accuracy(10);
  EXPECT_EQ(rk3_.get_target_accuracy(), 10);
  EXPECT_EQ(rk3_.get_accuracy_in_use(), 0.1);
  rk3_.set_target_accuracy(1e-5);
  EXPECT_EQ(rk3_.get_accuracy_in_use(), 1e-5);
}

TEST_F(IntegratorBaseTest, SaysWhatEndedTheStep) {
  euler_.Initialize();
  using Base = IntegratorBase<double>;
  EXPECT_EQ(euler_.IntegrateNoFurtherThanTime(kInf, kInf, 1),
            Base::kTimeHasAdvanced);
  EXPECT_EQ(context_->get_time(), 0.1);
  EXPECT_EQ(euler_.IntegrateNoFurtherThanTime(0.15, 0.2, 1),
            Base::kReachedPublishTime);
  EXPECT_EQ(euler_.IntegrateNoFurtherThanTime(0.2, 0.2, 0.2),
            Base::kReachedUpdateTime);
  EXPECT_EQ(euler_.IntegrateNoFurtherThanTime(kInf, kInf, 0.3),
            Base::kReachedBoundaryTime);
  EXPECT_EQ(context_->get_time(), 0.3);
  EXPECT_THROWS_MESSAGE(euler_.IntegrateNoFurtherThanTime(0.2, 1, 1),
                        std::logic_error, "must not be before the time 0.3");
  EXPECT_THROWS_MESSAGE(euler_.IntegrateWithMultipleStepsToTime(0.2),
                        std::logic_error, "must not be before the time 0.3");
  EXPECT_THROWS_MESSAGE((void)euler_.IntegrateWithSingleFixedStepToTime(0.2),
                        std::logic_error, "must not be before the time 0.3");
}

TEST_F(IntegratorBaseTest, StretchesAStepThatLeavesAlmostNothing) {
  euler_.Initialize();
  euler_.IntegrateNoFurtherThanTime(kInf, 0.1009, 1);
  EXPECT_EQ(context_->get_time(), 0.1009);
  euler_.IntegrateNoFurtherThanTime(kInf, 0.1009 + 0.1011, 1);
  EXPECT_EQ(context_->get_time(), 0.1009 + 0.1);
}

TEST_F(IntegratorBaseTest, FixedStepsLieOnAGridWithoutAccumulation) {
  euler_.Initialize();
  for (int k = 1; k <= 1000; ++k) {
    euler_.IntegrateNoFurtherThanTime(kInf, kInf, kInf);
    ASSERT_EQ(context_->get_time(), k * 0.1);
  }
}

TEST_F(IntegratorBaseTest, SingleStepGoesWhereItIsTold) {
  euler_.Initialize();
  EXPECT_TRUE(euler_.IntegrateWithSingleFixedStepToTime(0.7));
  EXPECT_EQ(context_->get_time(), 0.7);
  EXPECT_EQ(euler_.get_num_steps_taken(), 1);
  rk3_.Initialize();
  EXPECT_THROWS_MESSAGE((void)rk3_.IntegrateWithSingleFixedStepToTime(1),
                        std::logic_error, "error control is on");
}

TEST_F(IntegratorBaseTest, CountsWhatItDoes) {
  rk3_.set_maximum_step_size(5);
  rk3_.request_initial_step_size_target(5);
  rk3_.set_target_accuracy(1e-6);
  rk3_.Initialize();
  rk3_.IntegrateWithMultipleStepsToTime(5);
  EXPECT_GT(rk3_.get_num_step_shrinkages_from_error_control(), 0);
  EXPECT_EQ(rk3_.get_num_substep_failures(), 0);
  EXPECT_LT(rk3_.get_actual_initial_step_size_taken(), 0.1);
  EXPECT_LE(rk3_.get_smallest_adapted_step_size_taken(),
            rk3_.get_actual_initial_step_size_taken());
  EXPECT_LE(rk3_.get_actual_initial_step_size_taken(),
            rk3_.get_largest_step_size_taken());
  EXPECT_GT(rk3_.get_num_derivative_evaluations(),
            2 * rk3_.get_num_steps_taken());
  rk3_.ResetStatistics();
  EXPECT_EQ(rk3_.get_num_steps_taken(), 0);
  EXPECT_EQ(rk3_.get_num_derivative_evaluations(), 0);
  EXPECT_TRUE(std::isnan(rk3_.get_previous_integration_step_size()));
}

TEST_F(IntegratorBaseTest, AnInitialStepWillDoWithoutAMaximum) {
  RungeKutta3Integrator<double> integrator(system_, context_.get());
  integrator.request_initial_step_size_target(1e-3);
  integrator.set_target_accuracy(1e-6);
  integrator.Initialize();
  EXPECT_TRUE(std::isnan(integrator.get_maximum_step_size()));
  integrator.IntegrateWithMultipleStepsToTime(2);
  EXPECT_NEAR(context_->get_continuous_state_vector()[0], std::cos(2), 1e-4);
  EXPECT_EQ(integrator.get_actual_initial_step_size_taken(), 1e-3);
  integrator.set_fixed_step_mode(true);
  EXPECT_THROWS_MESSAGE(integrator.Initialize(), std::logic_error,
                        "no maximum step size");
}

// Each derivative that is worked out counts, also where the same is asked again
// because nothing is cached: here by dense output, and by the next step.
TEST(IntegratorStatistics, CountDerivativesWhateverIsCached) {
  int num_computed = 0;
  const Ode<double> system = Scalar(1, [&num_computed](double, double x) {
    ++num_computed;
    return -x;
  });
  std::vector<int> counts;
  for (const bool by_entry : {false, true}) {
    for (const bool caching : {true, false}) {
      const auto context = system.CreateDefaultContext();
      if (!caching && !by_entry) context->DisableCaching();
      if (!caching && by_entry) {
        system.get_time_derivatives_cache_entry().disable_caching(*context);
      }
      ExplicitEulerIntegrator<double> euler(system, 0.1, context.get());
      euler.Initialize();
      euler.StartDenseIntegration();
      num_computed = 0;
      euler.IntegrateWithMultipleStepsToTime(1);
      EXPECT_EQ(euler.get_num_derivative_evaluations(), num_computed);
      counts.push_back(num_computed);
    }
  }
  EXPECT_EQ(counts, (std::vector<int>{11, 20, 11, 20}));
}

/** Shows what a method of another author may ask of its base. */
class Asking final : public IntegratorBase<double> {
 public:
  Asking(const System<double>& system, Context<double>* context)
      : IntegratorBase<double>(system, context) {}
  using IntegratorBase<double>::CalcAdjustedStepSize;
  bool supports_error_estimation() const final { return true; }
  int get_error_estimate_order() const final { return 2; }

 private:
  bool DoStep(const double&) final { return false; }
};

TEST_F(IntegratorBaseTest, AdjustsStepSizesForMethodsOfOthers) {
  Asking asking(system_, context_.get());
  bool at_minimum = false;
  EXPECT_THROWS_MESSAGE(asking.CalcAdjustedStepSize(1e-4, 0.1, &at_minimum),
                        std::logic_error, "not initialized");
  asking.set_maximum_step_size(0.3);
  asking.set_requested_minimum_step_size(0.02);
  asking.set_target_accuracy(1e-4);
  asking.Initialize();
  using Verdict = std::pair<bool, double>;
  // e ~ h^2: four times the error, half the step, times 0.9.
  const Verdict shrunk = asking.CalcAdjustedStepSize(4e-4, 0.1, &at_minimum);
  EXPECT_FALSE(shrunk.first);
  EXPECT_NEAR(shrunk.second, 0.045, 1e-15);
  EXPECT_FALSE(at_minimum);
  EXPECT_EQ(asking.CalcAdjustedStepSize(0, 0.1, &at_minimum),
            Verdict(true, 0.3));
  EXPECT_EQ(asking.CalcAdjustedStepSize(1, 0.1, &at_minimum),
            Verdict(false, 0.02));
  EXPECT_TRUE(at_minimum);
  EXPECT_EQ(asking.CalcAdjustedStepSize(1, 0.02, &at_minimum),
            Verdict(true, 0.02));
  EXPECT_TRUE(at_minimum);
  EXPECT_TRUE(asking.CalcAdjustedStepSize(1e-6, 0.02, &at_minimum).first);
  EXPECT_FALSE(at_minimum);
}

TEST_F(IntegratorBaseTest, AStepCutShortDoesNotShrinkTheNext) {
  rk3_.set_maximum_step_size(1);
  rk3_.Initialize();
  for (int i = 0; i < 5; ++i) rk3_.IntegrateNoFurtherThanTime(9, 9, 9);
  const double ideal = rk3_.get_ideal_next_step_size();
  const double t = context_->get_time();
  rk3_.IntegrateNoFurtherThanTime(9, t + 1e-5, 9);
  EXPECT_EQ(context_->get_time(), t + 1e-5);
  EXPECT_EQ(rk3_.get_ideal_next_step_size(), ideal);
}

TEST_F(IntegratorBaseTest, AZeroWeightIgnoresAnError) {
  rk3_.set_maximum_step_size(1);
  rk3_.request_initial_step_size_target(1);
  rk3_.set_target_accuracy(1e-9);
  rk3_.Initialize();
  EXPECT_EQ(rk3_.get_generalized_state_weight_vector().size(), 1);
  rk3_.get_mutable_generalized_state_weight_vector()[0] = 0;
  rk3_.IntegrateNoFurtherThanTime(kInf, kInf, 1);
  EXPECT_EQ(context_->get_time(), 1);  // One step, however wrong.
  rk3_.get_mutable_generalized_state_weight_vector()[0] = -1;
  EXPECT_THROWS_MESSAGE(rk3_.Initialize(), std::logic_error,
                        "weight[0] is -1; it must be 0 or more and finite");
}

TEST(IntegratorFailures, ANanDerivativeIsRefusedAtOnce) {
  Ode<double> system =
      Scalar(1, [](double t, double) { return t < 0.5 ? 1.0 : std::nan(""); });
  system.set_name("culprit");
  auto context = system.CreateDefaultContext();
  context->SetTime(0.5);
  RungeKutta3Integrator<double> integrator(system, context.get());
  integrator.set_maximum_step_size(0.1);
  integrator.Initialize();
  EXPECT_THROWS_MESSAGE(
      integrator.IntegrateWithMultipleStepsToTime(1), std::runtime_error,
      "time derivative of z[0] of '::culprit' (element 0 of the whole "
      "continuous state) is nan at time 0.5");
}

TEST(IntegratorFailures, ANanAheadIsApproachedAndThenRefused) {
  const Ode<double> system =
      Scalar(1, [](double t, double) { return t < 0.5 ? 1.0 : std::nan(""); });
  auto context = system.CreateDefaultContext();
  RungeKutta3Integrator<double> integrator(system, context.get());
  integrator.set_maximum_step_size(0.1);
  integrator.Initialize();
  EXPECT_THROWS_MESSAGE(integrator.IntegrateWithMultipleStepsToTime(1),
                        std::runtime_error, "is nan at time 0.5");
  EXPECT_NEAR(context->get_time(), 0.5, 1e-10);
  EXPECT_TRUE(std::isfinite(context->get_continuous_state_vector()[0]));
  EXPECT_GT(integrator.get_num_step_shrinkages_from_substep_failures(), 10);
}

TEST(IntegratorFailures, FixedStepsRefuseANanToo) {
  const Ode<double> system =
      Scalar(1, [](double, double x) { return x > 1.45 ? std::log(-x) : 1.0; });
  auto context = system.CreateDefaultContext();
  ExplicitEulerIntegrator<double> integrator(system, 0.1, context.get());
  integrator.Initialize();
  EXPECT_THROWS_MESSAGE(integrator.IntegrateWithMultipleStepsToTime(1),
                        std::runtime_error, "nan at time 0.5");
}

TEST(IntegratorFailures, AStateThatOverflowsIsRefused) {
  const Ode<double> system =
      Scalar(1e300, [](double, double x) { return 1e10 * x; });
  auto context = system.CreateDefaultContext();
  ExplicitEulerIntegrator<double> integrator(system, 0.1, context.get());
  integrator.Initialize();
  EXPECT_THROWS_MESSAGE(integrator.IntegrateWithMultipleStepsToTime(1),
                        std::runtime_error, "inf at time");
}

TEST(IntegratorFailures, StepUnderflowNamesTimeStepAndWorstElement) {
  // x = 1 / (1 - t) has no value at t = 1.
  Ode<double> system(Eigen::Vector2d(1, 1),
                     [](double, const Eigen::VectorXd& x) -> Eigen::VectorXd {
                       return Eigen::Vector2d(0, x[1] * x[1]);
                     });
  system.set_name("pole");
  auto context = system.CreateDefaultContext();
  RungeKutta3Integrator<double> integrator(system, context.get());
  integrator.set_maximum_step_size(0.1);
  integrator.set_requested_minimum_step_size(1e-6);
  integrator.Initialize();
  EXPECT_THROWS_MESSAGE(integrator.IntegrateWithMultipleStepsToTime(2),
                        std::runtime_error, "the step of size 1e-06 from time");
  EXPECT_THROWS_MESSAGE(integrator.IntegrateWithMultipleStepsToTime(2),
                        std::runtime_error, "worst in z[1] of '::pole'");
  EXPECT_NEAR(context->get_time(), 1, 0.01);
}

TEST(IntegratorFailures, TheMinimumStepIsTakenIfUnderflowShallNotThrow) {
  const Ode<double> system =
      Scalar(0, [](double t, double) { return t < 0.5 ? 0.0 : 1e6; });
  auto context = system.CreateDefaultContext();
  RungeKutta3Integrator<double> integrator(system, context.get());
  integrator.set_maximum_step_size(0.1);
  integrator.set_requested_minimum_step_size(0.01);
  integrator.set_throw_on_minimum_step_size_violation(false);
  integrator.Initialize();
  integrator.IntegrateWithMultipleStepsToTime(1);
  EXPECT_EQ(context->get_time(), 1);
  EXPECT_NEAR(integrator.get_smallest_adapted_step_size_taken(), 0.01, 1e-15);
}

TEST(IntegratorFailures, AStepLostInRoundingIsRefused) {
  const Ode<double> system = Scalar(0, [](double, double) { return 1.0; });
  auto context = system.CreateDefaultContext();
  context->SetTime(1e9);
  ExplicitEulerIntegrator<double> integrator(system, 1e-9, context.get());
  integrator.Initialize();
  EXPECT_THROWS_MESSAGE(integrator.IntegrateWithMultipleStepsToTime(1e9 + 1),
                        std::runtime_error, "lost in rounding");
}

template <typename Integrator>
class Stepping : public ::testing::Test {};
using All = ::testing::Types<
    ExplicitEulerIntegrator<double>, SemiExplicitEulerIntegrator<double>,
    RungeKutta2Integrator<double>, RungeKutta3Integrator<double>,
    BogackiShampine3Integrator<double>, RungeKutta5Integrator<double>,
    DormandPrince5Integrator<double>, Fehlberg78Integrator<double>>;
TYPED_TEST_SUITE(Stepping, All);

TYPED_TEST(Stepping, AllocatesNothing) {
  const Oscillator<double> system;
  auto context = system.CreateDefaultContext();
  const auto integrator = Make<TypeParam>(system, 0.1, context.get());
  integrator->Initialize();
  integrator->IntegrateWithMultipleStepsToTime(1);
  wyvern::test::AllocationGuard guard;
  integrator->IntegrateWithMultipleStepsToTime(10);
  EXPECT_EQ(guard.count(), 0);
}

TYPED_TEST(Stepping, RefusesADerivativeThatIsNotFinite) {
  const Ode<double> system = Scalar(
      1, [](double t, double) { return t < 0.55 ? 1.0 : std::log(-1.0); });
  auto context = system.CreateDefaultContext();
  const auto integrator = Make<TypeParam>(system, 0.1, context.get());
  integrator->Initialize();
  EXPECT_THROWS_MESSAGE(integrator->IntegrateWithMultipleStepsToTime(1),
                        std::runtime_error, "nan at time");
  EXPECT_LT(context->get_time(), 0.65);
}

}  // namespace integrator_base_test
}  // namespace wyvern::systems
