#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"

// Whatever fails, the simulation stops at the last good moment and can go on.

namespace wyvern::systems {
namespace {

/** x' = [1, f(t)], where f can be changed while it runs. */
class Fragile final : public LeafSystem<double> {
 public:
  Fragile() {
    DeclareContinuousState(2);
    set_name("fragile");
  }
  std::function<double(double t)> f = [](double) { return 1.0; };

 private:
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    xdot->get_mutable_vector()[0] = 1;
    xdot->get_mutable_vector()[1] = f(context.get_time());
  }
};

class Failures : public ::testing::TestWithParam<std::string> {
 protected:
  Failures() {
    DiagramBuilder<double> builder;
    builder.AddSystem<test::Oscillator<double>>()->set_name("bystander");
    fragile_ = builder.AddSystem<Fragile>();
    diagram_ = builder.Build();
    diagram_->set_name("whole");
    simulator_ = std::make_unique<Simulator<double>>(*diagram_);
    SimulatorConfig config;
    config.integration_scheme = GetParam();
    config.max_step_size = 0.01;
    ApplySimulatorConfig(config, simulator_.get());
  }
  Eigen::VectorXd x() const {
    return fragile_->GetMyContextFromRoot(simulator_->get_context())
        .get_continuous_state_vector()
        .CopyToVector();
  }
  // The state is that of the time. Euler's methods and the midpoint rule do not
  // look at the derivative where a step ends; others do before they are past
  // `latest`.
  void ExpectGoodState(double latest) const {
    if (GetParam().ends_with("explicit_euler") || GetParam() == "convex") {
      latest = 0.3101;
    }
    const double t = simulator_->get_context().get_time();
    EXPECT_GE(t, 0.28);
    EXPECT_LE(t, latest);
    EXPECT_NEAR(x()[0], t, 1e-12);
    EXPECT_NEAR(x()[1], t, 1e-12);
  }

  Fragile* fragile_{};
  std::unique_ptr<Diagram<double>> diagram_;
  std::unique_ptr<Simulator<double>> simulator_;
};

TEST_P(Failures, ANanDerivativeStopsAtOnceAndNamesWhereAndWhen) {
  for (const double bad :
       {std::nan(""), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    fragile_->f = [bad](double t) { return t > 0.305 ? bad : 1.0; };
    EXPECT_THROWS_MESSAGE(simulator_->AdvanceTo(1), std::runtime_error,
                          "time derivative of z[1] of '::whole::fragile'");
    ExpectGoodState(0.306);
  }
  EXPECT_THROWS_MESSAGE(simulator_->AdvanceTo(1), std::runtime_error,
                        "at time 0.3");
}

TEST_P(Failures, ASystemThatThrowsLeavesTheLastGoodState) {
  fragile_->f = [](double t) -> double {
    if (t > 0.305) throw std::runtime_error("broken");
    return 1.0;
  };
  EXPECT_THROWS_MESSAGE(simulator_->AdvanceTo(1), std::runtime_error, "broken");
  ExpectGoodState(0.305);
  // It fails again, at the same place, and goes on once mended.
  const double t = simulator_->get_context().get_time();
  EXPECT_THROWS_MESSAGE(simulator_->AdvanceTo(1), std::runtime_error, "broken");
  EXPECT_EQ(simulator_->get_context().get_time(), t);
  fragile_->f = [](double) { return 1.0; };
  simulator_->AdvanceTo(1);
  EXPECT_NEAR(x()[0], 1, 1e-12);
  EXPECT_NEAR(x()[1], 1, 1e-12);
}

TEST_P(Failures, DoNotGoBackBehindABoundary) {
  // The step that the boundary cut short is taken anew, and fails.
  simulator_->AdvanceTo(0.3041);
  const Eigen::VectorXd before = x();
  fragile_->f = [](double) -> double { throw std::runtime_error("broken"); };
  EXPECT_THROWS_MESSAGE(simulator_->AdvanceTo(1), std::runtime_error, "broken");
  EXPECT_EQ(simulator_->get_context().get_time(), 0.3041);
  EXPECT_EQ(x(), before);
}

INSTANTIATE_TEST_SUITE_P(All, Failures,
                         ::testing::ValuesIn(GetIntegrationSchemes()),
                         [](const auto& suite) { return suite.param; });

/** Counts unrestricted and discrete updates; the discrete ones fail on demand,
and so does the witness function, which crosses zero at t = 0.5. */
class Clumsy final : public LeafSystem<double> {
 public:
  Clumsy() {
    DeclareContinuousState(1);
    DeclareDiscreteState(1);
    DeclareAbstractState(Value<int>(0));
    DeclarePeriodicUnrestrictedUpdateEvent(0.1, 0.1, &Clumsy::Unrestricted);
    DeclarePeriodicDiscreteUpdateEvent(0.1, 0.1, &Clumsy::Discrete);
    DeclarePeriodicPublishEvent(0.1, 0.1, &Clumsy::Publish);
    witness_ = MakeWitnessFunction(
        "half", WitnessFunctionDirection::kCrossesZero, &Clumsy::CalcWitness);
  }
  double fail_at{1e9};
  double fail_publish_at{1e9};
  double fail_witness_at{1e9};

 private:
  void DoCalcTimeDerivatives(const Context<double>&,
                             ContinuousState<double>* xdot) const final {
    xdot->get_mutable_vector()[0] = 1;
  }
  void DoGetWitnessFunctions(
      const Context<double>&,
      std::vector<const WitnessFunction<double>*>* witnesses) const final {
    witnesses->push_back(witness_.get());
  }
  EventStatus Unrestricted(const Context<double>& context,
                           State<double>* state) const {
    state->get_mutable_abstract_state<int>(0) =
        context.get_abstract_state<int>(0) + 1;
    return EventStatus::Succeeded();
  }
  EventStatus Discrete(const Context<double>& context,
                       DiscreteValues<double>* xd) const {
    if (context.get_time() >= fail_at) throw std::runtime_error("discrete");
    xd->get_mutable_vector(0)[0] = context.get_discrete_state(0)[0] + 1;
    return EventStatus::Succeeded();
  }
  EventStatus Publish(const Context<double>& context) const {
    if (context.get_time() >= fail_publish_at) {
      throw std::runtime_error("publish");
    }
    return EventStatus::Succeeded();
  }
  double CalcWitness(const Context<double>& context) const {
    const double t = context.get_time();
    if (t >= fail_witness_at) throw std::runtime_error("witness");
    return t - 0.5;
  }
  std::unique_ptr<WitnessFunction<double>> witness_;
};

void ExpectCounts(const Context<double>& context, int unrestricted,
                  int discrete) {
  EXPECT_EQ(context.get_abstract_state<int>(0), unrestricted);
  EXPECT_EQ(context.get_discrete_state(0)[0], discrete);
}

TEST(FailureOfAnEvent, DoesNotRepeatWhatWasDone) {
  Clumsy system;
  Simulator<double> simulator(system);
  system.fail_at = 0.25;
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(1), std::runtime_error, "discrete");
  // At 0.3, after the unrestricted update and without the discrete one.
  EXPECT_NEAR(simulator.get_context().get_time(), 0.3, 1e-15);
  ExpectCounts(simulator.get_context(), 3, 2);
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(1), std::runtime_error, "discrete");
  ExpectCounts(simulator.get_context(), 3, 2);
  system.fail_at = 1e9;
  simulator.AdvanceTo(0.95);
  ExpectCounts(simulator.get_context(), 9, 9);
}

TEST(FailureOfAnEvent, WhilePublishingLosesNoUpdate) {
  Clumsy system;
  Simulator<double> simulator(system);
  system.fail_publish_at = 0.25;
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(1), std::runtime_error, "publish");
  EXPECT_NEAR(simulator.get_context().get_time(), 0.3, 1e-15);
  ExpectCounts(simulator.get_context(), 2, 2);
  system.fail_publish_at = 1e9;
  simulator.AdvanceTo(0.95);
  ExpectCounts(simulator.get_context(), 9, 9);
}

TEST(FailureOfAWitness, TakesTheStepBack) {
  Clumsy system;
  Simulator<double> simulator(system);
  simulator.Initialize();
  simulator.get_mutable_integrator().StartDenseIntegration();
  system.fail_witness_at = 0.33;
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(1), std::runtime_error, "witness");
  const double t = simulator.get_context().get_time();
  EXPECT_NEAR(t, 0.3, 1e-15);
  EXPECT_NEAR(simulator.get_context().get_continuous_state_vector()[0], t,
              1e-12);
  EXPECT_EQ(simulator.get_integrator().get_dense_output()->end_time(), t);
  system.fail_witness_at = 1e9;
  simulator.AdvanceTo(0.95);
  ExpectCounts(simulator.get_context(), 9, 9);
  EXPECT_EQ(simulator.get_integrator().get_dense_output()->end_time(), 0.95);
}

}  // namespace
}  // namespace wyvern::systems
