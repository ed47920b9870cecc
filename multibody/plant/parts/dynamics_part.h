#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/math/spatial_acceleration.h"
#include "wyvern/multibody/math/spatial_force.h"
#include "wyvern/multibody/plant/deformable_model.h"
#include "wyvern/multibody/plant/parts/actuation_part.h"
#include "wyvern/multibody/plant/parts/constraint_registry.h"
#include "wyvern/multibody/plant/parts/contact_part.h"
#include "wyvern/multibody/plant/parts/port_indices.h"
#include "wyvern/multibody/plant/parts/shared_value.h"
#include "wyvern/multibody/plant/step/last_step_outputs.h"
#include "wyvern/multibody/plant/step/step_inputs.h"
#include "wyvern/multibody/plant/step/step_outputs.h"
#include "wyvern/multibody/step/solver_statistics.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

template <typename T>
struct StepScratch;

/** Forces and accelerations: the plant's cache entries that depend on inputs.

| entry              | made from                               | holds         |
|--------------------|-----------------------------------------|---------------|
| actuation input    | actuation and desired-state ports       | u_ff, qd, vd  |
| contact points     | geometry query port                     | ContactPoints |
| step inputs        | actuation input, applied-force ports    | StepInputs    |
| step scratch       | nothing: memory to compute in           | StepScratch   |
| step               | step inputs, contact points             | StepOutputs   |
| body accelerations | step                                    | A_WB          |
| reaction forces    | step, or its sample (abstract state)    | F_CJc_Jc      |
| sampled ...        | the step's sample                       | motion, A_WB  |
| implicit step      | nothing: memory to compute in           | all of a step |
| points of steps    | geometry query port                     | ContactPoints |

Kinematics go into all but the first two, and all that there is into the step of
a plant with deformable bodies. An update of a plant with sampled
outputs puts the step's into the state, without a copy. What ports show is the
sample then, and else the live step: EvalReported...() knows which. The last two
are those of a continuous plant that an integrator advances by steps. */
template <typename T>
class DynamicsPart {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DynamicsPart);
  DynamicsPart(const MultibodyTreeSystem<T>& core, const PortIndices& ports,
               const ConstraintRegistry& constraints,
               const GeometryBinding& binding, const ContactConfig& config,
               const DeformableModel<T>& deformables)
      : core_(core),
        ports_(ports),
        constraints_(constraints),
        deformables_(deformables),
        actuation_(core, ports),
        contact_(core, ports, binding, config, core.is_discrete()),
        step_contact_(core, ports, binding, config, true) {}

  /** Declares the cache entries; ports and state are there already.
  @param sample The abstract state with the step sample, if there is one. */
  void Finalize(MultibodyTreeSystem<T>* core,
                systems::AbstractStateIndex sample);

  const ConstraintRegistry& constraints() const { return constraints_; }
  const StepInputs<T>& EvalInputs(const systems::Context<T>& context) const {
    return inputs_entry_->template Eval<StepInputs<T>>(context);
  }
  /** Evaluates at the present state and inputs. */
  /** Returns the statistics of the Context's steps so far. */
  const SolverStatistics& GetSolverStatistics(
      const systems::Context<T>& context) const;
  const StepOutputs<T>& EvalStep(const systems::Context<T>& context) const {
    return EvalRenewedStep(context).get();
  }
  /** Describes the contacts of the present state; see System. */
  std::string DescribeDifficulties(const systems::Context<T>& context,
                                   systems::Difficulty least) const;
  /** A_WB_W by BodyIndex. */
  const std::vector<SpatialAcceleration<T>>& EvalBodyAccelerations(
      const systems::Context<T>& context) const {
    return accelerations_entry_
        ->template Eval<std::vector<SpatialAcceleration<T>>>(context);
  }

  /** @name What output ports show
  The last step's, zero before the first, if the plant samples them.
  @{ */
  const StepOutputs<T>& EvalReported(const systems::Context<T>& context) const {
    if (!has_sample()) return EvalStep(context);
    const auto* sample =
        context.template get_abstract_state<LastStepOutputs>(sample_)
            .template get_if<T>();
    if (sample != nullptr) return *sample;
    return converted_entry_->template Eval<StepOutputs<T>>(context);
  }
  const std::vector<SpatialAcceleration<T>>& EvalReportedBodyAccelerations(
      const systems::Context<T>& context) const {
    return shown_accelerations_entry()
        .template Eval<std::vector<SpatialAcceleration<T>>>(context);
  }
  /** F_CJc_Jc by Joint::ordinal(). */
  const std::vector<SpatialForce<T>>& EvalReportedReactionForces(
      const systems::Context<T>& context) const {
    return shown_reactions_entry_->template Eval<Reactions>(context).F_CJc_Jc;
  }
  systems::DependencyTicket shown_ticket() const {
    return has_sample() ? core_.abstract_state_ticket(sample_)
                        : step_entry_->ticket();
  }
  systems::DependencyTicket shown_accelerations_ticket() const {
    return shown_accelerations_entry().ticket();
  }
  systems::DependencyTicket shown_reactions_ticket() const {
    return shown_reactions_entry_->ticket();
  }
  /** @} */

  /** Adds the forces of the force elements other than gravity. */
  void AddForceElements(const systems::Context<T>& context,
                        MultibodyForces<T>* forces) const;
  /** Outputs of the model's sizes: zero, and not valid. */
  StepOutputs<T> MakeOutputs() const;
  /** Makes the state before the first step. */
  LastStepOutputs MakeEmptySample() const;
  /** Writes the state after a discrete step. */
  void CalcNextState(const systems::Context<T>& context,
                     Eigen::Ref<VectorX<T>> x) const;
  /** Writes the state of a continuous plant after a step of length dt [s], as a
  discrete plant takes it, but with the continuous laws of limits and
  friction. See systems::ImplicitStep for guess and the result. */
  double CalcImplicitStep(const systems::Context<T>& context, double dt,
                          const VectorX<T>* guess, VectorX<T>* x) const;
  /** Keeps what the step's output ports show. */
  void Sample(const systems::Context<T>& context,
              LastStepOutputs* sample) const {
    sample->set(EvalRenewedStep(context).share());
  }

 private:
  struct SampledMotion;
  struct ImplicitStepScratch;
  using Accelerations = std::vector<SpatialAcceleration<T>>;
  struct Reactions {
    std::vector<SpatialForce<T>> F_CJc_Jc;  // By Joint::ordinal().
    std::vector<Vector6<T>> F_BMo_W;        // By the model's bodies.
  };

  bool has_sample() const { return sample_.is_valid(); }
  const systems::CacheEntry& shown_accelerations_entry() const {
    return has_sample() ? *sampled_accelerations_entry_ : *accelerations_entry_;
  }
  const RecycledValue<StepOutputs<T>>& EvalRenewedStep(
      const systems::Context<T>& context) const {
    return step_entry_->template Eval<RecycledValue<StepOutputs<T>>>(context);
  }

  StepInputs<T> MakeInputs() const;
  void CalcInputs(const systems::Context<T>& context,
                  StepInputs<T>* inputs) const;
  // Collects what a step of length dt needs, or accelerations if dt is zero.
  void CalcInputsOf(const systems::Context<T>& context, double dt,
                    StepInputs<T>* inputs) const;
  void StartOutputs(const systems::Context<T>& context,
                    const StepInputs<T>& inputs, StepOutputs<T>* outputs) const;
  // How far apart bodies may be that meet in a step of length dt, [m].
  double CalcStepReach(const systems::Context<T>& context, double dt) const;
  // Computes v_next and what goes with it. Returns whether scratch->problem has
  // the step's rows; without rows there is no problem.
  bool SolveStep(const systems::Context<T>& context,
                 const StepInputs<T>& inputs, const ContactPart<T>& contact,
                 const VectorX<T>* vdot_before, StepScratch<T>* scratch,
                 StepOutputs<T>* outputs) const;
  void AddAppliedForces(const systems::Context<T>& context,
                        StepInputs<T>* inputs) const;
  void AddSpatialForcePort(const systems::Context<T>& context,
                           StepInputs<T>* inputs) const;
  void CalcStep(const systems::Context<T>& context,
                RecycledValue<StepOutputs<T>>* step) const;
  void CalcNodeAccelerations(const systems::Context<T>& context,
                             std::vector<Vector6<T>>* A) const;
  const std::vector<Vector6<T>>& EvalNodeAccelerations(
      const systems::Context<T>& context) const {
    return node_accelerations_entry_->template Eval<std::vector<Vector6<T>>>(
        context);
  }
  void CalcBodyAccelerations(const systems::Context<T>& context,
                             Accelerations* A_WB) const;
  void CalcReactionForces(const systems::Context<T>& context,
                          Reactions* reactions) const;
  void CalcSampledMotion(const systems::Context<T>& context,
                         SampledMotion* motion) const;
  void CalcSampledBodyAccelerations(const systems::Context<T>& context,
                                    Accelerations* A_WB) const;
  void CalcSampledReactionForces(const systems::Context<T>& context,
                                 Reactions* reactions) const;
  void CalcConvertedSample(const systems::Context<T>& context,
                           StepOutputs<T>* outputs) const;
  void ToBodyAccelerations(const PositionKinematicsCache<T>& positions,
                           const VelocityKinematicsCache<T>& velocities,
                           const std::vector<Vector6<T>>& A,
                           Accelerations* A_WB) const;
  void ToReactionForces(const systems::Context<T>& context,
                        const PositionKinematicsCache<T>& positions,
                        const VelocityKinematicsCache<T>& velocities,
                        const std::vector<Vector6<T>>& A,
                        const StepOutputs<T>& outputs,
                        Reactions* reactions) const;

  const MultibodyTreeSystem<T>& core_;
  const PortIndices& ports_;
  const ConstraintRegistry& constraints_;
  const DeformableModel<T>& deformables_;
  ActuationPart<T> actuation_;
  ContactPart<T> contact_;
  // For the steps of a continuous plant.
  ContactPart<T> step_contact_;
  // Set by Finalize().
  systems::AbstractStateIndex sample_;
  systems::InputPortIndex generalized_force_port_;
  systems::InputPortIndex spatial_force_port_;
  const systems::CacheEntry* element_forces_entry_{};
  const systems::CacheEntry* inputs_entry_{};
  const systems::CacheEntry* scratch_entry_{};
  const systems::CacheEntry* step_entry_{};
  const systems::CacheEntry* node_accelerations_entry_{};
  const systems::CacheEntry* accelerations_entry_{};
  const systems::CacheEntry* shown_reactions_entry_{};
  const systems::CacheEntry* converted_entry_{};
  const systems::CacheEntry* sampled_motion_entry_{};
  const systems::CacheEntry* sampled_accelerations_entry_{};
  const systems::CacheEntry* implicit_step_entry_{};
};

}  // namespace wyvern::multibody::internal
