// Kinematics of random forests, against derivatives in time by AutoDiff.
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/multibody/dynamics/random_model.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/dynamics/jacobians.h"
#include "wyvern/multibody/dynamics/mobilizers/visit_mobilizer.h"

namespace wyvern::multibody::dynamics {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::Computed;
using test::Moving;
using test::RandomSystem;
using test::RatesOf;
using wyvern::test::Near;

// Rounding that a chain of some ten bodies with arms of some metres collects.
constexpr double kTolerance = 1e-11;

class RandomForest : public ::testing::TestWithParam<unsigned> {
 protected:
  RandomSystem system_{GetParam()};
  const Model& model_{system_.model};
  Computed<double>& now_{system_.computed};

  // Returns the kinematics of the state with q moving by v, and v by vdot.
  Computed<AutoDiffXd> InMotion(const VectorXd& vdot) const {
    return {model_, test::ToAutoDiff(model_, now_.parameters),
            Moving(now_.q, system_.QDot()), Moving(now_.v, vdot)};
  }
};

TEST_P(RandomForest, BodyVelocityIsTheRateOfItsPose) {
  const auto moving = InMotion(VectorXd::Zero(model_.num_v));
  std::vector<Vector6<double>> V_WB(model_.num_bodies());
  CalcBodyVelocities<double>(model_, now_.X_WB, now_.positions, now_.velocities,
                             &V_WB);
  for (int i = 0; i < model_.num_bodies(); ++i) {
    const MatrixXd S = RatesOf(moving.X_WB[i].R) * now_.X_WB[i].R.transpose();
    Vector6<double> expected;
    expected << S(2, 1), S(0, 2), S(1, 0), RatesOf(moving.X_WB[i].p);
    EXPECT_TRUE(Near(V_WB[i], expected, kTolerance)) << "body " << i;
  }
}

TEST_P(RandomForest, BodyAccelerationIsTheRateOfItsVelocity) {
  const VectorXd vdot = system_.random.Numbers(model_.num_v);
  const auto moving = InMotion(vdot);
  std::vector<Vector6<AutoDiffXd>> V_WB(model_.num_bodies());
  CalcBodyVelocities<AutoDiffXd>(model_, moving.X_WB, moving.positions,
                                 moving.velocities, &V_WB);
  CalcAccelerationKinematics<double>(model_, now_.positions, now_.velocities,
                                     vdot, &now_.A);
  std::vector<Vector6<double>> A_WB(model_.num_bodies());
  CalcBodyAccelerations<double>(model_, now_.X_WB, now_.positions,
                                now_.velocities, now_.A, &A_WB);
  for (int i = 0; i < model_.num_bodies(); ++i) {
    EXPECT_TRUE(Near(A_WB[i], RatesOf(V_WB[i]), 10 * kTolerance))
        << "body " << i;
  }
}

TEST_P(RandomForest, MobilizerFramesMoveAsTheJointSays) {
  for (int i = 1; i < model_.num_bodies(); ++i) {
    const Model::Body& body = model_.bodies[i];
    const BodyParameters<double>& given = now_.parameters.bodies[i];
    const Pose<double> X_WF = now_.X_WB[body.parent] * given.X_PF;
    const Pose<double> X_WM = now_.X_WB[i] * given.X_BM;
    Pose<double> X_FM = X_WF.Inverse() * X_WM;
    if (body.is_reversed) X_FM = X_FM.Inverse();
    const double q = body.nq > 0 ? now_.q[body.q_start] : 0;
    if (body.type == MobilizerType::kRevolute) {
      EXPECT_TRUE(Near(
          X_FM.R, Eigen::AngleAxisd(q, given.axis).toRotationMatrix(), 1e-13));
      EXPECT_TRUE(Near(X_FM.p, Vector3d::Zero(), kTolerance));
    } else if (body.type == MobilizerType::kPrismatic) {
      EXPECT_TRUE(Near(X_FM.R, MatrixXd::Identity(3, 3), 1e-13));
      EXPECT_TRUE(Near(X_FM.p, q * given.axis, kTolerance));
    } else if (body.type == MobilizerType::kScrew) {
      const double distance = q * given.pitch / (2 * M_PI);
      EXPECT_TRUE(Near(X_FM.p, distance * given.axis, kTolerance));
    } else if (body.type == MobilizerType::kWeld) {
      EXPECT_TRUE(Near(X_FM.R, MatrixXd::Identity(3, 3), 1e-13));
    } else {
      VisitMobilizer<double>(body.type, [&]<typename M>(M) {
        const auto expected =
            M::CalcX_FM(now_.q.data() + body.q_start, {0.0, given.path});
        EXPECT_TRUE(Near(X_FM.R, expected.R, 1e-13));
        EXPECT_TRUE(Near(X_FM.p, expected.p, kTolerance));
      });
    }
  }
}

TEST_P(RandomForest, JacobianTimesVIsTheVelocityOfThePoint) {
  for (int i = 0; i < model_.num_bodies(); ++i) {
    const Vector3d p_WQ = system_.random.Numbers(3);
    Matrix6X<double> J(6, model_.num_v);
    CalcSpatialVelocityJacobian<double>(model_, now_.positions, i, p_WQ, J);
    const Vector6<double> V = CalcPointVelocity<double>(
        model_, now_.positions, now_.velocities, i, p_WQ);
    EXPECT_TRUE(Near(J * now_.v, V, kTolerance));
    MatrixXd part(3, model_.num_v);
    CalcAngularVelocityJacobian<double>(model_, now_.positions, i, part);
    EXPECT_TRUE(Near(part, J.topRows<3>()));
    CalcTranslationalVelocityJacobian<double>(model_, now_.positions, i, p_WQ,
                                              part);
    EXPECT_TRUE(Near(part, J.bottomRows<3>()));
  }
}

TEST_P(RandomForest, BiasAccelerationIsTheRateOfTheJacobianTimesV) {
  CalcBiasAccelerations<double>(model_, now_.velocities, &now_.A);
  const auto moving = InMotion(VectorXd::Zero(model_.num_v));
  const int body = model_.num_bodies() - 1;
  const Vector3<AutoDiffXd>& p_WB = moving.X_WB[body].p;
  Matrix6X<AutoDiffXd> J(6, model_.num_v);
  CalcSpatialVelocityJacobian<AutoDiffXd>(model_, moving.positions, body, p_WB,
                                          J);
  const Vector6<double> bias = CalcPointAcceleration<double>(
      model_, now_.positions, now_.velocities, now_.A, body, now_.X_WB[body].p);
  EXPECT_TRUE(Near(bias, RatesOf(J) * now_.v, 10 * kTolerance));
}

TEST_P(RandomForest, NodeForcesAreWorthJacobianTransposedTimesForce) {
  std::vector<Vector6<double>> F(model_.num_nodes(), Vector6<double>::Zero());
  VectorXd expected = VectorXd::Zero(model_.num_v);
  VectorXd direct = VectorXd::Zero(model_.num_v);
  for (int i = 0; i < model_.num_bodies(); ++i) {
    const Vector3d p_WQ = system_.random.Numbers(3);
    const Vector6<double> F_BQ_W = system_.random.Numbers(6);
    AddForceAtPoint<double>(model_, now_.positions, i, p_WQ, F_BQ_W, &F);
    Matrix6X<double> J(6, model_.num_v);
    CalcSpatialVelocityJacobian<double>(model_, now_.positions, i, p_WQ, J);
    expected += J.transpose() * F_BQ_W;
    AddGeneralizedForceAtPoint<double>(model_, now_.positions, i, p_WQ, F_BQ_W,
                                       direct);
  }
  VectorXd tau(model_.num_v);
  CalcGeneralizedForces<double>(model_, now_.positions, F, &now_.scratch.F,
                                tau);
  EXPECT_TRUE(Near(tau, expected, 10 * kTolerance));
  EXPECT_TRUE(Near(direct, expected, 10 * kTolerance));
}

TEST_P(RandomForest, NPlusTimesNIsIdentityAndTheMapsAreTheirProducts) {
  const int nq = model_.num_q;
  const int nv = model_.num_v;
  MatrixXd N(nq, nv), Nplus(nv, nq);
  CalcN<double>(model_, now_.q, N);
  CalcNPlus<double>(model_, now_.q, Nplus);
  EXPECT_TRUE(Near(Nplus * N, MatrixXd::Identity(nv, nv), 1e-13));
  EXPECT_TRUE(Near(system_.QDot(), N * now_.v, 1e-13));
  const VectorXd qdot = system_.random.Numbers(nq);
  VectorXd v(nv);
  MapQDotToVelocity<double>(model_, now_.q, qdot, v);
  EXPECT_TRUE(Near(v, Nplus * qdot, 1e-12));
}

TEST_P(RandomForest, NormalizingQuaternionsLeavesThePosesAlone) {
  const std::vector<Pose<double>> before = now_.X_WB;
  NormalizeQuaternions<double>(model_, now_.q);
  for (const Model::Node& node : model_.nodes) {
    if (!TraitsOf(node.type).has_quaternion) continue;
    EXPECT_NEAR(now_.q.segment<4>(node.q_start).norm(), 1, 1e-15);
  }
  now_.Update();
  for (int i = 0; i < model_.num_bodies(); ++i) {
    EXPECT_TRUE(Near(now_.X_WB[i].R, before[i].R, kTolerance));
    EXPECT_TRUE(Near(now_.X_WB[i].p, before[i].p, kTolerance));
  }
}

TEST_P(RandomForest, KinematicsOfFarAwayTreesAreAsAccurate) {
  // All that a tree's kernels see is relative to its base: a shift of the
  // world by 1e6 m moves no digit of the mass matrix that matters.
  const MatrixXd M = now_.MassMatrix();
  for (const Model::Tree& tree : model_.trees) {
    now_.parameters.bodies[tree.base_body].X_PF.p += Vector3d(1e6, -2e6, 3e6);
  }
  now_.parameters.Compile(model_);
  now_.Update();
  // Positions carry 1e-9 m of rounding at that distance.
  EXPECT_TRUE(Near(now_.MassMatrix(), M, 1e-6));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomForest, ::testing::Range(0u, 12u));

TEST(SetZeroPositions, MakesFAndMCoincide) {
  RandomSystem system(3);
  Computed<double>& now = system.computed;
  SetZeroPositions<double>(system.model, now.q);
  now.Update();
  for (int i = 1; i < system.model.num_bodies(); ++i) {
    const auto& given = now.parameters.bodies[i];
    const auto X_WF = now.X_WB[system.model.bodies[i].parent] * given.X_PF;
    const auto X_WM = now.X_WB[i] * given.X_BM;
    EXPECT_TRUE(Near(X_WF.R, X_WM.R, kTolerance));
    EXPECT_TRUE(Near(X_WF.p, X_WM.p, kTolerance));
  }
}

TEST(NormalizeQuaternions, RefusesZeroAndNan) {
  LinkJointGraph graph;
  graph.AddLink();
  const Model model = MakeModel(SpanningForest(graph), nullptr);
  VectorXd q = VectorXd::Zero(7);
  EXPECT_THROWS_MESSAGE(NormalizeQuaternions<double>(model, q),
                        std::runtime_error,
                        "positions 0 to 3, a quaternion, are all zero or not");
  q[0] = NAN;
  EXPECT_THROWS_MESSAGE(NormalizeQuaternions<double>(model, q),
                        std::runtime_error, "zero or not finite");
}

}  // namespace
}  // namespace wyvern::multibody::dynamics
