#include "wyvern/app/sweep_plan.h"

#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::app {
namespace sweep_plan_test {

using Strings = std::vector<std::string>;

TEST(SweepPlan, ReadsRangesListsAndDistributions) {
  EXPECT_EQ(ParseSweepParameter("a.b=1:2:3").values,
            (Strings{"1", "1.5", "2"}));
  EXPECT_EQ(ParseSweepParameter("a=0.1:0.3:2").values, (Strings{"0.1", "0.3"}));
  EXPECT_EQ(ParseSweepParameter("a=[1, 'x''y', [2, 3], !T {u: 1}]").values,
            (Strings{"1", "'x''y'", "[2, 3]", "!T {u: 1}"}));
  EXPECT_NE(ParseSweepParameter("a=!Uniform {min: 0, max: 1}").distribution,
            nullptr);
}

TEST(SweepPlan, WhatIsNoParameterIsAnError) {
  for (const char* text : {"a", "=1:2:3", "a=3", "a=[]", "a=1:2:1",
                           "a=1:.inf:3", "a=!Uniform {min: 1, max: 0}",
                           "a=1:2:99999999999", "a=[1", "random_seed=1:2:2"}) {
    EXPECT_THROWS_MESSAGE(ParseSweepParameter(text), std::runtime_error,
                          std::string("--param ") + text);
  }
  const SweepParameter a = ParseSweepParameter("a=1:2:2");
  EXPECT_THROWS_MESSAGE(SweepPlan({a, a}, 0, 0), std::runtime_error,
                        "'a' occurs twice");
  const SweepParameter big = ParseSweepParameter("b=0:1:1000000");
  SweepParameter big2 = big, big3 = big;
  big2.path = "c";
  big3.path = "d";
  EXPECT_THROWS_MESSAGE(SweepPlan({big, big2, big3}, 0, 0), std::runtime_error,
                        "give fewer values");
}

TEST(SweepPlan, AGridHasEveryPointOnce) {
  const SweepPlan plan(
      {ParseSweepParameter("a=[1, 2]"), ParseSweepParameter("b=[x, y, z]")}, 0,
      0);
  ASSERT_EQ(plan.num_samples(), 6u);
  EXPECT_EQ(plan.MakeSample(0).values, (Strings{"1", "x"}));
  EXPECT_EQ(plan.MakeSample(1).values, (Strings{"1", "y"}));
  std::set<Strings> points;
  for (int i = 0; i < 6; ++i) points.insert(plan.MakeSample(i).values);
  EXPECT_EQ(points.size(), 6u);
}

TEST(SweepPlan, ASampleFollowsFromSeedAndIndexAlone) {
  const Strings texts{"a=!Uniform {min: 0, max: 1}",
                      "b=!Gaussian {mean: 0, stddev: 1}"};
  const auto make = [&](std::uint64_t seed, bool is_turned) {
    return SweepPlan({ParseSweepParameter(texts[is_turned]),
                      ParseSweepParameter(texts[!is_turned])},
                     100, seed);
  };
  const SweepSample one = make(5, false).MakeSample(42);
  const SweepSample turned = make(5, true).MakeSample(42);
  EXPECT_EQ(one.seed, turned.seed);
  EXPECT_EQ(one.values[0], turned.values[1]);
  EXPECT_NE(one.values, make(6, false).MakeSample(42).values);
  EXPECT_NE(one.values, make(5, false).MakeSample(43).values);
}

}  // namespace sweep_plan_test
}  // namespace wyvern::app
