/** @file
Laws of samples and ticks: laws 1, 2, 5, 6, 11 and 15 of this folder's README.
*/

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/controllers/pid_compensator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/discrete_derivative.h"
#include "wyvern/systems/primitives/discrete_time_delay.h"
#include "wyvern/systems/primitives/discrete_time_integrator.h"
#include "wyvern/systems/primitives/first_order_hold.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/linear/linear_system.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/trajectory_source.h"
#include "wyvern/systems/primitives/vector_log_sink.h"
#include "wyvern/systems/primitives/waveform_source.h"
#include "wyvern/systems/primitives/zero_order_hold.h"

namespace wyvern::systems {
namespace honest_sampling {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;

void Choose(const std::string& scheme, Simulator<double>* simulator) {
  SimulatorConfig config;
  config.integration_scheme = scheme;
  ApplySimulatorConfig(config, simulator);
}

// An integrated sine and its log, which has a row every `period` [s].
struct LoggedSine {
  explicit LoggedSine(double period) {
    DiagramBuilder<double> builder;
    const auto* sine = builder.AddSystem<Sine<double>>(1, 2, 0, 1);
    const auto* integrator = builder.AddSystem<Integrator<double>>(1);
    builder.Connect(sine->get_output_port(0), integrator->get_input_port());
    log = LogVectorOutput(integrator->get_output_port(), &builder, period);
    diagram = builder.Build();
  }
  std::unique_ptr<Diagram<double>> diagram;
  const VectorLogSink<double>* log{};
};

void ExpectExactStamps(const VectorLog<double>& log, double period) {
  ASSERT_EQ(log.num_samples(), 10'001);
  for (int k = 0; k <= 10'000; ++k) {
    ASSERT_EQ(log.sample_times()[k], k * period);
  }
}

TEST(SampleStamps, AreExactMultiplesOfAnyPeriodAndNoneIsLost) {
  for (const double period : {0.1, 0.3, 1.0, 7.7, 1000.0}) {
    DiagramBuilder<double> builder;
    const auto* clock =
        builder.AddSystem<WaveformSource<double>>(Waveform::Clock());
    const auto* log =
        LogVectorOutput(clock->get_output_port(0), &builder, period);
    const auto diagram = builder.Build();
    Simulator<double> simulator(*diagram);
    simulator.AdvanceTo(10'000 * period);
    ExpectExactStamps(log->FindLog(simulator.get_context()), period);
  }
}

TEST(SampleStamps, DoNotDependOnTheIntegratorNorOnStops) {
  for (const std::string& scheme : GetIntegrationSchemes()) {
    for (const int num_stops : {1, 77}) {
      const LoggedSine sine(0.1);
      Simulator<double> simulator(*sine.diagram);
      Choose(scheme, &simulator);
      for (int i = 1; i <= num_stops; ++i) {
        simulator.AdvanceTo(i == num_stops ? 1000.0 : 1000.0 / num_stops * i);
      }
      SCOPED_TRACE(scheme);
      ExpectExactStamps(sine.log->FindLog(simulator.get_context()), 0.1);
    }
  }
}

TEST(EventsOfSeveralRates, AreAllHandledInOrderWithinLongFixedSteps) {
  for (const std::string& scheme : GetIntegrationSchemes()) {
    test::Diary diary(1);
    diary.AddPeriodicPublish(0.0007, 0, "a");
    diary.AddPeriodicPublish(0.001, 0, "b");
    diary.AddPeriodicPublish(0.0015, 0, "c");
    Simulator<double> simulator(diary);
    Choose(scheme, &simulator);
    auto& integrator = simulator.get_mutable_integrator();
    integrator.set_maximum_step_size(0.01);
    integrator.set_fixed_step_mode(true);
    simulator.AdvanceTo(2.1);
    EXPECT_EQ(diary.times("a").size(), 3001);
    EXPECT_EQ(diary.times("b").size(), 2101);
    EXPECT_EQ(diary.times("c").size(), 1401);
    double last = 0;
    for (const auto& entry : diary.entries()) {
      ASSERT_LE(last, entry.time) << scheme;
      last = entry.time;
    }
  }
}

TEST(ASampledRow, IsTheStateOfARunThatStopsThere) {
  for (const std::string& scheme : GetIntegrationSchemes()) {
    const LoggedSine logged(0.03);
    Simulator<double> simulator(*logged.diagram);
    Choose(scheme, &simulator);
    simulator.AdvanceTo(1);
    const auto& log = logged.log->FindLog(simulator.get_context());
    for (int k = 0; k < log.num_samples(); ++k) {
      const LoggedSine again(0.03);
      Simulator<double> stopped(*again.diagram);
      Choose(scheme, &stopped);
      stopped.AdvanceTo(log.sample_times()[k]);
      ASSERT_EQ(log.data()(0, k),
                stopped.get_context().get_continuous_state_vector()[0])
          << scheme << ", row " << k;
    }
  }
}

// Rows of the block's output, at 0 s, 1 s and 2 s, for the input u(t) = 1 + t.
Eigen::RowVector3d FirstOutputs(std::unique_ptr<System<double>> block) {
  DiagramBuilder<double> builder;
  const auto* source =
      builder.AddSystem<WaveformSource<double>>(Waveform::Ramp(0, 1, 1));
  const auto* added = builder.AddSystem(std::move(block));
  for (int i = 0; i < added->num_input_ports(); ++i) {
    builder.Connect(source->get_output_port(0), added->get_input_port(i));
  }
  const auto* log = LogVectorOutput(added->get_output_port(0), &builder, 1.0);
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  simulator.AdvanceTo(2);
  return log->FindLog(simulator.get_context()).data().row(0);
}

TEST(DiscreteBlocks, HaveTheFirstThreeOutputsOfTheirDefinitions) {
  using Row = Eigen::RowVector3d;
  // A row shows the output before the update of its moment, so a sample of the
  // input is seen from the next row on.
  EXPECT_EQ(FirstOutputs(std::make_unique<ZeroOrderHold<double>>(1.0, 1)),
            Row(0, 1, 2));
  EXPECT_EQ(
      FirstOutputs(std::make_unique<DiscreteTimeDelay<double>>(1.0, 1, 1)),
      Row(0, 0, 1));
  EXPECT_EQ(
      FirstOutputs(std::make_unique<DiscreteTimeIntegrator<double>>(1, 1.0)),
      Row(0, 1, 3));
  EXPECT_EQ(
      FirstOutputs(std::make_unique<DiscreteDerivative<double>>(1, 1.0, false)),
      Row(0, 1, 1));
  EXPECT_EQ(FirstOutputs(std::make_unique<DiscreteDerivative<double>>(1, 1.0)),
            Row(0, 0, 1));
  EXPECT_EQ(FirstOutputs(std::make_unique<FirstOrderHold<double>>(1.0)),
            Row(0, 1, 3));
  // x[n+1] = x[n]/2 + u[n], y = x.
  EXPECT_EQ(FirstOutputs(std::make_unique<LinearSystem<double>>(
                MatrixXd::Constant(1, 1, 0.5), MatrixXd::Identity(1, 1),
                MatrixXd::Identity(1, 1), MatrixXd::Zero(1, 1), 1.0)),
            Row(0, 1, 2.5));
}

TEST(AControllerAndAPlantOfTwoRates, ReadEachOtherAtTheirTicks) {
  // x+ = A x + B u every 2 ms, u = -K x(kT) every 3 ms, both by their values
  // before the updates of the moment.
  const Matrix2d A = (Matrix2d() << 1, 0.002, -0.02, 0.99).finished();
  const Vector2d B(0, 0.002);
  const Eigen::RowVector2d K(30, 4);
  DiagramBuilder<double> builder;
  const auto* plant = builder.AddSystem<LinearSystem<double>>(
      A, B, Matrix2d::Identity(), Vector2d::Zero(), 0.002);
  const auto* controller = builder.AddSystem<LinearSystem<double>>(
      MatrixXd::Zero(1, 1), -K, MatrixXd::Identity(1, 1),
      Eigen::RowVector2d::Zero(), 0.003);
  builder.Connect(*plant, *controller);
  builder.Connect(*controller, *plant);
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  auto& context = simulator.get_mutable_context();
  Vector2d x(1, -1);
  double u = 0;
  plant->GetMyMutableContextFromRoot(&context).SetDiscreteState(x);
  for (int ms = 0; ms <= 600; ++ms) {
    const Vector2d x_before = x;
    if (ms % 2 == 0) x = A * x_before + B * u;
    if (ms % 3 == 0) u = -K * x_before;
  }
  simulator.AdvanceTo(0.6);
  simulator.AdvancePendingEvents();
  EXPECT_LT(
      (plant->get_output_port().Eval(plant->GetMyContextFromRoot(context)) - x)
          .norm(),
      1e-14);
}

TEST(AHeldTable, HasTheNewValueAtEachOfAMillionBreaks) {
  constexpr int kSize = 1'000'000;
  std::vector<double> breaks(kSize + 1);
  std::vector<MatrixXd> values(kSize + 1);
  for (int k = 0; k <= kSize; ++k) {
    breaks[k] = k * 0.001;
    values[k] = MatrixXd::Constant(1, 1, k);
  }
  const TrajectorySource<double> source(
      trajectories::PiecewisePolynomial<double>::ZeroOrderHold(breaks, values));
  const auto context = source.CreateDefaultContext();
  for (int k = 0; k < kSize; ++k) {
    context->SetTime(k * 0.001);
    ASSERT_EQ(source.get_output_port().Eval(*context)[0], k);
  }
}

}  // namespace honest_sampling
}  // namespace wyvern::systems
