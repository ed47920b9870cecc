#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/dynamics/model.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Where rows of constraints differ from 0. A row is a force on one node and
its opposite on another; the velocities between these and the world feel it.
*/
class RowPattern {
 public:
  /** Rows [first, first + count) act on nodes[0], and the opposite way on
  nodes[1]. */
  struct Bundle {
    /** The two nodes; node 0 is the world. */
    Vector2<int> nodes;
    /** First row. */
    int first{};
    /** Number of rows. */
    int count{};
  };
  /** Velocities [start, end) feel rows [first, last) at most. */
  struct Piece {
    /** First velocity. */
    int start{};
    /** One past the last velocity. */
    int end{};
    /** First row. */
    int first{};
    /** One past the last row. */
    int last{};
  };

  /** Starts anew. Allocates nothing after a first time with as many rows.
  @param nodes By row; node 0 is the world, which feels nothing. */
  void Reset(const dynamics::Model& model, std::span<const Vector2<int>> nodes);

  /** Number of rows. */
  int num_rows() const { return num_rows_; }
  /** Rows by pairs of nodes, in the order of the rows. */
  const std::vector<Bundle>& bundles() const { return bundles_; }
  /** Increasing, and none overlap. */
  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  // Rows [first, last).
  struct Extent {
    int first{};
    int last{};
  };

  int num_rows_{};
  std::vector<Bundle> bundles_;
  std::vector<Piece> pieces_;
  std::vector<Extent> of_v_;  // By velocity: the rows that it feels.
};

}  // namespace wyvern::multibody::internal
