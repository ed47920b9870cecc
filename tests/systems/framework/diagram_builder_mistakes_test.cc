/** @file Mistakes of a wiring, which Build() lists in one error. */

#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/systems/framework/test_systems.h"
#include "wyvern/systems/framework/algebraic_loop.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::systems {
namespace diagram_builder_mistakes_test {

using test::Accumulator;
using test::Scale;

std::string BuildError(DiagramBuilder<double>* builder) {
  try {
    builder->Build();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

int Count(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != text.npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// y = x, x[n + 1] = u[n].
class UnitDelay final : public LeafSystem<double> {
 public:
  explicit UnitDelay(double period) {
    DeclareVectorInputPort("u", 1);
    DeclareStateOutputPort("y", DeclareDiscreteState(1));
    DeclarePeriodicDiscreteUpdateEvent(period, 0, &UnitDelay::Update);
  }

 private:
  EventStatus Update(const Context<double>& context,
                     DiscreteValues<double>* x) const {
    x->set_value(0, get_input_port().Eval(context));
    return EventStatus::Succeeded();
  }
};

TEST(DiagramBuilderMistakes, AreListedWithTheLineOfEachCall) {
  DiagramBuilder<double> builder;
  auto* a = builder.AddNamedSystem<Scale>("a", 1.0);
  auto* wide = builder.AddNamedSystem<Scale>("wide", 1.0, 3);
  const int line = __LINE__;
  builder.Connect(*a, *wide);
  builder.Cascade(*wide, *a);
  builder.Disconnect(*a, *wide);
  builder.ConnectInput("none", a->get_input_port());
  builder.ConnectInput(InputPortIndex(7), a->get_input_port());
  builder.ExportOutput(a->get_output_port(), "");
  EXPECT_EQ(builder.num_mistakes(), 6);
  const std::string error = BuildError(&builder);
  EXPECT_TRUE(Has(error, "Build(): 6 mistakes in the wiring")) << error;
  for (int i = 1; i <= 6; ++i) {
    EXPECT_TRUE(Has(error, fmt::format("mistakes_test.cc:{}: ", line + i)))
        << error;
    EXPECT_TRUE(Has(error, fmt::format("\n  {}. ", i))) << error;
  }
}

TEST(DiagramBuilderMistakes, AreToldOnceAndHaveNoEffect) {
  DiagramBuilder<double> builder;
  auto* a = builder.AddNamedSystem<Scale>("a", 2.0);
  builder.ExportInput(a->get_input_port(), "u");
  EXPECT_FALSE(builder.ExportInput(a->get_input_port(), "again").is_valid());
  EXPECT_TRUE(Has(BuildError(&builder), "connected or exported already"));
  EXPECT_EQ(builder.num_mistakes(), 0);
  const auto diagram = builder.Build();
  EXPECT_EQ(diagram->num_input_ports(), 1);
}

TEST(DiagramBuilderMistakes, ASingleOneIsTheWholeMessage) {
  DiagramBuilder<double> builder;
  auto* a = builder.AddNamedSystem<Scale>("a", 2.0);
  builder.ExportInput(a->get_input_port(), "u");
  builder.ConnectInput("v", a->get_input_port());
  const std::string error = BuildError(&builder);
  EXPECT_FALSE(Has(error, "mistakes in the wiring")) << error;
  EXPECT_TRUE(Has(error, "no input port named 'v'")) << error;
}

TEST(DiagramBuilderMistakes, DoNotBringForthOthers) {
  DiagramBuilder<double> builder;
  auto* a = builder.AddNamedSystem<Scale>("a", 2.0);
  auto* b = builder.AddNamedSystem<Scale>("b", 2.0);
  auto* c = builder.AddNamedSystem<Scale>("c", 2.0);
  auto* wide = builder.AddNamedSystem<Scale>("wide", 2.0, 3);
  const Scale<double> stranger(1.0);
  const auto index = builder.ExportInput(stranger.get_input_port(), "u");
  builder.ConnectInput("u", a->get_input_port());
  builder.ConnectInput(index, b->get_input_port());
  builder.Connect(*a, *wide);
  EXPECT_TRUE(
      builder.ConnectToSame(wide->get_input_port(), c->get_input_port()));
  const std::string error = BuildError(&builder);
  EXPECT_TRUE(Has(error, ": 2 mistakes")) << error;
  EXPECT_FALSE(Has(error, "Nothing feeds")) << error;
}

TEST(DiagramBuilderMistakes, ComeWithTheInputsThatNothingFeeds) {
  class WithOptional final : public LeafSystem<double> {
   public:
    WithOptional() {
      DeclareVectorInputPort("needed", 1);
      DeclareVectorInputPort("empty", 0);
      DeclareVectorInputPort("optional", 1).set_optional();
    }
  };
  DiagramBuilder<double> builder;
  auto* a = builder.AddNamedSystem<Scale>("a", 2.0);
  builder.AddNamedSystem<WithOptional>("other");
  EXPECT_NE(a, nullptr);
  // An open input alone is no mistake: its value can be fixed.
  builder.Disconnect(*a, *a);
  const std::string error = BuildError(&builder);
  EXPECT_TRUE(Has(error, "Nothing feeds")) << error;
  EXPECT_TRUE(Has(error, "(u) of System ::a")) << error;
  EXPECT_TRUE(Has(error, "(needed) of System ::other")) << error;
  EXPECT_FALSE(Has(error, "(empty)")) << error;
  EXPECT_FALSE(Has(error, "(optional)")) << error;
  EXPECT_NE(builder.Build(), nullptr);
}

TEST(DiagramBuilderMistakes, OfTheWholeDiagramAreInTheSameList) {
  DiagramBuilder<double> builder;
  auto* a = builder.AddNamedSystem<Scale>("a", 1.0);
  auto* b = builder.AddNamedSystem<Scale>("twin", 1.0);
  auto* c = builder.AddNamedSystem<Scale>("twin", 1.0);
  builder.Connect(*a, *a);
  builder.Connect(*b, *c);
  builder.Connect(*c, *b);
  builder.ExportOutput(a->get_output_port(), "");
  const std::string error = BuildError(&builder);
  EXPECT_TRUE(Has(error, ": 4 mistakes")) << error;
  EXPECT_EQ(Count(error, "an algebraic loop:"), 2) << error;
  EXPECT_TRUE(Has(error, "'twin' is used twice")) << error;
}

TEST(DiagramBuilderMistakes, AreThrownAtOnceOnDemand) {
  DiagramBuilder<double> builder;
  builder.set_throws_at_once(true);
  auto* a = builder.AddNamedSystem<Scale>("a", 1.0);
  auto* wide = builder.AddNamedSystem<Scale>("wide", 1.0, 3);
  EXPECT_THROWS_MESSAGE(builder.Connect(*a, *wide), std::logic_error,
                        "carries a vector of 1 elements");
  EXPECT_EQ(builder.num_mistakes(), 0);
  EXPECT_THROWS_MESSAGE(
      builder.InsertBefore(a->get_input_port(), std::make_unique<UnitDelay>(1)),
      std::logic_error, "is not connected to an output port");
  // The System that could not be inserted is not kept.
  EXPECT_EQ(builder.GetSystems().size(), 2u);
}

// a -> b -> c -> a.
void ConnectCycle(DiagramBuilder<double>* builder) {
  auto* a = builder->AddNamedSystem<Scale>("a", 0.5);
  auto* b = builder->AddNamedSystem<Scale>("b", 0.5);
  auto* c = builder->AddNamedSystem<Scale>("c", 0.5);
  builder->Connect(*a, *b);
  builder->Connect(*b, *c);
  builder->Connect(*c, *a);
}

TEST(AlgebraicLoop, IsToldWithTheConnectionThatBreaksIt) {
  DiagramBuilder<double> builder;
  ConnectCycle(&builder);
  const std::string error = BuildError(&builder);
  const std::size_t cure = error.find("The shortest cure is at:");
  ASSERT_NE(cure, error.npos) << error;
  EXPECT_EQ(Count(error.substr(cure), " -> "), 1) << error;
}

TEST(AlgebraicLoop, IsBrokenByADelayBeforeAnInput) {
  DiagramBuilder<double> builder;
  ConnectCycle(&builder);
  const auto& a = builder.GetSubsystemByName("a");
  auto* delay = builder.InsertBefore(a.get_input_port(),
                                     std::make_unique<UnitDelay>(0.1));
  builder.ExportOutput(a.get_output_port(), "y");
  const auto diagram = builder.Build();
  EXPECT_TRUE(
      diagram->AreConnected(diagram->GetSubsystemByName("c").get_output_port(),
                            delay->get_input_port()));
  const auto context = diagram->CreateDefaultContext();
  context->SetDiscreteState(0, Eigen::VectorXd::Constant(1, 8.0));
  EXPECT_EQ(diagram->get_output_port().Eval(*context)[0], 4.0);
}

TEST(AlgebraicLoop, WithoutASingleCutHasTheFewestThatAreFound) {
  // 0 -> 1 -> 0 and 2 -> 3 -> 2, joined by 1 -> 2 and 3 -> 0.
  const internal::DirectedGraph graph{{1}, {0, 2}, {3}, {2, 0}};
  const auto loops = internal::FindLoops(graph, {true, false, true, false});
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].cycle.size(), 2u);
  using Edge = std::pair<int, int>;
  EXPECT_EQ(loops[0].cuts.size(), 2u);
  for (const Edge& cut : {Edge(0, 1), Edge(2, 3)}) {
    EXPECT_EQ(std::ranges::count(loops[0].cuts, cut), 1);
  }
}

TEST(AlgebraicLoop, HasAShortestCycleAndOneCutIfThatIsEnough) {
  // 0 -> 1 -> 2 -> 3 -> 0 and the short cut 1 -> 3; node 4 is outside.
  const internal::DirectedGraph graph{{1}, {2, 3}, {3}, {0}, {0}};
  const auto loops = internal::FindLoops(graph, {true, true, true, true, true});
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].cycle, (std::vector<int>{0, 1, 3}));
  ASSERT_EQ(loops[0].cuts.size(), 1u);
  EXPECT_TRUE(internal::FindLoops({{1}, {2}, {}}, {true, true, true}).empty());
}

// Units.

// Ports with the units of the constructor.
class Tagged final : public LeafSystem<double> {
 public:
  Tagged(const std::vector<std::string>& in,
         const std::vector<std::string>& out) {
    DeclareVectorInputPort("u", 2).set_units(in);
    DeclareVectorOutputPort(
        "y", 2,
        [](const Context<double>&, BasicVector<double>* y) { y->SetZero(); },
        {nothing_ticket()})
        .set_units(out);
  }
};

TEST(PortUnits, MustAgreeWhereBothEndsHaveThem) {
  DiagramBuilder<double> builder;
  builder.set_throws_at_once(true);
  const std::vector<std::string> none;
  auto* arm = builder.AddNamedSystem<Tagged>(
      "arm", none, std::vector<std::string>{"rad", "rad/s"});
  auto* degrees = builder.AddNamedSystem<Tagged>(
      "degrees", std::vector<std::string>{"", "deg/s"}, none);
  auto* radians = builder.AddNamedSystem<Tagged>(
      "radians", std::vector<std::string>{"rad", ""}, none);
  auto* any = builder.AddNamedSystem<Tagged>("any", none, none);
  EXPECT_THROWS_MESSAGE(builder.Connect(*arm, *degrees), std::logic_error,
                        "element 1 of OutputPort[0] (y) of System ::arm "
                        "(Tagged) is in rad/s, but of InputPort[0] (u) of "
                        "System ::degrees (Tagged) in deg/s");
  builder.Connect(*arm, *radians);
  builder.Connect(*arm, *any);
}

TEST(PortUnits, ReachThePortsOfADiagramAndItsDrawing) {
  DiagramBuilder<double> inner;
  const std::vector<std::string> none;
  auto* any = inner.AddNamedSystem<Tagged>("any", none, none);
  auto* tagged = inner.AddNamedSystem<Tagged>(
      "tagged", std::vector<std::string>{"N m", "N"},
      std::vector<std::string>{"rad", "rad"});
  inner.ExportInput(any->get_input_port(), "u");
  inner.ConnectInput("u", tagged->get_input_port());
  inner.ExportOutput(tagged->get_output_port(), "y");
  const auto diagram = inner.Build();
  EXPECT_EQ(diagram->get_input_port().DescribeUnits(), "N m, N");
  EXPECT_EQ(diagram->get_output_port().DescribeUnits(), "rad");
  EXPECT_EQ(DescribeBlock(*diagram).outputs[0].units,
            (std::vector<std::string>{"rad", "rad"}));
  EXPECT_TRUE(Has(diagram->GetGraphvizString(), "y\\ [rad]"))
      << diagram->GetGraphvizString();
}

TEST(PortUnits, AreCheckedWhenTheyAreSet) {
  class Declarer final : public LeafSystem<double> {
   public:
    using LeafSystem<double>::DeclareVectorInputPort;
    using LeafSystem<double>::DeclareAbstractInputPort;
  };
  Declarer system;
  auto& vector = system.DeclareVectorInputPort("vector", 2);
  auto& abstract = system.DeclareAbstractInputPort("abstract", Value<int>());
  EXPECT_THROWS_MESSAGE(vector.set_units({"m", "m", "m"}), std::logic_error,
                        "has 2 elements and was given 3 units");
  EXPECT_THROWS_MESSAGE(abstract.set_unit("m"), std::logic_error,
                        "only vectors have units");
  vector.set_units({"m", ""});
  EXPECT_EQ(vector.DescribeUnits(), "m, -");
  auto& wide = system.DeclareVectorInputPort("wide", 5);
  wide.set_units({"rad", "rad", "m", "rad", "rad"});
  EXPECT_EQ(wide.DescribeUnits(), "rad, rad, m, rad, rad");
  vector.set_unit("s");
  EXPECT_EQ(vector.units(), (std::vector<std::string>{"s", "s"}));
  vector.set_unit("");
  EXPECT_EQ(vector.DescribeUnits(), "");
}

}  // namespace diagram_builder_mistakes_test
}  // namespace wyvern::systems
