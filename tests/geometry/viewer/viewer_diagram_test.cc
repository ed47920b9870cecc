// Messages of a ViewerDiagram to pages: the blocks once, and the values of the
// ports that a page asks for.
#include "wyvern/geometry/viewer/viewer_diagram.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/geometry/viewer/page_client.h"
#include "tests/support/expect_throws.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/gain.h"

namespace wyvern::geometry {
namespace viewer_diagram_test {

using nlohmann::json;
using systems::ConstantVectorSource;
using systems::Context;
using systems::Diagram;
using systems::DiagramBuilder;
using systems::Gain;
using test::PageClient;

// y = 3 u, until it is told to throw.
class Moody final : public systems::LeafSystem<double> {
 public:
  Moody() {
    DeclareVectorInputPort("u", 1);
    DeclareVectorOutputPort("y", 1, &Moody::Calc);
    DeclareAbstractOutputPort("word", std::string("word"), &Moody::CalcWord);
  }
  bool is_angry{false};

 private:
  void Calc(const Context<double>& context,
            systems::BasicVector<double>* y) const {
    if (is_angry) throw std::runtime_error("no <more> of this");
    y->SetAtIndex(0, 3 * get_input_port(0).Eval(context)(0));
  }
  void CalcWord(const Context<double>&, std::string* word) const {
    *word = "x";
  }
};

// Zeros with units.
class Labelled final : public systems::LeafSystem<double> {
 public:
  explicit Labelled(std::vector<std::string> units) {
    DeclareVectorOutputPort("y", static_cast<int>(units.size()),
                            &Labelled::Calc)
        .set_units(std::move(units));
  }

 private:
  void Calc(const Context<double>&, systems::BasicVector<double>* y) const {
    y->SetZero();
  }
};

// source (2) -> inner { gain (x 5) } -> moody.
struct Model {
  Model() {
    DiagramBuilder<double> inside;
    auto* gain = inside.AddNamedSystem<Gain<double>>("gain", 5.0, 1);
    inside.ExportInput(gain->get_input_port(), "in");
    inside.ExportOutput(gain->get_output_port(), "out");
    DiagramBuilder<double> builder;
    auto* source =
        builder.AddNamedSystem<ConstantVectorSource<double>>("source", 2.0);
    auto* inner = builder.AddSystem(inside.Build());
    inner->set_name("inner");
    moody = builder.AddNamedSystem<Moody>("moody");
    builder.Connect(*source, *inner);
    builder.Connect(inner->get_output_port(0), moody->get_input_port(0));
    diagram = builder.Build();
    diagram->set_name("all");
    context = diagram->CreateDefaultContext();
  }
  Moody* moody{};
  std::unique_ptr<Diagram<double>> diagram;
  std::unique_ptr<Context<double>> context;
};

class ViewerDiagramTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Viewer::IsAvailable()) GTEST_SKIP() << "This build has no viewer.";
    viewer = std::make_shared<Viewer>();
  }

  // Reads until there is an item of that type and path; publishes meanwhile.
  json ReadItem(PageClient* page, const std::string& type,
                const std::string& path) {
    for (;;) {
      for (const json& item : page->Read()) {
        if (item["type"] == type && item.value("path", "") == path) return item;
      }
    }
  }

  // Publishes until what a page asked for comes to all pages: `type`.
  void PublishUntil(ViewerDiagram* drawing, const std::string& type) {
    PageClient witness(*viewer);
    auto seen = std::async(std::launch::async,
                           [&witness, &type] { witness.ReadUntil(type); });
    do {
      drawing->Publish(*model.context, true);
    } while (seen.wait_for(std::chrono::milliseconds(2)) !=
             std::future_status::ready);
    seen.get();
  }

  // Publishes while a message would have come.
  void PublishForAWhile(ViewerDiagram* drawing) {
    for (int k = 0; k < 100; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      drawing->Publish(*model.context, true);
    }
  }

  Model model;
  std::shared_ptr<Viewer> viewer;
};

TEST_F(ViewerDiagramTest, SendsTheBlocksAndTheirWires) {
  ViewerDiagram drawing(*model.diagram, viewer);
  drawing.SetUnit(model.moody->get_output_port(0), "N");
  PageClient page(*viewer);
  const json root = ReadItem(&page, "diagram", "")["root"];
  EXPECT_EQ(root["name"], "all");
  ASSERT_EQ(root["parts"].size(), 3u);
  const json& inner = root["parts"][1];
  EXPECT_EQ(inner["name"], "inner");
  EXPECT_EQ(inner["parts"][0]["type"], "Gain<double>");
  EXPECT_EQ(inner["wires"], (json{{-1, 0, 0, 0}, {0, 0, -1, 0}}));
  EXPECT_EQ(root["wires"], (json{{0, 0, 1, 0}, {1, 0, 2, 0}}));
  EXPECT_EQ(root["parts"][2]["out"],
            (json{{"y", "", 1, "N"}, {"word", "std::string", 0}}));
  // Pairs of an input and an output, of blocks without parts.
  const json pair = json::array({0, 0});
  EXPECT_EQ(inner["parts"][0]["through"], json::array({pair}));
  EXPECT_EQ(inner["through"], json::array());
  EXPECT_EQ(root["parts"][0]["through"], json::array());
}

// One unit for all elements, or a list; and names, of those that are shown.
TEST_F(ViewerDiagramTest, SendsUnitsAndNamesOfElements) {
  DiagramBuilder<double> builder;
  using Texts = std::vector<std::string>;
  auto* mixed =
      builder.AddNamedSystem<Labelled>("mixed", Texts{"rad", "", "m"});
  builder.AddNamedSystem<Labelled>("wide", Texts(100, "N"));
  auto* gain = builder.AddNamedSystem<Gain<double>>("gain", 5.0, 3);
  builder.Connect(*mixed, *gain);
  const auto diagram = builder.Build();
  const ViewerDiagram drawing(
      *diagram, viewer, {.element_names = [&](const systems::PortBase& port) {
        Texts names;
        if (&port == &gain->get_output_port()) return names;
        for (int i = 0; i < port.size(); ++i) {
          names.push_back(fmt::format("q{}", i));
        }
        return names;
      }});
  PageClient page(*viewer);
  const json parts = ReadItem(&page, "diagram", "")["root"]["parts"];
  const json names{"q0", "q1", "q2"};
  EXPECT_EQ(parts[0]["out"][0], (json{"y", "", 3, {"rad", "", "m"}, names}));
  EXPECT_EQ(parts[1]["out"][0][3], "N");
  EXPECT_EQ(parts[1]["out"][0][4].size(), 64u);
  EXPECT_EQ(parts[2]["in"][0], (json{"u0", "", 3, "", names}));
  EXPECT_EQ(parts[2]["out"][0], (json{"y0", "", 3}));
}

// A simulation that rests does not look at what is forgotten, so that a page
// that has wanted 64 ports would get no other.
TEST_F(ViewerDiagramTest, ForgottenWishesMakeRoom) {
  ViewerDiagram drawing(*model.diagram, viewer);
  PageClient page(*viewer);
  json wanted{{"type", "watch"}, {"paths", json::array()}};
  for (int i = 0; i < 64; ++i) wanted["paths"].push_back(fmt::format("x{}", i));
  page.Send(wanted.dump());
  const json other{{"type", "watch"}, {"paths", {"0:y0"}}};
  page.Send(other.dump());
  PublishForAWhile(&drawing);
  for (const json& item : page.Read()) EXPECT_NE(item["type"], "samples");
  std::this_thread::sleep_for(std::chrono::milliseconds(5100));
  page.Send(other.dump());
  PublishUntil(&drawing, "samples");
}

TEST_F(ViewerDiagramTest, SendsTheValuesOfPortsThatAreWanted) {
  ViewerDiagram drawing(*model.diagram, viewer);
  PageClient page(*viewer);
  // A wish for something that is no port gets no answer.
  page.Send(
      R"({"type":"watch","paths":["2:y0","1.0:u0","2:y1","9:y0","x","1.0:z0","1.0:u0x",":",7]})");
  PublishUntil(&drawing, "samples");
  EXPECT_EQ(ReadItem(&page, "samples", "port:1.0:u0")["rows"][0][1], 2);
  PageClient late(*viewer);
  int num_signals = 0;
  for (const json& item : late.Read()) {
    if (item["type"] != "samples") continue;
    ++num_signals;
    EXPECT_EQ(item["rows"][0][1], item["path"] == "port:2:y0" ? 30 : 2);
  }
  EXPECT_EQ(num_signals, 2);
}

TEST_F(ViewerDiagramTest, SendsNothingThatNobodyWants) {
  ViewerDiagram drawing(*model.diagram, viewer);
  PageClient page(*viewer);
  PublishForAWhile(&drawing);
  for (const json& item : page.Read()) EXPECT_NE(item["type"], "samples");
}

// A period apart, whatever the steps are.
TEST_F(ViewerDiagramTest, PublishesOnceInAPeriod) {
  ViewerDiagram drawing(*model.diagram, viewer, {.publish_period = 0.1});
  PageClient page(*viewer);
  page.Send(R"({"type":"watch","paths":["0:y0"]})");
  PublishUntil(&drawing, "samples");
  for (int k = 1; k <= 1000; ++k) {
    model.context->SetTime(0.001 * k);
    drawing.Publish(*model.context);
  }
  PageClient late(*viewer);
  const json rows = ReadItem(&late, "samples", "port:0:y0")["rows"];
  EXPECT_EQ(rows.back()[0], 1);
  // Rows at time 0 were published until the page's wish had come.
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(),
                          [](const json& row) { return row[0] > 0; }),
            10);
}

// A Context that is set back starts another run; it need not be due.
TEST_F(ViewerDiagramTest, PublishesWhenTimeGoesBack) {
  ViewerDiagram drawing(*model.diagram, viewer, {.publish_period = 0.1});
  PageClient page(*viewer);
  page.Send(R"({"type":"watch","paths":["0:y0"]})");
  model.context->SetTime(5);
  PublishUntil(&drawing, "samples");
  model.context->SetTime(4.99);
  drawing.Publish(*model.context);
  PageClient late(*viewer);
  EXPECT_EQ(ReadItem(&late, "samples", "port:0:y0")["rows"],
            json::parse("[[4.99,2]]"));
}

TEST_F(ViewerDiagramTest, IsBounded) {
  DiagramBuilder<double> builder;
  for (int i = 0; i < 100; ++i) {
    builder.AddSystem<ConstantVectorSource<double>>(Eigen::VectorXd::Zero(100));
  }
  const auto diagram = builder.Build();
  model.context = diagram->CreateDefaultContext();
  ViewerDiagram drawing(*diagram, viewer);
  PageClient page(*viewer);
  json wanted{{"type", "watch"}, {"paths", json::array()}};
  for (int i = 0; i < 100; ++i)
    wanted["paths"].push_back(fmt::format("{}:y0", i));
  page.Send(wanted.dump());
  PublishUntil(&drawing, "samples");
  PageClient late(*viewer);
  int num_signals = 0;
  for (const json& item : late.Read()) {
    if (item["type"] != "samples") continue;
    ++num_signals;
    EXPECT_EQ(item["rows"][0].size(), 65u);  // Time and 64 elements.
  }
  EXPECT_EQ(num_signals, 64);
}

TEST_F(ViewerDiagramTest, APortThatThrowsMarksItsBlock) {
  ViewerDiagram drawing(*model.diagram, viewer);
  model.moody->is_angry = true;
  PageClient page(*viewer);
  page.Send(R"({"type":"watch","paths":["2:y0"]})");
  PublishUntil(&drawing, "fault");
  EXPECT_EQ(ReadItem(&page, "fault", "2")["message"], "no <more> of this");
  drawing.ClearFaults();
  EXPECT_EQ(ReadItem(&page, "gone", "2")["kind"], "fault");
}

TEST_F(ViewerDiagramTest, FindsTheBlockWhoseNameIsInTheMessage) {
  ViewerDiagram drawing(*model.diagram, viewer);
  PageClient page(*viewer);
  drawing.ShowFault("Gain ::all::inner::gain is tired.", *model.context);
  EXPECT_EQ(ReadItem(&page, "fault", "1.0")["type"], "fault");
  drawing.ShowFault("Something else.", *model.context);
  EXPECT_EQ(ReadItem(&page, "fault", "")["message"], "Something else.");
}

TEST_F(ViewerDiagramTest, RefusesWhatItCannotDraw) {
  EXPECT_THROWS_MESSAGE(ViewerDiagram(*model.diagram, nullptr),
                        std::logic_error, "the viewer");
  EXPECT_THROWS_MESSAGE(
      ViewerDiagram(*model.moody, viewer), std::logic_error,
      "::all::moody is in a Diagram; pass the outermost one.");
  EXPECT_THROWS_MESSAGE(
      (ViewerDiagram{*model.diagram, viewer, {.publish_period = 0}}),
      std::logic_error, "publish_period");
  ViewerDiagram drawing(*model.diagram, viewer);
  Moody other;
  EXPECT_THROWS_MESSAGE(drawing.SetUnit(other.get_output_port(0), "N"),
                        std::logic_error, "ViewerDiagram::SetUnit()");
}

}  // namespace viewer_diagram_test
}  // namespace wyvern::geometry
