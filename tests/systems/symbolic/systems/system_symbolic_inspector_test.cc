// Tests SystemSymbolicInspector on Systems whose equations are known.
#include "wyvern/systems/symbolic/systems/system_symbolic_inspector.h"

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/systems/symbolic/systems/symbolic_test_systems.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/constant_value_source.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/linear/linear_system.h"
#include "wyvern/systems/primitives/pass_through.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/symbolic/expression_matrix.h"

namespace wyvern::systems {
namespace {

using symbolic::Environment;
using symbolic::Expression;
using test::Crossed;

TEST(SystemSymbolicInspector, InputsThatOutputsDependOn) {
  const Crossed<double> crossed;
  const SystemSymbolicInspector inspector(*crossed.ToSymbolic());
  EXPECT_FALSE(inspector.IsConnectedInputToOutput(0, 0));
  EXPECT_TRUE(inspector.IsConnectedInputToOutput(1, 0));
  EXPECT_TRUE(inspector.IsConnectedInputToOutput(0, 1));
  EXPECT_FALSE(inspector.IsConnectedInputToOutput(1, 1));
  EXPECT_THROW(inspector.IsConnectedInputToOutput(2, 0), std::out_of_range);
  EXPECT_THROW(inspector.IsConnectedInputToOutput(0, -1), std::out_of_range);
}

TEST(SystemSymbolicInspector, ForcedUpdates) {
  const SystemSymbolicInspector inspector(*Crossed<double>().ToSymbolic());
  const auto& x = inspector.discrete_state(0);
  EXPECT_EQ(inspector.time_period(), 0);
  EXPECT_EQ(inspector.num_discrete_groups(), 1);
  EXPECT_TRUE(
      inspector.discrete_update(0)[0].EqualTo(pow(x[0], 2) + inspector.time()));
  EXPECT_FALSE(inspector.IsTimeInvariant());
  EXPECT_FALSE(inspector.HasAffineDynamics());
  EXPECT_THROW(inspector.discrete_update(1), std::out_of_range);
  EXPECT_THROW(inspector.discrete_state(-1), std::out_of_range);
}

TEST(SystemSymbolicInspector, TimeAndAffineDynamics) {
  const Eigen::Matrix2d M = (Eigen::Matrix2d() << 1, 2, -3, 0.5).finished();
  const SystemSymbolicInspector affine(
      *AffineSystem<double>(M, M, Eigen::Vector2d(1, 2), M, 0 * M,
                            Eigen::Vector2d(3, 4), 0.5)
           .ToSymbolic());
  EXPECT_TRUE(affine.IsTimeInvariant());
  EXPECT_TRUE(affine.HasAffineDynamics());
  EXPECT_FALSE(affine.IsConnectedInputToOutput(0, 0));
  EXPECT_EQ(affine.time_period(), 0.5);
  EXPECT_EQ(affine.discrete_update(0)[1],
            -3 * affine.discrete_state(0)[0] +
                0.5 * affine.discrete_state(0)[1] - 3 * affine.input(0)[0] +
                0.5 * affine.input(0)[1] + 2);

  const SystemSymbolicInspector sine(*Sine<double>(1, 2, 3, 1).ToSymbolic());
  EXPECT_FALSE(sine.IsTimeInvariant());
  EXPECT_TRUE(sine.HasAffineDynamics());
  EXPECT_TRUE(sine.output(0)[0].EqualTo(sin(2 * sine.time() + 3)));

  const SystemSymbolicInspector pendulum(
      *test::Pendulum<double>().ToSymbolic());
  EXPECT_TRUE(pendulum.IsTimeInvariant());
  EXPECT_FALSE(pendulum.HasAffineDynamics());
  EXPECT_TRUE(pendulum.constraints().empty());
}

TEST(SystemSymbolicInspector, AbstractSystemsGetCautiousAnswers) {
  const SystemSymbolicInspector inspector(
      *PassThrough<double>(Value<int>(3)).ToSymbolic());
  EXPECT_TRUE(inspector.IsConnectedInputToOutput(0, 0));
  EXPECT_FALSE(inspector.IsTimeInvariant());
  EXPECT_FALSE(inspector.HasAffineDynamics());
  EXPECT_THROW(inspector.output(0), std::logic_error);
  EXPECT_THROW(inspector.derivatives(), std::logic_error);
}

TEST(SystemSymbolicInspector, AnAbstractOutputAloneHasCautiousAnswers) {
  DiagramBuilder<double> builder;
  auto* source = builder.AddSystem<ConstantValueSource<double>>(Value<int>(3));
  auto* gain = builder.AddSystem<Gain<double>>(2.0, 1);
  builder.ExportInput(gain->get_input_port());
  builder.ExportOutput(source->get_output_port());
  builder.ExportOutput(gain->get_output_port());
  const SystemSymbolicInspector inspector(*builder.Build()->ToSymbolic());
  EXPECT_TRUE(inspector.IsConnectedInputToOutput(0, 0));
  EXPECT_TRUE(inspector.IsConnectedInputToOutput(0, 1));
  EXPECT_FALSE(inspector.IsTimeInvariant());
  EXPECT_TRUE(inspector.HasAffineDynamics());
  EXPECT_THROWS_MESSAGE(inspector.output(0), std::logic_error,
                        "output port 0 is abstract");
  EXPECT_TRUE(inspector.output(1)[0].EqualTo(2 * inspector.input(0)[0]));
}

// Linearization by expressions equals Linearize(), which uses AutoDiffXd.
void ExpectSameLinearization(const System<double>& system,
                             const Context<double>& context) {
  const auto wanted = FirstOrderTaylorApproximation(system, context);
  const SystemSymbolicInspector inspector(*system.ToSymbolic());
  const SymbolicLinearization got = LinearizeSymbolically(inspector);
  Environment env;
  const Eigen::VectorXd x =
      context.num_continuous_states() > 0
          ? context.get_continuous_state_vector().CopyToVector()
          : context.get_discrete_state(0).value();
  for (int i = 0; i < x.size(); ++i) env.insert(got.x[i], x[i]);
  const Eigen::VectorXd u = system.get_input_port(0).Eval(context);
  for (int i = 0; i < u.size(); ++i) env.insert(got.u[i], u[i]);
  for (int i = 0; i < context.num_numeric_parameter_groups(); ++i) {
    const auto& p = context.get_numeric_parameter(i).value();
    for (int j = 0; j < p.size(); ++j) {
      env.insert(inspector.numeric_parameters(i)[j], p[j]);
    }
  }
  const auto expect_near = [&](const MatrixX<Expression>& m,
                               const Eigen::MatrixXd& w) {
    ASSERT_EQ(m.rows(), w.rows());
    ASSERT_EQ(m.cols(), w.cols());
    EXPECT_LE((symbolic::Evaluate(m, env) - w).cwiseAbs().maxCoeff(), 1e-12);
  };
  expect_near(got.A, wanted->A());
  expect_near(got.B, wanted->B());
  expect_near(got.C, wanted->C());
  expect_near(got.D, wanted->D());
}

TEST(LinearizeSymbolically, AgreesWithAutoDiff) {
  const test::Pendulum<double> pendulum;
  const auto context = pendulum.CreateDefaultContext();
  pendulum.get_input_port().FixValue(context.get(), 0.4);
  for (const double angle : {0.0, 0.8, -2.5}) {
    context->SetContinuousState(Eigen::Vector2d(angle, 0.3));
    ExpectSameLinearization(pendulum, *context);
  }
  const Eigen::Matrix2d M = (Eigen::Matrix2d() << 1, 2, -3, 0.5).finished();
  const LinearSystem<double> discrete(M, 2 * M, 3 * M, 4 * M, 0.1);
  const auto discrete_context = discrete.CreateDefaultContext();
  discrete.get_input_port().FixValue(discrete_context.get(),
                                     Eigen::Vector2d(1, 2));
  ExpectSameLinearization(discrete, *discrete_context);
}

TEST(LinearizeSymbolically, PortsMayBeLeftOutAndMustBeThere) {
  const SystemSymbolicInspector inspector(
      *test::Pendulum<double>().ToSymbolic());
  const auto without = LinearizeSymbolically(inspector, -1, -1);
  EXPECT_EQ(without.A.rows(), 2);
  EXPECT_EQ(without.B.cols(), 0);
  EXPECT_EQ(without.C.rows(), 0);
  EXPECT_THROW(LinearizeSymbolically(inspector, 1, 0), std::out_of_range);
  DiagramBuilder<double> builder;
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(1, 1);
  const Eigen::MatrixXd none;
  builder.AddSystem<LinearSystem<double>>(one, none, none, none);
  builder.AddSystem<LinearSystem<double>>(one, none, none, none, 0.1);
  const SystemSymbolicInspector mixed(*builder.Build()->ToSymbolic());
  EXPECT_THROW(LinearizeSymbolically(mixed, -1, -1), std::logic_error);
}

}  // namespace
}  // namespace wyvern::systems
