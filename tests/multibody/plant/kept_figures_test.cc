// Figures are the same whether the cache has them or not, and follow the state.
#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/near.h"

namespace wyvern::multibody {
namespace kept_figures_test {

using Eigen::MatrixXd;
using test::CartPole;
using wyvern::test::Near;

class KeptFigures : public ::testing::Test {
 protected:
  void SetUp() override {
    m_.plant.Finalize();
    context_ = m_.plant.CreateDefaultContext();
  }
  MatrixXd M() const {
    MatrixXd result(m_.plant.num_velocities(), m_.plant.num_velocities());
    m_.plant.CalcMassMatrix(*context_, &result);
    return result;
  }
  MatrixXd MByColumns() const {
    MatrixXd result(m_.plant.num_velocities(), m_.plant.num_velocities());
    m_.plant.CalcMassMatrixViaInverseDynamics(*context_, &result);
    return result;
  }
  CartPole m_{0};
  std::unique_ptr<systems::Context<double>> context_;
};

// Rounding of sums of a few numbers of size 1.
constexpr double kTolerance = 1e-14;

TEST_F(KeptFigures, MassMatrixIsThatOfTheCache) {
  m_.hinge->set_angle(context_.get(), 0.7);
  const MatrixXd computed = M();
  EXPECT_EQ(m_.plant.EvalMassMatrix(*context_), computed);
  EXPECT_EQ(M(), computed);
}

TEST_F(KeptFigures, MassMatrixFollowsTheStateOnceTheCacheHasIt) {
  m_.plant.EvalMassMatrix(*context_);
  m_.hinge->set_angle(context_.get(), 0.7);
  EXPECT_TRUE(Near(M(), MByColumns(), kTolerance));
}

TEST_F(KeptFigures, MassMatrixGoesIntoABlock) {
  m_.hinge->set_angle(context_.get(), 0.7);
  const int nv = m_.plant.num_velocities();
  MatrixXd all = MatrixXd::Constant(nv + 2, nv + 2, 7);
  auto block = all.block(1, 1, nv, nv);
  m_.plant.CalcMassMatrix(*context_, &block);
  EXPECT_EQ(MatrixXd(block), M());
  EXPECT_EQ(all.row(0).minCoeff(), 7);
  EXPECT_EQ(all.bottomRows(1).maxCoeff(), 7);
  EXPECT_EQ(all.rightCols(1).minCoeff(), 7);
}

TEST_F(KeptFigures, BodyPosesFollowTheStateAfterNodes) {
  const int pole = m_.plant.tree().model_body(m_.pole->index());
  m_.plant.EvalPositions(*context_);
  m_.slider->set_translation(context_.get(), 0.4);
  m_.plant.EvalNodePositions(*context_);
  const auto positions = m_.plant.EvalPositions(*context_);
  EXPECT_NEAR(positions.X_WB[pole].p[0], 0.4, kTolerance);
  EXPECT_NEAR(m_.pole->EvalPoseInWorld(*context_).translation()[0], 0.4,
              kTolerance);
}

TEST_F(KeptFigures, MassMatrixFollowsParameters) {
  const MatrixXd before = M();
  m_.cart->SetMass(context_.get(), 5);
  EXPECT_NEAR((M() - before)(0, 0), 4, kTolerance);
  EXPECT_TRUE(Near(M(), MByColumns(), kTolerance));
}

}  // namespace kept_figures_test
}  // namespace wyvern::multibody
