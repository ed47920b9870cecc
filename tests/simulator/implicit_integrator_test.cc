#include "wyvern/simulator/stiff/implicit_integrator.h"

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/integrators/runge_kutta3_integrator.h"
#include "wyvern/simulator/stiff/implicit_euler_integrator.h"

namespace wyvern::systems {
namespace {

using Scheme = ImplicitIntegrator<double>::JacobianComputationScheme;

/** xdot = -1000 (x - cos t) - sin t, which cos t solves. Converts. */
template <typename T>
class Stiff final : public LeafSystem<T> {
 public:
  Stiff() : LeafSystem<T>(SystemTypeTag<Stiff>{}) {
    this->DeclareContinuousState(BasicVector<T>(VectorX<T>::Ones(1)));
  }
  template <typename U>
  explicit Stiff(const Stiff<U>&) : Stiff() {}

 private:
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* xdot) const final {
    using std::cos;
    using std::sin;
    const T& t = context.get_time();
    const T& x = context.get_continuous_state_vector()[0];
    xdot->get_mutable_vector()[0] = T(-1000.0) * (x - cos(t)) - sin(t);
  }
};

/** Van der Pol's oscillator with mu = 100: stiff and not linear. */
test::Ode<double> VanDerPol() {
  return test::Ode<double>(
      Eigen::Vector2d(2, 0),
      [](double, const Eigen::VectorXd& x) -> Eigen::VectorXd {
        return Eigen::Vector2d(x[1], 100 * (1 - x[0] * x[0]) * x[1] - x[0]);
      });
}

// The state at `end` by the integrator as `adjust` wants it.
template <typename Adjust>
Eigen::VectorXd Integrate(const System<double>& system, double end,
                          const Adjust& adjust, int64_t* jacobians = nullptr) {
  auto context = system.CreateDefaultContext();
  ImplicitEulerIntegrator<double> integrator(system, context.get());
  integrator.set_maximum_step_size(0.1);
  adjust(&integrator);
  integrator.Initialize();
  integrator.IntegrateWithMultipleStepsToTime(end);
  if (jacobians) *jacobians = integrator.get_num_jacobian_evaluations();
  return context->get_continuous_state_vector().CopyToVector();
}

TEST(ImplicitEuler, TakesStepsThatAnExplicitMethodCannot) {
  const Stiff<double> system;
  auto context = system.CreateDefaultContext();
  ImplicitEulerIntegrator<double> integrator(system, context.get());
  integrator.set_maximum_step_size(0.1);
  integrator.set_fixed_step_mode(true);
  integrator.Initialize();
  integrator.IntegrateWithMultipleStepsToTime(10);
  EXPECT_EQ(integrator.get_num_steps_taken(), 100);
  // 0.1 s is fifty times what explicit methods are stable for.
  EXPECT_NEAR(context->get_continuous_state_vector()[0], std::cos(10), 1e-4);
}

TEST(ImplicitEuler, IsOfFirstOrder) {
  const test::Oscillator<double> system;
  const auto error = [&](double h) {
    const Eigen::VectorXd x = Integrate(system, 1, [h](auto* integrator) {
      integrator->set_fixed_step_mode(true);
      integrator->set_maximum_step_size(h);
    });
    return std::abs(x[0] - std::cos(1));
  };
  EXPECT_NEAR(std::log2(error(0.02) / error(0.01)), 1, 0.05);
}

TEST(ImplicitEuler, KeepsToTheAccuracyByEitherEstimate) {
  const Stiff<double> system;
  for (const bool trapezoid : {false, true}) {
    const Eigen::VectorXd x = Integrate(system, 2, [&](auto* integrator) {
      integrator->set_use_implicit_trapezoid_error_estimation(trapezoid);
      EXPECT_EQ(integrator->get_use_implicit_trapezoid_error_estimation(),
                trapezoid);
      integrator->set_target_accuracy(1e-6);
    });
    EXPECT_NEAR(x[0], std::cos(2), 1e-5) << trapezoid;
  }
}

TEST(ImplicitEuler, NeedsFarFewerStepsThanAnExplicitMethodOnAStiffSystem) {
  const test::Ode<double> system = VanDerPol();
  int64_t steps[2];
  double x[2];
  for (int i = 0; i < 2; ++i) {
    auto context = system.CreateDefaultContext();
    std::unique_ptr<IntegratorBase<double>> integrator;
    if (i == 0) {
      integrator = std::make_unique<ImplicitEulerIntegrator<double>>(
          system, context.get());
    } else {
      integrator = std::make_unique<RungeKutta3Integrator<double>>(
          system, context.get());
    }
    integrator->set_maximum_step_size(1);
    integrator->Initialize();
    integrator->IntegrateWithMultipleStepsToTime(50);
    steps[i] = integrator->get_num_steps_taken();
    x[i] = context->get_continuous_state_vector()[0];
  }
  EXPECT_LT(5 * steps[0], steps[1]);
  // On the slow branch local errors of 1e-4 add up to some per cent at most.
  EXPECT_NEAR(x[0], x[1], 0.05);
}

TEST(ImplicitIntegrator, TheJacobianSchemesAgree) {
  const Stiff<double> system;
  Eigen::VectorXd x[3];
  for (const Scheme scheme : {Scheme::kForwardDifference,
                              Scheme::kCentralDifference, Scheme::kAutomatic}) {
    x[static_cast<int>(scheme)] =
        Integrate(system, 1, [scheme](auto* integrator) {
          integrator->set_jacobian_computation_scheme(scheme);
          EXPECT_EQ(integrator->get_jacobian_computation_scheme(), scheme);
          integrator->set_fixed_step_mode(true);
        });
  }
  // The solution of the equations does not depend on how it is approached, up
  // to the convergence asked for, 1e-10.
  EXPECT_NEAR(x[0][0], x[1][0], 1e-9);
  EXPECT_NEAR(x[0][0], x[2][0], 1e-9);
}

// xdot = -rate x.
template <typename T>
class SettableDecay final : public LeafSystem<T> {
 public:
  SettableDecay() : LeafSystem<T>(SystemTypeTag<SettableDecay>{}) {
    this->DeclareContinuousState(BasicVector<T>({T(1)}));
  }
  template <typename U>
  explicit SettableDecay(const SettableDecay<U>& other) : SettableDecay() {
    rate_ = other.rate();
  }
  double rate() const { return rate_; }
  void set_rate(double rate) {
    rate_ = rate;
    this->NoteSettingsChange();
  }

 private:
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final {
    derivatives->get_mutable_vector()[0] =
        -rate_ * context.get_continuous_state_vector()[0];
  }
  double rate_{1};
};

// With the old Jacobian Newton's method would diverge.
TEST(ImplicitIntegrator, AutomaticFollowsTheSystemsSettings) {
  SettableDecay<double> decay;
  const auto context = decay.CreateDefaultContext();
  ImplicitEulerIntegrator<double> integrator(decay, context.get());
  integrator.set_jacobian_computation_scheme(Scheme::kAutomatic);
  integrator.set_maximum_step_size(0.1);
  integrator.set_fixed_step_mode(true);
  integrator.Initialize();
  integrator.IntegrateWithMultipleStepsToTime(0.1);
  decay.set_rate(1e4);
  integrator.IntegrateWithMultipleStepsToTime(0.2);
  // Each step is two half steps.
  EXPECT_NEAR(context->get_continuous_state_vector()[0],
              std::pow(1.05 * 501, -2), 1e-14);
}

TEST(ImplicitIntegrator, AutomaticWantsASystemThatConverts) {
  const test::Oscillator<double> system;
  ImplicitEulerIntegrator<double> integrator(system);
  EXPECT_THROWS_MESSAGE(
      integrator.set_jacobian_computation_scheme(Scheme::kAutomatic),
      std::logic_error, "cannot be converted to AutoDiffXd");
}

TEST(ImplicitIntegrator, ReuseSavesJacobians) {
  const Stiff<double> system;
  int64_t with = 0;
  int64_t without = 0;
  int64_t full = 0;
  Integrate(
      system, 1, [](auto* i) { EXPECT_TRUE(i->get_reuse()); }, &with);
  Integrate(
      system, 1, [](auto* i) { i->set_reuse(false); }, &without);
  Integrate(
      system, 1, [](auto* i) { i->set_use_full_newton(true); }, &full);
  EXPECT_EQ(with, 1);  // The system is linear.
  EXPECT_GT(without, 10);
  EXPECT_GT(full, without);
}

TEST(ImplicitIntegrator, CountsItsWork) {
  const Stiff<double> system;
  auto context = system.CreateDefaultContext();
  ImplicitEulerIntegrator<double> integrator(system, context.get());
  integrator.set_maximum_step_size(0.1);
  integrator.set_fixed_step_mode(true);
  integrator.Initialize();
  integrator.IntegrateWithMultipleStepsToTime(1);
  // A solve for the whole step, and two for its halves.
  EXPECT_GE(integrator.get_num_newton_raphson_iterations(), 30);
  EXPECT_LE(integrator.get_num_newton_raphson_iterations(),
            30 * integrator.max_newton_raphson_iterations());
  EXPECT_GE(integrator.get_num_iteration_matrix_factorizations(), 20);
  EXPECT_GE(integrator.get_num_derivative_evaluations_for_jacobian(), 1);
  EXPECT_GT(integrator.get_num_derivative_evaluations(),
            integrator.get_num_newton_raphson_iterations());
  integrator.ResetStatistics();
  EXPECT_EQ(integrator.get_num_newton_raphson_iterations(), 0);
}

TEST(IterationMatrix, SolvesWhatItFactored) {
  internal::IterationMatrix<double> matrix;
  EXPECT_FALSE(matrix.matrix_factored());
  EXPECT_THROWS_MESSAGE(matrix.Solve(Eigen::Vector2d(1, 2)), std::logic_error,
                        "nothing has been factored");
  Eigen::Matrix2d A;
  A << 2, 1, 1, 3;
  matrix.SetAndFactorIterationMatrix(A);
  EXPECT_TRUE(matrix.matrix_factored());
  const Eigen::VectorXd x = matrix.Solve(Eigen::Vector2d(4, 7));
  EXPECT_NEAR(x[0], 1, 1e-15);
  EXPECT_NEAR(x[1], 2, 1e-15);
  // It is not that of any Jacobian.
  EXPECT_FALSE(matrix.is_for(0, 0.0));
  matrix.FactorFor(A, 3, 0.5);
  EXPECT_TRUE(matrix.is_for(3, 0.5));
  EXPECT_FALSE(matrix.is_for(4, 0.5));
  EXPECT_FALSE(matrix.is_for(3, 0.25));
}

TEST(ImplicitIntegrator, StepsAllocateNothing) {
  const test::Oscillator<double> system;
  auto context = system.CreateDefaultContext();
  ImplicitEulerIntegrator<double> integrator(system, context.get());
  integrator.set_maximum_step_size(0.01);
  integrator.Initialize();
  integrator.IntegrateWithMultipleStepsToTime(0.1);
  wyvern::test::AllocationGuard guard;
  integrator.IntegrateWithMultipleStepsToTime(1);
  EXPECT_EQ(guard.count(), 0);
}

TEST(ImplicitIntegrator, RefusesADerivativeThatIsNotFinite) {
  const test::Ode<double> system(
      Eigen::VectorXd::Ones(1),
      [](double t, const Eigen::VectorXd&) -> Eigen::VectorXd {
        return Eigen::VectorXd::Constant(1, t < 0.55 ? 1.0 : std::nan(""));
      });
  EXPECT_THROWS_MESSAGE(Integrate(system, 1, [](auto*) {}), std::runtime_error,
                        "nan at time");
}

TEST(ImplicitIntegrator, AStepThatCannotBeSolvedFailsUnlessItMayShrink) {
  // x' = x0 + h x'^2 has no real solution for large h x0.
  const test::Ode<double> system(
      Eigen::VectorXd::Ones(1),
      [](double, const Eigen::VectorXd& x) -> Eigen::VectorXd {
        return x.cwiseAbs2();
      });
  auto context = system.CreateDefaultContext();
  ImplicitEulerIntegrator<double> integrator(system, context.get());
  integrator.set_maximum_step_size(0.5);
  integrator.set_fixed_step_mode(true);
  integrator.Initialize();
  EXPECT_FALSE(integrator.IntegrateWithSingleFixedStepToTime(0.5));
  EXPECT_EQ(context->get_time(), 0);
  EXPECT_EQ(context->get_continuous_state_vector()[0], 1);
  EXPECT_THROWS_MESSAGE(integrator.IntegrateWithMultipleStepsToTime(0.5),
                        std::runtime_error, "the fixed step from 0 to 0.5");
  integrator.set_fixed_step_mode(false);
  integrator.set_target_accuracy(1e-5);
  integrator.IntegrateWithMultipleStepsToTime(0.5);
  EXPECT_NEAR(context->get_continuous_state_vector()[0], 2, 0.02);
}

}  // namespace
}  // namespace wyvern::systems
