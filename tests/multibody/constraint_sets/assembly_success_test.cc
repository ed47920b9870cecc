// Tests assembly from bad guesses, at every tolerance, and repeated assembly.
#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "tests/multibody/constraint_sets/turned_arm.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/random_rotation.h"
#include "wyvern/multibody/constraint_sets/assembly.h"

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

// A closed loop of six revolute joints, five of them in a chain. The sixth is a
// loop constraint. Twists and lengths of a general loop are random; it has
// isolated ways of assembly. Bricard's (1897) has links of 1 m and twists of 90
// and -90 degrees in turn, and moves although six joints usually do not.
class SixBarLoop : public testing::TestWithParam<unsigned> {
 protected:
  void Build(bool is_bricard) {
    const RigidBody<double>* parent = &plant_.world_body();
    RigidTransformd X_LF;
    for (int i = 0; i < 5; ++i) {
      const std::string name = "link" + std::to_string(i);
      if (!is_bricard) X_LF = AnyPose();
      const auto& link = plant_.AddRigidBody(
          name, SpatialInertia<double>::SolidBoxWithMass(1, 0.3, 0.1, 0.1));
      plant_.AddJoint<RevoluteJoint>(name, *parent, X_LF, link, {},
                                     Vector3d::UnitZ());
      parent = &link;
      X_LF = RigidTransformd(math::RotationMatrix<double>::MakeXRotation(
                                 i % 2 == 0 ? M_PI / 2 : -M_PI / 2),
                             Vector3d(1, 0, 0));
    }
    plant_.Finalize();
    context_ = plant_.CreateDefaultContext();
    home_ = VectorXd::NullaryExpr(5, [&]() { return Uniform(M_PI); });
    // Bricard's joints at 90 degrees have it closed.
    if (is_bricard) home_.setConstant(M_PI / 2);
    plant_.SetPositions(context_.get(), home_);
    if (!is_bricard) X_LF = AnyPose();
    const auto X_WS = plant_.EvalBodyPoseInWorld(*context_, *parent) * X_LF;
    for (int i : {0, 1, 3, 4, 5}) {
      set_.AddLoopConstraint(plant_.world_body(), *parent, X_WS, X_LF,
                             Vector6<double>::Unit(i));
    }
    set_.Bind(plant_);
  }
  double Uniform(double most) {
    return std::uniform_real_distribution<double>(-most, most)(generator_);
  }
  RigidTransformd AnyPose() {
    return RigidTransformd(
        math::UniformlyRandomRotationMatrix<double>(&generator_),
        Vector3d(Uniform(1), Uniform(1), Uniform(1)));
  }
  bool Assemble(double reach) {
    guess_ = home_ + VectorXd::NullaryExpr(5, [&]() { return Uniform(reach); });
    plant_.SetPositions(context_.get(), guess_);
    return CalcAssemblyQ<double>(plant_, *context_, &set_, &q_,
                                 VectorXd::Ones(5), 1e-12, 100, &report_);
  }
  int CountAssembled(double reach) {
    int found = 0;
    for (int i = 0; i < 50; ++i) found += Assemble(reach);
    return found;
  }

  RandomGenerator generator_{GetParam() + 1};
  MultibodyPlant<double> plant_{0.0};
  std::unique_ptr<systems::Context<double>> context_;
  ConstraintSet<double> set_;
  VectorXd home_, guess_, q_{VectorXd::Zero(5)};
  AssemblyReport report_;
};

// Full Newton steps from the same kind of guesses close less than a twentieth.
TEST_P(SixBarLoop, IsAssembledFromMostGuesses) {
  Build(false);
  EXPECT_GE(CountAssembled(M_PI), 40);
}

TEST_P(SixBarLoop, OfBricardIsAssembledFromNearlyAllGuesses) {
  Build(true);
  EXPECT_GE(CountAssembled(M_PI), 47);
}

// Near home its rows are nearly dependent, and Newton's steps with all rows
// converge by halves: down to rounding that takes some 40.
TEST_P(SixBarLoop, OfBricardIsAssembledInFewStepsNearHome) {
  Build(true);
  int num_iterations = 0;
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(Assemble(0.03));
    EXPECT_LE(report_.error_norm, 1e-14);
    EXPECT_LE((q_ - guess_).norm(), 2 * (home_ - guess_).norm());
    num_iterations += report_.num_iterations;
  }
  EXPECT_LE(num_iterations, 20 * 8);
}

TEST_P(SixBarLoop, IsAlwaysAssembledFromGoodGuessesAndNoFartherThanNeeded) {
  Build(false);
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(Assemble(0.1));
    EXPECT_LE((q_ - guess_).norm(), 2 * (home_ - guess_).norm());
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SixBarLoop, testing::Range(0u, 8u));

class ArmAssembly : public testing::TestWithParam<unsigned> {};

// The loop's error is reduced to rounding of the lengths, although some rows
// are redundant and some nearly so.
TEST_P(ArmAssembly, ReachesRoundingWhateverTheTolerance) {
  for (const auto& units : kAllUnits) {
    for (const double angle : {1.0, 1e-3, 1e-6, 1e-14}) {
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
