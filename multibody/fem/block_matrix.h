#pragma once

#include <array>
#include <span>
#include <vector>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::fem::internal {

/** A block of 3 x 3, column by column. */
using Block = std::array<double, 9>;

/** Which blocks of a symmetric matrix of 3 x 3 blocks may differ from zero, a
block row a vertex. Blocks on and below the diagonal are numbered column by
column. Made once a mesh, and shared. */
class BlockPattern {
 public:
  /** @param positions of the vertices, x, y, z of one after the other, by which
  a factor's order of elimination is chosen
  @param elements Whose vertices are neighbours of each other. */
  BlockPattern(const VectorX<double>& positions,
               std::span<const std::array<int, 4>> elements);

  int num_vertices() const { return static_cast<int>(start_.size()) - 1; }
  int num_blocks() const { return static_cast<int>(row_.size()); }
  const VectorX<double>& positions() const { return positions_; }
  /** The block in the row of a vertex and the column of one no later. */
  int FindBlock(int row_vertex, int column_vertex) const;
  /** The vertices of each block. */
  int row_vertex(int block) const { return row_[block]; }
  int column_vertex(int block) const { return column_[block]; }

  /** A vertex that shares an element, or the vertex itself, and their block. */
  struct Neighbour {
    int vertex{};
    int block{};
  };
  /** By increasing vertex. */
  std::span<const Neighbour> neighbours(int vertex) const {
    return std::span<const Neighbour>(neighbours_)
        .subspan(neighbour_start_[vertex],
                 neighbour_start_[vertex + 1] - neighbour_start_[vertex]);
  }

 private:
  VectorX<double> positions_;
  std::vector<int> start_;  // Of each column, and the end.
  std::vector<int> row_;
  std::vector<int> column_;
  std::vector<int> neighbour_start_;
  std::vector<Neighbour> neighbours_;
};

/** y += A x for the symmetric A whose blocks on and below the diagonal are
given. */
void AddProduct(const BlockPattern& pattern, std::span<const Block> A,
                const VectorX<double>& x, VectorX<double>* y);

}  // namespace wyvern::multibody::fem::internal
