#include "examples/support/tour.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "examples/support/arm_model.h"
#include "wyvern/multibody/tree/revolute_joint.h"

namespace wyvern::examples {
namespace tour_test {

using multibody::MultibodyPlant;
using multibody::RevoluteJoint;
using multibody::SpatialInertia;

TEST(MakeTour, StaysWithinTheLimitsAndMovesEachJoint) {
  const auto arm = LoadArm(WYVERN_MODELS_DIR "/arm.urdf", 0.0);
  arm->Finalize();
  std::vector<std::string> remarks;
  const Waypoints tour = MakeTour(*arm, &remarks);
  EXPECT_TRUE(remarks.empty());
  EXPECT_NO_THROW(MakeTrajectory(tour, *arm));
  EXPECT_EQ(tour.joints.size(), 7u);
  EXPECT_GT(
      (tour.positions.col(1) - tour.positions.col(0)).cwiseAbs().minCoeff(),
      0.1);
}

// 1 kg at 1 m from a horizontal hinge, straight down at 0, with a range from
// there to 3 rad: up to 9.81 N m hold it.
struct Pendulum {
  Pendulum(double effort, double friction, double low = -0.5, double high = 3.0)
      : plant(1e-3) {
    const auto& bob = plant.AddRigidBody(
        "bob", SpatialInertia<double>::PointMass(1, {0, 0, -1}));
    const auto& hinge =
        plant.AddJoint<RevoluteJoint>("hinge", plant.world_body(), {}, bob, {},
                                      Eigen::Vector3d::UnitY(), low, high, 0.0);
    plant.get_mutable_joint(hinge.index())
        .set_default_friction_vector(Vector1<double>(friction));
    plant.AddJointActuator("motor", hinge, effort);
    plant.Finalize();
    tour = MakeTour(plant, &remarks);
  }
  MultibodyPlant<double> plant;
  std::vector<std::string> remarks;
  Waypoints tour;
};

TEST(MakeTour, IsAboutTheDefaultsWhereTheMiddleIsTooHeavy) {
  const Pendulum strong(30, 0);
  EXPECT_EQ(strong.tour.positions(0, 0), 1.25);
  EXPECT_TRUE(strong.remarks.empty());
  // sin(1.25) of 9.81 N m is too much; about 0.27 rad it is less.
  const Pendulum weak(9, 0);
  EXPECT_NEAR(weak.tour.positions(0, 0), 0.27, 1e-15);
  ASSERT_GE(weak.remarks.size(), 1u);
  EXPECT_NE(weak.remarks[0].find("default positions"), std::string::npos);
}

TEST(MakeTour, TakesTheTurnNearestToZeroOfARangeFarFromIt) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const auto expect_about = [](double center, double low, double high) {
    const Pendulum pendulum(30, 0, low, high);
    const auto& positions = pendulum.tour.positions;
    EXPECT_NEAR(positions(0, 0), center, 1e-13);
    // Each way a fifth of the range, or of a turn.
    EXPECT_NEAR((positions.array() - center).abs().maxCoeff(),
                0.2 * std::min(high - low, 2 * M_PI), 1e-13);
    EXPECT_GE(positions.minCoeff(), low);
    EXPECT_LE(positions.maxCoeff(), high);
  };
  expect_about(10 + M_PI, 10, 20);
  expect_about(-10 - M_PI, -20, -10);
  expect_about(11.5, 10, 13);
  expect_about(100 + M_PI, 100, kInf);
  expect_about(-100 - M_PI, -kInf, -100);
  expect_about(0, -kInf, kInf);
}

TEST(MakeTour, LeavesAJointThatItsMotorCannotMove) {
  const Pendulum stuck(2, 3);
  EXPECT_TRUE(stuck.tour.positions.isConstant(1.25, 0));
  ASSERT_EQ(stuck.remarks.size(), 1u);
  EXPECT_EQ(stuck.remarks[0],
            "joint 'hinge' stays where it is: its dry friction, 3, is no less "
            "than its effort limit, 2.");
}

TEST(MakeTour, SaysThatNoneIsAllowed) {
  const Pendulum hopeless(1e-3, 0);
  ASSERT_EQ(hopeless.remarks.size(), 1u);
  EXPECT_NE(hopeless.remarks[0].find("any tour"), std::string::npos);
}

// The bob of a pendulum on a rope.
TEST(MakeTour, SaysThatARobotHasLoops) {
  MultibodyPlant<double> plant(1e-3);
  const auto& bob = plant.AddRigidBody(
      "bob", SpatialInertia<double>::PointMass(1, {0, 0, -1}));
  const auto& hinge =
      plant.AddJoint<RevoluteJoint>("hinge", plant.world_body(), {}, bob, {},
                                    Eigen::Vector3d::UnitY(), -1, 1, 0.0);
  plant.AddJointActuator("motor", hinge);
  plant.AddDistanceConstraint(plant.world_body(), Eigen::Vector3d(1, 0, 0), bob,
                              Eigen::Vector3d(0, 0, -1), std::sqrt(2.0));
  plant.Finalize();
  EXPECT_EQ(CountLoops(plant), 1);
  std::vector<std::string> remarks;
  MakeTour(plant, &remarks);
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_TRUE(remarks[0].starts_with("the robot has 1 loops")) << remarks[0];
}

}  // namespace tour_test
}  // namespace wyvern::examples
