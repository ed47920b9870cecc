#include "wyvern/systems/framework/vector_system.h"

#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

/* Ports and state are handed to the overrides as blocks of plain vectors,
whichever kind the state is. An output without direct feedthrough does not
depend on the input port and is not shown the input either, since to evaluate
it could run in a circle. What a subclass declares comes after this
constructor, so whether it is one state, one input and one output is checked
when a Context is made. A function that is not overridden is an error only
when it is needed. */

namespace wyvern::systems {
namespace {

template <typename T>
Eigen::VectorBlock<const VectorX<T>> WholeOf(const VectorX<T>& v) {
  return v.head(v.size());
}

}  // namespace

template <typename T>
VectorSystem<T>::VectorSystem(int input_size, int output_size,
                              std::optional<bool> direct_feedthrough)
    : VectorSystem(SystemScalarConverter{}, input_size, output_size,
                   direct_feedthrough) {}

template <typename T>
VectorSystem<T>::VectorSystem(SystemScalarConverter converter, int input_size,
                              int output_size,
                              std::optional<bool> direct_feedthrough)
    : LeafSystem<T>(std::move(converter)) {
  this->DeclareForcedDiscreteUpdateEvent(&VectorSystem::CalcDiscreteUpdate);
  if (input_size < 0 || output_size < 0) {
    throw std::logic_error(fmt::format(
        "VectorSystem: {} was given {} inputs and {} outputs; neither may be "
        "negative.",
        this->GetSystemType(), input_size, output_size));
  }
  if (input_size > 0) this->DeclareVectorInputPort("u", input_size);
  output_needs_input_ = input_size > 0 && direct_feedthrough.value_or(true);
  if (output_size > 0) {
    this->DeclareVectorOutputPort(
        "y", output_size, &VectorSystem::CalcOutput,
        output_needs_input_
            ? std::set<DependencyTicket>{SystemBase::all_sources_ticket()}
            : std::set<DependencyTicket>{
                  SystemBase::all_sources_except_input_ports_ticket()});
  }
}

template <typename T>
VectorSystem<T>::~VectorSystem() = default;

template <typename T>
const VectorX<T>& VectorSystem<T>::EvalVectorInput(
    const Context<T>& context) const {
  static const VectorX<T> empty(0);
  return this->num_input_ports() == 0 ? empty
                                      : this->get_input_port(0).Eval(context);
}

template <typename T>
VectorX<T> VectorSystem<T>::GetVectorState(const Context<T>& context) const {
  if (context.num_continuous_states() > 0) {
    return context.get_continuous_state_vector().CopyToVector();
  }
  if (context.num_discrete_state_groups() > 0) {
    return context.get_discrete_state(0).value();
  }
  return VectorX<T>(0);
}

template <typename T>
void VectorSystem<T>::DeclarePeriodicDiscreteUpdate(double period_sec,
                                                    double offset_sec) {
  this->DeclarePeriodicDiscreteUpdateEvent(period_sec, offset_sec,
                                           &VectorSystem::CalcDiscreteUpdate);
}

template <typename T>
void VectorSystem<T>::CalcOutput(const Context<T>& context,
                                 BasicVector<T>* output) const {
  static const VectorX<T> empty(0);
  const VectorX<T>& input =
      output_needs_input_ ? EvalVectorInput(context) : empty;
  const VectorX<T> state = GetVectorState(context);
  Eigen::VectorBlock<VectorX<T>> block = output->get_mutable_value();
  DoCalcVectorOutput(context, WholeOf<T>(input), WholeOf<T>(state), &block);
}

template <typename T>
void VectorSystem<T>::DoCalcTimeDerivatives(
    const Context<T>& context, ContinuousState<T>* derivatives) const {
  if (derivatives->size() == 0) return;
  const VectorX<T> state = GetVectorState(context);
  auto& vector =
      dynamic_cast<BasicVector<T>&>(derivatives->get_mutable_vector());
  Eigen::VectorBlock<VectorX<T>> block = vector.get_mutable_value();
  DoCalcVectorTimeDerivatives(context, WholeOf<T>(EvalVectorInput(context)),
                              WholeOf<T>(state), &block);
}

template <typename T>
EventStatus VectorSystem<T>::CalcDiscreteUpdate(const Context<T>& context,
                                                DiscreteValues<T>* next) const {
  if (next->num_groups() == 0) return EventStatus::DidNothing();
  const VectorX<T> state = GetVectorState(context);
  Eigen::VectorBlock<VectorX<T>> block = next->get_mutable_value(0);
  DoCalcVectorDiscreteVariableUpdates(
      context, WholeOf<T>(EvalVectorInput(context)), WholeOf<T>(state), &block);
  return EventStatus::Succeeded();
}

template <typename T>
void VectorSystem<T>::DoValidateAllocatedLeafContext(
    const LeafContext<T>& context) const {
  const bool has_both = context.num_continuous_states() > 0 &&
                        context.num_discrete_state_groups() > 0;
  if (has_both || context.num_discrete_state_groups() > 1 ||
      context.num_abstract_states() > 0 || this->num_input_ports() > 1 ||
      this->num_output_ports() > 1) {
    throw std::logic_error(fmt::format(
        "VectorSystem: {} declares more than a VectorSystem has: at most one "
        "input, one output, and state that is continuous or one discrete "
        "group; derive from LeafSystem instead.",
        this->GetSystemType()));
  }
}

template <typename T>
void VectorSystem<T>::ThrowNotOverridden(const char* function) const {
  throw std::logic_error(fmt::format(
      "VectorSystem: {} declares what needs {}() and does not override it.",
      this->GetSystemType(), function));
}

template <typename T>
void VectorSystem<T>::DoCalcVectorOutput(
    const Context<T>&, const Eigen::VectorBlock<const VectorX<T>>&,
    const Eigen::VectorBlock<const VectorX<T>>&,
    Eigen::VectorBlock<VectorX<T>>*) const {
  ThrowNotOverridden("DoCalcVectorOutput");
}

template <typename T>
void VectorSystem<T>::DoCalcVectorTimeDerivatives(
    const Context<T>&, const Eigen::VectorBlock<const VectorX<T>>&,
    const Eigen::VectorBlock<const VectorX<T>>&,
    Eigen::VectorBlock<VectorX<T>>*) const {
  ThrowNotOverridden("DoCalcVectorTimeDerivatives");
}

template <typename T>
void VectorSystem<T>::DoCalcVectorDiscreteVariableUpdates(
    const Context<T>&, const Eigen::VectorBlock<const VectorX<T>>&,
    const Eigen::VectorBlock<const VectorX<T>>&,
    Eigen::VectorBlock<VectorX<T>>*) const {
  ThrowNotOverridden("DoCalcVectorDiscreteVariableUpdates");
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::VectorSystem);
