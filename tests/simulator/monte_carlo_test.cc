#include "wyvern/simulator/analysis/monte_carlo.h"

#include <cmath>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems::analysis {
namespace monte_carlo_test {

using Results = std::vector<RandomSimulationResult>;

/** x' = -a x from x0 uniform on [0, 1); the System's own a is random as well.
Above `limit` the derivative is not a number. */
class Decay final : public LeafSystem<double> {
 public:
  Decay(double rate, double limit) : rate_(rate), limit_(limit) {
    DeclareContinuousState(1);
    set_name("decay");
  }
  double rate() const { return rate_; }

 private:
  void SetRandomState(const Context<double>&, State<double>* state,
                      RandomGenerator* generator) const final {
    std::uniform_real_distribution<double> uniform;
    state->get_mutable_continuous_state().get_mutable_vector()[0] =
        uniform(*generator);
  }
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    const double x = context.get_continuous_state_vector()[0];
    const bool bad = x > limit_ && context.get_time() >= 0.5;
    xdot->get_mutable_vector()[0] = bad ? std::nan("") : -rate_ * x;
  }
  const double rate_;
  const double limit_;
};

SimulatorFactory MakeDecay(double limit = 2) {
  return [limit](RandomGenerator* generator) {
    std::uniform_real_distribution<double> uniform(0.5, 1.5);
    return std::make_unique<Simulator<double>>(
        std::make_unique<Decay>(uniform(*generator), limit));
  };
}

double GetState(const System<double>&, const Context<double>& context) {
  return context.get_continuous_state_vector()[0];
}

TEST(RandomSimulation, RepeatsFromTheSameGenerator) {
  RandomGenerator a(7);
  RandomGenerator b(7);
  const double first = RandomSimulation(MakeDecay(), &GetState, 1, &a);
  EXPECT_EQ(RandomSimulation(MakeDecay(), &GetState, 1, &b), first);
  // The generator has moved on.
  EXPECT_NE(RandomSimulation(MakeDecay(), &GetState, 1, &a), first);
}

TEST(MonteCarloSimulation, IsRandomSimulationManyTimes) {
  RandomGenerator generator(3);
  const Results results =
      MonteCarloSimulation(MakeDecay(), &GetState, 1, 10, &generator);
  ASSERT_EQ(results.size(), 10);
  RandomGenerator one_by_one(3);
  for (const auto& result : results) {
    EXPECT_FALSE(result.failure.has_value());
    EXPECT_EQ(RandomSimulation(MakeDecay(), &GetState, 1, &one_by_one),
              result.output);
  }
  EXPECT_EQ(generator(), one_by_one());
}

TEST(MonteCarloSimulation, EachSampleCanBeRunAgainFromItsSnapshot) {
  for (const auto& result :
       MonteCarloSimulation(MakeDecay(), &GetState, 1, 5)) {
    RandomGenerator snapshot = result.generator_snapshot;
    EXPECT_EQ(RandomSimulation(MakeDecay(), &GetState, 1, &snapshot),
              result.output);
  }
}

TEST(MonteCarloSimulation, NumbersDoNotDependOnTheThreads) {
  const Results serial = MonteCarloSimulation(MakeDecay(0.7), &GetState, 1, 50);
  for (const int threads : {1, 2, 3}) {
    const Results results = MonteCarloSimulation(
        MakeDecay(0.7), &GetState, 1, 50, nullptr, Parallelism(threads));
    for (int i = 0; i < 50; ++i) {
      EXPECT_EQ(results[i].failure.has_value(), serial[i].failure.has_value());
      if (results[i].failure.has_value()) {
        EXPECT_EQ(results[i].failure->message, serial[i].failure->message);
        EXPECT_EQ(results[i].failure->time, serial[i].failure->time);
      } else {
        EXPECT_EQ(results[i].output, serial[i].output);
      }
    }
  }
}

TEST(MonteCarloSimulation, UsesTheThreadsItMay) {
  for (const int threads : {1, 3}) {
    std::mutex mutex;
    std::set<std::thread::id> ids;
    const auto output = [&](const System<double>&, const Context<double>&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      const std::lock_guard<std::mutex> lock(mutex);
      ids.insert(std::this_thread::get_id());
      return 0.0;
    };
    MonteCarloSimulation(MakeDecay(), output, 0.1, 30, nullptr,
                         Parallelism(threads));
    EXPECT_EQ(ids.size(), threads);
    EXPECT_EQ(ids.contains(std::this_thread::get_id()), threads == 1);
  }
}

TEST(MonteCarloSimulation, AFailureDoesNotLoseTheOthers) {
  const Results results =
      MonteCarloSimulation(MakeDecay(0.4), &GetState, 1, 40);
  int failures = 0;
  for (const auto& result : results) {
    if (!result.failure.has_value()) {
      EXPECT_LT(result.output, 0.4);
      continue;
    }
    ++failures;
    EXPECT_TRUE(std::isnan(result.output));
    EXPECT_NE(result.failure->message.find("of '::decay'"), std::string::npos);
    EXPECT_NEAR(result.failure->time, 0.5, 1e-3);
    EXPECT_THROW(std::rethrow_exception(result.failure->exception),
                 std::runtime_error);
  }
  EXPECT_GT(failures, 5);
  EXPECT_LT(failures, 35);
}

TEST(MonteCarloSimulation, AFactoryThatFailsIsRecordedToo) {
  int count = 0;
  const SimulatorFactory odd_ones = [&count](RandomGenerator* generator) {
    if (++count % 2 == 0) throw 42;
    return MakeDecay()(generator);
  };
  const Results results = MonteCarloSimulation(odd_ones, &GetState, 1, 4);
  EXPECT_FALSE(results[2].failure.has_value());
  ASSERT_TRUE(results[3].failure.has_value());
  EXPECT_TRUE(std::isnan(results[3].failure->time));
  EXPECT_EQ(results[3].failure->message,
            "an exception that is not a std::exception");
  EXPECT_THROW(std::rethrow_exception(results[3].failure->exception), int);
}

TEST(MonteCarloSimulation, RefusesWhatMakesNoSense) {
  RandomGenerator generator;
  EXPECT_THROWS_MESSAGE(RandomSimulation(nullptr, &GetState, 1, &generator),
                        std::logic_error, "make_simulator is empty");
  EXPECT_THROWS_MESSAGE(RandomSimulation(MakeDecay(), &GetState, 1, nullptr),
                        std::logic_error, "generator is null");
  const SimulatorFactory none = [](RandomGenerator*) { return nullptr; };
  EXPECT_THROWS_MESSAGE(RandomSimulation(none, &GetState, 1, &generator),
                        std::logic_error, "returned null");
  EXPECT_THROWS_MESSAGE(MonteCarloSimulation(MakeDecay(), nullptr, 1, 3),
                        std::logic_error, "output is empty");
  EXPECT_THROWS_MESSAGE(MonteCarloSimulation(MakeDecay(), &GetState, 1, -1),
                        std::logic_error, "-1 samples");
  EXPECT_TRUE(MonteCarloSimulation(MakeDecay(), &GetState, 1, 0).empty());
}

TEST(Parallelism, IsANumberOfThreads) {
  EXPECT_EQ(Parallelism().num_threads(), 1);
  EXPECT_EQ(Parallelism::None().num_threads(), 1);
  EXPECT_EQ(Parallelism(false).num_threads(), 1);
  EXPECT_EQ(Parallelism(3).num_threads(), 3);
  EXPECT_GE(Parallelism::Max().num_threads(), 1);
  EXPECT_EQ(Parallelism(true).num_threads(), Parallelism::Max().num_threads());
  EXPECT_THROWS_MESSAGE(Parallelism(0), std::logic_error, "0 threads");
}

}  // namespace monte_carlo_test
}  // namespace wyvern::systems::analysis
