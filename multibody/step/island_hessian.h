#pragma once

#include "wyvern/multibody/kernels/six_by_six.h"
#include "wyvern/multibody/step/block_cholesky.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

class Island;

/** H = A + J'G J - dt df/dv of the island at work and its Cholesky factor, by
blocks of trees; J is that of the island's constraints, G = -dg/dv the slopes of
their laws. A locked velocity has the identity for its row and column. Storage
is kept. */
class IslandHessian {
 public:
  /** The factor by blocks, whose graph says which islands there are. */
  BlockCholesky& cholesky() { return cholesky_; }
  const BlockCholesky& cholesky() const { return cholesky_; }

  /** Factors H at the island's velocities.
  @throws std::runtime_error if H is not positive definite. */
  void Factor(Island* island);
  /** Factors H without the island's constraints: A - dt df/dv.
  @returns false if it is not positive definite. */
  bool FactorWithoutConstraints(const Island& island);
  /** x <- H^-1 x with the last factor, of the island's velocities. */
  void Solve(const Island& island, Eigen::Ref<VectorX<double>> x) const;

 private:
  // The blocks of H that a constraint between free bodies adds to, or between
  // one and the world.
  struct HessianBlocks6 {
    Block6 own[2];
    Block6 mixed;
    bool is_transposed{};
  };

  void AssembleTrees(const Island& island);
  void AssembleConstraints(Island* island);
  void AssembleLocked(const Island& island);
  HessianBlocks6 FindBlocks6(const int (&tree)[2]);
  void AddConstraint(const Island& island, int c, const double* G);

  BlockCholesky cholesky_;
  Eigen::Matrix<double, Eigen::Dynamic, 6> J_by_rows_;
};

}  // namespace wyvern::multibody::internal
