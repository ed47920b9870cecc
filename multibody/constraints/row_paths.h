#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/algorithms/forward_dynamics.h"
#include "wyvern/multibody/algorithms/model.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::engine {

/** Which rows of a set act on which nodes, and which velocities that is felt
by; compiled by ConstraintSet::Bind(). */
class RowPaths {
 public:
  /** Rows [first, first + count) act with `sign` on one node. */
  struct Bundle {
    int node{};
    int first{};
    int count{};
    double sign{};
  };
  /** Velocities [start, end) feel rows [first, last) at most. */
  struct Piece {
    int start{};
    int end{};
    int first{};
    int last{};
  };

  RowPaths() = default;
  /** @param nodes The successor's and the predecessor's node of each row; 0 for
  the world. */
  RowPaths(const Model& model, std::span<const Vector2<int>> nodes);

  const std::vector<Bundle>& bundles() const { return bundles_; }
  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  std::vector<Bundle> bundles_;
  std::vector<Piece> pieces_;
};

/** Adds to G, nc x nv, the rows of unit forces F on nodes: F_rᵀ (J_successor -
J_predecessor), F about Wo in W. */
template <typename T>
void AddRowsOnPaths(const Model& model, const PositionKinematics<T>& positions,
                    const RowPaths& paths, const Matrix6X<T>& F, MatrixX<T>* G);

/** W = G L⁻ᵀ for M = L D Lᵀ by articulated bodies; see factored_rows.h. */
template <typename T>
void CalcFactoredRowsOnPaths(const Model& model,
                             const PositionKinematics<T>& positions,
                             const ArticulatedInertias<T>& articulated,
                             const RowPaths& paths, const Matrix6X<T>& F,
                             MatrixX<T>* W);

}  // namespace wyvern::multibody::engine
