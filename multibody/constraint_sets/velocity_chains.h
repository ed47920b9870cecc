#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/dynamics/model.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** For each velocity, those inboard of it, in contiguous pieces, increasing:
where a mass matrix has entries left of its diagonal. */
class VelocityChains {
 public:
  /** Velocities [start, end). */
  struct Piece {
    /** First velocity. */
    int start{};
    /** One past the last velocity. */
    int end{};
  };

  /** Velocities [start, end), each inboard of the next: one piece more than
  what is inboard of the first. */
  struct Block {
    /** First velocity. */
    int start{};
    /** One past the last velocity. */
    int end{};
  };

  VelocityChains() = default;
  /** Finds the chains of a model, which must outlive this. */
  explicit VelocityChains(const dynamics::Model& model);

  /** The model, or null. */
  const dynamics::Model* model() const { return model_; }
  /** Number of velocities. */
  int num_v() const { return static_cast<int>(first_.size()) - 1; }
  /** The velocities inboard of `velocity`, itself not among them. */
  std::span<const Piece> inboard(int velocity) const {
    return {pieces_.data() + first_[velocity],
            pieces_.data() + first_[velocity + 1]};
  }
  /** Increasing; all velocities are in one. */
  const std::vector<Block>& blocks() const { return blocks_; }

 private:
  const dynamics::Model* model_{};
  std::vector<int> first_{0};
  std::vector<Piece> pieces_;
  std::vector<Block> blocks_;
};

/** M = L'L for a mass matrix, keeping its zeros: Featherstone, "Rigid Body
Dynamics Algorithms", 2008, table 6.3. U = L' replaces the upper triangle of M;
the lower is not read or written. False if a pivot is not positive. O(sum over
velocities of their depth²). */
template <typename T>
bool FactorizeLtl(const VelocityChains& chains, MatrixX<T>* U);

/** B L⁻¹ for B, m x nv, in its place. Columns of zeros cost nothing. */
template <typename T>
void SolveLtlFromRight(const VelocityChains& chains, const MatrixX<T>& U,
                       Eigen::Ref<MatrixX<T>> B);

/** L⁻ᵀ x, in its place. */
template <typename T>
void SolveLtlUpper(const VelocityChains& chains, const MatrixX<T>& U,
                   Eigen::Ref<VectorX<T>> x);

/** L⁻¹ x, in its place. */
template <typename T>
void SolveLtlLower(const VelocityChains& chains, const MatrixX<T>& U,
                   Eigen::Ref<VectorX<T>> x);

}  // namespace wyvern::multibody::internal
