// A Simulator that pages drive: pause, steps, pace, sliders, and what was
// thrown.
#include "wyvern/simulator/viewing/live_simulation.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/geometry/viewer/page_client.h"
#include "tests/support/expect_throws.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {
namespace live_simulation_test {

using geometry::Viewer;
using geometry::test::PageClient;
using nlohmann::json;
using std::chrono::milliseconds;

// x[n+1] = x[n] + u, ten times a second; throws once x is above a limit.
class Adder final : public LeafSystem<double> {
 public:
  explicit Adder(double limit) : limit_(limit) {
    DeclareVectorInputPort("u", 1);
    DeclareDiscreteState(1);
    DeclareStateOutputPort("x", DiscreteStateIndex(0));
    DeclarePeriodicDiscreteUpdateEvent(0.1, 0.0, &Adder::Update);
  }

 private:
  void Update(const Context<double>& context, DiscreteValues<double>* x) const {
    const double sum = context.get_discrete_state_vector()[0] +
                       get_input_port(0).Eval(context)(0);
    if (sum > limit_) {
      throw std::runtime_error(fmt::format("{}: enough", GetSystemPathname()));
    }
    x->set_value(Vector1<double>(sum));
  }
  const double limit_;
};

class LiveSimulationTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Viewer::IsAvailable()) GTEST_SKIP() << "This build has no viewer.";
    viewer = std::make_shared<Viewer>();
    Build(1e9);
  }

  void Build(double limit) {
    DiagramBuilder<double> builder;
    source = builder.AddNamedSystem<ConstantVectorSource<double>>("rate", 1.0);
    auto* adder = builder.AddNamedSystem<Adder>("adder", limit);
    builder.Connect(*source, *adder);
    simulator = std::make_unique<Simulator<double>>(builder.Build());
  }

  double time() const { return shown_time; }

  // Lets the page's wish become true.
  static bool Wait(const std::function<bool()>& is_so) {
    for (int k = 0; k < 2000 && !is_so(); ++k) {
      std::this_thread::sleep_for(milliseconds(5));
    }
    return is_so();
  }

  void Send(PageClient* page, const std::string& path, double value = 0) {
    page->Send(
        json{{"type", "simulation"}, {"path", path}, {"value", value}}.dump());
  }

  static void WaitForRate(PageClient* page, double rate) {
    for (;;) {
      for (const json& item : page->Read()) {
        if (item["type"] == "simulation" && item["rate"] == rate) return;
      }
    }
  }

  // The time, for other threads, after each step.
  void Watch() {
    simulator->set_monitor([this](const Context<double>& context) {
      shown_time = context.get_time();
      return EventStatus::DidNothing();
    });
  }

  std::shared_ptr<Viewer> viewer;
  ConstantVectorSource<double>* source{};
  std::unique_ptr<Simulator<double>> simulator;
  std::atomic<double> shown_time{-1};
};

// Its change counts for the next step; it is called in a pause, too.
TEST_F(LiveSimulationTest, AListenerChangesTheContextBetweenSteps) {
  LiveSimulation live(simulator.get(), viewer, {.starts_paused = true});
  EXPECT_THROWS_MESSAGE(live.AddListener(nullptr), std::logic_error,
                        "the function is empty; give one");
  std::atomic<int> num_calls{0};
  live.AddListener([&](Context<double>* root) {
    source->get_mutable_source_value(&source->GetMyMutableContextFromRoot(root))
        .SetAtIndex(0, 3.0);
    if (++num_calls == 3) live.Play();
    return true;
  });
  simulator->AdvanceTo(1.05);
  EXPECT_GE(num_calls, 3);
  // Updates at 0, before which it was 1 or 3, and at 0.1 to 1.
  EXPECT_NEAR(simulator->get_context().get_discrete_state_vector()[0], 33, 2.1);
}

TEST_F(LiveSimulationTest, WithoutAPageItRunsAsEver) {
  LiveSimulation live(simulator.get(), viewer);
  simulator->AdvanceTo(2.05);
  EXPECT_EQ(simulator->get_context().get_time(), 2.05);
  EXPECT_NEAR(simulator->get_context().get_discrete_state_vector()[0], 21,
              1e-12);
}

TEST_F(LiveSimulationTest, APauseHoldsTheTimeAndAStepMovesItByOne) {
  Watch();
  LiveSimulation live(simulator.get(), viewer, {.starts_paused = true});
  PageClient page(*viewer);
  std::thread run([&] { simulator->AdvanceTo(1.0); });
  EXPECT_TRUE(Wait([&] { return time() == 0; }));
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(time(), 0);
  for (const double next : {0.1, 0.2}) {
    Send(&page, "step");
    EXPECT_TRUE(Wait([&] { return time() > next - 0.05; }));
    std::this_thread::sleep_for(milliseconds(50));
    EXPECT_NEAR(time(), next, 1e-12);
  }
  Send(&page, "run_to", 0.55);
  EXPECT_TRUE(Wait([&] { return live.is_paused() && time() > 0.5; }));
  EXPECT_NEAR(time(), 0.6, 1e-12);
  Send(&page, "play");
  run.join();
  EXPECT_EQ(simulator->get_context().get_time(), 1.0);
}

// Nobody is there who could end the pause.
TEST_F(LiveSimulationTest, APauseEndsWithTheLastPage) {
  LiveSimulation live(simulator.get(), viewer,
                      {.starts_paused = true, .wait_without_page = 0.1});
  simulator->AdvanceTo(1.0);
  EXPECT_EQ(simulator->get_context().get_time(), 1.0);
  EXPECT_FALSE(live.is_paused());
}

TEST_F(LiveSimulationTest, ThePageSetsThePace) {
  simulator->set_target_realtime_rate(1000);
  {
    LiveSimulation live(simulator.get(), viewer);
    PageClient page(*viewer);
    Send(&page, "rate", 10);
    WaitForRate(&page, 10);
    const auto start = std::chrono::steady_clock::now();
    simulator->AdvanceTo(3.0);
    EXPECT_GT(std::chrono::steady_clock::now() - start, milliseconds(280));
    Send(&page, "rate", 500);
    WaitForRate(&page, 500);
  }
  EXPECT_EQ(simulator->get_target_realtime_rate(), 500);
}

TEST_F(LiveSimulationTest, ASliderChangesAParameterBetweenSteps) {
  Watch();
  LiveSimulation live(simulator.get(), viewer, {.starts_paused = true});
  live.AddTunable(*source, {.min = 0, .max = 100, .step = 1});
  EXPECT_EQ(viewer->GetSliderValue("rate"), 1);
  PageClient page(*viewer);
  std::thread run([&] { simulator->AdvanceTo(1.05); });
  EXPECT_TRUE(Wait([&] { return time() == 0; }));
  page.Send(R"({"type":"slider","path":"rate","value":50})");
  EXPECT_TRUE(Wait([&] { return viewer->GetSliderValue("rate") == 50; }));
  Send(&page, "play");
  run.join();
  // The updates at 0, 0.1, ..., 1.
  EXPECT_NEAR(simulator->get_context().get_discrete_state_vector()[0], 550,
              1e-9);
  EXPECT_THROWS_MESSAGE(live.AddTunable(*source), std::logic_error,
                        "there is a slider 'rate' already");
}

// As a program does that is told to stop while a person pauses it.
TEST_F(LiveSimulationTest, WaitsNoLongerThanItIsToldTo) {
  int asked = 0;
  LiveSimulation live(simulator.get(), viewer,
                      {.starts_paused = true,
                       .wait_without_page = 1000,
                       .ends_waiting = [&] { return ++asked > 3; }});
  simulator->AdvanceTo(0.5);
  EXPECT_EQ(simulator->get_context().get_time(), 0.5);
  EXPECT_GT(asked, 3);
  EXPECT_TRUE(live.is_paused());
}

TEST_F(LiveSimulationTest, WhatWasThrownIsShownAtItsBlock) {
  Build(3.5);
  LiveSimulation live(simulator.get(), viewer);
  PageClient page(*viewer);
  EXPECT_THROWS_MESSAGE(live.AdvanceTo(1.0), std::runtime_error, "enough");
  const json fault = page.ReadUntil("fault").back();
  EXPECT_EQ(fault["path"], "1");
  EXPECT_NE(fault["message"].get<std::string>().find("adder: enough"),
            std::string::npos);
}

// A page that comes after the run sees the last values, and later changes.
TEST_F(LiveSimulationTest, ValuesAreShownAfterTheRun) {
  LiveSimulation live(simulator.get(), viewer);
  live.AdvanceTo(0.25);
  PageClient page(*viewer);
  page.Send(R"({"type":"watch","paths":["0:y0"]})");
  std::atomic<bool> is_over{false};
  json rows;
  std::thread reader([&] {
    rows = page.ReadUntil("samples").back()["rows"];
    is_over = true;
  });
  for (int k = 0; k < 2000 && !is_over; ++k) {
    EXPECT_FALSE(live.ApplyChanges());
    viewer->SetSimulationTime(0.25);  // The reader looks at its watch.
    std::this_thread::sleep_for(milliseconds(5));
  }
  reader.join();
  EXPECT_EQ(rows, json::parse("[[0.25,1]]"));
}

// The monitor of before is called meanwhile, and is there afterwards; the
// sliders are gone.
TEST_F(LiveSimulationTest, LeavesTheSimulatorAsItWas) {
  Watch();
  {
    LiveSimulation live(simulator.get(), viewer);
    live.AddTunable(*source);
    simulator->AdvanceTo(0.5);
    EXPECT_EQ(time(), 0.5);
  }
  EXPECT_TRUE(viewer->GetSliderNames().empty());
  simulator->AdvanceTo(0.7);
  EXPECT_NEAR(time(), 0.7, 1e-12);  // A sample time, as exact as a double.
}

// Whatever pages say, also what makes no sense, and whenever they come and go.
TEST_F(LiveSimulationTest, BearsPagesThatComeAndGo) {
  LiveSimulation live(simulator.get(), viewer, {.wait_without_page = 0.05});
  live.AddTunable(*source);
  std::atomic<bool> is_over{false};
  std::thread pages([&] {
    for (int k = 0; k < 20; ++k) {
      PageClient page(*viewer);
      for (const char* what : {"pause", "step", "rate", "nonsense", "run_to"}) {
        Send(&page, what, k % 3 == 0 ? -1e300 : 1e300);
      }
      page.Send(R"({"type":"simulation"})");
      page.Send(R"({"type":"simulation","path":7,"value":"x","paths":{}})");
      page.Send(R"({"type":"watch","paths":[[],"0:y0",null]})");
    }
    is_over = true;
  });
  double end = 0;
  while (!is_over) simulator->AdvanceTo(++end);
  pages.join();
  EXPECT_EQ(simulator->get_context().get_time(), end);
  EXPECT_GT(end, 0);
}

}  // namespace live_simulation_test
}  // namespace wyvern::systems
