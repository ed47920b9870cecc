#include "examples/support/waypoints.h"

#include <fstream>

#include <gtest/gtest.h>

#include "examples/support/arm_model.h"
#include "tests/support/expect_throws.h"

namespace wyvern::examples {
namespace {

using multibody::MultibodyPlant;

// The name of a file in the test's own folder, with the given content.
std::string FileWith(const std::string& content) {
  const std::string path =
      ::testing::TempDir() +
      ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
  std::ofstream(path) << content;
  return path;
}

const MultibodyPlant<double>& Arm() {
  static const auto plant = [] {
    auto arm = LoadArm(WYVERN_MODELS_DIR "/arm.urdf", 0.0);
    arm->Finalize();
    return arm;
  }();
  return *plant;
}

TEST(ReadWaypoints, ReadsNamesTimesAndPositions) {
  const Waypoints waypoints =
      ReadWaypoints(FileWith("# a comment\ntime, a, b\n\n0, 1, 2\n 0.5 ,3,-4e1"
                             " # and another\n"));
  EXPECT_EQ(waypoints.joints, std::vector<std::string>({"a", "b"}));
  EXPECT_EQ(waypoints.times, Eigen::Vector2d(0.0, 0.5));
  EXPECT_EQ(waypoints.positions,
            (Eigen::Matrix2d() << 1, 3, 2, -40).finished());
}

TEST(ReadWaypoints, RefusesAMissingFile) {
  EXPECT_THROWS_MESSAGE(ReadWaypoints("/no/such.csv"), std::runtime_error,
                        "cannot read '/no/such.csv'");
}

TEST(ReadWaypoints, NamesFileAndLineOfWhatIsWrong) {
  const struct {
    const char* content;
    const char* message;
  } cases[] = {
      {"", ".csv:0: the file is empty"},
      {"joint, a\n", ".csv:1: the first line is 'joint, a'"},
      {"time, a, a\n", ".csv:1: joint 'a' has two columns"},
      {"time, a\n0, 1\n1\n", ".csv:3: there are 1 values; give 2"},
      {"time, a\n0, x\n", ".csv:2: 'x' is not a finite number"},
      {"time, a\n0, nan\n", ".csv:2: 'nan' is not a finite number"},
      {"time, a\n0, 1e999\n", ".csv:2: '1e999' is not a finite number"},
      {"time, a\n0, 1\n0, 2\n", ".csv:3: time 0 s does not follow"},
      {"time, a\n1, 1\n", ".csv:2: time 1 s does not follow"},
      {"time, a\n0, 1\n", ".csv:2: there are 1 way-points"},
  };
  for (const auto& one : cases) {
    EXPECT_THROWS_MESSAGE(ReadWaypoints(FileWith(one.content)),
                          std::runtime_error, one.message);
  }
}

TEST(MakeTrajectory, PassesThroughTheWaypointsInActuatorOrderAtRest) {
  const Waypoints waypoints{"test",
                            {"elbow", "shoulder_yaw"},
                            Eigen::Vector3d(0.0, 2.0, 4.0),
                            (Eigen::MatrixXd(2, 3) << -1.0, -0.5, 0.2,  //
                             0.0, 0.6, 0.9)
                                .finished()};
  const auto trajectory = MakeTrajectory(waypoints, Arm());
  for (int k = 0; k < 3; ++k) {
    const Eigen::VectorXd q = trajectory.value(waypoints.times[k]);
    ASSERT_EQ(q.size(), 7);
    EXPECT_NEAR(q[3], waypoints.positions(0, k), 1e-14);
    EXPECT_NEAR(q[0], waypoints.positions(1, k), 1e-14);
    EXPECT_EQ(q[1], 0.0);
  }
  EXPECT_LT(trajectory.EvalDerivative(0.0, 1).norm(), 1e-14);
  EXPECT_LT(trajectory.EvalDerivative(4.0, 1).norm(), 1e-13);
}

TEST(MakeTrajectory, RefusesAnUnknownJointAndListsThoseThereAre) {
  const Waypoints waypoints{
      "test", {"knee"}, Eigen::Vector2d(0, 1), Eigen::RowVector2d(0, 0)};
  EXPECT_THROWS_MESSAGE(MakeTrajectory(waypoints, Arm()), std::runtime_error,
                        "move joint 'knee', but the robot has no such joint; "
                        "name some of: shoulder_yaw, shoulder_pitch");
}

TEST(MakeTrajectory, RefusesAJointWithoutAnActuator) {
  const Waypoints waypoints{
      "test", {"tool_mount"}, Eigen::Vector2d(0, 1), Eigen::RowVector2d(0, 0)};
  EXPECT_THROWS_MESSAGE(MakeTrajectory(waypoints, Arm()), std::runtime_error,
                        "but it has no actuator");
}

TEST(MakeTrajectory, RefusesToLeaveTheLimitsOfPositionAndVelocity) {
  Waypoints waypoints{
      "test", {"elbow"}, Eigen::Vector2d(0, 9), Eigen::RowVector2d(0, 2.5)};
  EXPECT_THROWS_MESSAGE(MakeTrajectory(waypoints, Arm()), std::runtime_error,
                        "of joint 'elbow', outside its limits [-2.3, 2.3]");
  waypoints = {
      "test", {"elbow"}, Eigen::Vector2d(0, 0.5), Eigen::RowVector2d(0, 1.0)};
  EXPECT_THROWS_MESSAGE(MakeTrajectory(waypoints, Arm()), std::runtime_error,
                        "the spline asks a velocity of 2.6");
}

}  // namespace
}  // namespace wyvern::examples
