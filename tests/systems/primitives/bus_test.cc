#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/bus_creator.h"
#include "wyvern/systems/primitives/bus_selector.h"

namespace wyvern::systems {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

TEST(BusValue, FindsWhatWasSet) {
  BusValue bus;
  EXPECT_EQ(bus.Find("speed"), nullptr);
  bus.Set("speed", Value<double>(3));
  bus.Set("name", Value<std::string>("wing"));
  bus.Set("speed", Value<double>(4));
  EXPECT_EQ(bus.Find("speed")->get_value<double>(), 4);
  bus.Set("speed", Value<int>(5));
  EXPECT_EQ(bus.Find("speed")->get_value<int>(), 5);
  EXPECT_EQ(bus.size(), 2);
  EXPECT_EQ(bus.begin()->first, "name");
  bus.Clear();
  EXPECT_EQ(bus.size(), 0);
}

TEST(BusValue, CopiesAreDeep) {
  BusValue bus;
  bus.Set("speed", Value<double>(3));
  BusValue copy(bus);
  bus.Set("speed", Value<double>(4));
  bus.Set("name", Value<std::string>("wing"));
  EXPECT_EQ(copy.Find("speed")->get_value<double>(), 3);
  copy.Set("other", Value<int>(1));
  copy = bus;
  EXPECT_EQ(copy.Find("speed")->get_value<double>(), 4);
  EXPECT_EQ(copy.Find("other"), nullptr);
  EXPECT_EQ(copy.size(), 2);
}

// A creator with a vector and a string, and a selector of both.
struct BusDiagram {
  BusDiagram() {
    DiagramBuilder<double> builder;
    creator = builder.AddSystem<BusCreator<double>>("bus");
    creator->DeclareVectorInputPort("speed", 2);
    creator->DeclareAbstractInputPort("name", Value<std::string>());
    selector = builder.AddSystem<BusSelector<double>>("bus");
    selector->DeclareAbstractOutputPort("name", Value<std::string>());
    selector->DeclareVectorOutputPort("speed", 2);
    selector->DeclareVectorOutputPort("missing", 2);
    selector->DeclareAbstractOutputPort("speed_as_text", Value<std::string>());
    builder.Connect(creator->get_output_port(0), selector->get_input_port());
    builder.ExportInput(creator->GetInputPort("speed"), "speed");
    builder.ExportInput(creator->GetInputPort("name"), "name");
    builder.ExportOutput(selector->GetOutputPort("speed"), "speed");
    builder.ExportOutput(selector->GetOutputPort("name"), "name");
    builder.ExportOutput(selector->GetOutputPort("missing"), "missing");
    diagram = builder.Build();
  }

  BusCreator<double>* creator{};
  BusSelector<double>* selector{};
  std::unique_ptr<Diagram<double>> diagram;
};

TEST(Bus, CarriesValuesByName) {
  const BusDiagram d;
  auto context = d.diagram->CreateDefaultContext();
  d.diagram->GetInputPort("speed").FixValue(context.get(), Vector2d(1, 2));
  d.diagram->GetInputPort("name").FixValue(context.get(), std::string("wing"));
  EXPECT_EQ(d.diagram->GetOutputPort("speed").Eval(*context), Vector2d(1, 2));
  EXPECT_EQ(d.diagram->GetOutputPort("name").Eval<std::string>(*context),
            "wing");
}

TEST(Bus, ScalarConversionKeepsThePorts) {
  const BusDiagram d;
  const auto converted = d.diagram->ToAutoDiffXd();
  auto context = converted->CreateDefaultContext();
  converted->GetInputPort("speed").FixValue(
      context.get(), VectorX<AutoDiffXd>(Vector2d(1, 2).cast<AutoDiffXd>()));
  converted->GetInputPort("name").FixValue(context.get(), std::string("wing"));
  EXPECT_EQ(converted->GetOutputPort("speed").Eval(*context)[1].value(), 2);
  EXPECT_EQ(converted->GetOutputPort("name").Eval<std::string>(*context),
            "wing");
}

TEST(BusSelector, ThrowsOnAMissingValueAndNamesTheOthers) {
  const BusDiagram d;
  auto context = d.diagram->CreateDefaultContext();
  d.diagram->GetInputPort("speed").FixValue(context.get(), Vector2d(1, 2));
  EXPECT_THROWS_MESSAGE(d.diagram->GetOutputPort("missing").Eval(*context),
                        std::logic_error,
                        "has no value 'missing'; it has 'speed'.");
}

TEST(BusSelector, ThrowsOnAValueOfAnotherTypeOrSize) {
  BusSelector<double> selector;
  const auto& vector = selector.DeclareVectorOutputPort("speed", 3);
  const auto& text =
      selector.DeclareAbstractOutputPort("label", Value<std::string>());
  auto context = selector.CreateDefaultContext();
  BusValue bus;
  bus.Set("speed", Value<BasicVector<double>>(BasicVector<double>(2)));
  bus.Set("label", Value<int>(3));
  selector.get_input_port().FixValue(context.get(), Value<BusValue>(bus));
  EXPECT_THROWS_MESSAGE(vector.Eval(*context), std::logic_error,
                        "a vector of size 2; the output port wants a vector "
                        "of size 3.");
  EXPECT_THROWS_MESSAGE(text.Eval<std::string>(*context), std::logic_error,
                        "is of type int");
}

}  // namespace
}  // namespace wyvern::systems
