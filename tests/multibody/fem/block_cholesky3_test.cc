#include "wyvern/multibody/fem/block_cholesky3.h"

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "tests/multibody/fem/test_matrix.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/near.h"

namespace wyvern::multibody::fem::internal {
namespace {

using test::StiffnessAndMass;
using wyvern::test::Near;

// The dense matrix with rows and columns of the identity for what is fixed.
Eigen::MatrixXd Fix(const Eigen::MatrixXd& A,
                    const std::vector<char>& is_fixed) {
  Eigen::MatrixXd result = A;
  for (int v = 0; v < static_cast<int>(is_fixed.size()); ++v) {
    if (!is_fixed[v]) continue;
    result.middleRows<3>(3 * v).setZero();
    result.middleCols<3>(3 * v).setZero();
    result.block<3, 3>(3 * v, 3 * v).setIdentity();
  }
  return result;
}

// Some vertices are fixed or last, in all combinations.
struct Choice {
  std::vector<char> is_fixed;
  std::vector<int> last;
};
std::vector<Choice> MakeChoices(int num_vertices) {
  std::vector<Choice> result;
  for (const bool fixes : {false, true}) {
    std::vector<char> is_fixed(num_vertices, 0);
    for (const int v : {0, 5, 17, 40}) is_fixed[v] = fixes;
    std::vector<int> all;
    for (int v = 0; v < num_vertices; ++v) {
      if (!is_fixed[v]) all.push_back(v);
    }
    result.push_back({is_fixed, {}});
    result.push_back({is_fixed, {2, 3, 4, 7, 30, 60, 61}});
    result.push_back({is_fixed, {50}});
    result.push_back({is_fixed, all});
  }
  result.push_back({std::vector<char>(num_vertices, 1), {}});
  return result;
}

TEST(BlockCholesky3, SolvesAsTheDenseFactorDoes) {
  const StiffnessAndMass system;
  BlockCholesky3 cholesky(&system.pattern);
  for (const Choice& choice : MakeChoices(system.model.num_vertices())) {
    cholesky.Analyze(choice.is_fixed, choice.last);
    ASSERT_TRUE(cholesky.Factor(system.A));
    VectorX<double> b = test::RandomVector(system.n, 1), x(system.n);
    cholesky.Solve(b, &x);
    for (int v = 0; v < system.model.num_vertices(); ++v) {
      if (choice.is_fixed[v]) b.segment<3>(3 * v).setZero();
    }
    const VectorX<double> expected =
        Fix(system.dense, choice.is_fixed).llt().solve(b);
    EXPECT_TRUE(Near(x, expected, 1e-12 * (1 + expected.norm())));
  }
}

TEST(BlockCholesky3, TheSchurComplementIsThatOfTheDenseMatrix) {
  const StiffnessAndMass system;
  BlockCholesky3 cholesky(&system.pattern);
  for (const Choice& choice : MakeChoices(system.model.num_vertices())) {
    if (choice.last.empty()) continue;
    cholesky.Analyze(choice.is_fixed, choice.last);
    ASSERT_TRUE(cholesky.Factor(system.A));
    // Its inverse is that part of the inverse.
    const Eigen::MatrixXd inverse =
        Fix(system.dense, choice.is_fixed).inverse();
    const int n = 3 * static_cast<int>(choice.last.size());
    Eigen::MatrixXd part(n, n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        part(i, j) = inverse(3 * choice.last[i / 3] + i % 3,
                             3 * choice.last[j / 3] + j % 3);
      }
    }
    const Eigen::MatrixXd expected = part.inverse();
    const Eigen::MatrixXd schur =
        cholesky.schur_complement().selfadjointView<Eigen::Lower>();
    EXPECT_TRUE(Near(schur, expected, 1e-11 * expected.norm()));
  }
}

TEST(BlockCholesky3, AllocatesNothingUntilWhatIsLastChanges) {
  const StiffnessAndMass system;
  BlockCholesky3 cholesky(&system.pattern);
  const Choice choice = MakeChoices(system.model.num_vertices())[1];
  const VectorX<double> b = test::RandomVector(system.n, 1);
  VectorX<double> x(system.n);
  cholesky.Analyze(choice.is_fixed, choice.last);
  ASSERT_TRUE(cholesky.Factor(system.A));
  const wyvern::test::AllocationGuard guard;
  cholesky.Analyze(choice.is_fixed, choice.last);
  ASSERT_TRUE(cholesky.Factor(system.A));
  cholesky.Solve(b, &x);
  EXPECT_EQ(guard.count(), 0);
}

// Dissection: a cube of 8 x 8 x 8 vertices has a separator of 64, whose panel
// alone has 64 * 65 / 2 blocks; without an order there would be some 50,000.
TEST(BlockCholesky3, DissectionKeepsTheFactorSmall) {
  const FemModel model("cube", test::MakeBox({1, 1, 1}, 1.0 / 7),
                       test::MakeConfig(MaterialModel::kLinear));
  ASSERT_EQ(model.num_vertices(), 512);
  BlockCholesky3 cholesky(&model.pattern());
  cholesky.Analyze(model.is_fixed(), {});
  EXPECT_GT(cholesky.num_factor_blocks(), 64 * 65 / 2);
  EXPECT_LT(cholesky.num_factor_blocks(), 30'000);
}

TEST(BlockCholesky3, SaysSoIfTheMatrixIsNotPositive) {
  const StiffnessAndMass system;
  BlockCholesky3 cholesky(&system.pattern);
  cholesky.Analyze(system.model.is_fixed(), {});
  const int k = system.pattern.FindBlock(11, 11);
  for (const int i : {0, 4, 8}) {
    for (const double bad : {-1.0, std::nan("")}) {
      std::vector<Block> A = system.A;
      A[k][i] = bad;
      EXPECT_FALSE(cholesky.Factor(A)) << i;
    }
  }
}

}  // namespace
}  // namespace wyvern::multibody::fem::internal
