#include <cmath>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/allocation_guard.h"
#include "wyvern/simulator/integrators/linearly_implicit_method.h"
#include "wyvern/simulator/integrators/runge_kutta3_integrator.h"
#include "wyvern/simulator/integrators/stiffness_probe.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/simulator/simulator_serialization.h"

// Stiff systems do not hold up the Simulator's own integrator, and others say
// why they are slow.

namespace wyvern::systems {
namespace stiff_steps_test {

using internal::LinearlyImplicitMethod;
using internal::StiffnessProbe;

/** x follows cos t, z' = -rate(t) (x - cos t) - sin t, beside a mass of 1 kg on
a spring of 1 N/m. Allocates nothing. */
class Follower final : public LeafSystem<double> {
 public:
  explicit Follower(double rate, double rate_ends = 1e9)
      : rate_(rate), rate_ends_(rate_ends) {
    DeclareContinuousState(BasicVector<double>(Eigen::Vector3d(1, 0, 1.5)), 1,
                           1, 1);
  }

 private:
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    const double t = context.get_time();
    const VectorBase<double>& x = context.get_continuous_state_vector();
    VectorBase<double>& result = xdot->get_mutable_vector();
    const double rate = t < rate_ends_ ? rate_ : 1.0;
    result[0] = x[1];
    result[1] = -x[0];
    result[2] = -rate * (x[2] - std::cos(t)) - std::sin(t);
  }
  double rate_;
  double rate_ends_;
};

const RungeKutta3Integrator<double>& GetRk3(const Simulator<double>& s) {
  return dynamic_cast<const RungeKutta3Integrator<double>&>(s.get_integrator());
}

void ExpectSolution(const Context<double>& context, double tolerance) {
  const double t = context.get_time();
  const VectorBase<double>& x = context.get_continuous_state_vector();
  EXPECT_NEAR(x[0], std::cos(t), tolerance);
  EXPECT_NEAR(x[1], -std::sin(t), tolerance);
  EXPECT_NEAR(x[2], std::cos(t), tolerance);
}

// --- The probe -------------------------------------------------------------

double EstimateRadius(const Eigen::MatrixXd& J, int times) {
  StiffnessProbe probe;
  probe.Reset(static_cast<int>(J.rows()));
  for (int i = 0; i < times; ++i) {
    probe.Estimate([&J](const Eigen::VectorXd& x, Eigen::VectorXd* y) {
      *y = J * x;
      return true;
    });
  }
  return probe.spectral_radius();
}

TEST(StiffnessProbe, FindsTheFastestRate) {
  Eigen::Matrix3d J;
  J << -1, 2, 0, 0.5, -3e4, 1, 0, 1, -20;
  EXPECT_NEAR(EstimateRadius(J, 5), 3e4, 1);
}

TEST(StiffnessProbe, TakesTheMeanOfPositionAndVelocity) {
  // A spring of 1e8 N/m: 1e4 1/s, though |J| is 1e8.
  Eigen::Matrix2d J;
  J << 0, 1, -1e8, 0;
  EXPECT_NEAR(EstimateRadius(J, 3), 1e4, 1e-3);
}

TEST(StiffnessProbe, NothingMovesOrIsNotFinite) {
  EXPECT_EQ(EstimateRadius(Eigen::Matrix2d::Zero(), 3), 0);
  EXPECT_EQ(EstimateRadius(Eigen::Matrix2d::Constant(NAN), 3), 0);
  EXPECT_EQ(EstimateRadius(Eigen::MatrixXd(0, 0), 3), 0);
}

TEST(StiffnessProbe, NamesTheFastestElement) {
  StiffnessProbe probe;
  probe.Reset(3);
  for (int i = 0; i < 3; ++i) {
    probe.Probe(0.1, [](const Eigen::VectorXd& x, Eigen::VectorXd* y) {
      *y = Eigen::Vector3d(-1, -500, -3).cwiseProduct(x);
      return true;
    });
  }
  EXPECT_EQ(probe.fastest_element(), 1);
  EXPECT_EQ(probe.stiff_score(), 6);
}

// --- The method ------------------------------------------------------------

// x' = x y + cos 3t - ..., made so that x = sin t, y = exp(-t).
bool Nonlinear(double t, const Eigen::VectorXd& x, Eigen::VectorXd* xdot) {
  const double s = std::sin(t), e = std::exp(-t);
  *xdot = Eigen::Vector2d(x[0] * x[1] + std::cos(t) - s * e,
                          -x[0] * x[0] - e + s * s);
  return true;
}

struct Outcome {
  double error;
  double estimate;
};

Outcome Solve(int num_steps) {
  LinearlyImplicitMethod method;
  Eigen::VectorXd x = Eigen::Vector2d(0, 1);
  Eigen::VectorXd xdot(2), next(2), error(2);
  for (int i = 0; i < num_steps; ++i) {
    const double t = i / static_cast<double>(num_steps);
    Nonlinear(t, x, &xdot);
    const LinearlyImplicitMethod::Start start{t, x, xdot};
    EXPECT_TRUE(method.Linearize(start, Nonlinear));
    EXPECT_TRUE(method.Step(start, (i + 1) / static_cast<double>(num_steps),
                            Nonlinear, &next, &error));
    x = next;
  }
  const Eigen::Vector2d exact(std::sin(1), std::exp(-1));
  return {(x - exact).norm(), error.norm()};
}

TEST(LinearlyImplicitMethod, HasSecondOrderAndEstimatesThird) {
  const Outcome coarse = Solve(40);
  const Outcome fine = Solve(80);
  EXPECT_NEAR(std::log2(coarse.error / fine.error), 2, 0.1);
  EXPECT_NEAR(std::log2(coarse.estimate / fine.estimate), 3, 0.15);
}

TEST(LinearlyImplicitMethod, FastMotionDiesOutWithinAStep) {
  const auto f = [](double, const Eigen::VectorXd& x, Eigen::VectorXd* xdot) {
    *xdot = -1e8 * x;
    return true;
  };
  LinearlyImplicitMethod method;
  const Eigen::VectorXd x = Eigen::VectorXd::Constant(1, 1e-6);
  Eigen::VectorXd xdot(1), next(1), error(1);
  f(0, x, &xdot);
  const LinearlyImplicitMethod::Start start{0, x, xdot};
  ASSERT_TRUE(method.Linearize(start, f));
  ASSERT_TRUE(method.Step(start, 0.1, f, &next, &error));
  EXPECT_LT(std::abs(next[0]), 1e-12);
}

// --- The Simulator ---------------------------------------------------------

TEST(StiffSteps, TheDefaultGoesOverToAnotherMethod) {
  const Follower system(1e6);
  Simulator<double> simulator(system);
  simulator.AdvanceTo(10);
  ExpectSolution(simulator.get_context(), 3e-3);
  EXPECT_GT(GetRk3(simulator).get_num_linearly_implicit_trials(), 10);
  // Explicit steps alone would take 1e6 / 2.5 * 10 steps of three.
  EXPECT_LT(simulator.get_integrator().get_num_derivative_evaluations(), 5000);
}

TEST(StiffSteps, CalmSystemsKeepTheExplicitMethod) {
  const Follower system(1);
  Simulator<double> simulator(system);
  simulator.AdvanceTo(300);
  EXPECT_GT(simulator.get_integrator().get_num_steps_taken(), 1000);
  EXPECT_EQ(GetRk3(simulator).get_num_linearly_implicit_trials(), 0);
}

TEST(StiffSteps, WhatBecomesCalmGoesBack) {
  const Follower system(1e6, 2.0);
  Simulator<double> simulator(system);
  simulator.AdvanceTo(5);
  const int64_t trials = GetRk3(simulator).get_num_linearly_implicit_trials();
  EXPECT_GT(trials, 10);
  simulator.AdvanceTo(50);
  EXPECT_EQ(GetRk3(simulator).get_num_linearly_implicit_trials(), trials);
  ExpectSolution(simulator.get_context(), 2e-2);
}

TEST(StiffSteps, WhoeverChoosesTheIntegratorGetsIt) {
  const Follower system(1e4);
  Simulator<double> simulator(system);
  simulator.reset_integrator<RungeKutta3Integrator<double>>()
      .set_maximum_step_size(0.1);
  simulator.set_warning_handler(nullptr);
  simulator.AdvanceTo(1);
  EXPECT_EQ(GetRk3(simulator).get_num_linearly_implicit_trials(), 0);
  EXPECT_GT(simulator.get_integrator().get_num_derivative_evaluations(), 10000);
}

TEST(StiffSteps, FixedStepsKeepTheExplicitMethod) {
  const Follower system(1e4);
  Simulator<double> simulator(system);
  simulator.get_mutable_integrator().set_maximum_step_size(1e-4);
  simulator.get_mutable_integrator().set_fixed_step_mode(true);
  simulator.AdvanceTo(1);
  EXPECT_EQ(GetRk3(simulator).get_num_linearly_implicit_trials(), 0);
  EXPECT_EQ(simulator.get_integrator().get_num_steps_taken(), 10000);
}

TEST(StiffSteps, StopsDoNotSteer) {
  const Follower system(1e5);
  Simulator<double> whole(system);
  whole.AdvanceTo(3);
  Simulator<double> parts(system);
  for (int i = 1; i <= 300; ++i) parts.AdvanceTo(i / 100.0);
  EXPECT_GT(GetRk3(whole).get_num_linearly_implicit_trials(), 10);
  EXPECT_EQ(whole.get_context().get_continuous_state_vector().CopyToVector(),
            parts.get_context().get_continuous_state_vector().CopyToVector());
}

TEST(StiffSteps, SavedIsNotChanged) {
  const Follower system(1e5, 1.5);
  Simulator<double> whole(system);
  whole.AdvanceTo(3);
  // In explicit steps, in implicit ones, and after them.
  for (const double when : {0.001, 0.5, 1.49, 1.6}) {
    Simulator<double> before(system);
    before.AdvanceTo(when);
    std::stringstream stream;
    SaveSimulation(before, &stream);
    Simulator<double> after(system);
    LoadSimulation(&stream, &after);
    after.AdvanceTo(3);
    EXPECT_EQ(whole.get_context().get_continuous_state_vector().CopyToVector(),
              after.get_context().get_continuous_state_vector().CopyToVector())
        << when;
  }
}

TEST(StiffSteps, AllocateNothing) {
  const Follower system(1e5);
  Simulator<double> simulator(system);
  simulator.AdvanceTo(1);
  const int64_t trials = GetRk3(simulator).get_num_linearly_implicit_trials();
  ASSERT_GT(trials, 0);
  wyvern::test::AllocationGuard guard;
  simulator.AdvanceTo(2);
  EXPECT_EQ(guard.count(), 0);
  EXPECT_GT(GetRk3(simulator).get_num_linearly_implicit_trials(), trials);
}

// --- What is said ----------------------------------------------------------

TEST(StiffSteps, AStiffSystemIsToldOfOnce) {
  Follower system(1e4);
  system.set_name("follower");
  Simulator<double> simulator(system);
  simulator.reset_integrator<RungeKutta3Integrator<double>>()
      .set_maximum_step_size(0.1);
  std::vector<std::string> warnings;
  simulator.set_warning_handler(
      [&](const std::string& warning) { warnings.push_back(warning); });
  simulator.AdvanceTo(5);
  ASSERT_EQ(warnings.size(), 1);
  for (const char* part :
       {"most steps of '::follower'", "stiff", "z[0]", "0.0001 s",
        "RungeKutta3Integrator", "RadauIntegrator"}) {
    EXPECT_NE(warnings[0].find(part), std::string::npos) << warnings[0];
  }
}

TEST(StiffSteps, ACalmSystemIsNotToldOf) {
  const Follower system(1);
  Simulator<double> simulator(system);
  simulator.reset_integrator<RungeKutta3Integrator<double>>()
      .set_maximum_step_size(0.1);
  bool warned = false;
  simulator.set_warning_handler([&](const std::string&) { warned = true; });
  simulator.AdvanceTo(2000);
  EXPECT_GT(simulator.get_integrator().get_num_steps_taken(), 10000);
  EXPECT_FALSE(warned);
}

/** A mass that swings with 1e8 rad/s and 1 m: no method can take large steps
and be accurate. Allocates nothing. */
class FastOscillator final : public LeafSystem<double> {
 public:
  FastOscillator() {
    DeclareContinuousState(
        BasicVector<double>(Eigen::VectorXd(Eigen::Vector2d(1, 0))), 1, 1, 0);
  }

 private:
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    const VectorBase<double>& x = context.get_continuous_state_vector();
    xdot->get_mutable_vector()[0] = x[1];
    xdot->get_mutable_vector()[1] = -1e16 * x[0];
  }
};

TEST(StiffSteps, CrawlingEndsInAnError) {
  FastOscillator system;
  system.set_name("quartz");
  Simulator<double> simulator(system);
  try {
    simulator.AdvanceTo(10);
    FAIL() << "did not throw";
  } catch (const std::runtime_error& error) {
    for (const char* part :
         {"AdvanceTo(): '::quartz' crawls at time 3.", "the last 200000 steps",
          "boundary 10 is", "error of a step is in v[0] of",
          "give a maximum step size below"}) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
          << error.what();
    }
  }
  const double reached = simulator.get_context().get_time();
  EXPECT_GT(reached, 1e-7);
  EXPECT_LT(reached, 1e-6);
}

TEST(StiffSteps, SmallStepsThatAreAskedForAreNoCrawling) {
  const FastOscillator system;
  Simulator<double> simulator(system);
  simulator.get_mutable_integrator().set_maximum_step_size(1e-6);
  simulator.AdvanceTo(1e-6);
  EXPECT_GT(simulator.get_integrator().get_num_steps_taken(), 200000);
  EXPECT_EQ(simulator.get_context().get_time(), 1e-6);
}

}  // namespace stiff_steps_test
}  // namespace wyvern::systems
