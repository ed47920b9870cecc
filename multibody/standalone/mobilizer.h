#pragma once

#include <memory>
#include <string>

#include "wyvern/multibody/math/spatial_acceleration.h"
#include "wyvern/multibody/math/spatial_force.h"
#include "wyvern/multibody/math/spatial_velocity.h"
#include "wyvern/multibody/standalone/multibody_tree_context.h"
#include "wyvern/multibody/standalone/multibody_tree_topology.h"
#include "wyvern/multibody/tree/frame.h"
#include "wyvern/multibody/tree/rigid_body.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody {

template <typename T>
class Joint;
template <typename T>
class MultibodyTree;

namespace internal {
template <typename T>
class BodyNode;
}

/** How frame M, fixed to the outboard body, moves in frame F, fixed to the
inboard body, in coordinates q and v of its own: what a MultibodyTree is made of
besides bodies and frames. The set of motions is closed, that of the engine
(multibody/dynamics/mobilizers/mobilizer_type.h), so this class is not for users
to derive from.

Functions that take a Context throw std::logic_error for one that the
mobilizer's tree did not make, and all that ask for coordinates do so before the
tree's Finalize(). A size that is wrong is a std::logic_error. */
template <typename T>
class Mobilizer {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Mobilizer);

  /** Connects two frames on different bodies.
  @throws std::runtime_error if both frames are the same. */
  Mobilizer(const Frame<T>& inboard_frame, const Frame<T>& outboard_frame);
  virtual ~Mobilizer();

  /** Returns the index in the tree; invalid until the mobilizer is added. */
  MobilizerIndex index() const { return index_; }
  /** Returns how many entries of q are this mobilizer's. */
  virtual int num_positions() const = 0;
  /** Returns how many entries of v are this mobilizer's. */
  virtual int num_velocities() const = 0;
  /** Returns where its positions start in q.
  @throws std::logic_error before Finalize(). */
  int position_start_in_q() const { return get_topology().positions_start; }
  /** Returns where its velocities start in v.
  @throws std::logic_error before Finalize(). */
  int velocity_start_in_v() const { return get_topology().velocities_start; }

  /** Returns F, fixed to the inboard body. */
  const Frame<T>& inboard_frame() const { return inboard_frame_; }
  /** Returns M, fixed to the outboard body. */
  const Frame<T>& outboard_frame() const { return outboard_frame_; }
  /** Returns the body that F is fixed to. */
  const Body<T>& inboard_body() const { return inboard_frame_.body(); }
  /** Returns the body that M is fixed to. */
  const Body<T>& outboard_body() const { return outboard_frame_.body(); }
  /** Returns what it connects and where its coordinates are.
  @throws std::logic_error before Finalize(). */
  const MobilizerTopology& get_topology() const;

  /** @name Pieces of arrays
  This mobilizer's entries of the whole model's q, v, v̇ or tau.
  @{ */
  using ConstPiece = Eigen::VectorBlock<const Eigen::Ref<const VectorX<T>>>;
  using MutablePiece = Eigen::VectorBlock<Eigen::Ref<VectorX<T>>>;
  /** Returns its num_positions() entries of the model's q. */
  ConstPiece get_positions_from_array(
      const Eigen::Ref<const VectorX<T>>& q_array) const;
  /** Returns them for writing; `q_array` may not be null. */
  MutablePiece get_mutable_positions_from_array(
      EigenPtr<VectorX<T>> q_array) const;
  /** Returns its num_velocities() entries of the model's v. */
  ConstPiece get_velocities_from_array(
      const Eigen::Ref<const VectorX<T>>& v_array) const;
  /** Returns them for writing; `v_array` may not be null. */
  MutablePiece get_mutable_velocities_from_array(
      EigenPtr<VectorX<T>> v_array) const;
  /** Returns its num_velocities() entries of the model's v̇. */
  ConstPiece get_accelerations_from_array(
      const Eigen::Ref<const VectorX<T>>& vdot_array) const;
  /** Returns them for writing; `vdot_array` may not be null. */
  MutablePiece get_mutable_accelerations_from_array(
      EigenPtr<VectorX<T>> vdot_array) const;
  /** Returns its num_velocities() entries of the model's tau. */
  ConstPiece get_generalized_forces_from_array(
      const Eigen::Ref<const VectorX<T>>& tau_array) const;
  /** Returns them for writing; `tau_array` may not be null. */
  MutablePiece get_mutable_generalized_forces_from_array(
      EigenPtr<VectorX<T>> tau_array) const;
  /** @} */

  /** Sets q so that F and M coincide, and v to zero. */
  void set_zero_configuration(systems::Context<T>* context) const;
  /** Overload that writes into `state`, a copy of the State of `context`. */
  virtual void set_zero_state(const systems::Context<T>& context,
                              systems::State<T>* state) const = 0;

  /** Returns the pose X_FM(q). */
  virtual Isometry3<T> CalcAcrossMobilizerTransform(
      const MultibodyTreeContext<T>& context) const = 0;
  /** Returns the velocity V_FM_F = H_FM(q) v, for the q of `context`. */
  virtual SpatialVelocity<T> CalcAcrossMobilizerSpatialVelocity(
      const MultibodyTreeContext<T>& context,
      const Eigen::Ref<const VectorX<T>>& v) const = 0;
  /** A_FM_F = H_FM(q) v̇ + Ḣ_FM(q, v) v, with q and v of `context`. */
  virtual SpatialAcceleration<T> CalcAcrossMobilizerSpatialAcceleration(
      const MultibodyTreeContext<T>& context,
      const Eigen::Ref<const VectorX<T>>& vdot) const = 0;
  /** tau = H_FMᵀ(q) F_Mo_F. */
  virtual void ProjectSpatialForce(const MultibodyTreeContext<T>& context,
                                   const SpatialForce<T>& F_Mo_F,
                                   Eigen::Ref<VectorX<T>> tau) const = 0;
  /** q̇ = N(q) v. @throws std::runtime_error at gimbal lock. */
  virtual void MapVelocityToQDot(const MultibodyTreeContext<T>& context,
                                 const Eigen::Ref<const VectorX<T>>& v,
                                 EigenPtr<VectorX<T>> qdot) const = 0;
  /** Computes v = N⁺(q) q̇. */
  virtual void MapQDotToVelocity(const MultibodyTreeContext<T>& context,
                                 const Eigen::Ref<const VectorX<T>>& qdot,
                                 EigenPtr<VectorX<T>> v) const = 0;

  /** Makes the node of a body; MultibodyTree calls it. */
  virtual std::unique_ptr<internal::BodyNode<T>> CreateBodyNode(
      const internal::BodyNode<T>* parent_node, const Body<T>* body,
      const Mobilizer<T>* mobilizer) const = 0;

  /** A copy for a tree on another scalar whose frames are already there. */
  template <typename ToScalar>
  std::unique_ptr<Mobilizer<ToScalar>> CloneToScalar(
      const MultibodyTree<ToScalar>& cloned_tree) const {
    return DoCloneToScalar(cloned_tree);
  }

 protected:
  virtual std::unique_ptr<Mobilizer<double>> DoCloneToScalar(
      const MultibodyTree<double>& tree_clone) const = 0;
  virtual std::unique_ptr<Mobilizer<AutoDiffXd>> DoCloneToScalar(
      const MultibodyTree<AutoDiffXd>& tree_clone) const = 0;
  /** Makes the joint with the same motion for the engine's bridge. */
  virtual std::unique_ptr<Joint<T>> DoMakeJoint(
      const std::string& name) const = 0;

  /** @throws std::logic_error if no tree owns this mobilizer, the tree is not
  finalized, or did not make `context`. */
  void RequireContextOfTree(const systems::Context<T>& context) const;

 private:
  friend class MultibodyTree<T>;

  const Frame<T>& inboard_frame_;
  const Frame<T>& outboard_frame_;
  MobilizerIndex index_;
  const MultibodyTree<T>* tree_{};
};

}  // namespace wyvern::multibody
