// The framework, compiled once more, for expressions: the same sources, each
// class instantiated once after all of them. What it has for double and
// AutoDiffXd is taken from its own library. Here, too, is what a program refers
// to if it converts anything to expressions, so that one that does not links
// none of this.

#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/vector_system.h"
#include "wyvern/systems/symbolic/formula.h"
#include "wyvern/systems/symbolic/systems/offered_primitives.h"

namespace wyvern::systems {
extern template class System<double>;
extern template class LeafSystem<double>;
extern template class Diagram<double>;
extern template class System<AutoDiffXd>;
}  // namespace wyvern::systems

#undef WYVERN_FOR_EACH_DEFAULT_SCALAR
#undef WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS
#define WYVERN_FOR_EACH_DEFAULT_SCALAR(F) F(::wyvern::symbolic::Expression)
#define WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(...) static_assert(true)

#include "wyvern/systems/framework/basic_vector.cc"
#include "wyvern/systems/framework/context.cc"
#include "wyvern/systems/framework/continuous_state.cc"
#include "wyvern/systems/framework/diagram_builder.cc"
#include "wyvern/systems/framework/diagram_builder_mistakes.cc"
#include "wyvern/systems/framework/diagram_context.cc"
#include "wyvern/systems/framework/diagram_continuous_state.cc"
#include "wyvern/systems/framework/diagram_discrete_values.cc"
#include "wyvern/systems/framework/diagram_dynamics.cc"
#include "wyvern/systems/framework/diagram_events.cc"
#include "wyvern/systems/framework/diagram_graphviz.cc"
#include "wyvern/systems/framework/diagram_output_port.cc"
#include "wyvern/systems/framework/diagram_state.cc"
#include "wyvern/systems/framework/discrete_values.cc"
#include "wyvern/systems/framework/event.cc"
#include "wyvern/systems/framework/input_port.cc"
#include "wyvern/systems/framework/leaf_context.cc"
#include "wyvern/systems/framework/leaf_events.cc"
#include "wyvern/systems/framework/leaf_output_port.cc"
#include "wyvern/systems/framework/leaf_system.cc"
#include "wyvern/systems/framework/leaf_system_events.cc"
#include "wyvern/systems/framework/leaf_system_ports.cc"
#include "wyvern/systems/framework/leaf_system_state.cc"
#include "wyvern/systems/framework/output_port.cc"
#include "wyvern/systems/framework/parameters.cc"
#include "wyvern/systems/framework/state.cc"
#include "wyvern/systems/framework/subvector.cc"
#include "wyvern/systems/framework/supervector.cc"
#include "wyvern/systems/framework/system.cc"
#include "wyvern/systems/framework/system_constraint.cc"
#include "wyvern/systems/framework/system_dynamics.cc"
#include "wyvern/systems/framework/system_events.cc"
#include "wyvern/systems/framework/vector_base.cc"
#include "wyvern/systems/framework/vector_system.cc"
// Its last lines are about double and AutoDiffXd.
#pragma push_macro("WYVERN_AUTODIFF")
#undef WYVERN_AUTODIFF
#define WYVERN_AUTODIFF 0
#include "wyvern/systems/framework/diagram.cc"
#undef WYVERN_AUTODIFF
#pragma pop_macro("WYVERN_AUTODIFF")

#undef WYVERN_FOR_EACH_DEFAULT_SCALAR
#undef WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS

namespace wyvern::systems {

using symbolic::Expression;

template <typename T>
std::unique_ptr<System<Expression>> System<T>::ToSymbolic() const {
  return ToScalarType<Expression>();
}

template <typename T>
std::unique_ptr<System<Expression>> System<T>::ToSymbolicMaybe() const {
  return ToScalarTypeMaybe<Expression>();
}

template <typename T>
void System<T>::AddExternalConstraintsTo(System<Expression>* converted) const {
  for (const auto& c : external_constraints_) {
    converted->AddExternalConstraint(c);
  }
}

template class VectorBase<Expression>;
template class BasicVector<Expression>;
template class Subvector<Expression>;
template class Supervector<Expression>;
template class ContinuousState<Expression>;
template class DiscreteValues<Expression>;
template class Parameters<Expression>;
template class State<Expression>;
template class DiagramContinuousState<Expression>;
template class DiagramDiscreteValues<Expression>;
template class DiagramState<Expression>;
template class Context<Expression>;
template class LeafContext<Expression>;
template class DiagramContext<Expression>;
template class Event<Expression>;
template class PublishEvent<Expression>;
template class DiscreteUpdateEvent<Expression>;
template class UnrestrictedUpdateEvent<Expression>;
template class InputPort<Expression>;
template class OutputPort<Expression>;
template class LeafOutputPort<Expression>;
template class DiagramOutputPort<Expression>;
template class SystemConstraint<Expression>;
template class System<Expression>;
template class LeafSystem<Expression>;
template class VectorSystem<Expression>;
template class Diagram<Expression>;
template class DiagramBuilder<Expression>;
template class internal::LeafEvents<Expression>;

#define WYVERN_TO_SYMBOLIC(T)                                                 \
  template std::unique_ptr<System<Expression>> System<T>::ToSymbolic() const; \
  template std::unique_ptr<System<Expression>> System<T>::ToSymbolicMaybe()   \
      const;                                                                  \
  template void System<T>::AddExternalConstraintsTo(System<Expression>*) const;
WYVERN_TO_SYMBOLIC(double)
#if WYVERN_AUTODIFF
WYVERN_TO_SYMBOLIC(AutoDiffXd)
#endif
#undef WYVERN_TO_SYMBOLIC

template Diagram<double>::Diagram(SystemScalarConverter,
                                  const Diagram<Expression>&);
template Diagram<Expression>::Diagram(SystemScalarConverter,
                                      const Diagram<double>&);
template Diagram<double>::Diagram(const Diagram<Expression>&);
template Diagram<Expression>::Diagram(const Diagram<double>&);

namespace {
// Before main(), Systems of the library learn to be converted.
const bool kOffered = [] {
  SystemScalarConverter::OfferSymbolic<Diagram>();
  internal::OfferSymbolicPrimitives();
  internal::OfferSymbolicFeedthroughs();
  return true;
}();
}  // namespace

}  // namespace wyvern::systems
