// Drawings of diagrams in the dot language: what a reader sees in them.
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {
namespace graphviz_test {

bool Has(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

// Returns the text of a box without ports.
std::string HeaderOf(const SystemBase& system) {
  const std::string dot = system.GetGraphvizString();
  const size_t start = dot.find("label=\"") + 7;
  return dot.substr(start, dot.find("\"]", start) - start);
}

template <typename T>
class Clocked final : public LeafSystem<T> {
 public:
  Clocked() : LeafSystem<T>(SystemTypeTag<Clocked>{}) {
    this->DeclareDiscreteState(1);
    this->DeclarePeriodicPublishEvent(0.25, 0.0, &Clocked::Publish);
    this->DeclarePeriodicDiscreteUpdateEvent(0.005, 0.001, &Clocked::Update);
    this->DeclarePeriodicUnrestrictedUpdateEvent(0.5, 0.0, &Clocked::Change);
    this->DeclarePeriodicPublishEvent(0.5, 0.0, &Clocked::Publish);
    this->DeclarePerStepPublishEvent(&Clocked::Publish);
  }
  template <typename U>
  explicit Clocked(const Clocked<U>&) : Clocked() {}

 private:
  void Publish(const Context<T>&) const {}
  void Update(const Context<T>&, DiscreteValues<T>*) const {}
  void Change(const Context<T>&, State<T>*) const {}
};

const char kRates[] =
    "\\nevery\\ 0.005\\ s\\ from\\ 0.001\\ s\\nevery\\ 0.5\\ s"
    "\\npublishes\\ every\\ 0.25\\ s\\npublishes\\ every\\ 0.5\\ s"
    "\\npublishes\\ every\\ step";

TEST(Graphviz, SaysAtWhatRatesASystemUpdatesAndPublishes) {
  Clocked<double> system;
  system.set_name("c");
  EXPECT_TRUE(HeaderOf(system).ends_with("name=c" + std::string(kRates)))
      << HeaderOf(system);
#if WYVERN_AUTODIFF
  EXPECT_TRUE(HeaderOf(*system.ToAutoDiffXd()).ends_with(kRates));
#endif
}

class EveryStep final : public LeafSystem<double> {
 public:
  EveryStep() { DeclarePerStepUnrestrictedUpdateEvent(&EveryStep::Change); }

 private:
  void Change(const Context<double>&, State<double>*) const {}
};

TEST(Graphviz, SaysThatASystemUpdatesEveryStep) {
  EXPECT_TRUE(HeaderOf(EveryStep()).ends_with("\\nevery\\ step"));
}

class Ports final : public LeafSystem<double> {
 public:
  Ports() {
    DeclareVectorInputPort("two", 2);
    DeclareVectorInputPort("none", 0);
    DeclareAbstractInputPort("any", Value<int>());
    DeclareVectorOutputPort("nought", 0, &Ports::Calc, {time_ticket()});
    DeclareVectorOutputPort("pair", 2, &Ports::Calc, {time_ticket()});
  }

 private:
  void Calc(const Context<double>&, BasicVector<double>*) const {}
};

class ConstantSource final : public LeafSystem<double> {
 public:
  ConstantSource() {
    DeclareVectorOutputPort(kUseDefaultName, 1, &ConstantSource::Calc,
                            {nothing_ticket()});
  }

 private:
  void Calc(const Context<double>&, BasicVector<double>* y) const {
    y->SetZero();
  }
};

// In an opened diagram, its box, and where they are exported.
TEST(Graphviz, DrawsNoPortsOfSizeZero) {
  DiagramBuilder<double> builder;
  auto* a = builder.AddNamedSystem<Ports>("a");
  auto* b = builder.AddNamedSystem<Ports>("b");
  builder.Connect(a->GetOutputPort("nought"), b->GetInputPort("none"));
  builder.Connect(a->GetOutputPort("pair"), b->GetInputPort("two"));
  builder.ExportInput(a->GetInputPort("none"), "idle in");
  builder.ExportInput(a->GetInputPort("two"), "busy in");
  builder.ExportOutput(b->GetOutputPort("nought"), "idle out");
  builder.ExportOutput(b->GetOutputPort("pair"), "busy out");
  const auto diagram = builder.Build();
  for (const int depth : {0, 1}) {
    const std::string dot = diagram->GetGraphvizString(depth);
    for (const char* none : {"none", "nought", "idle"}) {
      EXPECT_FALSE(Has(dot, none)) << none << "\n" << dot;
    }
    EXPECT_TRUE(Has(dot, "busy")) << dot;
    EXPECT_FALSE(Has(dot, "->  ") || Has(dot, " -> \n") || Has(dot, "\n -> "))
        << dot;
  }
  EXPECT_TRUE(Has(diagram->GetGraphvizString(), "any"));
}

// A source has no inputs, nor a place for them.
TEST(Graphviz, LeavesNoRoomForPortsThatAreNotThere) {
  const std::string dot = ConstantSource().GetGraphvizString();
  EXPECT_TRUE(Has(dot, "|{{<y0>y0}}\"]")) << dot;
}

// Edges end at the left of a box and start at its right, so that they cross
// none of its words.
TEST(Graphviz, EdgesMeetTheOuterSidesOfPorts) {
  DiagramBuilder<double> builder;
  auto* a = builder.AddNamedSystem<Ports>("a");
  auto* b = builder.AddNamedSystem<Ports>("b");
  builder.Connect(a->GetOutputPort("pair"), b->GetInputPort("two"));
  const auto diagram = builder.Build();
  const std::string dot = diagram->GetGraphvizString();
  EXPECT_TRUE(Has(
      dot, fmt::format("s{}:y1:e -> s{}:u0:w\n", a->get_system_id().get_value(),
                       b->get_system_id().get_value())))
      << dot;
}

}  // namespace graphviz_test
}  // namespace wyvern::systems
