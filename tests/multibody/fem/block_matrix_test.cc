#include "wyvern/multibody/fem/block_matrix.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/multibody/fem/test_matrix.h"
#include "tests/support/near.h"

namespace wyvern::multibody::fem::internal {
namespace {

using wyvern::test::Near;

TEST(BlockMatrix, ProductsAreThoseOfTheDenseMatrix) {
  const test::StiffnessAndMass system;
  const VectorX<double> x = test::RandomVector(system.n, 1);
  VectorX<double> y = x;
  AddProduct(system.pattern, system.A, x, &y);
  EXPECT_TRUE(Near(system.dense, system.dense.transpose(), 1e-9));
  EXPECT_TRUE(Near(y, x + system.dense * x, 1e-12 * system.dense.norm()));
}

TEST(BlockMatrix, AVertexHasItsNeighboursAndTheirBlocks) {
  const test::StiffnessAndMass system;
  const BlockPattern& pattern = system.pattern;
  for (int v = 0; v < pattern.num_vertices(); ++v) {
    int last = -1;
    for (const auto& neighbour : pattern.neighbours(v)) {
      EXPECT_GT(neighbour.vertex, last);
      last = neighbour.vertex;
      EXPECT_EQ(neighbour.block,
                pattern.FindBlock(std::max(v, last), std::min(v, last)));
      const auto back = pattern.neighbours(last);
      EXPECT_TRUE(std::ranges::any_of(
          back, [v](const auto& other) { return other.vertex == v; }));
    }
    EXPECT_GE(pattern.neighbours(v).size(), 4u);
  }
}

}  // namespace
}  // namespace wyvern::multibody::fem::internal
