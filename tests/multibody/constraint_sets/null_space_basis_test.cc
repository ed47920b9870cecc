#include "wyvern/multibody/constraint_sets/null_space_basis.h"

#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/near.h"

namespace wyvern::multibody::internal {
namespace {

using wyvern::test::Near;
using Matrix = MatrixX<double>;
using Vector = VectorX<double>;

constexpr int kVelocities = 11;
constexpr double kTolerance = 1e-11;

class NullSpace : public testing::TestWithParam<unsigned> {
 protected:
  NullSpace() : generator_(GetParam()) {}

  Matrix Numbers(int rows, int cols) {
    return Matrix::NullaryExpr(rows, cols, [this]() {
      return std::uniform_real_distribution<double>(-1, 1)(generator_);
    });
  }
  // Seven rows, half of their entries 0.
  Matrix AnyRows() {
    Matrix G = Numbers(7, kVelocities);
    return G.unaryExpr([](double x) { return x < 0 ? 0 : x; });
  }
  // Returns rows to which a zero row, a sum and a multiple are added.
  Matrix RedundantRows() {
    Matrix G = AnyRows();
    G.row(1).setZero();
    G.row(4) = 0.5 * G.row(0) - G.row(3);
    G.row(6) = -3 * G.row(2);
    return G;
  }
  NullSpaceBasis<double> Factorize(const Matrix& G) {
    NullSpaceBasis<double> basis(static_cast<int>(G.cols()),
                                 static_cast<int>(G.rows()));
    basis.Factorize(G, kTolerance);
    return basis;
  }
  static Matrix ExpandAll(const NullSpaceBasis<double>& basis, int nv) {
    Matrix Z = Matrix::Zero(nv, basis.num_free());
    for (int i = 0; i < Z.cols(); ++i) {
      basis.AddExpanded(Vector::Unit(basis.num_free(), i), Z.col(i));
    }
    return Z;
  }

  std::mt19937 generator_;
};

TEST_P(NullSpace, OfRowsIsWhatTheyDoNotSee) {
  for (const Matrix& G : {AnyRows(), RedundantRows()}) {
    const Matrix Z = ExpandAll(Factorize(G), kVelocities);
    EXPECT_TRUE(Near(G * Z, Matrix::Zero(G.rows(), Z.cols()), 1e-12));
    // One velocity for each free one alone: it has full rank.
    EXPECT_GE(Z.cwiseAbs().colwise().maxCoeff().minCoeff(), 1);
  }
}

TEST_P(NullSpace, NamesRowsThatThoseBeforeMakeUp) {
  const auto basis = Factorize(RedundantRows());
  EXPECT_EQ(basis.rank(), 4);
  EXPECT_EQ(basis.num_free(), kVelocities - 4);
  const auto rows = basis.dependent_rows();
  EXPECT_EQ(std::vector<int>(rows.begin(), rows.end()),
            (std::vector<int>{1, 4, 6}));
}

TEST_P(NullSpace, ParticularSolutionMeetsTheRows) {
  const Matrix G = RedundantRows();
  auto basis = Factorize(G);
  const Vector gamma = G * Numbers(kVelocities, 1);
  Vector x(kVelocities);
  basis.SolveParticular(gamma, x);
  EXPECT_TRUE(Near(G * x, gamma, 1e-12));
  EXPECT_EQ((x.array() != 0).count(), basis.rank());
}

TEST_P(NullSpace, ReducesMatricesAndVectors) {
  Matrix H = Numbers(kVelocities, kVelocities);
  H = (H + H.transpose()).eval();
  const Vector f = Numbers(kVelocities, 1);
  for (const Matrix& G : {AnyRows(), RedundantRows()}) {
    auto basis = Factorize(G);
    const Matrix Z = ExpandAll(basis, kVelocities);
    Matrix reduced = Matrix::Zero(Z.cols(), Z.cols());
    basis.ReduceMatrix(H, reduced);
    const Matrix expected =
        (Z.transpose() * H * Z).triangularView<Eigen::Lower>();
    EXPECT_TRUE(
        Near(reduced, expected, 1e-12 * (1 + expected.cwiseAbs().maxCoeff())));
    Vector Z_f(Z.cols());
    basis.ReduceVector(f, Z_f);
    EXPECT_TRUE(Near(Z_f, Z.transpose() * f, 1e-12 * (1 + Z.norm())));
  }
}

TEST_P(NullSpace, FindsTheMultipliersOfForcesInTheRange) {
  const Matrix G = AnyRows();
  const Vector expected = Numbers(7, 1);
  Vector lambda(7);
  Factorize(G).SolveMultipliers(G.transpose() * expected, lambda);
  EXPECT_TRUE(Near(lambda, expected, 1e-11));
}

TEST_P(NullSpace, IsNoneOfAsManyRowsAsVelocities) {
  const Matrix G = Numbers(6, 6);
  auto basis = Factorize(G);
  EXPECT_EQ(basis.num_free(), 0);
  const Vector expected = Numbers(6, 1);
  Vector x(6);
  basis.SolveParticular(G * expected, x);
  EXPECT_TRUE(Near(x, expected, 1e-11));
  Matrix none(0, 0);
  basis.ReduceMatrix(Matrix::Identity(6, 6), none);
}

TEST_P(NullSpace, OfNoRowsIsEverything) {
  auto basis = Factorize(Matrix(0, 3));
  EXPECT_EQ(ExpandAll(basis, 3), Matrix::Identity(3, 3));
  Matrix reduced = Matrix::Zero(3, 3);
  basis.ReduceMatrix(Matrix::Identity(3, 3), reduced);
  EXPECT_EQ(reduced, Matrix::Identity(3, 3));
}

TEST_P(NullSpace, AllocatesNothing) {
  const Matrix G = RedundantRows();
  const Matrix H = Matrix::Identity(kVelocities, kVelocities);
  NullSpaceBasis<double> basis(kVelocities, 7);
  Vector x(kVelocities), u = Vector::Zero(kVelocities);
  const Vector gamma = Vector::Zero(7);
  Matrix reduced(kVelocities, kVelocities);
  wyvern::test::AllocationGuard guard;
  basis.Factorize(G, kTolerance);
  basis.SolveParticular(gamma, x);
  basis.ReduceMatrix(H, reduced);
  basis.ReduceVector(x, u.head(basis.num_free()));
  basis.AddExpanded(u.head(basis.num_free()), x);
  EXPECT_EQ(guard.count(), 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, NullSpace, testing::Range(0u, 10u));

// Z has entries near 1 where some of G's are tiny.
TEST(NullSpaceRank, PivotsAreTheLargestEntries) {
  Matrix G(2, 4);
  G << 1e-10, 1, 0.5, -0.3, 1, 1e-10, 0.2, 0.7;
  NullSpaceBasis<double> basis(4, 2);
  basis.Factorize(G, kTolerance);
  Vector x(4), up = Vector::Zero(4);
  const Vector gamma = Eigen::Vector2d(0.3, -0.8);
  basis.SolveParticular(gamma, x);
  EXPECT_LE(x.norm(), 2);
  EXPECT_TRUE(Near(G * x, gamma, 1e-15));
  basis.AddExpanded(Eigen::Vector2d(1, -1), up);
  EXPECT_LE(up.norm(), 2);
  EXPECT_TRUE(Near(G * up, Vector::Zero(2), 1e-15));
}

// By a factor that is not the norm of Z: rows are measured, not pivots.
TEST(NullSpaceRank, IsLostByRowsNearTheOthers) {
  for (const double angle : {1e-7, 1e-4}) {
    Matrix G(2, 3);
    G << 1, 1, 0, 1, 1, angle;
    NullSpaceBasis<double> basis(3, 2);
    basis.Factorize(G, kTolerance);
    EXPECT_EQ(basis.rank(), angle < 1e-6 ? 1 : 2);
  }
}

TEST(NullSpaceRank, CountsNoRowThatIsNotFinite) {
  Matrix G(1, 2);
  G << std::numeric_limits<double>::quiet_NaN(), 1;
  NullSpaceBasis<double> basis(2, 1);
  basis.Factorize(G, kTolerance);
  EXPECT_EQ(basis.rank(), 0);
}

}  // namespace
}  // namespace wyvern::multibody::internal
