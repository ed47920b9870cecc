#include "wyvern/systems/primitives/linear/linearization.h"

#include "wyvern/systems/common/check_argument.h"

#include <optional>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/system.h"
#include "wyvern/systems/primitives/linear/linear_system.h"

/* Both functions do the same until the end: choose the ports, tell the kind of
state, convert the System to AutoDiffXd with the Context's values, make [x;
u] its variables, and evaluate once. Ports that were not chosen keep their
values as constants. For a discrete System the right-hand side is x[n+1] and
not a change, so an equilibrium is where it equals x. A result that depends
on no variable comes without derivatives, which means that they are zero. */

/* f(x, u) near (x0, u0) is f0 + A (x - x0) + B (u - u0), y likewise with C and
D. The four matrices are derivatives by AutoDiffXd of one evaluation with [x; u]
as variables: exact to rounding, in O(n + m) times the cost of f. Linearize()
wants f0 = 0, or x0 = f0 for a discrete System, to its tolerance; the Taylor
approximation keeps f0 - A x0 - B u0 as a constant. */

namespace wyvern::systems {

namespace {

using InputChoice = std::variant<InputPortSelection, InputPortIndex>;
using OutputChoice = std::variant<OutputPortSelection, OutputPortIndex>;

// value + jacobian [x - x0; u - u0].
struct FirstOrder {
  Eigen::VectorXd value;
  Eigen::MatrixXd jacobian;
};

struct Approximation {
  Eigen::VectorXd x0;
  Eigen::VectorXd u0;
  FirstOrder rhs;  // dx/dt or x[n+1].
  FirstOrder output;
  double time_period{};

  auto A() const { return rhs.jacobian.leftCols(x0.size()); }
  auto B() const { return rhs.jacobian.rightCols(u0.size()); }
  auto C() const { return output.jacobian.leftCols(x0.size()); }
  auto D() const { return output.jacobian.rightCols(u0.size()); }
};

// Variables number first, first + 1, ... out of `total`.
VectorX<AutoDiffXd> AsVariables(const Eigen::VectorXd& value, int first,
                                int total) {
  VectorX<AutoDiffXd> result(value.size());
  for (int i = 0; i < value.size(); ++i) {
    result[i] = AutoDiffXd(value[i], total, first + i);
  }
  return result;
}

FirstOrder ToFirstOrder(const VectorX<AutoDiffXd>& f, int num_variables) {
  FirstOrder result;
  result.value = ToDouble(f);
  result.jacobian.setZero(f.size(), num_variables);
  for (int i = 0; i < f.size(); ++i) {
    // A constant may come without derivatives.
    if (f[i].derivatives().size() == 0) continue;
    result.jacobian.row(i) = f[i].derivatives().transpose();
  }
  return result;
}

// The update period; 0 for a continuous or stateless System.
double FindTimePeriod(const char* who, const System<double>& system,
                      const Context<double>& context) {
  if (context.is_stateless() || context.has_only_continuous_state()) return 0;
  std::optional<PeriodicEventData> timing;
  if (context.has_only_discrete_state() &&
      context.num_discrete_state_groups() == 1) {
    timing = system.GetUniquePeriodicDiscreteUpdateAttribute();
  }
  if (!timing.has_value()) {
    throw std::logic_error(fmt::format(
        "{}: '{}' has {} continuous states, {} discrete groups and {} abstract "
        "states; only continuous state, or one discrete group with one "
        "periodic update, can be approximated.",
        who, system.GetSystemPathname(), context.num_continuous_states(),
        context.num_discrete_state_groups(), context.num_abstract_states()));
  }
  return timing->period_sec();
}

template <typename Port>
void RequireVectorValued(const char* who, const Port* port) {
  if (port == nullptr || port->get_data_type() == kVectorValued) return;
  throw std::logic_error(fmt::format(
      "{}: port '{}' is abstract-valued; choose a vector-valued port, or none "
      "by kNoInput or kNoOutput.",
      who, port->get_name()));
}

Approximation Approximate(const char* who, const System<double>& system,
                          const Context<double>& context,
                          const InputChoice& input_choice,
                          const OutputChoice& output_choice) {
  system.ValidateContext(context);
  const InputPort<double>* input =
      system.get_input_port_selection(input_choice);
  const OutputPort<double>* output =
      system.get_output_port_selection(output_choice);
  RequireVectorValued(who, input);
  RequireVectorValued(who, output);

  Approximation result;
  result.time_period = FindTimePeriod(who, system, context);
  const bool is_discrete = result.time_period > 0;
  if (input != nullptr) result.u0 = input->Eval(context);
  if (!context.is_stateless()) {
    result.x0 = is_discrete
                    ? context.get_discrete_state(0).value()
                    : context.get_continuous_state_vector().CopyToVector();
  }
  const int n = static_cast<int>(result.x0.size());
  const int num_variables = n + static_cast<int>(result.u0.size());

  // Copy of the System and Context with [x; u] as variables.
  const auto ad_system = system.ToAutoDiffXd();
  // Without AutoDiffXd in the library that has thrown.
  if constexpr (kHasScalar<AutoDiffXd>) {
    const auto ad_context = ad_system->CreateDefaultContext();
    ad_context->SetTimeStateAndParametersFrom(context);
    ad_system->FixInputPortsFrom(system, context, ad_context.get());
    if (input != nullptr) {
      ad_system->get_input_port(input->get_index())
          .FixValue(ad_context.get(), AsVariables(result.u0, n, num_variables));
    }
    const VectorX<AutoDiffXd> x = AsVariables(result.x0, 0, num_variables);
    if (is_discrete) {
      ad_context->SetDiscreteState(0, x);
      result.rhs = ToFirstOrder(
          ad_system->EvalUniquePeriodicDiscreteUpdate(*ad_context).value(0),
          num_variables);
    } else {
      if (n > 0) ad_context->SetContinuousState(x);
      result.rhs = ToFirstOrder(
          ad_system->EvalTimeDerivatives(*ad_context).CopyToVector(),
          num_variables);
    }
    result.output.jacobian.setZero(0, num_variables);
    if (output != nullptr) {
      result.output = ToFirstOrder(
          ad_system->get_output_port(output->get_index()).Eval(*ad_context),
          num_variables);
    }
  }
  return result;
}

void RequireEquilibrium(const Approximation& a, double tolerance) {
  const Eigen::VectorXd change =
      a.time_period > 0 ? Eigen::VectorXd(a.rhs.value - a.x0) : a.rhs.value;
  for (int i = 0; i < change.size(); ++i) {
    if (std::abs(change[i]) <= tolerance) continue;
    throw std::runtime_error(fmt::format(
        "Linearize(): the operating point is not an equilibrium: {} of state "
        "{} is {}, more than the tolerance {}; find an equilibrium, or use "
        "FirstOrderTaylorApproximation().",
        a.time_period > 0 ? "the change in one period" : "the derivative", i,
        change[i], tolerance));
  }
}

}  // namespace

std::unique_ptr<LinearSystem<double>> Linearize(
    const System<double>& system, const Context<double>& context,
    InputChoice input_port_index, OutputChoice output_port_index,
    double equilibrium_check_tolerance) {
  wyvern::internal::RequireNonNegative("Linearize()",
                                       "equilibrium_check_tolerance",
                                       equilibrium_check_tolerance);
  const Approximation a = Approximate("Linearize()", system, context,
                                      input_port_index, output_port_index);
  RequireEquilibrium(a, equilibrium_check_tolerance);
  return std::make_unique<LinearSystem<double>>(a.A(), a.B(), a.C(), a.D(),
                                                a.time_period);
}

std::unique_ptr<AffineSystem<double>> FirstOrderTaylorApproximation(
    const System<double>& system, const Context<double>& context,
    InputChoice input_port_index, OutputChoice output_port_index) {
  const Approximation a =
      Approximate("FirstOrderTaylorApproximation()", system, context,
                  input_port_index, output_port_index);
  const Eigen::VectorXd f0 = a.rhs.value - a.A() * a.x0 - a.B() * a.u0;
  const Eigen::VectorXd y0 = a.output.value - a.C() * a.x0 - a.D() * a.u0;
  return std::make_unique<AffineSystem<double>>(a.A(), a.B(), f0, a.C(), a.D(),
                                                y0, a.time_period);
}

}  // namespace wyvern::systems
