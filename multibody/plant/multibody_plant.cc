#include "wyvern/multibody/plant/multibody_plant.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/algorithms/generalized_coordinates.h"
#include "wyvern/multibody/algorithms/momentum_and_energy.h"
#include "wyvern/multibody/algorithms/newton_euler.h"
#include "wyvern/multibody/plant/parts/position_rates.h"
#include "wyvern/multibody/plant/plant_serialization.h"
#include "wyvern/multibody/tree/argument_checks.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/value.h"

namespace wyvern::multibody {

using systems::BasicVector;
using systems::Context;
using systems::EventStatus;

template <typename T>
MultibodyPlant<T>::MultibodyPlant(double time_step, Empty)
    : Core("MultibodyPlant", systems::SystemTypeTag<MultibodyPlant>{},
           time_step),
      Parts(CoreOf(this)),
      PlantBuilding<T>(CoreOf(this), this->constraint_registry),
      PlantElements<T>(CoreOf(this)),
      PlantState<T>(CoreOf(this)),
      PlantNames<T>(CoreOf(this)),
      PlantFreeBodies<T>(CoreOf(this)),
      PlantKinematics<T>(CoreOf(this)),
      PlantJacobians<T>(CoreOf(this)),
      PlantDynamics<T>(CoreOf(this), this->dynamics_part),
      PlantDerivatives<T>(CoreOf(this)),
      PlantEnergy<T>(CoreOf(this), this->dynamics_part, this->port_indices),
      PlantMassProperties<T>(CoreOf(this)),
      PlantActuation<T>(CoreOf(this)),
      PlantConstraints<T>(CoreOf(this), this->constraint_registry),
      PlantContact<T>(CoreOf(this), this->contact_config),
      PlantGeometry<T>(CoreOf(this), this->geometry_binding,
                       this->contact_config, this->port_indices),
      PlantPorts<T>(CoreOf(this), this->port_indices) {
  // These are connected before Finalize().
  this->port_indices.geometry_query =
      this->DeclareAbstractInputPort("geometry_query",
                                     Value<geometry::QueryObject<T>>())
          .get_index();
  this->port_indices.geometry_pose =
      this->DeclareAbstractOutputPort("geometry_pose",
                                      geometry::FramePoseVector<T>(),
                                      &MultibodyPlant<T>::CalcGeometryPoses,
                                      {this->q_ticket(), this->xd_ticket(),
                                       this->all_parameters_ticket()})
          .get_index();
  this->port_indices.deformable_body_configuration =
      this->DeclareAbstractOutputPort(
              "deformable_body_configuration",
              geometry::GeometryConfigurationVector<T>(),
              &MultibodyPlant<T>::CalcDeformableConfiguration,
              {this->nothing_ticket()})
          .get_index();
}

template <typename T>
MultibodyPlant<T>::MultibodyPlant(double time_step)
    : MultibodyPlant(time_step, Empty{}) {
  this->mutable_tree().AddWorldAndGravity();
}

template <typename T>
template <typename U>
MultibodyPlant<T>::MultibodyPlant(const MultibodyPlant<U>& other)
    : MultibodyPlant(other.time_step(), Empty{}) {
  use_sampled_output_ports_ = other.use_sampled_output_ports_;
  this->mutable_tree().CloneFrom(other.tree());
  this->constraint_registry = other.constraint_registry;
  this->geometry_binding = other.geometry_binding;
  this->contact_config = other.contact_config;
  if (other.is_finalized()) FinalizeStructure();
}

template <typename T>
MultibodyPlant<T>::~MultibodyPlant() = default;

template <typename T>
void MultibodyPlant<T>::SetUseSampledOutputPorts(
    bool use_sampled_output_ports) {
  this->tree().RequireNotFinalized("SetUseSampledOutputPorts",
                                   "output port sampling was set");
  if (use_sampled_output_ports && !this->is_discrete()) {
    throw std::logic_error(
        "MultibodyPlant::SetUseSampledOutputPorts(): the plant is continuous, "
        "so that there are no steps to sample; give it a time step, or leave "
        "sampling off.");
  }
  use_sampled_output_ports_ = use_sampled_output_ports;
}

template <typename T>
void MultibodyPlant<T>::Finalize() {
  this->mutable_tree().Finalize();
  FinalizeStructure();
}

template <typename T>
void MultibodyPlant<T>::FinalizeStructure() {
  internal::RegisterPlantSerialization();
  this->FinalizeTree();
  this->FinalizeConstraints(this);
  this->FinalizeContact();
  this->FinalizeGeometry();
  DeclareInputPorts();
  if (has_sampled_output_ports()) {
    // The sample's sizes follow from the tree; see DynamicsPart.
    sample_ = this->DeclareAbstractState(Value<internal::StepSampleState>(
        internal::StepSampleState(this->dynamics_part.MakeEmptySample())));
  }
  this->dynamics_part.Finalize(this, sample_);
  this->FinalizeDynamics(this);
  DeclareKinematicOutputPorts();
  DeclareDynamicOutputPorts();
  if (this->is_discrete()) DeclareUpdate();
  if (this->projects_every_step()) {
    this->DeclarePerStepUnrestrictedUpdateEvent(
        &MultibodyPlant<T>::ProjectState);
  }
}

template <typename T>
void MultibodyPlant<T>::DeclareInputPorts() {
  internal::PortIndices& ports = this->port_indices;
  ports.actuation =
      this->DeclareVectorInputPort("actuation", this->num_actuated_dofs())
          .get_index();
  ports.applied_generalized_force =
      this->DeclareVectorInputPort("applied_generalized_force",
                                   this->num_velocities())
          .get_index();
  ports.applied_spatial_force =
      this->DeclareAbstractInputPort(
              "applied_spatial_force",
              Value<std::vector<ExternallyAppliedSpatialForce<T>>>())
          .get_index();
  for (ModelInstanceIndex i(0); i < this->num_model_instances(); ++i) {
    const std::string& name = this->GetModelInstanceName(i);
    const int nu = this->num_actuated_dofs(i);
    ports.instance_actuation.push_back(
        this->DeclareVectorInputPort(name + "_actuation", nu).get_index());
    ports.instance_desired_state.push_back(
        this->DeclareVectorInputPort(name + "_desired_state", 2 * nu)
            .get_index());
  }
}

template <typename T>
void MultibodyPlant<T>::DeclareKinematicOutputPorts() {
  internal::PortIndices& ports = this->port_indices;
  const std::set<systems::DependencyTicket> state{this->position_ticket(),
                                                  this->velocity_ticket()};
  ports.state =
      this->DeclareVectorOutputPort("state", this->num_multibody_states(),
                                    &MultibodyPlant<T>::CalcState, state)
          .get_index();
  for (ModelInstanceIndex i(0); i < this->num_model_instances(); ++i) {
    ports.instance_state.push_back(
        this->DeclareVectorOutputPort(
                this->GetModelInstanceName(i) + "_state",
                this->num_multibody_states(i),
                [this, i](const Context<T>& context, BasicVector<T>* x) {
                  auto value = x->get_mutable_value();
                  this->GetPositionsAndVelocities(context, i, &value);
                },
                state)
            .get_index());
  }
  ports.body_poses =
      this->DeclareAbstractOutputPort(
              "body_poses",
              std::vector<math::RigidTransform<T>>(this->num_bodies()),
              &MultibodyPlant<T>::CalcBodyPosesOutput,
              {this->body_poses_entry_ticket()})
          .get_index();
  ports.body_spatial_velocities =
      this->DeclareAbstractOutputPort(
              "body_spatial_velocities",
              std::vector<SpatialVelocity<T>>(this->num_bodies(),
                                              SpatialVelocity<T>::Zero()),
              &MultibodyPlant<T>::CalcBodyVelocitiesOutput,
              {this->body_velocities_entry_ticket()})
          .get_index();
}

template <typename T>
void MultibodyPlant<T>::CalcGeometryPoses(
    const Context<T>& context, geometry::FramePoseVector<T>* poses) const {
  const auto& X_WB = this->EvalBodyPoses(context);
  poses->clear();
  for (const auto& [body, frame] : this->geometry_binding.frame_of_body) {
    if (body != world_index()) poses->set_value(frame, X_WB[body]);
  }
}

// No body deforms.
template <typename T>
void MultibodyPlant<T>::CalcDeformableConfiguration(
    const Context<T>&,
    geometry::GeometryConfigurationVector<T>* configuration) const {
  configuration->clear();
}

template <typename T>
void MultibodyPlant<T>::DeclareDynamicOutputPorts() {
  internal::PortIndices& ports = this->port_indices;
  using Tickets = std::set<systems::DependencyTicket>;
  const Tickets sampled = has_sampled_output_ports()
                              ? Tickets{this->abstract_state_ticket(sample_),
                                        this->all_parameters_ticket()}
                              : Tickets{};
  const auto tickets = [&sampled](systems::DependencyTicket live) {
    return sampled.empty() ? Tickets{live} : sampled;
  };
  const Tickets dynamics = tickets(this->dynamics_part.dynamics_ticket());
  ports.body_spatial_accelerations =
      this->DeclareAbstractOutputPort(
              "body_spatial_accelerations",
              std::vector<SpatialAcceleration<T>>(
                  this->num_bodies(), SpatialAcceleration<T>::Zero()),
              &MultibodyPlant<T>::CalcBodyAccelerationsOutput,
              tickets(this->dynamics_part.accelerations_ticket()))
          .get_index();
  ports.reaction_forces =
      this->DeclareAbstractOutputPort(
              "reaction_forces",
              std::vector<SpatialForce<T>>(this->num_joints(),
                                           SpatialForce<T>::Zero()),
              &MultibodyPlant<T>::CalcReactionForcesOutput,
              tickets(this->dynamics_part.reactions_ticket()))
          .get_index();
  ports.generalized_acceleration =
      this->DeclareVectorOutputPort(
              "generalized_acceleration", this->num_velocities(),
              [this](const Context<T>& context, BasicVector<T>* vdot) {
                vdot->get_mutable_value() = AccelerationOutput(context);
              },
              dynamics)
          .get_index();
  ports.net_actuation =
      this->DeclareVectorOutputPort(
              "net_actuation", this->num_actuated_dofs(),
              [this](const Context<T>& context, BasicVector<T>* u) {
                u->get_mutable_value() = NetActuationOutput(context);
              },
              dynamics)
          .get_index();
  ports.constraint_multipliers =
      this->DeclareVectorOutputPort(
              "constraint_multipliers", this->num_constraint_multipliers(),
              [this](const Context<T>& context, BasicVector<T>* lambda) {
                lambda->get_mutable_value() = MultipliersOutput(context);
              },
              dynamics)
          .get_index();
  ports.contact_results =
      this->DeclareAbstractOutputPort("contact_results", ContactResults<T>(),
                                      &MultibodyPlant<T>::CalcContactResults,
                                      dynamics)
          .get_index();
  DeclareInstanceDynamicOutputPorts(dynamics);
}

template <typename T>
void MultibodyPlant<T>::DeclareInstanceDynamicOutputPorts(
    const std::set<systems::DependencyTicket>& dynamics) {
  internal::PortIndices& ports = this->port_indices;
  for (ModelInstanceIndex i(0); i < this->num_model_instances(); ++i) {
    const std::string& name = this->GetModelInstanceName(i);
    const internal::InstanceIndices& indices =
        this->tree().instance(i, "Finalize");
    ports.instance_generalized_acceleration.push_back(
        this->DeclareVectorOutputPort(
                name + "_generalized_acceleration",
                static_cast<int>(indices.v.size()),
                [this, &indices](const Context<T>& context,
                                 BasicVector<T>* vdot) {
                  const VectorX<T>& all = AccelerationOutput(context);
                  for (int k = 0; k < vdot->size(); ++k) {
                    (*vdot)[k] = all[indices.v[k]];
                  }
                },
                dynamics)
            .get_index());
    ports.instance_generalized_contact_forces.push_back(
        this->DeclareVectorOutputPort(
                name + "_generalized_contact_forces",
                static_cast<int>(indices.v.size()),
                [this, &indices](const Context<T>& context,
                                 BasicVector<T>* tau) {
                  const VectorX<T>& all = ContactForcesOutput(context);
                  for (int k = 0; k < tau->size(); ++k) {
                    (*tau)[k] = all[indices.v[k]];
                  }
                },
                dynamics)
            .get_index());
    ports.instance_net_actuation.push_back(
        this->DeclareVectorOutputPort(
                name + "_net_actuation", static_cast<int>(indices.u.size()),
                [this, &indices](const Context<T>& context, BasicVector<T>* u) {
                  const VectorX<T>& all = NetActuationOutput(context);
                  for (int k = 0; k < u->size(); ++k) {
                    (*u)[k] = all[indices.u[k]];
                  }
                },
                dynamics)
            .get_index());
  }
}

template <typename T>
void MultibodyPlant<T>::DeclareUpdate() {
  using This = MultibodyPlant<T>;
  if (has_sampled_output_ports()) {
    this->DeclarePeriodicUnrestrictedUpdateEvent(this->time_step(), 0,
                                                 &This::UpdateUnrestricted);
    this->DeclareForcedUnrestrictedUpdateEvent(&This::UpdateUnrestricted);
  } else {
    this->DeclarePeriodicDiscreteUpdateEvent(this->time_step(), 0,
                                             &This::UpdateDiscrete);
    this->DeclareForcedDiscreteUpdateEvent(&This::UpdateDiscrete);
  }
}

template <typename T>
EventStatus MultibodyPlant<T>::UpdateDiscrete(
    const Context<T>& context,
    systems::DiscreteValues<T>* discrete_state) const {
  auto x = discrete_state->get_mutable_vector(this->state_group())
               .get_mutable_value();
  this->dynamics_part.CalcNextState(context, x);
  return EventStatus::Succeeded();
}

template <typename T>
EventStatus MultibodyPlant<T>::UpdateUnrestricted(
    const Context<T>& context, systems::State<T>* state) const {
  this->dynamics_part.CalcSample(
      context,
      &state
           ->template get_mutable_abstract_state<internal::StepSampleState>(
               sample_)
           .template Mutable<T>());
  return UpdateDiscrete(context, &state->get_mutable_discrete_state());
}

template <typename T>
EventStatus MultibodyPlant<T>::ProjectState(const Context<T>& context,
                                            systems::State<T>* state) const {
  this->CalcProjectedState(context, this->MutableStateVectorOf(state));
  return EventStatus::Succeeded();
}

template <typename T>
void MultibodyPlant<T>::CalcState(const Context<T>& context,
                                  BasicVector<T>* x) const {
  x->get_mutable_value() = this->StateVector(context);
}

template <typename T>
void MultibodyPlant<T>::CalcBodyPosesOutput(
    const Context<T>& context,
    std::vector<math::RigidTransform<T>>* X_WB) const {
  *X_WB = this->EvalBodyPoses(context);
}

template <typename T>
void MultibodyPlant<T>::CalcBodyVelocitiesOutput(
    const Context<T>& context, std::vector<SpatialVelocity<T>>* V_WB) const {
  *V_WB = this->EvalBodyVelocities(context);
}

template <typename T>
void MultibodyPlant<T>::CalcBodyAccelerationsOutput(
    const Context<T>& context,
    std::vector<SpatialAcceleration<T>>* A_WB) const {
  *A_WB = has_sampled_output_ports()
              ? this->dynamics_part.EvalSampledBodyAccelerations(context)
              : this->dynamics_part.EvalBodyAccelerations(context);
}

template <typename T>
void MultibodyPlant<T>::CalcReactionForcesOutput(
    const Context<T>& context, std::vector<SpatialForce<T>>* F_CJc_Jc) const {
  *F_CJc_Jc = has_sampled_output_ports()
                  ? this->dynamics_part.EvalSampledReactionForces(context)
                  : this->dynamics_part.EvalReactionForces(context);
}

template <typename T>
void MultibodyPlant<T>::CalcContactResults(const Context<T>& context,
                                           ContactResults<T>* results) const {
  results->set_plant(this);
  if (has_sampled_output_ports()) {
    results->mutable_point_pairs() =
        this->dynamics_part.EvalSample(context).contacts;
  } else {
    this->dynamics_part.CalcContacts(context, &results->mutable_point_pairs());
  }
}

template <typename T>
const VectorX<T>& MultibodyPlant<T>::ContactForcesOutput(
    const Context<T>& context) const {
  return has_sampled_output_ports()
             ? this->dynamics_part.EvalSample(context).tau_contact
             : this->dynamics_part.EvalDynamics(context).tau_contact;
}

template <typename T>
const VectorX<T>& MultibodyPlant<T>::MultipliersOutput(
    const Context<T>& context) const {
  return has_sampled_output_ports()
             ? this->dynamics_part.EvalSample(context).multipliers
             : this->dynamics_part.EvalDynamics(context).multipliers;
}

template <typename T>
const VectorX<T>& MultibodyPlant<T>::AccelerationOutput(
    const Context<T>& context) const {
  return has_sampled_output_ports()
             ? this->dynamics_part.EvalSample(context).vdot
             : this->dynamics_part.EvalDynamics(context).vdot;
}

template <typename T>
const VectorX<T>& MultibodyPlant<T>::NetActuationOutput(
    const Context<T>& context) const {
  return has_sampled_output_ports()
             ? this->dynamics_part.EvalSample(context).net_actuation
             : this->dynamics_part.EvalDynamics(context).net_actuation;
}

template <typename T>
const std::vector<SpatialAcceleration<T>>&
MultibodyPlant<T>::EvalBodyAccelerations(const Context<T>& context) const {
  this->tree().RequireFinalized("EvalBodySpatialAccelerationInWorld");
  return this->dynamics_part.EvalBodyAccelerations(context);
}

template <typename T>
void MultibodyPlant<T>::SetRandomState(const Context<T>& context,
                                       systems::State<T>* state,
                                       RandomGenerator* generator) const {
  this->SetDefaultState(context, state);
  auto x = this->MutableStateVectorOf(state);
  VectorX<double> q;
  for (const Joint<T>* joint : this->tree().joints().elements()) {
    q = joint->default_positions();
    joint->DrawRandomPositions(generator, &q);
    x.segment(joint->position_start(), q.size()) = q.template cast<T>();
  }
}

template <typename T>
void MultibodyPlant<T>::DoCalcTimeDerivatives(
    const Context<T>& context, systems::ContinuousState<T>* derivatives) const {
  if (this->is_discrete()) return;
  auto xdot = static_cast<BasicVector<T>&>(derivatives->get_mutable_vector())
                  .get_mutable_value();
  internal::CalcPositionRates<T>(*this, context, this->PositionsOf(context),
                                 this->VelocitiesOf(context),
                                 xdot.head(this->num_q()));
  xdot.tail(this->num_v()) = this->dynamics_part.EvalDynamics(context).vdot;
}

// M v̇' + C v - f = M (v̇' - v̇) for the v̇ that follows from all forces f, those
// of constraints, contacts and locks among them.
template <typename T>
void MultibodyPlant<T>::DoCalcImplicitTimeDerivativesResidual(
    const Context<T>& context,
    const systems::ContinuousState<T>& proposed_derivatives,
    EigenPtr<VectorX<T>> residual) const {
  Core::DoCalcImplicitTimeDerivativesResidual(context, proposed_derivatives,
                                              residual);
  if (residual->size() == 0) return;
  engine::NewtonEulerScratch<T> scratch(this->model());
  const VectorX<T> vdot_error = residual->tail(this->num_v());
  engine::CalcInverseDynamics<T>(
      this->model(), this->EvalModelParameters(context),
      this->PositionsOf(context), VectorX<T>::Zero(this->num_v()), vdot_error,
      engine::Gravity::kOff, &scratch, residual->tail(this->num_v()));
}

template <typename T>
void MultibodyPlant<T>::DoMapVelocityToQDot(
    const Context<T>& context, const Eigen::Ref<const VectorX<T>>& v,
    systems::VectorBase<T>* qdot) const {
  VectorX<T> value(this->num_q());
  const internal::LockedVelocities& locked =
      this->EvalLockedVelocities(context);
  if (locked.some) {  // Integrators give the velocities of the state itself.
    VectorX<T> v_moving = v;
    for (int i = 0; i < v.size(); ++i) {
      if (locked.is_locked[i]) v_moving[i] = T(0);
    }
    this->MapVelocityToQDot(context, v_moving, &value);
  } else {
    this->MapVelocityToQDot(context, v, &value);
  }
  qdot->SetFromVector(value);
}

template <typename T>
void MultibodyPlant<T>::DoMapQDotToVelocity(
    const Context<T>& context, const Eigen::Ref<const VectorX<T>>& qdot,
    systems::VectorBase<T>* v) const {
  // What integrators ask for, without a copy.
  auto* basic = dynamic_cast<BasicVector<T>*>(v);
  if (basic != nullptr && v->size() == this->num_v() &&
      qdot.size() == this->num_q()) {
    engine::MapQDotToVelocity<T>(this->model(), this->PositionsOf(context),
                                 qdot, basic->get_mutable_value());
    return;
  }
  VectorX<T> value(this->num_v());
  this->MapQDotToVelocity(context, qdot, &value);
  v->SetFromVector(value);
}

namespace {

// Returns the result of a function.
template <typename T>
T RequireFiniteScalar(const char* function, const T& result) {
  internal::RequireFiniteResult(function, "the result", Vector1<T>(result));
  return result;
}

}  // namespace

template <typename T>
T MultibodyPlant<T>::DoCalcPotentialEnergy(const Context<T>& context) const {
  T energy(0);
  for (const auto& element : this->tree().force_elements()) {
    energy +=
        element->CalcPotentialEnergy(context, this->EvalPositions(context));
  }
  return RequireFiniteScalar("MultibodyPlant::CalcPotentialEnergy", energy);
}

template <typename T>
T MultibodyPlant<T>::DoCalcKineticEnergy(const Context<T>& context) const {
  const VectorX<T> v = this->VelocitiesOf(context);
  return RequireFiniteScalar(
      "MultibodyPlant::CalcKineticEnergy",
      engine::CalcKineticEnergy<T>(
          this->model(), this->EvalModelParameters(context),
          this->EvalInertias(context), this->EvalVelocities(context).nodes, v));
}

template <typename T>
T MultibodyPlant<T>::DoCalcConservativePower(const Context<T>& context) const {
  T power(0);
  for (const auto& element : this->tree().force_elements()) {
    power += element->CalcConservativePower(
        context, this->EvalPositions(context), this->EvalVelocities(context));
  }
  return RequireFiniteScalar("MultibodyPlant::CalcConservativePower", power);
}

template <typename T>
T MultibodyPlant<T>::DoCalcNonConservativePower(
    const Context<T>& context) const {
  T power(0);
  for (const auto& element : this->tree().force_elements()) {
    power += element->CalcNonConservativePower(
        context, this->EvalPositions(context), this->EvalVelocities(context));
  }
  return RequireFiniteScalar("MultibodyPlant::CalcNonConservativePower", power);
}

#if WYVERN_AUTODIFF
template MultibodyPlant<AutoDiffXd>::MultibodyPlant(
    const MultibodyPlant<double>&);
template MultibodyPlant<double>::MultibodyPlant(
    const MultibodyPlant<AutoDiffXd>&);
#endif

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::MultibodyPlant);
