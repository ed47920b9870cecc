// Positions and velocities that meet constraints, of linkages.
#include "wyvern/multibody/constraint_sets/assembly.h"

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "tests/multibody/constraint_sets/pinned_linkage.h"
#include "tests/multibody/constraint_sets/random_constrained_plant.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/constraint_sets/constrained_dynamics.h"

namespace wyvern::multibody {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using test::FourBar;
using test::MakePin;
using wyvern::test::Near;

class Assembly : public testing::Test {
 protected:
  bool Assemble(const Vector3d& guess, const Vector3d& weights = {1, 1, 1}) {
    bar_.plant.SetPositions(bar_.context.get(), guess);
    const bool found = CalcAssemblyQ<double>(
        bar_.plant, *bar_.context, &set_, &q_, weights, 1e-12, 100, &report_);
    EXPECT_EQ(found, report_.is_assembled);
    return found;
  }
  // How far W (q - q0) is from the rows of G, where q was found.
  double OffNormal(const Vector3d& guess, const Vector3d& weights) {
    bar_.plant.SetPositions(bar_.context.get(), q_);
    MatrixX<double> G(set_.size(), 3);
    CalcConstraintsJacobian<double>(bar_.plant, *bar_.context, &set_, &G);
    const MatrixX<double> free = G.fullPivLu().kernel();
    return (free.colwise().normalized().transpose() *
            weights.cwiseProduct(q_ - guess))
        .norm();
  }

  FourBar bar_{0, FourBar::Closure::kNone};
  ConstraintSet<double> set_{MakePin(bar_)};
  VectorXd q_{VectorXd::Zero(3)};
  AssemblyReport report_;
};

TEST_F(Assembly, MeetsTheConstraintsAtTheNearestPositions) {
  for (const Vector3d& weights :
       {Vector3d(1, 1, 1), Vector3d(5, 1, 0.2), Vector3d(0.01, 3, 7)}) {
    const Vector3d guess(0.9, -0.2, 1.5);
    ASSERT_TRUE(Assemble(guess, weights));
    // To some roundings of lengths of 1 m and angles of 1 rad.
    EXPECT_LE(report_.error_norm, 2e-15);
    EXPECT_LE(OffNormal(guess, weights), 1e-14);
  }
}

TEST_F(Assembly, LeavesWhatIsAssembledAsItIs) {
  ASSERT_TRUE(Assemble({0.9, -0.2, 1.5}));
  const Vector3d found = q_;
  ASSERT_TRUE(Assemble(found));
  EXPECT_EQ(q_, found);
  EXPECT_EQ(report_.num_iterations, 0);
}

TEST_F(Assembly, AlwaysConvergesWhateverTheGuess) {
  for (double crank = -3; crank <= 3; crank += 0.5) {
    for (const double coupler : {-3.0, 0.0, 1.7}) {
      for (const double rocker : {-2.0, 0.0, 3.1}) {
        EXPECT_TRUE(Assemble({crank, coupler, rocker}))
            << crank << " " << coupler << " " << rocker << " left "
            << report_.error_norm;
      }
    }
  }
}

TEST_F(Assembly, TakesTheLastStepWhateverTheTolerance) {
  for (const double tolerance : {1e-12, 1e-8, 1e-4, 1e-2}) {
    bar_.plant.SetPositions(bar_.context.get(), Vector3d(0.9, -0.2, 1.5));
    ASSERT_TRUE(CalcAssemblyQ<double>(bar_.plant, *bar_.context, &set_, &q_,
                                      Vector3d(1, 1, 1), tolerance, 100,
                                      &report_));
    EXPECT_LE(report_.error_norm, 2e-15);
  }
}

TEST_F(Assembly, PositionsOfNoWeightGiveWay) {
  for (double crank = -3; crank <= 3; crank += 1) {
    ASSERT_TRUE(Assemble({crank, -0.5, 1.5}, {1, 0, 0}));
    EXPECT_NEAR(q_[0], crank, 1e-9);
  }
}

TEST_F(Assembly, RepeatedConstraintsChangeNothing) {
  ASSERT_TRUE(Assemble({0.9, -0.2, 1.5}));
  const VectorXd once = q_;
  set_ = MakePin(bar_, 2);
  ASSERT_TRUE(Assemble({0.9, -0.2, 1.5}));
  EXPECT_TRUE(Near(q_, once, 1e-14));
}

TEST_F(Assembly, VelocitiesAreTheNearestThatMeetTheConstraints) {
  ASSERT_TRUE(Assemble({0.9, -0.2, 1.5}));
  bar_.plant.SetPositions(bar_.context.get(), q_);
  const Vector3d v0(0.3, -2, 1), weights(5, 1, 0.2);
  bar_.plant.SetVelocities(bar_.context.get(), v0);
  VectorXd v(3);
  CalcAssemblyQDot<double>(bar_.plant, *bar_.context, &set_, &v, weights);
  EXPECT_TRUE(Near(set_.G() * v, VectorXd::Zero(2), 1e-14));
  const MatrixX<double> free = set_.G().fullPivLu().kernel();
  EXPECT_NEAR((free.transpose() * weights.cwiseProduct(v - v0)).norm(), 0,
              1e-13);
}

TEST_F(Assembly, VelocitiesAreFoundWithoutAllocating) {
  test::RandomConstrainedPlant model(2);
  ConstraintSet<double> set = model.DrawIndependentConstraints(false);
  const int nv = model.plant.num_velocities();
  const VectorXd v0 = model.plant.GetVelocities(*model.context);
  VectorXd v(nv), some = VectorXd::Ones(nv);
  some.tail(nv / 2).setZero();
  for (const VectorXd& weights :
       {VectorXd(VectorXd::Ones(nv)), some, VectorXd(VectorXd::Zero(nv))}) {
    const auto run = [&] {
      CalcAssemblyQDot<double>(model.plant, *model.context, &set, &v, weights);
    };
    run();
    wyvern::test::AllocationGuard guard;
    run();
    EXPECT_EQ(guard.count(), 0);
    EXPECT_TRUE(Near(set.G() * v, VectorXd::Zero(set.size()), 1e-13));
    EXPECT_GT((v - v0).norm(), 0.1);
  }
}

TEST_F(Assembly, VelocitiesOfNoWeightGiveWayAndThenStay) {
  ASSERT_TRUE(Assemble({0.9, -0.2, 1.5}));
  bar_.plant.SetPositions(bar_.context.get(), q_);
  bar_.plant.SetVelocities(bar_.context.get(), Vector3d(0.7, 0, 0));
  VectorXd v(3), again(3);
  CalcAssemblyQDot<double>(bar_.plant, *bar_.context, &set_, &v,
                           Vector3d(1, 0, 0));
  EXPECT_NEAR(v[0], 0.7, 1e-14);
  EXPECT_TRUE(Near(set_.G() * v, VectorXd::Zero(2), 1e-14));
  bar_.plant.SetVelocities(bar_.context.get(), v);
  CalcAssemblyQDot<double>(bar_.plant, *bar_.context, &set_, &again,
                           Vector3d(0, 0, 1));
  EXPECT_TRUE(Near(again, v, 1e-15));
}

TEST_F(Assembly, NamesWhatCannotBeMet) {
  // A rocker of 2.6 m from 0.8 m away stays 0.8 m out of reach.
  set_ = MakePin(bar_, 1, 2.6);
  bar_.plant.SetPositions(bar_.context.get(), Vector3d(0.1, 0.2, 3.0));
  AssemblyReport report;
  EXPECT_FALSE(CalcAssemblyQ<double>(bar_.plant, *bar_.context, &set_, &q_,
                                     Vector3d(1, 1, 1), 1e-12, 200, &report));
  EXPECT_NEAR(report.error_norm, 0.8, 1e-6);
  ASSERT_EQ(report.residuals.size(), 2);
  EXPECT_EQ(report.residuals[0].constraint, set_.GetRowLabel(0));
  EXPECT_FALSE(report.residuals[0].is_met);
  EXPECT_NE(report.DescribeUnmet().find("'pin'"), std::string::npos);
}

TEST_F(Assembly, NeverEndsWithLargerErrors) {
  bar_.plant.SetPositions(bar_.context.get(), Vector3d(0.3, 2.0, -1.0));
  VectorXd before(2);
  CalcConstraintsPositionError<double>(bar_.plant, *bar_.context, &set_,
                                       &before);
  for (int iterations = 0; iterations < 6; ++iterations) {
    CalcAssemblyQ<double>(bar_.plant, *bar_.context, &set_, &q_,
                          Vector3d(1, 1, 1), 1e-12, iterations, &report_);
    EXPECT_LE(report_.error_norm, before.norm());
  }
}

TEST_F(Assembly, SaysWhatIsWrongWithItsArguments) {
  const auto q = [&](const VectorXd& weights, double tolerance) {
    CalcAssemblyQ<double>(bar_.plant, *bar_.context, &set_, &q_, weights,
                          tolerance);
  };
  EXPECT_THROWS_MESSAGE(
      q(Eigen::Vector2d(1, 1), 1e-12), std::logic_error,
      "there are 2 weights; wanted is one for each of the plant's 3");
  EXPECT_THROWS_MESSAGE(q(Vector3d(1, -1, 1), 1e-12), std::logic_error,
                        "weight 1 is -1");
  EXPECT_THROWS_MESSAGE(q(Vector3d(1, 1, 1), 0), std::logic_error,
                        "the tolerance is 0 and");
  VectorXd v(2);
  EXPECT_THROWS_MESSAGE(CalcAssemblyQDot<double>(bar_.plant, *bar_.context,
                                                 &set_, &v, Vector3d(1, 1, 1)),
                        std::logic_error, "CalcAssemblyQDot(): v has size 2");
  ConstraintSet<double> loose;
  EXPECT_THROWS_MESSAGE(CalcAssemblyQ<double>(bar_.plant, *bar_.context, &loose,
                                              &q_, Vector3d(1, 1, 1)),
                        std::logic_error, "not bound");
}

}  // namespace
}  // namespace wyvern::multibody
