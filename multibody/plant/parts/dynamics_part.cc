#include "wyvern/multibody/plant/parts/dynamics_part.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/body_kinematics.h"
#include "wyvern/multibody/dynamics/generalized_coordinates.h"
#include "wyvern/multibody/dynamics/length_scale.h"
#include "wyvern/multibody/dynamics/node_forces.h"
#include "wyvern/multibody/dynamics/reaction_forces.h"
#include "wyvern/multibody/plant/externally_applied_spatial_force.h"
#include "wyvern/multibody/plant/parts/contradictions.h"
#include "wyvern/multibody/plant/parts/crossing_branches.h"
#include "wyvern/multibody/plant/parts/deep_overlaps.h"
#include "wyvern/multibody/plant/step/constrained_step.h"
#include "wyvern/multibody/plant/step/continuous_accelerations.h"
#include "wyvern/multibody/plant/step/discrete_step.h"
#include "wyvern/multibody/plant/step/free_rotation.h"
#include "wyvern/multibody/plant/step/solve_accelerations.h"
#include "wyvern/multibody/plant/step/step_scratch.h"
#include "wyvern/multibody/plant/step/unfollowed_impacts.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_forces.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* The cache entries between input ports and what ports show, which the table in
the header lists: inputs of a step are gathered, the one of three solvers
that fits computes the step, and accelerations of bodies and reaction forces
follow from its v̇ by kinematics and one inward pass. With sampled outputs
the same two are computed from the q, v and v̇ of the sample instead of the
Context's. */

namespace wyvern::multibody::internal {

using math::RigidTransform;
using math::RotationMatrix;
using systems::Context;
using systems::DependencyTicket;
using systems::ValueProducer;

// Kinematics of the bodies at the q, v and v̇ of a sample.
template <typename T>
struct DynamicsPart<T>::SampledMotion {
  explicit SampledMotion(const dynamics::Model& model)
      : nodes(model),
        X_WB(model.num_bodies()),
        velocities{dynamics::VelocityKinematics<T>(model)},
        A(model.num_nodes()) {}

  PositionKinematicsCache<T> positions() const { return {nodes, X_WB}; }

  dynamics::PositionKinematics<T> nodes;
  dynamics::IndexedVector<dynamics::MobodIndex, dynamics::Pose<T>> X_WB;
  VelocityKinematicsCache<T> velocities;
  std::vector<Vector6<T>> A;
};

// All that a step of a continuous plant is computed in.
template <typename T>
struct DynamicsPart<T>::ImplicitStepScratch {
  StepInputs<T> inputs;
  StepScratch<T> scratch;
  StepOutputs<T> outputs;
  VectorX<T> vdot_guess;
};

template <typename T>
StepInputs<T> DynamicsPart<T>::MakeInputs() const {
  StepInputs<T> inputs;
  inputs.tau = VectorX<T>::Zero(core_.num_v());
  inputs.laws.resize(core_.num_v());
  inputs.is_locked.assign(core_.num_v(), false);
  inputs.v_star = inputs.tau;
  inputs.F_BBo_W.assign(core_.model().num_bodies(), Vector6<T>::Zero());
  inputs.F_nodes.assign(core_.model().num_nodes(), Vector6<T>::Zero());
  return inputs;
}

template <typename T>
std::string DynamicsPart<T>::DescribeDifficulties(
    const Context<T>& context, systems::Difficulty least) const {
  std::string text;
  const auto add = [&text](const std::string& sentences) {
    if (!text.empty() && !sentences.empty()) text += ' ';
    text += sentences;
  };
  if (least == systems::Difficulty::kAny) {
    // Loaded limits, which are springs, may be violated by this much.
    constexpr double kSlack = 0.01;
    add(DescribeJointOutside(core_, context, kSlack));
    add(DescribeCrossing(core_, context, constraints_));
  }
  if (contact_.has_geometry()) {
    add(DescribeDeepOverlaps(core_, contact_, context, least));
  }
  return text;
}

template <typename T>
StepOutputs<T> DynamicsPart<T>::MakeOutputs() const {
  return StepOutputs<T>(core_.num_q(), core_.num_v(),
                        core_.tree().num_actuated_dofs(), constraints_.num_rows,
                        core_.model().num_bodies());
}

template <typename T>
void DynamicsPart<T>::Finalize(MultibodyTreeSystem<T>* core,
                               systems::AbstractStateIndex sample) {
  using This = DynamicsPart<T>;
  sample_ = sample;
  generalized_force_port_ = ports_.input("applied_generalized_force");
  spatial_force_port_ = ports_.input("applied_spatial_force");
  actuation_.Finalize(core);
  contact_.Finalize(core);
  const auto declare = [core, this](const char* name, const auto& model,
                                    auto calc,
                                    std::set<DependencyTicket> tickets) {
    return &core->DeclarePartEntry(name, ValueProducer(this, model, calc),
                                   std::move(tickets));
  };
  const auto declare_scratch = [core](const char* name, const auto& model) {
    return &core->DeclarePartEntry(
        name, ValueProducer(model, &ValueProducer::NoopCalc),
        {core->nothing_ticket()});
  };
  const DependencyTicket parameters = core->all_parameters_ticket();
  const DependencyTicket positions = core->positions_entry_ticket();
  const DependencyTicket velocities = core->velocities_entry_ticket();
  element_forces_entry_ = declare_scratch("scratch of force elements",
                                          MultibodyForces<T>(core->tree()));
  inputs_entry_ = declare("step inputs", MakeInputs(), &This::CalcInputs,
                          {actuation_.input_ticket(),
                           core->input_port_ticket(generalized_force_port_),
                           core->input_port_ticket(spatial_force_port_),
                           parameters, positions, velocities});
  scratch_entry_ =
      declare_scratch("step scratch", StepScratch<T>(core->model()));
  std::set<DependencyTicket> of_step{
      inputs_entry_->ticket(),       parameters,       positions, velocities,
      core->inertias_entry_ticket(), contact_.ticket()};
  // The solver starts from the sample's v̇.
  if (has_sample()) of_step.insert(core->abstract_state_ticket(sample));
  // A step reads the deformable bodies' states, and force densities may depend
  // on any source.
  if (deformables_.num_bodies() > 0) of_step = {core->all_sources_ticket()};
  step_entry_ = declare("step", RecycledValue<StepOutputs<T>>(MakeOutputs()),
                        &This::CalcStep, std::move(of_step));
  const Accelerations A_WB(core->tree().num_bodies(),
                           SpatialAcceleration<T>::Zero());
  const Reactions reactions{
      std::vector<SpatialForce<T>>(core->tree().joints().num(),
                                   SpatialForce<T>::Zero()),
      std::vector<Vector6<T>>(core->model().num_bodies(), Vector6<T>::Zero())};
  const std::vector<Vector6<T>> A(core->model().num_nodes(),
                                  Vector6<T>::Zero());
  node_accelerations_entry_ =
      declare("node accelerations", A, &This::CalcNodeAccelerations,
              {step_entry_->ticket(), positions, velocities});
  accelerations_entry_ =
      declare("body accelerations A_WB", A_WB, &This::CalcBodyAccelerations,
              {node_accelerations_entry_->ticket()});
  if (!core->is_discrete()) {
    step_contact_.Finalize(core);
    implicit_step_entry_ = declare_scratch(
        "implicit step",
        ImplicitStepScratch{MakeInputs(), StepScratch<T>(core->model()),
                            MakeOutputs(), VectorX<T>::Zero(core->num_v())});
  }
  if (!has_sample()) {
    shown_reactions_entry_ = declare(
        "reaction forces F_CJc_Jc", reactions, &This::CalcReactionForces,
        {step_entry_->ticket(), node_accelerations_entry_->ticket()});
    return;
  }
  const DependencyTicket state = core->abstract_state_ticket(sample);
  converted_entry_ = declare("sample of another scalar", MakeOutputs(),
                             &This::CalcConvertedSample, {state});
  sampled_motion_entry_ =
      declare("sampled motion", SampledMotion(core->model()),
              &This::CalcSampledMotion, {state, parameters});
  sampled_accelerations_entry_ = declare("sampled body accelerations", A_WB,
                                         &This::CalcSampledBodyAccelerations,
                                         {sampled_motion_entry_->ticket()});
  shown_reactions_entry_ = declare("sampled reaction forces", reactions,
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
void DynamicsPart<T>::CalcInputs(const Context<T>& context,
                                 StepInputs<T>* inputs) const {
  CalcInputsOf(context, core_.time_step(), inputs);
}

template <typename T>
void DynamicsPart<T>::CalcInputsOf(const Context<T>& context, double dt,
                                   StepInputs<T>* inputs) const {
  inputs->dt = dt;
  AddAppliedForces(context, inputs);
  actuation_.AddFeedForward(context, dt, &inputs->tau);
  actuation_.CalcLaws(context, dt, contact_.config().stiction_tolerance,
                      &inputs->laws);
  const LockedVelocities& locked = core_.EvalLockedVelocities(context);
  // If no joint is locked now or was before, is_locked is all false already.
  if (locked.some || inputs->some_locked) inputs->is_locked = locked.is_locked;
  inputs->some_locked = locked.some;
  if (dt > 0) {
    CalcFreeVelocities<T>(core_, context, dt, inputs->is_locked,
                          &inputs->v_star);
    return;
  }
  const auto v = core_.VelocitiesOf(context);
  for (int i = 0; i < core_.num_v(); ++i) {
    inputs->tau[i] += inputs->laws[i].CalcForce(v[i]);
  }
}

template <typename T>
void DynamicsPart<T>::AddAppliedForces(const Context<T>& context,
                                       StepInputs<T>* inputs) const {
  inputs->tau.setZero();
  inputs->has_body_forces = false;
  if (const systems::BasicVector<T>* tau =
          core_.EvalVectorInput(context, generalized_force_port_)) {
    const int unchecked = AllFinite(tau->value()) ? 0 : tau->size();
    for (int i = 0; i < unchecked; ++i) {
      RequireFiniteInput<T>(core_, context, generalized_force_port_, i,
                            tau->value()[i]);
    }
    inputs->tau = tau->value();
  }
  const auto begin_body_forces = [inputs]() {
    if (inputs->has_body_forces) return;
    inputs->has_body_forces = true;
    std::ranges::fill(inputs->F_BBo_W, Vector6<T>::Zero());
  };
  if (core_.tree().force_elements().size() > 1) {
    begin_body_forces();
    auto& elements =
        element_forces_entry_->get_mutable_cache_entry_value(context)
            .template GetMutableValueOrThrow<MultibodyForces<T>>();
    AddForceElements(context, &elements.SetZero());
    inputs->tau += elements.generalized_forces();
    for (BodyIndex body(0); body < core_.tree().num_bodies(); ++body) {
      inputs->F_BBo_W[core_.tree().model_body(body)] =
          elements.body_forces()[body].get_coeffs();
    }
  }
  if (core_.get_input_port(spatial_force_port_).HasValue(context)) {
    begin_body_forces();
    AddSpatialForcePort(context, inputs);
  }
  if (!inputs->has_body_forces) return;
  const PositionKinematicsCache<T> positions = core_.EvalPositions(context);
  std::ranges::fill(inputs->F_nodes, Vector6<T>::Zero());
  dynamics::AddBodyForces<T>(core_.model(), positions.X_WB, positions.nodes,
                             inputs->F_BBo_W, &inputs->F_nodes);
}

template <typename T>
void DynamicsPart<T>::AddSpatialForcePort(const Context<T>& context,
                                          StepInputs<T>* inputs) const {
  const auto& forces =
      core_.get_input_port(spatial_force_port_)
          .template Eval<std::vector<ExternallyAppliedSpatialForce<T>>>(
              context);
  const auto& X_WB = core_.EvalPositions(context).X_WB;
  for (int i = 0; i < static_cast<int>(forces.size()); ++i) {
    const ExternallyAppliedSpatialForce<T>& force = forces[i];
    if (!core_.tree().bodies().has(force.body_index)) {
      throw std::out_of_range(fmt::format(
          "MultibodyPlant '{}': entry {} at input port 'applied_spatial_force' "
          "is for a body that does not exist.",
          core_.GetSystemPathname(), i));
    }
    for (int j = 0; j < 6; ++j) {
      RequireFiniteInput<T>(core_, context, spatial_force_port_, i,
                            force.F_Bq_W.get_coeffs()[j]);
    }
    const dynamics::MobodIndex body = core_.tree().model_body(force.body_index);
    const Vector3<T> p_BoBq_W = X_WB[body].R * force.p_BoBq_B;
    inputs->F_BBo_W[body] += force.F_Bq_W.Shift(-p_BoBq_W).get_coeffs();
  }
}

template <typename T>
const SolverStatistics& DynamicsPart<T>::GetSolverStatistics(
    const Context<T>& context) const {
  return scratch_entry_->get_mutable_cache_entry_value(context)
      .template GetMutableValueOrThrow<StepScratch<T>>()
      .solver.statistics();
}

template <typename T>
void DynamicsPart<T>::CalcStep(const Context<T>& context,
                               RecycledValue<StepOutputs<T>>* step) const {
  const StepInputs<T>& inputs = EvalInputs(context);
  auto& scratch = scratch_entry_->get_mutable_cache_entry_value(context)
                      .template GetMutableValueOrThrow<StepScratch<T>>();
  StepOutputs<T>* const outputs = step->Renew();
  StartOutputs(context, inputs, outputs);
  if (!core_.is_discrete()) {
    outputs->v_next = outputs->v;
    if (actuation_.has_limit_rows()) {
      outputs->tau_limit_rows.setZero();
      actuation_.AddLimitForces(context, &outputs->tau_limit_rows);
    }
    CalcContinuousAccelerations<T>(core_, context, inputs, constraints_,
                                   contact_, &scratch, outputs);
  } else {
    SolveStep(context, inputs, contact_,
              has_sample() ? &EvalReported(context).vdot : nullptr, &scratch,
              outputs);
  }
  actuation_.CalcNetActuation(context, inputs.dt, inputs.laws, outputs->v_next,
                              &outputs->net_actuation);
  if (has_sample()) step->MakeSpare();
}

template <typename T>
void DynamicsPart<T>::StartOutputs(const Context<T>& context,
                                   const StepInputs<T>& inputs,
                                   StepOutputs<T>* outputs) const {
  outputs->is_valid = true;
  outputs->q = core_.PositionsOf(context);
  outputs->v = core_.VelocitiesOf(context);
  outputs->contacts.clear();
  outputs->surfaces.clear();
  outputs->has_body_forces = inputs.has_body_forces;
  if (inputs.has_body_forces) outputs->F_BBo_W = inputs.F_BBo_W;
}

template <typename T>
bool DynamicsPart<T>::SolveStep(const Context<T>& context,
                                const StepInputs<T>& inputs,
                                const ContactPart<T>& contact,
                                const VectorX<T>* vdot_before,
                                StepScratch<T>* scratch,
                                StepOutputs<T>* outputs) const {
  if (constraints_.compiled.empty() && !actuation_.has_limit_rows() &&
      !actuation_.has_drive_rows() && deformables_.num_bodies() == 0 &&
      !contact.HasContacts(context)) {
    // Without rows, the step is forward dynamics with laws of velocities.
    outputs->tau_contact.setZero();
    CalcDiscreteStep<T>(core_, context, inputs, scratch, outputs);
    return false;
  }
  CalcConstrainedStep<T>(core_, context, inputs, actuation_, constraints_,
                         contact, deformables_, vdot_before, scratch, outputs);
  return true;
}

// Two points approach each other with at most twice the largest speed that one
// has, and gravity adds to it. The length scale stands for the sizes of bodies.
template <typename T>
double DynamicsPart<T>::CalcStepReach(const Context<T>& context,
                                      double dt) const {
  const auto positions = core_.EvalPositions(context);
  const auto& velocities = core_.EvalVelocities(context).nodes;
  const auto& parameters = core_.EvalModelParameters(context);
  const double length = dynamics::CalcLengthScale<T>(core_.model(), parameters);
  double fastest = 0;
  for (dynamics::MobodIndex b(1); b < core_.model().num_bodies(); ++b) {
    const Vector6<T> V = dynamics::CalcPointVelocity<T>(
        core_.model(), positions.nodes, velocities, b, positions.X_WB[b].p);
    const double w = std::sqrt(ToDouble(T(V.template head<3>().squaredNorm())));
    const double v = std::sqrt(ToDouble(T(V.template tail<3>().squaredNorm())));
    fastest = std::max(fastest, v + length * w);
  }
  const double g = std::sqrt(ToDouble(T(parameters.gravity.squaredNorm())));
  return dt * (2 * fastest + dt * g);
}

template <typename T>
double DynamicsPart<T>::CalcImplicitStep(const Context<T>& context, double dt,
                                         const VectorX<T>* guess,
                                         VectorX<T>* x) const {
  auto& s = implicit_step_entry_->get_mutable_cache_entry_value(context)
                .template GetMutableValueOrThrow<ImplicitStepScratch>();
  CalcInputsOf(context, dt, &s.inputs);
  if (step_contact_.has_geometry()) {
    step_contact_.SetReach(context, CalcStepReach(context, dt));
  }
  StartOutputs(context, s.inputs, &s.outputs);
  const int nv = core_.num_v();
  if (guess != nullptr) {
    s.vdot_guess = (guess->tail(nv) - s.inputs.v_star) / dt;
  }
  const bool has_rows = SolveStep(context, s.inputs, step_contact_,
                                  guess != nullptr ? &s.vdot_guess : nullptr,
                                  &s.scratch, &s.outputs);
  const VectorX<T>& v_next = s.outputs.v_next;
  CalcNextPositions<T>(core_, context, dt, v_next, x->head(core_.num_q()));
  x->tail(nv) = v_next;
  if (!has_rows) return 0;
  return CalcUnfollowedSpeed<T>(s.outputs.v, v_next, &s.scratch);
}

template <typename T>
void DynamicsPart<T>::ToBodyAccelerations(
    const PositionKinematicsCache<T>& positions,
    const VelocityKinematicsCache<T>& velocities,
    const std::vector<Vector6<T>>& A, Accelerations* A_WB) const {
  for (BodyIndex body(0); body < core_.tree().num_bodies(); ++body) {
    const dynamics::MobodIndex b = core_.tree().model_body(body);
    (*A_WB)[body] = SpatialAcceleration<T>(dynamics::CalcPointAcceleration<T>(
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
    const std::vector<Vector6<T>>& A, const StepOutputs<T>& outputs,
    Reactions* reactions) const {
  std::span<const Vector6<T>> F_BBo_W;
  if (outputs.has_body_forces) F_BBo_W = outputs.F_BBo_W;
  const dynamics::Model& model = core_.model();
  const std::vector<RigidTransform<T>>& X_BF = core_.EvalFramePoses(context);
  std::vector<Vector6<T>>& F_BMo_W = reactions->F_BMo_W;
  dynamics::CalcReactionForces<T>(model, core_.EvalModelParameters(context),
                                  positions.nodes, velocities.nodes, A, F_BBo_W,
                                  dynamics::Gravity::kOn, &F_BMo_W);
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
    reactions->F_CJc_Jc[joint.ordinal()] = X_WJc.rotation().inverse() * F_CJc_W;
  }
}

template <typename T>
void DynamicsPart<T>::CalcNodeAccelerations(const Context<T>& context,
                                            std::vector<Vector6<T>>* A) const {
  dynamics::CalcAccelerationKinematics<T>(
      core_.model(), core_.EvalNodePositions(context),
      core_.EvalVelocities(context).nodes, EvalStep(context).vdot, A);
}

template <typename T>
void DynamicsPart<T>::CalcBodyAccelerations(const Context<T>& context,
                                            Accelerations* A_WB) const {
  ToBodyAccelerations(core_.EvalPositions(context),
                      core_.EvalVelocities(context),
                      EvalNodeAccelerations(context), A_WB);
}

template <typename T>
void DynamicsPart<T>::CalcReactionForces(const Context<T>& context,
                                         Reactions* reactions) const {
  ToReactionForces(
      context, core_.EvalPositions(context), core_.EvalVelocities(context),
      EvalNodeAccelerations(context), EvalStep(context), reactions);
}

template <typename T>
LastStepOutputs DynamicsPart<T>::MakeEmptySample() const {
  return LastStepOutputs(SharedValue(MakeOutputs()));
}

template <typename T>
void DynamicsPart<T>::CalcNextState(const Context<T>& context,
                                    Eigen::Ref<VectorX<T>> x) const {
  const VectorX<T>& v = EvalStep(context).v_next;
  CalcNextPositions<T>(core_, context, core_.time_step(), v,
                       x.head(core_.num_q()));
  x.tail(core_.num_v()) = v;
}

template <typename T>
void DynamicsPart<T>::CalcConvertedSample(const Context<T>& context,
                                          StepOutputs<T>* outputs) const {
  *outputs = context.template get_abstract_state<LastStepOutputs>(sample_)
                 .template Convert<T>();
}

template <typename T>
void DynamicsPart<T>::CalcSampledMotion(const Context<T>& context,
                                        SampledMotion* motion) const {
  const StepOutputs<T>& s = EvalReported(context);
  if (!s.is_valid) return;
  const dynamics::Model& model = core_.model();
  const auto& parameters = core_.EvalModelParameters(context);
  dynamics::CalcPositionKinematics<T>(model, parameters, s.q, &motion->nodes);
  dynamics::CalcBodyPoses<T>(model, parameters, motion->nodes, &motion->X_WB);
  dynamics::CalcVelocityKinematics<T>(model, parameters, motion->nodes, s.v,
                                      &motion->velocities.nodes);
  dynamics::CalcAccelerationKinematics<T>(
      model, motion->nodes, motion->velocities.nodes, s.vdot, &motion->A);
}

template <typename T>
void DynamicsPart<T>::CalcSampledBodyAccelerations(const Context<T>& context,
                                                   Accelerations* A_WB) const {
  if (!EvalReported(context).is_valid) {
    std::ranges::fill(*A_WB, SpatialAcceleration<T>::Zero());
    return;
  }
  const auto& motion =
      sampled_motion_entry_->template Eval<SampledMotion>(context);
  ToBodyAccelerations(motion.positions(), motion.velocities, motion.A, A_WB);
}

template <typename T>
void DynamicsPart<T>::CalcSampledReactionForces(const Context<T>& context,
                                                Reactions* reactions) const {
  const StepOutputs<T>& s = EvalReported(context);
  if (!s.is_valid) {
    std::ranges::fill(reactions->F_CJc_Jc, SpatialForce<T>::Zero());
    return;
  }
  const auto& motion =
      sampled_motion_entry_->template Eval<SampledMotion>(context);
  ToReactionForces(context, motion.positions(), motion.velocities, motion.A, s,
                   reactions);
}

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::DynamicsPart);
