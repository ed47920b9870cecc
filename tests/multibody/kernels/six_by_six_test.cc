#include "wyvern/multibody/kernels/six_by_six.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "tests/support/near.h"
#include "tests/support/random_numbers.h"
#include "wyvern/multibody/kernels/short_vectors.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {
namespace six_by_six_test {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::Near;
using Matrix6d = Eigen::Matrix<double, 6, 6>;

// Products of a few numbers of size 1 each.
constexpr double kTolerance = 1e-13;

class SixBySix : public ::testing::Test {
 protected:
  MatrixXd Random(int rows, int columns) {
    return random_.Matrix(rows, columns);
  }
  // Symmetric, 3 x 3 in a matrix of 6 rows.
  MatrixXd RandomSlopes() {
    MatrixXd G = Random(6, 6);
    G.topLeftCorner<3, 3>() += G.topLeftCorner<3, 3>().transpose().eval();
    return G;
  }
  test::RandomNumbers random_{1};
};

TEST_F(SixBySix, APanelBecomesTheFactorAndTheRowsBelowItsMultiples) {
  for (const int height : {6, 12, 13, 18, 23}) {
    MatrixXd panel = Random(height, 6);
    const MatrixXd A = Random(6, 6);
    const Matrix6d H = A * A.transpose() + Matrix6d::Identity();
    panel.topRows<6>().triangularView<Eigen::Upper>() = H;
    const MatrixXd below = panel.bottomRows(height - 6);
    ASSERT_TRUE(FactorSixPanel(height, panel.data()));
    Matrix6d L = panel.topRows<6>().triangularView<Eigen::Lower>();
    L.diagonal() = L.diagonal().cwiseInverse().eval();
    EXPECT_TRUE(Near(L * L.transpose(), H, kTolerance));
    EXPECT_TRUE(
        Near(panel.bottomRows(height - 6) * L.transpose(), below, kTolerance));
  }
}

TEST_F(SixBySix, ProductsOfAnyHeightAreThoseOfTheMatrix) {
  for (int rows = 0; rows <= 13; ++rows) {
    for (const int columns : {0, 1, 5, 14}) {
      const MatrixXd A = Random(rows + 2, columns), x = Random(columns, 1);
      VectorXd y = VectorXd::Constant(rows + 1, 7);
      MultiplyColumns(rows, columns, A.data(), rows + 2, x.data(), y.data());
      EXPECT_TRUE(Near(y.head(rows), A.topRows(rows) * x, kTolerance));
      EXPECT_EQ(y[rows], 7);
    }
  }
}

TEST_F(SixBySix, APivotThatIsNotPositiveIsToldOf) {
  for (int pivot = 0; pivot < 6; ++pivot) {
    for (const double value : {0.0, -1.0, std::nan("")}) {
      Matrix6d H = Matrix6d::Identity();
      H(pivot, pivot) = value;
      EXPECT_FALSE(FactorSixPanel(6, H.data()));
    }
  }
}

TEST_F(SixBySix, AProductIsTakenOffPartOfAPanel) {
  MatrixXd from = Random(20, 6), to = Random(11, 6);
  MatrixXd expected = to;
  expected.middleRows<6>(3) -=
      from.middleRows<6>(13) * from.middleRows<6>(7).transpose();
  SubtractSixProduct(from.data() + 13, from.data() + 7, 20, to.data() + 3, 11);
  EXPECT_TRUE(Near(to, expected, kTolerance));
}

TEST_F(SixBySix, ThreeRowsMultiplyAVelocityAndAnImpulse) {
  const MatrixXd J = Random(3, 6), x = Random(6, 1), g = Random(3, 1);
  MatrixXd v = Random(4, 1), tau = Random(7, 1);
  MatrixXd expected_v = v, expected_tau = tau;
  expected_v.topRows<3>() = J * x;
  expected_tau.topRows<6>() += J.transpose() * g;
  MultiplySixColumns(J.data(), x.data(), v.data());
  AddSixTransposed(J.data(), g.data(), tau.data());
  EXPECT_TRUE(Near(v, expected_v, kTolerance));
  EXPECT_TRUE(Near(tau, expected_tau, kTolerance));
}

// Compares the products of constraints with R rows.
template <int R>
void ExpectSums(const MatrixXd& G, const MatrixXd& J0, const MatrixXd& J1,
                MatrixXd H0, MatrixXd H1, MatrixXd mixed) {
  for (const bool is_transposed : {false, true}) {
    const MatrixXd slopes = G.topLeftCorner<R, R>();
    MatrixXd alone = H0;
    const MatrixXd sum_0 = H0.topRows(6) + J0.transpose() * slopes * J0;
    const MatrixXd sum_1 = H1 + J1.transpose() * slopes * J1;
    MatrixXd sum = mixed;
    sum.middleRows<6>(8) += is_transposed
                                ? MatrixXd(J1.transpose() * slopes * J0)
                                : MatrixXd(J0.transpose() * slopes * J1);
    const double* const J[] = {J0.data(), J1.data()};
    const Block6 H[] = {{H0.data(), 9}, {H1.data(), 6}};
    AddSixHessians<R>(G.data(), J, H, {mixed.data() + 8, 14}, is_transposed);
    AddSixHessian<R>(G.data(), J0.data(), {alone.data(), 9});
    EXPECT_TRUE(Near(mixed, sum, kTolerance));
    for (int j = 0; j < 6; ++j) {
      EXPECT_TRUE(
          Near(H0.col(j).head(j + 1), sum_0.col(j).head(j + 1), kTolerance));
      EXPECT_TRUE(
          Near(H1.col(j).head(j + 1), sum_1.col(j).head(j + 1), kTolerance));
    }
    EXPECT_EQ(alone, H0);
  }
}

TEST_F(SixBySix, AContactAddsItsUpperTrianglesAndItsMixedBlock) {
  ExpectSums<3>(RandomSlopes(), Random(3, 6), Random(3, 6), Random(9, 6),
                Random(6, 6), Random(14, 6));
}

TEST_F(SixBySix, SharedRowsAddTheSame) {
  const MatrixXd root = Random(6, 6);
  ExpectSums<6>(root + root.transpose(), Random(6, 6), Random(6, 6),
                Random(9, 6), Random(6, 6), Random(14, 6));
}

}  // namespace six_by_six_test
}  // namespace wyvern::multibody::internal
