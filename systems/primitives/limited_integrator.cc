#include "wyvern/systems/primitives/limited_integrator.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

/* Each element has a mode: between the limits (0), at the upper (1) or at the
lower one (-1). Between the limits two guards wait for x - upper and lower -
x to reach zero; at a limit one waits for u to point inwards. A step that
ends just beyond a limit is followed by the event that sets x to the limit
exactly. The state may touch a limit and turn: then u decides whether it has
arrived. */

namespace wyvern::systems {

namespace {

constexpr double kResetLevel = 0.5;
constexpr int kGuardsAnElement = 3;
enum GuardKind { kArriveUp, kArriveDown, kLeave };

}  // namespace

template <typename T>
LimitedIntegrator<T>::LimitedIntegrator(const LimitedIntegratorOptions& options,
                                        int size)
    : internal::ModalBlock<T>(SystemTypeTag<systems::LimitedIntegrator>{}),
      options_(options) {
  const char* const who = "LimitedIntegrator";
  wyvern::internal::RequireAtLeast(who, "size", size, 1);
  if (!(options.lower < options.upper)) {
    throw std::logic_error(fmt::format(
        "LimitedIntegrator(): lower = {} is not below upper = {}; give limits "
        "that are apart.",
        options.lower, options.upper));
  }
  wyvern::internal::RequireInRange(who, "initial_value", options.initial_value,
                                   options.lower, options.upper);
  wyvern::internal::RequireFinite(who, "initial_value", options.initial_value);
  this->DeclareVectorInputPort("u", size);
  if (options.has_reset_port) this->DeclareVectorInputPort("reset", 1);
  if (options.has_initial_value_port) {
    this->DeclareVectorInputPort("initial_value", size);
    this->DeclareInitializationUnrestrictedUpdateEvent(
        &LimitedIntegrator<T>::Start);
  }
  const ContinuousStateIndex state = this->DeclareContinuousState(
      BasicVector<T>(VectorX<T>::Constant(size, T(options.initial_value))));
  this->DeclareDiscreteState(size + (options.has_reset_port ? 1 : 0) +
                             (options.has_initial_value_port ? 1 : 0));
  this->DeclareStateOutputPort("y", state);
  this->DeclareGuards(kGuardsAnElement * size +
                      (options.has_reset_port ? 1 : 0));
}

template <typename T>
int LimitedIntegrator<T>::Mode(const Context<T>& context, int i) const {
  const T& mode = context.get_discrete_state(0)[i];
  return mode > 0.5 ? 1 : (mode < -0.5 ? -1 : 0);
}

template <typename T>
bool LimitedIntegrator<T>::IsResetUp(const Context<T>& context) const {
  return context.get_discrete_state(0)[size()] > 0.5;
}

template <typename T>
void LimitedIntegrator<T>::SetInitial(const Context<T>& context,
                                      State<T>* state) const {
  VectorBase<T>& x = state->get_mutable_continuous_state().get_mutable_vector();
  DiscreteValues<T>& modes = state->get_mutable_discrete_state();
  const int port = options_.has_reset_port ? 2 : 1;
  for (int i = 0; i < size(); ++i) {
    T value(options_.initial_value);
    if (options_.has_initial_value_port) {
      value = this->get_input_port(port).Eval(context)[i];
    }
    if (value > options_.upper) value = T(options_.upper);
    if (value < options_.lower) value = T(options_.lower);
    x[i] = value;
    modes[i] = T(0);
  }
}

template <typename T>
EventStatus LimitedIntegrator<T>::Start(const Context<T>& context,
                                        State<T>* state) const {
  if (context.get_discrete_state(0)[started_index()] > 0.5) {
    return EventStatus::DidNothing();
  }
  state->get_mutable_discrete_state()[started_index()] = T(1);
  SetInitial(context, state);
  return EventStatus::Succeeded();
}

template <typename T>
bool LimitedIntegrator<T>::IsGuardActive(const Context<T>& context,
                                         int guard) const {
  const int i = guard / kGuardsAnElement;
  if (i >= size()) return true;
  const int mode = Mode(context, i);
  switch (guard % kGuardsAnElement) {
    case kArriveUp:
      return mode == 0 && std::isfinite(options_.upper);
    case kArriveDown:
      return mode == 0 && std::isfinite(options_.lower);
    default:
      return mode != 0;
  }
}

template <typename T>
T LimitedIntegrator<T>::CalcGuard(const Context<T>& context, int guard) const {
  const int i = guard / kGuardsAnElement;
  if (i >= size()) {
    const T up = this->get_input_port(1).Eval(context)[0] - kResetLevel;
    return IsResetUp(context) ? T(-up) : up;
  }
  const T& x = context.get_continuous_state_vector()[i];
  switch (guard % kGuardsAnElement) {
    case kArriveUp:
      return x - options_.upper;
    case kArriveDown:
      return options_.lower - x;
    default:
      return -Mode(context, i) * this->get_input_port(0).Eval(context)[i];
  }
}

// At a limit, which x can touch, the input decides.
template <typename T>
bool LimitedIntegrator<T>::IsGuardDue(const Context<T>& context,
                                      int guard) const {
  const int i = guard / kGuardsAnElement;
  if (i >= size()) {
    const T value = CalcGuard(context, guard);
    return IsResetUp(context) ? value > 0 : value >= 0;
  }
  const int kind = guard % kGuardsAnElement;
  if (kind == kLeave) return CalcGuard(context, guard) > 0;
  const T& u = this->get_input_port(0).Eval(context)[i];
  return CalcGuard(context, guard) >= 0 && (kind == kArriveUp ? u > 0 : u < 0);
}

template <typename T>
bool LimitedIntegrator<T>::ChangeMode(const Context<T>& context, int guard,
                                      State<T>* state) const {
  const int i = guard / kGuardsAnElement;
  DiscreteValues<T>& modes = state->get_mutable_discrete_state();
  if (i >= size()) {
    modes[size()] = T(IsResetUp(context) ? 0 : 1);
    if (!IsResetUp(context)) SetInitial(context, state);
    return false;
  }
  VectorBase<T>& x = state->get_mutable_continuous_state().get_mutable_vector();
  const int kind = guard % kGuardsAnElement;
  if (kind == kLeave) {
    modes[i] = T(0);
  } else if (IsGuardDue(context, guard)) {
    modes[i] = T(kind == kArriveUp ? 1 : -1);
    x[i] = T(kind == kArriveUp ? options_.upper : options_.lower);
  }
  return false;
}

template <typename T>
void LimitedIntegrator<T>::DoCalcTimeDerivatives(
    const Context<T>& context, ContinuousState<T>* derivatives) const {
  const VectorX<T>& u = this->get_input_port(0).Eval(context);
  VectorBase<T>& dx = derivatives->get_mutable_vector();
  for (int i = 0; i < size(); ++i) {
    dx[i] = Mode(context, i) == 0 ? u[i] : T(0);
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::LimitedIntegrator);
