#include "wyvern/systems/sensors/measured_signal.h"

#include <cmath>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/context_serialization.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/trajectory_source.h"
#include "wyvern/systems/primitives/vector_log_sink.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"

namespace wyvern::systems::sensors {
namespace measured_signal_test {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

VectorXd One(double x) { return VectorXd::Constant(1, x); }

// Time itself, u = t, measured with some errors, and looked at every `look`.
class MeasuredTime {
 public:
  explicit MeasuredTime(const MeasurementErrors& errors, double look = 0.01)
      : trajectory_(trajectories::PiecewisePolynomial<double>::FirstOrderHold(
            Vector2d(0, 1000), Eigen::RowVector2d(0, 1000))) {
    DiagramBuilder<double> builder;
    auto* clock = builder.AddSystem<TrajectorySource<double>>(trajectory_);
    signal = AddMeasuredSignal(clock->get_output_port(), errors, &builder);
    sink_ = LogVectorOutput(signal->get_output_port(), &builder, look);
    diagram = builder.Build();
    simulator = std::make_unique<Simulator<double>>(*diagram);
  }
  const VectorLog<double>& log() const {
    return sink_->FindLog(simulator->get_context());
  }
  const Context<double>& context() const {
    return signal->GetMyContextFromRoot(simulator->get_context());
  }

  const MeasuredSignal<double>* signal{};
  std::unique_ptr<Diagram<double>> diagram;
  std::unique_ptr<Simulator<double>> simulator;

 private:
  trajectories::PiecewisePolynomial<double> trajectory_;
  VectorLogSink<double>* sink_{};
};

// Value shown at t: the newest sample taken at offset + k period and shown by
// t. A log sees the state before the updates of its moment.
double Shown(const MeasurementErrors& errors, double t) {
  const double since = t - errors.offset - errors.delay;
  const double k = std::ceil(since / errors.period - 1e-9) - 1;
  return k < 0 ? 0 : errors.offset + k * errors.period;
}

class DelayOf : public testing::TestWithParam<double> {};

TEST_P(DelayOf, IsExactBetweenSamplesToo) {
  const MeasurementErrors errors{
      .period = 0.1, .offset = 0.03, .delay = GetParam()};
  MeasuredTime measured(errors);
  measured.simulator->AdvanceTo(5);
  const VectorLog<double>& log = measured.log();
  ASSERT_EQ(log.num_samples(), 501);
  for (int i = 0; i < log.num_samples(); ++i) {
    const double t = log.sample_times()[i];
    EXPECT_NEAR(log.data()(0, i), Shown(errors, t), 1e-12) << "at " << t;
  }
}

// None, less than a period, a whole number of them (0.3 / 0.1 is not 3 in
// binary), and between.
INSTANTIATE_TEST_SUITE_P(Seconds, DelayOf,
                         testing::Values(0.0, 0.045, 0.1, 0.3, 0.4375, 1.0));

TEST(MeasuredSignal, TakesNoStepsForRoundingOfTheDelay) {
  MeasuredTime measured({.period = 0.1, .delay = 0.3}, 0.1);
  measured.simulator->set_publish_every_time_step(false);
  measured.simulator->Initialize();
  measured.simulator->get_mutable_integrator().set_maximum_step_size(1);
  measured.simulator->AdvanceTo(10);
  EXPECT_EQ(measured.simulator->get_num_steps_taken(), 100);
}

TEST(MeasuredSignal, WithoutAPeriodIsTheSignalOfThatMoment) {
  const MeasuredSignal<double> signal(
      2, {.bias = Vector2d(0.1, -1), .quantum = Vector2d(0, 0.5)});
  EXPECT_TRUE(signal.HasDirectFeedthrough(0, 0));
  const auto context = signal.CreateDefaultContext();
  signal.get_input_port().FixValue(context.get(), Vector2d(1, 3.3));
  EXPECT_EQ(signal.get_output_port().Eval(*context), Vector2d(1.1, 2.5));
  signal.set_bias(context.get(), Vector2d(2, -0.9));
  EXPECT_EQ(signal.get_bias(*context), Vector2d(2, -0.9));
  EXPECT_EQ(signal.get_output_port().Eval(*context), Vector2d(3, 2.5));
}

TEST(MeasuredSignal, IsTheNearestMultipleOfTheQuantum) {
  const MeasuredSignal<double> signal(3, {.quantum = One(0.25)});
  const auto context = signal.CreateDefaultContext();
  signal.get_input_port().FixValue(context.get(), Vector3d(0.124, 0.126, -9.9));
  EXPECT_EQ(signal.get_output_port().Eval(*context), Vector3d(0, 0.25, -10));
}

// White noise of n samples: the mean is off by sigma / sqrt(n), the variance by
// sqrt(2 / n) of itself, the correlation of neighbours by 1 / sqrt(n), each as
// one standard deviation; 5 are allowed.
TEST(MeasuredSignal, HasWhiteNoiseOfItsStandardDeviation) {
  const int n = 40000;
  const double sigma = 0.3;
  DiagramBuilder<double> builder;
  auto* source = builder.AddSystem<ConstantVectorSource<double>>(2.0);
  auto* signal = AddMeasuredSignal<double>(
      source->get_output_port(),
      {.period = 0.125, .bias = One(0.5), .noise = One(sigma), .seed = 7},
      &builder);
  auto* sink = LogVectorOutput(signal->get_output_port(), &builder, 0.125);
  Simulator<double> simulator(builder.Build());
  simulator.AdvanceTo(n * 0.125);
  const VectorXd y =
      sink->FindLog(simulator.get_context()).data().row(0).tail(n);
  const VectorXd x = y.array() - y.mean();
  const double variance = x.squaredNorm() / n;
  EXPECT_NEAR(y.mean(), 2.5, 5 * sigma / std::sqrt(n));
  EXPECT_NEAR(variance / (sigma * sigma), 1, 5 * std::sqrt(2.0 / n));
  for (int lag : {1, 2, 5}) {
    const double r = x.head(n - lag).dot(x.tail(n - lag)) / x.squaredNorm();
    EXPECT_NEAR(r, 0, 5 / std::sqrt(n)) << lag;
  }
}

// Two seconds of noise, from a default or a random Context.
VectorXd Noise(const std::optional<RandomGenerator::result_type>& seed,
               const std::optional<int>& context_seed = std::nullopt) {
  MeasuredTime measured(
      {.period = 0.1, .delay = 0.05, .noise = One(1), .seed = seed});
  if (context_seed) {
    RandomGenerator generator(*context_seed);
    measured.diagram->SetRandomContext(
        &measured.simulator->get_mutable_context(), &generator);
  }
  measured.simulator->AdvanceTo(2);
  if (seed) {
    EXPECT_EQ(measured.signal->get_seed(measured.context()), *seed);
  }
  return measured.log().data().row(0);
}

TEST(MeasuredSignal, HasTheNoiseOfItsSeed) {
  EXPECT_EQ(Noise(4), Noise(4));
  EXPECT_NE(Noise(4), Noise(5));
  // Without one, each block has its own.
  EXPECT_NE(Noise({}), Noise({}));
  // Or the Context's random has it; a fixed one stays.
  EXPECT_EQ(Noise({}, 8), Noise({}, 8));
  EXPECT_NE(Noise({}, 8), Noise({}, 9));
  EXPECT_EQ(Noise(4, 8), Noise(4));
}

TEST(MeasuredSignal, GoesOnWithTheSameBitsAfterASave) {
  const MeasurementErrors errors{.period = 0.1,
                                 .delay = 0.25,
                                 .noise = One(0.2),
                                 .quantum = One(1e-3),
                                 .seed = 3};
  MeasuredTime original(errors);
  original.simulator->AdvanceTo(1.23);
  std::stringstream saved;
  SaveContext(original.simulator->get_context(), &saved);
  original.simulator->AdvanceTo(4);
  MeasuredTime resumed(errors);
  LoadContext(&saved, &resumed.simulator->get_mutable_context());
  resumed.simulator->Initialize();
  resumed.simulator->AdvanceTo(4);
  const auto all = original.log().data();
  const auto rest = resumed.log().data();
  ASSERT_GT(rest.cols(), 200);
  const int common = static_cast<int>(rest.cols()) - 2;
  EXPECT_EQ(all.rightCols(common), rest.rightCols(common));
  EXPECT_EQ(original.signal->get_output_port().Eval(original.context()),
            resumed.signal->get_output_port().Eval(resumed.context()));
}

TEST(MeasuredSignal, AllocatesNothingOnceItRuns) {
  MeasuredTime measured(
      {.period = 0.01, .delay = 0.025, .noise = One(1), .quantum = One(0.1)},
      100);
  measured.simulator->AdvanceTo(1);
  wyvern::test::AllocationGuard guard;
  measured.simulator->AdvanceTo(3);
  EXPECT_EQ(guard.count(), 0);
}

TEST(MeasuredSignal, ConvertsWithItsSeedAndItsDerivatives) {
  const MeasuredSignal<double> signal(
      1, {.period = 0.1, .bias = One(0.5), .noise = One(0.1), .seed = 3});
  const auto converted = System<double>::ToAutoDiffXd(signal);
  const auto context = signal.CreateDefaultContext();
  const auto of_autodiff = converted->CreateDefaultContext();
  signal.get_input_port().FixValue(context.get(), One(1));
  VectorX<AutoDiffXd> u(1);
  u[0] = AutoDiffXd(1, 1, 0);
  converted->get_input_port(0).FixValue(of_autodiff.get(), u);
  const auto next = context->CloneState();
  signal.CalcForcedUnrestrictedUpdate(*context, next.get());
  context->get_mutable_state().SetFrom(*next);
  const auto next_ad = of_autodiff->CloneState();
  converted->CalcForcedUnrestrictedUpdate(*of_autodiff, next_ad.get());
  of_autodiff->get_mutable_state().SetFrom(*next_ad);
  const AutoDiffXd y = converted->get_output_port(0).Eval(*of_autodiff)[0];
  EXPECT_EQ(y.value(), signal.get_output_port().Eval(*context)[0]);
  EXPECT_NE(y.value(), 1.5);
}

TEST(MeasuredSignal, RefusesWhatIsNoMeasurement) {
  using S = MeasuredSignal<double>;
  EXPECT_THROWS_MESSAGE(S(0, {}), std::logic_error, "size is 0");
  EXPECT_THROWS_MESSAGE(S(1, {.period = -1}), std::logic_error,
                        "period is -1; it must be 0 or more and finite");
  EXPECT_THROWS_MESSAGE(S(1, {.period = NAN}), std::logic_error,
                        "period is nan");
  EXPECT_THROWS_MESSAGE(S(1, {.period = 1, .delay = -0.1}), std::logic_error,
                        "delay is -0.1");
  EXPECT_THROWS_MESSAGE(S(1, {.period = 1e-9, .delay = 1e9}), std::logic_error,
                        "give a shorter delay or a longer period");
  EXPECT_THROWS_MESSAGE(S(1, {.bias = One(NAN)}), std::logic_error,
                        "bias[0] is nan; it must be finite");
  EXPECT_THROWS_MESSAGE(S(1, {.period = 1, .noise = One(-1)}), std::logic_error,
                        "noise[0] is -1");
  EXPECT_THROWS_MESSAGE(S(1, {.quantum = One(INFINITY)}), std::logic_error,
                        "quantum[0] is inf");
  EXPECT_THROWS_MESSAGE(S(3, {.bias = Vector2d(1, 2)}), std::logic_error,
                        "bias has size 2; it must have size 3; give one for "
                        "each element, or one for all");
  EXPECT_THROWS_MESSAGE(S(1, {.noise = One(1)}), std::logic_error,
                        "give the seconds between them");
  EXPECT_THROWS_MESSAGE(S(1, {.delay = 1}), std::logic_error,
                        "give the seconds between them");
  const S exact(1, {});
  const auto context = exact.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(exact.get_seed(*context), std::logic_error,
                        "has no noise");
  EXPECT_THROWS_MESSAGE(exact.set_bias(context.get(), One(NAN)),
                        std::logic_error, "set_bias(): bias[0] is nan");
}

}  // namespace measured_signal_test
}  // namespace wyvern::systems::sensors
