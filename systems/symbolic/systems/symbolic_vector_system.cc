#include "wyvern/systems/symbolic/systems/symbolic_vector_system.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/symbolic/expression_matrix.h"

/* The expressions become an ExpressionTape each for dynamics and output, whose
registers are a cache entry: so that a step looks up nothing and allocates
nothing. For AutoDiffXd the tape has the derivatives by all variables, too,
and the chain rule does the rest; for Expression there is no tape, and the
variables are replaced. */

namespace wyvern::systems {

using symbolic::Environment;
using symbolic::Expression;
using symbolic::ExpressionTape;
using symbolic::Variable;
using symbolic::Variables;

template <typename T>
SymbolicVectorSystem<T>::SymbolicVectorSystem(
    std::optional<Variable> time,
    const Eigen::Ref<const VectorX<Variable>>& state,
    const Eigen::Ref<const VectorX<Variable>>& input,
    const Eigen::Ref<const VectorX<Expression>>& dynamics,
    const Eigen::Ref<const VectorX<Expression>>& output, double time_period)
    : SymbolicVectorSystem(internal::SymbolicEquations{
          std::move(time), state, input, {}, dynamics, output, time_period}) {}

template <typename T>
SymbolicVectorSystem<T>::SymbolicVectorSystem(
    std::optional<Variable> time,
    const Eigen::Ref<const VectorX<Variable>>& state,
    const Eigen::Ref<const VectorX<Variable>>& input,
    const Eigen::Ref<const VectorX<Variable>>& parameter,
    const Eigen::Ref<const VectorX<Expression>>& dynamics,
    const Eigen::Ref<const VectorX<Expression>>& output, double time_period)
    : SymbolicVectorSystem(
          internal::SymbolicEquations{std::move(time), state, input, parameter,
                                      dynamics, output, time_period}) {}

template <typename T>
SymbolicVectorSystem<T>::SymbolicVectorSystem(
    internal::SymbolicEquations equations)
    : LeafSystem<T>(SystemTypeTag<SymbolicVectorSystem>{}),
      equations_(std::move(equations)) {
  const auto& [time, state, input, parameter, dynamics, output, period] =
      equations_;
  const int num_times = time.has_value() ? 1 : 0;
  variables_.resize(num_times + state.size() + input.size() + parameter.size());
  if (time.has_value()) variables_[0] = *time;
  variables_.tail(variables_.size() - num_times) << state, input, parameter;
  RequireSound();

  const int n = static_cast<int>(state.size());
  if (input.size() > 0) {
    this->DeclareVectorInputPort(kUseDefaultName,
                                 static_cast<int>(input.size()));
  }
  if (parameter.size() > 0) {
    this->DeclareNumericParameter(
        BasicVector<T>(static_cast<int>(parameter.size())));
  }
  if (n > 0 && period == 0) this->DeclareContinuousState(n);
  if (n > 0 && period > 0) {
    this->DeclareDiscreteState(n);
    this->DeclarePeriodicDiscreteUpdateEvent(period, 0.0,
                                             &SymbolicVectorSystem::Update);
    this->DeclareForcedDiscreteUpdateEvent(&SymbolicVectorSystem::Update);
  }
  DeclareComputation("dynamics", dynamics,
                     &SymbolicVectorSystem::CalcDynamicsRegisters, &dynamics_);
  DeclareComputation("output", output,
                     &SymbolicVectorSystem::CalcOutputRegisters, &output_);
  if (output.size() > 0) {
    this->DeclareVectorOutputPort(
        kUseDefaultName, static_cast<int>(output.size()),
        &SymbolicVectorSystem::CalcOutput, TicketsOf(output));
  }
}

template <typename T>
void SymbolicVectorSystem<T>::RequireSound() const {
  constexpr char kWho[] = "SymbolicVectorSystem";
  wyvern::internal::RequireNonNegative(kWho, "time_period", time_period());
  wyvern::internal::RequireSize(kWho, "dynamics", dynamics().size(),
                                state_vars().size());
  Variables known;
  for (const Variable& v : variables_) {
    if (known.include(v)) {
      throw std::logic_error(fmt::format(
          "SymbolicVectorSystem: the variable '{}' is there twice; time, "
          "states, inputs and parameters must all be different.",
          v.get_name()));
    }
    known.insert(v);
  }
  Variables used = symbolic::GetDistinctVariables(dynamics());
  used += symbolic::GetDistinctVariables(output());
  for (const Variable& v : used) {
    if (known.include(v)) continue;
    throw std::logic_error(fmt::format(
        "SymbolicVectorSystem: the expressions have the variable '{}'; make it "
        "time, a state, an input or a parameter.",
        v.get_name()));
  }
}

template <typename T>
void SymbolicVectorSystem<T>::DeclareComputation(
    const char* name, const VectorX<Expression>& expressions,
    void (SymbolicVectorSystem::*calc)(const Context<T>&, Eigen::VectorXd*)
        const,
    Computation* computation) {
  computation->expressions = expressions;
  computation->has_input =
      !intersect(symbolic::GetDistinctVariables(expressions),
                 Variables(input_vars()))
           .empty();
  if constexpr (std::is_same_v<T, Expression>) return;
  if constexpr (std::is_same_v<T, AutoDiffXd>) {
    const MatrixX<Expression> J = symbolic::Jacobian(expressions, variables_);
    computation->expressions.conservativeResize(expressions.size() + J.size());
    computation->expressions.tail(J.size()) = J.reshaped();
  }
  computation->tape = ExpressionTape(variables_, computation->expressions);
  computation->registers = &this->DeclareCacheEntry(
      fmt::format("registers of the {}", name),
      computation->tape.MakeRegisters(), calc, TicketsOf(expressions));
}

template <typename T>
std::set<DependencyTicket> SymbolicVectorSystem<T>::TicketsOf(
    const VectorX<Expression>& expressions) const {
  const Variables used = symbolic::GetDistinctVariables(expressions);
  const auto has_any = [&used](const VectorX<Variable>& variables) {
    return !intersect(used, Variables(variables)).empty();
  };
  std::set<DependencyTicket> tickets{this->nothing_ticket()};
  if (time_var().has_value() && used.include(*time_var())) {
    tickets.insert(this->time_ticket());
  }
  if (has_any(state_vars())) tickets.insert(this->all_state_ticket());
  if (has_any(input_vars())) tickets.insert(this->all_input_ports_ticket());
  if (has_any(parameter_vars())) {
    tickets.insert(this->all_parameters_ticket());
  }
  return tickets;
}

template <typename T>
const Expression& SymbolicVectorSystem<T>::dynamics_for_variable(
    const Variable& x) const {
  for (int i = 0; i < state_vars().size(); ++i) {
    if (state_vars()[i].equal_to(x)) return dynamics()[i];
  }
  throw std::logic_error(fmt::format(
      "SymbolicVectorSystem::dynamics_for_variable(): '{}' is no state.",
      x.get_name()));
}

template <typename T>
template <typename F>
void SymbolicVectorSystem<T>::ForEachValue(const Context<T>& context,
                                           const Computation& computation,
                                           const F& f) const {
  int place = 0;
  if (time_var().has_value()) f(place++, context.get_time());
  const int n = static_cast<int>(state_vars().size());
  if (n > 0 && time_period() == 0) {
    const VectorBase<T>& x = context.get_continuous_state_vector();
    for (int i = 0; i < n; ++i) f(place++, x[i]);
  } else if (n > 0) {
    for (const T& x : context.get_discrete_state(0).value()) f(place++, x);
  }
  if (input_vars().size() > 0) {
    // Values that do not depend on the input are computed without it.
    if (!computation.has_input) {
      place += static_cast<int>(input_vars().size());
    } else {
      for (const T& u : this->get_input_port().Eval(context)) f(place++, u);
    }
  }
  if (parameter_vars().size() > 0) {
    for (const T& p : context.get_numeric_parameter(0).value()) f(place++, p);
  }
}

template <typename T>
void SymbolicVectorSystem<T>::Fill(const Context<T>& context,
                                   const Computation& computation,
                                   Eigen::VectorXd* registers) const {
  if constexpr (!std::is_same_v<T, Expression>) {
    ForEachValue(context, computation, [registers](int place, const T& value) {
      (*registers)[place] = ToDouble(value);
    });
    computation.tape.Run(registers);
  }
}

template <typename T>
void SymbolicVectorSystem<T>::CalcDynamicsRegisters(
    const Context<T>& context, Eigen::VectorXd* registers) const {
  Fill(context, dynamics_, registers);
}

template <typename T>
void SymbolicVectorSystem<T>::CalcOutputRegisters(
    const Context<T>& context, Eigen::VectorXd* registers) const {
  Fill(context, output_, registers);
}

template <typename T>
void SymbolicVectorSystem<T>::Compute(const Context<T>& context,
                                      const Computation& computation,
                                      VectorBase<T>* result) const {
  const int size = result->size();
  if constexpr (std::is_same_v<T, Expression>) {
    symbolic::Substitution substitution;
    ForEachValue(context, computation, [&](int place, const Expression& e) {
      substitution.emplace(variables_[place], e);
    });
    result->SetFromVector(
        symbolic::Substitute(computation.expressions, substitution));
  } else {
    const ExpressionTape& tape = computation.tape;
    const auto& registers =
        computation.registers->template Eval<Eigen::VectorXd>(context);
    for (int i = 0; i < tape.num_results(); ++i) {
      if (!std::isnan(registers[tape.result(i)])) continue;
      ThrowMissing(context, computation, computation.expressions[i]);
    }
    for (int i = 0; i < size; ++i) {
      (*result)[i] = registers[tape.result(i)];
    }
    if constexpr (std::is_same_v<T, AutoDiffXd>) {
      ForEachValue(
          context, computation, [&](int place, const AutoDiffXd& value) {
            if (value.derivatives().size() == 0) return;
            const AutoDiffXd change = value - value.value();
            for (int i = 0; i < size; ++i) {
              (*result)[i] +=
                  registers[tape.result(size * (1 + place) + i)] * change;
            }
          });
    }
  }
}

template <typename T>
void SymbolicVectorSystem<T>::ThrowMissing(const Context<T>& context,
                                           const Computation& computation,
                                           const Expression& e) const {
  if constexpr (!std::is_same_v<T, Expression>) {
    Environment environment;
    ForEachValue(context, computation, [&](int place, const T& value) {
      const double number = ToDouble(value);
      // One without a number is then said to have none.
      if (!std::isnan(number)) environment.insert(variables_[place], number);
    });
    e.Evaluate(environment);
  }
  throw std::runtime_error(fmt::format(
      "SymbolicVectorSystem: in {}, the value of {} is not a number.",
      this->GetSystemPathname(), e.to_string().substr(0, 200)));
}

template <typename T>
void SymbolicVectorSystem<T>::DoCalcTimeDerivatives(
    const Context<T>& context, ContinuousState<T>* derivatives) const {
  if (derivatives->size() == 0) return;
  Compute(context, dynamics_, &derivatives->get_mutable_vector());
}

template <typename T>
EventStatus SymbolicVectorSystem<T>::Update(const Context<T>& context,
                                            DiscreteValues<T>* xd) const {
  Compute(context, dynamics_, &xd->get_mutable_vector(0));
  return EventStatus::Succeeded();
}

template <typename T>
void SymbolicVectorSystem<T>::CalcOutput(const Context<T>& context,
                                         BasicVector<T>* y) const {
  Compute(context, output_, y);
}

template class SymbolicVectorSystem<double>;
#if WYVERN_AUTODIFF
template class SymbolicVectorSystem<AutoDiffXd>;
#endif
template class SymbolicVectorSystem<Expression>;

}  // namespace wyvern::systems
