#include "wyvern/multibody/step/rows/constraint_rows.h"

#include <vector>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "tests/multibody/dynamics/random_model.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/near.h"
#include "wyvern/multibody/dynamics/forward_dynamics_passes.h"

namespace wyvern::multibody::internal {
namespace {

using dynamics::test::RandomSystem;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using wyvern::test::AllocationGuard;
using wyvern::test::Near;
using Kind = HolonomicConstraint::Kind;

// Constraints of each kind between random bodies of a random forest: rows 0,
// 1, 2-4, 5-10, 11-14 and 15-16.
class ConstraintRowsOfForest : public ::testing::TestWithParam<unsigned> {
 protected:
  ConstraintRowsOfForest()
      : system_(GetParam(), 14),
        now_(system_.computed),
        is_locked_(system_.model.num_v, false) {
    now_.ForwardDynamics(VectorXd::Zero(system_.model.num_v));
    for (int i = 0; i < 4; ++i) loop_.Add(system_.random.Numbers(6));
    for (int i = 0; i < 2; ++i) normals_.push_back(system_.random.Numbers(3));
    for (const Kind kind : {Kind::kCoupler, Kind::kDistance, Kind::kBall,
                            Kind::kWeld, Kind::kLoop, Kind::kPoint}) {
      constraints_.push_back(MakeConstraint(kind));
    }
  }

  HolonomicConstraint MakeConstraint(Kind kind) {
    const dynamics::Model& model = system_.model;
    HolonomicConstraint c;
    c.kind = kind;
    c.body_A = dynamics::MobodIndex(system_.random.Below(model.num_bodies()));
    c.body_B = dynamics::MobodIndex((c.body_A + 1) % model.num_bodies());
    c.X_AP = system_.random.AnyPose();
    c.X_BQ = system_.random.AnyPose();
    c.distance = 0.5;
    c.ratio = 1.5;
    c.v[0] = system_.random.Below(model.num_v);
    c.v[1] = (c.v[0] + 1) % model.num_v;
    c.loop = &loop_;
    c.normals = normals_;
    if (kind == Kind::kPoint) c.body_A = dynamics::MobodIndex(0);
    return c;
  }

  // J, row by row from the unit forces.
  MatrixXd CalcJacobian() {
    MatrixXd J = MatrixXd::Zero(kRows, system_.model.num_v);
    int row = 0;
    for (const HolonomicConstraint& c : constraints_) {
      const int rows = c.num_rows();
      if (c.kind == Kind::kCoupler) {
        J(row, c.v[0]) = 1;
        J(row, c.v[1]) = -c.ratio;
      } else {
        Matrix6X<double> F(6, rows);
        CalcUnitForces<double>(c, now_.X_WB, F);
        AddJacobianRows<double>(system_.model, now_.positions, c.body_B, F, 1,
                                0, J.middleRows(row, rows));
        AddJacobianRows<double>(system_.model, now_.positions, c.body_A, F, -1,
                                0, J.middleRows(row, rows));
      }
      row += rows;
    }
    return J;
  }

  void Fill() {
    rows_.Clear();
    for (int i = 0; i < 6; ++i) {
      rows_.Add(i, constraints_[i], now_.X_WB, now_.q);
    }
    rows_.Factorize(system_.model, now_.positions, now_.articulated,
                    is_locked_);
  }

  // M⁻¹, zero where locked.
  MatrixXd CalcResponse() {
    MatrixXd M = now_.MassMatrix();
    for (int i = 0; i < M.rows(); ++i) {
      if (is_locked_[i]) M(i, i) += 1e12;
    }
    return M.inverse();
  }

  // b is made by multipliers, so that it is in the range of A.
  void ExpectSolved() {
    const MatrixXd J = CalcJacobian();
    const MatrixXd A = J * CalcResponse() * J.transpose();
    const VectorXd b = A * system_.random.Numbers(kRows);
    VectorXd lambda(kRows);
    rows_.Solve(b, lambda);
    EXPECT_TRUE(Near(A * lambda, b, 1e-7 * (1 + b.norm())));
  }

  static constexpr int kRows = 17;

  RandomSystem system_;
  dynamics::test::Computed<double>& now_;
  LoopAxes loop_;
  std::vector<Vector3<double>> normals_;
  std::vector<bool> is_locked_;
  std::vector<HolonomicConstraint> constraints_;
  ConstraintRows<double> rows_;
};

TEST_P(ConstraintRowsOfForest, SolveJMInverseJt) {
  Fill();
  EXPECT_EQ(rows_.num_rows(), kRows);
  EXPECT_EQ(rows_.FindConstraint(0), 0);
  EXPECT_EQ(rows_.FindConstraint(4), 2);
  EXPECT_EQ(rows_.FindConstraint(10), 3);
  EXPECT_EQ(rows_.FindConstraint(11), 4);
  EXPECT_EQ(rows_.FindConstraint(16), 5);
  ExpectSolved();
}

TEST_P(ConstraintRowsOfForest, LeaveOutWhatIsLocked) {
  const dynamics::Model& model = system_.model;
  for (int n = 1; n < model.num_nodes(); n += 3) {
    const dynamics::Model::Node& node = model.nodes[n];
    for (int i = 0; i < node.nv; ++i) is_locked_[node.v_start + i] = true;
  }
  VectorXd diagonal = VectorXd::Zero(model.num_v);
  for (int i = 0; i < model.num_v; ++i) diagonal[i] = is_locked_[i] ? 1e30 : 0;
  now_.ForwardDynamics(VectorXd::Zero(model.num_v), {}, diagonal);
  Fill();
  ExpectSolved();
}

TEST_P(ConstraintRowsOfForest, VelocitiesAreJv) {
  Fill();
  VectorXd velocities(kRows);
  rows_.CalcVelocities(system_.model, now_.positions, now_.velocities, now_.v,
                       velocities);
  EXPECT_TRUE(Near(velocities, CalcJacobian() * now_.v, 1e-11));
}

TEST_P(ConstraintRowsOfForest, ForcesAreWorthJtLambda) {
  Fill();
  const dynamics::Model& model = system_.model;
  const VectorXd lambda = system_.random.Numbers(kRows);
  std::vector<Vector6<double>> F(model.num_bodies(), Vector6<double>::Zero());
  VectorXd bodies(model.num_v);
  rows_.AddForces(now_.X_WB, lambda, &F);
  std::vector<Vector6<double>> nodes(model.num_nodes(),
                                     Vector6<double>::Zero());
  auto scratch = nodes;
  dynamics::AddBodyForces<double>(model, now_.X_WB, now_.positions, F, &nodes);
  dynamics::CalcGeneralizedForces<double>(model, now_.positions, nodes,
                                          &scratch, bodies);
  // The coupler, row 0, is not between bodies.
  EXPECT_TRUE(Near(
      bodies,
      CalcJacobian().bottomRows(kRows - 1).transpose() * lambda.tail(kRows - 1),
      1e-11));
}

// Added between the two passes of forward dynamics.
TEST_P(ConstraintRowsOfForest, ResponsesAreMInverseJtLambda) {
  Fill();
  const dynamics::Model& model = system_.model;
  const VectorXd lambda = system_.random.Numbers(kRows);
  VectorXd& u = now_.articulated.u;
  u.setZero();
  rows_.AddResponse(lambda, &u);
  VectorXd x(model.num_v);
  dynamics::CalcForwardDynamicsOutward<double>(model, now_.positions,
                                               now_.articulated, &now_.A, x);
  const VectorXd force = CalcJacobian().transpose() * lambda;
  EXPECT_TRUE(Near(now_.MassMatrix() * x, force, 1e-9 * (1 + force.norm())));
}

// J v equals ė everywhere for distances and loops.
TEST_P(ConstraintRowsOfForest, VelocitiesAreRatesOfErrors) {
  const VectorXd q0 = now_.q;
  VectorXd qdot(system_.model.num_q), velocities(kRows);
  dynamics::MapVelocityToQDot<double>(system_.model, q0, now_.v, qdot);
  Fill();
  rows_.CalcVelocities(system_.model, now_.positions, now_.velocities, now_.v,
                       velocities);
  const double h = 1e-5;
  VectorXd errors[2];
  for (int side = 0; side < 2; ++side) {
    now_.q = q0 + (side == 0 ? h : -h) * qdot;
    now_.Update();
    Fill();
    errors[side] = rows_.errors();
  }
  const VectorXd differences = (errors[0] - errors[1]) / (2 * h);
  for (int i : {1, 11, 12, 13, 14}) {
    EXPECT_NEAR(velocities[i], differences[i],
                1e-5 * (1 + std::abs(velocities[i])));
  }
}

// J v̇ + J̇ v against the rate of J v along a motion.
TEST_P(ConstraintRowsOfForest, AccelerationsAreRatesOfVelocities) {
  const dynamics::Model& model = system_.model;
  const VectorXd vdot = system_.random.Numbers(model.num_v);
  const VectorXd q0 = now_.q, v0 = now_.v;
  VectorXd result(kRows);
  dynamics::CalcAccelerationKinematics<double>(model, now_.positions,
                                               now_.velocities, vdot, &now_.A);
  Fill();
  rows_.CalcAccelerations(model, now_.positions, now_.velocities, now_.X_WB,
                          now_.A, vdot, result);
  VectorXd qdot(model.num_q);
  dynamics::MapVelocityToQDot<double>(model, q0, v0, qdot);
  const double h = 1e-5;
  VectorXd rates[2];
  for (int side = 0; side < 2; ++side) {
    const double t = side == 0 ? h : -h;
    now_.q = q0 + t * qdot;
    now_.v = v0 + t * vdot;
    now_.Update();
    Fill();
    rates[side].resize(kRows);
    rows_.CalcVelocities(model, now_.positions, now_.velocities, now_.v,
                         rates[side]);
  }
  VectorXd differences = (rates[0] - rates[1]) / (2 * h);
  // Where a ball or weld is open, J̇ v is that of a point of each body, not of
  // the moving point midway; rotations and all other kinds do not mind.
  for (int i : {0, 5, 6, 7, 11, 12, 13, 14, 15, 16}) {
    EXPECT_NEAR(result[i], differences[i], 1e-5 * (1 + std::abs(result[i])));
  }
  EXPECT_NEAR(result[1], differences[1], 1e-4 * (1 + std::abs(result[1])));
}

INSTANTIATE_TEST_SUITE_P(Forests, ConstraintRowsOfForest,
                         ::testing::Range(0u, 14u));

class ConstraintRowsOfOneForest : public ConstraintRowsOfForest {};
INSTANTIATE_TEST_SUITE_P(Forest, ConstraintRowsOfOneForest,
                         ::testing::Values(3u));

TEST_P(ConstraintRowsOfOneForest, AllocateNothingTheSecondTime) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  Fill();
  VectorXd b = VectorXd::Zero(kRows);
  const AllocationGuard guard;
  Fill();
  rows_.Solve(b, b);
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace
}  // namespace wyvern::multibody::internal
