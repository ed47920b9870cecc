// Systems of equations with the mass matrix and many right-hand sides, on
// random forests and on long chains, against products with M and its inverse.
#include <gtest/gtest.h>

#include "tests/multibody/dynamics/random_model.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/near.h"
#include "wyvern/multibody/dynamics/forward_dynamics_derivatives.h"
#include "wyvern/multibody/dynamics/mass_matrix_inverse.h"

namespace wyvern::multibody::dynamics {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::Computed;
using test::Random;
using test::RandomSystem;
using wyvern::test::AllocationGuard;
using wyvern::test::Near;

// Revolute joints in a row; with `forks`, every fifth body hangs on the second
// one before it. Every `length` bodies a new tree begins.
Model MakeChains(int n, int length, bool forks) {
  LinkJointGraph graph;
  for (int link = 1; link <= n; ++link) {
    graph.AddLink();
    const int place = (link - 1) % length;
    const int back = forks && place % 5 == 4 ? 2 : 1;
    graph.AddJoint(place == 0 ? 0 : link - back, link);
  }
  return MakeModel(SpanningForest(graph),
                   [](int) { return MobilizerType::kRevolute; });
}

// Links of a metre or less that overlap: like an arm, not a whip.
Computed<double> MakeState(const Model& model, Random* random) {
  ModelParameters<double> parameters(model);
  for (int i = 1; i < model.num_bodies(); ++i) {
    parameters.bodies[i] = test::RandomBody(random);
  }
  parameters.gravity = {0, 0, -9.81};
  parameters.Compile(model);
  return {model, parameters, random->Numbers(model.num_q),
          random->Numbers(model.num_v)};
}

MatrixXd Inverse(const Computed<double>& at) {
  MassMatrixInverseScratch<double> scratch(at.model);
  MatrixXd result = MatrixXd::Constant(at.model.num_v, at.model.num_v, 7);
  CalcMassMatrixInverse<double>(at.model, at.positions, at.articulated,
                                &scratch, result);
  return result;
}

// -M⁻¹ [B C] by columns, in place in a larger matrix.
std::pair<MatrixXd, MatrixXd> Solve(const Computed<double>& at,
                                    const MatrixXd& B, const MatrixXd& C) {
  const int n = at.model.num_v;
  MassMatrixInverseScratch<double> scratch(at.model);
  MatrixXd X = MatrixXd::Zero(n + 3, n), Y = MatrixXd::Zero(n, n);
  X.topRows(n) = B;
  Y = C;
  for (const Model::Tree& tree : at.model.trees) {
    SolveMassMatrixColumns<double>(
        at.model, at.positions, at.articulated, tree,
        {{X.data(), X.outerStride()}, {Y.data(), Y.outerStride()}}, &scratch,
        {{X.data(), X.outerStride()}, {Y.data(), Y.outerStride()}});
  }
  return {X.topRows(n), Y};
}

// 1 where both velocities are of one tree.
MatrixXd SameTree(const Model& model) {
  MatrixXd result = MatrixXd::Zero(model.num_v, model.num_v);
  for (const Model::Tree& t : model.trees) {
    result.block(t.v_start, t.v_start, t.nv, t.nv).setOnes();
  }
  return result;
}

class MassMatrixColumns : public testing::TestWithParam<unsigned> {};

TEST_P(MassMatrixColumns, TimesTheMassMatrixAreMinusTheRightHandSides) {
  RandomSystem system(GetParam(), 25);
  Computed<double>& at = system.computed;
  const int n = at.model.num_v;
  at.ForwardDynamics(VectorXd::Zero(n), {}, VectorXd::Constant(n, 0.1));
  MatrixXd M = at.MassMatrix();
  M.diagonal().array() += 0.1;
  const MatrixXd same = SameTree(at.model);
  const MatrixXd B = MatrixXd::Random(n, n).cwiseProduct(same);
  const MatrixXd C = MatrixXd::Random(n, n).cwiseProduct(same);
  const auto [X, Y] = Solve(at, B, C);
  // Digits are lost in light bodies that hang on heavy ones.
  EXPECT_TRUE(Near(M * X, -B, 1e-9));
  EXPECT_TRUE(Near(M * Y, -C, 1e-9));
}

INSTANTIATE_TEST_SUITE_P(Forests, MassMatrixColumns, testing::Range(0u, 12u));

double RelativeResidual(const MatrixXd& M, const MatrixXd& X,
                        const MatrixXd& B) {
  return (M * X + B).norm() / (M.norm() * X.norm());
}

TEST(MassMatrixColumnsOfLongTrees,
     OnALongChainAreAsAccurateAsAProductWithTheInverse) {
  Random random(3);
  const Model model = MakeChains(300, 300, false);
  Computed<double> at = MakeState(model, &random);
  at.ForwardDynamics(VectorXd::Zero(300));
  const MatrixXd M = at.MassMatrix(), B = MatrixXd::Random(300, 300);
  const MatrixXd product = -Inverse(at) * B;
  const double columns = RelativeResidual(M, Solve(at, B, B).first, B);
  EXPECT_LE(columns, 2 * RelativeResidual(M, product, B));
  EXPECT_LE(columns, 1e-12);
}

// Trees that are long enough for columns, and one that is not.
TEST(MassMatrixColumnsOfLongTrees,
     MakeTheDerivativesOfForwardDynamicsOfLongTrees) {
  Random random(4);
  const Model model = MakeChains(140, 64, true);
  ASSERT_EQ(model.num_trees(), 3);
  Computed<double> at = MakeState(model, &random);
  const int n = model.num_v;
  const VectorXd damping = random.Numbers(n).cwiseAbs();
  const VectorXd vdot =
      at.ForwardDynamics(random.Numbers(n) - damping.cwiseProduct(at.v));
  InverseDynamicsDerivativesScratch<double> inverse_scratch(model);
  MatrixXd dtau_dq(n, n), dtau_dv(n, n), M(n, n);
  CalcInverseDynamicsDerivatives<double>(at.motion(), at.v, vdot, {},
                                         Gravity::kOn, &inverse_scratch,
                                         {dtau_dq, dtau_dv, M});
  dtau_dv.diagonal() += damping;
  ForwardDynamicsDerivativesScratch<double> scratch(model);
  MatrixXd dq = MatrixXd::Constant(n, n, 7), dv = dq, dtau = dq;
  for (int i = 0; i < 2; ++i) {  // The second time in used scratch.
    CalcForwardDynamicsDerivatives<double>(at.motion(), at.v, vdot, damping, {},
                                           Gravity::kOn, at.articulated,
                                           &scratch, {dq, dv, dtau});
  }
  const auto rounding = [](const MatrixXd& x) {
    return 1e-10 * x.cwiseAbs().maxCoeff();
  };
  EXPECT_TRUE(Near(dtau, Inverse(at), rounding(dtau)));
  EXPECT_TRUE(Near(dq, -dtau * dtau_dq, rounding(dq)));
  EXPECT_TRUE(Near(dv, -dtau * dtau_dv, rounding(dv)));
}

TEST(MassMatrixColumnsOfLongTrees, AllocateNothing) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  Random random(5);
  const Model model = MakeChains(60, 60, true);
  Computed<double> at = MakeState(model, &random);
  const VectorXd none, vdot = at.ForwardDynamics(VectorXd::Zero(60));
  ForwardDynamicsDerivativesScratch<double> scratch(model);
  MatrixXd dq(60, 60), dv(60, 60), dtau(60, 60);
  const AllocationGuard guard;
  CalcForwardDynamicsDerivatives<double>(at.motion(), at.v, vdot, none, {},
                                         Gravity::kOn, at.articulated, &scratch,
                                         {dq, dv, dtau});
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace
}  // namespace wyvern::multibody::dynamics
