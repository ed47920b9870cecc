#include "wyvern/multibody/step/block_cholesky.h"

#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "tests/support/allocation_guard.h"
#include "tests/support/near.h"

namespace wyvern::multibody::internal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::Near;

struct Graph {
  std::vector<int> sizes;
  std::vector<char> is_used;
  std::vector<std::pair<int, int>> edges;
  MatrixXd H;
  VectorXd b;

  int Start(int block) const {
    int start = 0;
    for (int i = 0; i < block; ++i) start += sizes[i];
    return start;
  }
};

Graph MakeGraph(int num_blocks, double density, int seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  Graph graph;
  int total = 0;
  for (int i = 0; i < num_blocks; ++i) {
    graph.sizes.push_back(unit(generator) < 0.5 ? 6 : 1 + i % 9);
    graph.is_used.push_back(unit(generator) < 0.9);
    total += graph.sizes.back();
  }
  graph.H = MatrixXd::Zero(total, total);
  const auto random = [&](int rows, int columns) {
    return MatrixXd::NullaryExpr(rows, columns,
                                 [&] { return unit(generator) - 0.5; })
        .eval();
  };
  for (int i = 0; i < num_blocks; ++i) {
    for (int j = i + 1; j < num_blocks; ++j) {
      if (unit(generator) > density) continue;
      if (!graph.is_used[i] || !graph.is_used[j]) continue;
      graph.edges.emplace_back(i, j);
      const MatrixXd H_ij = random(graph.sizes[i], graph.sizes[j]);
      graph.H.block(graph.Start(i), graph.Start(j), H_ij.rows(), H_ij.cols()) =
          H_ij;
    }
  }
  graph.H += graph.H.transpose().eval();
  graph.H.diagonal().array() += 1 + graph.H.cwiseAbs().rowwise().sum().array();
  graph.b = random(total, 1);
  for (int i = 0; i < num_blocks; ++i) {  // What is left out stays what it is.
    if (!graph.is_used[i]) {
      graph.H.diagonal().segment(graph.Start(i), graph.sizes[i]).setOnes();
    }
  }
  return graph;
}

VectorXd Solve(const Graph& graph, BlockCholesky* cholesky) {
  cholesky->Analyze(graph.sizes, graph.is_used, graph.edges);
  VectorXd x = graph.b;
  for (int island = 0; island < cholesky->num_islands(); ++island) {
    bool is_transposed;
    const auto block = [&](int i, int j) {
      return graph.H.block(graph.Start(i), graph.Start(j), graph.sizes[i],
                           graph.sizes[j]);
    };
    for (const int i : cholesky->island(island)) {
      const MatrixXd H = block(i, i);
      cholesky->StartBlock(i, H.data());
    }
    for (const auto& [i, j] : graph.edges) {
      if (cholesky->island_of(i) != island) continue;
      auto H = cholesky->Block(i, j, &is_transposed);
      if (is_transposed) {
        H = block(j, i);
      } else {
        H = block(i, j);
      }
    }
    EXPECT_TRUE(cholesky->Factor(island));
    cholesky->Solve(island, x);
  }
  return x;
}

TEST(BlockCholesky, SolvesWhatADenseFactorizationSolves) {
  BlockCholesky cholesky;
  for (int seed = 0; seed < 20; ++seed) {
    const Graph graph = MakeGraph(3 + 2 * seed, 0.02 + 0.02 * (seed % 7), seed);
    const VectorXd expected = graph.H.llt().solve(graph.b);
    // Diagonally dominant: the condition number is below 100.
    EXPECT_TRUE(Near(Solve(graph, &cholesky), expected, 1e-13)) << seed;
  }
}

TEST(BlockCholesky, FindsIslands) {
  BlockCholesky cholesky;
  const std::vector<int> sizes{6, 6, 0, 3, 1};
  const std::vector<char> is_used{1, 1, 1, 0, 1};
  const std::vector<std::pair<int, int>> edges{{0, 4}};
  cholesky.Analyze(sizes, is_used, edges);
  EXPECT_EQ(cholesky.num_islands(), 2);
  EXPECT_EQ(cholesky.island_of(0), cholesky.island_of(4));
  EXPECT_NE(cholesky.island_of(0), cholesky.island_of(1));
  EXPECT_EQ(cholesky.island_of(2), -1);
  EXPECT_EQ(cholesky.island_of(3), -1);
}

TEST(BlockCholesky, RefusesAnIndefiniteMatrix) {
  BlockCholesky cholesky;
  const std::vector<int> sizes{2};
  const std::vector<char> is_used{1};
  cholesky.Analyze(sizes, is_used, {});
  MatrixXd H = -MatrixXd::Identity(2, 2);
  cholesky.StartBlock(0, H.data());
  EXPECT_FALSE(cholesky.Factor(0));
  H.setConstant(NAN);
  cholesky.StartBlock(0, H.data());
  EXPECT_FALSE(cholesky.Factor(0));
}

TEST(BlockCholesky, AllocatesNothingTheSecondTime) {
  BlockCholesky cholesky;
  const Graph big = MakeGraph(30, 0.1, 5);
  Graph small = big;
  small.edges.resize(big.edges.size() / 2);
  Solve(big, &cholesky);
  const VectorXd unused = Solve(small, &cholesky);
  test::AllocationGuard guard;
  cholesky.Analyze(big.sizes, big.is_used, big.edges);
  cholesky.Analyze(small.sizes, small.is_used, small.edges);
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace
}  // namespace wyvern::multibody::internal
