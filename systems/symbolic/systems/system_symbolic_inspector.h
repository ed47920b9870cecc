#pragma once

#include <memory>
#include <set>
#include <vector>

#include "wyvern/systems/framework/system.h"
#include "wyvern/systems/symbolic/formula.h"

namespace wyvern::systems {

/** Returns the equations of a System, as expressions in variables for its time,
state, parameters and inputs:
@code
const Integrator<double> integrator(2);
const auto symbolic = integrator.ToSymbolic();
const SystemSymbolicInspector inspector(*symbolic);
inspector.derivatives();            // in inspector.continuous_state(), ...
inspector.IsConnectedInputToOutput(0, 0);
@endcode
The variables are t, xc0, xc1, ..., xd0_0 (of group 0), p0_0 (of parameter 0)
and u0_0 (of input port 0). For a System with abstract inputs, state or
parameters, and for an abstract output, the answers are conservative, because
the equations are unknown. */
class SystemSymbolicInspector {
 public:
  /** Evaluates everything once.
  @throws what the computations of `system` do, std::runtime_error where one of
  them decides by the value of a variable. */
  explicit SystemSymbolicInspector(const System<symbolic::Expression>& system);
  /** Uses the parameters that the Context `parameters` of the System has,
  instead of variables for them: a MultibodyPlant has dozens per body.
  @throws as above; std::logic_error if it is a Context of another System. */
  SystemSymbolicInspector(const System<symbolic::Expression>& system,
                          const Context<symbolic::Expression>& parameters);

  /** Whether output port `output_port_index` depends on input port
  `input_port_index` directly, not through state.
  @throws std::out_of_range of an index that is not there. */
  bool IsConnectedInputToOutput(int input_port_index,
                                int output_port_index) const;
  /** Whether no derivative, update or output has t in it. */
  bool IsTimeInvariant() const;
  /** Whether derivatives and updates are affine in state and inputs; their
  coefficients may depend on t and parameters. */
  bool HasAffineDynamics() const;

  /** Returns whether an input, a part of the state or a parameter of the System
  is not a vector of numbers. */
  static bool IsAbstract(const System<symbolic::Expression>& system,
                         const Context<symbolic::Expression>& context);

  /** @name Variables
  By port, group and parameter; std::out_of_range of an index that is not there.
  @{ */
  /** Returns t. */
  const symbolic::Variable& time() const { return time_; }
  /** Returns the elements of input port i. */
  const VectorX<symbolic::Variable>& input(int i) const;
  /** Returns the elements of the continuous state. */
  const VectorX<symbolic::Variable>& continuous_state() const { return xc_; }
  /** Returns the elements of group i. */
  const VectorX<symbolic::Variable>& discrete_state(int i) const;
  /** Returns how many groups of discrete state there are. */
  int num_discrete_groups() const { return static_cast<int>(xd_.size()); }
  /** Returns the elements of parameter i; no expression has them if a Context
  gave values. */
  const VectorX<symbolic::Variable>& numeric_parameters(int i) const;
  /** @} */

  /** @name Expressions in these variables
  @throws std::logic_error for an abstract System or output. @{ */
  /** Returns ẋc, the derivatives of the continuous state. */
  const VectorX<symbolic::Expression>& derivatives() const;
  /** The next value of group i: by the one periodic update, or the forced one
  if there is none. */
  const VectorX<symbolic::Expression>& discrete_update(int i) const;
  /** Returns the elements of output port i. */
  const VectorX<symbolic::Expression>& output(int i) const;
  /** lower <= element <= upper, of each element of each constraint. */
  const std::set<symbolic::Formula>& constraints() const;
  /** Seconds between updates; 0 if there is not one periodic update. */
  double time_period() const { return time_period_; }
  /** @} */

 private:
  SystemSymbolicInspector(const System<symbolic::Expression>& system,
                          const Context<symbolic::Expression>* parameters);
  void RequireNumeric(const char* function) const;

  bool is_abstract_{};
  double time_period_{};
  symbolic::Variable time_{"t"};
  std::vector<VectorX<symbolic::Variable>> inputs_;
  VectorX<symbolic::Variable> xc_;
  std::vector<VectorX<symbolic::Variable>> xd_;
  std::vector<VectorX<symbolic::Variable>> parameters_;
  VectorX<symbolic::Expression> derivatives_;
  std::vector<VectorX<symbolic::Expression>> updates_;
  std::vector<VectorX<symbolic::Expression>> outputs_;
  std::vector<bool> is_abstract_output_;
  std::set<symbolic::Formula> constraints_;
};

/** The derivatives of a System's dynamics and of one output, exact wherever
they are evaluated: of a continuous one ẋ = f(x, u), A = ∂f/∂x, B = ∂f/∂u; of a
discrete one the same of its update. C = ∂y/∂x, D = ∂y/∂u. */
struct SymbolicLinearization {
  /** The state: continuous, or the one discrete group. */
  VectorX<symbolic::Variable> x;
  /** Empty if there is no input. */
  VectorX<symbolic::Variable> u;
  /** ∂f/∂x, an entry a pair of states. */
  MatrixX<symbolic::Expression> A;
  /** ∂f/∂u, a row a state and a column an input. */
  MatrixX<symbolic::Expression> B;
  /** ∂y/∂x, a row an output and a column a state. */
  MatrixX<symbolic::Expression> C;
  /** ∂y/∂u, a row an output and a column an input. */
  MatrixX<symbolic::Expression> D;
};

/** At an equilibrium, with numbers for its variables, Linearize() of the same
ports gives the same matrices.
@param input_port, output_port the index of a port, or -1 for none
@throws std::logic_error if the System is abstract, or has continuous and
discrete state, or two groups; std::out_of_range of a port that is not there. */
SymbolicLinearization LinearizeSymbolically(
    const SystemSymbolicInspector& inspector, int input_port = 0,
    int output_port = 0);

}  // namespace wyvern::systems
