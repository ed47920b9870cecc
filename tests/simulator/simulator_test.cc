#include "wyvern/simulator/simulator.h"

#include <cmath>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/integrators/explicit_euler_integrator.h"
#include "wyvern/simulator/integrators/runge_kutta2_integrator.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::systems {
namespace {

using test::Counters;
using test::Diary;
using test::Oscillator;

TEST(Simulator, StartsWithADefaultContextAndRungeKutta3) {
  const Oscillator<double> system;
  Simulator<double> simulator(system);
  EXPECT_EQ(simulator.get_context().get_time(), 0.0);
  EXPECT_EQ(&simulator.get_system(), &system);
  EXPECT_EQ(simulator.get_integrator().get_target_accuracy(), 1e-4);
  EXPECT_EQ(simulator.get_integrator().get_maximum_step_size(), 0.1);
  EXPECT_EQ(simulator.get_integrator().get_error_estimate_order(), 3);
}

TEST(Simulator, ReachesTheBoundaryTimeExactly) {
  const Oscillator<double> system;
  Simulator<double> simulator(system);
  const SimulatorStatus status = simulator.AdvanceTo(1.0);
  EXPECT_TRUE(status.succeeded());
  EXPECT_EQ(status.return_time(), 1.0);
  EXPECT_EQ(simulator.get_context().get_time(), 1.0);
  // The accuracy asked for is per step of at most 0.1 s.
  EXPECT_NEAR(simulator.get_context().get_continuous_state_vector()[0],
              std::cos(1.0), 1e-3);
}

TEST(Simulator, AdvancesAutoDiffWithDerivatives) {
  const Oscillator<AutoDiffXd> system;
  Simulator<AutoDiffXd> simulator(system);
  simulator.get_mutable_integrator().set_target_accuracy(1e-9);
  simulator.get_mutable_context().get_mutable_continuous_state_vector()[0] =
      AutoDiffXd(1.0, Eigen::VectorXd::Ones(1));
  simulator.AdvanceTo(1.0);
  const AutoDiffXd q = simulator.get_context().get_continuous_state_vector()[0];
  EXPECT_NEAR(q.value(), std::cos(1.0), 1e-7);
  EXPECT_NEAR(q.derivatives()[0], std::cos(1.0), 1e-7);
}

TEST(Simulator, OwnsTheSystemIfGivenIt) {
  Simulator<double> simulator(std::make_unique<Oscillator<double>>());
  simulator.AdvanceTo(0.1);
  EXPECT_EQ(simulator.get_context().get_time(), 0.1);
}

TEST(Simulator, RefusesANullSystemAndAForeignContext) {
  EXPECT_THROWS_MESSAGE(
      Simulator<double>(std::unique_ptr<const System<double>>()),
      std::logic_error, "null");
  const Oscillator<double> a;
  const Oscillator<double> b;
  EXPECT_THROW(Simulator<double>(a, b.CreateDefaultContext()),
               std::logic_error);
}

TEST(Simulator, ReleasesAndTakesContexts) {
  const Oscillator<double> system;
  Simulator<double> simulator(system);
  auto context = simulator.release_context();
  EXPECT_FALSE(simulator.has_context());
  EXPECT_THROWS_MESSAGE(simulator.get_context(), std::logic_error,
                        "no Context");
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(1), std::logic_error, "no Context");
  context->SetTime(3);
  simulator.reset_context(std::move(context));
  simulator.AdvanceTo(4);
  EXPECT_EQ(simulator.get_context().get_time(), 4);
}

// Drake 1.51 gives the same order for the same declarations.
TEST(Simulator, InitializeHandlesUpdatesThenPublishesAllThatIsDue) {
  Diary diary;
  diary.AddPerStep();
  diary.AddInitialization();
  diary.AddPeriodic(0.5, 0);
  Simulator<double> simulator(diary);
  simulator.Initialize();
  EXPECT_EQ(diary.sequence(), "ui di pi ps pt ");
  EXPECT_EQ(simulator.get_num_publishes(), 1);
  EXPECT_EQ(simulator.get_num_discrete_updates(), 1);
  EXPECT_EQ(simulator.get_num_steps_taken(), 0);
}

TEST(Simulator, UpdatesUnrestrictedThenDiscreteThenMovesThenPublishes) {
  Diary diary;
  diary.AddPerStep();
  diary.AddPeriodic(0.5, 0);
  Simulator<double> simulator(diary);
  simulator.Initialize();
  diary.clear();
  simulator.AdvanceTo(0.5);
  EXPECT_EQ(diary.sequence(), "us ut ds dt ps pt ");
  EXPECT_EQ(diary.entries().front().time, 0.0);
  EXPECT_EQ(diary.entries().back().time, 0.5);
}

TEST(Simulator, InitializationEventsCanBeSuppressed) {
  Diary diary;
  diary.AddInitialization();
  diary.AddPerStep();
  Simulator<double> simulator(diary);
  simulator.Initialize({.suppress_initialization_events = true});
  EXPECT_EQ(diary.sequence(), "ps ");
}

TEST(Simulator, PublishesNothingAfterAnInitializationThatEndsIt) {
  Diary diary;
  diary.AddInitialization();
  diary.AddPerStep();
  diary.SetStatus(0, EventStatus::ReachedTermination(&diary, "no paper"));
  Simulator<double> simulator(diary);
  int num_monitored = 0;
  simulator.set_monitor([&](const Context<double>&) {
    ++num_monitored;
    return EventStatus::DidNothing();
  });
  const SimulatorStatus status = simulator.Initialize();
  EXPECT_EQ(status.message(), "no paper");
  EXPECT_EQ(diary.sequence(), "ui di ");
  EXPECT_EQ(simulator.get_num_publishes(), 0);
  EXPECT_EQ(num_monitored, 0);
}

class FailingPublisher final : public LeafSystem<double> {
 public:
  FailingPublisher() {
    DeclarePeriodicPublishEvent(1, 0, &FailingPublisher::Fail);
  }

 private:
  EventStatus Fail(const Context<double>&) const {
    return EventStatus::Failed(this, "no ink");
  }
};

TEST(Simulator, AFailedPublishIsNotCounted) {
  const FailingPublisher system;
  Simulator<double> simulator(system);
  EXPECT_THROWS_MESSAGE(simulator.Initialize(), std::runtime_error, "no ink");
  EXPECT_EQ(simulator.get_num_publishes(), 0);
}

/** Asks for one update, now. */
class NowAndThen final : public LeafSystem<double> {
 public:
  NowAndThen() { DeclareDiscreteState(1); }

 private:
  void DoCalcNextUpdateTime(const Context<double>& context,
                            CompositeEventCollection<double>* events,
                            double* time) const final {
    *time = std::numeric_limits<double>::infinity();
    if (context.get_discrete_state(0)[0] > 0) return;
    *time = context.get_time();
    DiscreteUpdateEvent<double>(
        TriggerType::kTimed,
        [](const Context<double>&, const DiscreteUpdateEvent<double>&,
           DiscreteValues<double>* xd) { xd->get_mutable_vector(0)[0] = 1; })
        .AddToComposite(events);
  }
};

TEST(Simulator, AnEventNowHidesNoneThatIsDueNow) {
  for (const double start : {0.0, 0.5, -0.5}) {
    for (const bool now_comes_first : {true, false}) {
      DiagramBuilder<double> builder;
      if (now_comes_first) builder.AddSystem<NowAndThen>()->set_name("now");
      auto* diary = builder.AddSystem<Diary>();
      diary->AddPeriodic(0.5, 0);
      diary->AddPeriodicDiscrete(2, 0.5, "d2");
      if (!now_comes_first) builder.AddSystem<NowAndThen>()->set_name("now");
      const auto diagram = builder.Build();
      Simulator<double> simulator(*diagram);
      simulator.get_mutable_context().SetTime(start);
      simulator.AdvanceTo(start + 0.25);
      EXPECT_EQ(diagram
                    ->GetSubsystemContext(diagram->GetSubsystemByName("now"),
                                          simulator.get_context())
                    .get_discrete_state(0)[0],
                1);
      const std::string wanted = start < 0      ? ""
                                 : start == 0.0 ? "pt ut dt "
                                                : "pt ut dt d2 ";
      EXPECT_EQ(diary->sequence(), wanted);
    }
  }
}

TEST(Simulator, AdvancePendingEventsUpdatesOnceAndDoesNotMove) {
  Diary diary;
  diary.AddPeriodic(0.5, 0);
  Simulator<double> simulator(diary);
  simulator.AdvanceTo(0.5);
  diary.clear();
  simulator.AdvancePendingEvents();
  EXPECT_EQ(diary.sequence(), "ut dt ");
  simulator.AdvancePendingEvents();
  simulator.AdvanceTo(0.75);
  EXPECT_EQ(diary.sequence(), "ut dt ");
}

TEST(Simulator, PerStepUpdatesHappenOncePerMoment) {
  Diary diary;
  diary.AddPerStep();
  Simulator<double> simulator(diary);
  simulator.Initialize();
  simulator.AdvancePendingEvents();
  simulator.AdvancePendingEvents();
  simulator.AdvanceTo(1);
  EXPECT_EQ(diary.times("ds"), (std::vector<double>{0}));
}

TEST(Simulator, TicksLieExactlyOnTheGrid) {
  Diary diary(1);
  diary.AddPeriodicDiscrete(1.0 / 60, 0.003, "d");
  Simulator<double> simulator(diary);
  simulator.AdvanceTo(2.0);
  const std::vector<double> times = diary.times("d");
  ASSERT_EQ(times.size(), 120);
  for (int k = 0; k < 120; ++k) EXPECT_EQ(times[k], 0.003 + k * (1.0 / 60));
}

TEST(Simulator, AShortOffsetOfALongPeriodIsNotLost) {
  Diary system;
  system.AddPeriodicDiscrete(1e6, 1e-10, "d");
  Simulator<double> simulator(system);
  simulator.AdvanceTo(2.5e6);
  EXPECT_EQ(system.times("d"),
            (std::vector<double>{1e-10, 1e6 + 1e-10, 2e6 + 1e-10}));
}

TEST(Simulator, PublishesAtTheBoundaryAndUpdatesAfterIt) {
  Diary system;
  system.AddPeriodic(0.25, 0.25);
  Simulator<double> simulator(system);
  simulator.AdvanceTo(0.25);
  EXPECT_EQ(system.sequence(), "pt ");
  simulator.AdvanceTo(0.5);
  EXPECT_EQ(system.sequence(), "pt ut dt pt ");
  EXPECT_EQ(system.times("ut"), std::vector<double>{0.25});
}

TEST(Simulator, ATickAtTheStartFires) {
  Diary diary;
  diary.AddPeriodicDiscrete(0.01, 0, "d");
  Simulator<double> simulator(diary);
  simulator.get_mutable_context().SetTime(0.07);
  simulator.AdvanceTo(0.085);
  EXPECT_EQ(diary.times("d"), (std::vector<double>{0.07, 0.08}));
}

TEST(Simulator, SimultaneousRatesMakeNoStepsOfRoundingSize) {
  Diary diary(1);
  diary.AddPeriodicPublish(1.0 / 200, 0, "p200");
  diary.AddPeriodicPublish(1.0 / 60, 0, "p60");
  diary.AddPerStep();
  Simulator<double> simulator(diary);
  simulator.AdvanceTo(30.0);
  const std::vector<double> times = diary.times("ps");
  double shortest = 1;
  for (size_t i = 1; i < times.size(); ++i) {
    shortest = std::min(shortest, times[i] - times[i - 1]);
  }
  // The two grids coincide, or are 1/600 s apart at least.
  EXPECT_GT(shortest, 1.0 / 601);
  EXPECT_EQ(diary.times("p200").size(), 6001);
  EXPECT_EQ(diary.times("p60").size(), 1801);
}

TEST(Simulator, TenMillionTicksAreNeitherLostNorDoubled) {
  const Counters system(1.0 / 200, 1.0 / 60);
  Simulator<double> simulator(system);
  const double end = 40'000;  // 8e6 + 2.4e6 ticks, those at the end pending.
  simulator.AdvanceTo(end);
  const auto& xd = simulator.get_context().get_discrete_state(0);
  EXPECT_EQ(xd[0], 200 * end);
  EXPECT_EQ(xd[1], 60 * end);
  // A moment in 20 of the fast rate and in 6 of the slow one is common.
  EXPECT_EQ(simulator.get_num_discrete_updates(), (200 + 60 - 20) * end);
}

TEST(Simulator, BoundariesOnTicksUpToRoundingLoseNone) {
  const Counters system(0.1, 0.3);
  Simulator<double> simulator(system);
  double t = 0;  // Accumulates rounding errors, so falls beside the grid.
  for (int k = 0; k < 1000; ++k) simulator.AdvanceTo(t += 0.1);
  simulator.AdvancePendingEvents();
  EXPECT_NE(t, 100.0);
  const auto& xd = simulator.get_context().get_discrete_state(0);
  // t has strayed further than rounding of one operation from the grid, below
  // or above; either way there are as many ticks as multiples passed.
  const double below = t < 100.0 - 1e-13 ? 1 : 0;
  EXPECT_EQ(xd[0], 1001 - below);
  EXPECT_EQ(xd[1], 334);
}

TEST(Simulator, ATickBesideTheBoundaryKeepsItsOwnTime) {
  ASSERT_NE(3 * 0.1, 0.3);
  Diary diary;
  diary.AddPeriodicDiscrete(0.1, 0, "d");
  Simulator<double> simulator(diary);
  simulator.AdvanceTo(0.3);
  EXPECT_EQ(simulator.get_context().get_time(), 0.3);
  simulator.AdvanceTo(0.3);
  simulator.AdvanceTo(0.35);
  EXPECT_EQ(diary.times("d"), (std::vector<double>{0, 0.1, 0.2, 3 * 0.1}));
}

TEST(Simulator, RefusesABoundaryInThePast) {
  const Oscillator<double> system;
  Simulator<double> simulator(system);
  simulator.AdvanceTo(1.0);
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(0.5), std::logic_error,
                        "boundary time 0.5 is before the time 1");
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(std::nan("")), std::logic_error,
                        "boundary time nan");
}

TEST(Simulator, RefusesATimeThatSomebodyElseChanged) {
  const Oscillator<double> system;
  Simulator<double> simulator(system);
  simulator.AdvanceTo(1.0);
  simulator.get_mutable_context().SetTime(0.0);
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(2.0), std::logic_error,
                        "call Initialize() after setting the time");
  simulator.Initialize();
  simulator.AdvanceTo(0.5);
  EXPECT_EQ(simulator.get_context().get_time(), 0.5);
}

TEST(Simulator, RefusesForeverWithNothingToDo) {
  const Diary diary;
  Simulator<double> simulator(diary);
  EXPECT_THROWS_MESSAGE(
      simulator.AdvanceTo(std::numeric_limits<double>::infinity()),
      std::logic_error, "to step through");
}

TEST(Simulator, MonitorEndsTheSimulation) {
  const Oscillator<double> system;
  Simulator<double> simulator(system);
  simulator.set_monitor([&](const Context<double>& context) {
    return context.get_time() < 2
               ? EventStatus::DidNothing()
               : EventStatus::ReachedTermination(&system, "enough");
  });
  const SimulatorStatus status =
      simulator.AdvanceTo(std::numeric_limits<double>::infinity());
  EXPECT_EQ(status.reason(), SimulatorStatus::kReachedTerminationCondition);
  EXPECT_EQ(status.message(), "enough");
  EXPECT_EQ(status.system(), &system);
  EXPECT_GE(status.return_time(), 2);
  EXPECT_LT(status.return_time(), 2.1 + 1e-12);
  simulator.clear_monitor();
  EXPECT_FALSE(simulator.get_monitor());
  EXPECT_TRUE(simulator.AdvanceTo(3).succeeded());
}

TEST(Simulator, MonitorFailureThrows) {
  const Oscillator<double> system;
  Simulator<double> simulator(system);
  simulator.set_monitor([](const Context<double>&) {
    return EventStatus::Failed(nullptr, "smoke");
  });
  EXPECT_THROWS_MESSAGE(simulator.Initialize(), std::runtime_error, "smoke");
}

TEST(Simulator, AHandlerThatTerminatesStopsTimeAtItsMoment) {
  Diary diary;
  diary.AddPeriodic(0.25, 0);
  diary.SetStatus(0.5, EventStatus::ReachedTermination(&diary, "done"));
  Simulator<double> simulator(diary);
  const SimulatorStatus status = simulator.AdvanceTo(2);
  EXPECT_EQ(status.reason(), SimulatorStatus::kReachedTerminationCondition);
  EXPECT_EQ(status.return_time(), 0.5);
  EXPECT_EQ(simulator.get_context().get_time(), 0.5);
  EXPECT_EQ(diary.times("dt"), (std::vector<double>{0, 0.25, 0.5}));
}

TEST(Simulator, AHandlerThatFailsThrowsWithItsWords) {
  Diary diary;
  diary.set_name("clerk");
  diary.AddPeriodic(0.25, 0);
  diary.SetStatus(0.5, EventStatus::Failed(&diary, "out of ink"));
  Simulator<double> simulator(diary);
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(2), std::runtime_error, "clerk");
  EXPECT_EQ(simulator.get_context().get_time(), 0.5);
  // It is tried again.
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(2), std::runtime_error,
                        "out of ink");
}

TEST(Simulator, PublishesEveryTimeStepIfAsked) {
  Diary diary(1);
  Simulator<double> simulator(diary);
  simulator.reset_integrator<ExplicitEulerIntegrator<double>>(0.25);
  EXPECT_FALSE(simulator.get_publish_every_time_step());
  simulator.set_publish_every_time_step(true);
  simulator.set_publish_at_initialization(true);
  simulator.AdvanceTo(1);
  // Nothing is declared, so nothing counts.
  EXPECT_EQ(simulator.get_num_publishes(), 0);
  EXPECT_EQ(simulator.get_num_steps_taken(), 4);
}

TEST(Simulator, CountsStepsUpdatesAndPublishes) {
  Diary diary;
  diary.AddPeriodic(0.25, 0);
  Simulator<double> simulator(diary);
  simulator.AdvanceTo(1.1);
  EXPECT_EQ(simulator.get_num_steps_taken(), 5);
  EXPECT_EQ(simulator.get_num_discrete_updates(), 5);
  EXPECT_EQ(simulator.get_num_unrestricted_updates(), 5);
  EXPECT_EQ(simulator.get_num_publishes(), 5);
  simulator.ResetStatistics();
  EXPECT_EQ(simulator.get_num_steps_taken(), 0);
  EXPECT_EQ(simulator.get_num_publishes(), 0);
}

TEST(Simulator, SystemWithoutContinuousStateJumpsFromEventToEvent) {
  Diary diary;
  diary.AddPeriodic(10, 0);
  Simulator<double> simulator(diary);
  simulator.AdvanceTo(25);
  EXPECT_EQ(simulator.get_num_steps_taken(), 3);
  EXPECT_EQ(simulator.get_integrator().get_num_steps_taken(), 0);
}

TEST(Simulator, ReplacesTheIntegrator) {
  const Oscillator<double> system;
  Simulator<double> simulator(system);
  auto& integrator =
      simulator.reset_integrator<RungeKutta2Integrator<double>>(0.01);
  EXPECT_EQ(&simulator.get_integrator(), &integrator);
  simulator.AdvanceTo(1);
  EXPECT_EQ(integrator.get_num_steps_taken(), 100);
}

TEST(Simulator, RealtimeRateHoldsTimeBack) {
  const Oscillator<double> system;
  Simulator<double> simulator(system);
  EXPECT_THROWS_MESSAGE(simulator.set_target_realtime_rate(-1),
                        std::logic_error, "rate is -1; it must be 0 or more");
  simulator.set_target_realtime_rate(50);
  EXPECT_EQ(simulator.get_target_realtime_rate(), 50);
  simulator.AdvanceTo(1);
  // Never faster than asked; how much slower is up to the machine.
  EXPECT_LE(simulator.get_actual_realtime_rate(), 50);
  EXPECT_GT(simulator.get_actual_realtime_rate(), 0);
}

}  // namespace
}  // namespace wyvern::systems
