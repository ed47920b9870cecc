// The framework, compiled once more, for expressions. What it has for double
// and AutoDiffXd is taken from its own library. Here, too, is what a program
// refers to if it converts anything to expressions, so that one that does not
// links none of this.

#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/vector_system.h"
#include "wyvern/systems/symbolic/formula.h"
#include "wyvern/systems/symbolic/systems/offered_primitives.h"

namespace wyvern::systems {
extern template class System<double>;
extern template class LeafSystem<double>;
extern template class Diagram<double>;
extern template class System<AutoDiffXd>;

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

}  // namespace wyvern::systems

#include "wyvern/systems/symbolic/expression_scalars_private.h"
//
#include <wyvern_framework_sources.inc>
#pragma pop_macro("WYVERN_AUTODIFF")

namespace wyvern::systems {

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
