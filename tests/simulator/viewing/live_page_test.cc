// A simulation in a real browser: its diagram, its scopes, and who drives it.
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/viewer/page_browser.h"
#include "wyvern/simulator/viewing/live_simulation.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/state_machine.h"

namespace wyvern::systems {
namespace live_page_test {

using geometry::Viewer;

// Takes a hundredth of a second for a step of one.
class Clock final : public LeafSystem<double> {
 public:
  Clock() {
    DeclareVectorInputPort("u", 1);
    DeclarePeriodicPublishEvent(0.01, 0.0, &Clock::Wait);
  }

 private:
  void Wait(const Context<double>&) const {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
};

// Two angles, a speed and a number.
class Arm final : public LeafSystem<double> {
 public:
  Arm() {
    DeclareVectorOutputPort("y", 4, &Arm::Calc)
        .set_units({"rad", "rad", "m/s", ""});
  }

 private:
  void Calc(const Context<double>&, BasicVector<double>* y) const {
    y->SetFromVector(Eigen::Vector4d(0.5, -2e-7, 1.25, 7));
  }
};

class LivePageTest : public geometry::test::PageTest {
 protected:
  void SetUp() override {
    PageTest::SetUp();
    if (IsSkipped()) return;
    viewer = std::make_shared<Viewer>();
    DiagramBuilder<double> inside;
    auto* gain = inside.AddNamedSystem<Gain<double>>("gain", 2.5, 1);
    auto* clock = inside.AddNamedSystem<Clock>("clock");
    inside.Connect(*gain, *clock);
    inside.ExportInput(gain->get_input_port(), "in");
    inside.ExportOutput(gain->get_output_port(), "out");
    DiagramBuilder<double> builder;
    auto* sine = builder.AddNamedSystem<Sine<double>>("sine", 1.0, 5.0, 0.0, 1);
    auto* inner = builder.AddSystem(inside.Build());
    inner->set_name("inner");
    source = builder.AddNamedSystem<ConstantVectorSource<double>>("level", 3.0);
    auto* last = builder.AddNamedSystem<Gain<double>>("last", 1.0, 1);
    builder.Connect(sine->get_output_port(0), inner->get_input_port(0));
    builder.Connect(*inner, *last);
    auto diagram = builder.Build();
    diagram->set_name("all");
    simulator = std::make_unique<Simulator<double>>(std::move(diagram));
  }

  std::shared_ptr<Viewer> viewer;
  ConstantVectorSource<double>* source{};
  std::unique_ptr<Simulator<double>> simulator;
};

TEST_F(LivePageTest, TheDiagramHasItsBlocksAndWires) {
  geometry::ViewerDiagram drawing(simulator->get_system(), viewer);
  const auto said = Do(viewer->web_url(), {"diagram=open", "fold=inner",
                                           "diagram", "fold=inner", "diagram"});
  ASSERT_EQ(said.size(), 3u);
  EXPECT_EQ(said[0], (std::vector<double>{5, 2, 0}));  // The root is a box.
  EXPECT_EQ(said[1], (std::vector<double>{7, 5, 0}));
  EXPECT_EQ(said[2], said[0]);
}

// A port that is clicked is plotted, and one under the pointer says its value.
// The run goes on until the person has seen that.
TEST_F(LivePageTest, AScopeShowsTheSineBehindAGain) {
  std::atomic<bool> is_done{false};
  simulator->set_monitor([&](const Context<double>&) {
    return is_done ? EventStatus::ReachedTermination(&simulator->get_system(),
                                                     "the person has seen it")
                   : EventStatus::DidNothing();
  });
  LiveSimulation live(simulator.get(), viewer, {.starts_paused = true});
  std::vector<std::vector<double>> said;
  std::thread person([&] {
    said =
        Do(viewer->web_url(),
           {"diagram=open", "port=inner · out", "press=Play", "wait-for-time=2",
            "press=Pause", "scope=inner · out", "hover=level · y0"});
    is_done = true;
    live.Play();
  });
  simulator->AdvanceTo(1e6);
  person.join();
  ASSERT_EQ(said.size(), 3u);
  EXPECT_NEAR(said[1].at(0), 2.5, 0.02);  // Sampled 64 times a second.
  EXPECT_GE(said[1].at(1), 1.9);
  EXPECT_EQ(said[2].at(0), 3);
}

// Angles, speeds and a number without a unit, on a wire and under the pointer.
TEST_F(LivePageTest, AWireShowsItsVectorWithUnits) {
  DiagramBuilder<double> builder;
  auto* arm = builder.AddNamedSystem<Arm>("arm");
  auto* gain = builder.AddNamedSystem<Gain<double>>("gain", 1.0, 4);
  builder.Connect(*arm, *gain);
  Simulator<double> still(builder.Build());
  LiveSimulation live(
      &still, viewer,
      {.starts_paused = true, .element_names = [arm](const PortBase& port) {
         return &port == &arm->get_output_port()
                    ? std::vector<std::string>{"elbow", "wrist", "belt", "load"}
                    : std::vector<std::string>();
       }});
  std::vector<std::vector<double>> said;
  std::thread person([&] {
    // The names are also those at the other end of the wire, and in a scope.
    said = Do(viewer->web_url(),
              {"diagram=open", "press=Values",
               "wait-for-text=0.5, -2e-7 rad, 1.25 m/s, …", "readings",
               "hover=arm · y", "wait-for-text=belt 1.2500 m/s",
               "wait-for-text=load 7.0000", "hover=gain · u0",
               "wait-for-text=wrist -2.000e-7", "port=arm · y",
               "wait-for-count=#scopes .u-legend tr:5", "hover=gain · y0",
               "wait-for-text=[3] 7.0000"});
    live.Play();
  });
  still.AdvanceTo(0.1);
  person.join();
  EXPECT_EQ(said.size(), 5u);
}

TEST_F(LivePageTest, TheActiveStateOfAStateMachineIsLit) {
  StateChart chart;
  const auto cold = chart.AddState("cold");
  const auto warm = chart.AddState("warm");
  chart.AddTimeout(cold, warm, 0.5);
  DiagramBuilder<double> builder;
  auto* machine =
      builder.AddNamedSystem<StateMachine<double>>("heater", chart, 1);
  auto* level =
      builder.AddNamedSystem<ConstantVectorSource<double>>("level", 3.0);
  auto* clock = builder.AddNamedSystem<Clock>("clock");
  builder.Connect(level->get_output_port(), machine->get_input_port(0));
  builder.Connect(level->get_output_port(), clock->get_input_port(0));
  Simulator<double> heated(builder.Build());
  LiveSimulation live(&heated, viewer, {.starts_paused = true});
  std::vector<std::vector<double>> said;
  std::thread person([&] {
    said = Do(viewer->web_url(),
              {"diagram=open", "wait-for-text=● cold", "press=Play",
               "wait-for-text=● warm", "diagram"});
    live.Play();
  });
  heated.AdvanceTo(2.0);
  person.join();
  EXPECT_EQ(said.size(), 2u);
}

// The page gets controls by name, but shows them as they were added.
TEST_F(LivePageTest, SlidersKeepTheirOrderAndTakeExactValues) {
  LiveSimulation live(simulator.get(), viewer, {.starts_paused = true});
  live.AddTunable(*source, {.name = "z"});
  viewer->AddSlider("a", 0, 1, 0.25, 0);
  viewer->AddButton("m");
  const auto said = Do(viewer->web_url(), {"type=z:1.23456789", "order=z,a,m"});
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0], (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(viewer->GetSliderValue("z"), 1.23456789);
  live.ApplyChanges();
  EXPECT_EQ(source
                ->get_source_value(
                    source->GetMyContextFromRoot(simulator->get_context()))
                .value()[0],
            1.23456789);
}

// A page that is loaded again gets the controls in the order of their last
// changes, and must not show them so.
TEST_F(LivePageTest, SlidersKeepTheirOrderAfterAReload) {
  viewer->AddSlider("zeta", 0, 1, 0.25, 0);
  viewer->AddButton("mode");
  viewer->AddSlider("alpha", 0, 1, 0.25, 0);
  viewer->AddSlider("kappa", 0, 1, 0.25, 0);
  const auto said =
      Do(viewer->web_url(),
         {"wait-for-text=kappa", "slide=zeta:0.5",
          "order=zeta,mode,alpha,kappa", "reload", "wait-for-text=kappa",
          "order=zeta,mode,alpha,kappa", "slide=kappa:0.5", "slide=alpha:0.75",
          "reload", "wait-for-text=kappa", "order=zeta,mode,alpha,kappa"});
  ASSERT_EQ(said.size(), 3u);
  for (const auto& order : said) {
    EXPECT_EQ(order, (std::vector<double>{0, 1, 2, 3}));
  }
  EXPECT_EQ(viewer->GetSliderValue("alpha"), 0.75);
}

TEST_F(LivePageTest, PauseHoldsTheTimeAndOneStepMovesItByOne) {
  LiveSimulation live(simulator.get(), viewer, {.starts_paused = true});
  std::vector<std::vector<double>> said;
  std::thread person([&] {
    said = Do(viewer->web_url(),
              {"time", "step", "step", "press=Play", "wait-for-time=1",
               "press=Pause", "time", "time"});
    live.Play();
  });
  simulator->AdvanceTo(10.0);
  person.join();
  ASSERT_EQ(said.size(), 5u);
  EXPECT_EQ(said[0].at(0), 0);
  EXPECT_NEAR(said[1].at(0), 0.01, 1e-9);
  EXPECT_NEAR(said[2].at(0), 0.02, 1e-9);
  EXPECT_GE(said[3].at(0), 1);
  EXPECT_EQ(said[4], said[3]);
}

TEST_F(LivePageTest, ASliderChangesTheSource) {
  LiveSimulation live(simulator.get(), viewer, {.starts_paused = true});
  live.AddTunable(*source, {.min = 0, .max = 10, .step = 0.5});
  std::vector<std::vector<double>> said;
  std::thread person([&] {
    said = Do(viewer->web_url(),
              {"slide=level:7.5", "diagram=open", "hover=level · y0"});
    live.Play();
  });
  simulator->AdvanceTo(0.1);
  person.join();
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[1].at(0), 7.5);
  EXPECT_EQ(source
                ->get_source_value(
                    source->GetMyContextFromRoot(simulator->get_context()))
                .value()(0),
            7.5);
}

// Red, from outside while it is in a closed box.
TEST_F(LivePageTest, ABlockThatThrewIsMarked) {
  geometry::ViewerDiagram drawing(simulator->get_system(), viewer);
  drawing.ShowFault("Clock ::all::inner::clock stopped.",
                    simulator->get_context());
  const auto said =
      Do(viewer->web_url(), {"diagram=open", "wait-for-text=stopped.",
                             "diagram", "fold=inner", "diagram"});
  ASSERT_EQ(said.size(), 3u);
  EXPECT_EQ(said[1].at(2), 1);
  EXPECT_EQ(said[2].at(2), 1);
}

}  // namespace live_page_test
}  // namespace wyvern::systems
