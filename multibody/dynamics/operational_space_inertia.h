#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/dynamics/forward_dynamics.h"

namespace wyvern::multibody::dynamics {

/** A point Q of a body, where it is in W. */
template <typename T>
struct BodyPoint {
  /** Index of the body in the Model. */
  int body{};
  /** Position of Q in W, m. */
  Vector3<T> p_WQ{Vector3<T>::Zero()};
};

/** Scratch that the inverse of operational-space inertia is computed in, for up
to `max_points` points. */
template <typename T>
struct OperationalSpaceInertiaScratch {
  OperationalSpaceInertiaScratch() = default;
  /** Allocates for a model and up to `max_points` points. */
  OperationalSpaceInertiaScratch(const Model& model, int max_points);

  /** Nodes on the longest path from the world's, itself counted. */
  int num_levels{};
  std::vector<int> level;              // Of a node: 0 for the world.
  std::vector<bool> is_wanted;         // By node: inboard of a point.
  std::vector<Matrix6<T>> response;    // By node: to a force on it.
  std::vector<Matrix6<T>> propagator;  // By point, then level.
};

/** J (M + diag(d))⁻¹ Jᵀ, 6m x 6m, for the Jacobian J of the spatial velocities
(w; v_Q), in W, of m body-fixed points: the inverse of operational-space
inertia, by its response to unit forces. Singular if the points are less free to
move than 6m. O(bodies + m depth + m²); M and J are not formed.
@param articulated Factorized at the same q.
@throws std::logic_error if there are more points than scratch was made for. */
template <typename T>
void CalcInverseOperationalSpaceInertia(
    const Model& model, const PositionKinematics<T>& positions,
    const ArticulatedInertias<T>& articulated,
    std::span<const BodyPoint<T>> points,
    OperationalSpaceInertiaScratch<T>* scratch,
    Eigen::Ref<MatrixX<T>> Lambda_inverse);

}  // namespace wyvern::multibody::dynamics
