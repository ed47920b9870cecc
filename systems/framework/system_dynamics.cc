#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/system.h"

/* Time derivatives, energies, powers and the periodic discrete update are cache
entries of every System, under tickets that others can depend on. They are
declared in the constructor, when the subclass is not there yet, and so their
functions are virtual and called at the first evaluation. Energies and
conservative power must not depend on input ports; the rest may. A System
that does not override has no energy and has v for q̇, with an error where
the sizes show that an override is missing.

Time derivatives, energy and power. */

namespace wyvern::systems {

template <typename T>
void System<T>::DeclareKnownCacheEntries() {
  const auto energy = [this](int ticket, const char* name,
                             T (System<T>::*calc)(const Context<T>&) const,
                             DependencyTicket prerequisite) {
    return &this->DeclareCacheEntryWithKnownTicket(
        DependencyTicket(ticket), name,
        ValueProducer(static_cast<const System<T>*>(this), T(0.0), calc),
        {prerequisite});
  };
  const DependencyTicket no_input =
      SystemBase::all_sources_except_input_ports_ticket();
  const DependencyTicket all = SystemBase::all_sources_ticket();
  potential_energy_entry_ = energy(internal::kPeTicket, "potential energy",
                                   &System<T>::CalcPotentialEnergy, no_input);
  kinetic_energy_entry_ = energy(internal::kKeTicket, "kinetic energy",
                                 &System<T>::CalcKineticEnergy, no_input);
  conservative_power_entry_ =
      energy(internal::kPcTicket, "conservative power",
             &System<T>::CalcConservativePower, no_input);
  nonconservative_power_entry_ =
      energy(internal::kPncTicket, "non-conservative power",
             &System<T>::CalcNonConservativePower, all);
  time_derivatives_entry_ = &this->DeclareCacheEntryWithKnownTicket(
      DependencyTicket(internal::kXcdotTicket), "time derivatives",
      ValueProducer(
          [this]() -> std::unique_ptr<AbstractValue> {
            return std::make_unique<Value<ContinuousState<T>>>(
                AllocateTimeDerivatives());
          },
          [this](const ContextBase& context, AbstractValue* value) {
            CalcTimeDerivatives(
                static_cast<const Context<T>&>(context),
                &value->get_mutable_value<ContinuousState<T>>());
          }),
      {all});
  unique_update_entry_ = &this->DeclareCacheEntryWithKnownTicket(
      DependencyTicket(internal::kXdUniquePeriodicUpdateTicket),
      "unique periodic discrete update",
      ValueProducer(
          [this]() -> std::unique_ptr<AbstractValue> {
            return std::make_unique<Value<DiscreteValues<T>>>(
                AllocateDiscreteVariables());
          },
          [this](const ContextBase& context, AbstractValue* value) {
            CalcUniquePeriodicDiscreteUpdate(
                static_cast<const Context<T>&>(context),
                &value->get_mutable_value<DiscreteValues<T>>());
          }),
      {all});
}

template <typename T>
void System<T>::CalcTimeDerivatives(const Context<T>& context,
                                    ContinuousState<T>* derivatives) const {
  this->ValidateContext(context);
  RequireOutput("CalcTimeDerivatives", derivatives);
  this->ValidateCreatedForThisSystem(*derivatives);
  DoCalcTimeDerivatives(context, derivatives);
}

template <typename T>
void System<T>::DoCalcTimeDerivatives(const Context<T>& context,
                                      ContinuousState<T>* derivatives) const {
  if (derivatives->size() == 0) return;
  throw std::logic_error(fmt::format(
      "System::DoCalcTimeDerivatives(): System {} ({}) has {} continuous "
      "states and does not say how they change; override "
      "DoCalcTimeDerivatives().",
      context.GetSystemPathname(), this->GetSystemType(), derivatives->size()));
}

template <typename T>
void System<T>::CalcImplicitTimeDerivativesResidual(
    const Context<T>& context, const ContinuousState<T>& proposed_derivatives,
    EigenPtr<VectorX<T>> residual) const {
  this->ValidateContext(context);
  this->ValidateCreatedForThisSystem(proposed_derivatives);
  const int size = this->implicit_time_derivatives_residual_size();
  if (residual == nullptr || residual->size() != size) {
    throw std::logic_error(fmt::format(
        "System::CalcImplicitTimeDerivativesResidual(): System {} ({}) was "
        "given {} for the residual; it needs a vector of {} elements.",
        this->GetSystemPathname(), this->GetSystemType(),
        residual == nullptr ? std::string("null")
                            : fmt::format("{} elements", residual->size()),
        size));
  }
  DoCalcImplicitTimeDerivativesResidual(context, proposed_derivatives,
                                        residual);
}

template <typename T>
void System<T>::DoCalcImplicitTimeDerivativesResidual(
    const Context<T>& context, const ContinuousState<T>& proposed_derivatives,
    EigenPtr<VectorX<T>> residual) const {
  if (residual->size() != proposed_derivatives.size()) {
    throw std::logic_error(fmt::format(
        "System::DoCalcImplicitTimeDerivativesResidual(): System {} ({}) "
        "declares a residual of {} elements for {} continuous states; override "
        "DoCalcImplicitTimeDerivativesResidual() to compute it.",
        this->GetSystemPathname(), this->GetSystemType(), residual->size(),
        proposed_derivatives.size()));
  }
  proposed_derivatives.get_vector().CopyToPreSizedVector(residual);
  *residual -= EvalTimeDerivatives(context).CopyToVector();
}

// q and v.

template <typename T>
void System<T>::MapVelocityToQDot(const Context<T>& context,
                                  const VectorBase<T>& generalized_velocity,
                                  VectorBase<T>* qdot) const {
  MapVelocityToQDot(context, generalized_velocity.CopyToVector(), qdot);
}

template <typename T>
void System<T>::MapVelocityToQDot(
    const Context<T>& context,
    const Eigen::Ref<const VectorX<T>>& generalized_velocity,
    VectorBase<T>* qdot) const {
  this->ValidateContext(context);
  RequireOutput("MapVelocityToQDot", qdot);
  DoMapVelocityToQDot(context, generalized_velocity, qdot);
}

template <typename T>
void System<T>::MapQDotToVelocity(const Context<T>& context,
                                  const VectorBase<T>& qdot,
                                  VectorBase<T>* generalized_velocity) const {
  MapQDotToVelocity(context, qdot.CopyToVector(), generalized_velocity);
}

template <typename T>
void System<T>::MapQDotToVelocity(const Context<T>& context,
                                  const Eigen::Ref<const VectorX<T>>& qdot,
                                  VectorBase<T>* generalized_velocity) const {
  this->ValidateContext(context);
  RequireOutput("MapQDotToVelocity", generalized_velocity);
  DoMapQDotToVelocity(context, qdot, generalized_velocity);
}

namespace {
template <typename T>
void CopySameSize(const SystemBase& system, const char* function,
                  const Eigen::Ref<const VectorX<T>>& from, VectorBase<T>* to) {
  if (from.size() != to->size()) {
    throw std::logic_error(fmt::format(
        "System::{}(): System {} ({}) was given {} elements to map to {}; "
        "where the numbers of positions and velocities differ it must override "
        "Do{}().",
        function, system.GetSystemPathname(), system.GetSystemType(),
        from.size(), to->size(), function));
  }
  to->SetFromVector(from);
}
}  // namespace

template <typename T>
void System<T>::DoMapVelocityToQDot(
    const Context<T>&, const Eigen::Ref<const VectorX<T>>& generalized_velocity,
    VectorBase<T>* qdot) const {
  CopySameSize<T>(*this, "MapVelocityToQDot", generalized_velocity, qdot);
}

template <typename T>
void System<T>::DoMapQDotToVelocity(const Context<T>&,
                                    const Eigen::Ref<const VectorX<T>>& qdot,
                                    VectorBase<T>* generalized_velocity) const {
  CopySameSize<T>(*this, "MapQDotToVelocity", qdot, generalized_velocity);
}

template <typename T>
VectorX<T> System<T>::CopyContinuousStateVector(
    const Context<T>& context) const {
  this->ValidateContext(context);
  return context.get_continuous_state().CopyToVector();
}

// Energy and power.

template <typename T>
const T& System<T>::EvalPotentialEnergy(const Context<T>& context) const {
  return potential_energy_entry_->template Eval<T>(context);
}
template <typename T>
const T& System<T>::EvalKineticEnergy(const Context<T>& context) const {
  return kinetic_energy_entry_->template Eval<T>(context);
}
template <typename T>
const T& System<T>::EvalConservativePower(const Context<T>& context) const {
  return conservative_power_entry_->template Eval<T>(context);
}
template <typename T>
const T& System<T>::EvalNonConservativePower(const Context<T>& context) const {
  return nonconservative_power_entry_->template Eval<T>(context);
}
template <typename T>
T System<T>::CalcPotentialEnergy(const Context<T>& context) const {
  this->ValidateContext(context);
  return DoCalcPotentialEnergy(context);
}
template <typename T>
T System<T>::CalcKineticEnergy(const Context<T>& context) const {
  this->ValidateContext(context);
  return DoCalcKineticEnergy(context);
}
template <typename T>
T System<T>::CalcConservativePower(const Context<T>& context) const {
  this->ValidateContext(context);
  return DoCalcConservativePower(context);
}
template <typename T>
T System<T>::CalcNonConservativePower(const Context<T>& context) const {
  this->ValidateContext(context);
  return DoCalcNonConservativePower(context);
}
template <typename T>
T System<T>::DoCalcPotentialEnergy(const Context<T>&) const {
  return T(0.0);
}
template <typename T>
T System<T>::DoCalcKineticEnergy(const Context<T>&) const {
  return T(0.0);
}
template <typename T>
T System<T>::DoCalcConservativePower(const Context<T>&) const {
  return T(0.0);
}
template <typename T>
T System<T>::DoCalcNonConservativePower(const Context<T>&) const {
  return T(0.0);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::System);
