#include "wyvern/simulator/simulator_serialization.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/stiff/implicit_euler_integrator.h"

// A simulation that is saved and loaded goes on with the same bits.

namespace wyvern::systems {
namespace simulator_serialization_test {

/** Van der Pol's oscillator with mu = 5, pushed by a force that is sampled at
two rates, one of them that of a counter. */
class Sampled final : public LeafSystem<double> {
 public:
  Sampled() {
    DeclareContinuousState(BasicVector<double>(Eigen::Vector2d(2, 0)), 1, 1, 0);
    DeclareDiscreteState(2);
    for (const double period : {0.07, 0.1}) {
      DeclarePeriodicEvent(
          period, 0.0,
          DiscreteUpdateEvent<double>([this](const Context<double>& context,
                                             const DiscreteUpdateEvent<double>&,
                                             DiscreteValues<double>* xd) {
            if (when_updating) when_updating();
            const Eigen::VectorXd& old = context.get_discrete_state(0).value();
            const double q = context.get_continuous_state_vector()[0];
            xd->get_mutable_vector(0)[0] = 0.3 * q + 0.1 * std::sin(old[1]);
            xd->get_mutable_vector(0)[1] = old[1] + 1;
          }));
    }
  }
  std::function<void()> when_updating;
  std::function<void()> when_stepping;

 private:
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    if (when_stepping) when_stepping();
    const VectorBase<double>& x = context.get_continuous_state_vector();
    xdot->get_mutable_vector()[0] = x[1];
    xdot->get_mutable_vector()[1] = 5 * (1 - x[0] * x[0]) * x[1] - x[0] +
                                    context.get_discrete_state(0)[0] +
                                    std::cos(3 * context.get_time());
  }
};

class SavedSimulation : public ::testing::TestWithParam<std::string> {
 protected:
  void Prepare(Simulator<double>* simulator) const {
    SimulatorConfig config;
    config.integration_scheme = GetParam();
    config.max_step_size = 0.01;
    config.accuracy = 1e-3;
    ApplySimulatorConfig(config, simulator);
  }
  Sampled system_;
};

Eigen::VectorXd GetState(const Simulator<double>& simulator) {
  Eigen::VectorXd x(4);
  x << simulator.get_context().get_continuous_state_vector().CopyToVector(),
      simulator.get_context().get_discrete_state(0).value();
  return x;
}

TEST_P(SavedSimulation, GoesOnWithTheSameBits) {
  // In the middle of a step, at ticks of either kind and both, beside one, and
  // at the start.
  for (const double pause : {0.2345, 0.14, 0.3, 0.7, 0.7 + 1e-16, 0.0}) {
    Simulator<double> whole(system_);
    Prepare(&whole);
    whole.AdvanceTo(pause);
    std::stringstream stream;
    SaveSimulation(whole, &stream);
    whole.AdvanceTo(0.9);
    whole.AdvanceTo(2);

    Simulator<double> resumed(system_);
    Prepare(&resumed);
    LoadSimulation(&stream, &resumed);
    EXPECT_EQ(resumed.get_context().get_time(), pause);
    resumed.AdvanceTo(0.9);
    resumed.AdvanceTo(2);
    EXPECT_EQ(GetState(resumed), GetState(whole)) << pause;
    EXPECT_EQ(resumed.get_integrator().get_ideal_next_step_size(),
              whole.get_integrator().get_ideal_next_step_size());
  }
}

TEST_P(SavedSimulation, CanBeSavedTimeAndAgain) {
  Simulator<double> whole(system_);
  Prepare(&whole);
  whole.AdvanceTo(1);
  std::string saved;
  for (int i = 0; i <= 30; ++i) {
    Simulator<double> next(system_);
    Prepare(&next);
    if (i > 0) {
      std::istringstream in(saved);
      LoadSimulation(&in, &next);
    }
    next.AdvanceTo(i == 30 ? 1 : i / 30.0);
    std::ostringstream out;
    SaveSimulation(next, &out);
    saved = out.str();
    if (i == 30) {
      EXPECT_EQ(GetState(next), GetState(whole));
    }
  }
}

TEST_P(SavedSimulation, CanBeSavedInTheMonitorAndInHandlers) {
  std::vector<std::string> saves;
  Simulator<double> whole(system_);
  Prepare(&whole);
  const auto save = [&] {
    std::ostringstream out;
    SaveSimulation(whole, &out);
    saves.push_back(out.str());
  };
  system_.when_updating = save;
  std::vector<double> times;
  whole.set_monitor([&](const Context<double>& context) {
    times.push_back(context.get_time());
    save();
    return EventStatus::DidNothing();
  });
  whole.AdvanceTo(0.123);
  whole.AdvanceTo(0.314);
  whole.AdvanceTo(0.5123);
  system_.when_updating = nullptr;
  EXPECT_GT(times.size(), 20u);
  for (const std::string& saved : saves) {
    Simulator<double> resumed(system_);
    Prepare(&resumed);
    std::istringstream in(saved);
    LoadSimulation(&in, &resumed);
    const double time = resumed.get_context().get_time();
    EXPECT_TRUE(std::find(times.begin(), times.end(), time) != times.end());
    resumed.AdvanceTo(0.5123);
    EXPECT_EQ(GetState(resumed), GetState(whole)) << "saved at " << time;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SavedSimulation,
                         ::testing::ValuesIn(GetIntegrationSchemes()),
                         [](const auto& suite) { return suite.param; });

/** A ball on a table: it falls at 10 m/s^2 and bounces off with half of its
speed, and one step in two it watches only where it goes down. */
class Bouncing final : public LeafSystem<double> {
 public:
  Bouncing() {
    DeclareContinuousState(BasicVector<double>(Eigen::Vector2d(1, 0)), 1, 1, 0);
    DeclareDiscreteState(1);
    top_ = MakeWitnessFunction(
        "speed", WitnessFunctionDirection::kPositiveThenNonPositive,
        [](const Context<double>& context) {
          return context.get_continuous_state_vector()[1];
        });
    impact_ = MakeWitnessFunction(
        "height", WitnessFunctionDirection::kPositiveThenNonPositive,
        [](const Context<double>& context) {
          return context.get_continuous_state_vector()[0];
        },
        UnrestrictedUpdateEvent<double>(
            [](const Context<double>& context,
               const UnrestrictedUpdateEvent<double>& event,
               State<double>* state) {
              const auto& data =
                  *event.get_event_data<WitnessTriggeredEventData<double>>();
              const VectorBase<double>& before = data.xc0()->get_vector();
              const VectorBase<double>& after = data.xcf()->get_vector();
              VectorBase<double>& x =
                  state->get_mutable_continuous_state().get_mutable_vector();
              x[0] = 0.5 * (before[0] - after[0]);
              x[1] = -0.25 * (before[1] + after[1]);
              state->get_mutable_discrete_state().get_mutable_vector(0)[0] =
                  context.get_time() + data.t0() - data.tf();
            }));
  }

 private:
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    const VectorBase<double>& x = context.get_continuous_state_vector();
    xdot->get_mutable_vector()[0] = x[1];
    xdot->get_mutable_vector()[1] = -10;
  }
  void DoGetWitnessFunctions(
      const Context<double>& context,
      std::vector<const WitnessFunction<double>*>* w) const final {
    if (context.get_continuous_state_vector()[1] > -1) w->push_back(top_.get());
    w->push_back(impact_.get());
  }
  std::unique_ptr<WitnessFunction<double>> top_;
  std::unique_ptr<WitnessFunction<double>> impact_;
};

TEST(SavedWitnesses, AreStillDueAfterLoading) {
  const Bouncing system;
  Simulator<double> whole(system);
  whole.AdvanceTo(1.2);
  // A save at every step; three are in the moment of an impact.
  std::vector<std::string> saves;
  Simulator<double> simulator(system);
  int num_below = 0;
  simulator.set_monitor([&](const Context<double>& context) {
    std::ostringstream out;
    SaveSimulation(simulator, &out);
    saves.push_back(out.str());
    if (context.get_continuous_state_vector()[0] <= 0) ++num_below;
    return EventStatus::DidNothing();
  });
  simulator.AdvanceTo(1.2);
  EXPECT_EQ(num_below, 3);
  for (const std::string& saved : saves) {
    Simulator<double> resumed(system);
    std::istringstream in(saved);
    LoadSimulation(&in, &resumed);
    resumed.AdvanceTo(1.2);
    for (const auto* other : {&simulator, &resumed}) {
      EXPECT_EQ(
          other->get_context().get_continuous_state_vector().CopyToVector(),
          whole.get_context().get_continuous_state_vector().CopyToVector());
      EXPECT_EQ(other->get_context().get_discrete_state(0)[0],
                whole.get_context().get_discrete_state(0)[0]);
    }
  }
}

// An error is small or not beside what a state has been. This one has risen
// from zero to 0.04 and decayed to 2e-5. It would take shorter steps from its
// present size, or from that at the start.
TEST(SavedScales, OfAStateThatHasDecayedAreThoseOfTheWholeRun) {
  const test::Ode<double> system(
      Eigen::VectorXd::Zero(1),
      [](double t, const Eigen::VectorXd& x) -> Eigen::VectorXd {
        return Eigen::VectorXd::Constant(1, 0.5 * std::exp(-6 * t) - 3 * x[0]);
      });
  Simulator<double> whole(system), resumed(system);
  whole.AdvanceTo(3);
  std::stringstream stream;
  SaveSimulation(whole, &stream);
  LoadSimulation(&stream, &resumed);
  for (Simulator<double>* simulator : {&whole, &resumed}) {
    simulator->AdvanceTo(3.5);
  }
  EXPECT_EQ(resumed.get_context().get_continuous_state_vector()[0],
            whole.get_context().get_continuous_state_vector()[0]);
}

class SavedSimulationErrors : public ::testing::Test {
 protected:
  std::string Save() {
    simulator_.AdvanceTo(0.123);
    std::ostringstream stream;
    SaveSimulation(simulator_, &stream);
    return stream.str();
  }
  Sampled system_;
  Simulator<double> simulator_{system_};
};

TEST_F(SavedSimulationErrors, WantsAnInitializedSimulatorAndAStream) {
  std::stringstream stream;
  EXPECT_THROWS_MESSAGE(SaveSimulation(simulator_, &stream), std::logic_error,
                        "not initialized");
  EXPECT_THROWS_MESSAGE(SaveSimulation(simulator_, nullptr), std::logic_error,
                        "stream is null");
  EXPECT_THROWS_MESSAGE(LoadSimulation(&stream, nullptr), std::logic_error,
                        "is null");
}

TEST_F(SavedSimulationErrors, WantsTheSameIntegratorAndSettings) {
  const std::string saved = Save();
  simulator_.get_mutable_integrator().set_target_accuracy(1e-5);
  std::istringstream one(saved);
  EXPECT_THROWS_MESSAGE(LoadSimulation(&one, &simulator_), std::runtime_error,
                        "accuracy 0.0001");
  simulator_.reset_integrator<ImplicitEulerIntegrator<double>>()
      .set_maximum_step_size(0.1);
  std::istringstream two(saved);
  EXPECT_THROWS_MESSAGE(LoadSimulation(&two, &simulator_), std::runtime_error,
                        "is to be loaded with");
}

TEST_F(SavedSimulationErrors, SettingsOfImplicitMethodsCountToo) {
  auto& euler = simulator_.reset_integrator<ImplicitEulerIntegrator<double>>();
  euler.set_maximum_step_size(0.1);
  const std::string saved = Save();
  euler.set_reuse(false);
  std::istringstream stream(saved);
  EXPECT_THROWS_MESSAGE(LoadSimulation(&stream, &simulator_),
                        std::runtime_error, "no reuse");
}

TEST_F(SavedSimulationErrors, RefusesATruncatedOrForeignStream) {
  const std::string saved = Save();
  for (size_t n = 0; n < saved.size(); n += 7) {
    std::istringstream stream(saved.substr(0, n));
    EXPECT_THROW(LoadSimulation(&stream, &simulator_), std::runtime_error) << n;
  }
  std::istringstream foreign(std::string(1000, 'x'));
  EXPECT_THROW(LoadSimulation(&foreign, &simulator_), std::runtime_error);
  // It is still good for a new start.
  simulator_.Initialize();
  simulator_.AdvanceTo(1);
}

TEST_F(SavedSimulationErrors, RefusesEveryChangeOfOneByte) {
  const std::string saved = Save();
  for (size_t n = 0; n < saved.size(); ++n) {
    for (const int change : {1, 0x80, 0xff}) {
      std::string bad = saved;
      bad[n] = static_cast<char>(bad[n] ^ change);
      std::istringstream stream(bad);
      EXPECT_THROWS_MESSAGE(LoadSimulation(&stream, &simulator_),
                            std::runtime_error, "LoadSimulation(): the ");
    }
  }
  // None of them was taken for anything.
  simulator_.AdvanceTo(0.2);
}

TEST_F(SavedSimulationErrors, ThereIsNothingToSaveInTheMiddleOfAStep) {
  std::ostringstream stream;
  system_.when_stepping = [&] { SaveSimulation(simulator_, &stream); };
  simulator_.Initialize();
  EXPECT_THROWS_MESSAGE(simulator_.AdvanceTo(0.1), std::logic_error,
                        "in the middle of a step, after time 0");
  system_.when_stepping = nullptr;
  simulator_.AdvanceTo(0.1);
  SaveSimulation(simulator_, &stream);
}

TEST_F(SavedSimulationErrors, ATimeThatSomebodySetIsNotTheSimulations) {
  simulator_.AdvanceTo(0.1);
  simulator_.get_mutable_context().SetTime(0.2);
  std::ostringstream stream;
  EXPECT_THROWS_MESSAGE(SaveSimulation(simulator_, &stream), std::logic_error,
                        "time is 0.2, but the simulation had reached 0.1");
}

TEST_F(SavedSimulationErrors, LoadingWithinAdvanceToIsRefused) {
  const std::string saved = Save();
  const auto load = [&](const Context<double>&) {
    std::istringstream stream(saved);
    LoadSimulation(&stream, &simulator_);
    return EventStatus::DidNothing();
  };
  simulator_.set_monitor(load);
  EXPECT_THROWS_MESSAGE(
      simulator_.AdvanceTo(1), std::logic_error,
      "LoadSimulation(): called within Simulator::AdvanceTo()");
  simulator_.clear_monitor();
  load(simulator_.get_context());
  EXPECT_EQ(simulator_.get_context().get_time(), 0.123);
}

TEST_F(SavedSimulationErrors, AStreamThatFailsIsRefused) {
  simulator_.AdvanceTo(0.1);
  std::ostringstream stream;
  stream.setstate(std::ios::failbit);
  EXPECT_THROWS_MESSAGE(SaveSimulation(simulator_, &stream), std::runtime_error,
                        "the stream cannot be written");
}

TEST_F(SavedSimulationErrors, AMonitorThatFailsAtTheStartLeavesNothing) {
  simulator_.set_monitor(
      [](const Context<double>&) -> EventStatus { throw 1; });
  EXPECT_THROW(simulator_.Initialize(), int);
  std::ostringstream stream;
  EXPECT_THROWS_MESSAGE(SaveSimulation(simulator_, &stream), std::logic_error,
                        "not initialized");
}

TEST_F(SavedSimulationErrors, RefusesAnotherSystem) {
  const std::string saved = Save();
  const test::Oscillator<double> other;
  Simulator<double> simulator(other);
  std::istringstream stream(saved);
  EXPECT_THROW(LoadSimulation(&stream, &simulator), std::runtime_error);
}

}  // namespace simulator_serialization_test
}  // namespace wyvern::systems
