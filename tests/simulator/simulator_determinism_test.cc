#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/integrators/explicit_euler_integrator.h"
#include "wyvern/simulator/simulator.h"

// Where AdvanceTo() stops does not change where the simulation goes.

namespace wyvern::systems {
namespace {

/** A pendulum under a torque that is sampled at 37 Hz from its angle. */
class SampledPendulum final : public LeafSystem<double> {
 public:
  SampledPendulum() {
    DeclareContinuousState(BasicVector<double>(Eigen::Vector2d(1, 0)), 1, 1, 0);
    DeclareDiscreteState(1);
    DeclarePeriodicEvent(
        1.0 / 37, 0.001,
        DiscreteUpdateEvent<double>([](const Context<double>& context,
                                       const DiscreteUpdateEvent<double>&,
                                       DiscreteValues<double>* xd) {
          xd->get_mutable_vector(0)[0] =
              0.3 * context.get_continuous_state_vector()[0];
        }));
    DeclarePerStepEvent(PublishEvent<double>(
        [this](const Context<double>& context, const PublishEvent<double>&) {
          published_.push_back(context.get_time());
        }));
  }
  const std::vector<double>& published() const { return published_; }

 private:
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    const VectorBase<double>& x = context.get_continuous_state_vector();
    xdot->get_mutable_vector()[0] = x[1];
    xdot->get_mutable_vector()[1] = -9.81 * std::sin(x[0]) -
                                    context.get_discrete_state(0)[0] +
                                    std::cos(3 * context.get_time());
  }
  mutable std::vector<double> published_;
};

class Determinism : public ::testing::TestWithParam<std::string> {
 protected:
  // The state at time 3, on the way to which the boundaries lie.
  Eigen::Vector2d Run(
      const std::vector<double>& boundaries,
      const std::function<void(Simulator<double>*)>& at_each = nullptr) const {
    const SampledPendulum system;
    Simulator<double> simulator(system);
    SimulatorConfig config;
    config.integration_scheme = GetParam();
    config.max_step_size = 0.01;
    ApplySimulatorConfig(config, &simulator);
    for (const double boundary : boundaries) {
      simulator.AdvanceTo(boundary);
      EXPECT_EQ(simulator.get_context().get_time(), boundary);
      if (at_each) at_each(&simulator);
    }
    simulator.AdvanceTo(3);
    return simulator.get_context().get_continuous_state_vector().CopyToVector();
  }
  static std::vector<double> Every(double interval) {
    std::vector<double> result;
    for (double t = interval; t < 3; t += interval) result.push_back(t);
    return result;
  }
};

TEST_P(Determinism, ManySmallAdvancesEqualOneLargeToTheBit) {
  const Eigen::Vector2d whole = Run({});
  for (const double interval : {1.0, 0.1, 0.02, 0.01, 0.00317, 0.001}) {
    EXPECT_EQ(Run(Every(interval)), whole) << interval;
  }
}

TEST_P(Determinism, LookingAndPendingEventsChangeNothing) {
  const auto look = [](Simulator<double>* simulator) {
    simulator->get_system().EvalTimeDerivatives(simulator->get_context());
    simulator->AdvancePendingEvents();
  };
  EXPECT_EQ(Run(Every(0.0137), look), Run({}));
}

TEST_P(Determinism, AChangeOfTheContextIsHeeded) {
  const auto touch = [](Simulator<double>* simulator) {
    simulator->get_mutable_context().get_mutable_continuous_state_vector()[1] =
        0;
  };
  const Eigen::Vector2d touched = Run({0.5, 2.9955}, touch);
  EXPECT_NE(touched, Run({}));
  // From rest, 4.5 ms at no more than 12 / s^2.
  EXPECT_LT(std::abs(touched[1]), 0.06);
}

TEST_P(Determinism, TheStateAtABoundaryIsASolutionToo) {
  double worst = 0;
  Run(Every(0.0317), [&](Simulator<double>* simulator) {
    const double t = simulator->get_context().get_time();
    const Eigen::Vector2d x =
        simulator->get_context().get_continuous_state_vector().CopyToVector();
    const SampledPendulum system;
    Simulator<double> fine(system);
    fine.get_mutable_integrator().set_target_accuracy(1e-8);
    fine.AdvanceTo(t);
    const Eigen::Vector2d exact =
        fine.get_context().get_continuous_state_vector().CopyToVector();
    worst = std::max(worst, (x - exact).norm());
  });
  // Euler's method, the worst, makes the amplitude of some 3 grow by a factor
  // of exp(h omega^2 t / 2) = 1.16 here; what strays for ever would exceed 3.
  EXPECT_LT(worst, 0.5);
}

TEST_P(Determinism, PublishedTimesIncrease) {
  const SampledPendulum system;
  Simulator<double> simulator(system);
  ResetIntegratorFromFlags(&simulator, GetParam(), 0.3);
  std::vector<double> monitored;
  simulator.set_monitor([&](const Context<double>& context) {
    monitored.push_back(context.get_time());
    return EventStatus::DidNothing();
  });
  for (const double t : Every(0.00317)) simulator.AdvanceTo(t);
  for (const auto& times : {system.published(), monitored}) {
    for (size_t i = 1; i < times.size(); ++i) {
      ASSERT_GT(times[i], times[i - 1]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Determinism,
                         ::testing::ValuesIn(GetIntegrationSchemes()),
                         [](const auto& suite) { return suite.param; });

// The step from 0.2 to 0.3 is cut short at 0.25, and repeated from 0.2.
TEST(DeterminismOfFixedSteps, AMaximumStepSetBetweenAdvancesHoldsFromThere) {
  const test::Ode<double> decay(
      Eigen::VectorXd::Ones(1),
      [](double, const Eigen::VectorXd& x) { return -x; });
  Simulator<double> simulator(decay);
  simulator.reset_integrator<ExplicitEulerIntegrator<double>>(0.1);
  simulator.AdvanceTo(0.25);
  simulator.get_mutable_integrator().set_maximum_step_size(0.01);
  simulator.AdvanceTo(1);
  EXPECT_NEAR(simulator.get_context().get_continuous_state_vector()[0],
              std::pow(0.9, 2) * std::pow(0.99, 80), 1e-14);
}

TEST(DeterminismOfDenseOutput, IsThatOfOneLargeAdvance) {
  const auto record = [](double interval) {
    const SampledPendulum system;
    Simulator<double> simulator(system);
    simulator.Initialize();
    simulator.get_mutable_integrator().StartDenseIntegration();
    for (double t = interval; t < 2; t += interval) simulator.AdvanceTo(t);
    simulator.AdvanceTo(2);
    return simulator.get_mutable_integrator().StopDenseIntegration();
  };
  const auto one = record(2);
  const auto many = record(0.0123);
  ASSERT_EQ(many->get_number_of_segments(), one->get_number_of_segments());
  for (double t = 0; t < 2; t += 0.01) {
    EXPECT_EQ(many->value(t), one->value(t));
  }
}

}  // namespace
}  // namespace wyvern::systems
