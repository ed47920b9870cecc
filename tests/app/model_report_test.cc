#include "wyvern/app/model_report.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace wyvern::app {
namespace model_report_test {

TEST(ModelReport, OfALongChainIsWrittenWithoutOverflow) {
  ModelReport report;
  constexpr int kLong = 100000;
  for (int i = 0; i < kLong; ++i) {
    JointReport& joint = report.joints.emplace_back();
    joint.name = fmt::format("j{}", i);
    joint.type = "weld";
    joint.parent = i == 0 ? "world" : fmt::format("l{}", i - 1);
    joint.child = fmt::format("l{}", i);
  }
  const std::string text = ToText(report);
  EXPECT_NE(text.find(fmt::format("-> l{}\n", kLong - 1)), std::string::npos);
  EXPECT_LT(text.size(), 300 * kLong);
}

TEST(ModelReport, HasBranchesDepthFirstAndLoopsWhereTheyClose) {
  ModelReport report;
  const auto add = [&report](const char* parent, const char* child) {
    JointReport& joint = report.joints.emplace_back();
    joint.name = fmt::format("{}_{}", parent, child);
    joint.type = "weld";
    joint.parent = parent;
    joint.child = child;
  };
  add("world", "a");
  add("a", "b");
  add("a", "c");
  add("b", "d");
  add("c", "d");
  const std::string text = ToText(report);
  const auto place = [&text](const char* words) { return text.find(words); };
  EXPECT_LT(place("-> a\n"), place("-> b\n"));
  EXPECT_LT(place("-> b\n"), place("-> d\n"));
  EXPECT_LT(place("-> d\n"), place("-> c\n"));
  EXPECT_NE(place("-> d (closes a loop)\n"), std::string::npos);
}

// A force p (x - sum c_i q_i) along the tendon is c_i p (x - ...) at joint i,
// which has the stiffness c_i^2 p.
TEST(ModelReport, HasTheStiffnessOfATendonsServoAtEachJoint) {
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / "wyvern_report_tendon.xml";
  std::ofstream(file)
      << "<mujoco model='m'><worldbody><body><joint name='a'/><geom size='.1'/>"
         "</body><body pos='1 0 0'><joint name='b'/><geom size='.1'/></body>"
         "</worldbody><tendon><fixed name='t'><joint joint='a' "
         "coef='3'/><joint "
         "joint='b' coef='-0.5'/></fixed></tendon><actuator><position "
         "tendon='t' kp='8' kv='4'/></actuator></mujoco>";
  const ModelReport report = InspectModel(file);
  ASSERT_EQ(report.joints.size(), 2);
  EXPECT_EQ(report.joints[0].proportional_gain, 72);
  EXPECT_EQ(report.joints[0].derivative_gain, 36);
  EXPECT_EQ(report.joints[1].proportional_gain, 2);
  EXPECT_EQ(report.joints[1].derivative_gain, 1);
}

}  // namespace model_report_test
}  // namespace wyvern::app
