#include <cmath>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/simulator/integrators/runge_kutta3_integrator.h"
#include "wyvern/simulator/stiff/implicit_euler_integrator.h"
#include "wyvern/simulator/stiff/radau_integrator.h"
#include "wyvern/simulator/stiff/rosenbrock4_integrator.h"
#include "wyvern/simulator/stiff/velocity_implicit_euler_integrator.h"

// The integrators for stiff systems, each by the same laws.

namespace wyvern::systems {
namespace stiff_integrators_test {

/** H.H. Robertson's chemical reactions, 1966: rates from 0.04 to 3e7. */
template <typename T>
class Robertson final : public LeafSystem<T> {
 public:
  Robertson() : LeafSystem<T>(SystemTypeTag<Robertson>{}) {
    this->DeclareContinuousState(
        BasicVector<T>(VectorX<T>(Vector3<T>(T(1.0), T(0.0), T(0.0)))));
  }
  template <typename U>
  explicit Robertson(const Robertson<U>&) : Robertson() {}

 private:
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final {
    const VectorBase<T>& y = context.get_continuous_state_vector();
    VectorBase<T>& ydot = derivatives->get_mutable_vector();
    const T slow = T(0.04) * y[0];
    const T back = T(1e4) * y[1] * y[2];
    const T fast = T(3e7) * y[1] * y[1];
    ydot[0] = back - slow;
    ydot[1] = slow - back - fast;
    ydot[2] = fast;
  }
};

/** A mass of 1 kg in oil of 1000 N s / m on a spring of 1 N/m, with qdot = 2 v
so that N is not one. The spring force is k q / 2. */
template <typename T>
class Damper final : public LeafSystem<T> {
 public:
  Damper() : LeafSystem<T>(SystemTypeTag<Damper>{}) {
    this->DeclareContinuousState(
        BasicVector<T>(VectorX<T>(Vector2<T>(T(1.0), T(0.0)))), 1, 1, 0);
  }
  template <typename U>
  explicit Damper(const Damper<U>&) : Damper() {}

  /** From q = 1, v = 0: the sum of two decays, q'' + 1000 q' + q = 0. */
  static double Position(double t) {
    const double root = std::sqrt(1000.0 * 1000.0 - 4);
    const double fast = -(1000 + root) / 2;
    const double slow = 1 / fast;
    return (fast * std::exp(slow * t) - slow * std::exp(fast * t)) /
           (fast - slow);
  }

 private:
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* xdot) const final {
    const VectorBase<T>& x = context.get_continuous_state_vector();
    xdot->get_mutable_vector()[0] = T(2.0) * x[1];
    xdot->get_mutable_vector()[1] = T(-0.5) * x[0] - T(1000.0) * x[1];
  }
  void DoMapVelocityToQDot(const Context<T>&,
                           const Eigen::Ref<const VectorX<T>>& v,
                           VectorBase<T>* qdot) const final {
    (*qdot)[0] = T(2.0) * v[0];
  }
  void DoMapQDotToVelocity(const Context<T>&,
                           const Eigen::Ref<const VectorX<T>>& qdot,
                           VectorBase<T>* v) const final {
    (*v)[0] = T(0.5) * qdot[0];
  }
};

template <typename Integrator>
class StiffIntegrators : public ::testing::Test {
 protected:
  void Start(const System<double>& system, double max_step, double accuracy) {
    context_ = system.CreateDefaultContext();
    integrator_ = std::make_unique<Integrator>(system, context_.get());
    integrator_->set_maximum_step_size(max_step);
    integrator_->set_target_accuracy(accuracy);
    integrator_->Initialize();
  }
  Eigen::VectorXd Finish(double t) {
    integrator_->IntegrateWithMultipleStepsToTime(t);
    return context_->get_continuous_state_vector().CopyToVector();
  }
  std::unique_ptr<Context<double>> context_;
  std::unique_ptr<Integrator> integrator_;
};
using All =
    ::testing::Types<ImplicitEulerIntegrator<double>,
                     VelocityImplicitEulerIntegrator<double>,
                     RadauIntegrator<double, 1>, RadauIntegrator<double, 2>,
                     RadauIntegrator<double, 3>, Rosenbrock4Integrator<double>>;
TYPED_TEST_SUITE(StiffIntegrators, All);

using Scheme = ImplicitIntegrator<double>::JacobianComputationScheme;

TYPED_TEST(StiffIntegrators, SolveRobertsonsReactions) {
  const Robertson<double> system;
  this->Start(system, 10, 1e-6);
  const Eigen::VectorXd y = this->Finish(40);
  // Hairer and Wanner, Solving ODEs II, IV.10, and many: y(40).
  const Eigen::Vector3d expected(0.7158270688, 0.9185534764e-5, 0.2841637457);
  EXPECT_TRUE(wyvern::test::Near(y, expected, 2e-4));
  EXPECT_NEAR(y[1], expected[1], 1e-7);
  // The sum is conserved by all of these methods.
  EXPECT_NEAR(y.sum(), 1, 1e-8);
  // An explicit method needs some 50000 steps.
  EXPECT_LT(this->integrator_->get_num_steps_taken(), 3000);
}

TYPED_TEST(StiffIntegrators, SolveTheOverdampedOscillator) {
  const Damper<double> system;
  this->Start(system, 10, 1e-6);
  const Eigen::VectorXd x = this->Finish(500);
  EXPECT_NEAR(x[0], Damper<double>::Position(500), 1e-3);
  EXPECT_LT(this->integrator_->get_num_steps_taken(), 5000);
}

TYPED_TEST(StiffIntegrators, JacobianSchemesAgree) {
  const Damper<double> system;
  Eigen::VectorXd x[3];
  for (const Scheme scheme : {Scheme::kForwardDifference,
                              Scheme::kCentralDifference, Scheme::kAutomatic}) {
    this->Start(system, 0.1, 1e-4);
    this->integrator_->set_fixed_step_mode(true);
    this->integrator_->set_jacobian_computation_scheme(scheme);
    x[static_cast<int>(scheme)] = this->Finish(1);
  }
  // Equations are solved to 1e-10 a step; differences are good to 1e-8.
  EXPECT_TRUE(wyvern::test::Near(x[0], x[2], 1e-8));
  EXPECT_TRUE(wyvern::test::Near(x[1], x[2], 1e-8));
}

TYPED_TEST(StiffIntegrators, SettingsOfNewtonsMethodDoNotChangeTheSolution) {
  const test::Ode<double> system(
      Eigen::Vector2d(2, 1),
      [](double, const Eigen::VectorXd& x) -> Eigen::VectorXd {
        return Eigen::Vector2d(-100 * (x[0] - x[1] * x[1]), -x[1]);
      });
  Eigen::VectorXd y[3];
  for (int i = 0; i < 3; ++i) {
    this->Start(system, 0.1, 1e-4);
    this->integrator_->set_fixed_step_mode(true);
    this->integrator_->set_use_full_newton(i == 1);
    this->integrator_->set_reuse(i != 2);
    y[i] = this->Finish(1);
  }
  EXPECT_TRUE(wyvern::test::Near(y[0], y[1], 1e-8));
  EXPECT_TRUE(wyvern::test::Near(y[0], y[2], 1e-8));
}

TYPED_TEST(StiffIntegrators, CountTheirWork) {
  const Robertson<double> system;
  this->Start(system, 1, 1e-5);
  this->Finish(10);
  const auto& i = *this->integrator_;
  EXPECT_GT(i.get_num_jacobian_evaluations(), 0);
  EXPECT_GT(i.get_num_iteration_matrix_factorizations(), 0);
  EXPECT_GT(i.get_num_derivative_evaluations(),
            i.get_num_derivative_evaluations_for_jacobian());
  EXPECT_GT(i.get_num_derivative_evaluations_for_jacobian(), 0);
  // The estimator's share is a share.
  EXPECT_LE(i.get_num_error_estimator_derivative_evaluations(),
            i.get_num_derivative_evaluations());
  EXPECT_LE(i.get_num_error_estimator_newton_raphson_iterations(),
            i.get_num_newton_raphson_iterations());
  EXPECT_LE(i.get_num_error_estimator_jacobian_evaluations(),
            i.get_num_jacobian_evaluations());
  EXPECT_LE(i.get_num_error_estimator_derivative_evaluations_for_jacobian(),
            i.get_num_derivative_evaluations_for_jacobian());
  EXPECT_LE(i.get_num_error_estimator_iteration_matrix_factorizations(),
            i.get_num_iteration_matrix_factorizations());
  this->integrator_->ResetStatistics();
  EXPECT_EQ(i.get_num_jacobian_evaluations(), 0);
  EXPECT_EQ(i.get_num_error_estimator_derivative_evaluations(), 0);
}

TYPED_TEST(StiffIntegrators, StopAtADerivativeThatIsNotFinite) {
  const test::Ode<double> system(
      Eigen::VectorXd::Ones(1),
      [](double t, const Eigen::VectorXd&) -> Eigen::VectorXd {
        return Eigen::VectorXd::Constant(1, t < 0.55 ? 1.0 : std::nan(""));
      });
  this->Start(system, 0.1, 1e-4);
  EXPECT_THROWS_MESSAGE(this->Finish(1), std::runtime_error, "nan at time");
  EXPECT_TRUE(std::isfinite(this->context_->get_time()));
}

TEST(ErrorEstimatorStatistics, CountHalfStepsForImplicitEuler) {
  const Robertson<double> system;
  auto context = system.CreateDefaultContext();
  ImplicitEulerIntegrator<double> integrator(system, context.get());
  integrator.set_maximum_step_size(0.1);
  integrator.Initialize();
  integrator.IntegrateWithMultipleStepsToTime(1);
  // Two of three solves.
  const double share =
      1.0 * integrator.get_num_error_estimator_newton_raphson_iterations() /
      integrator.get_num_newton_raphson_iterations();
  EXPECT_GT(share, 0.4);
  EXPECT_LT(share, 0.8);
}

TEST(RadauIntegrator, NeedsFarFewerStepsTheHigherItsOrder) {
  const Robertson<double> system;
  int64_t steps[3];
  const auto count = [&](auto&& integrator) {
    auto context = system.CreateDefaultContext();
    integrator.reset_context(context.get());
    integrator.set_maximum_step_size(10);
    integrator.set_target_accuracy(1e-7);
    integrator.Initialize();
    integrator.IntegrateWithMultipleStepsToTime(40);
    return integrator.get_num_steps_taken();
  };
  steps[0] = count(RadauIntegrator<double, 1>(system));
  steps[1] = count(RadauIntegrator<double, 2>(system));
  steps[2] = count(RadauIntegrator<double, 3>(system));
  EXPECT_LT(4 * steps[1], steps[0]);
  EXPECT_LT(2 * steps[2], steps[1]);
}

/** A mass of 1 kg on a floor that moves up and down by s = 0.1 sin 3t m and
pushes back with k x^1.5 + c x' at depth x, k = 1e9 N/m^1.5: it rests some 5e-6
m deep, held by 3e6 N/m. */
class OnAMovingFloor final : public LeafSystem<double> {
 public:
  OnAMovingFloor() {
    DeclareContinuousState(
        BasicVector<double>(Eigen::VectorXd(Eigen::Vector2d(-4.58e-6, 0.3))), 1,
        1, 0);
  }
  static double Acceleration(double t) { return -0.9 * std::sin(3 * t); }

 private:
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    const VectorBase<double>& x = context.get_continuous_state_vector();
    const double t = context.get_time();
    const double depth = 0.1 * std::sin(3 * t) - x[0];
    const double rate = 0.3 * std::cos(3 * t) - x[1];
    const double push =
        depth > 0 ? 1e9 * depth * std::sqrt(depth) + 1e3 * rate : 0.0;
    xdot->get_mutable_vector()[0] = x[1];
    xdot->get_mutable_vector()[1] = push - 9.81;
  }
};

template <class Integrator>
class ForcesOfStiff : public ::testing::Test {};
using ForceIntegrators =
    ::testing::Types<RadauIntegrator<double, 2>, RadauIntegrator<double, 3>>;
TYPED_TEST_SUITE(ForcesOfStiff, ForceIntegrators);

TYPED_TEST(ForcesOfStiff, SystemsAreWithinTheAccuracyToo) {
  const OnAMovingFloor system;
  const auto context = system.CreateDefaultContext();
  TypeParam integrator(system, context.get());
  integrator.set_maximum_step_size(0.1);
  integrator.set_target_accuracy(1e-4);
  integrator.Initialize();
  for (int i = 1; i <= 20; ++i) {
    const double t = 0.1 * i;
    integrator.IntegrateWithMultipleStepsToTime(t);
    const double a = system.EvalTimeDerivatives(*context).get_vector()[1];
    // The push is 9 to 10 N.
    EXPECT_NEAR(a, OnAMovingFloor::Acceleration(t), 0.01) << t;
  }
}

TEST(RadauIntegrator, OfOneStageIsImplicitEuler) {
  const Damper<double> system;
  auto context = system.CreateDefaultContext();
  RadauIntegrator<double, 1> integrator(system, context.get());
  integrator.set_maximum_step_size(0.5);
  integrator.set_fixed_step_mode(true);
  integrator.Initialize();
  ASSERT_TRUE(integrator.IntegrateWithSingleFixedStepToTime(0.5));
  // x' = (I - h A)^-1 x.
  Eigen::Matrix2d A;
  A << 0, 2, -0.5, -1000;
  const Eigen::Vector2d expected =
      (Eigen::Matrix2d::Identity() - 0.5 * A).inverse() * Eigen::Vector2d(1, 0);
  EXPECT_TRUE(wyvern::test::Near(
      context->get_continuous_state_vector().CopyToVector(), expected, 1e-10));
}

TEST(VelocityImplicitEuler, HasTheSolutionOfImplicitEuler) {
  const Damper<double> system;
  Eigen::VectorXd x[2];
  int64_t derivatives[2];
  const auto solve = [&](auto&& integrator, int i) {
    auto context = system.CreateDefaultContext();
    integrator.reset_context(context.get());
    integrator.set_maximum_step_size(0.1);
    integrator.set_fixed_step_mode(true);
    integrator.set_reuse(false);
    integrator.Initialize();
    integrator.IntegrateWithMultipleStepsToTime(1);
    x[i] = context->get_continuous_state_vector().CopyToVector();
    derivatives[i] = integrator.get_num_derivative_evaluations_for_jacobian();
  };
  solve(ImplicitEulerIntegrator<double>(system), 0);
  solve(VelocityImplicitEulerIntegrator<double>(system), 1);
  EXPECT_TRUE(wyvern::test::Near(x[0], x[1], 1e-9));
  EXPECT_LT(derivatives[1], derivatives[0]);
}

TEST(StiffIntegratorsOnAutoDiff, DifferentiateTheSolution) {
  // x' = -k x with dk: dx/dk = -t x.
  const AutoDiffXd k(2.0, 1, 0);
  const test::Ode<AutoDiffXd> system(
      VectorX<AutoDiffXd>::Ones(1),
      [k](const AutoDiffXd&,
          const VectorX<AutoDiffXd>& x) -> VectorX<AutoDiffXd> {
        return VectorX<AutoDiffXd>::Constant(1, -k * x[0]);
      });
  const auto check = [&](auto&& integrator, double tolerance) {
    auto context = system.CreateDefaultContext();
    integrator.reset_context(context.get());
    integrator.set_maximum_step_size(AutoDiffXd(0.01));
    integrator.set_fixed_step_mode(true);
    integrator.Initialize();
    integrator.IntegrateWithMultipleStepsToTime(AutoDiffXd(1.0));
    const AutoDiffXd x = context->get_continuous_state_vector()[0];
    EXPECT_NEAR(x.value(), std::exp(-2), tolerance);
    ASSERT_EQ(x.derivatives().size(), 1);
    EXPECT_NEAR(x.derivatives()[0], -std::exp(-2), tolerance);
  };
  check(RadauIntegrator<AutoDiffXd, 1>(system), 1e-2);
  check(RadauIntegrator<AutoDiffXd, 2>(system), 1e-6);
  check(RadauIntegrator<AutoDiffXd, 3>(system), 1e-8);
  check(Rosenbrock4Integrator<AutoDiffXd>(system), 1e-7);
  check(VelocityImplicitEulerIntegrator<AutoDiffXd>(system), 1e-2);
}

}  // namespace stiff_integrators_test
}  // namespace wyvern::systems
