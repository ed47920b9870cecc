#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "wyvern/multibody/step/branch_pattern.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Sparse Cholesky factorization H = L L' of a symmetric positive definite
matrix of dense blocks, given by a graph: block (i, j) may differ from zero only
if i = j or (i, j) is an edge.

Connected components (islands) are ordered, factored and solved independently.
In each, blocks are eliminated by minimum degree, ties by index; a block column
of L is one dense panel, so that all arithmetic is on pieces of dense columns.
The diagonal blocks of L are lower triangular, upper where they are branched.
Storage is kept: an analysis no larger than an earlier one allocates nothing. */
class BlockCholesky {
 public:
  /** Orders and lays out L. Does nothing if the graph is that of the last call.
  @param sizes Of the diagonal blocks; blocks of size 0 are left out.
  @param is_used Blocks that take part, by index.
  @param edges (i, j), i < j, sorted, no duplicates, both used.
  @param parents By row of all blocks: how its block is branched, as in
  BranchPattern; not at all, if it is empty. */
  void Analyze(std::span<const int> sizes, std::span<const char> is_used,
               std::span<const std::pair<int, int>> edges,
               std::span<const int> parents = {});

  int num_islands() const { return static_cast<int>(island_start_.size()) - 1; }
  /** The blocks of an island, in the order of elimination. */
  std::span<const int> island(int i) const {
    return std::span<const int>(order_).subspan(
        island_start_[i], island_start_[i + 1] - island_start_[i]);
  }
  /** The edges of the graph, (i, j) with i < j. */
  std::span<const std::pair<int, int>> edges() const { return edges_; }
  /** The island of a used block; -1 of others. */
  int island_of(int block) const { return island_of_[block]; }

  /** Sets block (i, i) to what is in H, and blocks (j, i) below it to 0. */
  void StartBlock(int i, const double* H);
  /** The pattern of the diagonal blocks. */
  const BranchPattern& pattern() const { return pattern_; }
  /** Block (i, j) of H, to be written before Factor(). Of (i, i) only the upper
  triangle counts. If i is eliminated before j, the block (j, i) is stored: then
  *is_transposed is set and the map is of that one. */
  Eigen::Map<MatrixX<double>, 0, Eigen::OuterStride<>> Block(
      int i, int j, bool* is_transposed);
  /** Replaces H by L. @returns false if a pivot is not positive. */
  bool Factor(int island);
  /** x = H^-1 b in place, of the rows of the island; x has all blocks' rows, in
  the order of the blocks. */
  void Solve(int island, Eigen::Ref<VectorX<double>> x) const {
    SolveForward(island, x.data());
    SolveBackward(island, x.data());
  }
  /** x = L^-1 x and x = L^-T x of an island, likewise. */
  void SolveForward(int island, double* x) const;
  void SolveBackward(int island, double* x) const;
  /** X = L^-1 X of four columns at a time, stored by rows: row i starts at X +
  i stride. */
  void SolveForward(int island, int num_fours, int stride, double* X) const;

 private:
  struct Column {
    int block{};
    int size{};
    int height{};  // Rows of the panel, the diagonal block's among them.
    int values{};  // Start of the panel.
    int rows{};    // Its first entry in rows_, after the diagonal block.
    int num_rows{};
    int updates{};
  };
  struct Row {
    int column{};  // The block row, by its place in the order.
    int offset{};  // Its first row in the panel.
  };

  void AnalyzeGraph(std::span<const int> sizes, std::span<const char> is_used,
                    std::span<const std::pair<int, int>> edges);
  void FindIslands(std::span<const char> is_used);
  void Order(int island);
  void LayOut();
  int FindRow(const Column& column, int place) const;
  void Update(const Column& column);
  // X = L^-1 X of four columns, or eight, and of all.
  template <int kFours>
  void SolveFours(int island, int stride, double* X) const;
  static void SolveColumns(const BlockCholesky* cholesky, int island,
                           int num_fours, int stride, double* X);

  std::vector<int> sizes_;
  std::vector<char> is_used_;
  std::vector<std::pair<int, int>> edges_;
  std::vector<int> start_;  // First row of each block in a vector.
  std::vector<int> island_of_;
  std::vector<int> island_start_{0};
  std::vector<int> order_;
  std::vector<int> place_;  // Place of each block in the order.
  std::vector<Column> columns_;
  std::vector<Row> rows_;
  std::vector<int> targets_;  // Place that each update of a panel goes to.
  std::vector<double> values_;
  std::vector<int> parents_;
  BranchPattern pattern_;
  std::vector<char> is_branched_;

  // Memory of the analysis.
  std::vector<int> island_blocks_;
  std::vector<int> island_first_;
  std::vector<int> local_;
  std::vector<std::uint64_t> adjacency_;
  std::vector<char> is_done_;
  std::vector<int> island_edges_;
  std::vector<int> edge_first_;
  std::vector<int> next_;
};

}  // namespace wyvern::multibody::internal
