#include "wyvern/systems/framework/diagram.h"

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/systems/framework/test_systems.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::systems {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;
using test::Accumulator;
using test::FreeMass;
using test::Scale;

// u -> [x2] -> [x3] -> y inside, wrapped once more: outer u -> inner -> [x5].
struct Nested {
  Nested() {
    DiagramBuilder<double> inner_builder;
    two = inner_builder.AddNamedSystem<Scale>("two", 2.0);
    three = inner_builder.AddNamedSystem<Scale>("three", 3.0);
    inner_builder.Connect(*two, *three);
    inner_builder.ExportInput(two->get_input_port(), "in");
    inner_builder.ExportOutput(three->get_output_port(), "out");
    DiagramBuilder<double> builder;
    inner = builder.AddNamedSystem("inner", inner_builder.Build());
    five = builder.AddNamedSystem<Scale>("five", 5.0);
    mass = builder.AddNamedSystem<FreeMass>("mass");
    accumulator = builder.AddNamedSystem<Accumulator>("accumulator");
    builder.Connect(inner->get_output_port(), five->get_input_port());
    builder.Connect(five->get_output_port(), accumulator->get_input_port());
    builder.ExportInput(inner->get_input_port(), "u");
    builder.ExportOutput(five->get_output_port(), "y");
    diagram = builder.Build();
    diagram->set_name("outer");
    context = diagram->CreateDefaultContext();
  }
  const Scale<double>*two, *three, *five;
  const FreeMass<double>* mass;
  const Accumulator<double>* accumulator;
  const Diagram<double>* inner;
  std::unique_ptr<Diagram<double>> diagram;
  std::unique_ptr<Context<double>> context;
};

TEST(Diagram, OutputGoesThroughNestedConnections) {
  Nested n;
  n.diagram->get_input_port().FixValue(n.context.get(), 1.5);
  EXPECT_EQ(n.diagram->get_output_port().Eval(*n.context)[0], 1.5 * 30);
}

TEST(Diagram, ANewInputValueRecomputesDownstreamOnce) {
  Nested n;
  n.diagram->get_input_port().FixValue(n.context.get(), 1.0);
  n.diagram->get_output_port().Eval(*n.context);
  n.diagram->get_output_port().Eval(*n.context);
  EXPECT_EQ(n.five->count(), 1);
  n.diagram->get_input_port().FixValue(n.context.get(), 2.0);
  EXPECT_EQ(n.diagram->get_output_port().Eval(*n.context)[0], 60);
  EXPECT_EQ(n.five->count(), 2);
  n.context->SetTime(1.0);
  n.diagram->get_output_port().Eval(*n.context);
  EXPECT_EQ(n.five->count(), 2);
}

TEST(Diagram, ASubsystemInputFixedLaterWinsOverItsConnection) {
  Nested n;
  n.diagram->get_input_port().FixValue(n.context.get(), 1.0);
  EXPECT_EQ(n.diagram->get_output_port().Eval(*n.context)[0], 30);
  Context<double>& five_context =
      n.five->GetMyMutableContextFromRoot(n.context.get());
  n.five->get_input_port().FixValue(&five_context, 1.0);
  EXPECT_EQ(n.diagram->get_output_port().Eval(*n.context)[0], 5);
}

TEST(Diagram, AnUnconnectedRequiredPortNamesItself) {
  Nested n;
  EXPECT_THROWS_MESSAGE(n.diagram->get_output_port().Eval(*n.context),
                        std::logic_error,
                        "InputPort[0] (u) of System ::outer::inner::two");
}

TEST(Diagram, StateAndDerivativesAreThoseOfTheParts) {
  Nested n;
  n.diagram->get_input_port().FixValue(n.context.get(), 1.0);
  ASSERT_EQ(n.diagram->num_continuous_states(), 3);
  EXPECT_EQ(n.context->get_continuous_state().num_q(), 1);
  const ContinuousState<double>& xdot =
      n.diagram->EvalTimeDerivatives(*n.context);
  EXPECT_EQ(n.diagram->GetSubsystemDerivatives(*n.accumulator, xdot)[0], 30);
  EXPECT_EQ(n.diagram->GetSubsystemDerivatives(*n.mass, xdot)[0], 1);
  Context<double>& mass_context =
      n.mass->GetMyMutableContextFromRoot(n.context.get());
  mass_context.SetContinuousState(Vector2d(0, 4));
  EXPECT_EQ(
      n.diagram->EvalTimeDerivatives(*n.context).get_generalized_position()[0],
      4);
  EXPECT_EQ(n.diagram->EvalKineticEnergy(*n.context), 16);
}

TEST(Diagram, RootStateIsTheSubsystemsMemory) {
  Nested n;
  n.context->get_mutable_continuous_state()[2] = 9.0;
  const Context<double>& part = n.accumulator->GetMyContextFromRoot(*n.context);
  EXPECT_EQ(part.get_continuous_state()[0], 9.0);
  EXPECT_EQ(n.accumulator->get_output_port().Eval(part)[0], 9.0);
}

TEST(Diagram, PartsOfAContextCarryTheIdOfTheirSystem) {
  const Nested n;
  const auto clone = n.context->Clone();
  for (const Context<double>* context : {n.context.get(), clone.get()}) {
    EXPECT_EQ(context->get_state().get_system_id(), n.diagram->get_system_id());
    EXPECT_EQ(n.mass->GetMyContextFromRoot(*context)
                  .get_continuous_state()
                  .get_system_id(),
              n.mass->get_system_id());
  }
}

TEST(Diagram, ClonedContextGivesTheSameAndIsIndependent) {
  Nested n;
  n.diagram->get_input_port().FixValue(n.context.get(), 1.0);
  const auto clone = n.context->Clone();
  n.diagram->get_input_port().FixValue(clone.get(), 3.0);
  EXPECT_EQ(n.diagram->get_output_port().Eval(*clone)[0], 90);
  EXPECT_EQ(n.diagram->get_output_port().Eval(*n.context)[0], 30);
}

TEST(Diagram, ConvertsWithNamesAndConnections) {
  const Nested n;
  const auto autodiff = System<double>::ToAutoDiffXd(*n.diagram);
  const auto context = autodiff->CreateDefaultContext();
  AutoDiffXd u(2.0);
  u.derivatives() = VectorXd::Ones(1);
  autodiff->get_input_port().FixValue(context.get(), u);
  const AutoDiffXd& y = autodiff->get_output_port().Eval(*context)[0];
  EXPECT_EQ(y.value(), 60);
  EXPECT_EQ(y.derivatives()[0], 30);
  EXPECT_EQ(autodiff->get_name(), "outer");
  EXPECT_TRUE(
      autodiff->GetDowncastSubsystemByName<Diagram>("inner").HasSubsystemNamed(
          "three"));
}

TEST(Diagram, CloneIsADiagramOfItsOwn) {
  const Nested n;
  const auto clone = System<double>::Clone(*n.diagram);
  const auto context = clone->CreateDefaultContext();
  clone->get_input_port().FixValue(context.get(), 1.0);
  EXPECT_EQ(clone->get_output_port().Eval(*context)[0], 30);
  EXPECT_THROWS_MESSAGE(n.diagram->get_output_port().Eval(*context),
                        std::logic_error, "another System");
}

TEST(Diagram, FeedthroughFollowsThePathsInside) {
  const Nested n;
  EXPECT_TRUE(n.diagram->HasDirectFeedthrough(0, 0));
  DiagramBuilder<double> builder;
  auto* a = builder.AddSystem<Accumulator>();
  builder.ExportInput(a->get_input_port());
  builder.ExportOutput(a->get_output_port());
  EXPECT_FALSE(builder.Build()->HasAnyDirectFeedthrough());
}

TEST(Diagram, AStrangersContextIsRefusedEverywhere) {
  Nested n;
  Nested other;
  EXPECT_THROWS_MESSAGE(n.diagram->EvalTimeDerivatives(*other.context),
                        std::logic_error, "another System");
  EXPECT_THROWS_MESSAGE(n.two->get_output_port().Eval(*n.context),
                        std::logic_error, "GetMyContextFromRoot");
  EXPECT_THROWS_MESSAGE(n.diagram->GetSubsystemContext(*other.two, *n.context),
                        std::logic_error, "is not within");
}

TEST(Diagram, MissingNamesListWhatThereIs) {
  const Nested n;
  EXPECT_THROWS_MESSAGE(n.diagram->GetSubsystemByName("six"), std::logic_error,
                        "'inner', 'five', 'mass', 'accumulator'");
  EXPECT_THROWS_MESSAGE(n.diagram->GetDowncastSubsystemByName<FreeMass>("five"),
                        std::logic_error, "five");
  EXPECT_THROWS_MESSAGE(n.diagram->GetInputPort("v"), std::logic_error, "'u'");
}

TEST(Diagram, NonFiniteStateTimeAndInputAreRefused) {
  Nested n;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROWS_MESSAGE(n.context->SetTime(nan), std::runtime_error, "nan");
  EXPECT_THROWS_MESSAGE(
      n.context->SetContinuousState(Eigen::Vector3d(0, nan, 0)),
      std::runtime_error, "continuous state[1] is nan; it must be");
  EXPECT_THROWS_MESSAGE(
      n.diagram->get_input_port().FixValue(n.context.get(), nan),
      std::runtime_error, "InputPort[0] (u) of System ::outer");
}

TEST(Diagram, EvaluationAllocatesNothingAfterTheFirst) {
  Nested n;
  n.diagram->get_input_port().FixValue(n.context.get(), 1.0);
  n.diagram->EvalTimeDerivatives(*n.context);
  if (!::wyvern::test::AllocationGuard::is_active())
    GTEST_SKIP() << "malloc is not counted";
  const ::wyvern::test::AllocationGuard guard;
  n.context->SetTimeAndNoteContinuousStateChange(0.5);
  n.diagram->EvalTimeDerivatives(*n.context);
  n.diagram->get_output_port().Eval(*n.context);
  EXPECT_EQ(guard.count(), 0);
}

TEST(Diagram, MapsVelocitiesPartByPart) {
  Nested n;
  VectorXd qdot(1);
  BasicVector<double> out(1);
  n.diagram->MapVelocityToQDot(*n.context, VectorXd::Constant(1, 3.0), &out);
  EXPECT_EQ(out[0], 3.0);
}

TEST(Diagram, DrawsEverySubsystemAndConnection) {
  const Nested n;
  const std::string dot = n.diagram->GetGraphvizString();
  for (const char* word : {"digraph", "inner", "accumulator", "Scale", "->"}) {
    EXPECT_NE(dot.find(word), std::string::npos) << word;
  }
  EXPECT_EQ(n.diagram->GetGraphvizString(0).find("accumulator"),
            std::string::npos);
}

TEST(Diagram, EscapesNamesInItsDrawing) {
  DiagramBuilder<double> builder;
  auto* scale = builder.AddNamedSystem<Scale>("a \"b\" {c}\n|d", 2.0);
  builder.ExportInput(scale->get_input_port(), "in \"1\"");
  builder.ExportOutput(scale->get_output_port(), "out\\2");
  const auto diagram = builder.Build();
  diagram->set_name("top \"x\"");
  const std::string dot = diagram->GetGraphvizString();
  for (const char* label :
       {"label=\"top \\\"x\\\"\"", "label=\"in \\\"1\\\"\"",
        "label=\"out\\\\2\"", "name=a\\ \\\"b\\\"\\ \\{c\\}\\n\\|d"}) {
    EXPECT_NE(dot.find(label), std::string::npos) << label << "\n" << dot;
  }
}

}  // namespace
}  // namespace wyvern::systems
