#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/exact_cast.h"
#include "wyvern/systems/framework/diagram.h"
#include "wyvern/systems/framework/subvector.h"

// Derivatives, energy, q and v: each subsystem does its part.

namespace wyvern::systems {

template <typename T>
void Diagram<T>::DoCalcTimeDerivatives(const Context<T>& context,
                                       ContinuousState<T>* derivatives) const {
  auto& parts = static_cast<DiagramContinuousState<T>&>(*derivatives);
  for (const int i : parts.nonempty_substates()) {
    parts.substate(i).SetFrom(
        subsystem(i).EvalTimeDerivatives(SubContext(context, i)));
  }
}

template <typename T>
void Diagram<T>::DoCalcImplicitTimeDerivativesResidual(
    const Context<T>& context, const ContinuousState<T>& proposed_derivatives,
    EigenPtr<VectorX<T>> residual) const {
  const auto& parts =
      ExactCast<DiagramContinuousState<T>>(proposed_derivatives);
  int next = 0;
  for (int i = 0; i < num_subsystems(); ++i) {
    const int size = subsystem(i).implicit_time_derivatives_residual_size();
    if (size == 0) continue;
    auto segment = residual->segment(next, size);
    subsystem(i).CalcImplicitTimeDerivativesResidual(
        SubContext(context, i), parts.get_substate(i), &segment);
    next += size;
  }
}

template <typename T>
T Diagram<T>::DoCalcPotentialEnergy(const Context<T>& context) const {
  T sum(0.0);
  for (int i = 0; i < num_subsystems(); ++i) {
    sum += subsystem(i).EvalPotentialEnergy(SubContext(context, i));
  }
  return sum;
}

template <typename T>
T Diagram<T>::DoCalcKineticEnergy(const Context<T>& context) const {
  T sum(0.0);
  for (int i = 0; i < num_subsystems(); ++i) {
    sum += subsystem(i).EvalKineticEnergy(SubContext(context, i));
  }
  return sum;
}

template <typename T>
T Diagram<T>::DoCalcConservativePower(const Context<T>& context) const {
  T sum(0.0);
  for (int i = 0; i < num_subsystems(); ++i) {
    sum += subsystem(i).EvalConservativePower(SubContext(context, i));
  }
  return sum;
}

template <typename T>
T Diagram<T>::DoCalcNonConservativePower(const Context<T>& context) const {
  T sum(0.0);
  for (int i = 0; i < num_subsystems(); ++i) {
    sum += subsystem(i).EvalNonConservativePower(SubContext(context, i));
  }
  return sum;
}

template <typename T>
void Diagram<T>::DoMapVelocityToQDot(
    const Context<T>& context,
    const Eigen::Ref<const VectorX<T>>& generalized_velocity,
    VectorBase<T>* qdot) const {
  int next_q = 0;
  int next_v = 0;
  for (int i = 0; i < num_subsystems(); ++i) {
    const auto& sizes = this->get_context_sizes(subsystem(i));
    if (sizes.num_q == 0) continue;
    Subvector<T> part(qdot, next_q, sizes.num_q);
    subsystem(i).MapVelocityToQDot(
        SubContext(context, i),
        generalized_velocity.segment(next_v, sizes.num_v), &part);
    next_q += sizes.num_q;
    next_v += sizes.num_v;
  }
}

template <typename T>
void Diagram<T>::DoMapQDotToVelocity(
    const Context<T>& context, const Eigen::Ref<const VectorX<T>>& qdot,
    VectorBase<T>* generalized_velocity) const {
  int next_q = 0;
  int next_v = 0;
  for (int i = 0; i < num_subsystems(); ++i) {
    const auto& sizes = this->get_context_sizes(subsystem(i));
    if (sizes.num_q == 0) continue;
    Subvector<T> part(generalized_velocity, next_v, sizes.num_v);
    subsystem(i).MapQDotToVelocity(SubContext(context, i),
                                   qdot.segment(next_q, sizes.num_q), &part);
    next_q += sizes.num_q;
    next_v += sizes.num_v;
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Diagram);
