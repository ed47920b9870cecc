#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/math/spatial_acceleration.h"
#include "wyvern/multibody/math/spatial_force.h"
#include "wyvern/multibody/plant/parts/actuation_part.h"
#include "wyvern/multibody/plant/parts/constraint_registry.h"
#include "wyvern/multibody/plant/parts/contact_part.h"
#include "wyvern/multibody/plant/parts/plant_dynamics_types.h"
#include "wyvern/multibody/plant/parts/port_indices.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** Forces and accelerations: the plant's cache entries that depend on inputs.

| entry              | made from                               | holds         |
|--------------------|-----------------------------------------|---------------|
| actuation input    | actuation and desired-state ports       | u_ff, qd, vd  |
| contact points     | geometry query port                     | ContactPoints |
| applied forces     | applied-force ports, kinematics         | tau, F_BBo_W  |
| dynamics           | all of the above, kinematics            | v̇, A, u       |
| body accelerations | dynamics                                | A_WB          |
| reaction forces    | dynamics, applied forces                | F_CJc_Jc      |
| sampled ...        | the step sample (abstract state)        | the same      |
*/
template <typename T>
class DynamicsPart {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DynamicsPart);
  DynamicsPart(const MultibodyTreeSystem<T>& core, const PortIndices& ports,
               const ConstraintRegistry& constraints,
               const GeometryBinding& binding, const ContactConfig& config)
      : core_(core),
        ports_(ports),
        constraints_(constraints),
        actuation_(core, ports),
        contact_(core, ports, binding, config) {}

  /** Declares the cache entries; ports and state are there already.
  @param sample The abstract state with the step sample, if there is one. */
  void Finalize(MultibodyTreeSystem<T>* core,
                systems::AbstractStateIndex sample);

  const ActuationPart<T>& actuation() const { return actuation_; }
  const ContactPart<T>& contact() const { return contact_; }
  const AppliedForces<T>& EvalAppliedForces(
      const systems::Context<T>& context) const {
    return applied_entry_->template Eval<AppliedForces<T>>(context);
  }
  const DynamicsResult<T>& EvalDynamics(
      const systems::Context<T>& context) const {
    return dynamics_entry_->template Eval<DynamicsResult<T>>(context);
  }
  /** A_WB_W by BodyIndex. */
  const std::vector<SpatialAcceleration<T>>& EvalBodyAccelerations(
      const systems::Context<T>& context) const {
    return accelerations_entry_
        ->template Eval<std::vector<SpatialAcceleration<T>>>(context);
  }
  /** F_CJc_Jc by Joint::ordinal(). */
  const std::vector<SpatialForce<T>>& EvalReactionForces(
      const systems::Context<T>& context) const {
    return reactions_entry_->template Eval<std::vector<SpatialForce<T>>>(
        context);
  }
  /** The same of the sample; zero if it is not valid. */
  const std::vector<SpatialAcceleration<T>>& EvalSampledBodyAccelerations(
      const systems::Context<T>& context) const {
    return sampled_accelerations_entry_
        ->template Eval<std::vector<SpatialAcceleration<T>>>(context);
  }
  const std::vector<SpatialForce<T>>& EvalSampledReactionForces(
      const systems::Context<T>& context) const {
    return sampled_reactions_entry_
        ->template Eval<std::vector<SpatialForce<T>>>(context);
  }

  systems::DependencyTicket dynamics_ticket() const {
    return dynamics_entry_->ticket();
  }
  systems::DependencyTicket accelerations_ticket() const {
    return accelerations_entry_->ticket();
  }
  systems::DependencyTicket reactions_ticket() const {
    return reactions_entry_->ticket();
  }

  /** What the last step left, or an invalid sample. */
  const StepSample<T>& EvalSample(const systems::Context<T>& context) const {
    return sample_entry_->template Eval<StepSample<T>>(context);
  }

  /** Adds the forces of the force elements other than gravity. */
  void AddForceElements(const systems::Context<T>& context,
                        MultibodyForces<T>* forces) const;
  /** What to make of a sample before the first step. */
  StepSample<T> MakeEmptySample() const;
  /** The contacts at the present state, and their forces. */
  void CalcContacts(const systems::Context<T>& context,
                    std::vector<PointPairContactInfo<T>>* contacts) const;
  /** Writes the state after a discrete step. */
  void CalcNextState(const systems::Context<T>& context,
                     Eigen::Ref<VectorX<T>> x) const;
  /** Keeps what the step's output ports show. */
  void CalcSample(const systems::Context<T>& context,
                  StepSample<T>* sample) const;

 private:
  using Accelerations = std::vector<SpatialAcceleration<T>>;
  using Forces = std::vector<SpatialForce<T>>;

  DynamicsResult<T> MakeResult() const;
  AppliedForces<T> MakeAppliedForces() const;
  void CalcAppliedForces(const systems::Context<T>& context,
                         AppliedForces<T>* applied) const;
  void AddSpatialForcePort(const systems::Context<T>& context,
                           AppliedForces<T>* applied) const;
  void CalcDynamics(const systems::Context<T>& context,
                    DynamicsResult<T>* result) const;
  void CalcNodeAccelerations(const systems::Context<T>& context,
                             std::vector<Vector6<T>>* A) const;
  const std::vector<Vector6<T>>& EvalNodeAccelerations(
      const systems::Context<T>& context) const {
    return node_accelerations_entry_->template Eval<std::vector<Vector6<T>>>(
        context);
  }
  void CalcBodyAccelerations(const systems::Context<T>& context,
                             Accelerations* A_WB) const;
  bool CollectBodyForces(const systems::Context<T>& context,
                         std::vector<Vector6<T>>* F_BBo_W) const;
  void CalcReactionForces(const systems::Context<T>& context,
                          Forces* F_CJc_Jc) const;
  void CalcSampledMotion(const systems::Context<T>& context,
                         SampledMotion<T>* motion) const;
  void CalcSampledBodyAccelerations(const systems::Context<T>& context,
                                    Accelerations* A_WB) const;
  void CalcSampledReactionForces(const systems::Context<T>& context,
                                 Forces* F_CJc_Jc) const;
  void CalcSampleEntry(const systems::Context<T>& context,
                       StepSample<T>* sample) const;
  void ToBodyAccelerations(const PositionKinematicsCache<T>& positions,
                           const VelocityKinematicsCache<T>& velocities,
                           const std::vector<Vector6<T>>& A,
                           Accelerations* A_WB) const;
  void ToReactionForces(const systems::Context<T>& context,
                        const PositionKinematicsCache<T>& positions,
                        const VelocityKinematicsCache<T>& velocities,
                        const std::vector<Vector6<T>>& A,
                        std::span<const Vector6<T>> F_BBo_W,
                        Forces* F_CJc_Jc) const;

  const MultibodyTreeSystem<T>& core_;
  const PortIndices& ports_;
  const ConstraintRegistry& constraints_;
  ActuationPart<T> actuation_;
  ContactPart<T> contact_;
  systems::AbstractStateIndex sample_;
  const systems::CacheEntry* applied_entry_{};
  const systems::CacheEntry* dynamics_entry_{};
  const systems::CacheEntry* node_accelerations_entry_{};
  const systems::CacheEntry* accelerations_entry_{};
  const systems::CacheEntry* reactions_entry_{};
  const systems::CacheEntry* sample_entry_{};
  const systems::CacheEntry* sampled_motion_entry_{};
  const systems::CacheEntry* sampled_accelerations_entry_{};
  const systems::CacheEntry* sampled_reactions_entry_{};
};

}  // namespace wyvern::multibody::internal
