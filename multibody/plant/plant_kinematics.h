#pragma once

#include <vector>

#include <Eigen/SparseCore>

#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody {

/** The part of a MultibodyPlant that answers where things are and how they
move. All throw std::logic_error before Finalize(), for a Context of another
System, for an element of another plant, and for outputs that are null or of the
wrong size. */
template <typename T>
class PlantKinematics {
 public:
  /** @name Bodies
  Cached; references stay valid until the state changes.
  @{ */
  /** Returns the pose X_WB of a body. */
  const math::RigidTransform<T>& EvalBodyPoseInWorld(
      const systems::Context<T>& context, const RigidBody<T>& body_B) const;
  /** Returns the velocity V_WB_W of a body. */
  const SpatialVelocity<T>& EvalBodySpatialVelocityInWorld(
      const systems::Context<T>& context, const RigidBody<T>& body_B) const;
  /** A_WB_W, from the present state and inputs, sampled outputs or not. */
  const SpatialAcceleration<T>& EvalBodySpatialAccelerationInWorld(
      const systems::Context<T>& context, const RigidBody<T>& body_B) const;
  /** A_WB_W by BodyIndex, for given v̇. @throws if the vector's size is not
  num_bodies(). */
  void CalcSpatialAccelerationsFromVdot(
      const systems::Context<T>& context, const VectorX<T>& known_vdot,
      std::vector<SpatialAcceleration<T>>* A_WB_array) const;
  /** @} */

  /** @name Frames and points
  @{ */
  /** Returns the pose X_AB of frame B in frame A. */
  math::RigidTransform<T> CalcRelativeTransform(
      const systems::Context<T>& context, const Frame<T>& frame_A,
      const Frame<T>& frame_B) const;
  /** Returns the rotation R_AB from frame B to frame A. */
  math::RotationMatrix<T> CalcRelativeRotationMatrix(
      const systems::Context<T>& context, const Frame<T>& frame_A,
      const Frame<T>& frame_B) const;
  /** p_AQi of points given in B, one a column. */
  void CalcPointsPositions(const systems::Context<T>& context,
                           const Frame<T>& frame_B,
                           const Eigen::Ref<const MatrixX<T>>& p_BQi,
                           const Frame<T>& frame_A,
                           EigenPtr<MatrixX<T>> p_AQi) const;
  /** @} */

  /** @name Coordinates
  q̇ = N(q) v, v = N⁺(q) q̇.
  @{ */
  /** Computes q̇ from v, num_velocities() elements. */
  void MapVelocityToQDot(const systems::Context<T>& context,
                         const Eigen::Ref<const VectorX<T>>& v,
                         EigenPtr<VectorX<T>> qdot) const;
  /** Computes v from q̇, num_positions() elements. */
  void MapQDotToVelocity(const systems::Context<T>& context,
                         const Eigen::Ref<const VectorX<T>>& qdot,
                         EigenPtr<VectorX<T>> v) const;
  /** Returns N(q), nq x nv. */
  Eigen::SparseMatrix<T> MakeVelocityToQDotMap(
      const systems::Context<T>& context) const;
  /** Returns N⁺(q), nv x nq. */
  Eigen::SparseMatrix<T> MakeQDotToVelocityMap(
      const systems::Context<T>& context) const;
  /** True if N is always the identity. */
  bool IsVelocityEqualToQDot() const;
  /** @} */

 protected:
  explicit PlantKinematics(const internal::MultibodyTreeSystem<T>& core)
      : core_(core) {}
  ~PlantKinematics() = default;

 private:
  const internal::MultibodyTreeSystem<T>& core_;
};

}  // namespace wyvern::multibody
