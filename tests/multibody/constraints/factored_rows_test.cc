// Rows of constraints on the paths of their bodies, and factors of the mass
// matrix that keep its zeros, against dense matrices.
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "tests/multibody/algorithms/random_model.h"
#include "tests/support/near.h"
#include "wyvern/multibody/algorithms/factored_rows.h"
#include "wyvern/multibody/algorithms/jacobians.h"
#include "wyvern/multibody/constraints/row_paths.h"
#include "wyvern/multibody/constraints/velocity_chains.h"

namespace wyvern::multibody::engine {
namespace factored_rows_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using ::wyvern::test::Near;

bool IsInboard(const Model& model, int i, int k) {
  if (i >= k) return false;
  int node = model.node_of_v[k];
  while (node > 0 && node != model.node_of_v[i])
    node = model.nodes[node].parent;
  return node > 0;
}

class FactorsOfTheMassMatrix : public testing::TestWithParam<unsigned> {
 protected:
  // M = U Uᵀ, to be found in place of the upper triangle.
  MatrixXd Factors() {
    U_ = M_;
    U_.triangularView<Eigen::StrictlyLower>().setConstant(NAN);
    EXPECT_TRUE(FactorizeLtl<double>(chains_, &U_));
    return U_.triangularView<Eigen::Upper>();
  }
  test::RandomSystem system_{GetParam()};
  const Model& model_{system_.model};
  const MatrixXd M_{system_.computed.MassMatrix()};
  const VelocityChains chains_{model_};
  MatrixXd U_;
};

TEST_P(FactorsOfTheMassMatrix, ChainsAreTheVelocitiesOnThePathsToTheWorld) {
  for (int k = 0; k < model_.num_v; ++k) {
    std::vector<bool> found(model_.num_v, false);
    for (const auto& piece : chains_.inboard(k)) {
      for (int i = piece.start; i < piece.end; ++i) found[i] = true;
    }
    for (int i = 0; i < model_.num_v; ++i) {
      EXPECT_EQ(found[i], IsInboard(model_, i, k)) << i << " of " << k;
      if (i >= k || found[i]) continue;
      EXPECT_EQ(M_(i, k), 0);
    }
  }
}

TEST_P(FactorsOfTheMassMatrix, BlocksAreChainsThatFollowOneAnother) {
  int end = 0;
  for (const auto& block : chains_.blocks()) {
    EXPECT_EQ(block.start, end);
    end = block.end;
    for (int k = block.start + 1; k < block.end; ++k) {
      EXPECT_TRUE(IsInboard(model_, k - 1, k));
    }
  }
  EXPECT_EQ(end, model_.num_v);
}

TEST_P(FactorsOfTheMassMatrix, TimesTheirTransposeAreTheMassMatrix) {
  const MatrixXd U = Factors();
  EXPECT_TRUE(Near(U * U.transpose(), M_, 1e-13 * M_.norm()));
  for (int k = 0; k < model_.num_v; ++k) {
    for (int i = 0; i < k; ++i) {
      if (IsInboard(model_, i, k)) continue;
      EXPECT_EQ(U(i, k), 0);
    }
  }
}

TEST_P(FactorsOfTheMassMatrix, SolveAsTheDenseTriangleDoes) {
  const MatrixXd U = Factors();
  const VectorXd x = system_.random.Numbers(model_.num_v);
  VectorXd product = U * x;
  SolveLtlUpper<double>(chains_, U_, product);
  EXPECT_TRUE(Near(product, x, 1e-10));
  product = U.transpose() * x;
  SolveLtlLower<double>(chains_, U_, product);
  EXPECT_TRUE(Near(product, x, 1e-10));

  MatrixXd X(3, model_.num_v);
  for (int r = 0; r < 3; ++r) X.row(r) = system_.random.Numbers(model_.num_v);
  X.row(1).setZero();
  MatrixXd B = X * U.transpose();
  SolveLtlFromRight<double>(chains_, U_, B);
  EXPECT_TRUE(Near(B, X, 1e-10));
}

TEST_P(FactorsOfTheMassMatrix, AreRefusedWhereAPivotIsNotPositive) {
  U_ = M_;
  const int k = system_.random.Below(model_.num_v);
  U_(k, k) = -1;
  EXPECT_FALSE(FactorizeLtl<double>(chains_, &U_));
}

INSTANTIATE_TEST_SUITE_P(Forests, FactorsOfTheMassMatrix,
                         testing::Range(0u, 8u));

// Rows of random forces on random pairs of nodes, several rows to a pair.
class RowsOnPaths : public testing::TestWithParam<unsigned> {
 protected:
  RowsOnPaths() {
    Random& random = system_.random;
    for (int pair = 0; pair < 7; ++pair) {
      const Vector2<int> nodes(random.Below(model_.num_nodes()),
                               random.Below(model_.num_nodes()));
      nodes_.insert(nodes_.end(), 1 + random.Below(12), nodes);
    }
    F_.resize(6, num_rows());
    for (int r = 0; r < num_rows(); ++r) F_.col(r) = random.Numbers(6);
    // The same by the Jacobians of the two bodies.
    G_.resize(num_rows(), model_.num_v);
    for (int r = 0; r < num_rows(); ++r) {
      G_.row(r) = F_.col(r).transpose() *
                  (Jacobian(nodes_[r][0]) - Jacobian(nodes_[r][1]));
    }
    paths_ = RowPaths(model_, nodes_);
  }
  using Random = test::Random;

  int num_rows() const { return static_cast<int>(nodes_.size()); }
  // Of a node's spatial velocity at Wo.
  Matrix6X<double> Jacobian(int node) const {
    Matrix6X<double> J = Matrix6X<double>::Zero(6, model_.num_v);
    if (node == 0) return J;
    CalcSpatialVelocityJacobian<double>(model_, system_.computed.positions,
                                        model_.nodes[node].body,
                                        Vector3<double>::Zero(), J);
    return J;
  }
  void CalcArticulated(const VectorXd& diagonal) {
    auto& c = system_.computed;
    CalcArticulatedInertias<double>(c.motion(), diagonal, &c.articulated);
  }
  // Row r about the O of each node's tree.
  RowForces<double> ForcesOf(int r) const {
    RowForces<double> forces;
    for (int side = 0; side < 2; ++side) {
      const NodeIndex node(nodes_[r][side]);
      if (node == 0) continue;
      const Vector3<double>& o =
          system_.computed.positions.p_WO[model_.nodes[node].tree];
      Vector6<double> F = (side == 0 ? 1 : -1) * F_.col(r);
      F.head<3>() -= o.cross(F.tail<3>());
      forces.node[side] = node;
      forces.F[side] = F;
    }
    return forces;
  }
  // J M⁻¹ Jᵀ by L⁻¹ Jᵀ in the rows of W.
  MatrixXd Product(const MatrixXd& W) const {
    MatrixXd D_inverse_W(model_.num_v, num_rows());
    for (int r = 0; r < num_rows(); ++r) {
      CalcInversePivots<double>(model_, system_.computed.articulated,
                                VectorXd(W.row(r)), D_inverse_W.col(r));
    }
    return W * D_inverse_W;
  }

  test::RandomSystem system_{GetParam()};
  const Model& model_{system_.model};
  std::vector<Vector2<int>> nodes_;
  Matrix6X<double> F_;
  MatrixXd G_;
  RowPaths paths_;
};

TEST_P(RowsOnPaths, AreForcesTimesTheDifferenceOfJacobians) {
  MatrixXd G = MatrixXd::Zero(num_rows(), model_.num_v);
  AddRowsOnPaths<double>(model_, system_.computed.positions, paths_, F_, &G);
  EXPECT_TRUE(Near(G, G_, 1e-12 * (1 + G_.norm())));
}

TEST_P(RowsOnPaths, AreZeroOutsideOfTheirPieces) {
  MatrixXd inside = MatrixXd::Zero(num_rows(), model_.num_v);
  int end = 0;
  for (const auto& piece : paths_.pieces()) {
    EXPECT_GE(piece.start, end);
    end = piece.end;
    inside
        .block(piece.first, piece.start, piece.last - piece.first,
               piece.end - piece.start)
        .setOnes();
  }
  EXPECT_TRUE(Near(G_.cwiseProduct(inside), G_, 0));
}

TEST_P(RowsOnPaths, FactoredGiveTheInverseMassBetweenRows) {
  CalcArticulated(VectorXd());
  MatrixXd W(num_rows(), model_.num_v);
  CalcFactoredRowsOnPaths<double>(model_, system_.computed.positions,
                                  system_.computed.articulated, paths_, F_, &W);
  const MatrixXd expected =
      G_ * system_.computed.MassMatrix().ldlt().solve(MatrixXd(G_.transpose()));
  EXPECT_TRUE(Near(Product(W), expected, 1e-10 * (1 + expected.norm())));
}

TEST_P(RowsOnPaths, FactoredOneByOneLeaveOutWhatIsLocked) {
  // Every third node is held by an inertia that is as good as infinite.
  const double vast = 1e14;
  std::vector<bool> is_locked(model_.num_v);
  VectorXd diagonal = VectorXd::Zero(model_.num_v);
  MatrixXd G = G_;
  for (int k = 0; k < model_.num_v; ++k) {
    is_locked[k] = model_.node_of_v[k] % 3 == 0;
    if (!is_locked[k]) continue;
    diagonal[k] = vast;
    G.col(k).setZero();
  }
  CalcArticulated(diagonal);
  MatrixXd W = MatrixXd::Zero(num_rows(), model_.num_v);
  for (int r = 0; r < num_rows(); ++r) {
    VectorXd w = VectorXd::Zero(model_.num_v);
    CalcFactoredRow<double>(model_, system_.computed.positions,
                            system_.computed.articulated, is_locked,
                            ForcesOf(r), w);
    W.row(r) = w;
  }
  MatrixXd M = system_.computed.MassMatrix();
  M.diagonal() += diagonal;
  const MatrixXd expected = G * M.ldlt().solve(MatrixXd(G.transpose()));
  EXPECT_TRUE(Near(Product(W), expected, 1e-9 * (1 + expected.norm())));
}

INSTANTIATE_TEST_SUITE_P(Forests, RowsOnPaths, testing::Range(0u, 8u));

}  // namespace factored_rows_test
}  // namespace wyvern::multibody::engine
