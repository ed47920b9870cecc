#pragma once

#include <vector>

#include "wyvern/multibody/math/spatial_acceleration.h"
#include "wyvern/multibody/math/spatial_inertia.h"
#include "wyvern/multibody/math/spatial_velocity.h"
#include "wyvern/multibody/standalone/multibody_tree_topology.h"
#include "wyvern/multibody/tree/multibody_cache.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody {

template <typename T>
class MultibodyTree;

namespace internal {
[[noreturn]] void ThrowNoNode(const char* function, int index, int size);

template <class List>
const auto& At(const List& list, int index, const char* function) {
  const int size = static_cast<int>(list.size());
  if (index < 0 || index >= size) ThrowNoNode(function, index, size);
  return list[index];
}
}  // namespace internal

/** Kinematics that depend on q, owned by the caller of a MultibodyTree's
functions:
MultibodyTree::CalcPositionKinematicsCache() fills it in. By BodyNodeIndex; B is
the node's body, P its inboard body, F and M its mobilizer's frames. Indices are
checked: std::out_of_range. */
template <typename T>
class PositionKinematicsCache {
 public:
  /** Allocates for a finalized tree, with nothing computed. */
  explicit PositionKinematicsCache(const MultibodyTreeTopology& topology);

  /** Returns X_WB; B is the node's body. */
  const Isometry3<T>& get_X_WB(BodyNodeIndex node) const {
    return internal::At(X_WB_, node, "get_X_WB");
  }
  /** Returns X_PB: the pose of B in its inboard body. */
  const Isometry3<T>& get_X_PB(BodyNodeIndex node) const {
    return internal::At(X_PB_, node, "get_X_PB");
  }
  /** Returns X_FM: across the node's mobilizer. */
  const Isometry3<T>& get_X_FM(BodyNodeIndex node) const {
    return internal::At(X_FM_, node, "get_X_FM");
  }
  /** Returns X_BF: the pose of a frame in its own body. */
  const Isometry3<T>& get_X_BF(FrameIndex frame) const {
    return internal::At(X_BF_, frame, "get_X_BF");
  }
  /** V_FM_F = H_FM v_m, for the velocities v_m of the node's mobilizer. */
  const Matrix6X<T>& get_H_FM(BodyNodeIndex node) const {
    return internal::At(H_FM_, node, "get_H_FM");
  }
  /** Returns H_PB_W of V_PB_W = H_PB_W v_m, 6 x the node's velocities. */
  const Matrix6X<T>& get_H_PB_W(BodyNodeIndex node) const {
    return internal::At(H_PB_W_, node, "get_H_PB_W");
  }
  /** Returns the centre of mass, p_WoBcm_W. */
  const Vector3<T>& get_com_W(BodyNodeIndex node) const {
    return internal::At(com_W_, node, "get_com_W");
  }
  /** Returns the spatial inertia M_BBo_W. */
  const SpatialInertia<T>& get_M_Bo_W(BodyNodeIndex node) const {
    return internal::At(M_Bo_W_, node, "get_M_Bo_W");
  }

 private:
  friend class MultibodyTree<T>;

  bool is_computed_{false};
  int num_bodies_{};
  int num_velocities_{};
  std::vector<Isometry3<T>> X_WB_, X_PB_, X_FM_, X_BF_;
  std::vector<Matrix6X<T>> H_FM_, H_PB_W_;
  std::vector<Vector3<T>> com_W_;
  std::vector<SpatialInertia<T>> M_Bo_W_;
  // Input of the kernels.
  dynamics::PositionKinematics<T> nodes_;
  dynamics::IndexedVector<dynamics::MobodIndex, dynamics::Pose<T>> model_X_WB_;
  std::vector<dynamics::RigidInertia<T>> inertias_;
};

/** Kinematics that depend on q and v; see PositionKinematicsCache. */
template <typename T>
class VelocityKinematicsCache {
 public:
  /** Allocates for a finalized tree, with nothing computed. */
  explicit VelocityKinematicsCache(const MultibodyTreeTopology& topology);

  /** Returns V_WB, in W. */
  const SpatialVelocity<T>& get_V_WB(BodyNodeIndex node) const {
    return internal::At(V_WB_, node, "get_V_WB");
  }
  /** Returns the velocity V_PB_W of B in its inboard body. */
  const SpatialVelocity<T>& get_V_PB_W(BodyNodeIndex node) const {
    return internal::At(V_PB_W_, node, "get_V_PB_W");
  }
  /** Returns the velocity V_FM_F across the node's mobilizer. */
  const SpatialVelocity<T>& get_V_FM(BodyNodeIndex node) const {
    return internal::At(V_FM_, node, "get_V_FM");
  }

 private:
  friend class MultibodyTree<T>;

  bool is_computed_{false};
  std::vector<SpatialVelocity<T>> V_WB_, V_PB_W_, V_FM_;
  internal::VelocityKinematicsCache<T> engine_;
};

/** Kinematics that depend on q, v and v̇; see PositionKinematicsCache. */
template <typename T>
class AccelerationKinematicsCache {
 public:
  /** Allocates for a finalized tree, with nothing computed. */
  explicit AccelerationKinematicsCache(const MultibodyTreeTopology& topology);

  /** Returns the acceleration A_WB_W. */
  const SpatialAcceleration<T>& get_A_WB(BodyNodeIndex node) const {
    return internal::At(A_WB_, node, "get_A_WB");
  }
  /** Returns A_WB_W of all bodies, by BodyNodeIndex. */
  const std::vector<SpatialAcceleration<T>>& get_A_WB_pool() const {
    return A_WB_;
  }

 private:
  friend class MultibodyTree<T>;

  std::vector<SpatialAcceleration<T>> A_WB_;
};

}  // namespace wyvern::multibody
