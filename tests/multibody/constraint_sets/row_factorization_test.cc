#include "wyvern/multibody/constraint_sets/row_factorization.h"

#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/QR>
#include <Eigen/SVD>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using wyvern::test::Near;
using RowNumbers = std::vector<int>;

constexpr int kFactorColumns = 9;

RowNumbers ToRowNumbers(std::span<const int> rows) {
  return {rows.begin(), rows.end()};
}

class RowFactorizationOf : public testing::TestWithParam<unsigned> {
 protected:
  MatrixXd Numbers(int rows, int cols) {
    return MatrixXd::NullaryExpr(rows, cols, [this]() {
      return std::uniform_real_distribution<double>(-1, 1)(generator_);
    });
  }
  // Six rows of very different lengths.
  MatrixXd AnyRows() {
    MatrixXd Y = Numbers(6, kFactorColumns);
    for (int i = 0; i < 6; ++i) Y.row(i) *= std::pow(10, i % 5 - 2);
    return Y;
  }
  // Rows 1, 3 and 5 are zero, a sum and a multiple.
  MatrixXd RedundantRows() {
    MatrixXd Y = AnyRows();
    Y.row(1).setZero();
    Y.row(3) = 0.5 * Y.row(0) - Y.row(2);
    Y.row(5) = -3 * Y.row(4);
    return Y;
  }
  void Solve(const MatrixXd& Y, const VectorXd& z, const VectorXd& gamma) {
    factorization_ = RowFactorization<double>(static_cast<int>(Y.cols()),
                                              static_cast<int>(Y.rows()));
    factorization_.Factorize(Y);
    w_.resize(Y.cols());
    lambda_.resize(Y.rows());
    factorization_.Solve(z, gamma, w_, lambda_);
  }

  std::mt19937 generator_{GetParam()};
  RowFactorization<double> factorization_;
  VectorXd w_, lambda_;
};

TEST_P(RowFactorizationOf, IndependentRowsSolvesTheKktSystem) {
  const MatrixXd Y = AnyRows();
  MatrixXd K(15, 15);
  K << MatrixXd::Identity(9, 9), -Y.transpose(), Y, MatrixXd::Zero(6, 6);
  const VectorXd z = Numbers(9, 1), gamma = Numbers(6, 1);
  VectorXd b(15);
  b << z, gamma;
  const VectorXd expected = K.colPivHouseholderQr().solve(b);
  Solve(Y, z, gamma);
  EXPECT_EQ(ToRowNumbers(factorization_.dependent_rows()), RowNumbers());
  EXPECT_TRUE(Near(w_, expected.head(9), 1e-11 * (1 + w_.norm())));
  EXPECT_TRUE(Near(lambda_, expected.tail(6), 1e-9 * (1 + lambda_.norm())));
}

TEST_P(RowFactorizationOf, RedundantRowsGivesTheLeastMultipliers) {
  const MatrixXd Y = RedundantRows();
  const VectorXd z = Numbers(9, 1), gamma = Y * Numbers(9, 1);
  Solve(Y, z, gamma);
  EXPECT_EQ(ToRowNumbers(factorization_.dependent_rows()),
            (RowNumbers{1, 3, 5}));
  EXPECT_EQ(ToRowNumbers(factorization_.independent_rows()),
            (RowNumbers{0, 2, 4}));
  // Computes the solution by the pseudoinverse, for rows of unit length.
  const MatrixXd S = Y.rowwise()
                         .norm()
                         .unaryExpr([](double s) { return s > 0 ? 1 / s : 1; })
                         .asDiagonal();
  const MatrixXd unit = S * Y;
  const Eigen::JacobiSVD<MatrixXd> svd(
      unit * unit.transpose(), Eigen::ComputeThinU | Eigen::ComputeThinV);
  MatrixXd inverse = MatrixXd::Zero(6, 6);
  for (int i = 0; i < 3; ++i) {
    inverse += svd.matrixV().col(i) * svd.matrixU().col(i).transpose() /
               svd.singularValues()[i];
  }
  const VectorXd expected = S * (inverse * (S * (gamma - Y * z)));
  EXPECT_TRUE(Near(lambda_, expected, 1e-9 * (1 + expected.norm())));
  EXPECT_TRUE(Near(w_, z + Y.transpose() * lambda_, 1e-11 * (1 + w_.norm())));
  EXPECT_TRUE(Near(Y * w_, gamma, 1e-11 * (1 + Y.norm() * w_.norm())));
}

TEST_P(RowFactorizationOf, NearRowsMeetsBothEquationsAtAnyAngle) {
  for (int power = 1; power <= 17; ++power) {
    MatrixXd Y = RedundantRows();
    Y.row(3) += std::pow(10, -power) * Y.norm() * Numbers(1, 9);
    const VectorXd z = Numbers(9, 1), gamma = Y * Numbers(9, 1);
    Solve(Y, z, gamma);
    const VectorXd terms = Y.cwiseAbs().transpose() * lambda_.cwiseAbs();
    EXPECT_TRUE(
        Near(w_, z + Y.transpose() * lambda_, 1e-13 + 1e-14 * terms.maxCoeff()))
        << power;
    EXPECT_TRUE(Near(Y * w_, gamma, 1e-7 * (1 + Y.norm() * w_.norm())));
  }
}

TEST_P(RowFactorizationOf, NamesRowsThatContradictOthers) {
  const MatrixXd Y = RedundantRows();
  const VectorXd z = Numbers(9, 1);
  VectorXd gamma = Y * Numbers(9, 1);
  VectorXd sizes = VectorXd::Zero(6);
  RowNumbers rows;
  Solve(Y, z, gamma);
  factorization_.FindInconsistentRows(Y, z, sizes, 1e-9, &rows);
  EXPECT_EQ(rows, RowNumbers());
  gamma[5] += 0.1;
  Solve(Y, z, gamma);
  factorization_.FindInconsistentRows(Y, z, sizes, 1e-9, &rows);
  EXPECT_EQ(rows, (RowNumbers{4, 5}));
  // Rounding of terms of this size.
  sizes[2] = 1e12;
  factorization_.FindInconsistentRows(Y, z, sizes, 1e-9, &rows);
  EXPECT_EQ(rows, RowNumbers());
}

TEST_P(RowFactorizationOf, AllocatesNothing) {
  const MatrixXd Y = RedundantRows();
  const VectorXd z = Numbers(9, 1), gamma = Y * z, sizes = VectorXd::Zero(6);
  Solve(Y, z, gamma);
  RowNumbers rows;
  rows.reserve(6);
  wyvern::test::AllocationGuard guard;
  factorization_.Factorize(Y);
  factorization_.Solve(z, gamma, w_, lambda_);
  factorization_.FindInconsistentRows(Y, z, sizes, 1e-9, &rows);
  EXPECT_EQ(guard.count(), 0);
}

TEST_P(RowFactorizationOf, HasTheDerivativesOfDifferences) {
  for (const bool is_redundant : {false, true}) {
    const MatrixXd Y = is_redundant ? RedundantRows() : AnyRows();
    // Change Y in a direction in which redundant rows stay redundant.
    const MatrixXd dX = Numbers(9, 9);
    const VectorXd z = Numbers(9, 1), x = Numbers(9, 1);
    const auto solve_at = [&](double h) {
      const MatrixXd Yh = Y + h * Y * dX;
      Solve(Yh, z, Yh * x);
      VectorXd both(15);
      both << w_, lambda_;
      return both;
    };
    const AutoDiffXd h(0, VectorXd::Ones(1));
    const MatrixX<AutoDiffXd> Yh =
        Y.cast<AutoDiffXd>() + ((Y * dX).eval().cast<AutoDiffXd>() * h).eval();
    RowFactorization<AutoDiffXd> factorization(9, 6);
    factorization.Factorize(Yh);
    VectorX<AutoDiffXd> w(9), lambda(6), both(15);
    factorization.Solve(z.cast<AutoDiffXd>(), Yh * x.cast<AutoDiffXd>(), w,
                        lambda);
    both << w, lambda;
    const VectorXd expected = (solve_at(1e-6) - solve_at(-1e-6)) / 2e-6;
    for (int i = 0; i < 15; ++i) {
      const double found =
          both[i].derivatives().size() == 0 ? 0 : both[i].derivatives()[0];
      EXPECT_NEAR(found, expected[i], 1e-6 * (1 + expected.norm())) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RowFactorizationOf, testing::Range(0u, 8u));

TEST(RowFactorization, PutsOffRowsThatAreNearlyDependent) {
  // The second row alone adds little: it is 1e-4 rad from the first.
  MatrixXd Y(3, 3);
  Y << 1, 0, 0, 1, 1e-4, 0, 0, 1, 0;
  RowFactorization<double> factorization(3, 3);
  factorization.Factorize(Y);
  EXPECT_EQ(ToRowNumbers(factorization.independent_rows()), (RowNumbers{0, 2}));
}

TEST(RowFactorization, CountsRowsAtAnglesThatDoublesTell) {
  for (const double angle : {1e-6, 1e-8, 1e-9, 1e-12}) {
    MatrixXd Y(2, 3);
    Y << 1, 1, 0, 1, 1, angle;
    RowFactorization<double> factorization(3, 2);
    factorization.Factorize(Y);
    EXPECT_EQ(factorization.rank(), angle > 3e-9 ? 2 : 1) << angle;
  }
}

TEST(RowFactorization, AcceptsMoreRowsThanVelocitiesAndNone) {
  RowFactorization<double> factorization(1, 3);
  factorization.Factorize(Eigen::Vector3d(1, 2, 2));
  VectorXd w(1), lambda(3);
  factorization.Solve(VectorXd::Zero(1), Eigen::Vector3d(3, 6, 6), w, lambda);
  EXPECT_NEAR(w[0], 3, 1e-15);
  // Multipliers are alike, for rows of unit length.
  EXPECT_TRUE(Near(lambda, Eigen::Vector3d(1, 0.5, 0.5), 1e-15));
  RowFactorization<double> none(2, 0);
  none.Factorize(MatrixXd(0, 2));
  VectorXd x(2), no_rows(0);
  none.Solve(Eigen::Vector2d(1, 2), no_rows, x, no_rows);
  EXPECT_TRUE(Near(x, Eigen::Vector2d(1, 2)));
}

TEST(RowFactorization, NamesTheRowWhoseDemandIsNotFinite) {
  RowFactorization<double> factorization(2, 2);
  factorization.Factorize(MatrixXd::Identity(2, 2));
  VectorXd w(2), lambda(2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROWS_MESSAGE(factorization.Solve(Eigen::Vector2d(1, 2),
                                            Eigen::Vector2d(0, nan), w, lambda),
                        std::runtime_error, "entry 1 of gamma is nan");
}

}  // namespace
}  // namespace wyvern::multibody
