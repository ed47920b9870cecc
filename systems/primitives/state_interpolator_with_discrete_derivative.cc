#include "wyvern/systems/primitives/state_interpolator_with_discrete_derivative.h"

#include <vector>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/discrete_derivative.h"
#include "wyvern/systems/primitives/multiplexer.h"
#include "wyvern/systems/primitives/pass_through.h"

namespace wyvern::systems {

template <typename T>
StateInterpolatorWithDiscreteDerivative<T>::
    StateInterpolatorWithDiscreteDerivative(int num_positions, double time_step,
                                            bool suppress_initial_transient) {
  wyvern::internal::RequireAtLeast("StateInterpolatorWithDiscreteDerivative",
                                   "num_positions", num_positions, 1);
  DiagramBuilder<T> builder;
  derivative_ = builder.template AddSystem<DiscreteDerivative<T>>(
      num_positions, time_step, suppress_initial_transient);
  auto* position = builder.template AddSystem<PassThrough<T>>(num_positions);
  auto* state = builder.template AddSystem<Multiplexer<T>>(
      std::vector<int>{num_positions, num_positions});
  builder.Connect(position->get_output_port(), derivative_->get_input_port(0));
  builder.Connect(position->get_output_port(), state->get_input_port(0));
  builder.Connect(derivative_->get_output_port(0), state->get_input_port(1));
  builder.ExportInput(position->get_input_port(), "position");
  builder.ExportOutput(state->get_output_port(0), "state");
  builder.BuildInto(this);
}

template <typename T>
bool StateInterpolatorWithDiscreteDerivative<T>::suppress_initial_transient()
    const {
  return derivative_->suppress_initial_transient();
}

template <typename T>
void StateInterpolatorWithDiscreteDerivative<T>::set_initial_position(
    State<T>* state, const Eigen::Ref<const VectorX<T>>& position) const {
  derivative_->set_input_history(
      &this->GetMutableSubsystemState(*derivative_, state), position, position);
}

template <typename T>
void StateInterpolatorWithDiscreteDerivative<T>::set_initial_position(
    Context<T>* context, const Eigen::Ref<const VectorX<T>>& position) const {
  this->ValidateContext(context);
  set_initial_position(&context->get_mutable_state(), position);
}

template <typename T>
void StateInterpolatorWithDiscreteDerivative<T>::set_initial_state(
    State<T>* state, const Eigen::Ref<const VectorX<T>>& position,
    const Eigen::Ref<const VectorX<T>>& velocity) const {
  wyvern::internal::RequireSize(
      "StateInterpolatorWithDiscreteDerivative::set_initial_state()",
      "velocity", velocity.size(), position.size());
  const VectorX<T> previous = position - derivative_->time_step() * velocity;
  wyvern::internal::RequireFinite(
      "StateInterpolatorWithDiscreteDerivative::set_initial_state()",
      "position - time_step * velocity", previous);
  derivative_->set_input_history(
      &this->GetMutableSubsystemState(*derivative_, state), position, previous);
}

template <typename T>
void StateInterpolatorWithDiscreteDerivative<T>::set_initial_state(
    Context<T>* context, const Eigen::Ref<const VectorX<T>>& position,
    const Eigen::Ref<const VectorX<T>>& velocity) const {
  this->ValidateContext(context);
  set_initial_state(&context->get_mutable_state(), position, velocity);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::StateInterpolatorWithDiscreteDerivative);
