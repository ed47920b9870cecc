#include "wyvern/systems/primitives/waveform_source.h"

#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/integrator.h"

namespace wyvern::systems {
namespace waveform_source_test {

constexpr double kInf = std::numeric_limits<double>::infinity();

double Just(double t, bool before) {
  return std::nextafter(t, before ? -kInf : kInf);
}

// The integral of a waveform until `end`, by a Simulator with default accuracy.
double Integrate(const Waveform& waveform, double end) {
  DiagramBuilder<double> builder;
  auto* source = builder.AddSystem<WaveformSource<double>>(waveform);
  auto* integrator = builder.AddSystem<Integrator<double>>(1);
  builder.Cascade(*source, *integrator);
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  simulator.AdvanceTo(end);
  return simulator.get_context().get_continuous_state_vector()[0];
}

TEST(Waveform, StepsAndPulsesHaveTheNewValueAtAnEdge) {
  const Waveform step = Waveform::Step(0.3, -1, 2);
  EXPECT_EQ(step.Calc(Just(0.3, true)), -1);
  EXPECT_EQ(step.Calc(0.3), 2);
  const Waveform pulse = Waveform::Pulse(1, 0.25, 5, 3);
  EXPECT_EQ(pulse.Calc(Just(1, true)), 3);
  EXPECT_EQ(pulse.Calc(1.0), 5);
  EXPECT_EQ(pulse.Calc(Just(1.25, true)), 5);
  EXPECT_EQ(pulse.Calc(1.25), 3);
}

TEST(Waveform, RampAndClockAreLines) {
  const Waveform ramp = Waveform::Ramp(2, 3, 7);
  EXPECT_EQ(ramp.Calc(1.0), 7);
  EXPECT_EQ(ramp.Calc(4.0), 13);
  EXPECT_EQ(ramp.CalcNextBreak(0), 2);
  EXPECT_EQ(Waveform::Clock().Calc(4.25), 4.25);
  EXPECT_EQ(Waveform::Clock().CalcNextBreak(0), kInf);
}

// Fourier: the first coefficient of each signal, by sums over whole periods.
TEST(Waveform, PeriodicSignalsHaveTheirFourierCoefficients) {
  const double pi = std::numbers::pi;
  const auto coefficient = [&](const Waveform& w, bool of_sine) {
    constexpr int kCount = 40000;
    double sum = 0;
    for (int i = 0; i < kCount; ++i) {
      const double t = 2.0 * (i + 0.5) / kCount;  // 4 periods
      const double angle = 2 * pi * 2 * t;
      sum += w.Calc(t) * (of_sine ? std::sin(angle) : std::cos(angle));
    }
    return 2 * sum / kCount;
  };
  EXPECT_NEAR(coefficient(Waveform::Square(3, 2), true), 3 * 4 / pi, 1e-6);
  EXPECT_NEAR(coefficient(Waveform::Sawtooth(3, 2), true), -3 * 2 / pi, 1e-6);
  EXPECT_NEAR(coefficient(Waveform::Triangle(3, 2), false), -3 * 8 / (pi * pi),
              1e-6);
}

TEST(Waveform, SequencesRepeatInBothDirections) {
  const Waveform w = Waveform::RepeatingSequence({1, 2, 4}, {0, 3, -1});
  for (int k = -2; k <= 2; ++k) {
    EXPECT_EQ(w.Calc(1.5 + 3 * k), 1.5);
    EXPECT_EQ(w.Calc(3.0 + 3 * k), 1);
    EXPECT_EQ(w.Calc(4.0 + 3 * k), 0);
    EXPECT_EQ(w.CalcNextBreak(1.5 + 3 * k), 2 + 3 * k);
    EXPECT_EQ(w.CalcNextBreak(2.0 + 3 * k), 4 + 3 * k);
  }
}

// A break and the jump of the value are at the same floating-point number, for
// periods that are none.
TEST(Waveform, BreaksAreWhereValuesJump) {
  const Waveform w = Waveform::PulseTrain(0.1, 0.03, 1, 0, 0.017);
  double t = -3;
  for (int i = 0; i < 2000; ++i) {
    const double next = w.CalcNextBreak(t);
    ASSERT_GT(next, t);
    ASSERT_NE(w.Calc(Just(next, true)), w.Calc(next)) << next;
    t = next;
  }
  EXPECT_NEAR(t, -3 + 2000 * 0.05, 0.1);
}

// The frequency is the derivative of the angle: at both ends and, exponential,
// the geometric mean in the middle.
TEST(Waveform, ChirpsHaveTheirFrequencies) {
  const double pi = std::numbers::pi;
  for (const bool is_exponential : {false, true}) {
    const Waveform w = Waveform::Chirp(1, 2, 8, 3, is_exponential);
    // y'' + omega^2 y = (angle'') cos(angle) gives omega where y' = 0; simpler:
    // (y')^2 / (1 - y^2) = omega^2.
    const auto frequency = [&](double t) {
      constexpr double kStep = 1e-5;
      const double y = w.Calc(t);
      const double slope =
          (w.Calc(t + kStep) - w.Calc(t - kStep)) / (2 * kStep);
      return std::abs(slope) / std::sqrt(1 - y * y) / (2 * pi);
    };
    EXPECT_NEAR(frequency(1e-4), 2, 2e-3);
    EXPECT_NEAR(frequency(1.501), is_exponential ? 4 : 5, 2e-2);
    EXPECT_NEAR(frequency(3.01), 8, 1e-3);
    EXPECT_EQ(w.Calc(-1.0), 0);
    EXPECT_EQ(w.CalcNextBreak(-1), 0);
    EXPECT_EQ(w.CalcNextBreak(0), 3);
  }
  // Equal frequencies are a sine, however they change.
  EXPECT_NEAR(Waveform::Chirp(2, 5, 5, 1, true).Calc(0.3),
              2 * std::sin(2 * pi * 1.5), 1e-12);
}

TEST(WaveformSource, PulsesOfAnyWidthAreIntegratedExactly) {
  EXPECT_NEAR(Integrate(Waveform::Pulse(0.3, 5e-4, 2), 1), 1e-3, 1e-15);
  EXPECT_NEAR(Integrate(Waveform::Step(0.3, 1, 4), 1), 0.3 + 4 * 0.7, 1e-14);
  EXPECT_NEAR(Integrate(Waveform::PulseTrain(0.1, 1e-5, 3), 1), 10 * 3e-5,
              1e-15);
  EXPECT_NEAR(Integrate(Waveform::Square(2, 10, 0.25), 1), 2 * -0.5, 1e-13);
  EXPECT_NEAR(Integrate(Waveform::Ramp(0.5, 4), 1), 0.5, 1e-14);
  EXPECT_NEAR(Integrate(Waveform::Sawtooth(1, 8), 1.0625), -0.03125, 1e-14);
}

TEST(WaveformSource, HasAnElementForEachWaveform) {
  const WaveformSource<double> source(
      {Waveform::Step(1, 0, 2), Waveform::Clock()});
  const auto context = source.CreateDefaultContext();
  context->SetTime(3);
  EXPECT_EQ(source.get_output_port().Eval(*context), Eigen::Vector2d(2, 3));
  EXPECT_EQ(source.CalcNextBreakTime(*context, 0), 1);
}

TEST(WaveformSource, DerivativeByTimeIsTheSlope) {
  const auto source =
      WaveformSource<double>(Waveform::Triangle(1, 1)).ToAutoDiffXd();
  const auto context = source->CreateDefaultContext();
  context->SetTime(AutoDiffXd(0.25, 1, 0));
  const AutoDiffXd& y = source->get_output_port().Eval(*context)[0];
  EXPECT_EQ(y.value(), 0);
  EXPECT_EQ(y.derivatives()[0], 4);
}

TEST(WaveformSource, StepsAllocateNothing) {
  DiagramBuilder<double> builder;
  auto* source = builder.AddSystem<WaveformSource<double>>(
      Waveform::PulseTrain(0.01, 0.003, 1));
  auto* integrator = builder.AddSystem<Integrator<double>>(1);
  builder.Cascade(*source, *integrator);
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  simulator.AdvanceTo(0.1);
  ::wyvern::test::AllocationGuard guard;
  simulator.AdvanceTo(1);
  EXPECT_EQ(guard.count(), 0);
}

TEST(Waveform, PiecesMakeTheSameSignals) {
  for (const Waveform& one :
       {Waveform::Pulse(0.3, 0.4, 2, -1), Waveform::Square(0.7, 3, 0.3),
        Waveform::Triangle(2, 0.7), Waveform::Ramp(0.2, 3, 1)}) {
    const Waveform other = Waveform::PiecewiseLinear(
        one.initial(), one.start(), one.period(), one.pieces());
    for (double t = -1; t < 2; t += 0.01) {
      EXPECT_EQ(one.Calc(t), other.Calc(t)) << t;
      EXPECT_EQ(one.CalcNextBreak(t), other.CalcNextBreak(t)) << t;
    }
  }
}

TEST(Waveform, RefusesPiecesOutOfOrder) {
  EXPECT_THROWS_MESSAGE(
      Waveform::PiecewiseLinear(0, 0, 0, {{1, 0, 0}, {0.5, 0, 0}}),
      std::logic_error, "pieces[1] starts at 0.5 s, before");
  EXPECT_THROWS_MESSAGE(Waveform::PiecewiseLinear(0, 0, 2, {{1, 0, 0}}),
                        std::logic_error, "no piece starts at time 0");
  EXPECT_THROWS_MESSAGE(Waveform::PiecewiseLinear(0, 0, -1, {}),
                        std::logic_error, "period is -1");
  EXPECT_THROWS_MESSAGE(Waveform::PiecewiseLinear(0, 0, 0, {{0, NAN, 0}}),
                        std::logic_error, "value is nan");
}

TEST(Waveform, RefusesBadArguments) {
  EXPECT_THROWS_MESSAGE(Waveform::Step(NAN, 0, 1), std::logic_error,
                        "Waveform::Step(): time is nan");
  EXPECT_THROWS_MESSAGE(Waveform::Pulse(0, -1, 1), std::logic_error,
                        "width is -1");
  EXPECT_THROWS_MESSAGE(Waveform::PulseTrain(1, 2, 1), std::logic_error,
                        "width is 2; it must be from 0 to 1");
  EXPECT_THROWS_MESSAGE(Waveform::PulseTrain(0, 0, 1), std::logic_error,
                        "period is 0");
  EXPECT_THROWS_MESSAGE(Waveform::Square(1, 0), std::logic_error,
                        "frequency is 0");
  EXPECT_THROWS_MESSAGE(Waveform::Triangle(INFINITY, 1), std::logic_error,
                        "amplitude is inf");
  EXPECT_THROWS_MESSAGE(Waveform::Chirp(1, 0, 1, 1, true), std::logic_error,
                        "start_frequency is 0");
  EXPECT_THROWS_MESSAGE(Waveform::RepeatingSequence({0, 1, 1}, {1, 2, 3}),
                        std::logic_error,
                        "times[1] = 1 is not before times[2]");
  EXPECT_THROWS_MESSAGE(Waveform::RepeatingSequence({0, 1}, {1}),
                        std::logic_error, "values has size 1");
  EXPECT_THROWS_MESSAGE(Waveform::RepeatingSequence({0}, {1}), std::logic_error,
                        "the number of times is 1");
  EXPECT_THROWS_MESSAGE(WaveformSource<double>(std::vector<Waveform>{}),
                        std::logic_error, "waveforms is empty");
  EXPECT_THROWS_MESSAGE(Waveform::Square(1, 1e9).Calc(1e9), std::runtime_error,
                        "too short to be told apart at time");
}

}  // namespace waveform_source_test
}  // namespace wyvern::systems
