#include "wyvern/systems/common/math/dense_tiles.h"

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "tests/support/near.h"

namespace wyvern::internal {
namespace {

using wyvern::test::Near;

TEST(DenseTiles, ProductsOfAnySizeAreThoseOfEigen) {
  for (const int m : {1, 3, 4, 9, 16, 99, 200}) {
    for (const int n : {1, 3, 6, 9, 100}) {
      for (const int k : {1, 3, 97}) {
        const Eigen::MatrixXd A = Eigen::MatrixXd::Random(m + kTileSlack, k);
        const Eigen::MatrixXd B = Eigen::MatrixXd::Random(n + kTileSlack, k);
        Eigen::MatrixXd C = Eigen::MatrixXd::Random(m + 2, n);
        Eigen::MatrixXd expected = C;
        expected.topRows(m) -= A.topRows(m) * B.topRows(n).transpose();
        SubtractProduct(m, n, k, A.data(), m + kTileSlack, B.data(),
                        n + kTileSlack, C.data(), m + 2, false);
        EXPECT_TRUE(Near(C, expected, 1e-13 * k)) << m << " " << n << " " << k;
      }
    }
  }
}

TEST(DenseTiles, APanelIsFactoredAsEigenDoes) {
  for (const int n : {3, 6, 9, 96, 99, 195}) {
    const int m = n + 31;
    const Eigen::MatrixXd R = Eigen::MatrixXd::Random(n, n);
    Eigen::MatrixXd panel = Eigen::MatrixXd::Random(m + kTileSlack, n);
    panel.topRows(n) = R * R.transpose() + Eigen::MatrixXd::Identity(n, n);
    const Eigen::MatrixXd L = panel.topRows(n).llt().matrixL();
    const Eigen::MatrixXd below =
        L.triangularView<Eigen::Lower>()
            .solve(panel.middleRows(n, 31).transpose())
            .transpose();
    ASSERT_TRUE(FactorPanel(m, n, panel.data(), m + kTileSlack));
    Eigen::MatrixXd top = panel.topRows(n).triangularView<Eigen::Lower>();
    top.diagonal() = top.diagonal().cwiseInverse();
    EXPECT_TRUE(Near(top, L, 1e-11 * L.norm())) << n;
    EXPECT_TRUE(Near(panel.middleRows(n, 31), below, 1e-10 * below.norm()));
  }
}

TEST(DenseTiles, APivotThatIsTooSmallIsFound) {
  const Eigen::MatrixXd A = Eigen::MatrixXd::Identity(24, 24);
  for (const double bad : {-1.0, 0.0, std::nan(""), 1e-300}) {
    Eigen::MatrixXd B(24 + kTileSlack, 24);
    B.topRows(24) = A;
    B(17, 17) = bad;
    EXPECT_EQ(FactorPanel(24, 24, B.data(), 24 + kTileSlack), bad > 0);
  }
  const Eigen::VectorXd least = Eigen::VectorXd::Constant(24, 1.5);
  Eigen::MatrixXd B(24 + kTileSlack, 24);
  B.topRows(24) = A;
  EXPECT_FALSE(FactorPanel(24, 24, B.data(), 24 + kTileSlack, least.data()));
}

TEST(DenseTiles, ThreadsChangeNoBits) {
  const int n = 300, m = 700;
  const Eigen::MatrixXd R = Eigen::MatrixXd::Random(n, n);
  Eigen::MatrixXd panel = Eigen::MatrixXd::Random(m + kTileSlack, n);
  panel.topRows(n) = R * R.transpose() + Eigen::MatrixXd::Identity(n, n);
  Eigen::MatrixXd alone = panel;
  ASSERT_TRUE(FactorPanel(m, n, alone.data(), m + kTileSlack));
  WorkerThreads workers(3);
  ASSERT_TRUE(
      FactorPanel(m, n, panel.data(), m + kTileSlack, nullptr, &workers));
  for (int j = 0; j < n; ++j) {
    EXPECT_EQ(alone.col(j).segment(j, m - j), panel.col(j).segment(j, m - j));
  }
}

}  // namespace
}  // namespace wyvern::internal
