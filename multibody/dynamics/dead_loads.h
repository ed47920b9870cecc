#pragma once

#include <vector>

#include "wyvern/multibody/dynamics/position_kinematics.h"

namespace wyvern::multibody::dynamics {

/** Forces on one node that stay what they are in W while the points that they
are applied to move with their bodies, as a rope's pull or a weight does.
Derivatives with respect to q need more of them than their sum. */
template <typename T>
struct DeadLoad {
  /** Their sum: moment about the tree's O, force; as in node_forces.h. */
  Vector6<T> F{Vector6<T>::Zero()};
  /** Sum of p_OQ_W f_Wᵀ over the forces f at points Q, N m. */
  Matrix3<T> S{Matrix3<T>::Zero()};

  /** Adds another node's load, or one more on this node, in the same tree. */
  DeadLoad& operator+=(const DeadLoad& other) {
    F += other.F;
    S += other.S;
    return *this;
  }
};

/** Adds a force (t_Q, f) in W that is applied to a body at Q, given p_WQ.
`loads` has one entry per node; what is applied to the world is dropped. */
template <typename T>
void AddDeadLoadAtPoint(const Model& model,
                        const PositionKinematics<T>& positions,
                        MobodArgument body, const Vector3<T>& p_WQ,
                        const Vector6<T>& F_BQ_W,
                        std::vector<DeadLoad<T>>* loads);

/** Adds gravity's force on every node. */
template <typename T>
void AddGravityLoads(const Model& model, const ModelParameters<T>& parameters,
                     const PositionKinematics<T>& positions,
                     std::vector<DeadLoad<T>>* loads);

}  // namespace wyvern::multibody::dynamics
