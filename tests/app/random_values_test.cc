#include "wyvern/app/random_values.h"

#include <cmath>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/app/scenario_io.h"

namespace wyvern::app {
namespace random_values_test {

// Another implementation of the same, in Python, gave the figures.
TEST(KeyedDraws, AreTheSameOnEveryMachine) {
  KeyedDraws draws(7, "plant_config.time_step");
  EXPECT_EQ(draws.NextBits(), 18288258632009240893u);
  EXPECT_EQ(draws.NextUniform(), 0.9798159476886718);
  EXPECT_NEAR(draws.NextGaussian(), 0.49364955666012106, 1e-15);
}

TEST(KeyedDraws, DifferByKeyAndBySeed) {
  std::set<std::uint64_t> seen;
  for (int seed = 0; seed < 100; ++seed) {
    for (int key = 0; key < 100; ++key) {
      seen.insert(KeyedDraws(seed, fmt::format("q[{}]", key)).NextBits());
    }
  }
  EXPECT_EQ(seen.size(), 10000u);
}

TEST(KeyedDraws, HaveTheMomentsOfTheirDistributions) {
  // Over seeds with one key, as a sweep draws; five standard errors.
  const int n = 100000;
  double sum = 0, sum2 = 0, sum4 = 0, uniform = 0;
  for (int seed = 0; seed < n; ++seed) {
    const double x = KeyedDraws(seed, "x").NextGaussian();
    sum += x;
    sum2 += x * x;
    sum4 += x * x * x * x;
    uniform += KeyedDraws(seed, "y").NextUniform();
  }
  EXPECT_NEAR(sum / n, 0, 5 / std::sqrt(n));
  EXPECT_NEAR(sum2 / n, 1, 5 * std::sqrt(2.0 / n));
  EXPECT_NEAR(sum4 / n, 3, 5 * std::sqrt(96.0 / n));
  EXPECT_NEAR(uniform / n, 0.5, 5 * std::sqrt(1 / 12.0 / n));
}

TEST(Distributions, StandWhereANumberMay) {
  const std::string text =
      "random_seed: {}\n"
      "simulation_duration: !Uniform {{min: 2, max: 3}}\n"
      "disturbances:\n"
      "- body: a::b\n"
      "  force: [!Gaussian {{mean: 10, stddev: 0.5}}, 1, !Deterministic "
      "{{value: 4}}]\n"
      "stop_conditions: [{{index: !UniformDiscrete {{values: [3, 5]}}, above: "
      "!Uniform {{min: 7, max: 7}}}}]\n";
  std::set<int> indices;
  std::set<double> durations;
  for (int seed = 0; seed < 20; ++seed) {
    const Scenario scenario =
        LoadScenarioFromString(fmt::format(fmt::runtime(text), seed));
    EXPECT_GE(scenario.simulation_duration, 2);
    EXPECT_LT(scenario.simulation_duration, 3);
    EXPECT_NEAR(scenario.disturbances[0].force[0], 10, 5 * 0.5);
    EXPECT_EQ(scenario.disturbances[0].force[2], 4);
    EXPECT_EQ(scenario.stop_conditions[0].above, 7);
    indices.insert(scenario.stop_conditions[0].index);
    durations.insert(scenario.simulation_duration);
  }
  EXPECT_EQ(indices, (std::set<int>{3, 5}));
  EXPECT_EQ(durations.size(), 20u);
}

TEST(Distributions, AreDrawnByPathNotByOrder) {
  const Scenario one = LoadScenarioFromString(
      "random_seed: 3\nsimulation_duration: !Uniform {min: 0, max: 1}\n"
      "plant_config: {time_step: !Uniform {min: 0, max: 1}}");
  const Scenario other = LoadScenarioFromString(
      "plant_config: {time_step: !Uniform {min: 0, max: 1}}\nrandom_seed: 3",
      {"simulation_duration=!Uniform {min: 0, max: 1}"});
  EXPECT_EQ(one.simulation_duration, other.simulation_duration);
  EXPECT_EQ(one.plant_config.time_step, other.plant_config.time_step);
  EXPECT_NE(one.simulation_duration, one.plant_config.time_step);
  // A saved scenario has the drawn numbers: it repeats the run.
  EXPECT_EQ(LoadScenarioFromString(SaveScenario(one)).simulation_duration,
            one.simulation_duration);
}

schema::Transform LoadPose(int seed, const std::string& pose) {
  return *LoadScenarioFromString(
              fmt::format(
                  "random_seed: {}\ndirectives: [{{add_weld: {{parent: world, "
                  "child: b, X_PC: {{{}}}}}}}]",
                  seed, pose))
              .directives[0]
              .add_weld->X_PC;
}

TEST(Distributions, OfVectorsAreThoseOfTheirElements) {
  const auto whole = LoadPose(
      4,
      "translation: !UniformVector {min: [1, 2, 5], max: [2, 3, 5]}, rotation: "
      "!Rpy {deg: !GaussianVector {mean: [0, 0, 9], stddev: [2]}}");
  const auto single = LoadPose(
      4,
      "translation: [!Uniform {min: 1, max: 2}, !Uniform {min: 2, max: 3}, 5], "
      "rotation: !Rpy {deg: [!Gaussian {mean: 0, stddev: 2}, !Gaussian {mean: "
      "0, stddev: 2}, !Gaussian {mean: 9, stddev: 2}]}");
  EXPECT_TRUE(whole.GetDeterministicValue().IsExactlyEqualTo(
      single.GetDeterministicValue()));
  EXPECT_FALSE(whole.GetDeterministicValue().IsNearlyEqualTo(
      LoadPose(5,
               "translation: !UniformVector {min: [1, 2, 5], max: [2, 3, "
               "5]}")
          .GetDeterministicValue(),
      1e-3));
  const auto load = [](const std::string& value) {
    LoadPose(1, "translation: " + value);
  };
  EXPECT_THROWS_MESSAGE(load("!UniformVector {min: [0], max: [1, 2]}"),
                        std::runtime_error, "a max of 2 elements; give it 1");
  EXPECT_THROWS_MESSAGE(
      load("!GaussianVector {mean: [0, 0, 0], stddev: [1, 2]}"),
      std::runtime_error, "a stddev of 2 elements; give it 3");
  EXPECT_THROWS_MESSAGE(load("!UniformVector {min: [0, 0], max: [1, 2]}"),
                        std::runtime_error, "translation");
}

TEST(Distributions, OfRotationsAreUniformOverAll) {
  // The Haar measure: mean 0, entries of variance 1/3, and the squares of the
  // trace, 1 + 2 cos(angle), of mean 1. Five standard errors.
  const int n = 3000;
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero(), squares = sum;
  double traces = 0;
  for (int seed = 0; seed < n; ++seed) {
    const Eigen::Matrix3d R = LoadPose(seed, "rotation: !Uniform {}")
                                  .GetDeterministicValue()
                                  .rotation()
                                  .matrix();
    sum += R;
    squares += R.cwiseAbs2();
    traces += R.trace() * R.trace();
  }
  EXPECT_LT((sum / n).cwiseAbs().maxCoeff(), 5 / std::sqrt(3.0 * n));
  // A square's variance is 1/5 - 1/9; that of the squared trace 3 - 1.
  EXPECT_LT((squares / n).maxCoeff(), 1 / 3.0 + 5 * std::sqrt(4 / 45.0 / n));
  EXPECT_GT((squares / n).minCoeff(), 1 / 3.0 - 5 * std::sqrt(4 / 45.0 / n));
  EXPECT_NEAR(traces / n, 1, 5 * std::sqrt(2.0 / n));
}

TEST(Distributions, ThatAreWrongAreNamedWithTheirPlace) {
  const auto load = [](const std::string& value) {
    LoadScenarioFromString("random_seed: 1\nsimulation_duration: " + value);
  };
  EXPECT_THROWS_MESSAGE(load("!Uniform {min: 2, max: 1}"), std::runtime_error,
                        "<string>:2:22: 'simulation_duration' has a max of 1, "
                        "less than its min of 2");
  EXPECT_THROWS_MESSAGE(load("!Uniform {min: 2}"), std::runtime_error, "'max'");
  EXPECT_THROWS_MESSAGE(load("!Uniform {min: 2, mix: 1, max: 3}"),
                        std::runtime_error, "is 'min' meant");
  EXPECT_THROWS_MESSAGE(load("!Uniform {min: -1e308, max: 1e308}"),
                        std::runtime_error, "width of inf");
  EXPECT_THROWS_MESSAGE(load("!Gaussian {mean: .nan, stddev: 1}"),
                        std::runtime_error, "mean of nan");
  EXPECT_THROWS_MESSAGE(load("!Gaussian {mean: 0, stddev: -1}"),
                        std::runtime_error, "stddev of -1");
  EXPECT_THROWS_MESSAGE(load("!UniformDiscrete {values: []}"),
                        std::runtime_error, "no values");
  EXPECT_THROWS_MESSAGE(load("!Normal {mean: 0, stddev: 1}"),
                        std::runtime_error, "simulation_duration");
  EXPECT_THROWS_MESSAGE(
      LoadScenarioFromString("random_seed: !Uniform {min: 0, max: 9}"),
      std::runtime_error, "random_seed");
}

}  // namespace random_values_test
}  // namespace wyvern::app
