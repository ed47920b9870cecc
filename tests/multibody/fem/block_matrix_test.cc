#include "wyvern/multibody/fem/block_matrix.h"

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "tests/multibody/fem/test_bodies.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/near.h"

namespace wyvern::multibody::fem::internal {
namespace {

using wyvern::test::Near;

struct System {
  FemModel model{"cube", test::MakeIrregularCube(3),
                 test::MakeConfig(MaterialModel::kLinear)};
  const BlockPattern& pattern{model.pattern()};
  int n{3 * model.num_vertices()};
  std::vector<Block> A;
  Eigen::MatrixXd dense;

  // Stiffness and mass.
  System() : A(pattern.num_blocks()), dense(Eigen::MatrixXd::Zero(n, n)) {
    VectorX<double> gradient(n);
    const VectorX<double>& q = model.reference_positions();
    model.CalcElasticity(q, q, Wanted::kStiffness, &gradient, &A);
    for (int k = 0; k < pattern.num_blocks(); ++k) {
      for (const int i : {0, 4, 8}) A[k][i] += 1e3 * model.masses()[k];
      const int i = 3 * pattern.row_vertex(k);
      const int j = 3 * pattern.column_vertex(k);
      const Eigen::Map<const Eigen::Matrix3d> block(A[k].data());
      dense.block<3, 3>(j, i) = block.transpose();
      dense.block<3, 3>(i, j) = block;
    }
  }
};

TEST(BlockMatrix, ProductsAreThoseOfTheDenseMatrix) {
  const System system;
  const VectorX<double> x = test::RandomVector(system.n, 1);
  VectorX<double> y = x;
  AddProduct(system.pattern, system.A, x, &y);
  EXPECT_TRUE(Near(system.dense, system.dense.transpose(), 1e-9));
  EXPECT_TRUE(Near(y, x + system.dense * x, 1e-12 * system.dense.norm()));
}

TEST(BlockMatrix, SolvesAsTheDenseFactorDoesAndAllocatesNothing) {
  const System system;
  BlockCholesky3 cholesky(system.pattern);
  const VectorX<double> b = test::RandomVector(system.n, 1);
  VectorX<double> x(system.n);
  std::vector<char> is_fixed(system.model.num_vertices(), 0);
  const wyvern::test::AllocationGuard guard;
  ASSERT_TRUE(cholesky.Factor(system.pattern, system.A, is_fixed));
  cholesky.Solve(system.pattern, b, is_fixed, &x);
  EXPECT_EQ(guard.count(), 0);
  const VectorX<double> expected = system.dense.llt().solve(b);
  EXPECT_TRUE(Near(x, expected, 1e-12 * expected.norm()));
}

TEST(BlockMatrix, LeavesOutWhatIsFixed) {
  const System system;
  BlockCholesky3 cholesky(system.pattern);
  std::vector<char> is_fixed(system.model.num_vertices(), 0);
  Eigen::MatrixXd dense = system.dense;
  VectorX<double> b = test::RandomVector(system.n, 1);
  VectorX<double> x(system.n);
  const VectorX<double> given = b;
  for (const int v : {0, 5, 17, 40}) {
    is_fixed[v] = 1;
    dense.middleRows<3>(3 * v).setZero();
    dense.middleCols<3>(3 * v).setZero();
    dense.block<3, 3>(3 * v, 3 * v).setIdentity();
    b.segment<3>(3 * v).setZero();
  }
  ASSERT_TRUE(cholesky.Factor(system.pattern, system.A, is_fixed));
  cholesky.Solve(system.pattern, given, is_fixed, &x);
  const VectorX<double> expected = dense.llt().solve(b);
  EXPECT_TRUE(Near(x, expected, 1e-12 * expected.norm()));
}

TEST(BlockMatrix, SaysSoIfTheMatrixIsNotPositive) {
  System system;
  BlockCholesky3 cholesky(system.pattern);
  const std::vector<char> is_fixed(system.model.num_vertices(), 0);
  const int k = system.pattern.FindBlock(11, 11);
  for (const int i : {0, 4, 8}) {
    for (const double bad : {-1.0, std::nan("")}) {
      std::vector<Block> A = system.A;
      A[k][i] = bad;
      EXPECT_FALSE(cholesky.Factor(system.pattern, A, is_fixed)) << i;
    }
  }
}

}  // namespace
}  // namespace wyvern::multibody::fem::internal
