#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/dynamics/configuration.h"
#include "wyvern/multibody/dynamics/inertias_in_world.h"
#include "wyvern/multibody/dynamics/model.h"
#include "wyvern/multibody/dynamics/model_parameters.h"
#include "wyvern/multibody/dynamics/screw_algebra.h"
#include "wyvern/multibody/math/spatial_acceleration.h"
#include "wyvern/multibody/math/spatial_velocity.h"
#include "wyvern/multibody/tree/multibody_cache.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::multibody::internal {

/** The core of a plant: owns the tree, declares its state and parameters, and
knows which cache entry holds what; multibody_cache.h is the table. State is
x = [q; v], continuous, or the first discrete group. */
template <typename T>
class MultibodyTreeSystem : public systems::LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(MultibodyTreeSystem);
  ~MultibodyTreeSystem() override;

  const MultibodyTree<T>& tree() const { return *tree_; }
  MultibodyTree<T>& mutable_tree() { return *tree_; }
  /** For elements and facets whose setters act after Finalize(). */
  using systems::SystemBase::NoteSettingsChange;
  bool is_discrete() const { return time_step_ > 0; }
  /** Zero in a continuous model, [s]. */
  double time_step() const { return time_step_; }

  /** The compiled structure; valid once finalized. */
  const dynamics::Model& model() const { return *model_; }
  int num_q() const { return model_->num_q; }
  int num_v() const { return model_->num_v; }

  /** @name State
  @throws std::logic_error before Finalize(), or for a Context of another
  System.
  @{ */
  /** x, where the velocities of locked joints are 0, whatever the state holds
  for them: nothing else reads velocities from a Context. */
  const VectorX<T>& StateVector(const systems::Context<T>& context) const {
    this->ValidateContext(context);
    const VectorX<T>& x = StateVectorOf(context.get_state());
    if (!EvalLockedVelocities(context).some) return x;
    return Eval<VectorX<T>>(entries_.locked_state, context);
  }
  Eigen::VectorBlock<VectorX<T>> MutableStateVector(
      systems::Context<T>* context) const;
  const VectorX<T>& StateVectorOf(const systems::State<T>& state) const;
  Eigen::VectorBlock<VectorX<T>> MutableStateVectorOf(
      systems::State<T>* state) const;
  Eigen::VectorBlock<const VectorX<T>> PositionsOf(
      const systems::Context<T>& context) const {
    this->ValidateContext(context);
    return StateVectorOf(context.get_state()).head(num_q());
  }
  Eigen::VectorBlock<const VectorX<T>> VelocitiesOf(
      const systems::Context<T>& context) const {
    return StateVector(context).tail(num_v());
  }
  /** @} */

  /** @name Cached quantities
  @{ */
  const LockedVelocities& EvalLockedVelocities(
      const systems::Context<T>& context) const {
    return Eval<LockedVelocities>(entries_.locked_velocities, context);
  }
  const std::vector<math::RigidTransform<T>>& EvalFramePoses(
      const systems::Context<T>& context) const {
    return Eval<std::vector<math::RigidTransform<T>>>(entries_.frame_poses,
                                                      context);
  }
  const dynamics::ModelParameters<T>& EvalModelParameters(
      const systems::Context<T>& context) const {
    return Eval<dynamics::ModelParameters<T>>(entries_.model_parameters,
                                              context);
  }
  /** @throws std::logic_error naming a body whose inertia is NaN() there. */
  void RequireKnownInertias(const systems::Context<T>& context) const;
  const dynamics::PositionKinematics<T>& EvalNodePositions(
      const systems::Context<T>& context) const {
    return Eval<dynamics::PositionKinematics<T>>(entries_.positions, context);
  }
  /** EvalNodePositions() and X_WB; X_WB takes one more product of poses a
  body. */
  PositionKinematicsCache<T> EvalPositions(
      const systems::Context<T>& context) const {
    return {
        EvalNodePositions(context),
        Eval<dynamics::IndexedVector<dynamics::MobodIndex, dynamics::Pose<T>>>(
            entries_.model_body_poses, context)};
  }
  const std::vector<math::RigidTransform<T>>& EvalBodyPoses(
      const systems::Context<T>& context) const {
    return Eval<std::vector<math::RigidTransform<T>>>(entries_.body_poses,
                                                      context);
  }
  const std::vector<dynamics::RigidInertia<T>>& EvalInertias(
      const systems::Context<T>& context) const {
    return Eval<std::vector<dynamics::RigidInertia<T>>>(entries_.inertias,
                                                        context);
  }
  /** References into the cache: the model at the Context's q. */
  dynamics::Configuration<T> EvalConfiguration(
      const systems::Context<T>& context) const {
    return {model(), EvalModelParameters(context), EvalNodePositions(context),
            EvalInertias(context)};
  }
  /** Computes the motion at the Context's q and v. */
  dynamics::Motion<T> EvalMotion(const systems::Context<T>& context) const {
    return {EvalConfiguration(context), EvalVelocities(context).nodes};
  }
  /** Inertias of subtrees, by node. */
  const std::vector<dynamics::RigidInertia<T>>& EvalComposites(
      const systems::Context<T>& context) const {
    return Eval<std::vector<dynamics::RigidInertia<T>>>(entries_.composites,
                                                        context);
  }
  const MatrixX<T>& EvalMassMatrix(const systems::Context<T>& context) const {
    return Eval<MatrixX<T>>(entries_.mass_matrix, context);
  }
  /** Computes the mass matrix into M, without keeping it in the cache. */
  void CalcMassMatrix(const systems::Context<T>& context,
                      Eigen::Ref<MatrixX<T>> M) const;
  const VelocityKinematicsCache<T>& EvalVelocities(
      const systems::Context<T>& context) const {
    return Eval<VelocityKinematicsCache<T>>(entries_.velocities, context);
  }
  const std::vector<SpatialVelocity<T>>& EvalBodyVelocities(
      const systems::Context<T>& context) const {
    return Eval<std::vector<SpatialVelocity<T>>>(entries_.body_velocities,
                                                 context);
  }
  const VectorX<T>& EvalBiasTerm(const systems::Context<T>& context) const {
    return Eval<GeneralizedForcesCache<T>>(entries_.bias_term, context).tau;
  }
  /** tau_g(q). */
  const VectorX<T>& EvalGravityForces(
      const systems::Context<T>& context) const {
    return Eval<GeneralizedForcesCache<T>>(entries_.gravity_forces, context)
        .tau;
  }
  /** A_WB_W by BodyIndex, from the present state and inputs. */
  virtual const std::vector<SpatialAcceleration<T>>& EvalBodyAccelerations(
      const systems::Context<T>& context) const = 0;
  /** @} */

  /** X_WB of one body. */
  math::RigidTransform<T> BodyPose(const PositionKinematicsCache<T>& positions,
                                   BodyIndex body) const {
    const dynamics::Pose<T>& X = positions.X_WB[tree_->model_body(body)];
    return math::RigidTransform<T>(math::RotationMatrix<T>::MakeUnchecked(X.R),
                                   X.p);
  }

  /** For the elements, at Finalize(). */
  systems::NumericParameterIndex DeclareElementParameter(
      const systems::BasicVector<T>& model_vector);
  systems::AbstractParameterIndex DeclareElementParameter(
      const AbstractValue& model_value);
  /** For the parts of a plant, at Finalize(). */
  systems::CacheEntry& DeclarePartEntry(
      std::string description, systems::ValueProducer value_producer,
      std::set<systems::DependencyTicket> prerequisites) {
    return this->DeclareCacheEntry(std::move(description),
                                   std::move(value_producer),
                                   std::move(prerequisites));
  }
  /** The inputs of a plant are optional; where one is needed, the plant says
  so when it computes. */
  systems::InputPortIndex DeclarePartInput(std::string name, int size) {
    auto& port = this->DeclareVectorInputPort(std::move(name), size);
    port.set_optional();
    return port.get_index();
  }
  systems::InputPortIndex DeclarePartInput(std::string name,
                                           const AbstractValue& model) {
    auto& port = this->DeclareAbstractInputPort(std::move(name), model);
    port.set_optional();
    return port.get_index();
  }
  systems::OutputPortIndex DeclarePartOutput(
      std::string name, int size,
      std::function<void(const systems::Context<T>&, systems::BasicVector<T>*)>
          calc,
      std::set<systems::DependencyTicket> prerequisites) {
    return this
        ->DeclareVectorOutputPort(std::move(name), size, std::move(calc),
                                  std::move(prerequisites))
        .get_index();
  }
  systems::OutputPortIndex DeclarePartOutput(
      std::string name,
      std::function<std::unique_ptr<AbstractValue>()> allocate,
      std::function<void(const systems::Context<T>&, AbstractValue*)> calc,
      std::set<systems::DependencyTicket> prerequisites) {
    return this
        ->DeclareAbstractOutputPort(std::move(name), std::move(allocate),
                                    std::move(calc), std::move(prerequisites))
        .get_index();
  }

  /** Tickets that announce a change of q, or of v. */
  systems::DependencyTicket position_ticket() const;
  systems::DependencyTicket velocity_ticket() const;
  /** Tickets of the entries that the plant's own entries use. */
  systems::DependencyTicket positions_entry_ticket() const {
    return entries_.positions->ticket();
  }
  systems::DependencyTicket velocities_entry_ticket() const {
    return entries_.velocities->ticket();
  }
  systems::DependencyTicket inertias_entry_ticket() const {
    return entries_.inertias->ticket();
  }
  systems::DependencyTicket body_poses_entry_ticket() const {
    return entries_.body_poses->ticket();
  }
  systems::DependencyTicket body_velocities_entry_ticket() const {
    return entries_.body_velocities->ticket();
  }
  systems::DiscreteStateIndex state_group() const { return state_group_; }

  /** Sets q to the joints' default positions and v to zero. */
  void SetDefaultState(const systems::Context<T>& context,
                       systems::State<T>* state) const override;
  void SetDefaultParameters(const systems::Context<T>& context,
                            systems::Parameters<T>* parameters) const override;

 protected:
  /** @param class_name What errors call the model.
  @param time_step Zero for a continuous model, [s].
  @throws std::logic_error if it is negative or not finite. */
  MultibodyTreeSystem(const char* class_name,
                      systems::SystemScalarConverter converter,
                      double time_step);

  /** Compiles the tree if it is not yet, and declares state, parameters and the
  kinematic cache entries. */
  void FinalizeTree();

 private:
  struct Entries {
    const systems::CacheEntry* locked_velocities{};
    const systems::CacheEntry* locked_state{};
    const systems::CacheEntry* frame_poses{};
    const systems::CacheEntry* model_parameters{};
    const systems::CacheEntry* positions{};
    const systems::CacheEntry* model_body_poses{};
    const systems::CacheEntry* body_poses{};
    const systems::CacheEntry* inertias{};
    const systems::CacheEntry* composites{};
    const systems::CacheEntry* mass_matrix{};
    const systems::CacheEntry* gravity_forces{};
    const systems::CacheEntry* velocities{};
    const systems::CacheEntry* body_velocities{};
    const systems::CacheEntry* bias_term{};
  };

  template <typename Value>
  const Value& Eval(const systems::CacheEntry* entry,
                    const systems::Context<T>& context) const {
    if (entry == nullptr) tree_->RequireFinalized("Eval");
    return entry->template Eval<Value>(context);
  }
  void DeclareState();
  void DeclareParameters();
  void DeclareLockEntries();
  void DeclarePositionEntries();
  void DeclareVelocityEntries();

  void CalcLockedVelocities(const systems::Context<T>& context,
                            LockedVelocities* locked) const;
  void CalcLockedState(const systems::Context<T>& context, VectorX<T>* x) const;
  void CalcFramePoses(const systems::Context<T>& context,
                      std::vector<math::RigidTransform<T>>* X_BF) const;
  void CalcModelParameters(const systems::Context<T>& context,
                           dynamics::ModelParameters<T>* parameters) const;
  void CalcPositions(const systems::Context<T>& context,
                     dynamics::PositionKinematics<T>* positions) const;
  void CalcModelBodyPoses(
      const systems::Context<T>& context,
      dynamics::IndexedVector<dynamics::MobodIndex, dynamics::Pose<T>>* X_WB)
      const;
  void CalcBodyPoses(const systems::Context<T>& context,
                     std::vector<math::RigidTransform<T>>* X_WB) const;
  void CalcInertias(const systems::Context<T>& context,
                    std::vector<dynamics::RigidInertia<T>>* inertias) const;
  void CalcComposites(const systems::Context<T>& context,
                      std::vector<dynamics::RigidInertia<T>>* composites) const;
  void CalcMassMatrixEntry(const systems::Context<T>& context,
                           MatrixX<T>* M) const;
  void CalcVelocities(const systems::Context<T>& context,
                      VelocityKinematicsCache<T>* velocities) const;
  void CalcBodyVelocities(const systems::Context<T>& context,
                          std::vector<SpatialVelocity<T>>* V_WB) const;
  void CalcGravityForcesEntry(const systems::Context<T>& context,
                              GeneralizedForcesCache<T>* gravity) const;
  void CalcBiasTermEntry(const systems::Context<T>& context,
                         GeneralizedForcesCache<T>* bias) const;

  const double time_step_;
  std::unique_ptr<MultibodyTree<T>> tree_;
  const dynamics::Model* model_{};
  systems::DiscreteStateIndex state_group_;
  Entries entries_;
};

}  // namespace wyvern::multibody::internal
