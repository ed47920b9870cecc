// The one walk over a Diagram: what drawings and lists of blocks are made from.
#include "wyvern/systems/framework/block_description.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"
#include "wyvern/systems/framework/named_elements.h"

namespace wyvern::systems {
namespace block_description_test {

// A vector of 2 and a text in, a vector of 3 out.
template <typename T>
class Worker final : public LeafSystem<T> {
 public:
  Worker() : LeafSystem<T>(SystemTypeTag<Worker>{}) {
    this->DeclareVectorInputPort("pair", 2);
    this->DeclareAbstractInputPort("text", Value<std::string>());
    this->DeclareVectorOutputPort("triple", 3, &Worker::Calc,
                                  {this->time_ticket()});
    this->DeclareVectorOutputPort("again", 2, &Worker::Calc,
                                  {this->time_ticket()});
    this->DeclareDiscreteState(1);
    this->DeclarePeriodicDiscreteUpdateEvent(0.01, 0.005, &Worker::Update);
    this->DeclarePerStepPublishEvent(&Worker::Publish);
  }
  template <typename U>
  explicit Worker(const Worker<U>&) : Worker() {}

 private:
  void Calc(const Context<T>&, BasicVector<T>* y) const { y->SetZero(); }
  void Update(const Context<T>&, DiscreteValues<T>*) const {}
  void Publish(const Context<T>&) const {}
};

std::unique_ptr<Diagram<double>> MakeInner() {
  DiagramBuilder<double> builder;
  auto* a = builder.AddNamedSystem<Worker<double>>("a");
  auto* b = builder.AddNamedSystem<Worker<double>>("b");
  builder.Connect(a->GetOutputPort("again"), b->GetInputPort("pair"));
  builder.ExportInput(a->GetInputPort("pair"), "in");
  builder.ExportOutput(b->GetOutputPort("triple"), "out");
  auto diagram = builder.Build();
  diagram->set_name("inner");
  return diagram;
}

std::unique_ptr<Diagram<double>> MakeOuter() {
  DiagramBuilder<double> builder;
  auto* source = builder.AddNamedSystem<Worker<double>>("source");
  auto* inner = builder.AddSystem(MakeInner());
  builder.Connect(source->GetOutputPort("again"), inner->get_input_port(0));
  return builder.Build();
}

using Wires = std::vector<WireDescription>;

TEST(BlockDescription, HasNamesTypesPortsAndRates) {
  Worker<double> worker;
  worker.set_name("w");
  const BlockDescription block = DescribeBlock(worker);
  EXPECT_EQ(block.system, &worker);
  EXPECT_EQ(block.name, "w");
  EXPECT_EQ(block.type, "Worker<double>");
  ASSERT_EQ(block.inputs.size(), 2u);
  EXPECT_EQ(block.inputs[0].name, "pair");
  EXPECT_EQ(block.inputs[0].type, kVectorValued);
  EXPECT_EQ(block.inputs[0].size, 2);
  EXPECT_EQ(block.inputs[1].type, kAbstractValued);
  EXPECT_EQ(block.outputs.at(0).size, 3);
  ASSERT_EQ(block.updates.size(), 1u);
  EXPECT_EQ(block.updates[0].period_sec(), 0.01);
  EXPECT_EQ(block.updates[0].offset_sec(), 0.005);
  EXPECT_FALSE(block.updates_every_step);
  EXPECT_TRUE(block.publishes.empty());
  EXPECT_TRUE(block.publishes_every_step);
  EXPECT_TRUE(block.parts.empty());
}

TEST(BlockDescription, NestsPartsAndSaysWhatTheWiresJoin) {
  const auto diagram = MakeOuter();
  const BlockDescription block = DescribeBlock(*diagram);
  ASSERT_EQ(block.parts.size(), 2u);
  EXPECT_EQ(block.wires, (Wires{{{0, 1}, {1, 0}}}));
  const BlockDescription& inner = block.parts[1];
  EXPECT_EQ(inner.name, "inner");
  ASSERT_EQ(inner.parts.size(), 2u);
  EXPECT_EQ(inner.parts[1].name, "b");
  EXPECT_EQ(inner.wires, (Wires{{{-1, 0}, {0, 0}},    // Its input feeds a.
                                {{1, 0}, {-1, 0}},    // b feeds its output.
                                {{0, 1}, {1, 0}}}));  // a feeds b.
  EXPECT_TRUE(inner.updates.empty());
}

// A box that stays closed has the rates of what is in it.
TEST(BlockDescription, EndsAtTheDepth) {
  const auto diagram = MakeOuter();
  const BlockDescription block = DescribeBlock(*diagram, 1);
  const BlockDescription& inner = block.parts.at(1);
  EXPECT_TRUE(inner.parts.empty() && inner.wires.empty());
  EXPECT_EQ(inner.inputs.size(), 1u);
  EXPECT_EQ(inner.updates.size(), 1u);
}

// Both ends of a wire carry the same vector, through the input of a diagram,
// too.
TEST(BlockDescription, NamesOfElementsFollowTheWires) {
  using Names = std::vector<std::string>;
  const auto diagram = MakeOuter();
  const Names given{"elbow", "wrist"};
  const PortBase& end = diagram->GetDowncastSubsystemByName<Diagram>("inner")
                            .GetSubsystemByName("a")
                            .get_input_port(0);
  const BlockDescription block = DescribeBlock(
      *diagram, 9,
      [&](const PortBase& port) { return &port == &end ? given : Names{}; });
  EXPECT_EQ(block.parts[1].parts[0].inputs[0].element_names, given);
  EXPECT_EQ(block.parts[1].inputs[0].element_names, given);
  EXPECT_EQ(block.parts[0].outputs[1].element_names, given);
  EXPECT_EQ(block.parts[0].outputs[0].element_names, Names{});
  EXPECT_EQ(block.parts[1].parts[1].inputs[0].element_names, Names{});
}

class Wheels final : public BasicVector<double>, public NamedElements {
 public:
  explicit Wheels(int num_names) : BasicVector<double>(2), num_(num_names) {}
  std::vector<std::string> GetElementNames() const final {
    return std::vector<std::string>(num_, "wheel");
  }

 private:
  Wheels* DoClone() const final { return new Wheels(num_); }
  int num_;
};

class Drive final : public LeafSystem<double> {
 public:
  explicit Drive(int num_names) {
    DeclareVectorOutputPort("speeds", Wheels(num_names), &Drive::Calc);
  }

 private:
  void Calc(const Context<double>&, Wheels* y) const { y->SetZero(); }
};

// Names of the vector's type follow the wires as those of the caller do, who
// may give others.
TEST(BlockDescription, AVectorTypeNamesItsElements) {
  using Names = std::vector<std::string>;
  DiagramBuilder<double> builder;
  auto* drive = builder.AddNamedSystem<Drive>("drive", 2);
  auto* inner = builder.AddSystem(MakeInner());
  builder.Connect(drive->get_output_port(0), inner->get_input_port(0));
  const auto diagram = builder.Build();
  const Names names{"wheel", "wheel"}, others{"left", "right"};
  for (const Names& given : {Names{}, others}) {
    const BlockDescription block =
        DescribeBlock(*diagram, 9, [&](const PortBase& port) {
          return &port == &drive->get_output_port(0) ? given : Names{};
        });
    const Names& wanted = given.empty() ? names : given;
    EXPECT_EQ(block.parts[0].outputs[0].element_names, wanted);
    EXPECT_EQ(block.parts[1].parts[0].inputs[0].element_names, wanted);
  }
  const BlockDescription block = DescribeBlock(*diagram);
  EXPECT_EQ(block.parts[1].parts[0].inputs[0].element_names, names);
  EXPECT_THROWS_MESSAGE(DescribeBlock(Drive(3)), std::logic_error,
                        "has 2 elements and was given 3 names");
}

// A worker within five Diagrams, with its ports exported.
std::unique_ptr<Diagram<double>> MakeNest(const std::string& name) {
  std::unique_ptr<Diagram<double>> nest;
  for (int depth = 0; depth < 5; ++depth) {
    DiagramBuilder<double> builder;
    const System<double>* part = nest.get();
    if (nest == nullptr) {
      part = builder.AddNamedSystem<Worker<double>>("worker");
    } else {
      builder.AddSystem(std::move(nest));
    }
    builder.ExportInput(part->GetInputPort("pair"), "pair");
    builder.ExportOutput(part->GetOutputPort("again"), "again");
    nest = builder.Build();
    nest->set_name(name);
  }
  return nest;
}

TEST(BlockDescription, NamesOfElementsFollowTheWiresAtAnyDepth) {
  using Names = std::vector<std::string>;
  const Names given{"elbow", "wrist"};
  DiagramBuilder<double> builder;
  auto* from = builder.AddSystem(MakeNest("from"));
  auto* to = builder.AddSystem(MakeNest("to"));
  builder.Connect(from->get_output_port(), to->get_input_port());
  const auto diagram = builder.Build();
  const auto innermost = [](const BlockDescription* block, int part) {
    for (block = &block->parts.at(part); !block->parts.empty();) {
      block = &block->parts[0];
    }
    return block;
  };
  const BlockDescription plain = DescribeBlock(*diagram, 9);
  const PortBase* const ends[] = {
      &innermost(&plain, 0)->system->get_output_port_base(OutputPortIndex(1)),
      &innermost(&plain, 1)->system->get_input_port_base(InputPortIndex(0))};
  for (const PortBase* end : ends) {
    const BlockDescription block = DescribeBlock(
        *diagram, 9,
        [&](const PortBase& port) { return &port == end ? given : Names{}; });
    EXPECT_EQ(innermost(&block, 0)->outputs[1].element_names, given);
    EXPECT_EQ(innermost(&block, 1)->inputs[0].element_names, given);
    EXPECT_EQ(innermost(&block, 0)->inputs[0].element_names, Names{});
  }
}

TEST(BlockDescription, EachElementHasANameOrNone) {
  Worker<double> worker;
  worker.set_name("w");
  EXPECT_THROWS_MESSAGE(
      DescribeBlock(
          worker, 1,
          [](const PortBase&) { return std::vector<std::string>{"one"}; }),
      std::logic_error,
      "(pair) of System ::w (Worker<double>) has 2 elements and was given 1 "
      "names; give one for each element, or none");
}

#if WYVERN_AUTODIFF
TEST(BlockDescription, IsTheSameForAnotherScalar) {
  const auto diagram = MakeOuter();
  const auto other = diagram->ToAutoDiffXd();
  const BlockDescription block = DescribeBlock(*other);
  ASSERT_EQ(block.parts.size(), 2u);
  EXPECT_EQ(block.wires, DescribeBlock(*diagram).wires);
  EXPECT_EQ(block.parts[1].wires, DescribeBlock(*diagram).parts[1].wires);
  EXPECT_EQ(block.parts[0].updates.size(), 1u);
}
#endif

}  // namespace block_description_test
}  // namespace wyvern::systems
