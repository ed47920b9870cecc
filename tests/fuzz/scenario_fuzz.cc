// A scenario, whatever is in it, is run for some steps with finite states, or
// refused in plain words. The text that it is saved as is read back the same.
// WYVERN_FUZZ_TYPE is the folder that its models are in.
#include <exception>
#include <string>

#include "tests/fuzz/fuzz.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/app/scenario_simulation.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wyvern;  // NOLINT(build/namespaces)
  const std::string input(reinterpret_cast<const char*>(data), size);
  try {
    app::Scenario scenario = app::LoadScenarioFromString(input);
    const std::string saved = app::SaveScenario(scenario);
    fuzz::Require(
        app::SaveScenario(app::LoadScenarioFromString(saved)) == saved,
        "what is saved is read back");
    // Steps are counted here, and need not wait for a clock.
    scenario.simulator_config.target_realtime_rate = 0;
    app::ScenarioSimulation simulation(scenario, WYVERN_FUZZ_TYPE, false);
    int steps = 0;
    simulation.Run([&steps] { return ++steps > 20; });
    fuzz::Require(simulation.plant()
                      .GetPositionsAndVelocities(simulation.plant_context())
                      .allFinite(),
                  "states are finite");
  } catch (const std::exception& error) {
    fuzz::Refused(error, input);
    return 0;
  }
  fuzz::Accepted();
  return 0;
}
