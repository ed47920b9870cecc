#pragma once

#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "wyvern/multibody/math/spatial_force.h"
#include "wyvern/multibody/standalone/kinematics_caches.h"
#include "wyvern/multibody/standalone/mobilizer.h"

namespace wyvern::multibody {

namespace internal {
template <typename T>
class StandaloneSystem;
}

/** Bodies, frames and the mobilizers between them, and the kinematics and
dynamics of what they make, as plain functions of a Context and of caches that
the caller keeps: for use without ports, force elements or a simulator. It knows
no gravity. MultibodyPlant is the same engine with all of those.

@code
MultibodyTree<double> tree;
const auto& arm = tree.AddBody<RigidBody>("arm", M_AAo_A);
const auto& hinge = tree.AddMobilizer<RevoluteMobilizer>(
    tree.get_world_frame(), arm.body_frame(), Vector3<double>::UnitY());
tree.Finalize();
auto context = tree.CreateDefaultContext();
PositionKinematicsCache<double> pc(tree.get_topology());
tree.CalcPositionKinematicsCache(*context, &pc);
@endcode

Arrays by body are ordered by BodyNodeIndex, depth first, which the topology
gives; q, v and tau follow the same order. A mobilizer
may point either way: its coordinates are of M in F also where F is on the body
that is further out. Frames and mobilizers refer to bodies of this tree only.

Functions with a Context throw std::bad_cast if it is not a
MultibodyTreeContext and std::logic_error if another tree made it. Functions
throw std::logic_error before Finalize() where they need it, for null pointers,
for sizes that are wrong, and for caches that are not computed or are another
tree's.

@tparam T double or AutoDiffXd. */
template <typename T>
class MultibodyTree {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(MultibodyTree);

  /** A tree of the world alone. */
  MultibodyTree();
  ~MultibodyTree();

  /** @name Adding elements
  Each takes an element, or what its constructor takes, and returns it; it lives
  as long as the tree. The name of a body or a frame may be left out of its
  constructor's arguments: it becomes "body_" or "frame_" and the element's
  index.
  @throws std::logic_error after Finalize(), for null, and for an element of
  another tree; std::runtime_error for a name that is taken.
  @{ */
  /** Adds a body that was made. */
  template <template <typename> class BodyType>
  const BodyType<T>& AddBody(std::unique_ptr<BodyType<T>> body) {
    return AdoptBody(std::move(body));
  }
  /** Makes a body with its constructor's arguments and adds it. */
  template <template <typename> class BodyType, typename... Args>
  const BodyType<T>& AddBody(Args&&... args) {
    return AddBody<BodyType>(
        std::make_unique<BodyType<T>>(std::forward<Args>(args)...));
  }
  /** Adds a frame that was made. */
  template <template <typename> class FrameType>
  const FrameType<T>& AddFrame(std::unique_ptr<FrameType<T>> frame) {
    const FrameType<T>* result = frame.get();
    AdoptFrame(std::move(frame));
    return *result;
  }
  /** Makes a frame with its constructor's arguments and adds it. */
  template <template <typename> class FrameType, typename... Args>
  const FrameType<T>& AddFrame(Args&&... args) {
    return AddFrame<FrameType>(
        std::make_unique<FrameType<T>>(std::forward<Args>(args)...));
  }
  /** Also throws std::runtime_error if both frames are the same or of one body,
  or if the two bodies have a mobilizer between them already. */
  template <template <typename> class MobilizerType>
  const MobilizerType<T>& AddMobilizer(
      std::unique_ptr<MobilizerType<T>> mobilizer) {
    const MobilizerType<T>* result = mobilizer.get();
    AdoptMobilizer(std::move(mobilizer));
    return *result;
  }
  /** Makes a mobilizer with its constructor's arguments and adds it. */
  template <template <typename> class MobilizerType, typename... Args>
  const MobilizerType<T>& AddMobilizer(Args&&... args) {
    return AddMobilizer<MobilizerType>(
        std::make_unique<MobilizerType<T>>(std::forward<Args>(args)...));
  }
  /** @} */

  /** Ends building: gives bodies that nothing ties to the world a
  QuaternionFloatingMobilizer, numbers the bodies depth first and lays out q
  and v.
  @throws std::logic_error if called twice, or if mobilizers close a loop (it
  names the bodies). */
  void Finalize();
  /** Returns true after Finalize(). */
  bool topology_is_valid() const { return topology_.is_valid; }
  /** Returns the topology.
  @throws std::logic_error before Finalize(). */
  const MultibodyTreeTopology& get_topology() const;

  /** @name Sizes
  Elements may be counted at any time; the rest throws before Finalize().
  @{ */
  /** Returns how many frames there are, those of bodies among them. */
  int get_num_frames() const;
  /** Including the world. */
  int get_num_bodies() const;
  /** After Finalize(), one less than there are bodies. */
  int get_num_mobilizers() const {
    return static_cast<int>(mobilizers_.size());
  }
  /** Returns the number of entries of q. */
  int get_num_positions() const { return get_topology().num_positions; }
  /** Returns the number of entries of v. */
  int get_num_velocities() const { return get_topology().num_velocities; }
  /** Returns the number of entries of [q; v]. */
  int get_num_states() const { return get_topology().num_states(); }
  /** Bodies on the longest path from the world, the world among them. */
  int get_tree_height() const { return get_topology().tree_height; }
  /** @} */

  /** @name Elements
  @throws std::out_of_range if there is no such element.
  @{ */
  /** Returns the world's body, index 0. */
  const Body<T>& get_world_body() const { return get_body(world_index()); }
  /** Returns the world's frame, W. */
  const BodyFrame<T>& get_world_frame() const {
    return get_world_body().body_frame();
  }
  /** Returns a body by its index. */
  const Body<T>& get_body(BodyIndex body_index) const;
  /** Returns a frame by its index. */
  const Frame<T>& get_frame(FrameIndex frame_index) const;
  /** Returns a mobilizer by its index. */
  const Mobilizer<T>& get_mobilizer(MobilizerIndex mobilizer_index) const;

  /** This tree's element that corresponds to `element` of a copy of it. */
  template <template <typename> class MultibodyElement, typename Scalar>
  std::enable_if_t<std::is_base_of<Frame<T>, MultibodyElement<T>>::value,
                   const MultibodyElement<T>&>
  get_variant(const MultibodyElement<Scalar>& element) const {
    return dynamic_cast<const MultibodyElement<T>&>(get_frame(element.index()));
  }
  /** Overload for bodies. */
  template <template <typename> class MultibodyElement, typename Scalar>
  std::enable_if_t<std::is_base_of<Body<T>, MultibodyElement<T>>::value,
                   const MultibodyElement<T>&>
  get_variant(const MultibodyElement<Scalar>& element) const {
    return get_body(element.index());
  }
  /** Overload for mobilizers. */
  template <template <typename> class MultibodyElement, typename Scalar>
  std::enable_if_t<std::is_base_of<Mobilizer<T>, MultibodyElement<T>>::value,
                   const MultibodyElement<T>&>
  get_variant(const MultibodyElement<Scalar>& element) const {
    return dynamic_cast<const MultibodyElement<T>&>(
        get_mobilizer(element.index()));
  }
  /** @} */

  /** A Context at the zero configuration and at rest. */
  std::unique_ptr<systems::LeafContext<T>> CreateDefaultContext() const;
  /** Sets every mobilizer to its zero configuration, v to zero, and parameters
  to their defaults. */
  void SetDefaults(systems::Context<T>* context) const;

  /** @name Kinematics
  The caches given must be of the same Context's present state.
  @{ */
  /** Writes the kinematics of the q of `context`.
  @throws std::logic_error if q is not finite. */
  void CalcPositionKinematicsCache(const systems::Context<T>& context,
                                   PositionKinematicsCache<T>* pc) const;
  /** Writes the kinematics of the v of `context`; `pc` is of its q.
  @throws std::logic_error if v is not finite. */
  void CalcVelocityKinematicsCache(const systems::Context<T>& context,
                                   const PositionKinematicsCache<T>& pc,
                                   VelocityKinematicsCache<T>* vc) const;
  /** Writes A_WB_W of every body for the given v̇.
  @throws std::logic_error if `known_vdot` is not finite or is not
  get_num_velocities() long. */
  void CalcAccelerationKinematicsCache(
      const systems::Context<T>& context, const PositionKinematicsCache<T>& pc,
      const VelocityKinematicsCache<T>& vc, const VectorX<T>& known_vdot,
      AccelerationKinematicsCache<T>* ac) const;
  /** A_WB_W of every body; the array has an entry per body. */
  void CalcSpatialAccelerationsFromVdot(
      const systems::Context<T>& context, const PositionKinematicsCache<T>& pc,
      const VelocityKinematicsCache<T>& vc, const VectorX<T>& known_vdot,
      std::vector<SpatialAcceleration<T>>* A_WB_array) const;
  /** @} */

  /** tau = M(q) v̇ + C(q, v) v - tau_applied - sum J_WBᵀ Fapplied_Bo_W: what the
  mobilizers must exert for v̇ to happen. By recursive Newton-Euler, O(bodies).
  @param Fapplied_Bo_W_array one per body, or empty for none.
  @param tau_applied_array one per velocity, or empty for none.
  @param[out] F_BMo_W_array the force on each body through its inboard
  mobilizer, at Mo; it may be the same object as Fapplied_Bo_W_array, and
  tau_array as tau_applied_array. */
  void CalcInverseDynamics(
      const systems::Context<T>& context, const PositionKinematicsCache<T>& pc,
      const VelocityKinematicsCache<T>& vc, const VectorX<T>& known_vdot,
      const std::vector<SpatialForce<T>>& Fapplied_Bo_W_array,
      const Eigen::Ref<const VectorX<T>>& tau_applied_array,
      std::vector<SpatialAcceleration<T>>* A_WB_array,
      std::vector<SpatialForce<T>>* F_BMo_W_array,
      EigenPtr<VectorX<T>> tau_array) const;
  /** M(q) column by column, each the tau of a unit v̇ at rest. */
  void CalcMassMatrixViaInverseDynamics(const systems::Context<T>& context,
                                        EigenPtr<MatrixX<T>> H) const;
  /** Computes C(q, v) v, the forces that v̇ = 0 needs. */
  void CalcBiasTerm(const systems::Context<T>& context,
                    EigenPtr<VectorX<T>> Cv) const;

  /** @name Copies
  Deep; a finalized tree's copy is finalized. Elements keep their indices.
  @{ */
  /** Returns a copy on the same scalar. */
  std::unique_ptr<MultibodyTree<T>> Clone() const { return CloneToScalar<T>(); }
  /** Returns a copy whose numbers carry derivatives. */
  std::unique_ptr<MultibodyTree<AutoDiffXd>> ToAutoDiffXd() const {
    if constexpr (kHasScalar<AutoDiffXd>) {
      return CloneToScalar<AutoDiffXd>();
    } else {
      throw std::logic_error(
          "MultibodyTree::ToAutoDiffXd(): this build has no AutoDiffXd; "
          "configure it with -DWYVERN_AUTODIFF=ON.");
    }
  }
  /** @tparam ToScalar double or AutoDiffXd. */
  template <typename ToScalar>
  std::unique_ptr<MultibodyTree<ToScalar>> CloneToScalar() const;
  /** @} */

 private:
  template <typename>
  friend class MultibodyTree;
  friend class Mobilizer<T>;

  const RigidBody<T>& AdoptBody(std::unique_ptr<RigidBody<T>> body);
  void AdoptFrame(std::unique_ptr<Frame<T>> frame);
  void AdoptMobilizer(std::unique_ptr<Mobilizer<T>> mobilizer);
  void AddFloatingMobilizers();
  void MakeTopology();
  /** The other checks that functions make of their arguments. */
  void RequireContextOfThisTree(const systems::Context<T>& context) const;
  const MultibodyTreeContext<T>& CastContext(
      const systems::Context<T>& context) const;
  void RequireComputed(const PositionKinematicsCache<T>& pc,
                       const char* function) const;
  void RequireComputed(const VelocityKinematicsCache<T>& vc,
                       const char* function) const;
  void CopyBodyQuantities(const MultibodyTreeContext<T>& context,
                          PositionKinematicsCache<T>* pc) const;
  void CopyMobilizerQuantities(const MultibodyTreeContext<T>& context,
                               PositionKinematicsCache<T>* pc) const;

  std::unique_ptr<internal::StandaloneSystem<T>> system_;
  std::vector<std::unique_ptr<Mobilizer<T>>> mobilizers_;
  // By BodyNodeIndex.
  std::vector<std::unique_ptr<internal::BodyNode<T>>> nodes_;
  MultibodyTreeTopology topology_;
};

}  // namespace wyvern::multibody
