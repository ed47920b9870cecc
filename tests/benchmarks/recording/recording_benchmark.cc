// Cost of recording an arm's run: seven joints under PD control at 1 kHz
// (app/scenarios/arm_pd.yaml), a second at a time, alone and with about 100
// numbers recorded at 1 kHz. Times are of the simulation thread, and by the
// clock on the wall; the thread that writes has a processor of its own, if
// there is one.
#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>

#include "wyvern/app/scenario_io.h"
#include "wyvern/app/scenario_simulation.h"

namespace wyvern::app {
namespace {

const std::filesystem::path kFolder = WYVERN_SCENARIOS;

// @param ending of the file; empty: nothing is recorded.
void ArmRun(benchmark::State& state, const std::string& ending) {
  Scenario scenario =
      LoadScenario((kFolder / "arm_pd.yaml").string(), {"logs=[]"});
  scenario.simulation_duration = 1.0;
  if (!ending.empty()) {
    const auto file = std::filesystem::temp_directory_path() /
                      ("recording_benchmark" + ending);
    // 14 + 7 + 7 + 63 + 7 numbers.
    scenario.logs = {{.file = file.string(),
                      .ports = {"plant/state", "plant/generalized_acceleration",
                                "plant/net_actuation", "plant/body_poses",
                                "plant/arm_net_actuation"},
                      .period = 0.001}};
  }
  for (auto _ : state) {
    state.PauseTiming();
    ScenarioSimulation simulation(scenario, kFolder);
    simulation.simulator().Initialize();
    state.ResumeTiming();
    simulation.Run();
  }
  state.SetItemsProcessed(1000 * state.iterations());
}
BENCHMARK_CAPTURE(ArmRun, alone, "")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ArmRun, csv, ".csv")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ArmRun, hdf5, ".h5")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ArmRun, mcap, ".mcap")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace wyvern::app

BENCHMARK_MAIN();
