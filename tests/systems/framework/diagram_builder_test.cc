#include "wyvern/systems/framework/diagram_builder.h"

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/systems/framework/test_systems.h"

namespace wyvern::systems {
namespace {

using test::Accumulator;
using test::Scale;

TEST(DiagramBuilder, NamesSystemsByTypeAndNumber) {
  DiagramBuilder<double> builder;
  EXPECT_EQ(builder.AddSystem<Scale>(1.0)->get_name(), "Scale_0");
  EXPECT_EQ(builder.AddSystem<Scale<double>>(1.0)->get_name(), "Scale_1");
  EXPECT_EQ(
      builder.AddSystem(std::make_unique<Accumulator<double>>())->get_name(),
      "Accumulator_2");
}

TEST(DiagramBuilder, AnAlgebraicLoopIsRefusedWithItsPorts) {
  DiagramBuilder<double> builder;
  auto* a = builder.AddNamedSystem<Scale>("a", 1.0);
  auto* b = builder.AddNamedSystem<Scale>("b", 1.0);
  builder.Connect(*a, *b);
  builder.Connect(*b, *a);
  EXPECT_THROWS_MESSAGE(builder.Build(), std::logic_error,
                        "OutputPort[0] (y) of System ::b");
  // The builder is as it was: the loop can be broken.
  builder.Disconnect(*b, *a);
  EXPECT_NE(builder.Build(), nullptr);
}

TEST(DiagramBuilder, AStateBreaksALoop) {
  DiagramBuilder<double> builder;
  auto* a = builder.AddSystem<Scale>(-1.0);
  auto* x = builder.AddSystem<Accumulator>();
  builder.Connect(*a, *x);
  builder.Connect(*x, *a);
  const auto diagram = builder.Build();
  const auto context = diagram->CreateDefaultContext();
  context->SetContinuousState(Eigen::VectorXd::Constant(1, 2.0));
  EXPECT_EQ(diagram->EvalTimeDerivatives(*context)[0], -2.0);
}

TEST(DiagramBuilder, SizesMustAgree) {
  DiagramBuilder<double> builder;
  builder.set_throws_at_once(true);
  auto* a = builder.AddSystem<Scale>(1.0, 2);
  auto* b = builder.AddSystem<Scale>(1.0, 3);
  EXPECT_THROWS_MESSAGE(builder.Connect(*a, *b), std::logic_error,
                        "a vector of 2 elements");
}

TEST(DiagramBuilder, AnInputTakesOneSource) {
  DiagramBuilder<double> builder;
  builder.set_throws_at_once(true);
  auto* a = builder.AddSystem<Scale>(1.0);
  auto* b = builder.AddSystem<Scale>(1.0);
  builder.Connect(*a, *b);
  EXPECT_THROWS_MESSAGE(builder.Connect(*a, *b), std::logic_error,
                        "connected or exported already");
  EXPECT_THROWS_MESSAGE(builder.ExportInput(b->get_input_port()),
                        std::logic_error, "connected or exported already");
}

TEST(DiagramBuilder, AStrangersPortIsRefused) {
  DiagramBuilder<double> builder;
  builder.set_throws_at_once(true);
  auto* a = builder.AddSystem<Scale>(1.0);
  const Scale<double> stranger(1.0);
  EXPECT_THROWS_MESSAGE(builder.Connect(*a, stranger), std::logic_error,
                        "has not been added");
}

TEST(DiagramBuilder, NamesMustDiffer) {
  DiagramBuilder<double> builder;
  builder.AddNamedSystem<Scale>("twin", 1.0);
  builder.AddNamedSystem<Scale>("twin", 1.0);
  EXPECT_THROWS_MESSAGE(builder.Build(), std::logic_error, "twin");
}

TEST(DiagramBuilder, AnEmptyDiagramIsRefused) {
  DiagramBuilder<double> builder;
  EXPECT_THROWS_MESSAGE(builder.Build(), std::logic_error, "at least one");
}

TEST(DiagramBuilder, BuildsOnce) {
  DiagramBuilder<double> builder;
  builder.AddSystem<Scale>(1.0);
  const auto diagram = builder.Build();
  EXPECT_TRUE(builder.already_built());
  EXPECT_THROWS_MESSAGE(builder.AddSystem<Scale>(1.0), std::logic_error,
                        "built already");
  EXPECT_THROWS_MESSAGE(builder.Build(), std::logic_error, "built already");
}

TEST(DiagramBuilder, AnExportedInputFansOut) {
  DiagramBuilder<double> builder;
  auto* a = builder.AddSystem<Scale>(2.0);
  auto* b = builder.AddSystem<Scale>(3.0);
  auto* c = builder.AddSystem<Scale>(5.0);
  builder.ExportInput(a->get_input_port(), "u");
  builder.ConnectInput("u", b->get_input_port());
  EXPECT_TRUE(builder.ConnectToSame(a->get_input_port(), c->get_input_port()));
  builder.ExportOutput(b->get_output_port(), "b");
  builder.ExportOutput(c->get_output_port(), "c");
  const auto diagram = builder.Build();
  const auto context = diagram->CreateDefaultContext();
  diagram->get_input_port().FixValue(context.get(), 1.0);
  EXPECT_EQ(diagram->GetOutputPort("b").Eval(*context)[0], 3.0);
  EXPECT_EQ(diagram->GetOutputPort("c").Eval(*context)[0], 5.0);
}

TEST(DiagramBuilder, ARemovedSystemTakesItsConnectionsAndPortsAlong) {
  DiagramBuilder<double> builder;
  auto* a = builder.AddSystem<Scale>(2.0);
  auto* b = builder.AddSystem<Scale>(3.0);
  builder.Connect(*a, *b);
  builder.ExportInput(a->get_input_port(), "u");
  builder.ExportOutput(b->get_output_port(), "y");
  builder.RemoveSystem(*a);
  EXPECT_EQ(builder.num_input_ports(), 0);
  EXPECT_EQ(builder.num_output_ports(), 1);
  EXPECT_TRUE(builder.connection_map().empty());
  EXPECT_FALSE(builder.IsConnectedOrExported(b->get_input_port()));
}

TEST(DiagramBuilder, NamesThatItGivesDifferAfterARemoval) {
  DiagramBuilder<double> builder;
  auto* first = builder.AddSystem<Scale>(2.0);
  auto* second = builder.AddSystem<Scale>(3.0);
  builder.RemoveSystem(*first);
  auto* third = builder.AddSystem<Scale>(4.0);
  EXPECT_NE(second->get_name(), third->get_name());
  EXPECT_EQ(builder.Build()->GetSystems().size(), 2u);
}

TEST(DiagramBuilder, ASystemThatOutlivesItsDiagramIsInNone) {
  const auto scale = std::make_shared<Scale<double>>(2.0);
  scale->set_name("scale");
  {
    DiagramBuilder<double> builder;
    builder.AddSystem(scale);
    const auto diagram = builder.Build();
    diagram->set_name("diagram");
    EXPECT_EQ(scale->GetSystemPathname(), "::diagram::scale");
  }
  EXPECT_EQ(scale->GetSystemPathname(), "::scale");
  DiagramBuilder<double> builder;
  builder.AddSystem(scale);
  EXPECT_NO_THROW(builder.Build());
}

TEST(DiagramBuilder, BuildsIntoADerivedDiagram) {
  class Pair final : public Diagram<double> {
   public:
    Pair() {
      DiagramBuilder<double> builder;
      auto* a = builder.AddSystem<Scale>(2.0);
      builder.ExportInput(a->get_input_port(), "u");
      builder.ExportOutput(a->get_output_port(), "y");
      builder.BuildInto(this);
    }
  };
  const Pair pair;
  const auto context = pair.CreateDefaultContext();
  pair.get_input_port().FixValue(context.get(), 4.0);
  EXPECT_EQ(pair.get_output_port().Eval(*context)[0], 8.0);
}

TEST(DiagramBuilder, ASystemCannotBeInTwoDiagrams) {
  const auto shared = std::make_shared<Scale<double>>(1.0);
  DiagramBuilder<double> one;
  one.AddSystem(shared);
  const auto diagram = one.Build();
  DiagramBuilder<double> two;
  two.AddSystem(shared);
  EXPECT_THROWS_MESSAGE(two.Build(), std::logic_error, "another Diagram");
}

// Two Systems, of which one can be refused when all is built.
struct TwoParts {
  explicit TwoParts(const std::shared_ptr<Scale<double>>& other) {
    mine = builder.AddNamedSystem<Scale>("mine", 2.0);
    builder.AddSystem(other);
    builder.ExportInput(mine->get_input_port(), "u");
    builder.ExportOutput(mine->get_output_port(), "y");
  }
  DiagramBuilder<double> builder;
  Scale<double>* mine;
};

// The built diagram doubles its input.
void ExpectDoubles(const Diagram<double>& diagram) {
  const auto context = diagram.CreateDefaultContext();
  diagram.get_input_port().FixValue(context.get(), 3.0);
  EXPECT_EQ(diagram.get_output_port().Eval(*context)[0], 6.0);
}

TEST(DiagramBuilder, IsAsItWasWhenAPartIsRefusedLate) {
  const auto shared = std::make_shared<Scale<double>>(1.0);
  DiagramBuilder<double> other;
  other.AddNamedSystem("shared", shared);
  const auto diagram = other.Build();
  TwoParts two(shared);
  EXPECT_THROWS_MESSAGE(two.builder.Build(), std::logic_error,
                        "another Diagram");
  EXPECT_FALSE(two.builder.already_built());
  // Nobody took the part that nothing is wrong with.
  EXPECT_EQ(two.mine->GetSystemPathname(), "::mine");
  two.builder.RemoveSystem(*shared);
  ExpectDoubles(*two.builder.Build());
}

TEST(DiagramBuilder, IsAsItWasWhenATargetIsRefused) {
  class Target final : public Diagram<double> {
   public:
    void Declare() { DeclareInputPort("mine", kVectorValued, 1); }
  };
  TwoParts two(std::make_shared<Scale<double>>(1.0));
  Target with_port;
  with_port.Declare();
  EXPECT_THROWS_MESSAGE(two.builder.BuildInto(&with_port), std::logic_error,
                        "input ports of its own");
  Target full;
  DiagramBuilder<double> other;
  other.AddSystem<Scale>(1.0);
  other.BuildInto(&full);
  EXPECT_THROWS_MESSAGE(two.builder.BuildInto(&full), std::logic_error,
                        "built already");
  Target empty;
  two.builder.BuildInto(&empty);
  ExpectDoubles(empty);
}

TEST(DiagramBuilder, ADiagramIsNotBuiltIntoItself) {
  class Target final : public Diagram<double> {};
  const auto target = std::make_shared<Target>();
  DiagramBuilder<double> inner;
  inner.AddSystem(target);
  EXPECT_THROWS_MESSAGE(inner.BuildInto(target.get()), std::logic_error,
                        "added to what is to be built into it");
}

TEST(DiagramBuilder, ADiagramThatIsNotBuiltIsOfNothingAndInNone) {
  class Target final : public Diagram<double> {};
  const auto target = std::make_shared<Target>();
  const auto context = target->CreateDefaultContext();
  EXPECT_EQ(context->num_total_states(), 0);
  EXPECT_NO_THROW(target->ForcedPublish(*context));
  EXPECT_TRUE(target->GetDirectFeedthroughs().empty());
  DiagramBuilder<double> outer;
  outer.AddSystem(target);
  EXPECT_THROWS_MESSAGE(outer.Build(), std::logic_error,
                        "has not been built itself");
  DiagramBuilder<double> builder;
  builder.AddSystem<Scale>(1.0);
  builder.BuildInto(target.get());
  EXPECT_EQ(outer.Build()->GetSystems().size(), 1u);
}

// Doubles its input "u" as "y", and has an input and an output "mine" besides.
class WithOwnPorts final : public Diagram<double> {
 public:
  WithOwnPorts() {
    DiagramBuilder<double> builder;
    auto* a = builder.AddSystem<Scale>(2.0);
    builder.ExportInput(a->get_input_port(), "u");
    builder.ExportOutput(a->get_output_port(), "y");
    builder.BuildInto(this);
    DeclareInputPort("mine", kVectorValued, 1);
    // 7, for ever.
    CacheEntry& entry = DeclareCacheEntry(
        "mine",
        ValueProducer(
            [] {
              return std::make_unique<Value<BasicVector<double>>>(
                  BasicVector<double>(1));
            },
            [](const ContextBase&, AbstractValue* value) {
              value->get_mutable_value<BasicVector<double>>()[0] = 7.0;
            }),
        {nothing_ticket()});
    AddOutputPort(std::make_unique<LeafOutputPort<double>>(
                      this, this, "mine", OutputPortIndex(num_output_ports()),
                      entry.ticket(), kVectorValued, 1, &entry),
                  &entry);
  }
};

TEST(DiagramBuilder, ADiagramsOwnPortsCanBeConnected) {
  DiagramBuilder<double> builder;
  auto* inner = builder.AddNamedSystem<WithOwnPorts>("inner");
  auto* scale = builder.AddNamedSystem<Scale>("scale", 3.0);
  EXPECT_THROWS_MESSAGE(inner->get_output_port_locator(OutputPortIndex(1)),
                        std::logic_error, "declares output port 1 itself");
  EXPECT_EQ(inner->get_output_port_locator(OutputPortIndex(0)).second, 0);
  builder.Connect(inner->GetOutputPort("mine"), scale->get_input_port());
  builder.Connect(scale->get_output_port(), inner->GetInputPort("mine"));
  builder.Connect(scale->get_output_port(), inner->GetInputPort("u"));
  builder.ExportOutput(inner->GetOutputPort("y"), "y");
  const auto diagram = builder.Build();
  const auto context = diagram->CreateDefaultContext();
  EXPECT_EQ(diagram->get_output_port().Eval(*context)[0], 42.0);
  const auto& inner_context = inner->GetMyContextFromRoot(*context);
  EXPECT_EQ(inner->GetInputPort("mine").Eval(inner_context)[0], 21.0);
  // Each connection is drawn.
  const std::string drawn = diagram->GetGraphvizString();
  int num_arrows = 0;
  for (size_t at = drawn.find("->"); at != std::string::npos;
       at = drawn.find("->", at + 1)) {
    ++num_arrows;
  }
  EXPECT_EQ(num_arrows, 6) << drawn;
}

// Ports that a derived class declares come after those that are exported, and
// no part is behind them.
TEST(DiagramBuilder, PortsThatADiagramDeclaresItselfLeadNowhere) {
  class Target final : public Diagram<double> {
   public:
    Target() {
      DiagramBuilder<double> builder;
      auto* a = builder.AddSystem<Scale>(2.0);
      builder.ExportInput(a->get_input_port(), "u");
      builder.ExportOutput(a->get_output_port(), "y");
      builder.BuildInto(this);
      DeclareInputPort("mine", kVectorValued, 1);
    }
  };
  const Target target;
  EXPECT_EQ(target.GetInputPortLocators(InputPortIndex(0)).size(), 1u);
  EXPECT_TRUE(target.GetInputPortLocators(InputPortIndex(1)).empty());
  EXPECT_EQ(target.GetDirectFeedthroughs(), (std::multimap<int, int>{{0, 0}}));
  const auto context = target.CreateDefaultContext();
  target.get_input_port(1).FixValue(context.get(), 5.0);
  EXPECT_EQ(target.get_input_port(1).Eval(*context)[0], 5.0);
  EXPECT_THROW(target.GetInputPortLocators(InputPortIndex(2)),
               std::out_of_range);
}

}  // namespace
}  // namespace wyvern::systems
