// A simulation that crawls ends in an error: late if no reason is known, and
// sooner if the System describes its difficulties.
#include "wyvern/simulator/progress_watch.h"

#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {
namespace progress_watch_test {

using internal::ProgressWatch;

constexpr double kInf = std::numeric_limits<double>::infinity();

// Returns the number of steps, of size h and three evaluations, after which a
// way of length 1 is given up, all in the unit given, [s]. Returns 0 if it is
// not given up within a million steps.
int CountSteps(double h, const std::string& difficulties, double max_step,
               double unit = 1) {
  ProgressWatch watch;
  for (int i = 1; i <= 1000000; ++i) {
    const auto crawl =
        watch.NoteStep(i * h * unit, 3 * i, unit, max_step * unit,
                       [&] { return difficulties; });
    if (!crawl.has_value()) continue;
    EXPECT_NEAR(crawl->way, crawl->steps * h * unit, 1e-12 * unit);
    EXPECT_EQ(crawl->difficulties, difficulties);
    return i;
  }
  return 0;
}

TEST(ProgressWatch, GivesUpSoonerWhenItKnowsWhy) {
  EXPECT_EQ(CountSteps(1e-9, "", 0.1), 200001);
  EXPECT_EQ(CountSteps(1e-9, "Boxes overlap.", 0.1), 2004);
}

// The limits are 3.16 ms per 3,000 evaluations, and 20 million steps.
TEST(ProgressWatch, GivesUpOnlyWhatWouldTakeTooLong) {
  EXPECT_EQ(CountSteps(3.3e-6, "Boxes overlap.", 0.1), 0);
  EXPECT_EQ(CountSteps(3e-6, "Boxes overlap.", 0.1), 2004);
  EXPECT_EQ(CountSteps(1e-6, "", 10), 0);
}

// A machine of milliseconds and one of hours are given up after as many steps,
// on both sides of each bound.
TEST(ProgressWatch, DecidesAlikeAtEachScaleOfTime) {
  for (const double unit : {1e-6, 1e-3, 1.0, 3600.0}) {
    EXPECT_EQ(CountSteps(3e-6, "Boxes overlap.", 0.1, unit), 2004) << unit;
    EXPECT_EQ(CountSteps(3.3e-6, "Boxes overlap.", 0.1, unit), 0) << unit;
    EXPECT_EQ(CountSteps(1e-9, "", 0.1, unit), 200001) << unit;
    EXPECT_EQ(CountSteps(0.9e-5, "Boxes overlap.", kInf, unit), 2004) << unit;
  }
}

// Steps are as small as the maximum step size, or have no limit.
TEST(ProgressWatch, KnowsStepsThatAreSmallOnPurpose) {
  EXPECT_EQ(CountSteps(1e-9, "Boxes overlap.", 1.9e-9), 0);
  EXPECT_EQ(CountSteps(1e-9, "Boxes overlap.", 1e-6), 2004);
  EXPECT_EQ(CountSteps(1e-9, "", 1e-6), 0);
  EXPECT_EQ(CountSteps(1e-9, "", kInf), 0);
}

// Each call of AdvanceTo() has a boundary so near that it would be reached.
TEST(ProgressWatch, CountsOnOverManyNearBoundaries) {
  ProgressWatch watch;
  int steps = 0;
  for (std::optional<ProgressWatch::Crawl> crawl; !crawl && steps < 100000;) {
    ++steps;
    crawl = watch.NoteStep(steps * 1e-9, 3 * steps, steps * 1e-9 + 1e-6, 0.1,
                           [] { return std::string("Boxes overlap."); });
    if (steps % 1000 == 0) watch.NoteEvent();
  }
  EXPECT_EQ(steps, 8 * 1002);
}

// An impact is over before it is asked about a second time.
TEST(ProgressWatch, IgnoresADifficultyThatPasses) {
  ProgressWatch watch;
  for (int i = 1; i <= 100000; ++i) {
    const bool is_impact = i % 2004 < 1002;
    const auto crawl = watch.NoteStep(i * 1e-9, 3 * i, 1, 0.1, [&] {
      return std::string(is_impact ? "Boxes overlap." : "");
    });
    EXPECT_FALSE(crawl.has_value());
  }
}

TEST(ProgressWatch, BeginsAnewWhereAStepIsTakenBack) {
  ProgressWatch watch;
  const auto none = [] { return std::string("Boxes overlap."); };
  watch.NoteStep(0.5, 0, 1, 0.1, none);
  EXPECT_FALSE(watch.NoteStep(0.4, 4000, 1, 0.1, none).has_value());
  EXPECT_FALSE(watch.NoteStep(0.4, 8000, 1, 0.1, none).has_value());
  EXPECT_FALSE(watch.NoteStep(0.4, 8000, 1, 0.1, none).has_value());
  EXPECT_TRUE(watch.NoteStep(0.4, 12000, 1, 0.1, none).has_value());
}

// A mass on a spring so stiff that it oscillates 1.6e7 times a second.
class Quartz final : public LeafSystem<double> {
 public:
  Quartz() {
    DeclareContinuousState(BasicVector<double>(Eigen::Vector2d(1, 0)), 1, 1, 0);
  }

 private:
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    const VectorBase<double>& x = context.get_continuous_state_vector();
    xdot->get_mutable_vector()[0] = x[1];
    xdot->get_mutable_vector()[1] = -1e16 * x[0];
  }
  std::string DoDescribeDifficulties(const Context<double>&,
                                     Difficulty) const final {
    return "Boxes overlap.";
  }
};

TEST(ProgressWatch, ASimulationSaysWhatTheSystemSays) {
  const Quartz system;
  Simulator<double> simulator(system);
  std::vector<std::string> warnings;
  simulator.set_warning_handler(
      [&](const std::string& text) { warnings.push_back(text); });
  simulator.Initialize();
  EXPECT_EQ(warnings, std::vector<std::string>{
                          "Simulator: '::_' starts with a difficulty. Boxes "
                          "overlap."});
  try {
    simulator.AdvanceTo(10);
    FAIL() << "did not throw";
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("crawls at time "), std::string::npos) << text;
    EXPECT_NE(text.find("(0.0001). Boxes overlap."), std::string::npos) << text;
  }
  EXPECT_LT(simulator.get_integrator().get_num_derivative_evaluations(), 7000);
}

}  // namespace progress_watch_test
}  // namespace wyvern::systems
