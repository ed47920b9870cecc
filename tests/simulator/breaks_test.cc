#include <cmath>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/simulator/simulator_serialization.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/trajectory_source.h"

// Tests sources that jump: breaks end the integrator's steps.

namespace wyvern::systems {
namespace breaks_test {

using trajectories::PiecewisePolynomial;
using Polynomials = PiecewisePolynomial<double>;

Polynomials Hold(const std::vector<double>& breaks,
                 const std::vector<double>& values) {
  std::vector<Eigen::MatrixXd> samples;
  for (const double value : values) {
    samples.push_back(Eigen::MatrixXd::Constant(1, 1, value));
  }
  return Polynomials::ZeroOrderHold(breaks, samples);
}

// Returns a pulse of height 1 / width and of that width.
Polynomials Pulse(double start, double width) {
  return Hold({-1, start, start + width, 5}, {0, 1 / width, 0, 0});
}

std::unique_ptr<Diagram<double>> Integral(
    const trajectories::Trajectory<double>& trajectory) {
  DiagramBuilder<double> builder;
  auto* source =
      builder.AddNamedSystem<TrajectorySource<double>>("source", trajectory);
  auto* integrator = builder.AddSystem<Integrator<double>>(1);
  builder.Connect(source->get_output_port(), integrator->get_input_port());
  return builder.Build();
}

double StateOf(const Simulator<double>& simulator) {
  return simulator.get_context().get_continuous_state_vector()[0];
}

class Breaks : public ::testing::TestWithParam<std::string> {
 protected:
  void Configure(Simulator<double>* simulator,
                 double max_step_size = 0.1) const {
    SimulatorConfig config;
    config.integration_scheme = GetParam();
    config.max_step_size = max_step_size;
    ApplySimulatorConfig(config, simulator);
  }
  double Integrate(const trajectories::Trajectory<double>& trajectory,
                   double end) const {
    const auto diagram = Integral(trajectory);
    Simulator<double> simulator(*diagram);
    Configure(&simulator);
    simulator.AdvanceTo(end);
    return StateOf(simulator);
  }
};

TEST_P(Breaks, PulsesOfAnyWidthAreIntegratedExactly) {
  for (const double width : {0.5, 0.1, 0.05, 5e-4, 1e-6, 1e-9, 1e-12, 1e-15}) {
    const double start = 1.2;
    const double real_width = start + width - start;
    EXPECT_NEAR(Integrate(Pulse(start, width), 2), real_width / width, 1e-9)
        << width;
  }
}

TEST_P(Breaks, PulsesAtStepsAndAtTheBoundaryAreIntegratedExactly) {
  for (const double start : {0.0, 0.1, 0.3, 1.0, 2.0 - 1e-3}) {
    EXPECT_NEAR(Integrate(Pulse(start, 1e-3), 2), 1, 1e-9) << start;
  }
}

TEST_P(Breaks, AtABreakTheNewValueHolds) {
  // The whole pulse lies before the end, and no part of the next one.
  const auto pulses = Hold({0, 1, 1.5, 2, 3}, {0, 1, 0, 7, 0});
  EXPECT_NEAR(Integrate(pulses, 1.5), 0.5, 1e-12);
  EXPECT_NEAR(Integrate(pulses, 2), 0.5, 1e-12);
  EXPECT_NEAR(Integrate(pulses, 2.5), 4, 1e-11);
}

TEST_P(Breaks, DerivativesThatEndWithTheTrajectoryEndThere) {
  const auto ramp = Polynomials::FirstOrderHold(
      {0.5, 1}, {Eigen::MatrixXd::Zero(1, 1), Eigen::MatrixXd::Ones(1, 1)});
  DiagramBuilder<double> builder;
  auto* source = builder.AddSystem<TrajectorySource<double>>(ramp, 1);
  auto* integrator = builder.AddSystem<Integrator<double>>(2);
  builder.Connect(source->get_output_port(), integrator->get_input_port());
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  Configure(&simulator);
  simulator.AdvanceTo(3);
  const auto& x = simulator.get_context().get_continuous_state_vector();
  EXPECT_NEAR(x[1], 1, 1e-12);  // The rate of the ramp, over its time alone.
}

TEST_P(Breaks, SavedAndStoppedRunsGoOnWithTheSameBits) {
  const auto diagram =
      Integral(Hold({0, 0.3, 0.301, 0.7, 0.9, 4}, {0, 900, 0, 3, 0, 0}));
  Simulator<double> whole(*diagram);
  Configure(&whole, 0.04);
  whole.AdvanceTo(2);
  for (const double stop : {0.2, 0.3, 0.3005, 0.301, 0.31, 0.7, 0.71}) {
    Simulator<double> first(*diagram);
    Configure(&first, 0.04);
    first.AdvanceTo(stop);
    std::stringstream saved;
    SaveSimulation(first, &saved);
    first.AdvanceTo(2);
    EXPECT_EQ(StateOf(first), StateOf(whole)) << stop;
    Simulator<double> second(*diagram);
    Configure(&second, 0.04);
    LoadSimulation(&saved, &second);
    second.AdvanceTo(2);
    EXPECT_EQ(StateOf(second), StateOf(whole)) << stop;
  }
}

TEST_P(Breaks, StepsAcrossThemAllocateNothing) {
  std::vector<double> breaks, values;
  for (int i = 0; i <= 500; ++i) {
    breaks.push_back(0.01 * i);
    values.push_back(i % 3);
  }
  const auto diagram = Integral(Hold(breaks, values));
  Simulator<double> simulator(*diagram);
  Configure(&simulator);
  simulator.AdvanceTo(1);
  wyvern::test::AllocationGuard guard;
  simulator.AdvanceTo(3);
  EXPECT_EQ(guard.count(), 0);
}

INSTANTIATE_TEST_SUITE_P(All, Breaks,
                         ::testing::ValuesIn(GetIntegrationSchemes()),
                         [](const auto& suite) { return suite.param; });

TEST(BreaksOfASimulation, EventsBesideThemAreNeitherLostNorDoubled) {
  // Breaks at the ticks, and one rounding error to either side of them.
  std::vector<double> breaks{-1}, values{0};
  for (int k = 1; k < 20; ++k) {
    const double tick = 0.1 * k;
    const double beside = k % 3 == 0   ? tick
                          : k % 3 == 1 ? std::nextafter(tick, 9.0)
                                       : std::nextafter(tick, 0.0);
    breaks.push_back(beside);
    values.push_back(k % 2);
  }
  DiagramBuilder<double> builder;
  auto* source =
      builder.AddSystem<TrajectorySource<double>>(Hold(breaks, values));
  auto* integrator = builder.AddSystem<Integrator<double>>(1);
  auto* diary = builder.AddSystem<test::Diary>(0);
  diary->AddPeriodic(0.1, 0.0);
  builder.Connect(source->get_output_port(), integrator->get_input_port());
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  for (int k = 1; k <= 20; ++k) simulator.AdvanceTo(0.1 * k);
  EXPECT_EQ(diary->times("pt").size(), 21);
  EXPECT_EQ(diary->times("dt").size(), 20);
  // The last value is unused: nine pulses, at 0.1, 0.3, ..., 1.7.
  EXPECT_NEAR(StateOf(simulator), 0.1 * 9, 1e-12);
}

TEST(BreaksOfASimulation, AFixedStepToATimeStopsAtThem) {
  const auto diagram = Integral(Pulse(0.3, 1e-3));
  Simulator<double> simulator(*diagram);
  auto& integrator = simulator.get_mutable_integrator();
  integrator.set_fixed_step_mode(true);
  simulator.Initialize();
  EXPECT_TRUE(integrator.IntegrateWithSingleFixedStepToTime(1.0));
  EXPECT_NEAR(StateOf(simulator), 1, 1e-12);
}

TEST(BreaksOfASimulation, DenseOutputHasTheKinks) {
  const auto diagram = Integral(Hold({0, 0.5, 0.75, 2}, {0, 4, 0, 0}));
  Simulator<double> simulator(*diagram);
  simulator.Initialize();
  auto& integrator = simulator.get_mutable_integrator();
  integrator.StartDenseIntegration();
  simulator.AdvanceTo(1.5);
  const auto dense = integrator.StopDenseIntegration();
  for (double t = 0; t < 1.5; t += 0.01) {
    const double exact = t < 0.5 ? 0 : t < 0.75 ? 4 * (t - 0.5) : 1;
    EXPECT_NEAR(dense->scalarValue(t), exact, 1e-12) << t;
  }
}

TEST(BreaksOfASimulation, MissingOnesChangeNoBit) {
  // A constant, with and without breaks on the way to the end.
  const auto steps = [](const Polynomials& trajectory) {
    const auto diagram = Integral(trajectory);
    Simulator<double> simulator(*diagram);
    simulator.AdvanceTo(2);
    return std::pair(StateOf(simulator), simulator.get_num_steps_taken());
  };
  const auto held = Hold({0, 0.33, 0.77, 3}, {2, 2, 2, 2});
  EXPECT_EQ(steps(held), steps(Polynomials(Vector1<double>(2))));
}

#if WYVERN_AUTODIFF
TEST(BreaksOfASimulation, TheTimeOfABreakHasDerivatives) {
  using T = AutoDiffXd;
  // A pulse of height 3 that ends at p = 0.7: d/dp of its integral is 3.
  const T end(0.7, Vector1<double>(1));
  const std::vector<MatrixX<T>> values{
      MatrixX<T>::Zero(1, 1), MatrixX<T>::Constant(1, 1, T(3)),
      MatrixX<T>::Zero(1, 1), MatrixX<T>::Zero(1, 1)};
  DiagramBuilder<T> builder;
  auto* source = builder.AddSystem<TrajectorySource<T>>(
      PiecewisePolynomial<T>::ZeroOrderHold({T(0), T(0.2), end, T(9)}, values));
  auto* integrator = builder.AddSystem<Integrator<T>>(1);
  builder.Connect(source->get_output_port(), integrator->get_input_port());
  const auto diagram = builder.Build();
  Simulator<T> simulator(*diagram);
  simulator.AdvanceTo(T(1.0));
  const T x = simulator.get_context().get_continuous_state_vector()[0];
  EXPECT_NEAR(x.value(), 1.5, 1e-12);
  EXPECT_NEAR(x.derivatives()[0], 3, 1e-12);
}
#endif

// xdot = 1 from time c on, and 0 before; c is a parameter.
class Step final : public LeafSystem<double> {
 public:
  explicit Step(double answer = 0) : answer_(answer) {
    DeclareContinuousState(1);
    DeclareNumericParameter(BasicVector<double>(Vector1<double>(0.5)));
    DeclareBreakTimes();
  }

 private:
  static double TimeIn(const Context<double>& context) {
    return context.get_numeric_parameter(0)[0];
  }
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    (*xdot)[0] = context.get_time() >= TimeIn(context) ? 1 : 0;
  }
  void DoCalcNextBreakTime(const Context<double>& context, const double& after,
                           double* time) const final {
    if (after < TimeIn(context)) *time = TimeIn(context);
    if (answer_ != 0) *time = answer_;
  }
  const double answer_;
};

TEST(BreaksOfASimulation, MayDependOnParameters) {
  const Step system;
  Simulator<double> simulator(system);
  simulator.get_mutable_context().get_mutable_numeric_parameter(0)[0] = 0.8125;
  simulator.AdvanceTo(2);
  EXPECT_NEAR(StateOf(simulator), 2 - 0.8125, 1e-14);
}

TEST(BreaksOfASimulation, AnAnswerThatIsNotLaterIsRefused) {
  for (const double answer : {-1.0, std::nan("")}) {
    const Step system(answer);
    Simulator<double> simulator(system);
    EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(1), std::logic_error,
                          "DoCalcNextBreakTime");
  }
}

TEST(BreaksOfADiagram, AreTheEarliestOfItsParts) {
  DiagramBuilder<double> builder;
  builder.AddSystem<Step>();
  builder.AddSystem(Integral(Hold({0, 0.25, 2}, {0, 1, 0})));
  builder.AddSystem<Integrator<double>>(1);
  builder.ExportInput(
      builder.GetSystems().back()->get_input_port(InputPortIndex(0)));
  const auto diagram = builder.Build();
  const auto context = diagram->CreateDefaultContext();
  EXPECT_TRUE(diagram->has_break_times());
  EXPECT_EQ(diagram->CalcNextBreakTime(*context, 0), 0.25);
  EXPECT_EQ(diagram->CalcNextBreakTime(*context, 0.25), 0.5);
  // Nothing changes at 2, where the last value continues.
  EXPECT_EQ(diagram->CalcNextBreakTime(*context, 0.5),
            std::numeric_limits<double>::infinity());
}

}  // namespace breaks_test
}  // namespace wyvern::systems
