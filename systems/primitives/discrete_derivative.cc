#include "wyvern/systems/primitives/discrete_derivative.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/if_then_else.h"
#include "wyvern/systems/primitives/overflow_check.h"

namespace wyvern::systems {

namespace {

// Discrete state groups.
constexpr int kLatest = 0;
constexpr int kPrevious = 1;
constexpr int kCount = 2;
// Samples that make a slope.
constexpr int kEnough = 2;

}  // namespace

template <typename T>
DiscreteDerivative<T>::DiscreteDerivative(int num_inputs, double time_step,
                                          bool suppress_initial_transient)
    : LeafSystem<T>(SystemTypeTag<DiscreteDerivative>{}),
      time_step_(time_step),
      suppress_initial_transient_(suppress_initial_transient) {
  wyvern::internal::RequireAtLeast("DiscreteDerivative", "num_inputs",
                                   num_inputs, 1);
  wyvern::internal::RequirePositive("DiscreteDerivative", "time_step",
                                    time_step);
  this->DeclareVectorInputPort(kUseDefaultName, num_inputs);
  this->DeclareDiscreteState(num_inputs);
  this->DeclareDiscreteState(num_inputs);
  if (suppress_initial_transient) this->DeclareDiscreteState(1);
  this->DeclarePeriodicDiscreteUpdateEvent(time_step, 0.0,
                                           &DiscreteDerivative<T>::Sample);
  this->DeclareVectorOutputPort(kUseDefaultName, num_inputs,
                                &DiscreteDerivative<T>::CalcOutput,
                                {this->xd_ticket()});
}

template <typename T>
void DiscreteDerivative<T>::set_input_history(
    State<T>* state, const Eigen::Ref<const VectorX<T>>& u_n,
    const Eigen::Ref<const VectorX<T>>& u_n_minus_1) const {
  constexpr char kWho[] = "DiscreteDerivative::set_input_history()";
  const int size = this->get_input_port(0).size();
  wyvern::internal::RequireSize(kWho, "u_n", u_n.size(), size);
  wyvern::internal::RequireSize(kWho, "u_n_minus_1", u_n_minus_1.size(), size);
  DiscreteValues<T>& x = state->get_mutable_discrete_state();
  x.set_value(kLatest, u_n);
  x.set_value(kPrevious, u_n_minus_1);
  if (suppress_initial_transient_) {
    x.get_mutable_vector(kCount)[0] = T(kEnough);
  }
}

template <typename T>
void DiscreteDerivative<T>::set_input_history(
    Context<T>* context, const Eigen::Ref<const VectorX<T>>& u_n,
    const Eigen::Ref<const VectorX<T>>& u_n_minus_1) const {
  this->ValidateContext(context);
  set_input_history(&context->get_mutable_state(), u_n, u_n_minus_1);
}

template <typename T>
EventStatus DiscreteDerivative<T>::Sample(const Context<T>& context,
                                          DiscreteValues<T>* next) const {
  next->get_mutable_value(kPrevious) =
      context.get_discrete_state(kLatest).value();
  next->get_mutable_value(kLatest) = this->get_input_port(0).Eval(context);
  if (suppress_initial_transient_) {
    const T& count = context.get_discrete_state(kCount)[0];
    next->get_mutable_vector(kCount)[0] =
        if_then_else(count < T(kEnough), T(count + 1.0), count);
  }
  return EventStatus::Succeeded();
}

template <typename T>
void DiscreteDerivative<T>::CalcOutput(const Context<T>& context,
                                       BasicVector<T>* y) const {
  y->get_mutable_value() = (context.get_discrete_state(kLatest).value() -
                            context.get_discrete_state(kPrevious).value()) /
                           time_step_;
  if (suppress_initial_transient_) {
    const T& count = context.get_discrete_state(kCount)[0];
    for (int i = 0; i < y->size(); ++i) {
      (*y)[i] = if_then_else(count < T(kEnough), T(0), (*y)[i]);
    }
  }
  internal::RequireNoOverflow(*this, context, *y);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::DiscreteDerivative);
