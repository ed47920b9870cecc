/** @file
Laws of events: laws 3, 13 and 14 of this folder's README.
*/

#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/simulator/test_systems.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/trajectory_source.h"

namespace wyvern::systems {
namespace honest_events {

using std::numbers::pi;

// Counts the zero crossings of sin(2 pi 500 t + 0.1).
class CrossingCounter final : public LeafSystem<double> {
 public:
  CrossingCounter() {
    DeclareDiscreteState(1);
    crossing_ = MakeWitnessFunction(
        "crossing", WitnessFunctionDirection::kCrossesZero,
        [](const Context<double>& context) {
          return std::sin(2 * pi * 500 * context.get_time() + 0.1);
        },
        DiscreteUpdateEvent<double>([](const Context<double>& context,
                                       const DiscreteUpdateEvent<double>&,
                                       DiscreteValues<double>* x) {
          x->get_mutable_vector(0)[0] = context.get_discrete_state(0)[0] + 1;
        }));
  }

 private:
  void DoGetWitnessFunctions(
      const Context<double>&,
      std::vector<const WitnessFunction<double>*>* witnesses) const final {
    witnesses->push_back(crossing_.get());
  }
  std::unique_ptr<WitnessFunction<double>> crossing_;
};

// Counts over 10 s beside an oscillator, whose steps are long, or alone.
double CountCrossings(double accuracy, bool is_alone) {
  DiagramBuilder<double> builder;
  const auto* counter = builder.AddSystem<CrossingCounter>();
  if (!is_alone) builder.AddSystem<test::Oscillator<double>>();
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  simulator.get_mutable_context().SetAccuracy(accuracy);
  simulator.AdvanceTo(10);
  simulator.AdvancePendingEvents();
  return counter->GetMyContextFromRoot(simulator.get_context())
      .get_discrete_state(0)[0];
}

TEST(ACounterOfAFastSine, MissesNoCrossingAtAnyAccuracy) {
  // 10 s have 10,000 half periods of 1 ms.
  for (const double accuracy : {1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-9}) {
    EXPECT_EQ(CountCrossings(accuracy, true), 10'000) << accuracy;
    EXPECT_EQ(CountCrossings(accuracy, false), 10'000) << accuracy;
  }
}

// Falls from 1 m and keeps half of its speed in each bounce, so that infinitely
// many bounces end at (2/g)^(1/2) (1 + 2 (1/2 + 1/4 + ...)) = 3 (2/g)^(1/2).
class BouncingBall final : public LeafSystem<double> {
 public:
  BouncingBall() {
    DeclareContinuousState(BasicVector<double>(Eigen::Vector2d(1, 0)), 1, 1, 0);
    impact_ = MakeWitnessFunction(
        "impact", WitnessFunctionDirection::kPositiveThenNonPositive,
        [](const Context<double>& context) {
          return context.get_continuous_state_vector()[0];
        },
        UnrestrictedUpdateEvent<double>(
            [this](const Context<double>&,
                   const UnrestrictedUpdateEvent<double>&,
                   State<double>* state) {
              ++num_impacts;
              auto& x =
                  state->get_mutable_continuous_state().get_mutable_vector();
              x[0] = 0;
              x[1] = -0.5 * x[1];
            }));
  }
  mutable int num_impacts{};

 private:
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    xdot->get_mutable_vector()[0] = context.get_continuous_state_vector()[1];
    xdot->get_mutable_vector()[1] = -9.81;
  }
  void DoGetWitnessFunctions(
      const Context<double>&,
      std::vector<const WitnessFunction<double>*>* witnesses) const final {
    witnesses->push_back(impact_.get());
  }
  std::unique_ptr<WitnessFunction<double>> impact_;
};

TEST(InfinitelyManyEvents, EndWithBoundedWorkAndTheNameOfTheWitness) {
  const BouncingBall ball;
  Simulator<double> simulator(ball);
  simulator.get_mutable_context().SetAccuracy(1e-6);
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(3), std::runtime_error, "impact");
  EXPECT_LE(ball.num_impacts, 2000);
  EXPECT_NEAR(simulator.get_context().get_time(), 3 * std::sqrt(2 / 9.81),
              1e-3);
}

TEST(ANumberThatIsNotFinite, EndsTheRunWithItsPlaceAndTime) {
  multibody::test::CartPole model(0.001);
  model.plant.Finalize();
  DiagramBuilder<double> builder;
  // The second effort is 0 / 0 from 0.5 s on.
  class Source final : public LeafSystem<double> {
   public:
    Source() {
      DeclareVectorOutputPort(
          "effort", 2,
          [](const Context<double>& context, BasicVector<double>* effort) {
            const double t = context.get_time();
            effort->SetAtIndex(0, 1);
            effort->SetAtIndex(
                1, t < 0.5 ? 0 : std::numeric_limits<double>::quiet_NaN());
          },
          {time_ticket()});
    }
  };
  const auto* source = builder.AddNamedSystem<Source>("effort");
  auto* plant = builder.AddNamedSystem(
      "plant", std::shared_ptr<multibody::MultibodyPlant<double>>(
                   &model.plant, [](auto*) {}));
  builder.Connect(source->get_output_port(), plant->get_actuation_input_port());
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  std::string message;
  try {
    simulator.AdvanceTo(1);
  } catch (const std::exception& e) {
    message = e.what();
  }
  EXPECT_NE(message.find("::_::effort"), std::string::npos) << message;
  EXPECT_NE(message.find("element 1 of OutputPort[0] (effort)"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("time 0.5"), std::string::npos) << message;
}

}  // namespace honest_events
}  // namespace wyvern::systems
