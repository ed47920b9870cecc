#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Sparse Cholesky factorization H = L L' of a symmetric positive definite
matrix of dense blocks, given by a graph: block (i, j) may differ from zero only
if i = j or (i, j) is an edge.

Connected components (islands) are ordered, factored and solved independently.
In each, blocks are eliminated by minimum degree, ties by index; a block column
of L is one dense panel, so that all arithmetic is on dense columns. Storage is
kept: an analysis no larger than an earlier one allocates nothing. */
class BlockCholesky {
 public:
  /** Orders and lays out L. Does nothing if the graph is that of the last call.
  @param sizes Of the diagonal blocks; blocks of size 0 are left out.
  @param is_used Blocks that take part, by index.
  @param edges (i, j), i < j, sorted, no duplicates, both used. */
  void Analyze(std::span<const int> sizes, std::span<const char> is_used,
               std::span<const std::pair<int, int>> edges);

  int num_islands() const { return static_cast<int>(island_start_.size()) - 1; }
  /** The blocks of an island, in the order of elimination. */
  std::span<const int> island(int i) const {
    return std::span<const int>(order_).subspan(
        island_start_[i], island_start_[i + 1] - island_start_[i]);
  }
  /** The island of a used block; -1 of others. */
  int island_of(int block) const { return island_of_[block]; }

  /** Sets the island's blocks to zero. */
  void SetZero(int island);
  /** Block (i, j) of H, to be written before Factor(). Of (i, i) only the lower
  triangle counts. If i is eliminated before j, the block (j, i) is stored: then
  *is_transposed is set and the map is of that one. */
  Eigen::Map<MatrixX<double>, 0, Eigen::OuterStride<>> Block(
      int i, int j, bool* is_transposed);
  /** Replaces H by L. @returns false if a pivot is not positive. */
  bool Factor(int island);
  /** x = H^-1 b in place, of the rows of the island; x has all blocks' rows, in
  the order of the blocks. */
  void Solve(int island, Eigen::Ref<VectorX<double>> x) const;

 private:
  struct Column {
    int block{};
    int size{};
    int height{};  // Rows of the panel, the diagonal block's among them.
    int values{};  // Where the panel starts.
    int rows{};    // Its first entry in rows_, after the diagonal block.
    int num_rows{};
    int updates{};
  };
  struct Row {
    int column{};  // The block row, by its place in the order.
    int offset{};  // Its first row in the panel.
  };

  void FindIslands(std::span<const char> is_used);
  void Order(int island);
  void LayOut();
  int FindRow(const Column& column, int place) const;
  void Update(const Column& column);

  std::vector<int> sizes_;
  std::vector<char> is_used_;
  std::vector<std::pair<int, int>> edges_;
  std::vector<int> start_;  // First row of each block in a vector.
  std::vector<int> island_of_;
  std::vector<int> island_start_{0};
  std::vector<int> order_;
  std::vector<int> place_;  // Of each block in the order.
  std::vector<Column> columns_;
  std::vector<Row> rows_;
  std::vector<int> targets_;  // Where each update of a panel goes.
  std::vector<double> values_;

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
