#include "wyvern/multibody/plant/parts/dynamics_part.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/algorithms/body_kinematics.h"
#include "wyvern/multibody/algorithms/generalized_coordinates.h"
#include "wyvern/multibody/algorithms/node_forces.h"
#include "wyvern/multibody/algorithms/reaction_forces.h"
#include "wyvern/multibody/plant/externally_applied_spatial_force.h"
#include "wyvern/multibody/plant/parts/constrained_step.h"
#include "wyvern/multibody/plant/parts/continuous_accelerations.h"
#include "wyvern/multibody/plant/parts/contradictions.h"
#include "wyvern/multibody/plant/parts/discrete_step.h"
#include "wyvern/multibody/plant/parts/free_rotation.h"
#include "wyvern/multibody/plant/parts/solve_accelerations.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::multibody::internal {

using math::RigidTransform;
using math::RotationMatrix;
using systems::Context;
using systems::DependencyTicket;
using systems::ValueProducer;

template <typename T>
DynamicsResult<T> DynamicsPart<T>::MakeResult() const {
  const int nv = core_.num_v();
  const VectorX<T> zero = VectorX<T>::Zero(nv);
  DynamicsResult<T> result;
  result.vdot = zero;
  result.v_next = zero;
  result.v_star = zero;
  result.A.assign(core_.model().num_nodes(), Vector6<T>::Zero());
  result.net_actuation = VectorX<T>::Zero(core_.tree().num_actuated_dofs());
  result.laws.resize(nv);
  result.articulated = engine::ArticulatedInertias<T>(core_.model());
  result.tau = zero;
  result.other_tau = zero;
  result.is_locked.assign(nv, false);
  result.diagonal = zero;
  result.slope = zero;
  result.inertial_force = zero;
  result.previous_inertial_force = zero;
  result.v_previous = zero;
  result.tau_contact = zero;
  result.multipliers = VectorX<T>::Zero(constraints_.num_rows);
  return result;
}

template <typename T>
AppliedForces<T> DynamicsPart<T>::MakeAppliedForces() const {
  AppliedForces<T> applied;
  applied.tau = VectorX<T>::Zero(core_.num_v());
  applied.F_BBo_W.assign(core_.model().num_bodies(), Vector6<T>::Zero());
  applied.F_nodes.assign(core_.model().num_nodes(), Vector6<T>::Zero());
  applied.elements = MultibodyForces<T>(core_.tree());
  return applied;
}

template <typename T>
void DynamicsPart<T>::Finalize(MultibodyTreeSystem<T>* core,
                               systems::AbstractStateIndex sample) {
  using This = DynamicsPart<T>;
  actuation_.Finalize(core);
  contact_.Finalize(core);
  const auto declare = [core, this](const char* name, const auto& model,
                                    auto calc,
                                    std::set<DependencyTicket> tickets) {
    return &core->DeclarePartEntry(name, ValueProducer(this, model, calc),
                                   std::move(tickets));
  };
  const DependencyTicket parameters = core->all_parameters_ticket();
  const DependencyTicket positions = core->positions_entry_ticket();
  const DependencyTicket velocities = core->velocities_entry_ticket();
  applied_entry_ =
      declare("applied forces", MakeAppliedForces(), &This::CalcAppliedForces,
              {core->input_port_ticket(ports_.applied_generalized_force),
               core->input_port_ticket(ports_.applied_spatial_force),
               parameters, positions, velocities});
  dynamics_entry_ =
      declare("dynamics", MakeResult(), &This::CalcDynamics,
              {actuation_.input_ticket(), applied_entry_->ticket(), parameters,
               positions, velocities, core->inertias_entry_ticket(),
               contact_.ticket()});
  const Accelerations A_WB(core->tree().num_bodies(),
                           SpatialAcceleration<T>::Zero());
  const Forces reactions(core->tree().joints().num(), SpatialForce<T>::Zero());
  const std::vector<Vector6<T>> A(core->model().num_nodes(),
                                  Vector6<T>::Zero());
  node_accelerations_entry_ =
      declare("node accelerations", A, &This::CalcNodeAccelerations,
              {dynamics_entry_->ticket(), positions, velocities});
  accelerations_entry_ =
      declare("body accelerations A_WB", A_WB, &This::CalcBodyAccelerations,
              {node_accelerations_entry_->ticket()});
  reactions_entry_ =
      declare("reaction forces F_CJc_Jc", reactions, &This::CalcReactionForces,
              {dynamics_entry_->ticket(), node_accelerations_entry_->ticket()});
  if (!sample.is_valid()) return;
  sample_ = sample;
  SampledMotion<T> motion{
      engine::PositionKinematics<T>(core->model()),
      engine::IndexedVector<engine::MobodIndex, engine::Pose<T>>(
          core->model().num_bodies()),
      {engine::VelocityKinematics<T>(core->model())},
      std::vector<Vector6<T>>(core->model().num_nodes())};
  sample_entry_ =
      declare("step sample", MakeEmptySample(), &This::CalcSampleEntry,
              {core->abstract_state_ticket(sample)});
  sampled_motion_entry_ =
      declare("sampled motion", motion, &This::CalcSampledMotion,
              {sample_entry_->ticket(), parameters});
  sampled_accelerations_entry_ = declare("sampled body accelerations", A_WB,
                                         &This::CalcSampledBodyAccelerations,
                                         {sampled_motion_entry_->ticket()});
  sampled_reactions_entry_ = declare("sampled reaction forces", reactions,
                                     &This::CalcSampledReactionForces,
                                     {sampled_motion_entry_->ticket()});
}

template <typename T>
void DynamicsPart<T>::AddForceElements(const Context<T>& context,
                                       MultibodyForces<T>* forces) const {
  for (const auto& element : core_.tree().force_elements()) {
    if (element.get() == &core_.tree().gravity_field()) continue;
    element->CalcAndAddForceContribution(context, core_.EvalPositions(context),
                                         core_.EvalVelocities(context), forces);
  }
}

template <typename T>
void DynamicsPart<T>::CalcAppliedForces(const Context<T>& context,
                                        AppliedForces<T>* applied) const {
  applied->tau.setZero();
  applied->has_body_forces = false;
  if (const systems::BasicVector<T>* tau =
          core_.EvalVectorInput(context, ports_.applied_generalized_force)) {
    const int unchecked = AllFinite(tau->value()) ? 0 : tau->size();
    for (int i = 0; i < unchecked; ++i) {
      RequireFiniteInput<T>(core_, context, ports_.applied_generalized_force, i,
                            tau->value()[i]);
    }
    applied->tau = tau->value();
  }
  const auto begin_body_forces = [applied]() {
    if (applied->has_body_forces) return;
    applied->has_body_forces = true;
    std::ranges::fill(applied->F_BBo_W, Vector6<T>::Zero());
  };
  if (core_.tree().force_elements().size() > 1) {
    begin_body_forces();
    AddForceElements(context, &applied->elements.SetZero());
    applied->tau += applied->elements.generalized_forces();
    for (BodyIndex body(0); body < core_.tree().num_bodies(); ++body) {
      applied->F_BBo_W[core_.tree().model_body(body)] =
          applied->elements.body_forces()[body].get_coeffs();
    }
  }
  if (core_.get_input_port(ports_.applied_spatial_force).HasValue(context)) {
    begin_body_forces();
    AddSpatialForcePort(context, applied);
  }
  if (!applied->has_body_forces) return;
  const PositionKinematicsCache<T> positions = core_.EvalPositions(context);
  std::ranges::fill(applied->F_nodes, Vector6<T>::Zero());
  engine::AddBodyForces<T>(core_.model(), positions.X_WB, positions.nodes,
                           applied->F_BBo_W, &applied->F_nodes);
}

template <typename T>
void DynamicsPart<T>::AddSpatialForcePort(const Context<T>& context,
                                          AppliedForces<T>* applied) const {
  const auto& forces =
      core_.get_input_port(ports_.applied_spatial_force)
          .template Eval<std::vector<ExternallyAppliedSpatialForce<T>>>(
              context);
  const std::vector<engine::Pose<T>>& X_WB = core_.EvalPositions(context).X_WB;
  for (int i = 0; i < static_cast<int>(forces.size()); ++i) {
    const ExternallyAppliedSpatialForce<T>& force = forces[i];
    if (!core_.tree().bodies().has(force.body_index)) {
      throw std::out_of_range(fmt::format(
          "MultibodyPlant '{}': entry {} at input port 'applied_spatial_force' "
          "is for a body that does not exist.",
          core_.GetSystemPathname(), i));
    }
    for (int j = 0; j < 6; ++j) {
      RequireFiniteInput<T>(core_, context, ports_.applied_spatial_force, i,
                            force.F_Bq_W.get_coeffs()[j]);
    }
    const engine::MobodIndex body = core_.tree().model_body(force.body_index);
    const Vector3<T> p_BoBq_W = X_WB[body].R * force.p_BoBq_B;
    applied->F_BBo_W[body] += force.F_Bq_W.Shift(-p_BoBq_W).get_coeffs();
  }
}

template <typename T>
void DynamicsPart<T>::CalcDynamics(const Context<T>& context,
                                   DynamicsResult<T>* result) const {
  const AppliedForces<T>& applied = EvalAppliedForces(context);
  result->tau = applied.tau;
  actuation_.AddFeedForward(context, &result->tau);
  actuation_.CalcLaws(context, core_.time_step(),
                      contact_.config().stiction_tolerance, &result->laws);
  const LockedVelocities& locked = core_.EvalLockedVelocities(context);
  result->is_locked = locked.is_locked;
  if (core_.is_discrete()) {
    result->has_constraint_forces = false;
    CalcFreeVelocities<T>(core_, context, result->is_locked, &result->v_star);
    if (constraints_.compiled.empty() && !contact_.has_geometry() &&
        !actuation_.has_angle_limits()) {
      CalcDiscreteStep<T>(core_, context, applied, result->is_locked, result);
    } else {
      CalcConstrainedStep<T>(core_, context, applied, actuation_, constraints_,
                             contact_, result->is_locked, result);
    }
    actuation_.CalcNetActuation(context, result->laws, result->v_next,
                                &result->net_actuation);
    return;
  }
  const auto v = core_.VelocitiesOf(context);
  result->v_next = v;
  for (int i = 0; i < core_.num_v(); ++i) {
    result->tau[i] += result->laws[i].CalcForce(v[i]);
  }
  actuation_.AddAngleLimits(context, &result->tau);
  CalcContinuousAccelerations<T>(core_, context, applied, constraints_,
                                 contact_, locked.some, result);
  actuation_.CalcNetActuation(context, result->laws, result->v_next,
                              &result->net_actuation);
}

template <typename T>
void DynamicsPart<T>::ToBodyAccelerations(
    const PositionKinematicsCache<T>& positions,
    const VelocityKinematicsCache<T>& velocities,
    const std::vector<Vector6<T>>& A, Accelerations* A_WB) const {
  for (BodyIndex body(0); body < core_.tree().num_bodies(); ++body) {
    const engine::MobodIndex b = core_.tree().model_body(body);
    (*A_WB)[body] = SpatialAcceleration<T>(engine::CalcPointAcceleration<T>(
        core_.model(), positions.nodes, velocities.nodes, A, b,
        positions.X_WB[b].p));
  }
}

// F_BMo_W is on the outboard body, at the mobilizer's outboard frame. A joint
// that the tree runs through backwards has its child inboard, so the force on
// that is the opposite, moved from Jp to Jc.
template <typename T>
void DynamicsPart<T>::ToReactionForces(
    const Context<T>& context, const PositionKinematicsCache<T>& positions,
    const VelocityKinematicsCache<T>& velocities,
    const std::vector<Vector6<T>>& A, std::span<const Vector6<T>> F_BBo_W,
    Forces* F_CJc_Jc) const {
  const engine::Model& model = core_.model();
  const std::vector<RigidTransform<T>>& X_BF = core_.EvalFramePoses(context);
  std::vector<Vector6<T>> F_BMo_W(model.num_bodies());
  engine::CalcReactionForces<T>(model, core_.EvalModelParameters(context),
                                positions.nodes, velocities.nodes, A, F_BBo_W,
                                engine::Gravity::kOn, &F_BMo_W);
  for (int b = 1; b < model.num_bodies(); ++b) {
    const Joint<T>& joint = *core_.tree().inboard_joints()[b];
    const auto pose = [&](const Frame<T>& frame) {
      return core_.BodyPose(positions, frame.body().index()) *
             X_BF[frame.index()];
    };
    const RigidTransform<T> X_WJc = pose(joint.frame_on_child());
    SpatialForce<T> F_CJc_W(F_BMo_W[b]);
    if (model.bodies[b].is_reversed) {
      const RigidTransform<T> X_WJp = pose(joint.frame_on_parent());
      F_CJc_W = SpatialForce<T>(Vector6<T>(-F_BMo_W[b]))
                    .Shift(X_WJc.translation() - X_WJp.translation());
    }
    (*F_CJc_Jc)[joint.ordinal()] = X_WJc.rotation().inverse() * F_CJc_W;
  }
}

template <typename T>
void DynamicsPart<T>::CalcNodeAccelerations(const Context<T>& context,
                                            std::vector<Vector6<T>>* A) const {
  engine::CalcAccelerationKinematics<T>(
      core_.model(), core_.EvalNodePositions(context),
      core_.EvalVelocities(context).nodes, EvalDynamics(context).vdot, A);
}

template <typename T>
void DynamicsPart<T>::CalcBodyAccelerations(const Context<T>& context,
                                            Accelerations* A_WB) const {
  ToBodyAccelerations(core_.EvalPositions(context),
                      core_.EvalVelocities(context),
                      EvalNodeAccelerations(context), A_WB);
}

// Applied forces and those of constraints; leaves F as it is if there are none.
template <typename T>
bool DynamicsPart<T>::CollectBodyForces(const Context<T>& context,
                                        std::vector<Vector6<T>>* F) const {
  const AppliedForces<T>& applied = EvalAppliedForces(context);
  const DynamicsResult<T>& result = EvalDynamics(context);
  if (!applied.has_body_forces && !result.has_constraint_forces) return false;
  if (!result.has_constraint_forces) {
    *F = applied.F_BBo_W;
    return true;
  }
  *F = result.F_constraints_BBo_W;
  if (applied.has_body_forces) {
    for (std::size_t b = 0; b < F->size(); ++b) (*F)[b] += applied.F_BBo_W[b];
  }
  return true;
}

template <typename T>
void DynamicsPart<T>::CalcReactionForces(const Context<T>& context,
                                         Forces* F_CJc_Jc) const {
  std::vector<Vector6<T>> F_BBo_W;
  CollectBodyForces(context, &F_BBo_W);
  ToReactionForces(context, core_.EvalPositions(context),
                   core_.EvalVelocities(context),
                   EvalNodeAccelerations(context), F_BBo_W, F_CJc_Jc);
}

template <typename T>
StepSample<T> DynamicsPart<T>::MakeEmptySample() const {
  StepSample<T> sample;
  sample.q = VectorX<T>::Zero(core_.num_q());
  sample.v = VectorX<T>::Zero(core_.num_v());
  sample.vdot = VectorX<T>::Zero(core_.num_v());
  sample.net_actuation = VectorX<T>::Zero(core_.tree().num_actuated_dofs());
  sample.tau_contact = VectorX<T>::Zero(core_.num_v());
  sample.multipliers = VectorX<T>::Zero(constraints_.num_rows);
  sample.F_BBo_W.assign(core_.model().num_bodies(), Vector6<T>::Zero());
  return sample;
}

template <typename T>
void DynamicsPart<T>::CalcContacts(
    const Context<T>& context,
    std::vector<PointPairContactInfo<T>>* contacts) const {
  contacts->clear();
  if (!contact_.has_geometry()) return;
  const DynamicsResult<T>& result = EvalDynamics(context);
  contact_.CalcResults(context, result.contact_forces,
                       result.contact_velocities, contacts);
}

template <typename T>
void DynamicsPart<T>::CalcNextState(const Context<T>& context,
                                    Eigen::Ref<VectorX<T>> x) const {
  const VectorX<T>& v = EvalDynamics(context).v_next;
  CalcNextPositions<T>(core_, context, v, x.head(core_.num_q()));
  x.tail(core_.num_v()) = v;
}

template <typename T>
void DynamicsPart<T>::CalcSample(const Context<T>& context,
                                 StepSample<T>* sample) const {
  const DynamicsResult<T>& result = EvalDynamics(context);
  sample->is_valid = true;
  sample->q = core_.PositionsOf(context);
  sample->v = core_.VelocitiesOf(context);
  sample->vdot = result.vdot;
  sample->net_actuation = result.net_actuation;
  sample->tau_contact = result.tau_contact;
  sample->multipliers = result.multipliers;
  CalcContacts(context, &sample->contacts);
  sample->has_body_forces = CollectBodyForces(context, &sample->F_BBo_W);
}

template <typename T>
void DynamicsPart<T>::CalcSampleEntry(const Context<T>& context,
                                      StepSample<T>* sample) const {
  context.template get_abstract_state<StepSampleState>(sample_).CopyTo(sample);
}

template <typename T>
void DynamicsPart<T>::CalcSampledMotion(const Context<T>& context,
                                        SampledMotion<T>* motion) const {
  const StepSample<T>& s = EvalSample(context);
  if (!s.is_valid) return;
  const engine::Model& model = core_.model();
  const auto& parameters = core_.EvalModelParameters(context);
  engine::CalcPositionKinematics<T>(model, parameters, s.q, &motion->nodes);
  engine::CalcBodyPoses<T>(model, parameters, motion->nodes, &motion->X_WB);
  engine::CalcVelocityKinematics<T>(model, parameters, motion->nodes, s.v,
                                    &motion->velocities.nodes);
  engine::CalcAccelerationKinematics<T>(
      model, motion->nodes, motion->velocities.nodes, s.vdot, &motion->A);
}

template <typename T>
void DynamicsPart<T>::CalcSampledBodyAccelerations(const Context<T>& context,
                                                   Accelerations* A_WB) const {
  if (!EvalSample(context).is_valid) {
    std::ranges::fill(*A_WB, SpatialAcceleration<T>::Zero());
    return;
  }
  const auto& motion =
      sampled_motion_entry_->template Eval<SampledMotion<T>>(context);
  ToBodyAccelerations(motion.positions(), motion.velocities, motion.A, A_WB);
}

template <typename T>
void DynamicsPart<T>::CalcSampledReactionForces(const Context<T>& context,
                                                Forces* F_CJc_Jc) const {
  const StepSample<T>& s = EvalSample(context);
  if (!s.is_valid) {
    std::ranges::fill(*F_CJc_Jc, SpatialForce<T>::Zero());
    return;
  }
  const auto& motion =
      sampled_motion_entry_->template Eval<SampledMotion<T>>(context);
  std::span<const Vector6<T>> F_BBo_W;
  if (s.has_body_forces) F_BBo_W = s.F_BBo_W;
  ToReactionForces(context, motion.positions(), motion.velocities, motion.A,
                   F_BBo_W, F_CJc_Jc);
}

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::DynamicsPart);
