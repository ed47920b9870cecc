// Tests assembly from bad guesses, at every tolerance, and repeated assembly.
#include <algorithm>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/multibody/constraints/turned_arm.h"
#include "tests/support/near.h"
#include "wyvern/multibody/constraints/assembly.h"

namespace wyvern::multibody {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using math::RigidTransformd;
using test::kAllUnits;
using test::TurnedArm;

// An industrial arm of six revolute joints. Its flange should reach a pose that
// is within reach.
class SixJointArm : public testing::TestWithParam<unsigned> {
 protected:
  SixJointArm() {
    const Vector3d axes[] = {{0, 0, 1}, {0, 1, 0}, {0, 1, 0},
                             {1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    const Vector3d places[] = {{0, 0, 0},   {0, 0, 0.3}, {0, 0, 0.5},
                               {0.4, 0, 0}, {0.1, 0, 0}, {0.1, 0, 0}};
    const RigidBody<double>* parent = &plant_.world_body();
    for (int i = 0; i < 6; ++i) {
      const std::string name = "link" + std::to_string(i);
      const auto& link = plant_.AddRigidBody(
          name, SpatialInertia<double>::SolidBoxWithMass(1, 0.3, 0.1, 0.1));
      plant_.AddJoint<RevoluteJoint>(name, *parent, RigidTransformd(places[i]),
                                     link, {}, axes[i]);
      parent = &link;
    }
    plant_.Finalize();
    context_ = plant_.CreateDefaultContext();
    plant_.SetPositions(context_.get(), Angles(1.5));
    const auto X_WF = plant_.EvalBodyPoseInWorld(*context_, *parent);
    for (int i = 0; i < 6; ++i) {
      set_.AddLoopConstraint(plant_.world_body(), *parent, X_WF, {},
                             Vector6<double>::Unit(i));
    }
    set_.Bind(plant_);
  }
  VectorXd Angles(double most) {
    return VectorXd::NullaryExpr(6, [&]() {
      return std::uniform_real_distribution<double>(-most, most)(generator_);
    });
  }
  bool Assemble(const VectorXd& guess, double tolerance = 1e-12) {
    plant_.SetPositions(context_.get(), guess);
    return CalcAssemblyQ<double>(plant_, *context_, &set_, &q_,
                                 VectorXd::Ones(6), tolerance, 100, &report_);
  }

  std::mt19937 generator_{GetParam()};
  MultibodyPlant<double> plant_{0.0};
  std::unique_ptr<systems::Context<double>> context_;
  ConstraintSet<double> set_;
  VectorXd q_{VectorXd::Zero(6)};
  AssemblyReport report_;
};

TEST_P(SixJointArm, IsAssembledFromNearlyAllGuesses) {
  int found = 0;
  for (int i = 0; i < 50; ++i) {
    if (!Assemble(Angles(M_PI))) continue;
    ++found;
    EXPECT_LE(report_.error_norm, 1e-12);
  }
  EXPECT_GE(found, 45);
}

TEST_P(SixJointArm, GivesTheSameBitsAfterOtherGuesses) {
  const VectorXd guess = Angles(1);
  const bool is_found = Assemble(guess);
  const VectorXd first = q_;
  for (int i = 0; i < 5; ++i) Assemble(Angles(3));
  EXPECT_EQ(Assemble(guess), is_found);
  EXPECT_EQ(q_, first);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SixJointArm, testing::Range(0u, 8u));

class ArmAssembly : public testing::TestWithParam<unsigned> {};

// The loop's error is reduced to rounding of the lengths, although some rows
// are redundant and some nearly so.
TEST_P(ArmAssembly, ReachesRoundingWhateverTheTolerance) {
  for (const auto& units : kAllUnits) {
    for (const double angle : {1.0, 1e-3, 1e-6, 1e-14}) {
      // In units that make weights of 1 very uneven, nearly parallel rows may
      // end at the tolerance.
      const bool is_nearly_parallel = angle < 1 && angle > 1e-12;
      if (is_nearly_parallel && units.length != 1) continue;
      for (const double tolerance : {1e-1, 1e-3, 1e-6, 1e-9, 1e-12}) {
        TurnedArm arm(GetParam(), units);
        auto set = arm.MakeRows(angle, true);
        set.Bind(arm.plant);
        const VectorXd guess = arm.plant.GetPositions(*arm.context) +
                               arm.InUnits(0.2 * arm.Numbers(7));
        arm.plant.SetPositions(arm.context.get(), guess);
        VectorXd q(7);
        AssemblyReport report;
        EXPECT_TRUE(CalcAssemblyQ<double>(
            arm.plant, *arm.context, &set, &q, VectorXd::Ones(7),
            tolerance * units.length, 100, &report))
            << angle << " " << tolerance;
        // A guess that is good enough stays unchanged.
        if (q == guess) continue;
        EXPECT_LE(report.error_norm, 1e-13 * units.length)
            << angle << " " << tolerance;
      }
    }
  }
}

TEST_P(ArmAssembly, OfALockedArmIsNotThatOfTheLastCall) {
  TurnedArm arm(GetParam());
  auto set = arm.MakeRows(1, true);
  set.Bind(arm.plant);
  const VectorXd q0 = arm.plant.GetPositions(*arm.context);
  VectorXd q(7);
  const VectorXd weights = VectorXd::Ones(7);
  const auto& joint = arm.plant.get_joint(JointIndex(3));
  arm.plant.SetPositions(arm.context.get(), q0 + 0.05 * arm.Numbers(7));
  CalcAssemblyQ<double>(arm.plant, *arm.context, &set, &q, weights);
  EXPECT_NE(q[3], arm.plant.GetPositions(*arm.context)[3]);
  arm.plant.SetVelocities(arm.context.get(), VectorXd::Zero(7));
  joint.Lock(arm.context.get());
  CalcAssemblyQ<double>(arm.plant, *arm.context, &set, &q, weights);
  EXPECT_EQ(q[3], arm.plant.GetPositions(*arm.context)[3]);
  joint.Unlock(arm.context.get());
  CalcAssemblyQ<double>(arm.plant, *arm.context, &set, &q, weights);
  EXPECT_NE(q[3], arm.plant.GetPositions(*arm.context)[3]);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ArmAssembly, testing::Range(0u, 10u));

}  // namespace
}  // namespace wyvern::multibody
