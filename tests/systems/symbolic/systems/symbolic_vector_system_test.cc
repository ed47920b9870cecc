// SymbolicVectorSystem: what its expressions say, for every scalar, and how it
// refuses what they cannot mean.
#include "wyvern/systems/symbolic/systems/symbolic_vector_system.h"

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/systems/symbolic/systems/symbolic_test_systems.h"
#include "wyvern/systems/symbolic/systems/system_symbolic_inspector.h"

namespace wyvern::systems {
namespace {

using symbolic::Expression;
using symbolic::Variable;

struct Oscillator {
  Variable t{"t"}, q{"q"}, w{"w"}, u{"u"}, m{"m"}, k{"k"};
  template <typename T = double>
  std::unique_ptr<SymbolicVectorSystem<T>> Make(double period = 0) const {
    return SymbolicVectorSystemBuilder()
        .time(t)
        .state(Vector2<Variable>(q, w))
        .input(u)
        .parameter(Vector2<Variable>(m, k))
        .dynamics(Vector2<Expression>(w, (u - k * sin(q) + cos(t)) / m))
        .output(Vector2<Expression>(q * w, if_then_else(q > 0, sqrt(q), 0.0)))
        .time_period(period)
        .Build<T>();
  }
};

template <typename T>
std::unique_ptr<Context<T>> ContextOf(const SymbolicVectorSystem<T>& system) {
  auto context = system.CreateDefaultContext();
  context->SetTime(T(0.3));
  const Vector2<T> x(T(0.5), T(-2));
  if (system.time_period() > 0) {
    context->SetDiscreteState(0, x);
  } else {
    context->SetContinuousState(x);
  }
  system.get_input_port().FixValue(context.get(), Vector1<T>(T(0.7)));
  context->get_mutable_numeric_parameter(0).SetFromVector(
      Vector2<T>(T(2), T(3)));
  return context;
}

const double kAcceleration = (0.7 - 3 * std::sin(0.5) + std::cos(0.3)) / 2;

TEST(SymbolicVectorSystem, NumbersOfContinuousOnes) {
  const auto system = Oscillator().Make();
  const auto context = ContextOf(*system);
  const auto& derivatives = system->EvalTimeDerivatives(*context);
  EXPECT_EQ(derivatives[0], -2);
  EXPECT_NEAR(derivatives[1], kAcceleration, 1e-15);
  const Eigen::VectorXd y = system->get_output_port().Eval(*context);
  EXPECT_EQ(y[0], -1);
  EXPECT_NEAR(y[1], std::sqrt(0.5), 1e-15);
  // The branch that is not taken has no value.
  context->SetContinuousState(Eigen::Vector2d(-0.5, 1));
  EXPECT_EQ(system->get_output_port().Eval(*context)[1], 0);
}

TEST(SymbolicVectorSystem, NumbersOfDiscreteOnes) {
  const auto system = Oscillator().Make(0.1);
  const auto context = ContextOf(*system);
  const auto& updated = system->EvalUniquePeriodicDiscreteUpdate(*context);
  EXPECT_EQ(updated[0], -2);
  EXPECT_NEAR(updated[1], kAcceleration, 1e-15);
  double period = 0;
  EXPECT_TRUE(system->IsDifferenceEquationSystem(&period));
  EXPECT_EQ(period, 0.1);
}

TEST(SymbolicVectorSystem, ForcedUpdatesOfDiscreteOnesAreTheirUpdates) {
  const auto system = Oscillator().Make(0.1);
  const auto context = ContextOf(*system);
  const auto updated = system->AllocateDiscreteVariables();
  system->CalcForcedDiscreteVariableUpdate(*context, updated.get());
  EXPECT_EQ((*updated)[0], -2);
  EXPECT_NEAR((*updated)[1], kAcceleration, 1e-15);
}

TEST(SymbolicVectorSystem, DerivativesOfAutoDiff) {
  const auto system = Oscillator().Make<AutoDiffXd>();
  const auto context = ContextOf(*system);
  // By t, q, w, u, m, k, of which t is twice as fast.
  AutoDiffXd t(0.3, 6, 0);
  t.derivatives() *= 2;
  context->SetTime(t);
  context->SetContinuousState(
      Vector2<AutoDiffXd>(AutoDiffXd(0.5, 6, 1), AutoDiffXd(-2, 6, 2)));
  system->get_input_port().FixValue(context.get(),
                                    Vector1<AutoDiffXd>(AutoDiffXd(0.7, 6, 3)));
  context->get_mutable_numeric_parameter(0).SetFromVector(
      Vector2<AutoDiffXd>(AutoDiffXd(2, 6, 4), AutoDiffXd(3, 6, 5)));
  const AutoDiffXd a = system->EvalTimeDerivatives(*context)[1];
  EXPECT_NEAR(a.value(), kAcceleration, 1e-15);
  const Vector6<double> wanted =
      (Vector6<double>() << -std::sin(0.3), -1.5 * std::cos(0.5), 0, 0.5,
       -kAcceleration / 2, -0.5 * std::sin(0.5))
          .finished();
  EXPECT_LE((a.derivatives() - wanted).cwiseAbs().maxCoeff(), 1e-15);
  const AutoDiffXd y = system->get_output_port().Eval(*context)[1];
  EXPECT_NEAR(y.derivatives()[1], 0.5 / std::sqrt(0.5), 1e-15);
}

TEST(SymbolicVectorSystem, ConvertsAmongAllScalars) {
  const Oscillator o;
  const auto system = o.Make();
  const auto symbolic = System<double>::ToSymbolic(*system);
  EXPECT_NE(system->ToAutoDiffXdMaybe(), nullptr);
  EXPECT_NE(system->Clone(), nullptr);
  const SystemSymbolicInspector inspector(*symbolic);
  const auto& x = inspector.continuous_state();
  const auto& p = inspector.numeric_parameters(0);
  EXPECT_TRUE(inspector.derivatives()[1].EqualTo(
      (inspector.input(0)[0] - p[1] * sin(x[0]) + cos(inspector.time())) /
      p[0]));
  EXPECT_TRUE(system->dynamics_for_variable(o.q).EqualTo(o.w));
  EXPECT_THROW(system->dynamics_for_variable(o.u), std::logic_error);
}

TEST(SymbolicVectorSystem, InputsFeedThroughWhereTheyAre) {
  const Variable x("x"), u("u"), v("v");
  const auto through = SymbolicVectorSystemBuilder()
                           .state(x)
                           .input(u)
                           .dynamics(u)
                           .output(x)
                           .Build();
  EXPECT_FALSE(through->HasAnyDirectFeedthrough());
  // The input is not evaluated either.
  const auto context = through->CreateDefaultContext();
  EXPECT_EQ(through->get_output_port().Eval(*context)[0], 0);
  EXPECT_THROW(through->EvalTimeDerivatives(*context), std::logic_error);
  EXPECT_TRUE(SymbolicVectorSystemBuilder()
                  .input(Vector2<Variable>(u, v))
                  .output(2 * v)
                  .Build()
                  ->HasDirectFeedthrough(0, 0));
}

TEST(SymbolicVectorSystem, StepsDoNotAllocate) {
  const auto system = Oscillator().Make();
  const auto context = ContextOf(*system);
  auto derivatives = system->AllocateTimeDerivatives();
  system->CalcTimeDerivatives(*context, derivatives.get());
  system->get_output_port().Eval(*context);
  const Eigen::VectorXd x = Eigen::Vector2d(1, 2);
  context->SetContinuousState(x);
  const wyvern::test::AllocationGuard guard;
  system->CalcTimeDerivatives(*context, derivatives.get());
  system->get_output_port().Eval(*context);
  EXPECT_EQ(guard.count(), 0);
}

TEST(SymbolicVectorSystem, ValuesThatAreNotThere) {
  const Variable x("x");
  const auto derive = [](const SymbolicVectorSystemBuilder& builder) {
    const auto system = builder.Build();
    system->EvalTimeDerivatives(*system->CreateDefaultContext());
  };
  EXPECT_THROWS_MESSAGE(
      derive(SymbolicVectorSystemBuilder().state(x).dynamics(1 / x)),
      std::runtime_error, "(1 / x)");
  const Variable p("p");
  EXPECT_THROWS_MESSAGE(
      derive(
          SymbolicVectorSystemBuilder().state(x).parameter(p).dynamics(p * x)),
      std::runtime_error, "'p' has no value");
  // Where a derivative is not there.
  const auto kink =
      SymbolicVectorSystemBuilder().state(x).dynamics(abs(x)).Build();
  EXPECT_EQ(kink->EvalTimeDerivatives(*kink->CreateDefaultContext())[0], 0);
  const auto ad = kink->ToAutoDiffXd();
  const auto ad_context = ad->CreateDefaultContext();
  ad_context->SetContinuousState(Vector1<AutoDiffXd>(AutoDiffXd(0.0, 1, 0)));
  EXPECT_THROW(ad->EvalTimeDerivatives(*ad_context), std::runtime_error);
}

TEST(SymbolicVectorSystem, BadInput) {
  const Variable x("x"), y("y");
  const auto part = [] { return SymbolicVectorSystemBuilder(); };
  EXPECT_THROWS_MESSAGE(part().state(x).input(x).dynamics(x).Build(),
                        std::logic_error, "'x' is there twice");
  EXPECT_THROWS_MESSAGE(part().state(x).dynamics(y).Build(), std::logic_error,
                        "variable 'y'");
  EXPECT_THROWS_MESSAGE(part().state(x).Build(), std::logic_error, "dynamics");
  EXPECT_THROWS_MESSAGE(part().state(x).dynamics(x).time_period(-1).Build(),
                        std::logic_error, "time_period");
  EXPECT_THROWS_MESSAGE(
      part()
          .output(symbolic::uninterpreted_function("f", {Expression(1)}))
          .Build(),
      std::logic_error, "nothing is known");
}

}  // namespace
}  // namespace wyvern::systems
