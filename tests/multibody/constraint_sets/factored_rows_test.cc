// Rows of constraints on the paths of their bodies, and factors of the mass
// matrix that keep its zeros, against dense matrices.
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "tests/multibody/dynamics/random_model.h"
#include "tests/support/near.h"
#include "wyvern/multibody/constraint_sets/velocity_chains.h"
#include "wyvern/multibody/dynamics/forward_dynamics_passes.h"
#include "wyvern/multibody/dynamics/jacobians.h"
#include "wyvern/multibody/step/rows/factored_rows.h"
#include "wyvern/multibody/step/rows/row_pattern.h"

namespace wyvern::multibody::internal {
namespace factored_rows_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using ::wyvern::test::Near;

bool IsInboard(const dynamics::Model& model, int i, int k) {
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
  dynamics::test::RandomSystem system_{GetParam()};
  const dynamics::Model& model_{system_.model};
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
    // Compute the rows by the Jacobians of the two bodies, too.
    G_.resize(num_rows(), model_.num_v);
    for (int r = 0; r < num_rows(); ++r) {
      G_.row(r) = F_.col(r).transpose() *
                  (Jacobian(nodes_[r][0]) - Jacobian(nodes_[r][1]));
    }
    pattern_.Reset(model_, nodes_);
  }
  using Random = dynamics::test::Random;

  int num_rows() const { return static_cast<int>(nodes_.size()); }
  // Returns the Jacobian of a node's spatial velocity at Wo.
  Matrix6X<double> Jacobian(int node) const {
    Matrix6X<double> J = Matrix6X<double>::Zero(6, model_.num_v);
    if (node == 0) return J;
    dynamics::CalcSpatialVelocityJacobian<double>(
        model_, system_.computed.positions, model_.nodes[node].body,
        Vector3<double>::Zero(), J);
    return J;
  }
  void CalcArticulated(const VectorXd& diagonal) {
    auto& c = system_.computed;
    dynamics::CalcArticulatedInertias<double>(c.motion(), diagonal,
                                              &c.articulated);
  }
  // J M⁻¹ Jᵀ.
  MatrixXd Products(const std::vector<bool>& is_locked,
                    std::span<const RowEntry> entries = {}) {
    const auto& c = system_.computed;
    rows_.Factorize(model_, c.positions, c.articulated, is_locked, pattern_, F_,
                    entries);
    MatrixXd K(num_rows(), num_rows());
    rows_.CalcProducts(pattern_, &K);
    return K.selfadjointView<Eigen::Lower>();
  }
  static bool IsNear(const MatrixXd& K, const MatrixXd& G, const MatrixXd& M,
                     double tolerance) {
    const MatrixXd wanted = G * M.ldlt().solve(MatrixXd(G.transpose()));
    return Near(K, wanted, tolerance * (1 + wanted.norm()));
  }

  dynamics::test::RandomSystem system_{GetParam()};
  const dynamics::Model& model_{system_.model};
  std::vector<Vector2<int>> nodes_;
  Matrix6X<double> F_;
  MatrixXd G_;
  RowPattern pattern_;
  FactoredRows<double> rows_;
};

TEST_P(RowsOnPaths, AreForcesTimesTheDifferenceOfJacobians) {
  MatrixXd G = MatrixXd::Zero(num_rows(), model_.num_v);
  AddJacobianRows<double>(model_, system_.computed.positions, pattern_, F_, &G);
  EXPECT_TRUE(Near(G, G_, 1e-12 * (1 + G_.norm())));
}

TEST_P(RowsOnPaths, AreZeroOutsideOfTheirPieces) {
  MatrixXd inside = MatrixXd::Zero(num_rows(), model_.num_v);
  int end = 0;
  for (const auto& piece : pattern_.pieces()) {
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
  EXPECT_TRUE(IsNear(Products(std::vector<bool>(model_.num_v)), G_,
                     system_.computed.MassMatrix(), 1e-10));
}

// Entries of every row at the first velocity that feels it.
TEST_P(RowsOnPaths, FactoredTakeEntriesBesidesForces) {
  CalcArticulated(VectorXd());
  std::vector<RowEntry> entries;
  MatrixXd G = G_;
  for (int r = 0; r < num_rows(); ++r) {
    const int node = nodes_[r].maxCoeff();
    if (node == 0) continue;
    entries.push_back({r, model_.nodes[node].v_start, 0.5 + r});
    G(r, entries.back().velocity) += 0.5 + r;
  }
  EXPECT_TRUE(IsNear(Products(std::vector<bool>(model_.num_v), entries), G,
                     system_.computed.MassMatrix(), 1e-10));
}

TEST_P(RowsOnPaths, ValuesAndResponsesAreAcrossTheInverseOfTheMassMatrix) {
  CalcArticulated(VectorXd());
  Products(std::vector<bool>(model_.num_v));
  auto& c = system_.computed;
  const VectorXd b = system_.random.Numbers(model_.num_v);
  const VectorXd lambda = system_.random.Numbers(num_rows());
  VectorXd x(model_.num_v), values(num_rows());
  dynamics::SolveMassMatrix<double>(model_, c.positions, b, &c.articulated,
                                    &c.A, x);
  rows_.CalcValues(pattern_, c.articulated.u, values);
  EXPECT_TRUE(Near(values, G_ * x, 1e-10 * (1 + values.norm())));
  rows_.AddResponse(pattern_, lambda, &c.articulated.u);
  dynamics::CalcForwardDynamicsOutward<double>(model_, c.positions,
                                               c.articulated, &c.A, x);
  const VectorXd force = b + G_.transpose() * lambda;
  EXPECT_TRUE(Near(c.MassMatrix() * x, force, 1e-9 * (1 + force.norm())));
}

TEST_P(RowsOnPaths, FactoredLeaveOutWhatIsLocked) {
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
  MatrixXd M = system_.computed.MassMatrix();
  M.diagonal() += diagonal;
  EXPECT_TRUE(IsNear(Products(is_locked), G, M, 1e-9));
}

INSTANTIATE_TEST_SUITE_P(Forests, RowsOnPaths, testing::Range(0u, 8u));

}  // namespace factored_rows_test
}  // namespace wyvern::multibody::internal
