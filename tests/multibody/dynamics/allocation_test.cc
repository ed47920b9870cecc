// The kernels allocate nothing, from the first call on.
#include <gtest/gtest.h>

#include "tests/multibody/dynamics/random_model.h"
#include "tests/support/allocation_guard.h"
#include "wyvern/multibody/dynamics/center_of_mass.h"
#include "wyvern/multibody/dynamics/jacobians.h"
#include "wyvern/multibody/dynamics/momentum_and_energy.h"
#include "wyvern/multibody/dynamics/reaction_forces.h"

namespace wyvern::multibody::dynamics {
namespace {

using Eigen::VectorXd;
using test::RandomSystem;
using wyvern::test::AllocationGuard;

class Allocation : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  }
  RandomSystem system_{4, 40};
  const Model& model_{system_.model};
  test::Computed<double>& now_{system_.computed};
  std::vector<Vector6<double>> forces_{system_.RandomNodeForces()};
  VectorXd tau_{VectorXd::Ones(model_.num_v)};
  VectorXd vdot_{VectorXd::Ones(model_.num_v)};
};

TEST_F(Allocation, NoneByKinematics) {
  const AllocationGuard guard;
  now_.Update();
  EXPECT_EQ(guard.count(), 0);
}

TEST_F(Allocation, NoneByInverseDynamics) {
  const AllocationGuard guard;
  CalcInverseDynamics<double>(now_.motion(), vdot_, forces_, Gravity::kOn,
                              &now_.scratch, tau_);
  CalcBiasTerm<double>(now_.motion(), &now_.scratch, tau_);
  EXPECT_EQ(guard.count(), 0);
}

TEST_F(Allocation, NoneByTheMassMatrix) {
  Eigen::MatrixXd M(model_.num_v, model_.num_v);
  const AllocationGuard guard;
  CalcMassMatrix<double>(model_, now_.parameters, now_.positions,
                         now_.composites, M);
  EXPECT_EQ(guard.count(), 0);
}

TEST_F(Allocation, NoneByForwardDynamics) {
  const AllocationGuard guard;
  CalcArticulatedInertias<double>(now_.motion(), vdot_, &now_.articulated);
  CalcForwardDynamics<double>(now_.motion(), tau_, forces_, Gravity::kOn,
                              &now_.articulated, &now_.A, vdot_);
  SolveMassMatrix<double>(model_, now_.positions, tau_, &now_.articulated,
                          &now_.A, vdot_);
  EXPECT_EQ(guard.count(), 0);
}

TEST_F(Allocation, NoneByJacobiansMomentumAndReactions) {
  Matrix6X<double> J(6, model_.num_v);
  Eigen::MatrixXd J3(3, model_.num_v);
  std::vector<Vector6<double>> reactions(model_.num_bodies());
  const int bodies[] = {1, 2, 3};
  const Eigen::Vector3d p(1, 2, 3);
  const AllocationGuard guard;
  CalcSpatialVelocityJacobian<double>(model_, now_.positions, 9, p, J);
  CalcCenterOfMassJacobian<double>(model_, now_.parameters, now_.positions,
                                   bodies, J3);
  CalcSpatialMomentum<double>(model_, now_.parameters, now_.positions,
                              now_.velocities, bodies, p);
  CalcReactionForces<double>(model_, now_.parameters, now_.positions,
                             now_.velocities, now_.A, {}, Gravity::kOn,
                             &reactions);
  MapVelocityToQDot<double>(model_, now_.q, now_.v, now_.q);
  NormalizeQuaternions<double>(model_, now_.q);
  EXPECT_EQ(guard.count(), 0);
}

// More derivatives than a number has room for are in buffers that are kept. The
// first evaluation starts from results without derivatives: the second has more
// numbers in use at once.
TEST_F(Allocation, NoneByForwardDynamicsOfManyDerivativesInTheLongRun) {
  constexpr int kDerivatives = 30;
  const auto vary = [](const VectorXd& values) {
    VectorX<AutoDiffXd> result = values.cast<AutoDiffXd>();
    for (int i = 0; i < result.size(); ++i) {
      result[i].derivatives() = VectorXd::LinSpaced(kDerivatives, 0.1 * i, 1);
    }
    return result;
  };
  test::Computed<AutoDiffXd> now(model_,
                                 test::ToAutoDiff(model_, now_.parameters),
                                 vary(now_.q), vary(now_.v));
  const VectorX<AutoDiffXd> tau = vary(tau_), diagonal = vary(vdot_);
  const std::vector<Vector6<AutoDiffXd>> forces(
      forces_.size(), Vector6<AutoDiffXd>::Constant(tau[0]));
  VectorX<AutoDiffXd> vdot = tau, before = tau;
  const auto evaluate = [&] {
    now.Update();
    CalcArticulatedInertias<AutoDiffXd>(now.motion(), diagonal,
                                        &now.articulated);
    CalcForwardDynamics<AutoDiffXd>(now.motion(), tau, forces, Gravity::kOn,
                                    &now.articulated, &now.A, vdot);
  };
  evaluate();
  evaluate();
  before = vdot;
  const AllocationGuard guard;
  evaluate();
  EXPECT_EQ(guard.count(), 0);
  for (int i = 0; i < model_.num_v; ++i) {
    EXPECT_EQ(vdot[i].derivatives().size(), kDerivatives);
    EXPECT_EQ(vdot[i].derivatives(), before[i].derivatives());
  }
}

}  // namespace
}  // namespace wyvern::multibody::dynamics
