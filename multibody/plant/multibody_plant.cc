#include "wyvern/multibody/plant/multibody_plant.h"

#include <cmath>
#include <span>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/generalized_coordinates.h"
#include "wyvern/multibody/dynamics/momentum_and_energy.h"
#include "wyvern/multibody/dynamics/newton_euler.h"
#include "wyvern/multibody/plant/plant_serialization.h"
#include "wyvern/multibody/plant/step/position_rates.h"
#include "wyvern/multibody/tree/argument_checks.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/value.h"

/* The plant as a System. Construction makes the facets, which refer to the core
and to PlantParts; Finalize() compiles the tree and then lets each part
declare its parameters, ports, cache entries and events, in the order that
FinalizeStructure() lists. An update takes the step from the cache: x = [q0 +
dt N v; v], and the step's outputs as the sample that ports show. Time
derivatives are q̇ = N(q) v and v̇ of the same cache entry. */

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
      PlantContact<T>(CoreOf(this), this->contact_config, this->deformables),
      PlantGeometry<T>(CoreOf(this), this->geometry_binding,
                       this->contact_config, this->deformables,
                       this->port_indices),
      PlantPorts<T>(CoreOf(this), this, this->dynamics_part,
                    this->geometry_binding, this->deformables,
                    this->port_indices) {
  this->DeclareInputs(Begin::kFirst, this);
  this->DeclareOutputs(Begin::kFirst, this);
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
  if (!other.deformable_model().is_empty()) {
    throw std::logic_error(
        "MultibodyPlant: a plant with deformable bodies was to be cloned or "
        "converted to another scalar; it is simulated with double alone.");
  }
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
  this->DeclareInputs(Begin::kFinalize, this);
  if (has_sampled_output_ports()) {
    // The sample's sizes follow from the tree; see DynamicsPart.
    sample_ = this->DeclareAbstractState(Value<internal::LastStepOutputs>(
        this->dynamics_part.MakeEmptySample()));
  }
  this->deformables.Finalize(this, [this](const VectorX<T>& x) {
    return this->DeclareDiscreteState(x);
  });
  this->dynamics_part.Finalize(this, sample_);
  this->FinalizeDynamics(this);
  this->DeclareOutputs(Begin::kFinalize, this);
  if (this->is_discrete()) DeclareUpdate();
  if (this->projects_every_step()) {
    this->DeclarePerStepUnrestrictedUpdateEvent(
        &MultibodyPlant<T>::ProjectState);
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
  if (this->deformables.num_bodies() > 0) {
    this->deformables.CopyNextStates(
        this->dynamics_part.EvalStep(context).deformables, discrete_state);
  }
  return EventStatus::Succeeded();
}

template <typename T>
EventStatus MultibodyPlant<T>::UpdateUnrestricted(
    const Context<T>& context, systems::State<T>* state) const {
  this->dynamics_part.Sample(
      context,
      &state->template get_mutable_abstract_state<internal::LastStepOutputs>(
          sample_));
  return UpdateDiscrete(context, &state->get_mutable_discrete_state());
}

template <typename T>
EventStatus MultibodyPlant<T>::ProjectState(const Context<T>& context,
                                            systems::State<T>* state) const {
  this->CalcProjectedState(context, this->MutableStateVectorOf(state));
  return EventStatus::Succeeded();
}

template <typename T>
const std::vector<SpatialAcceleration<T>>&
MultibodyPlant<T>::EvalBodyAccelerations(const Context<T>& context) const {
  this->tree().RequireFinalized("EvalBodySpatialAccelerationInWorld");
  return this->dynamics_part.EvalBodyAccelerations(context);
}

template <typename T>
void MultibodyPlant<T>::SetDefaultState(const Context<T>& context,
                                        systems::State<T>* state) const {
  internal::MultibodyTreeSystem<T>::SetDefaultState(context, state);
  this->deformables.SetDefaultState(&state->get_mutable_discrete_state());
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
  xdot.tail(this->num_v()) = this->dynamics_part.EvalStep(context).vdot;
}

template <typename T>
double MultibodyPlant<T>::CalcImplicitStep(const Context<T>& context, double h,
                                           const VectorX<T>* guess,
                                           VectorX<T>* x_next) const {
  wyvern::internal::RequireNotNull("MultibodyPlant::CalcImplicitStep", "x_next",
                                   x_next);
  if (!TakesImplicitSteps() || !(h > 0) || !std::isfinite(h)) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant::CalcImplicitStep(): '{}' {}, and the step is {} s; "
        "take a finalized plant of time step 0, and a positive step.",
        this->GetSystemPathname(),
        !is_finalized()       ? "is not finalized"
        : this->is_discrete() ? "is discrete"
                              : "is continuous",
        h));
  }
  x_next->resize(this->num_q() + this->num_v());
  return this->dynamics_part.CalcImplicitStep(context, h, guess, x_next);
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
  dynamics::NewtonEulerScratch<T> scratch(this->model());
  const VectorX<T> vdot_error = residual->tail(this->num_v());
  dynamics::CalcInverseDynamicsFromState<T>(
      this->model(), this->EvalModelParameters(context),
      this->PositionsOf(context), VectorX<T>::Zero(this->num_v()), vdot_error,
      dynamics::Gravity::kOff, &scratch, residual->tail(this->num_v()));
}

namespace {

// Has a vector of n entries written in place, if it is in one piece.
template <typename T, typename Calc>
void WriteInPlace(int n, systems::VectorBase<T>* result, Calc&& calc) {
  if (result->size() == n && n > 0) {
    const std::span<T> piece = result->MutableContiguousFrom(0);
    if (static_cast<int>(piece.size()) >= n) {
      Eigen::Map<VectorX<T>> place(piece.data(), n);
      calc(&place);
      return;
    }
  }
  VectorX<T> value(n);
  calc(&value);
  result->SetFromVector(value);
}

}  // namespace

template <typename T>
void MultibodyPlant<T>::DoMapVelocityToQDot(
    const Context<T>& context, const Eigen::Ref<const VectorX<T>>& v,
    systems::VectorBase<T>* qdot) const {
  const internal::LockedVelocities& locked =
      this->EvalLockedVelocities(context);
  WriteInPlace(this->num_q(), qdot, [&](auto* result) {
    if (!locked.some) {
      this->MapVelocityToQDot(context, v, result);
      return;
    }
    VectorX<T> v_moving = v;  // Integrators give those of the state itself.
    for (int i = 0; i < v.size(); ++i) {
      if (locked.is_locked[i]) v_moving[i] = T(0);
    }
    this->MapVelocityToQDot(context, v_moving, result);
  });
}

template <typename T>
void MultibodyPlant<T>::DoMapQDotToVelocity(
    const Context<T>& context, const Eigen::Ref<const VectorX<T>>& qdot,
    systems::VectorBase<T>* v) const {
  WriteInPlace(this->num_v(), v, [&](auto* result) {
    if (qdot.size() != this->num_q()) {
      this->MapQDotToVelocity(context, qdot, result);  // Throws.
      return;
    }
    // The numbers of a trial step may be infinite or NaN.
    dynamics::MapQDotToVelocity<T>(this->model(), this->PositionsOf(context),
                                   qdot, *result);
  });
}

namespace {

// Returns the result of a function.
template <typename T>
T RequireFiniteScalar(const char* function, const T& result) {
  internal::RequireFiniteResult(function, "the result", result);
  return result;
}

}  // namespace

template <typename T>
std::string MultibodyPlant<T>::DoDescribeDifficulties(
    const Context<T>& context, systems::Difficulty least) const {
  return this->dynamics_part.DescribeDifficulties(context, least);
}

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
  const auto v = this->VelocitiesOf(context);
  return RequireFiniteScalar(
      "MultibodyPlant::CalcKineticEnergy",
      dynamics::CalcKineticEnergy<T>(
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
