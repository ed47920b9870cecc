#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/integrators/runge_kutta2_integrator.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"

// A Simulator that is called from within, and Systems that never let it go on.

namespace wyvern::systems {
namespace simulator_misuse_test {

using test::Oscillator;

/** Calls `hook` in one of its functions. */
class Hooked final : public LeafSystem<double> {
 public:
  enum Where { kInit, kUnrestricted, kDiscrete, kPublish, kDerivatives };
  Hooked() {
    set_name("hooked");
    DeclareContinuousState(1);
    DeclareDiscreteState(1);
    DeclareInitializationPublishEvent(&Hooked::Init);
    DeclarePeriodicUnrestrictedUpdateEvent(0.1, 0.1, &Hooked::Unrestricted);
    DeclarePeriodicDiscreteUpdateEvent(0.1, 0.1, &Hooked::Discrete);
    DeclarePeriodicPublishEvent(0.1, 0.1, &Hooked::Publish);
  }
  std::function<void()> hook;
  Where where{kInit};

 private:
  void Call(Where here) const {
    if (here == where && hook) hook();
  }
  void Init(const Context<double>&) const { Call(kInit); }
  void Unrestricted(const Context<double>&, State<double>*) const {
    Call(kUnrestricted);
  }
  void Discrete(const Context<double>&, DiscreteValues<double>*) const {
    Call(kDiscrete);
  }
  void Publish(const Context<double>&) const { Call(kPublish); }
  void DoCalcTimeDerivatives(const Context<double>&,
                             ContinuousState<double>* xdot) const final {
    Call(kDerivatives);
    xdot->get_mutable_vector()[0] = 1;
  }
};

// Calls that must not be made from within a step, with their names.
using Call = std::pair<std::string, std::function<void(Simulator<double>*)>>;
std::vector<Call> Calls() {
  return {{"AdvanceTo", [](auto* s) { s->AdvanceTo(5); }},
          {"AdvanceTo", [](auto* s) { s->AdvancePendingEvents(); }},
          {"Initialize", [](auto* s) { s->Initialize(); }},
          {"release_context", [](auto* s) { s->release_context(); }},
          {"reset_context", [](auto* s) { s->reset_context(nullptr); }},
          {"reset_integrator", [](auto* s) {
             s->template reset_integrator<RungeKutta2Integrator<double>>(0.1);
           }}};
}

TEST(CallFromWithin, IsRefusedInAHandlerOrDerivative) {
  for (const auto& [name, call] : Calls()) {
    for (const auto where :
         {Hooked::kInit, Hooked::kUnrestricted, Hooked::kDiscrete,
          Hooked::kPublish, Hooked::kDerivatives}) {
      Hooked system;
      Simulator<double> simulator(system);
      system.where = where;
      system.hook = [&simulator, &f = call] { f(&simulator); };
      EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(0.25), std::logic_error,
                            "Simulator::" + name + "(): called within");
      // Nothing is lost.
      system.hook = nullptr;
      simulator.AdvanceTo(1);
      EXPECT_EQ(simulator.get_context().get_time(), 1);
      EXPECT_NEAR(simulator.get_context().get_continuous_state_vector()[0], 1,
                  1e-12);
    }
  }
}

TEST(CallFromWithin, IsRefusedInTheMonitor) {
  for (const auto& [name, call] : Calls()) {
    const Oscillator<double> system;
    Simulator<double> simulator(system);
    simulator.set_monitor([&simulator, &f = call](const Context<double>&) {
      f(&simulator);
      return EventStatus::DidNothing();
    });
    EXPECT_THROWS_MESSAGE(simulator.Initialize(), std::logic_error,
                          "called within Simulator::Initialize() of '::_'");
    simulator.clear_monitor();
    simulator.Initialize();
    simulator.set_monitor([&simulator, &f = call](const Context<double>& c) {
      if (c.get_time() > 0.15) f(&simulator);
      return EventStatus::DidNothing();
    });
    EXPECT_THROWS_MESSAGE(
        simulator.AdvanceTo(1), std::logic_error,
        "Simulator::" + name + "(): called within Simulator::AdvanceTo()");
    EXPECT_TRUE(simulator.has_context());
    simulator.clear_monitor();
    simulator.AdvanceTo(1);
    EXPECT_EQ(simulator.get_context().get_time(), 1);
  }
}

TEST(Monitor, CanClearItself) {
  const Oscillator<double> system;
  Simulator<double> simulator(system);
  const std::vector<int> data(1000, 7);
  int64_t sum = 0;
  simulator.set_monitor([&simulator, data, &sum](const Context<double>&) {
    simulator.clear_monitor();
    for (const int x : data) sum += x;
    return EventStatus::DidNothing();
  });
  simulator.AdvanceTo(0.5);
  EXPECT_EQ(sum, 7000);
  EXPECT_EQ(simulator.get_monitor(), nullptr);
}

TEST(Monitor, CanReplaceItself) {
  const Oscillator<double> system;
  Simulator<double> simulator(system);
  const std::vector<int> data(1000, 7);
  int64_t first = 0;
  int second = 0;
  simulator.set_monitor([&, data](const Context<double>&) {
    simulator.set_monitor([&second](const Context<double>&) {
      ++second;
      return EventStatus::DidNothing();
    });
    for (const int x : data) first += x;
    return EventStatus::DidNothing();
  });
  simulator.AdvanceTo(0.5);
  EXPECT_EQ(first, 7000);
  EXPECT_EQ(second, simulator.get_num_steps_taken());
}

TEST(Monitor, MayNotChangeTheTime) {
  const Oscillator<double> system;
  Simulator<double> simulator(system);
  simulator.set_monitor([&simulator](const Context<double>& context) {
    if (context.get_time() > 0.3) simulator.get_mutable_context().SetTime(0.1);
    return EventStatus::DidNothing();
  });
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(1), std::logic_error,
                        "the monitor changed the time of '::_' from 0.3");
}

/** Asks for an update at its Context's time, for ever or a number of times;
and gives a null witness function if told to. */
class Impatient final : public LeafSystem<double> {
 public:
  enum Kind { kPublish, kDiscrete, kUnrestricted };
  explicit Impatient(Kind kind, int times = -1, double wait = 0)
      : kind_(kind), times_(times), wait_(wait) {
    set_name("impatient");
    DeclareDiscreteState(1);
    DeclareAbstractState(Value<int>(0));
  }
  bool gives_null{false};
  mutable int handled{0};

 private:
  void DoCalcNextUpdateTime(const Context<double>& context,
                            CompositeEventCollection<double>* events,
                            double* time) const final {
    *time = std::numeric_limits<double>::infinity();
    if (times_ >= 0 && handled >= times_) return;
    *time = context.get_time();
    if (wait_ > 0) *time = std::nextafter(*time, 1e300);
    if (kind_ == kPublish) {
      events->AddPublishEvent(PublishEvent<double>(
          TriggerType::kTimed,
          [this](const Context<double>&, const PublishEvent<double>&) {
            ++handled;
          }));
    } else if (kind_ == kDiscrete) {
      events->AddDiscreteUpdateEvent(DiscreteUpdateEvent<double>(
          TriggerType::kTimed,
          [this](const Context<double>&, const DiscreteUpdateEvent<double>&,
                 DiscreteValues<double>*) { ++handled; }));
    } else {
      events->AddUnrestrictedUpdateEvent(UnrestrictedUpdateEvent<double>(
          TriggerType::kTimed,
          [this](const Context<double>&, const UnrestrictedUpdateEvent<double>&,
                 State<double>*) { ++handled; }));
    }
  }
  void DoGetWitnessFunctions(
      const Context<double>&,
      std::vector<const WitnessFunction<double>*>* witnesses) const final {
    if (gives_null) witnesses->push_back(nullptr);
  }

  const Kind kind_;
  const int times_;
  const double wait_;
};

TEST(TimeThatStandsStill, IsNoticedAndItsCauseNamed) {
  for (const auto kind :
       {Impatient::kPublish, Impatient::kDiscrete, Impatient::kUnrestricted}) {
    for (const double wait : {0.0, 1.0}) {
      for (const double start : {0.0, 3.0}) {
        DiagramBuilder<double> builder;
        builder.AddSystem<Oscillator<double>>()->set_name("bystander");
        const auto* impatient = builder.AddSystem<Impatient>(kind, -1, wait);
        auto diagram = builder.Build();
        diagram->set_name("whole");
        Simulator<double> simulator(*diagram);
        simulator.get_mutable_context().SetTime(start);
        EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(start + 1),
                              std::runtime_error,
                              "time and again: ::whole::impatient (");
        EXPECT_NEAR(simulator.get_context().get_time(), start, 1e-12);
        EXPECT_LE(impatient->handled, 1002);
      }
    }
  }
}

TEST(TimeThatStandsStill, IsAllowedForAWhile) {
  const Impatient system(Impatient::kDiscrete, 500);
  Simulator<double> simulator(system);
  simulator.AdvanceTo(1);
  EXPECT_EQ(simulator.get_context().get_time(), 1);
  EXPECT_EQ(system.handled, 500);
}

TEST(TimeThatStandsStill, IsTimeThatGoesOnTheSmallestSteps) {
  // Steps at the integrator's smallest minimum are steps all the same.
  const Oscillator<double> system;
  Simulator<double> simulator(system);
  auto& integrator =
      simulator.reset_integrator<RungeKutta2Integrator<double>>(1e-14);
  EXPECT_EQ(integrator.get_maximum_step_size(), 1e-14);
  simulator.get_mutable_context().SetTime(1);
  simulator.AdvanceTo(1 + 5e-11);
  EXPECT_GT(simulator.get_num_steps_taken(), 3000);
}

TEST(NullWitness, IsRefusedByName) {
  DiagramBuilder<double> builder;
  builder.AddSystem<Impatient>(Impatient::kPublish, 0)->gives_null = true;
  auto diagram = builder.Build();
  diagram->set_name("whole");
  Simulator<double> simulator(*diagram);
  EXPECT_THROWS_MESSAGE(
      simulator.AdvanceTo(1), std::logic_error,
      "System ::whole::impatient (Impatient) gave a null witness function");
}

}  // namespace simulator_misuse_test
}  // namespace wyvern::systems
