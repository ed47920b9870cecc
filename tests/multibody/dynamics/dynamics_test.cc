// Identities between the kernels of dynamics, on random forests.
#include <stdexcept>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "tests/multibody/dynamics/random_model.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::multibody::dynamics {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::Computed;
using test::RandomSystem;
using wyvern::test::Near;

class RandomDynamics : public ::testing::TestWithParam<unsigned> {
 protected:
  // Rounding relative to the largest entry, for forests of condition <= 1e4.
  double Tolerance(const MatrixXd& x) const {
    return 1e-11 * std::max(1.0, x.cwiseAbs().maxCoeff());
  }

  RandomSystem system_{GetParam()};
  const Model& model_{system_.model};
  Computed<double>& now_{system_.computed};
};

TEST_P(RandomDynamics, MassMatrixIsTheInverseDynamicsOfUnitAccelerations) {
  const MatrixXd M = now_.MassMatrix();
  MatrixXd columns(model_.num_v, model_.num_v);
  VectorXd unit(model_.num_v);
  const VelocityKinematics<double> at_rest(model_);
  CalcMassMatrixViaInverseDynamics<double>({now_.motion(), at_rest},
                                           &now_.scratch, &unit, columns);
  EXPECT_TRUE(Near(M, columns, Tolerance(M)));
  EXPECT_TRUE(Near(M, M.transpose()));
  EXPECT_EQ(M.llt().info(), Eigen::Success);
}

TEST_P(RandomDynamics, InverseDynamicsIsAffineInTheAcceleration) {
  const VectorXd vdot = system_.random.Numbers(model_.num_v);
  const auto F = system_.RandomNodeForces();
  VectorXd Cv(model_.num_v), g(model_.num_v), JtF(model_.num_v);
  CalcBiasTerm<double>(now_.motion(), &now_.scratch, Cv);
  CalcGravityGeneralizedForces<double>(now_.motion(), &now_.scratch, g);
  CalcGeneralizedForces<double>(model_, now_.positions, F, &now_.scratch.F,
                                JtF);
  const VectorXd expected = now_.MassMatrix() * vdot + Cv - g - JtF;
  EXPECT_TRUE(
      Near(now_.InverseDynamics(vdot, F), expected, Tolerance(expected)));
  EXPECT_TRUE(Near(now_.InverseDynamics(vdot, F, Gravity::kOff), expected + g,
                   Tolerance(expected)));
}

TEST_P(RandomDynamics, NoAccelerationsAreTakenForZero) {
  now_.parameters.has_reflected_inertia = true;
  now_.parameters.reflected_inertia =
      system_.random.Numbers(model_.num_v).cwiseAbs();
  const auto F = system_.RandomNodeForces();
  const VectorXd expected =
      now_.InverseDynamics(VectorXd::Zero(model_.num_v), F);
  EXPECT_TRUE(
      Near(now_.InverseDynamics(VectorXd(), F), expected, Tolerance(expected)));
}

TEST_P(RandomDynamics, ForwardDynamicsUndoesInverseDynamics) {
  const VectorXd vdot = system_.random.Numbers(model_.num_v);
  const auto F = system_.RandomNodeForces();
  const VectorXd tau = now_.InverseDynamics(vdot, F);
  EXPECT_TRUE(Near(now_.ForwardDynamics(tau, F), vdot, 1e-9));
}

TEST_P(RandomDynamics, ForwardDynamicsGivesTheNodesAccelerations) {
  const VectorXd tau = system_.random.Numbers(model_.num_v);
  const VectorXd vdot = now_.ForwardDynamics(tau);
  std::vector<Vector6<double>> A(model_.num_nodes());
  CalcAccelerationKinematics<double>(model_, now_.positions, now_.velocities,
                                     vdot, &A);
  for (int i = 0; i < model_.num_nodes(); ++i) {
    EXPECT_TRUE(Near(now_.A[i], A[i], Tolerance(A[i])));
  }
}

TEST_P(RandomDynamics, ADiagonalActsAsAddedToTheMassMatrix) {
  const VectorXd tau = system_.random.Numbers(model_.num_v);
  const VectorXd diagonal = system_.random.Numbers(model_.num_v).cwiseAbs();
  const VectorXd vdot = now_.ForwardDynamics(tau, {}, diagonal);
  const MatrixXd M = now_.MassMatrix();
  const VectorXd bias = now_.InverseDynamics(VectorXd::Zero(model_.num_v));
  const VectorXd expected =
      (M + MatrixXd(diagonal.asDiagonal())).llt().solve(tau - bias);
  EXPECT_TRUE(Near(vdot, expected, 1e-10 * (1 + expected.norm())));
}

TEST_P(RandomDynamics, SolvingWithTheMassMatrixInvertsIt) {
  now_.ForwardDynamics(VectorXd::Zero(model_.num_v));
  const VectorXd b = system_.random.Numbers(model_.num_v);
  VectorXd x = b;
  SolveMassMatrix<double>(model_, now_.positions, x, &now_.articulated, &now_.A,
                          x);
  const VectorXd expected = now_.MassMatrix().llt().solve(b);
  EXPECT_TRUE(Near(x, expected, 1e-10 * (1 + expected.norm())));
}

// d/dt (M v) - 1/2 d/dq (vᵀ M v) = C v for generalized coordinates with
// q̇ = v; checked through the power: vᵀ C v = 1/2 vᵀ Ṁ v holds for all.
TEST_P(RandomDynamics, BiasPowerIsHalfTheRateOfTheMassMatrix) {
  Computed<AutoDiffXd> moving(model_, test::ToAutoDiff(model_, now_.parameters),
                              test::Moving(now_.q, system_.QDot()),
                              now_.v.cast<AutoDiffXd>());
  const MatrixXd Mdot = test::RatesOf(moving.MassMatrix());
  VectorXd Cv(model_.num_v);
  CalcBiasTerm<double>(now_.motion(), &now_.scratch, Cv);
  const double expected = 0.5 * now_.v.dot(Mdot * now_.v);
  EXPECT_NEAR(now_.v.dot(Cv), expected,
              1e-10 * (1 + Cv.norm() * now_.v.norm()));
}

TEST_P(RandomDynamics, AutoDiffGivesTheSameValues) {
  const VectorXd tau = system_.random.Numbers(model_.num_v);
  Computed<AutoDiffXd> other(model_, test::ToAutoDiff(model_, now_.parameters),
                             now_.q.cast<AutoDiffXd>(),
                             now_.v.cast<AutoDiffXd>());
  const VectorX<AutoDiffXd> vdot =
      other.ForwardDynamics(tau.cast<AutoDiffXd>());
  const VectorXd expected = now_.ForwardDynamics(tau);
  for (int i = 0; i < model_.num_v; ++i) {
    EXPECT_NEAR(vdot[i].value(), expected[i], 1e-10 * (1 + expected.norm()));
  }
}

TEST_P(RandomDynamics, DerivativeOfForwardDynamicsInTauIsTheInverseOfM) {
  const int nv = model_.num_v;
  Computed<AutoDiffXd> other(model_, test::ToAutoDiff(model_, now_.parameters),
                             now_.q.cast<AutoDiffXd>(),
                             now_.v.cast<AutoDiffXd>());
  VectorX<AutoDiffXd> tau(nv);
  for (int i = 0; i < nv; ++i) tau[i] = AutoDiffXd(0.1 * i, nv, i);
  const VectorX<AutoDiffXd> vdot = other.ForwardDynamics(tau);
  MatrixXd derivative(nv, nv);
  for (int i = 0; i < nv; ++i) derivative.row(i) = vdot[i].derivatives();
  EXPECT_TRUE(
      Near(now_.MassMatrix() * derivative, MatrixXd::Identity(nv, nv), 1e-9));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomDynamics, ::testing::Range(0u, 12u));

void ExpectMassMatrixOfUnitAccelerations(Computed<double>* now) {
  const int n = now->model.num_v;
  const MatrixXd M = now->MassMatrix();
  MatrixXd columns(n, n);
  VectorXd unit(n);
  const VelocityKinematics<double> at_rest(now->model);
  CalcMassMatrixViaInverseDynamics<double>({now->motion(), at_rest},
                                           &now->scratch, &unit, columns);
  EXPECT_TRUE(Near(M, columns, 1e-11 * M.cwiseAbs().maxCoeff())) << n;
  EXPECT_EQ(M, M.transpose()) << n;
}

// A free base with a few branches is one kernel's, with long ones another's;
// alone it fills the matrix, beside another it is a block of it.
TEST(MassMatrix, OfFreeBasesWithBranchesIsTheInverseDynamicsOfUnitOnes) {
  test::Random random(9);
  for (const int num_trees : {1, 2}) {
    for (const int length : {1, 2, 5, 30}) {
      LinkJointGraph graph;
      std::vector<MobilizerType> types;
      for (int tree = 0; tree < num_trees; ++tree) {
        const int base = graph.AddLink();
        for (int branch = 0; branch < 4; ++branch) {
          for (int k = 0, inboard = base; k < length; ++k) {
            const int link = graph.AddLink();
            const bool is_reversed = random.Below(4) == 0;
            graph.AddJoint(is_reversed ? link : inboard,
                           is_reversed ? inboard : link);
            types.push_back(random.Below(3) == 0 ? MobilizerType::kUniversal
                                                 : MobilizerType::kRevolute);
            inboard = link;
          }
        }
      }
      const Model model =
          MakeModel(SpanningForest(graph), [&](int j) { return types[j]; });
      ASSERT_EQ(model.num_trees(), num_trees);
      ModelParameters<double> parameters(model);
      for (int i = 1; i < model.num_bodies(); ++i) {
        parameters.bodies[i] = test::RandomBody(&random);
        parameters.bodies[i].X_PF.p *= 0.1;
      }
      parameters.Compile(model);
      VectorXd q = random.Numbers(model.num_q);
      NormalizeQuaternions<double>(model, q);
      Computed<double> now(model, parameters, q, random.Numbers(model.num_v));
      ExpectMassMatrixOfUnitAccelerations(&now);
    }
  }
}

// Long trees' mass matrices are made in blocks of columns and strips of rows:
// with and without branches, of as many velocities as fill strips and of
// others.
TEST(MassMatrix, OfLongTreesIsTheInverseDynamicsOfUnitAccelerations) {
  test::Random random(8);
  for (const int n : {100, 101, 134, 167, 230}) {
    for (const bool branches : {false, true}) {
      LinkJointGraph graph;
      for (int link = 1; link <= n; ++link) {
        graph.AddLink();
        const bool branch = branches && link > 20 && random.Below(6) == 0;
        graph.AddJoint(branch ? link - 1 - random.Below(15) : link - 1, link);
      }
      const Model model = MakeModel(
          SpanningForest(graph), [](int) { return MobilizerType::kRevolute; });
      ModelParameters<double> parameters(model);
      for (int i = 1; i <= n; ++i) {
        parameters.bodies[i] = test::RandomBody(&random);
        parameters.bodies[i].X_PF.p *= 0.1;
      }
      parameters.Compile(model);
      Computed<double> now(model, parameters, random.Numbers(model.num_q),
                           random.Numbers(model.num_v));
      ASSERT_EQ(model.num_trees(), 1);
      ExpectMassMatrixOfUnitAccelerations(&now);
    }
  }
}

Model Pendulum() {
  LinkJointGraph graph;
  graph.AddJoint(0, graph.AddLink());
  return MakeModel(SpanningForest(graph),
                   [](int) { return MobilizerType::kRevolute; });
}

// A point mass on a massless rod: m l² q̈ = -m g l sin q - d q̇.
TEST(Pendulum, SwingsByItsClosedForm) {
  const Model model = Pendulum();
  ModelParameters<double> parameters(model);
  const double m = 2, l = 0.5, g = 9.81, q = 0.7, v = 3, d = 0.4;
  parameters.bodies[1].axis = {0, 1, 0};
  parameters.bodies[1].mass = m;
  parameters.bodies[1].p_BoBcm_B = {0, 0, -l};
  parameters.bodies[1].I_BBo_B = Vector3d(m * l * l, m * l * l, 0).asDiagonal();
  parameters.gravity = {0, 0, -g};
  parameters.damping = VectorXd::Constant(1, d);
  parameters.Compile(model);
  Computed<double> now(model, parameters, VectorXd::Constant(1, q),
                       VectorXd::Constant(1, v));
  VectorXd tau(1);
  CalcDampingForces<double>(parameters, now.v, tau);
  EXPECT_NEAR(now.ForwardDynamics(tau)[0],
              -g / l * std::sin(q) - d * v / (m * l * l), 1e-14 * g / l);
  EXPECT_NEAR(now.MassMatrix()(0, 0), m * l * l, 1e-15);
}

// A mass that gravity spares: the rest of a node still falls.
TEST(Gravity, ActsOnlyOnTheBodiesItIsEnabledFor) {
  RandomSystem system(11);
  Computed<double>& now = system.computed;
  VectorXd g(system.model.num_v), expected = VectorXd::Zero(g.size());
  CalcGravityGeneralizedForces<double>(now.motion(), &now.scratch, g);
  std::vector<Vector6<double>> F(system.model.num_nodes(),
                                 Vector6<double>::Zero());
  for (int i = 1; i < system.model.num_bodies(); ++i) {
    const auto& body = now.parameters.bodies[i];
    if (!body.gravity_enabled) continue;
    Vector6<double> weight = Vector6<double>::Zero();
    weight.tail<3>() = body.mass * now.parameters.gravity;
    AddForceAtPoint<double>(system.model, now.positions, i,
                            now.X_WB[i] * body.p_BoBcm_B, weight, &F);
  }
  CalcGeneralizedForces<double>(system.model, now.positions, F, &now.scratch.F,
                                expected);
  EXPECT_FALSE(now.parameters.gravity_is_uniform);
  EXPECT_TRUE(Near(g, expected, 1e-10));
}

TEST(ArticulatedInertias, RefusesAMobilityThatMovesNoMass) {
  const Model model = Pendulum();
  Computed<double> now(model, ModelParameters<double>(model), VectorXd::Zero(1),
                       VectorXd::Zero(1));
  EXPECT_THROWS_MESSAGE(now.ForwardDynamics(VectorXd::Ones(1)),
                        std::runtime_error,
                        "moves with velocity 0 (mobilizer of body 1)");
}

TEST(ArticulatedInertias, RefusesAPointMassSpinningFreely) {
  LinkJointGraph graph;
  graph.AddLink();
  const Model model = MakeModel(SpanningForest(graph), nullptr);
  ModelParameters<double> parameters(model);
  parameters.bodies[1].mass = 1;
  parameters.bodies[1].p_BoBcm_B = {0.1, 0.7, 0.3};
  const Vector3d r(0.1, 0.7, 0.3);
  parameters.bodies[1].I_BBo_B =
      r.squaredNorm() * MatrixXd::Identity(3, 3) - r * r.transpose();
  parameters.Compile(model);
  VectorXd q(7);
  q << 1, 2, 3, 4, 5, 6, 7;
  Computed<double> now(model, parameters, q, VectorXd::Zero(6));
  EXPECT_THROWS_MESSAGE(now.ForwardDynamics(VectorXd::Ones(6)),
                        std::runtime_error, "zero, negative or not finite");
}

TEST(ArticulatedInertias, RefusesInertiaThatIsNotANumber) {
  RandomSystem system(5);
  system.computed.parameters.bodies[3].mass = NAN;
  system.computed.parameters.Compile(system.model);
  system.computed.Update();
  EXPECT_THROWS_MESSAGE(
      system.computed.ForwardDynamics(VectorXd::Ones(system.model.num_v)),
      std::runtime_error, "not finite");
}

}  // namespace
}  // namespace wyvern::multibody::dynamics
