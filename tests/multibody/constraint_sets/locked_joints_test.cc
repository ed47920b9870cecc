// Constraints move what is not locked, and nothing else.
#include <gtest/gtest.h>

#include "tests/multibody/constraint_sets/pinned_linkage.h"
#include "tests/multibody/constraint_sets/random_constrained_plant.h"
#include "tests/support/near.h"
#include "wyvern/multibody/constraint_sets/assembly.h"
#include "wyvern/multibody/constraint_sets/constrained_inverse_dynamics.h"

namespace wyvern::multibody {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using test::RandomConstrainedPlant;
using wyvern::test::Near;

// Equations of the moving joints: M v̇ + C = tau + Gᵀ lambda, G v̇ = gamma.
class LockedJoints : public testing::TestWithParam<unsigned> {
 protected:
  LockedJoints() {
    for (const int j : {1, 4, 6}) {
      const auto& joint = plant().get_joint(JointIndex(j));
      if (joint.num_velocities() == 0) continue;
      joint.Lock(model_.context.get());
      for (int i = 0; i < joint.num_velocities(); ++i) {
        is_locked_[joint.velocity_start() + i] = true;
      }
    }
    set_ = model_.DrawIndependentConstraints(false);
  }
  const MultibodyPlant<double>& plant() const { return model_.plant; }
  int nv() const { return plant().num_velocities(); }
  void ExpectAtRest(const VectorXd& v) const {
    for (int i = 0; i < nv(); ++i) {
      EXPECT_EQ(is_locked_[i] ? v[i] : 0, 0) << i;
    }
  }
  VectorXd WhatMoves(VectorXd x) const {
    for (int i = 0; i < nv(); ++i) x[i] *= is_locked_[i] ? 0 : 1;
    return x;
  }

  RandomConstrainedPlant model_{GetParam()};
  ConstraintSet<double> set_;
  std::vector<bool> is_locked_ = std::vector<bool>(nv(), false);
};

TEST_P(LockedJoints, HaveNoAccelerationAndTheOthersMeetTheirEquations) {
  const auto& context = *model_.context;
  MultibodyForces<double> none(plant());
  VectorXd first;
  MatrixX<double> G(set_.size(), nv());
  CalcConstraintsJacobian<double>(plant(), context, &set_, &G);
  for (auto* solve : {&ForwardDynamicsConstraintsDirect<double>,
                      &ForwardDynamicsConstraintsRangeSpaceSparse<double>,
                      &ForwardDynamicsConstraintsNullSpace<double>,
                      &ForwardDynamicsContactsKokkevis<double>}) {
    VectorXd vdot(nv());
    solve(plant(), context, model_.tau, &set_, &vdot, nullptr);
    ExpectAtRest(vdot);
    const double scale =
        1 + vdot.norm() + G.norm() * set_.force().cwiseAbs().maxCoeff();
    EXPECT_TRUE(Near(G * vdot, set_.gamma(), 1e-9 * scale));
    const VectorXd residual = plant().CalcInverseDynamics(context, vdot, none) -
                              model_.tau -
                              plant().CalcGravityGeneralizedForces(context) -
                              G.transpose() * set_.force();
    EXPECT_TRUE(Near(WhatMoves(residual), VectorXd::Zero(nv()), 1e-9 * scale));
    if (first.size() == 0) first = vdot;
    EXPECT_TRUE(Near(vdot, first, 1e-8 * scale));
  }
}

TEST_P(LockedJoints, StandStillInImpacts) {
  const auto& context = *model_.context;
  MatrixX<double> M(nv(), nv()), G(set_.size(), nv());
  plant().CalcMassMatrix(context, &M);
  CalcConstraintsJacobian<double>(plant(), context, &set_, &G);
  const VectorXd v = plant().GetVelocities(context);
  for (auto* solve : {&ComputeConstraintImpulsesDirect<double>,
                      &ComputeConstraintImpulsesRangeSpaceSparse<double>,
                      &ComputeConstraintImpulsesNullSpace<double>}) {
    VectorXd after(nv());
    solve(plant(), context, &set_, &after);
    ExpectAtRest(after);
    const double scale = 1 + G.norm() * set_.impulse().cwiseAbs().maxCoeff();
    EXPECT_TRUE(Near(G * after, VectorXd::Zero(set_.size()), 1e-9 * scale));
    const VectorXd residual = M * (after - v) + G.transpose() * set_.impulse();
    EXPECT_TRUE(Near(WhatMoves(residual), VectorXd::Zero(nv()), 1e-9 * scale));
  }
}

TEST_P(LockedJoints, AreNotMovedByMotors) {
  const auto& context = *model_.context;
  set_.SetActuationMap(plant(), std::vector<bool>(nv(), true));
  EXPECT_TRUE(
      IsConstrainedSystemFullyActuated<double>(plant(), context, &set_));
  const VectorXd wish = model_.Numbers(nv());
  VectorXd vdot(nv()), tau(nv()), again(nv());
  InverseDynamicsConstraintsRelaxed<double>(plant(), context, wish, &set_,
                                            &vdot, &tau);
  ExpectAtRest(vdot);
  ExpectAtRest(tau);
  ForwardDynamicsConstraintsDirect<double>(plant(), context, tau, &set_,
                                           &again);
  EXPECT_TRUE(Near(again, vdot, 1e-7 * (1 + tau.norm())));
}

TEST_P(LockedJoints, StayWhereTheyAreInAssembly) {
  const auto& context = *model_.context;
  VectorXd q(plant().num_positions()), v(nv());
  CalcAssemblyQ<double>(plant(), context, &set_, &q, VectorXd::Ones(nv()),
                        1e-10, 5);
  CalcAssemblyQDot<double>(plant(), context, &set_, &v, VectorXd::Ones(nv()));
  ExpectAtRest(v);
  const VectorXd q0 = plant().GetPositions(context);
  EXPECT_GT((q - q0).norm(), 0.01);
  for (const int j : {1, 4, 6}) {
    const auto& joint = plant().get_joint(JointIndex(j));
    if (joint.num_velocities() == 0) continue;
    const int start = joint.position_start(), n = joint.num_positions();
    VectorXd expected = q0.segment(start, n);
    if (n == 7 || n == 4) expected.head<4>().normalize();
    EXPECT_TRUE(Near(q.segment(start, n), expected, 1e-14));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, LockedJoints, testing::Range(0u, 6u));

// With its crank locked, a four-bar linkage cannot move at all.
TEST(LockedLinkage, IsWeldedByItsPin) {
  test::FourBar bar(0, test::FourBar::Closure::kNone);
  ConstraintSet<double> set = test::MakePin(bar);
  bar.plant.SetPositions(bar.context.get(), Vector3d(0.9, -0.2, 1.5));
  bar.plant.get_joint(JointIndex(0)).Lock(bar.context.get());
  VectorXd q(3), v(3);
  ASSERT_TRUE(CalcAssemblyQ<double>(bar.plant, *bar.context, &set, &q,
                                    Vector3d(1, 1, 1)));
  EXPECT_EQ(q[0], 0.9);
  bar.plant.SetPositions(bar.context.get(), q);
  bar.plant.SetVelocities(bar.context.get(), Vector3d(3, 2, 1));
  CalcAssemblyQDot<double>(bar.plant, *bar.context, &set, &v,
                           Vector3d(1, 1, 1));
  EXPECT_TRUE(Near(v, VectorXd::Zero(3), 1e-14));
  bar.plant.SetVelocities(bar.context.get(), v);
  VectorXd vdot(3);
  ForwardDynamicsContactsKokkevis<double>(bar.plant, *bar.context,
                                          Vector3d(5, 4, 3), &set, &vdot);
  EXPECT_TRUE(Near(vdot, VectorXd::Zero(3), 1e-11));
}

}  // namespace
}  // namespace wyvern::multibody
