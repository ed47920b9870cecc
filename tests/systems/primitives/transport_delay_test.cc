#include "wyvern/systems/primitives/transport_delay.h"

#include <cmath>
#include <memory>
#include <sstream>
#include <utility>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/simulator/simulator_serialization.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/adder.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/waveform_source.h"
#include "wyvern/systems/primitives/zero_order_hold.h"

namespace wyvern::systems {
namespace transport_delay_test {

// A source, perhaps a hold, the delay, and the integral of the delayed signal.
class Bench {
 public:
  Bench(std::unique_ptr<System<double>> source, double delay,
        double hold_period = 0) {
    DiagramBuilder<double> builder;
    const System<double>* last = builder.AddSystem(std::move(source));
    const auto feed = [&](System<double>* next) {
      builder.Connect(last->get_output_port(0), next->get_input_port(0));
      last = next;
    };
    if (hold_period > 0) {
      feed(builder.AddSystem<ZeroOrderHold<double>>(hold_period, 1));
    }
    delay_ = builder.AddSystem<TransportDelay<double>>(delay);
    feed(delay_);
    integrator_ = builder.AddSystem<Integrator<double>>(1);
    feed(integrator_);
    diagram_ = builder.Build();
    simulator_ = std::make_unique<Simulator<double>>(*diagram_);
    simulator_->get_mutable_integrator().set_target_accuracy(1e-10);
  }
  double AdvanceTo(double time) {
    simulator_->AdvanceTo(time);
    return delay_->get_output_port().Eval(
        delay_->GetMyContextFromRoot(simulator_->get_context()))[0];
  }
  double integral() const {
    return integrator_->get_output_port(0).Eval(
        integrator_->GetMyContextFromRoot(simulator_->get_context()))[0];
  }
  Simulator<double>& simulator() { return *simulator_; }

 private:
  TransportDelay<double>* delay_{};
  Integrator<double>* integrator_{};
  std::unique_ptr<Diagram<double>> diagram_;
  std::unique_ptr<Simulator<double>> simulator_;
};

std::unique_ptr<System<double>> Source(const Waveform& waveform) {
  return std::make_unique<WaveformSource<double>>(waveform);
}

// y' = -y(t - 1) with y = 1 until 0. Step by step,
// y(t) = sum over k <= t + 1 of (-1)^k (t - k + 1)^k / k!.
std::unique_ptr<Diagram<double>> MakeDelayEquation() {
  DiagramBuilder<double> builder;
  auto* delay = builder.AddSystem<TransportDelay<double>>(1, 1, 1.0);
  auto* minus = builder.AddSystem<Gain<double>>(-1, 1);
  auto* y = builder.AddSystem<Integrator<double>>(1);
  builder.Cascade(*delay, *minus);
  builder.Cascade(*minus, *y);
  builder.Cascade(*y, *delay);
  return builder.Build();
}

TEST(TransportDelay, SolvesADelayEquation) {
  const auto diagram = MakeDelayEquation();
  Simulator<double> simulator(*diagram);
  simulator.get_mutable_context().SetContinuousState(
      Eigen::VectorXd::Constant(1, 1.0));
  simulator.get_mutable_integrator().set_target_accuracy(1e-11);
  for (const double t : {0.5, 1.0, 1.7, 2.3, 4.0, 6.5}) {
    simulator.AdvanceTo(t);
    double exact = 0;
    for (int k = 0; k <= t + 1; ++k) {
      exact += std::pow(-1, k) * std::pow(t - k + 1, k) / std::tgamma(k + 1);
    }
    EXPECT_NEAR(simulator.get_context().get_continuous_state_vector()[0], exact,
                1e-8)
        << t;
  }
}

TEST(TransportDelay, DelaysASine) {
  Bench bench(std::make_unique<Sine<double>>(1, 3, 0.4, 1), 0.35);
  EXPECT_EQ(bench.AdvanceTo(0.3), 0);
  for (const double t : {0.36, 0.5, 1.1, 3.7}) {
    EXPECT_NEAR(bench.AdvanceTo(t), std::sin(3 * (t - 0.35) + 0.4), 1e-8) << t;
  }
}

TEST(TransportDelay, KeepsEdgesOfSources) {
  Bench bench(Source(Waveform::Pulse(0.4, 0.3, 2)), 0.25);
  EXPECT_EQ(bench.AdvanceTo(0.64), 0);
  EXPECT_NEAR(bench.AdvanceTo(0.66), 2, 1e-13);
  EXPECT_NEAR(bench.AdvanceTo(0.94), 2, 1e-13);
  EXPECT_EQ(bench.AdvanceTo(0.96), 0);
  bench.AdvanceTo(2);
  EXPECT_NEAR(bench.integral(), 0.6, 1e-10);
}

TEST(TransportDelay, KeepsJumpsOfHolds) {
  Bench bench(Source(Waveform::Clock()), 0.25, 0.4);
  EXPECT_EQ(bench.AdvanceTo(0.64), 0);
  EXPECT_NEAR(bench.AdvanceTo(0.66), 0.4, 1e-13);
  EXPECT_NEAR(bench.AdvanceTo(1.04), 0.4, 1e-13);
  EXPECT_NEAR(bench.AdvanceTo(1.06), 0.8, 1e-13);
  EXPECT_NEAR(bench.integral(), 0.4 * 0.4 + 0.8 * 0.01, 1e-10);
}

// The held signal changes its sign at 1 ms, 3 ms, ..., 23 times within the
// delay.
TEST(TransportDelay, KeepsJumpsInQuickSuccession) {
  const Waveform train = Waveform::PulseTrain(4e-3, 2e-3, 1, -1, 0.5e-3);
  for (const double delay : {0.047, 0.05}) {
    Bench bench(Source(train), delay, 1e-3);
    for (int k = 0; k < 40; ++k) {
      const double sign = k % 2 == 0 ? 1 : -1;
      const double jump = delay + 1e-3 + 2e-3 * k;
      EXPECT_NEAR(bench.AdvanceTo(jump + 0.5e-3), sign, 1e-12) << k;
      EXPECT_NEAR(bench.AdvanceTo(jump + 1.5e-3), sign, 1e-12) << k;
    }
  }
}

// Without a hold: 100 edges within the delay, each 1/100 of it apart.
TEST(TransportDelay, KeepsEdgesOfSourcesInQuickSuccession) {
  Bench bench(Source(Waveform::PulseTrain(4e-3, 2e-3, 1, -1, 1e-3)), 0.2);
  for (int k = 0; k < 150; ++k) {
    const double sign = k % 2 == 0 ? 1 : -1;
    const double edge = 0.201 + 2e-3 * k;
    EXPECT_NEAR(bench.AdvanceTo(edge + 1e-6), sign, 1e-12) << k;
    EXPECT_NEAR(bench.AdvanceTo(edge + 2e-3 - 1e-6), sign, 1e-12) << k;
  }
}

// A jump of a moving signal: y is the sine before, and a line after.
TEST(TransportDelay, KeepsTheValueBeforeAJump) {
  DiagramBuilder<double> builder;
  auto* sine = builder.AddSystem<Sine<double>>(1, 5, 0, 1);
  auto* step =
      builder.AddSystem<WaveformSource<double>>(Waveform::Step(0.31, 0, 1e-3));
  auto* sum = builder.AddSystem<Adder<double>>(2, 1);
  auto* delay = builder.AddSystem<TransportDelay<double>>(0.2);
  auto* x = builder.AddSystem<Integrator<double>>(1);
  builder.Connect(sine->get_output_port(0), sum->get_input_port(0));
  builder.Connect(step->get_output_port(), sum->get_input_port(1));
  builder.Cascade(*sum, *delay);
  builder.Cascade(*delay, *x);
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  for (double t = 0.4; t < 0.6; t += 0.0017) {
    simulator.AdvanceTo(t);
    const double s = t - 0.2;
    EXPECT_NEAR(delay->get_output_port().Eval(
                    delay->GetMyContextFromRoot(simulator.get_context()))[0],
                std::sin(5 * s) + (s < 0.31 ? 0 : 1e-3), 1e-7)
        << t;
  }
}

TEST(TransportDelay, KeepsTheKinkOfARamp) {
  // The second kink is at a multiple of 1/16 of the delay.
  for (const double kink : {0.43, 0.4375}) {
    Bench bench(Source(Waveform::Ramp(kink, 2)), 0.25);
    EXPECT_EQ(bench.AdvanceTo(kink + 0.24), 0);
    EXPECT_NEAR(bench.AdvanceTo(kink + 0.255), 0.01, 1e-12);
    EXPECT_NEAR(bench.AdvanceTo(kink + 0.57), 0.64, 1e-12);
  }
}

TEST(TransportDelay, RefusesMoreJumpsThanItCanHold) {
  Bench bench(Source(Waveform::Square(1, 250)), 1, 1e-3);
  EXPECT_THROWS_MESSAGE(bench.AdvanceTo(1), std::runtime_error,
                        "needs more than 512 samples");
}

TEST(TransportDelay, ResumesBitForBit) {
  const auto diagram = MakeDelayEquation();
  const auto start = [&](Simulator<double>* simulator) {
    simulator->get_mutable_context().SetContinuousState(
        Eigen::VectorXd::Constant(1, 1.0));
  };
  Simulator<double> whole(*diagram);
  start(&whole);
  whole.AdvanceTo(1.37);
  std::stringstream saved;
  SaveSimulation(whole, &saved);
  Simulator<double> resumed(*diagram);
  LoadSimulation(&saved, &resumed);
  whole.AdvanceTo(4);
  resumed.AdvanceTo(4);
  EXPECT_EQ(resumed.get_context().get_continuous_state_vector()[0],
            whole.get_context().get_continuous_state_vector()[0]);
}

TEST(TransportDelay, KeepsItsHistoryInACopiedContext) {
  const auto diagram = MakeDelayEquation();
  Simulator<double> whole(*diagram);
  whole.get_mutable_context().SetContinuousState(
      Eigen::VectorXd::Constant(1, 1.0));
  whole.get_mutable_integrator().set_target_accuracy(1e-11);
  whole.AdvanceTo(1.37);
  Simulator<double> resumed(*diagram, whole.get_context().Clone());
  resumed.get_mutable_integrator().set_target_accuracy(1e-11);
  whole.AdvanceTo(4);
  resumed.AdvanceTo(4);
  EXPECT_NEAR(resumed.get_context().get_continuous_state_vector()[0],
              whole.get_context().get_continuous_state_vector()[0], 1e-7);
  // A run that begins again at time 0 forgets it: y is 1 for one delay.
  resumed.get_mutable_context().SetTime(0);
  resumed.get_mutable_context().SetContinuousState(
      Eigen::VectorXd::Constant(1, 1.0));
  resumed.Initialize();
  resumed.AdvanceTo(0.5);
  EXPECT_NEAR(resumed.get_context().get_continuous_state_vector()[0], 0.5,
              1e-10);
}

TEST(TransportDelay, StepsAllocateNothing) {
  if (!::wyvern::test::AllocationGuard::is_active())
    GTEST_SKIP() << "malloc is not counted";
  Bench bench(std::make_unique<Sine<double>>(1, 3, 0.4, 1), 0.35);
  bench.simulator().AdvanceTo(1);
  const ::wyvern::test::AllocationGuard guard;
  bench.simulator().AdvanceTo(3);
  EXPECT_EQ(guard.count(), 0);
}

TEST(TransportDelay, RefusesBadArguments) {
  EXPECT_THROWS_MESSAGE(TransportDelay<double>(-1), std::logic_error,
                        "delay is -1");
  EXPECT_THROWS_MESSAGE(TransportDelay<double>(NAN), std::logic_error,
                        "delay is nan");
  EXPECT_THROWS_MESSAGE(TransportDelay<double>(1, 0), std::logic_error,
                        "size is 0");
  EXPECT_THROWS_MESSAGE(TransportDelay<double>(1, 1, INFINITY),
                        std::logic_error, "initial_output is inf");
}

}  // namespace transport_delay_test
}  // namespace wyvern::systems
