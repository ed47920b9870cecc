#include "wyvern/multibody/control/muscle_actuation.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

/* Forces of muscles, and their activations as state. A copy of the plant's
Context is set to the state that the block receives; from it come the lengths
and rates of the actuators. With the time constant tau of a step's start
held, activation decays exponentially towards the excitation, so that a
discrete step of any length ends between the two. */

namespace wyvern::multibody {

using systems::BasicVector;
using systems::Context;

template <typename T>
MuscleActuation<T>::MuscleActuation(const MultibodyPlant<T>& plant,
                                    ModelInstanceIndex instance,
                                    const PropertiesMap& muscles)
    : MuscleActuation(nullptr, &plant, instance, muscles) {}

template <typename T>
MuscleActuation<T>::MuscleActuation(std::unique_ptr<MultibodyPlant<T>> plant,
                                    ModelInstanceIndex instance,
                                    const PropertiesMap& muscles)
    : MuscleActuation(std::move(plant), nullptr, instance, muscles) {}

template <typename T>
template <typename U>
MuscleActuation<T>::MuscleActuation(const MuscleActuation<U>& other)
    : MuscleActuation(systems::System<U>::template ToScalarType<T>(
                          other.controlled_.plant()),
                      other.instance_, other.GetProperties()) {}

template <typename T>
MuscleActuation<T>::MuscleActuation(std::unique_ptr<MultibodyPlant<T>> owned,
                                    const MultibodyPlant<T>* plant,
                                    ModelInstanceIndex instance,
                                    const PropertiesMap& muscles)
    : systems::LeafSystem<T>(systems::SystemTypeTag<MuscleActuation>{}),
      controlled_("MuscleActuation", std::move(owned), plant, nullptr),
      instance_(instance) {
  const int n = controlled_.plant().num_actuators(instance);
  for (const auto& [index, properties] : muscles) TakeMuscle(index, properties);
  for (int slot = 0; slot < n; ++slot) {
    if (std::ranges::find(muscles_, slot, &Muscle::slot) == muscles_.end()) {
      others_.push_back(slot);
    }
  }
  DeclareStateAndPorts();
}

template <typename T>
MuscleActuation<T>::~MuscleActuation() = default;

template <typename T>
void MuscleActuation<T>::TakeMuscle(JointActuatorIndex index,
                                    const MuscleProperties& properties) {
  const MultibodyPlant<T>& plant = controlled_.plant();
  const auto indices = plant.GetJointActuatorIndices(instance_);
  const auto found = std::ranges::find(indices, index);
  if (found == indices.end()) {
    throw std::logic_error(fmt::format(
        "MuscleActuation: model instance '{}' has no actuator of index {}; "
        "give muscles of this model instance alone.",
        plant.GetModelInstanceName(instance_), static_cast<int>(index)));
  }
  const JointActuator<T>& actuator = plant.get_joint_actuator(index);
  const std::string fault = FindMuscleFault(properties);
  if (!fault.empty()) {
    throw std::logic_error(fmt::format("MuscleActuation: muscle '{}': {}",
                                       actuator.name(), fault));
  }
  Muscle& muscle = muscles_.emplace_back(
      index, static_cast<int>(found - indices.begin()), properties);
  if (properties.peak_force >= 0) return;
  muscle.properties.peak_force = CalcPeakForce(actuator, properties);
}

template <typename T>
void MuscleActuation<T>::DeclareStateAndPorts() {
  const MultibodyPlant<T>& plant = controlled_.plant();
  const int n = plant.num_actuators(instance_);
  this->DeclareVectorInputPort("state", plant.num_multibody_states());
  this->DeclareVectorInputPort("control", n);
  if (plant.time_step() > 0) {
    this->DeclareDiscreteState(num_muscles());
    this->DeclarePeriodicDiscreteUpdateEvent(plant.time_step(), 0.0,
                                             &MuscleActuation::Update);
  } else {
    this->DeclareContinuousState(num_muscles());
  }
  at_state_ = &this->DeclareCacheEntry(
      "plant at the state",
      systems::ValueProducer(this, &MuscleActuation::AllocateAtState,
                             &MuscleActuation::CalcAtState),
      {this->input_port_ticket(systems::InputPortIndex(0)),
       this->time_ticket()});
  const auto activations =
      plant.time_step() > 0 ? this->xd_ticket() : this->xc_ticket();
  std::set<systems::DependencyTicket> sources{at_state_->ticket(), activations};
  if (!others_.empty()) {
    sources.insert(this->input_port_ticket(systems::InputPortIndex(1)));
  }
  this->DeclareVectorOutputPort("actuation", n, &MuscleActuation::CalcActuation,
                                sources);
  this->DeclareVectorOutputPort("activation", num_muscles(),
                                &MuscleActuation::CopyActivation,
                                {activations});
}

// The acceleration of the actuator's length by a unit force is r·M⁻¹r, where r
// is the generalized force of the unit force. As in MJCF, the measure is |M⁻¹
// r| instead.
template <typename T>
double MuscleActuation<T>::CalcPeakForce(
    const JointActuator<T>& actuator,
    const MuscleProperties& properties) const {
  const MultibodyPlant<T>& plant = controlled_.plant();
  const Context<T>& context = controlled_.context();
  const int nv = plant.num_velocities();
  MatrixX<T> M(nv, nv);
  plant.CalcMassMatrix(context, &M);
  VectorX<T> r = VectorX<T>::Zero(nv);
  const internal::ForceState<T> state{context, plant.EvalPositions(context)};
  actuator.coordinate().AddGeneralizedForce(plant, state, T(properties.gear),
                                            r);
  const VectorX<T> response = M.ldlt().solve(r);
  using std::sqrt;
  const double acceleration =
      wyvern::internal::NumberIn(T(sqrt(response.squaredNorm())));
  const double force = properties.force_scale / acceleration;
  if (!std::isfinite(force)) {
    throw std::logic_error(fmt::format(
        "MuscleActuation: muscle '{}': its peak force does not follow from "
        "force_scale, because the muscle moves no mass at the default "
        "positions; give peak_force.",
        actuator.name()));
  }
  return force;
}

template <typename T>
typename MuscleActuation<T>::PropertiesMap MuscleActuation<T>::GetProperties()
    const {
  PropertiesMap result;
  for (const Muscle& muscle : muscles_) {
    result.emplace(muscle.actuator, muscle.properties);
  }
  return result;
}

template <typename T>
void MuscleActuation<T>::SetActivations(
    Context<T>* context,
    const Eigen::Ref<const VectorX<T>>& activations) const {
  constexpr char kWho[] = "MuscleActuation::SetActivations()";
  this->ValidateContext(context);
  wyvern::internal::RequireSize(kWho, "activations", activations.size(),
                                num_muscles());
  for (const T& a : activations) {
    if (a >= 0 && a <= 1) continue;
    throw std::logic_error(
        fmt::format("{}: an activation is {}; give numbers from 0 to 1.", kWho,
                    wyvern::internal::NumberIn(a)));
  }
  if (controlled_.plant().time_step() > 0) {
    context->SetDiscreteState(0, activations);
  } else {
    context->SetContinuousState(activations);
  }
}

template <typename T>
void MuscleActuation<T>::CalcAtState(const Context<T>& context,
                                     AtState* at) const {
  controlled_.Move(context.get_time(), get_state_input_port().Eval(context),
                   at);
}

template <typename T>
const VectorX<T>& MuscleActuation<T>::GetActivations(
    const Context<T>& context) const {
  return get_activation_output_port().Eval(context);
}

template <typename T>
void MuscleActuation<T>::CalcActuation(const Context<T>& context,
                                       BasicVector<T>* actuation) const {
  const MultibodyPlant<T>& plant = controlled_.plant();
  const auto& at = at_state_->template Eval<AtState>(context);
  const internal::ForceState<T> state{*at.context,
                                      plant.EvalPositions(*at.context),
                                      &plant.EvalVelocities(*at.context)};
  const VectorX<T>& activations = GetActivations(context);
  if (!others_.empty()) {
    const VectorX<T>& control = get_control_input_port().Eval(context);
    for (const int slot : others_) (*actuation)[slot] = control[slot];
  }
  for (int i = 0; i < num_muscles(); ++i) {
    const MuscleProperties& properties = muscles_[i].properties;
    const JointActuator<T>& actuator =
        plant.get_joint_actuator(muscles_[i].actuator);
    const auto& coordinate = actuator.coordinate();
    const double gear = properties.gear;
    const MuscleFactors<T> factors = CalcMuscleFactors<T>(
        properties, gear * coordinate.CalcValue(plant, state),
        gear * coordinate.CalcRate(plant, state));
    T force = -gear * properties.peak_force *
              (factors.active * activations[i] + factors.passive);
    const double limit = actuator.effort_limit();
    if (force > limit) force = T(limit);
    if (force < -limit) force = T(-limit);
    (*actuation)[muscles_[i].slot] = force;
  }
}

template <typename T>
void MuscleActuation<T>::CopyActivation(const Context<T>& context,
                                        BasicVector<T>* activation) const {
  if (controlled_.plant().time_step() > 0) {
    activation->SetFrom(context.get_discrete_state(0));
  } else {
    activation->SetFrom(context.get_continuous_state_vector());
  }
}

template <typename T>
void MuscleActuation<T>::Update(const Context<T>& context,
                                systems::DiscreteValues<T>* values) const {
  using std::exp;
  const VectorX<T>& control = get_control_input_port().Eval(context);
  const VectorX<T>& activations = GetActivations(context);
  BasicVector<T>& next = values->get_mutable_vector(0);
  const double h = controlled_.plant().time_step();
  for (int i = 0; i < num_muscles(); ++i) {
    const MuscleProperties& properties = muscles_[i].properties;
    const T& a = activations[i];
    const T u = CalcExcitation<T>(properties, control[muscles_[i].slot]);
    next[i] = u + (a - u) * exp(-h / CalcActivationTime<T>(properties, u, a));
  }
}

template <typename T>
void MuscleActuation<T>::DoCalcTimeDerivatives(
    const Context<T>& context, systems::ContinuousState<T>* derivatives) const {
  if (controlled_.plant().time_step() > 0) return;
  const VectorX<T>& control = get_control_input_port().Eval(context);
  const VectorX<T>& activations = GetActivations(context);
  for (int i = 0; i < num_muscles(); ++i) {
    const MuscleProperties& properties = muscles_[i].properties;
    const T& a = activations[i];
    const T u = CalcExcitation<T>(properties, control[muscles_[i].slot]);
    derivatives->get_mutable_vector()[i] =
        (u - a) / CalcActivationTime<T>(properties, u, a);
  }
}

#if WYVERN_AUTODIFF
template MuscleActuation<double>::MuscleActuation(
    const MuscleActuation<AutoDiffXd>&);
template MuscleActuation<AutoDiffXd>::MuscleActuation(
    const MuscleActuation<double>&);
#endif

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::MuscleActuation);
