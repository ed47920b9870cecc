#pragma once

#include <array>
#include <span>
#include <vector>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::fem::internal {

/** A block of 3 x 3, column by column. */
using Block = std::array<double, 9>;

/** Which blocks of a symmetric matrix of 3 x 3 blocks may differ from zero, a
block row a vertex, and which of its Cholesky factor. Vertices are eliminated by
approximate minimum degree (Eigen's AMDOrdering); the place of a vertex is its
turn. Blocks on and below the diagonal, by places, are numbered column by
column, the diagonal block first. Made once a mesh, and shared. */
class BlockPattern {
 public:
  /** @param elements Whose vertices are neighbours of each other. */
  BlockPattern(int num_vertices, std::span<const std::array<int, 4>> elements);

  int num_vertices() const { return static_cast<int>(place_.size()); }
  int place(int vertex) const { return place_[vertex]; }
  int num_blocks() const { return static_cast<int>(row_.size()); }
  int num_factor_blocks() const { return static_cast<int>(factor_row_.size()); }
  /** Of the matrix, the block in the row of one vertex and the column of
  another whose place is no later. */
  int FindBlock(int row_vertex, int column_vertex) const;
  /** The vertices of each block of the matrix. */
  int row_vertex(int block) const { return row_[block]; }
  int column_vertex(int block) const { return column_[block]; }

 private:
  friend class BlockCholesky3;

  std::vector<int> place_;
  std::vector<int> start_;  // Of each place's column, and the end.
  std::vector<int> row_;    // Vertices, of each block.
  std::vector<int> column_;
  std::vector<int> factor_start_;
  std::vector<int> factor_row_;    // Places, of each block of the factor.
  std::vector<int> factor_block_;  // Where each block of the matrix goes.
};

/** y += A x for the symmetric A whose blocks on and below the diagonal are
given. */
void AddProduct(const BlockPattern& pattern, std::span<const Block> A,
                const VectorX<double>& x, VectorX<double>* y);

/** The Cholesky factor of a symmetric positive definite matrix of 3 x 3 blocks:
left-looking, column by column. Costs what the factor's blocks say; after the
constructor it allocates nothing. */
class BlockCholesky3 {
 public:
  explicit BlockCholesky3(const BlockPattern& pattern);

  /** Factors A without the rows and columns of the vertices that are fixed.
  @returns false if it is not positive definite, to rounding. */
  bool Factor(const BlockPattern& pattern, std::span<const Block> A,
              std::span<const char> is_fixed);
  /** x = A^-1 b, with 0 for fixed vertices. */
  void Solve(const BlockPattern& pattern, const VectorX<double>& b,
             std::span<const char> is_fixed, VectorX<double>* x);

 private:
  bool FactorColumn(const BlockPattern& pattern, int column);

  std::vector<Block> L_;
  // Of each column that has been factored, the block whose row is next; columns
  // whose next row is the same form a list.
  std::vector<int> first_, next_, at_;
  std::vector<int> where_;  // Of each row in the column at work.
  VectorX<double> y_;
};

}  // namespace wyvern::multibody::fem::internal
