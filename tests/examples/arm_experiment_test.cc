#include "examples/support/arm_experiment.h"

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"

namespace wyvern::examples {
namespace {

TEST(ArmExperiment, TracksWithTheErrorThatAnotherEngineFinds) {
  ArmExperiment experiment(ArmOptions{});
  experiment.AdvanceTo(experiment.end_time());
  const ArmLog log = experiment.MakeLog();
  ASSERT_EQ(log.time.size(), 601);
  EXPECT_EQ(log.num_steps, 6000);
  // Largest errors in mrad, from tests/oracles/arm_tracking.py, rounded to
  // 1e-6.
  const double expected[] = {1.395036, 0.897519, 1.306566, 1.716497,
                             1.682552, 1.809107, 2.169462};
  for (int i = 0; i < 7; ++i) {
    EXPECT_NEAR(1e3 * log.joints[i].MaxError(), expected[i], 1e-6)
        << log.joints[i].name;
  }
}

TEST(ArmExperiment, EnergyGainedIsTheWorkDone) {
  ArmExperiment experiment(ArmOptions{});
  experiment.AdvanceTo(3.0);
  const ArmLog log = experiment.MakeLog();
  const Eigen::VectorXd energy = log.kinetic_energy + log.potential_energy;
  const Eigen::VectorXd gained = energy.array() - energy[0];
  // Work by the trapezoidal rule on 10 ms samples: 0.1 % of 30 J.
  EXPECT_GT(gained.cwiseAbs().maxCoeff(), 30.0);
  EXPECT_LT((gained - log.NetWork()).cwiseAbs().maxCoeff(), 0.03);
}

TEST(ArmExperiment, StepsAllocateNothingAfterTheFirst) {
  ArmExperiment experiment(ArmOptions{});
  experiment.AdvanceTo(0.0105);
  test::AllocationGuard guard;
  // Steps at 11 ... 19 ms, before the next sample is logged.
  experiment.AdvanceTo(0.0195);
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace
}  // namespace wyvern::examples
