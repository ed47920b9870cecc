#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "wyvern/systems/framework/leaf_system.h"
#include "wyvern/systems/symbolic/algebra/expression_tape.h"

namespace wyvern::systems {

template <typename T>
class SymbolicVectorSystem;

namespace internal {
/** Equations of a SymbolicVectorSystem of any scalar. */
struct SymbolicEquations {
  std::optional<symbolic::Variable> time;
  VectorX<symbolic::Variable> state;
  VectorX<symbolic::Variable> input;
  VectorX<symbolic::Variable> parameter;
  VectorX<symbolic::Expression> dynamics;
  VectorX<symbolic::Expression> output;
  double time_period{};
};
}  // namespace internal

/** A System that is given by expressions.

    continuous (time_period = 0):     dx/dt  = dynamics(t, x, u, p)
    discrete, every time_period [s]:  x[n+1] = dynamics(t, x[n], u, p)
    output:                           y      = output(t, x, u, p)

Input port u0 if there are inputs, output port y0 if there is an output; one
vector of parameters, whose elements a Context must be given before anything is
computed; state zero at first. The output depends on what is in it: an input
that is not feeds nothing through.

A value that the expressions have not there, as of 1 / x at 0, is
std::runtime_error, as of Expression::Evaluate().

@tparam T double, AutoDiffXd or symbolic::Expression. */
template <typename T>
class SymbolicVectorSystem final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(SymbolicVectorSystem);

  /** Makes a System from variables and expressions; period in seconds, 0:
  continuous.
  @throws std::logic_error if a variable is there twice, or in an expression
  but not among them; if there are not as many dynamics as states; if
  `time_period` is negative or not finite. */
  SymbolicVectorSystem(
      std::optional<symbolic::Variable> time,
      const Eigen::Ref<const VectorX<symbolic::Variable>>& state,
      const Eigen::Ref<const VectorX<symbolic::Variable>>& input,
      const Eigen::Ref<const VectorX<symbolic::Expression>>& dynamics,
      const Eigen::Ref<const VectorX<symbolic::Expression>>& output,
      double time_period = 0.0);
  /** Overload with parameters; it throws the same. */
  SymbolicVectorSystem(
      std::optional<symbolic::Variable> time,
      const Eigen::Ref<const VectorX<symbolic::Variable>>& state,
      const Eigen::Ref<const VectorX<symbolic::Variable>>& input,
      const Eigen::Ref<const VectorX<symbolic::Variable>>& parameter,
      const Eigen::Ref<const VectorX<symbolic::Expression>>& dynamics,
      const Eigen::Ref<const VectorX<symbolic::Expression>>& output,
      double time_period = 0.0);
  explicit SymbolicVectorSystem(internal::SymbolicEquations equations);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit SymbolicVectorSystem(const SymbolicVectorSystem<U>& other)
      : SymbolicVectorSystem(other.equations_) {}

  /** Returns the variable of time, if there is one. */
  const std::optional<symbolic::Variable>& time_var() const {
    return equations_.time;
  }
  /** Returns the state's variables. */
  const VectorX<symbolic::Variable>& state_vars() const {
    return equations_.state;
  }
  /** Returns the input's variables. */
  const VectorX<symbolic::Variable>& input_vars() const {
    return equations_.input;
  }
  /** Returns the parameters' variables. */
  const VectorX<symbolic::Variable>& parameter_vars() const {
    return equations_.parameter;
  }
  /** Returns the derivatives or next values, one per state. */
  const VectorX<symbolic::Expression>& dynamics() const {
    return equations_.dynamics;
  }
  /** Returns the expressions of the output. */
  const VectorX<symbolic::Expression>& output() const {
    return equations_.output;
  }
  /** Returns the seconds between updates; 0 in continuous time. */
  double time_period() const { return equations_.time_period; }
  /** The element of dynamics() of a state.
  @throws std::logic_error of another variable. */
  const symbolic::Expression& dynamics_for_variable(
      const symbolic::Variable& x) const;

 private:
  template <typename U>
  friend class SymbolicVectorSystem;

  // Expressions and, for AutoDiffXd, their derivatives by all variables.
  struct Computation {
    VectorX<symbolic::Expression> expressions;
    symbolic::ExpressionTape tape;
    const CacheEntry* registers{};
    bool has_input{};
  };

  void RequireSound() const;
  void DeclareComputation(const char* name,
                          const VectorX<symbolic::Expression>& expressions,
                          void (SymbolicVectorSystem::*calc)(const Context<T>&,
                                                             Eigen::VectorXd*)
                              const,
                          Computation* computation);
  std::set<DependencyTicket> TicketsOf(
      const VectorX<symbolic::Expression>& expressions) const;
  // Calls f(place, value) for each variable.
  template <typename F>
  void ForEachValue(const Context<T>& context, const Computation& computation,
                    const F& f) const;
  void CalcDynamicsRegisters(const Context<T>& context,
                             Eigen::VectorXd* registers) const;
  void CalcOutputRegisters(const Context<T>& context,
                           Eigen::VectorXd* registers) const;
  void Fill(const Context<T>& context, const Computation& computation,
            Eigen::VectorXd* registers) const;
  void Compute(const Context<T>& context, const Computation& computation,
               VectorBase<T>* result) const;
  [[noreturn]] void ThrowMissing(const Context<T>& context,
                                 const Computation& computation,
                                 const symbolic::Expression& e) const;

  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final;
  EventStatus Update(const Context<T>& context, DiscreteValues<T>* xd) const;
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;

  const internal::SymbolicEquations equations_;
  // Time, state, input, parameter.
  VectorX<symbolic::Variable> variables_;
  Computation dynamics_;
  Computation output_;
};

/** Names the parts of a SymbolicVectorSystem:
@code
const Variable x("x"), u("u");
const auto system = SymbolicVectorSystemBuilder()
                        .state(x).input(u).dynamics(u - pow(x, 3)).output(x)
                        .Build();
@endcode */
class SymbolicVectorSystemBuilder {
 public:
  /** Sets the variable of time. */
  SymbolicVectorSystemBuilder time(std::optional<symbolic::Variable> t) && {
    equations_.time = std::move(t);
    return std::move(*this);
  }
#define WYVERN_PART(name, Entry)                       \
  SymbolicVectorSystemBuilder name(const Entry& e)&& { \
    equations_.name = Vector1<Entry>(e);               \
    return std::move(*this);                           \
  }                                                    \
  SymbolicVectorSystemBuilder name(                    \
      const Eigen::Ref<const VectorX<Entry>>& v)&& {   \
    equations_.name = v;                               \
    return std::move(*this);                           \
  }                                                    \
  const VectorX<Entry>& name() const { return equations_.name; }
  WYVERN_PART(state, symbolic::Variable)
  WYVERN_PART(input, symbolic::Variable)
  WYVERN_PART(parameter, symbolic::Variable)
  WYVERN_PART(dynamics, symbolic::Expression)
  WYVERN_PART(output, symbolic::Expression)
#undef WYVERN_PART
  /** Makes the System discrete, with a period in seconds; 0: continuous. */
  SymbolicVectorSystemBuilder time_period(double period) && {
    equations_.time_period = period;
    return std::move(*this);
  }
  /** Returns the variable of time, if it was set. */
  const std::optional<symbolic::Variable>& time() const {
    return equations_.time;
  }
  /** Returns the seconds between updates; 0 unless it was set. */
  double time_period() const { return equations_.time_period; }

  /** Makes the System.
  @throws as the constructor of SymbolicVectorSystem. */
  template <typename T = double>
  std::unique_ptr<SymbolicVectorSystem<T>> Build() const {
    return std::make_unique<SymbolicVectorSystem<T>>(equations_);
  }

 private:
  internal::SymbolicEquations equations_;
};

}  // namespace wyvern::systems
