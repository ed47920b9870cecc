#include "examples/support/arm_experiment.h"

#include <gtest/gtest.h>

#include "examples/support/arm_report.h"
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
  const double expected[] = {1.204204, 0.760543, 0.617803, 1.342454,
                             0.768004, 0.736630, 1.439410};
  for (int i = 0; i < 7; ++i) {
    EXPECT_NEAR(1e3 * log.joints[i].MaxError(), expected[i], 1e-6)
        << log.joints[i].name;
  }
}

TEST(ArmExperiment, SaysWhyAJointStrays) {
  JointLog joint;
  joint.position = Eigen::Vector3d(0.1, 0.2, 0.3);
  joint.desired = Eigen::Vector3d(0.1, 0.25, 0.3);
  joint.torque = Eigen::Vector3d(1, -4, 2);
  joint.effort_limit = 10;
  joint.lower_limit = -1;
  joint.upper_limit = 1;
  joint.kp = 20;
  EXPECT_EQ(joint.ExplainFailure(0.1), "");
  const auto why = [&] { return joint.ExplainFailure(0.01); };
  EXPECT_TRUE(why().starts_with("too soft")) << why();
  joint.has_loops = true;
  EXPECT_TRUE(why().starts_with("loop")) << why();
  joint.upper_limit = 0.3;
  EXPECT_TRUE(why().starts_with("limit")) << why();
  joint.friction = 0.6;  // PD control pulls with 20 * 0.05 N m.
  EXPECT_TRUE(why().starts_with("friction")) << why();
  joint.effort_limit = 4;
  EXPECT_TRUE(why().starts_with("saturated")) << why();
  joint.friction = 5;
  EXPECT_TRUE(why().starts_with("friction: its dry friction is no less"))
      << why();
}

// A log of one sample, with a joint for each letter: t turns, s slides.
ArmLog LogOf(const std::string& joints) {
  ArmLog log;
  for (const char c : joints) {
    JointLog& joint = log.joints.emplace_back();
    joint.name = c;
    joint.slides = c == 's';
    joint.position = joint.desired = Vector1<double>(0.5);
    joint.torque = Vector1<double>(2);
    joint.effort_limit = 10;
  }
  return log;
}

TEST(ArmReport, HeadingsHaveTheUnitsOfTheJoints) {
  const auto headings = [](const std::string& joints) {
    return MakeJointTable(LogOf(joints), 0.1).headings;
  };
  EXPECT_EQ(headings("tt")[1], "max error [mrad]");
  EXPECT_EQ(headings("tt")[3], "peak torque [N·m]");
  EXPECT_EQ(headings("ss")[1], "max error [mm]");
  EXPECT_EQ(headings("ss")[2], "rms error [mm]");
  EXPECT_EQ(headings("ss")[3], "peak effort [N]");
  EXPECT_EQ(headings("ss")[4], "limit [N]");
  EXPECT_EQ(headings("ss")[6], "kp [N/m]");
  EXPECT_EQ(headings("ts")[1], "max error [mrad or mm]");
  EXPECT_EQ(headings("ts")[7], "kd [N·m·s/rad or N·s/m]");
  // Cells say it only where the heading leaves it open.
  EXPECT_EQ(MakeJointTable(LogOf("s"), 0.1).rows[0][1], "0.000");
  EXPECT_EQ(MakeJointTable(LogOf("ts"), 0.1).rows[1][1], "0.000 mm");
  EXPECT_EQ(MakeJointTable(LogOf("ts"), 0.1).rows[1][3], "2.00 N");
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
