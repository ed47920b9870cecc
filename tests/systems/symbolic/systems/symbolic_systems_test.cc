// Systems of the library and of users as expressions: what converts, what it
// computes, and what is refused.
#include <cmath>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/systems/symbolic/systems/symbolic_test_systems.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/adder.h"
#include "wyvern/systems/primitives/constant_value_source.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/demultiplexer.h"
#include "wyvern/systems/primitives/discrete_derivative.h"
#include "wyvern/systems/primitives/discrete_time_delay.h"
#include "wyvern/systems/primitives/discrete_time_integrator.h"
#include "wyvern/systems/primitives/first_order_low_pass_filter.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/linear/linear_system.h"
#include "wyvern/systems/primitives/linear/matrix_gain.h"
#include "wyvern/systems/primitives/multiplexer.h"
#include "wyvern/systems/primitives/pass_through.h"
#include "wyvern/systems/primitives/saturation.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/sparse_matrix_gain.h"
#include "wyvern/systems/primitives/zero_order_hold.h"
#include "wyvern/systems/symbolic/systems/system_symbolic_inspector.h"

namespace wyvern::systems {
namespace {

using symbolic::Environment;
using symbolic::Expression;
using symbolic::Variable;

// Puts numbers on every vector input and state of `system` and its symbolic
// form, and compares outputs, derivatives and updates.
void ExpectSameComputations(const System<double>& system) {
  SCOPED_TRACE(system.GetSystemType());
  const auto symbolic = system.ToSymbolic();
  EXPECT_EQ(symbolic->get_name(), system.get_name());
  const SystemSymbolicInspector inspector(*symbolic);
  auto context = system.CreateDefaultContext();
  Environment env;
  double next = 0.3;
  const auto number = [&](const VectorX<Variable>& variables) {
    Eigen::VectorXd result(variables.size());
    for (int i = 0; i < result.size(); ++i) {
      next = std::fmod(1.7 * next + 0.61, 2.3);
      result[i] = next - 1.1;
      env.insert(variables[i], result[i]);
    }
    return result;
  };
  env.insert(inspector.time(), 0.7);
  context->SetTime(0.7);
  for (int i = 0; i < system.num_input_ports(); ++i) {
    system.get_input_port(i).FixValue(context.get(),
                                      number(inspector.input(i)));
  }
  if (context->num_continuous_states() > 0) {
    context->SetContinuousState(number(inspector.continuous_state()));
  }
  for (int i = 0; i < context->num_discrete_state_groups(); ++i) {
    context->SetDiscreteState(i, number(inspector.discrete_state(i)));
  }
  for (int i = 0; i < context->num_numeric_parameter_groups(); ++i) {
    context->get_mutable_numeric_parameter(i).SetFromVector(
        number(inspector.numeric_parameters(i)));
  }
  const auto expect_near = [&](const VectorX<Expression>& expressions,
                               const Eigen::VectorXd& wanted) {
    ASSERT_EQ(expressions.size(), wanted.size());
    for (int i = 0; i < wanted.size(); ++i) {
      EXPECT_NEAR(expressions[i].Evaluate(env), wanted[i], 1e-14)
          << expressions[i];
    }
  };
  for (int i = 0; i < system.num_output_ports(); ++i) {
    expect_near(inspector.output(i), system.get_output_port(i).Eval(*context));
  }
  expect_near(inspector.derivatives(),
              system.EvalTimeDerivatives(*context).CopyToVector());
  if (inspector.time_period() > 0) {
    const auto& updated = system.EvalUniquePeriodicDiscreteUpdate(*context);
    for (int i = 0; i < updated.num_groups(); ++i) {
      expect_near(inspector.discrete_update(i), updated.value(i));
    }
  }
  // And there and back again.
  const auto back = symbolic->ToScalarType<double>();
  EXPECT_EQ(back->GetSystemType(), system.GetSystemType());
  EXPECT_EQ(back->num_input_ports(), system.num_input_ports());
  EXPECT_NE(symbolic->Clone(), nullptr);
}

TEST(SymbolicSystems, BlocksComputeTheSame) {
  const Eigen::Matrix2d M = (Eigen::Matrix2d() << 1, 2, -3, 0.5).finished();
  const Eigen::Vector2d v(-0.2, 0.4);
  ExpectSameComputations(Adder<double>(3, 2));
  ExpectSameComputations(ConstantVectorSource<double>(v));
  ExpectSameComputations(Demultiplexer<double>(4, 2));
  ExpectSameComputations(DiscreteDerivative<double>(2, 0.1));
  ExpectSameComputations(DiscreteTimeDelay<double>(0.1, 2, 2));
  ExpectSameComputations(DiscreteTimeIntegrator<double>(2, 0.1));
  ExpectSameComputations(FirstOrderLowPassFilter<double>(0.3, 2));
  ExpectSameComputations(Gain<double>(v));
  ExpectSameComputations(Integrator<double>(2));
  ExpectSameComputations(Multiplexer<double>(std::vector<int>{1, 2}));
  ExpectSameComputations(PassThrough<double>(2));
  ExpectSameComputations(Saturation<double>(v, Eigen::Vector2d(0, 0.5)));
  ExpectSameComputations(Sine<double>(2, 3, 0.5, 2));
  ExpectSameComputations(SparseMatrixGain<double>(M.sparseView()));
  ExpectSameComputations(ZeroOrderHold<double>(0.1, 2));
  ExpectSameComputations(MatrixGain<double>(M));
  ExpectSameComputations(LinearSystem<double>(M, M, M, M));
  ExpectSameComputations(AffineSystem<double>(M, M, v, M, M, v, 0.1));
}

TEST(SymbolicSystems, AbstractSourceConverts) {
  const ConstantValueSource<double> source(Value<std::string>("here"));
  const auto symbolic = source.ToSymbolic();
  const auto context = symbolic->CreateDefaultContext();
  EXPECT_EQ(symbolic->get_output_port(0).Eval<std::string>(*context), "here");
  // An abstract output does not prevent a System from being symbolic.
  EXPECT_FALSE(SystemSymbolicInspector::IsAbstract(*symbolic, *context));
}

// u -> gain -> integrator -> y, in a Diagram in a Diagram.
std::unique_ptr<Diagram<double>> MakeNested(bool with_stubborn) {
  DiagramBuilder<double> inner;
  auto* gain = inner.AddNamedSystem<Gain<double>>("k", 2.0, 1);
  auto* integrator = inner.AddNamedSystem<Integrator<double>>("x", 1);
  inner.Connect(*gain, *integrator);
  inner.ExportInput(gain->get_input_port(), "u");
  inner.ExportOutput(integrator->get_output_port(), "y");
  if (with_stubborn) inner.AddNamedSystem<test::Numeric<double>>("stubborn");
  DiagramBuilder<double> outer;
  auto* plant = outer.AddNamedSystem("plant", inner.Build());
  auto* pendulum = outer.AddNamedSystem<test::Pendulum<double>>("pendulum");
  outer.Connect(plant->get_output_port(0), pendulum->get_input_port());
  outer.ExportInput(plant->get_input_port(0), "u");
  outer.ExportOutput(pendulum->get_output_port(0), "state");
  auto result = outer.Build();
  result->set_name("nested");
  return result;
}

TEST(SymbolicSystems, DiagramsComputeTheSame) {
  const auto diagram = MakeNested(false);
  ExpectSameComputations(*diagram);
  const auto symbolic = System<double>::ToSymbolic(*diagram);
  static_assert(std::is_same_v<decltype(symbolic),
                               const std::unique_ptr<Diagram<Expression>>>);
  EXPECT_TRUE(symbolic->HasSubsystemNamed("pendulum"));
}

TEST(SymbolicSystems, WhatHasNoSymbolicFormIsRefused) {
  const test::Numeric<double> numeric;
  EXPECT_EQ(numeric.ToSymbolicMaybe(), nullptr);
  EXPECT_NE(numeric.ToAutoDiffXdMaybe(), nullptr);
  EXPECT_THROWS_MESSAGE(numeric.ToSymbolic(), std::logic_error, "Numeric");
  EXPECT_THROWS_MESSAGE(numeric.ToSymbolic(), std::logic_error, "Expression");
  const auto diagram = MakeNested(true);
  EXPECT_EQ(diagram->ToSymbolicMaybe(), nullptr);
  EXPECT_NE(diagram->ToAutoDiffXdMaybe(), nullptr);
}

TEST(SymbolicSystems, ExternalConstraintsComeAlong) {
  test::Pendulum<double> pendulum;
  const auto calc = [](const auto&, const auto& context, auto* value) {
    *value = context.get_continuous_state_vector().CopyToVector();
  };
  const SystemConstraintBounds bounds(Eigen::Vector2d(-1, -2),
                                      Eigen::Vector2d(1, 2));
  pendulum.AddExternalConstraint(
      ExternalSystemConstraint::MakeForAllScalars("both", bounds, calc));
  const auto symbolic = pendulum.ToSymbolic();
  const SystemSymbolicInspector inspector(*symbolic);
  const auto& x = inspector.continuous_state();
  std::set<std::string> got, wanted;
  for (const auto& f : inspector.constraints()) got.insert(f.to_string());
  for (const auto& f : {x[0] >= -1, x[0] <= 1, x[1] >= -2, x[1] <= 2}) {
    wanted.insert(f.to_string());
  }
  EXPECT_EQ(got, wanted);

  pendulum.AddExternalConstraint(
      ExternalSystemConstraint::MakeForNonsymbolicScalars("numbers", bounds,
                                                          calc));
  EXPECT_THROW(SystemSymbolicInspector(*pendulum.ToSymbolic()),
               std::logic_error);
}

TEST(SymbolicSystems, ContextsAreWrittenWithVariables) {
  const auto symbolic = test::Pendulum<double>().ToSymbolic();
  const auto context = symbolic->CreateDefaultContext();
  context->SetTime(Variable("when"));
  context->SetContinuousState(
      Vector2<Expression>(Variable("theta"), Variable("w") + 1));
  const std::string text = context->to_string();
  EXPECT_NE(text.find("Time: when"), std::string::npos) << text;
  EXPECT_NE(text.find("theta (1 + w)"), std::string::npos) << text;
  // Known values are checked as before.
  EXPECT_THROW(context->SetTime(std::numeric_limits<double>::infinity()),
               std::runtime_error);
  EXPECT_THROW(context->SetContinuousState(
                   Vector2<Expression>(Variable("theta"), Expression::NaN())),
               std::runtime_error);
}

TEST(SymbolicSystems, LimitsOfSaturationMayBeVariables) {
  const Saturation<Expression> saturation(1);
  const auto context = saturation.CreateDefaultContext();
  const Variable u("u"), low("low"), high("high");
  const auto fix = [&](const InputPort<Expression>& port, const Expression& e) {
    port.FixValue(context.get(), Vector1<Expression>(e));
  };
  fix(saturation.get_input_port(), u);
  fix(saturation.get_min_value_port(), low);
  fix(saturation.get_max_value_port(), high);
  const Expression y = saturation.get_output_port().Eval(*context)[0];
  EXPECT_EQ(y.Evaluate({{u, 3}, {low, -1}, {high, 2}}), 2);
  EXPECT_EQ(y.Evaluate({{u, -3}, {low, -1}, {high, 2}}), -1);
  EXPECT_EQ(y.Evaluate({{u, 0.5}, {low, -1}, {high, 2}}), 0.5);
  fix(saturation.get_min_value_port(), high + 1);
  EXPECT_THROW(saturation.get_output_port().Eval(*context), std::logic_error);
}

}  // namespace
}  // namespace wyvern::systems
