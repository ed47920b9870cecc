#include "wyvern/systems/symbolic/systems/system_symbolic_inspector.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "wyvern/systems/symbolic/algebra/decompose.h"
#include "wyvern/systems/symbolic/expression_matrix.h"

/* The System is evaluated once, in a Context all of whose numbers are variables
of their own, and everything that it has computed is kept. All answers are
about which variables are in what. */

namespace wyvern::systems {

using symbolic::Expression;
using symbolic::Formula;
using symbolic::Variable;
using symbolic::Variables;

namespace {

VectorX<Variable> NumberedVariables(const std::string& prefix, int size) {
  VectorX<Variable> result(size);
  for (int i = 0; i < size; ++i) {
    result[i] = Variable(fmt::format("{}{}", prefix, i));
  }
  return result;
}

Variables SetOf(const VectorX<Variable>& vector) { return Variables(vector); }

template <typename T>
const T& ItemAt(const char* function, const std::vector<T>& items, int i) {
  if (i >= 0 && i < static_cast<int>(items.size())) return items[i];
  throw std::out_of_range(fmt::format(
      "SystemSymbolicInspector::{}(): there is no number {}; there are {}.",
      function, i, items.size()));
}

bool HasAny(const VectorX<Expression>& expressions, const Variables& wanted) {
  return !intersect(symbolic::GetDistinctVariables(expressions), wanted)
              .empty();
}

void AddFormulas(const VectorX<Expression>& value,
                 const SystemConstraintBounds& bounds,
                 std::set<Formula>* formulas) {
  for (int i = 0; i < value.size(); ++i) {
    const double lower = bounds.lower()[i];
    const double upper = bounds.upper()[i];
    if (lower == upper) {
      formulas->insert(value[i] == Expression(lower));
      continue;
    }
    if (std::isfinite(lower)) formulas->insert(value[i] >= Expression(lower));
    if (std::isfinite(upper)) formulas->insert(value[i] <= Expression(upper));
  }
}

}  // namespace

SystemSymbolicInspector::SystemSymbolicInspector(
    const System<Expression>& system)
    : SystemSymbolicInspector(system, nullptr) {}

SystemSymbolicInspector::SystemSymbolicInspector(
    const System<Expression>& system, const Context<Expression>& parameters)
    : SystemSymbolicInspector((system.ValidateContext(parameters), system),
                              &parameters) {}

SystemSymbolicInspector::SystemSymbolicInspector(
    const System<Expression>& system, const Context<Expression>* parameters) {
  const auto context = system.CreateDefaultContext();
  is_abstract_ = IsAbstract(system, *context);

  for (int i = 0; i < system.num_input_ports(); ++i) {
    const InputPort<Expression>& port = system.get_input_port(i);
    const int size = port.get_data_type() == kVectorValued ? port.size() : 0;
    inputs_.push_back(NumberedVariables(fmt::format("u{}_", i), size));
  }
  xc_ = NumberedVariables("xc", context->num_continuous_states());
  for (int i = 0; i < context->num_discrete_state_groups(); ++i) {
    xd_.push_back(NumberedVariables(fmt::format("xd{}_", i),
                                    context->get_discrete_state(i).size()));
  }
  for (int i = 0; i < context->num_numeric_parameter_groups(); ++i) {
    parameters_.push_back(NumberedVariables(
        fmt::format("p{}_", i), context->get_numeric_parameter(i).size()));
  }
  outputs_.resize(system.num_output_ports());
  for (int i = 0; i < system.num_output_ports(); ++i) {
    is_abstract_output_.push_back(system.get_output_port(i).get_data_type() ==
                                  kAbstractValued);
  }
  if (is_abstract_) return;

  context->SetTime(time_);
  for (int i = 0; i < system.num_input_ports(); ++i) {
    system.get_input_port(i).FixValue(
        context.get(), VectorX<Expression>(inputs_[i].cast<Expression>()));
  }
  if (xc_.size() > 0) context->SetContinuousState(xc_.cast<Expression>());
  for (int i = 0; i < static_cast<int>(xd_.size()); ++i) {
    context->SetDiscreteState(i, xd_[i].cast<Expression>());
  }
  for (int i = 0; i < static_cast<int>(parameters_.size()); ++i) {
    context->get_mutable_numeric_parameter(i).SetFromVector(
        parameters == nullptr
            ? VectorX<Expression>(parameters_[i].cast<Expression>())
            : parameters->get_numeric_parameter(i).CopyToVector());
  }

  if (xc_.size() > 0) {
    derivatives_ = system.EvalTimeDerivatives(*context).CopyToVector();
  }
  if (!xd_.empty()) {
    const auto timing = system.GetUniquePeriodicDiscreteUpdateAttribute();
    auto updated = system.AllocateDiscreteVariables();
    if (timing.has_value()) {
      time_period_ = timing->period_sec();
      updated->SetFrom(system.EvalUniquePeriodicDiscreteUpdate(*context));
    } else {
      system.CalcForcedDiscreteVariableUpdate(*context, updated.get());
    }
    for (int i = 0; i < updated->num_groups(); ++i) {
      updates_.push_back(updated->value(i));
    }
  }
  for (int i = 0; i < system.num_output_ports(); ++i) {
    if (is_abstract_output_[i]) continue;
    outputs_[i] = system.get_output_port(i).Eval(*context);
  }
  for (int i = 0; i < system.num_constraints(); ++i) {
    const auto& constraint = system.get_constraint(SystemConstraintIndex(i));
    VectorX<Expression> value;
    constraint.Calc(*context, &value);
    AddFormulas(value, constraint.bounds(), &constraints_);
  }
}

bool SystemSymbolicInspector::IsAbstract(const System<Expression>& system,
                                         const Context<Expression>& context) {
  for (int i = 0; i < system.num_input_ports(); ++i) {
    if (system.get_input_port(i).get_data_type() == kAbstractValued) {
      return true;
    }
  }
  return context.num_abstract_states() > 0 ||
         context.num_abstract_parameters() > 0;
}

bool SystemSymbolicInspector::IsConnectedInputToOutput(
    int input_port_index, int output_port_index) const {
  const auto& input =
      ItemAt("IsConnectedInputToOutput", inputs_, input_port_index);
  const auto& output =
      ItemAt("IsConnectedInputToOutput", outputs_, output_port_index);
  return is_abstract_ || is_abstract_output_[output_port_index] ||
         HasAny(output, SetOf(input));
}

bool SystemSymbolicInspector::IsTimeInvariant() const {
  if (is_abstract_) return false;
  const Variables t({time_});
  if (HasAny(derivatives_, t)) return false;
  for (const auto& update : updates_) {
    if (HasAny(update, t)) return false;
  }
  for (const auto& output : outputs_) {
    if (HasAny(output, t)) return false;
  }
  // The answer is unknown for an abstract output.
  return std::ranges::none_of(is_abstract_output_, std::identity());
}

bool SystemSymbolicInspector::HasAffineDynamics() const {
  if (is_abstract_) return false;
  Variables variables = SetOf(xc_);
  for (const auto& group : xd_) variables += SetOf(group);
  for (const auto& port : inputs_) variables += SetOf(port);
  if (!symbolic::IsAffine(derivatives_, variables)) return false;
  for (const auto& update : updates_) {
    if (!symbolic::IsAffine(update, variables)) return false;
  }
  return true;
}

const VectorX<Variable>& SystemSymbolicInspector::input(int i) const {
  return ItemAt("input", inputs_, i);
}
const VectorX<Variable>& SystemSymbolicInspector::discrete_state(int i) const {
  return ItemAt("discrete_state", xd_, i);
}
const VectorX<Variable>& SystemSymbolicInspector::numeric_parameters(
    int i) const {
  return ItemAt("numeric_parameters", parameters_, i);
}

void SystemSymbolicInspector::RequireNumeric(const char* function) const {
  if (!is_abstract_) return;
  throw std::logic_error(fmt::format(
      "SystemSymbolicInspector::{}(): the System has abstract inputs, state or "
      "parameters, and no expressions; ask IsAbstract() first.",
      function));
}

const VectorX<Expression>& SystemSymbolicInspector::derivatives() const {
  RequireNumeric("derivatives");
  return derivatives_;
}
const VectorX<Expression>& SystemSymbolicInspector::discrete_update(
    int i) const {
  RequireNumeric("discrete_update");
  return ItemAt("discrete_update", updates_, i);
}
const VectorX<Expression>& SystemSymbolicInspector::output(int i) const {
  RequireNumeric("output");
  const VectorX<Expression>& result = ItemAt("output", outputs_, i);
  if (!is_abstract_output_[i]) return result;
  throw std::logic_error(
      fmt::format("SystemSymbolicInspector::output(): output port {} is "
                  "abstract and has no "
                  "expressions; ask for one of vectors.",
                  i));
}
const std::set<Formula>& SystemSymbolicInspector::constraints() const {
  RequireNumeric("constraints");
  return constraints_;
}

SymbolicLinearization LinearizeSymbolically(
    const SystemSymbolicInspector& inspector, int input_port, int output_port) {
  VectorX<Expression> f = inspector.derivatives();
  SymbolicLinearization result;
  result.x = inspector.continuous_state();
  int num_groups = 0;
  for (; num_groups < inspector.num_discrete_groups(); ++num_groups) {
    result.x = inspector.discrete_state(num_groups);
    f = inspector.discrete_update(num_groups);
  }
  const bool is_continuous = inspector.continuous_state().size() > 0;
  if (num_groups + (is_continuous ? 1 : 0) > 1) {
    throw std::logic_error(fmt::format(
        "LinearizeSymbolically(): the System has {} continuous states and {} "
        "discrete groups; only continuous state or one group can be "
        "linearized.",
        inspector.continuous_state().size(), num_groups));
  }
  if (input_port >= 0) result.u = inspector.input(input_port);
  VectorX<Expression> y;
  if (output_port >= 0) y = inspector.output(output_port);
  result.A = symbolic::Jacobian(f, result.x);
  result.B = symbolic::Jacobian(f, result.u);
  result.C = symbolic::Jacobian(y, result.x);
  result.D = symbolic::Jacobian(y, result.u);
  return result;
}

}  // namespace wyvern::systems
