// The search for a zero crossing by itself, with x = t, so that the moment is
// that of a function of time.
#include "wyvern/simulator/witness_watch.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "wyvern/simulator/integrators/explicit_euler_integrator.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems::internal {
namespace witness_watch_test {

using Function = std::function<double(double)>;

// x' = 1; each witness function is one of x. Counts evaluations.
class Clock final : public LeafSystem<double> {
 public:
  explicit Clock(std::vector<Function> functions) {
    DeclareContinuousState(1);
    for (Function& f : functions) {
      witnesses_.push_back(MakeWitnessFunction(
          "crossing", WitnessFunctionDirection::kCrossesZero,
          [this, f = std::move(f)](const Context<double>& context) {
            ++count_;
            return f(context.get_continuous_state_vector()[0]);
          },
          PublishEvent<double>()));
    }
  }
  int count() const { return count_; }

 private:
  void DoCalcTimeDerivatives(const Context<double>&,
                             ContinuousState<double>* xdot) const final {
    xdot->get_mutable_vector()[0] = 1;
  }
  void DoGetWitnessFunctions(
      const Context<double>&,
      std::vector<const WitnessFunction<double>*>* witnesses) const final {
    for (const auto& w : witnesses_) witnesses->push_back(w.get());
  }
  std::vector<std::unique_ptr<WitnessFunction<double>>> witnesses_;
  mutable int count_{0};
};

// One step from 0 to `end`, watched.
class Watched {
 public:
  explicit Watched(std::vector<Function> functions, double end = 1)
      : clock_(std::move(functions)),
        context_(clock_.CreateDefaultContext()),
        integrator_(clock_, end, context_.get()),
        watch_(clock_, &integrator_),
        events_(clock_.AllocateCompositeEventCollection()) {
    integrator_.Initialize();
    watch_.Start(*context_);
    EXPECT_TRUE(integrator_.IntegrateWithSingleFixedStepToTime(end));
  }
  bool Catch(std::optional<double> window) {
    ++num_steps_;
    return watch_.Catch(window, context_.get(), events_.get());
  }
  // Goes on, by steps as long as they may be, to the next crossing.
  bool CatchOnTheWay(double window, double end = 1) {
    while (num_steps_ < 10'000) {
      if (num_steps_ > 0) {
        if (time() >= end) return false;
        watch_.Start(*context_);
        EXPECT_TRUE(integrator_.IntegrateWithSingleFixedStepToTime(
            std::min(end, time() + watch_.resolution().limit)));
      }
      if (Catch(window)) return true;
    }
    return false;
  }
  int num_steps() const { return num_steps_; }
  double time() const { return context_->get_time(); }
  double x() const { return context_->get_continuous_state_vector()[0]; }
  int num_events() const {
    const auto& events =
        dynamic_cast<const LeafEventCollection<PublishEvent<double>>&>(
            events_->get_publish_events());
    return static_cast<int>(events.get_events().size());
  }

  Clock clock_;
  std::unique_ptr<Context<double>> context_;
  ExplicitEulerIntegrator<double> integrator_;
  WitnessWatch<double> watch_;
  std::unique_ptr<CompositeEventCollection<double>> events_;
  int num_steps_{0};
};

constexpr double kRoot = 0.3141592653589793;

std::vector<std::pair<const char*, Function>> Crossings() {
  return {
      {"line", [](double x) { return x - kRoot; }},
      {"jump", [](double x) { return x < kRoot ? -1.0 : 1e9; }},
      {"flat", [](double x) { return std::pow(x - kRoot, 9); }},
      {"steep", [](double x) { return std::cbrt(x - kRoot); }},
      {"bent",
       [](double x) { return std::exp(40 * x) - std::exp(40 * kRoot); }},
  };
}

TEST(WitnessWatch, EndsJustAfterTheCrossingOfAnyFunction) {
  for (const auto& [name, f] : Crossings()) {
    for (const double window : {1e-2, 1e-6, 1e-12}) {
      Watched watched({f});
      ASSERT_TRUE(watched.CatchOnTheWay(window)) << name;
      const auto found = watched.watch_.GetFound();
      EXPECT_LT(found.before, kRoot) << name;
      EXPECT_GE(watched.time(), kRoot) << name;
      EXPECT_LE(watched.time() - found.before, window) << name;
      // The state is that of the moment.
      EXPECT_NEAR(watched.x(), watched.time(), 1e-15) << name;
      EXPECT_EQ(watched.num_events(), 1) << name;
    }
  }
}

// A bisection at every third probe halves the bracket at least so often.
TEST(WitnessWatch, TakesALogarithmicNumberOfProbes) {
  for (const auto& [name, f] : Crossings()) {
    const double window = 1e-9;
    Watched watched({f});
    ASSERT_TRUE(watched.CatchOnTheWay(window)) << name;
    // A step that is checked takes six more, and again for each shortening.
    EXPECT_LE(watched.num_steps(), 100) << name;
    EXPECT_LE(watched.clock_.count(),
              3 * std::log2(1 / window) + 6 + 15 * watched.num_steps())
        << name;
  }
}

TEST(WitnessWatch, StopsAtTheFirstOfSeveralCrossings) {
  Watched watched({[](double x) { return x - 0.8; },
                   [](double x) { return x - 0.2; },
                   [](double x) { return 0.5 - x; }});
  ASSERT_TRUE(watched.Catch(1e-10));
  EXPECT_NEAR(watched.time(), 0.2, 1e-10);
  const auto found = watched.watch_.GetFound();
  EXPECT_EQ(found.triggered, std::vector<int>({1}));
  EXPECT_EQ(watched.num_events(), 1);
}

TEST(WitnessWatch, WithoutAWindowStaysAtTheEndWithAllThatCrossed) {
  Watched watched({[](double x) { return x - 0.8; },
                   [](double x) { return x - 1.2; },
                   [](double x) { return 0.5 - x; }});
  ASSERT_TRUE(watched.Catch(std::nullopt));
  EXPECT_EQ(watched.time(), 1);
  EXPECT_EQ(watched.watch_.GetFound().triggered, std::vector<int>({0, 2}));
  EXPECT_EQ(watched.num_events(), 2);
}

TEST(WitnessWatch, WithoutACrossingLeavesTheStepAlone) {
  Watched watched({[](double x) { return x + 1; }});
  EXPECT_TRUE(watched.watch_.any());
  EXPECT_FALSE(watched.Catch(1e-6));
  EXPECT_EQ(watched.time(), 1);
  EXPECT_EQ(watched.num_events(), 0);
  Watched without({});
  EXPECT_FALSE(without.watch_.any());
}

TEST(WitnessWatch, ShortensAStepThatHidesCrossings) {
  // Two crossings a period, at multiples of 1/80 after the first 1/160.
  Watched watched(
      {[](double x) { return std::cos(80 * std::numbers::pi * x); }});
  for (int k = 0; k < 80; ++k) {
    ASSERT_TRUE(watched.CatchOnTheWay(1e-9)) << k;
    ASSERT_NEAR(watched.time(), (k + 0.5) / 80, 1e-9);
  }
}

TEST(WitnessWatch, AZeroAtTheStartHasTheSignThatFollows) {
  Watched watched({[](double x) { return x * (0.7 - x); }});
  ASSERT_TRUE(watched.CatchOnTheWay(1e-9));
  EXPECT_NEAR(watched.time(), 0.7, 1e-9);
}

TEST(WitnessWatch, WhatWasFoundGivesTheSameEventsAgain) {
  const Function f = [](double x) { return x - kRoot; };
  Watched watched({f});
  ASSERT_TRUE(watched.Catch(1e-6));
  const auto found = watched.watch_.GetFound();

  Watched other({f}, watched.time());
  ASSERT_TRUE(
      other.watch_.Repeat(found, other.context_.get(), other.events_.get()));
  EXPECT_EQ(other.num_events(), 1);
  EXPECT_EQ(other.time(), watched.time());

  auto renamed = found;
  renamed.names[0] += "?";
  Watched third({f}, watched.time());
  EXPECT_FALSE(
      third.watch_.Repeat(renamed, third.context_.get(), third.events_.get()));
  EXPECT_EQ(third.num_events(), 0);
}

}  // namespace witness_watch_test
}  // namespace wyvern::systems::internal
