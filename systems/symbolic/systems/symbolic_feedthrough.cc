// Which inputs the outputs of a LeafSystem have in them, by its expressions:
// for outputs that declare nothing of it.

#include "wyvern/systems/framework/symbolic_feedthrough.h"

#include <exception>
#include <map>
#include <type_traits>
#include <vector>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/system.h"
#include "wyvern/systems/symbolic/expression_matrix.h"
#include "wyvern/systems/symbolic/systems/offered_primitives.h"
#include "wyvern/systems/symbolic/systems/system_symbolic_inspector.h"

namespace wyvern::systems::internal {
namespace {

using symbolic::Expression;
using symbolic::Variable;
using symbolic::Variables;

// An output that decides by any of its numbers is not told of, so that all of
// them are variables, not only the inputs.
VectorX<Expression> MakeVariables(int size) {
  return symbolic::MakeVectorContinuousVariable(size, "x").cast<Expression>();
}

void SetToVariables(VectorBase<Expression>* vector) {
  vector->SetFromVector(MakeVariables(vector->size()));
}

void RemoveByExpressions(const System<Expression>& system,
                         FeedthroughPairs* pairs) {
  const auto context = system.CreateDefaultContext();
  if (SystemSymbolicInspector::IsAbstract(system, *context)) return;
  context->SetTime(Variable("t"));
  std::vector<Variables> inputs;
  for (int i = 0; i < system.num_input_ports(); ++i) {
    const VectorX<Expression> u =
        MakeVariables(system.get_input_port(i).size());
    inputs.push_back(symbolic::GetDistinctVariables(u));
    system.get_input_port(i).FixValue(context.get(), u);
  }
  if (context->num_continuous_states() > 0) {
    SetToVariables(&context->get_mutable_continuous_state_vector());
  }
  for (int i = 0; i < context->num_discrete_state_groups(); ++i) {
    SetToVariables(&context->get_mutable_discrete_state(i));
  }
  for (int i = 0; i < context->num_numeric_parameter_groups(); ++i) {
    SetToVariables(&context->get_mutable_numeric_parameter(i));
  }
  std::map<int, Variables> outputs;
  for (const auto& [in, out] : *pairs) {
    if (outputs.contains(out)) continue;
    outputs[out] = symbolic::GetDistinctVariables(
        system.get_output_port(out).Eval(*context));
  }
  std::erase_if(*pairs, [&](const auto& pair) {
    return intersect(outputs[pair.second], inputs[pair.first]).empty();
  });
}

// Before anything is converted.
template <typename T>
bool HasAbstractPorts(const System<T>& system) {
  for (int i = 0; i < system.num_input_ports(); ++i) {
    const auto& port = system.get_input_port(i);
    if (port.get_data_type() == kAbstractValued) return true;
  }
  for (int i = 0; i < system.num_output_ports(); ++i) {
    const auto& port = system.get_output_port(i);
    if (port.get_data_type() == kAbstractValued) return true;
  }
  return false;
}

// A System that does not convert, or decides by a number that is a variable
// here, cannot be told of: this throws then, or changes nothing.
template <typename T>
void RemoveFalse(const System<T>& system, FeedthroughPairs* pairs) {
  if constexpr (std::is_same_v<T, Expression>) {
    RemoveByExpressions(system, pairs);
  } else if constexpr (std::is_same_v<T, double>) {
    const auto converted = system.ToSymbolicMaybe();
    if (converted != nullptr) RemoveByExpressions(*converted, pairs);
  } else {
    const auto numbers = system.template ToScalarTypeMaybe<double>();
    if (numbers != nullptr) RemoveFalse<double>(*numbers, pairs);
  }
}

template <typename T>
void RemoveFalseFeedthroughs(const System<T>& system, FeedthroughPairs* pairs) {
  if (HasAbstractPorts(system)) return;
  try {
    RemoveFalse(system, pairs);
  } catch (const std::exception&) {
    // The pairs stay: it is safe to assume that an input feeds through.
  }
}

}  // namespace

void OfferSymbolicFeedthroughs() {
  remove_false_feedthroughs<double> = &RemoveFalseFeedthroughs<double>;
#if WYVERN_AUTODIFF
  remove_false_feedthroughs<AutoDiffXd> = &RemoveFalseFeedthroughs<AutoDiffXd>;
#endif
  remove_false_feedthroughs<Expression> = &RemoveFalseFeedthroughs<Expression>;
}

}  // namespace wyvern::systems::internal
