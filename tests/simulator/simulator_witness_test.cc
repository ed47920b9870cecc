#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/integrators/explicit_euler_integrator.h"
#include "wyvern/simulator/integrators/runge_kutta3_integrator.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"

// Zero crossings: a ball that falls at 10 m/s^2 and bounces, and clocks.

namespace wyvern::systems {
namespace {

constexpr double kG = 10;

/** From height 5 m, at rest, it first hits the ground after 1 s. */
class Ball final : public LeafSystem<double> {
 public:
  Ball() {
    DeclareContinuousState(BasicVector<double>(Eigen::Vector2d(5, 0)), 1, 1, 0);
    impact_ = MakeWitnessFunction(
        "height", WitnessFunctionDirection::kPositiveThenNonPositive,
        &Ball::CalcHeight,
        UnrestrictedUpdateEvent<double>(
            [this](const Context<double>& context,
                   const UnrestrictedUpdateEvent<double>& event,
                   State<double>* state) {
              times_.push_back(context.get_time());
              heights_.push_back(CalcHeight(context));
              data_ =
                  *event.get_event_data<WitnessTriggeredEventData<double>>();
              VectorBase<double>& x =
                  state->get_mutable_continuous_state().get_mutable_vector();
              x[0] = 0;
              x[1] = -x[1];
            }));
  }
  const std::vector<double>& times() const { return times_; }
  const std::vector<double>& heights() const { return heights_; }
  const WitnessTriggeredEventData<double>& data() const { return data_; }
  const WitnessFunction<double>& impact() const { return *impact_; }

 private:
  double CalcHeight(const Context<double>& context) const {
    return context.get_continuous_state_vector()[0];
  }
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    xdot->get_mutable_vector()[0] = context.get_continuous_state_vector()[1];
    xdot->get_mutable_vector()[1] = -kG;
  }
  void DoGetWitnessFunctions(
      const Context<double>&,
      std::vector<const WitnessFunction<double>*>* w) const final {
    w->push_back(impact_.get());
  }
  std::unique_ptr<WitnessFunction<double>> impact_;
  mutable std::vector<double> times_;
  mutable std::vector<double> heights_;
  mutable WitnessTriggeredEventData<double> data_;
};

/** No state but the clock: publishes when t passes each of the moments. */
class Alarm final : public LeafSystem<double> {
 public:
  Alarm(std::vector<double> moments, WitnessFunctionDirection direction,
        double sign = 1) {
    for (const double moment : moments) {
      witnesses_.push_back(MakeWitnessFunction(
          "alarm", direction,
          [moment, sign](const Context<double>& context) {
            return sign * (context.get_time() - moment);
          },
          PublishEvent<double>([this](const Context<double>& context,
                                      const PublishEvent<double>&) {
            times_.push_back(context.get_time());
          })));
    }
  }
  const std::vector<double>& times() const { return times_; }

 private:
  void DoGetWitnessFunctions(
      const Context<double>&,
      std::vector<const WitnessFunction<double>*>* w) const final {
    for (const auto& witness : witnesses_) w->push_back(witness.get());
  }
  std::vector<std::unique_ptr<WitnessFunction<double>>> witnesses_;
  mutable std::vector<double> times_;
};

TEST(SimulatorWitness, BouncesAtTheTimesThatTheParabolasGive) {
  const Ball ball;
  Simulator<double> simulator(ball);
  simulator.get_mutable_integrator().set_target_accuracy(1e-8);
  simulator.AdvanceTo(6);
  const double window = *simulator.GetCurrentWitnessTimeIsolation();
  EXPECT_NEAR(window, 0.01 * 1e-8 * 0.1, 1e-20);
  // The first fall takes 1 s and every flight after it 2 s.
  ASSERT_EQ(ball.times().size(), 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(ball.times()[i], 1 + 2 * i, 10 * window);
    // Caught after the crossing, not before, and no later than the window.
    EXPECT_LE(ball.heights()[i], 0);
    EXPECT_GE(ball.heights()[i], -10 * window);
  }
}

TEST(SimulatorWitness, TheEventKnowsItsBracket) {
  const Ball ball;
  Simulator<double> simulator(ball);
  simulator.AdvanceTo(1.5);
  EXPECT_EQ(ball.data().triggered_witness(), &ball.impact());
  EXPECT_EQ(ball.data().tf(), ball.times()[0]);
  EXPECT_LE(ball.data().tf() - ball.data().t0(),
            *simulator.GetCurrentWitnessTimeIsolation());
  EXPECT_GT(ball.data().xc0()->get_vector()[0], 0);
}

TEST(SimulatorWitness, WithoutAccuracyTheEndOfTheStepMustDo) {
  const Ball ball;
  Simulator<double> simulator(ball);
  simulator.reset_integrator<ExplicitEulerIntegrator<double>>(0.07);
  EXPECT_FALSE(simulator.GetCurrentWitnessTimeIsolation().has_value());
  simulator.AdvanceTo(1.5);
  ASSERT_EQ(ball.times().size(), 1);
  const double steps = ball.times()[0] / 0.07;
  EXPECT_NEAR(steps, std::round(steps), 1e-9);
  // The Context's accuracy turns isolation on for fixed steps too.
  simulator.get_mutable_context().SetAccuracy(1e-3);
  EXPECT_NEAR(*simulator.GetCurrentWitnessTimeIsolation(), 0.07e-5, 1e-18);
  // Without a maximum step, a second stands for it.
  auto& free = simulator.reset_integrator<RungeKutta3Integrator<double>>();
  free.request_initial_step_size_target(1e-3);
  simulator.AdvanceTo(simulator.get_context().get_time() + 0.1);
  EXPECT_NEAR(*simulator.GetCurrentWitnessTimeIsolation(), 1e-5, 1e-18);
}

TEST(SimulatorWitness, DenseOutputEndsWhereTheStepWasCut) {
  const Ball ball;
  Simulator<double> simulator(ball);
  simulator.Initialize();
  simulator.get_mutable_integrator().StartDenseIntegration();
  simulator.AdvanceTo(2);
  const auto output = simulator.get_mutable_integrator().StopDenseIntegration();
  EXPECT_EQ(output->end_time(), 2);
  for (double t = 0; t < 2; t += 0.1) {
    const double s = t < 1 ? t : 2 - t;
    EXPECT_NEAR(output->scalarValue(t, 0), 5 - kG / 2 * s * s, 1e-5);
  }
}

TEST(SimulatorWitness, WatchesAClockWithoutContinuousState) {
  const Alarm alarm({0.3, 1.7}, WitnessFunctionDirection::kCrossesZero);
  Simulator<double> simulator(alarm);
  simulator.AdvanceTo(2);
  const double window = *simulator.GetCurrentWitnessTimeIsolation();
  ASSERT_EQ(alarm.times().size(), 2);
  EXPECT_NEAR(alarm.times()[0], 0.3, window);
  EXPECT_NEAR(alarm.times()[1], 1.7, window);
  EXPECT_EQ(simulator.get_context().get_time(), 2);
}

TEST(SimulatorWitness, TheEarliestOfSeveralComesFirst) {
  const Alarm alarm({0.9, 0.5, 0.50001, 0.1},
                    WitnessFunctionDirection::kCrossesZero);
  Simulator<double> simulator(alarm);
  simulator.AdvanceTo(1);
  ASSERT_EQ(alarm.times().size(), 4);
  const std::vector<double> expected{0.1, 0.5, 0.50001, 0.9};
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(alarm.times()[i], expected[i], 1e-6);
  }
}

TEST(SimulatorWitness, OnlyTheDirectionAskedForTriggers) {
  using Direction = WitnessFunctionDirection;
  const auto count = [](Direction direction, double sign) {
    const Alarm alarm({0.5}, direction, sign);
    Simulator<double> simulator(alarm);
    simulator.AdvanceTo(1);
    return alarm.times().size();
  };
  EXPECT_EQ(count(Direction::kNegativeThenNonNegative, 1), 1);
  EXPECT_EQ(count(Direction::kNegativeThenNonNegative, -1), 0);
  EXPECT_EQ(count(Direction::kPositiveThenNonPositive, 1), 0);
  EXPECT_EQ(count(Direction::kPositiveThenNonPositive, -1), 1);
  EXPECT_EQ(count(Direction::kNone, 1), 0);
}

TEST(SimulatorWitness, ReachesIntoDiagrams) {
  DiagramBuilder<double> builder;
  const Ball* ball = builder.AddSystem<Ball>();
  const Alarm* alarm = builder.AddSystem<Alarm>(
      std::vector<double>{0.25}, WitnessFunctionDirection::kCrossesZero);
  Simulator<double> simulator(builder.Build());
  simulator.AdvanceTo(1.5);
  EXPECT_EQ(ball->times().size(), 1);
  EXPECT_EQ(alarm->times().size(), 1);
}

TEST(SimulatorWitness, ANanIsRefused) {
  class Bad final : public LeafSystem<double> {
   public:
    Bad()
        : witness_(MakeWitnessFunction(
              "riddle", WitnessFunctionDirection::kCrossesZero,
              [](const Context<double>& context) {
                return std::sqrt(1 - context.get_time());
              })) {}

   private:
    void DoGetWitnessFunctions(
        const Context<double>&,
        std::vector<const WitnessFunction<double>*>* w) const final {
      w->push_back(witness_.get());
    }
    std::unique_ptr<WitnessFunction<double>> witness_;
  };
  const Bad bad;
  Simulator<double> simulator(bad);
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(2), std::runtime_error,
                        "witness function 'riddle'");
}

}  // namespace
}  // namespace wyvern::systems
