#pragma once

#include <vector>

#include "wyvern/multibody/dynamics/mobilizers/pose.h"
#include "wyvern/multibody/dynamics/model.h"
#include "wyvern/multibody/dynamics/model_parameters.h"

namespace wyvern::multibody::dynamics {

/** Kinematics that depend on q alone. Poses of bodies: body_kinematics.h. */
template <typename T>
struct PositionKinematics {
  PositionKinematics() = default;
  /** Allocates for a model. */
  explicit PositionKinematics(const Model& model);

  /** By node: X_WN. */
  IndexedVector<NodeIndex, Pose<T>> X_WN;
  /** By tree: p_WO, the point about which the tree's screws are taken: where
  the origin of its base node is. Numbers stay small far from the world. */
  std::vector<Vector3<T>> p_WO;
  /** By velocity: the screw of each degree of freedom, so that a node's motion
  relative to its parent's is H v. See screw_algebra.h. */
  Matrix6X<T> H;
  /** By position: sin q and cos q; read of the angles of single axes. */
  VectorX<T> sine, cosine;

  /** p_ON_W of a node, in the axes of W. */
  Vector3<T> p_ON(const Model& model, int node) const {
    return X_WN[node].p - p_WO[model.nodes[node].tree];
  }
};

/** Allocates nothing, O(bodies). q has model.num_q entries. */
template <typename T>
void CalcPositionKinematics(const Model& model,
                            const ModelParameters<T>& parameters,
                            const Eigen::Ref<const VectorX<T>>& q,
                            PositionKinematics<T>* result);

}  // namespace wyvern::multibody::dynamics
