// A run that a page drives takes the steps of one that nobody watches.
#include <chrono>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/geometry/viewer/page_client.h"
#include "wyvern/app/replay.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/app/scenario_simulation.h"
#include "wyvern/simulator/viewing/live_simulation.h"

namespace wyvern::app {
namespace watched_run_test {

using geometry::Viewer;
using geometry::test::PageClient;

// The integral of the controller is a continuous state, whose steps a frame
// between two steps of the plant would split. The time step is no divisor of
// the period of frames.
Scenario MakeScenario() {
  return LoadScenario(
      WYVERN_SOURCE_DIR "/app/scenarios/arm_pd.yaml",
      {"logs=[]", "simulation_duration=0.5", "plant_config.time_step=0.0013",
       "model_drivers.arm.ki=[10]"});
}

Eigen::VectorXd GetState(ScenarioSimulation* simulation) {
  const auto& root = simulation->simulator().get_context();
  const Eigen::VectorXd discrete =
      simulation->plant_context().get_discrete_state_vector().value();
  Eigen::VectorXd all(root.get_continuous_state_vector().size() +
                      discrete.size());
  all << root.get_continuous_state_vector().CopyToVector(), discrete;
  return all;
}

TEST(WatchedRun, PausesStepsAndFramesLeaveTheBitsOfTheMotion) {
  if (!Viewer::IsAvailable()) GTEST_SKIP() << "This build has no viewer.";
  const std::string folder = WYVERN_SOURCE_DIR "/app/scenarios";
  ScenarioSimulation alone(MakeScenario(), folder);
  alone.Run();

  const auto viewer = std::make_shared<Viewer>();
  ScenarioSimulation watched(
      MakeScenario(), folder, true,
      [&viewer](const multibody::MultibodyPlant<double>& plant,
                systems::DiagramBuilder<double>* builder) {
        AddAlignedVisualization(1 / 64.0, plant.time_step(), viewer, builder);
      });
  systems::LiveSimulation live(&watched.simulator(), viewer,
                               {.starts_paused = true});
  PageClient page(*viewer);
  const auto send = [&page](const std::string& path, double value = 0) {
    page.Send(
        nlohmann::json{{"type", "simulation"}, {"path", path}, {"value", value}}
            .dump());
  };
  std::thread run([&] { watched.Run(); });
  for (int i = 0; i < 20; ++i) send("step");
  send("run_to", 0.2001);
  // A pause comes at run_to, or before it if the last step is still to come.
  while (!live.is_paused()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  send("rate", 0);
  send("play");
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  send("pause");
  send("step");
  send("play");
  run.join();
  EXPECT_EQ(watched.simulator().get_num_steps_taken(),
            alone.simulator().get_num_steps_taken());
  const Eigen::VectorXd expected = GetState(&alone);
  EXPECT_GT(expected.norm(), 0.01);
  EXPECT_EQ(GetState(&watched), expected);
}

}  // namespace watched_run_test
}  // namespace wyvern::app
